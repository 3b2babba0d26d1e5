"""The sandbox of a Docker engine: a container of an image that holds TeX, with the supervisor as its first process."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from texrepair.errors import SandboxError
from texrepair.sandboxes import places, seccomp, starting
from texrepair.sandboxes.base import Limits
from texrepair.sandboxes.wire import SupervisedBox, room

ROOT = "/session"
OPENING = 120.0
"""Seconds that an engine may take to start a container, when it starts many at once."""
SPARE = 8
"""Processes of a container that are not programs: the supervisor, and room to count what is too many."""
IMAGE = "texrepair"
"""The image of the project's Dockerfile. Any other that has a Python 3.11 and TeX will do."""

_OUTER = ("PATH", "HOME", "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK")
_OPTIONS = (
    *("--rm", "--interactive", "--pull", "never", "--log-driver", "none", "--no-healthcheck"),
    *("--network", "none", "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"),
    *("--user", "65534:65534", "--ipc", "none", "--cgroupns", "private", "--hostname", "texrepair"),
    *("--ulimit", "core=0", "--workdir", ROOT, "--entrypoint", "python3"),
)


class Docker:
    """A container without a network or a folder of the user's, read-only but for a work folder in memory."""

    name = "docker"
    warning: str | None = None

    def __init__(self, image: str = IMAGE) -> None:
        self.image = image

    def trouble(self) -> str | None:
        if shutil.which("docker") is None:
            return "no Docker client is installed: apt-get install docker.io"
        if said := _asked("version", "--format", "{{.Server.Version}}"):
            return f"no Docker engine answers ({said}): sudo systemctl start docker"
        if _asked("image", "inspect", "--format", "{{.Id}}", self.image):
            cure = f"docker build -t {IMAGE} . (in texrepair's checkout)" if self.image == IMAGE else "docker pull"
            return f"there is no image {self.image}: {cure if self.image == IMAGE else f'{cure} {self.image}'}"
        try:
            self.open({}, Limits()).close()
        except SandboxError as error:
            return f"Docker does not work here ({error}): docker run --rm {self.image} --version shows why"
        return None

    def open(self, files: Mapping[str, bytes | Path], limits: Limits) -> SupervisedBox:
        if shutil.which("docker") is None:
            raise SandboxError(f"{self.trouble()}.")
        name = f"texrepair-{os.getpid()}-{os.urandom(6).hex()}"
        size = room(files, limits)
        # Docker bounds what all processes together hold, the work folder included.
        memory = limits.memory_of_all + size
        writable = f"rw,noexec,nosuid,nodev,uid=65534,gid=65534,mode=0700,size={size}"
        command = [
            *("docker", "run", "--name", name, *_OPTIONS),
            *("--tmpfs", f"{ROOT}:{writable}", "--tmpfs", f"/tmp:rw,noexec,nosuid,nodev,mode=1777,size={64 << 20}"),
            *("--memory", str(memory), "--memory-swap", str(memory), "--pids-limit", str(limits.processes + SPARE)),
            *(self.image, *starting.arguments()),
        ]
        # The client would outlive us where a process that we forked holds its input open.
        dying = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
        return SupervisedBox(
            [*dying, *command],
            root=ROOT,
            files=files,
            limits=limits,
            environment=places.environment(f"{ROOT}/scratch", ("/usr/local/bin", "/usr/bin", "/bin")),
            links={},
            filter=seccomp.program(),
            preamble=starting.preamble(),
            opening=OPENING,
            outer={k: v for k, v in os.environ.items() if k in _OUTER or k.startswith("DOCKER_")},
            kill=lambda: _removed(name),
        )


def _asked(*arguments: str) -> str | None:
    """What went wrong when the Docker client was asked this, in a few words; None where nothing did."""
    try:
        ran = subprocess.run(["docker", *arguments], capture_output=True, timeout=20, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "it is silent"
    if ran.returncode == 0:
        return None
    return " ".join(ran.stderr.decode("utf-8", "replace").split())[-200:] or f"status {ran.returncode}"


def _removed(name: str) -> None:
    """Kill and remove a container, if it is still there."""
    _asked("rm", "--force", name)
