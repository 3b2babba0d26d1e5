"""A seccomp filter as a BPF program, made here so that no library is needed.

It refuses with EPERM what no program of a TeX build needs and what exploits and escapes like: sockets, tracing, other
namespaces, kernel keyrings, io_uring, bpf, loading code into the kernel, and memory that outlives a process or is
counted as nobody's. All else stays allowed.
"""

from __future__ import annotations

import platform
import struct

_LOAD, _JUMP_EQUAL, _JUMP_GREATER, _JUMP_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data, low half first
_EPERM, _ENOSYS = 1, 38
_X32 = 0x40000000
_NAMESPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET

# Numbers of the calls: x86_64's from arch/x86/entry/syscalls/syscall_64.tbl, aarch64's from asm-generic/unistd.h.
CALLS = {
    "x86_64": {
        "socket": 41, "socketpair": 53, "bind": 49, "connect": 42, "listen": 50, "ptrace": 101, "process_vm_readv": 310,
        "process_vm_writev": 311, "pidfd_getfd": 438, "kcmp": 312, "unshare": 272, "setns": 308, "mount": 165,
        "umount2": 166, "pivot_root": 155, "chroot": 161, "open_tree": 428, "move_mount": 429, "fsopen": 430,
        "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442, "add_key": 248, "request_key": 249,
        "keyctl": 250, "bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "io_uring_setup": 425,
        "io_uring_enter": 426, "io_uring_register": 427, "init_module": 175, "finit_module": 313,
        "delete_module": 176, "kexec_load": 246, "kexec_file_load": 320, "reboot": 169, "swapon": 167,
        "swapoff": 168, "acct": 163, "quotactl": 179, "syslog": 103, "settimeofday": 164, "clock_settime": 227,
        "adjtimex": 159, "clock_adjtime": 305, "sethostname": 170, "setdomainname": 171, "iopl": 172, "ioperm": 173,
        "open_by_handle_at": 304, "name_to_handle_at": 303, "lookup_dcookie": 212, "personality": 135,
        "fanotify_init": 300, "shmget": 29, "shmat": 30, "msgget": 68, "semget": 64, "mq_open": 240,
        "memfd_create": 319, "memfd_secret": 447, "nfsservctl": 180, "vmsplice": 278, "clone": 56, "clone3": 435,
    },
    "aarch64": {
        "socket": 198, "socketpair": 199, "bind": 200, "connect": 203, "listen": 201, "ptrace": 117,
        "process_vm_readv": 270, "process_vm_writev": 271, "pidfd_getfd": 438, "kcmp": 272, "unshare": 97,
        "setns": 268, "mount": 40, "umount2": 39, "pivot_root": 41, "chroot": 51, "open_tree": 428,
        "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442,
        "add_key": 217, "request_key": 218, "keyctl": 219, "bpf": 280, "perf_event_open": 241, "userfaultfd": 282,
        "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "init_module": 105,
        "finit_module": 273, "delete_module": 106, "kexec_load": 104, "kexec_file_load": 294, "reboot": 142,
        "swapon": 224, "swapoff": 225, "acct": 89, "quotactl": 60, "syslog": 116, "settimeofday": 170,
        "clock_settime": 112, "adjtimex": 171, "clock_adjtime": 266, "sethostname": 161, "setdomainname": 162,
        "open_by_handle_at": 265, "name_to_handle_at": 264, "lookup_dcookie": 18, "personality": 92,
        "fanotify_init": 262, "shmget": 194, "shmat": 196, "msgget": 186, "semget": 190, "mq_open": 180,
        "memfd_create": 279, "memfd_secret": 447, "nfsservctl": 42, "vmsplice": 75, "clone": 220, "clone3": 435,
    },
}  # fmt: skip
# What Landlock leaves open to whoever knows a path, or the number of another process.
ATTRIBUTES = {
    "x86_64": {
        "chmod": 90, "fchmod": 91, "fchmodat": 268, "fchmodat2": 452, "chown": 92, "fchown": 93, "lchown": 94,
        "fchownat": 260, "utime": 132, "utimes": 235, "futimesat": 261, "utimensat": 280, "setxattr": 188,
        "lsetxattr": 189, "fsetxattr": 190, "setxattrat": 463, "removexattr": 197, "lremovexattr": 198,
        "fremovexattr": 199, "removexattrat": 466, "file_setattr": 469,
    },
    "aarch64": {
        "fchmod": 52, "fchmodat": 53, "fchmodat2": 452, "fchown": 55, "fchownat": 54, "utimensat": 88, "setxattr": 5,
        "lsetxattr": 6, "fsetxattr": 7, "setxattrat": 463, "removexattr": 14, "lremovexattr": 15, "fremovexattr": 16,
        "removexattrat": 466, "file_setattr": 469,
    },
}  # fmt: skip
OTHERS = {
    "x86_64": {
        "truncate": 76, "inotify_add_watch": 254, "setpriority": 141, "ioprio_set": 251, "sched_setparam": 142,
        "sched_setscheduler": 144, "sched_setattr": 314, "sched_setaffinity": 203, "migrate_pages": 256,
        "move_pages": 279, "process_madvise": 440, "process_mrelease": 448, "prlimit64": 302,
    },
    "aarch64": {
        "truncate": 45, "inotify_add_watch": 27, "setpriority": 140, "ioprio_set": 30, "sched_setparam": 118,
        "sched_setscheduler": 119, "sched_setattr": 274, "sched_setaffinity": 122, "migrate_pages": 238,
        "move_pages": 239, "process_madvise": 440, "process_mrelease": 448, "prlimit64": 261,
    },
}  # fmt: skip
_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def program(machine: str | None = None) -> bytes:
    """The filter for a kind of machine (this one's by default); empty where its calls are not known here."""
    machine = machine or platform.machine()
    if machine not in CALLS:
        return b""
    calls = dict(CALLS[machine])
    clone, clone3 = calls.pop("clone"), calls.pop("clone3")
    lines = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, _AUDIT[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if machine == "x86_64":
        lines += [(_JUMP_GREATER, 0, 1, _X32), (_RETURN, 0, 0, _ERRNO | _ENOSYS)]
    # The flags of clone3 lie in memory, which a filter cannot see: without it, the C library falls back on clone.
    lines += [(_JUMP_EQUAL, 0, 1, clone3), (_RETURN, 0, 0, _ERRNO | _ENOSYS)]
    for number in sorted(calls.values()):
        lines += [(_JUMP_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO | _EPERM)]
    lines += [
        (_JUMP_EQUAL, 0, 3, clone),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_JUMP_BITS, 0, 1, _NAMESPACES),
        (_RETURN, 0, 0, _ERRNO | _EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return _packed(lines)


def beside_landlock(machine: str | None = None) -> bytes:
    """A second filter, for programs around which there is Landlock and no namespace; empty as above.

    Landlock says nothing of a file's mode, owner, dates and further attributes: to change them does nothing and seems
    to succeed, since programs that save a file do so and give up where it fails. Other processes' priorities, cores
    and limits are refused, and so is what Linux 6.2 was the first to let Landlock forbid: to shorten a file by name.
    """
    machine = machine or platform.machine()
    if machine not in CALLS:
        return b""
    others = dict(OTHERS[machine])
    limits = others.pop("prlimit64")
    lines = [(_LOAD, 0, 0, _NUMBER)]
    for number in sorted(ATTRIBUTES[machine].values()):
        lines += [(_JUMP_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO)]
    for number in sorted(others.values()):
        lines += [(_JUMP_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO | _EPERM)]
    # Process 0 is the one that asks: the C library's getrlimit is made of this.
    lines += [
        (_JUMP_EQUAL, 0, 3, limits),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_JUMP_EQUAL, 1, 0, 0),
        (_RETURN, 0, 0, _ERRNO | _EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return _packed(lines)


def _packed(lines: list[tuple[int, int, int, int]]) -> bytes:
    return b"".join(struct.pack("<HBBI", *line) for line in lines)
