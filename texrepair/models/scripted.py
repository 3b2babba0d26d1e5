"""A model that answers from a list, for tests and for trying things out without a server."""

from __future__ import annotations

from texrepair.errors import ModelError, ModelUnavailable
from texrepair.models.base import Reply, Request


class Scripted:
    """Gives the replies in order, and keeps the requests. An error in the list is raised in its turn."""

    def __init__(self, *replies: Reply | str | ModelError, name: str = "scripted") -> None:
        self.name = name
        self.requests: list[Request] = []
        self._replies = iter([Reply(r) if isinstance(r, str) else r for r in replies])

    def reply(self, request: Request) -> Reply:
        """The next reply. Raises ModelUnavailable when there is none left."""
        self.requests.append(request)
        answer = next(self._replies, None)
        if answer is None:
            raise ModelUnavailable(f"{self.name} has no reply left")
        if isinstance(answer, ModelError):
            raise answer
        return answer
