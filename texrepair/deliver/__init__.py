"""What a build leaves for the user: views of one BuildResult, and the files that hold them."""

from __future__ import annotations

from texrepair.deliver.diff import diff
from texrepair.deliver.export import export_zip
from texrepair.deliver.views import as_json, run_log
from texrepair.deliver.write import check_places, deliver, place_beside, write_back, write_export

__all__ = [
    "as_json",
    "check_places",
    "deliver",
    "diff",
    "export_zip",
    "place_beside",
    "run_log",
    "write_back",
    "write_export",
]
