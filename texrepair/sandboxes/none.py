"""No sandbox: the same supervisor and limits, nothing around it. Only for documents that one trusts."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from texrepair.sandboxes import formats
from texrepair.sandboxes.base import Limits
from texrepair.sandboxes.landlock import in_folder
from texrepair.sandboxes.wire import SupervisedBox


class Unprotected:
    """Programs may read and write whatever the user may."""

    name = "none"
    warning: str | None = "It ran without a sandbox: the document could read and write the user's files"

    def trouble(self) -> str | None:
        return None

    def open(self, files: Mapping[str, bytes | Path], limits: Limits) -> SupervisedBox:
        return in_folder(Path(tempfile.mkdtemp(prefix="texrepair-")), files, limits, formats.folder())
