"""The sandbox of choice: bubblewrap's namespaces around the supervisor."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from texrepair.errors import SandboxError
from texrepair.sandboxes import cgroup, formats, places, seccomp, starting
from texrepair.sandboxes.base import Limits
from texrepair.sandboxes.wire import SupervisedBox, room

ROOT = "/session"
SPARE = 8
"""Processes of a box that are not programs: bubblewrap's own, the supervisor, what leads to it."""


class Bubblewrap:
    """Own namespaces without a network, read-only system folders, a work folder in memory of bounded size."""

    name = "bwrap"
    warning: str | None = None

    def trouble(self) -> str | None:
        if shutil.which("bwrap") is None:
            return "bubblewrap is not installed: apt-get install bubblewrap"
        tried = subprocess.run(
            [*self._options(1 << 20), "--remount-ro", "/", "true"],
            capture_output=True,
            timeout=20,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        if tried.returncode == 0:
            return None
        said = " ".join(tried.stderr.decode("utf-8", "replace").split()).partition(". ")[0][-200:]
        return f"bubblewrap does not work here ({said}): {cure()}"

    def open(self, files: Mapping[str, bytes | Path], limits: Limits) -> SupervisedBox:
        if shutil.which("bwrap") is None:
            raise SandboxError(self.trouble())
        size = room(files, limits)
        options = self._options(size)
        plain = formats.folder()
        if plain is not None:
            options += ["--ro-bind", str(plain), formats.SHOWN]
        options += ["--remount-ro", "/"]
        group = cgroup.group(limits.memory_of_all + size, limits.processes + SPARE)
        program = seccomp.program()
        pass_fds = []
        if program:
            at = os.memfd_create("filter")
            os.write(at, program)
            os.lseek(at, 0, os.SEEK_SET)
            options += ["--seccomp", str(at)]
            pass_fds.append(at)
        try:
            return SupervisedBox(
                group.entered([*options, "--", str(places.interpreter()), *starting.arguments()]),
                root=ROOT,
                files=files,
                limits=limits,
                environment=places.environment(f"{ROOT}/scratch", formats=formats.SHOWN if plain else None),
                links=places.linked(),
                home=places.settings(),
                pass_fds=pass_fds,
                preamble=starting.preamble(),
                after=group.close,
            )
        except BaseException:
            group.close()
            raise
        finally:
            for at in pass_fds:
                os.close(at)

    def _options(self, size: int) -> list[str]:
        """bwrap and its options; the work folder has so many bytes."""
        knows = help_text()
        sized = ["--size", str(size)] if "--size" in knows else []
        small = ["--size", str(64 << 20)] if sized else []
        options = ["bwrap", "--unshare-all", "--unshare-user"]
        options += ["--disable-userns"] if "--disable-userns" in knows else []
        options += ["--die-with-parent", "--new-session", "--as-pid-1", "--uid", "65534", "--gid", "65534"]
        options += ["--hostname", "texrepair", "--cap-drop", "ALL", "--clearenv", "--setenv", "LANG", "C.UTF-8"]
        options += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
        options += [*small, "--tmpfs", "/tmp", *sized, "--tmpfs", ROOT]
        for path in (*places.shown(), *places.personal().values()):
            options += ["--ro-bind", str(path), str(path)]
        for name in places.TOP:
            path = Path("/", name)
            if path.is_symlink():
                options += ["--symlink", str(path.readlink()), str(path)]
            elif path.is_dir():
                options += ["--ro-bind", str(path), str(path)]
        return [*options, "--chdir", ROOT]


@cache
def help_text() -> str:
    """What the installed bwrap says of its options: older ones know fewer."""
    return subprocess.run(["bwrap", "--help"], capture_output=True, text=True, timeout=20, check=False).stdout


def contained() -> bool:
    """Whether we run in a container, as far as container engines tell."""
    return Path("/.dockerenv").exists() or Path("/run/.containerenv").exists()


def cure() -> str:
    """The one command that lets bubblewrap work, as far as the kernel's settings tell."""
    if contained():
        return "start the container with --security-opt seccomp=unconfined --security-opt systempaths=unconfined"
    switches = {
        "kernel/apparmor_restrict_unprivileged_userns": ("1", "kernel.apparmor_restrict_unprivileged_userns=0"),
        "kernel/unprivileged_userns_clone": ("0", "kernel.unprivileged_userns_clone=1"),
        "user/max_user_namespaces": ("0", "user.max_user_namespaces=10000"),
    }
    for name, (bad, good) in switches.items():
        path = Path("/proc/sys", name)
        if path.exists() and path.read_text().strip() == bad:
            return f"sudo sysctl -w {good}"
    return "allow unprivileged user namespaces, or choose --sandbox landlock"
