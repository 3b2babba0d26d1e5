"""What the rounds may still spend: tokens and money. Where a server counts nothing, our own estimate counts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from texrepair.errors import SettingsError
from texrepair.models.base import Reply, Request, estimated_tokens
from texrepair.models.dialect import SMALLEST
from texrepair.result import Usage
from texrepair.settings import Settings

_MILLION = 1e6


@dataclass(frozen=True, slots=True)
class Purse:
    """Limits, prices, and what is spent so far."""

    max_tokens: int | None
    max_cost: float | None
    price_in: float | None
    price_cached: float | None
    price_out: float | None
    tokens: int = 0
    cost: float = 0.0

    @classmethod
    def of(cls, settings: Settings) -> Purse:
        """The purse that the settings fill. Raises SettingsError for a limit of money without prices."""
        if settings.max_cost is not None and (settings.price_in is None or settings.price_out is None):
            raise SettingsError(
                "a limit of cost needs the model's prices: set price_in and price_out (TEXREPAIR_PRICE_IN and "
                "TEXREPAIR_PRICE_OUT), each for a million tokens"
            )
        return cls(
            settings.max_total_tokens, settings.max_cost, settings.price_in, settings.price_cached, settings.price_out
        )

    def room(self, asked_tokens: int) -> int | None:
        """The tokens that an answer may have after a question of so many; None where nothing limits them."""
        rooms = []
        if self.max_tokens is not None:
            rooms.append(self.max_tokens - self.tokens - asked_tokens)
        if self.max_cost is not None and self.price_in is not None and self.price_out is not None:
            left = self.max_cost - self.cost - asked_tokens * self.price_in / _MILLION
            if self.price_out or left < 0:
                rooms.append(int(left / self.price_out * _MILLION) if self.price_out else 0)
        return max(0, min(rooms)) if rooms else None

    def allows(self, asked_tokens: int) -> bool:
        """Whether such a question leaves room for an answer."""
        room = self.room(asked_tokens)
        return room is None or room >= SMALLEST

    def paid(self, request: Request, reply: Reply) -> tuple[Purse, Usage]:
        """The purse after a call, and what the call used, with its cost."""
        usage = reply.usage
        tokens_in = estimated_tokens(request.text) if usage.tokens_in is None else usage.tokens_in
        tokens_out = estimated_tokens(reply.text) if usage.tokens_out is None else usage.tokens_out
        cost = self._cost(tokens_in, usage.cached or 0, tokens_out)
        purse = replace(self, tokens=self.tokens + tokens_in + tokens_out, cost=self.cost + (cost or 0.0))
        return purse, replace(usage, cost=cost)

    def _cost(self, tokens_in: int, cached: int, tokens_out: int) -> float | None:
        if self.price_in is None or self.price_out is None:
            return None
        price_cached = self.price_in if self.price_cached is None else self.price_cached
        fresh = max(0, tokens_in - cached)
        return (fresh * self.price_in + cached * price_cached + tokens_out * self.price_out) / _MILLION
