"""Compiling for real: a session in a sandbox, engines, the passes of a build and the verdict on them."""

from texrepair.compile.session import Session

__all__ = ["Session"]
