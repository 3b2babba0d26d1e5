"""The filter refuses what escapes need, on every machine whose calls it knows."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from texrepair.sandboxes import seccomp

ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
NUMBERS = {
    "x86_64": {"read": 0, "execve": 59, "socket": 41, "ptrace": 101, "unshare": 272, "clone": 56, "clone3": 435},
    "aarch64": {"read": 63, "execve": 221, "socket": 198, "ptrace": 117, "unshare": 97, "clone": 220, "clone3": 435},
}


def verdict(program: bytes, audit: int, number: int, first: int = 0) -> int:
    """What the kernel would do: the few kinds of instruction that the filter uses."""
    data = struct.pack("<IIQQ", number, audit, 0, first)
    held, at = 0, 0
    lines = list(struct.iter_unpack("<HBBI", program))
    while True:
        code, yes, no, value = lines[at]
        at += 1
        if code == 0x20:
            (held,) = struct.unpack_from("<I", data, value)
        elif code == 0x06:
            return int(value)
        else:
            true = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[code]
            at += yes if true else no


@pytest.mark.parametrize("machine", NUMBERS)
def test_what_programs_need_is_allowed_and_what_escapes_need_is_not(machine: str) -> None:
    program, audit, numbers = seccomp.program(machine), AUDIT[machine], NUMBERS[machine]
    assert verdict(program, audit, numbers["read"]) == ALLOW
    assert verdict(program, audit, numbers["execve"]) == ALLOW
    for name in ("socket", "ptrace", "unshare"):
        assert verdict(program, audit, numbers[name]) == EPERM


@pytest.mark.parametrize("machine", NUMBERS)
def test_processes_may_be_made_but_no_namespaces(machine: str) -> None:
    program, audit, numbers = seccomp.program(machine), AUDIT[machine], NUMBERS[machine]
    fork, new_user, new_net = 17, 0x10000000 | 17, 0x40000000 | 17
    assert verdict(program, audit, numbers["clone"], fork) == ALLOW
    assert verdict(program, audit, numbers["clone"], new_user) == EPERM
    assert verdict(program, audit, numbers["clone"], new_net) == EPERM
    assert verdict(program, audit, numbers["clone3"]) == ENOSYS


@pytest.mark.parametrize("machine", NUMBERS)
def test_another_kind_of_call_is_no_way_around(machine: str) -> None:
    program = seccomp.program(machine)
    assert verdict(program, 0x40000003, 0) == KILL
    if machine == "x86_64":
        assert verdict(program, AUDIT[machine], 0x40000000 | 41) == ENOSYS


@pytest.mark.parametrize("machine", NUMBERS)
def test_attributes_and_other_processes_are_left_as_they_are(machine: str) -> None:
    program, audit = seccomp.beside_landlock(machine), AUDIT[machine]
    attributes, others = seccomp.ATTRIBUTES[machine], seccomp.OTHERS[machine]
    done_nothing, own, another = 0x00050000, 0, 1
    assert {verdict(program, audit, number) for number in attributes.values()} == {done_nothing}
    assert {verdict(program, audit, number, another) for number in others.values()} == {EPERM}
    assert verdict(program, audit, others["prlimit64"], own) == ALLOW
    assert verdict(program, audit, NUMBERS[machine]["execve"]) == ALLOW


def test_a_machine_whose_calls_are_unknown_has_no_filter() -> None:
    assert seccomp.program("riscv64") == seccomp.beside_landlock("riscv64") == b""


@pytest.mark.parametrize(
    ("machine", "header"),
    [
        ("x86_64", "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
        ("aarch64", "/usr/include/asm-generic/unistd.h"),
    ],
)
def test_the_numbers_are_the_kernels(machine: str, header: str) -> None:
    if not Path(header).exists():
        pytest.skip(f"no {header}")
    text = Path(header).read_text()
    known = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    calls = seccomp.CALLS[machine] | seccomp.ATTRIBUTES[machine] | seccomp.OTHERS[machine]
    wrong = {name: known[name] for name, number in calls.items() if known.get(name, number) != number}
    assert wrong == {}
