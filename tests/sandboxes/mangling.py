"""A session under random work from outside while a program inside mangles everything that it can reach."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from random import Random

from texrepair.errors import EngineMissing, SandboxError
from texrepair.sandboxes import Limits, Sandbox

LIMITS = Limits(seconds=60, memory_mb=512, file_mb=4, disk_mb=32, fetch_mb=8, output_kib=16)
NAMES = (
    "main.tex",
    "main.log",
    "a/b.aux",
    "a",
    "link",
    "pipe",
    "deep/d/d/d/x",
    "..",
    "",
    "/etc/passwd",
    "a//b",
    "n\nl",
)
FOLDERS = ("project", "1", "2", "1/a", "scratch", "link", "gone", "../x", "")

# Perl is where TeX is. Each round takes one of the things that a program may do to a folder.
MANGLER = r"""
use strict; no warnings; my ($seed, $canary) = @ARGV; srand($seed);
my @names = ('main.tex', 'main.log', 'a', 'a/b.aux', 'link', 'pipe', 'deep', '../1', '../2', '../project', '../scratch',
    '..', '../gone', '../link');
sub any { $names[rand @names] }
while (1) {
    my $what = int rand 12; my ($one, $other) = (any(), any());
    if ($what == 0) { rename $one, $other } elsif ($what == 1) { symlink $canary, $one }
    elsif ($what == 2) { unlink $one } elsif ($what == 3) { mkdir $one } elsif ($what == 4) { rmdir $one }
    elsif ($what == 5) { chmod int(rand 512), $one } elsif ($what == 6) { system 'mkfifo', $one if rand() < .05 }
    elsif ($what == 7) { open my $f, '>', $one and print $f 'x' x rand 5000 } elsif ($what == 8) { link $one, $other }
    elsif ($what == 9) { symlink $other, $one } elsif ($what == 10) { rename $one, "$other/moved" }
    else { my $d = 'deep'; for (1..30) { mkdir $d; $d .= '/d' } }
}
"""


def mangle(sandbox: Sandbox, seed: int, steps: int, canary: Path) -> None:
    """Work in a box for so many steps. Raises AssertionError where something of outside comes in, or changes."""
    random = Random(seed)
    secret = canary.read_bytes()
    with closing(sandbox.open({"main.tex": b"text", "a/b.aux": b"text"}, LIMITS)) as box:
        box.copy("project", "1")
        runs = [box.start(("perl", "-e", MANGLER, str(seed), str(canary)), "1")]
        for _ in range(steps):
            folder, name = random.choice(FOLDERS), random.choice(NAMES)
            try:
                match random.randrange(6):
                    case 0:
                        box.put({name: random.randbytes(random.randrange(9000))}, folder)
                    case 1:
                        box.copy(random.choice(FOLDERS), folder)
                    case 2 | 3:
                        found = box.fetch(random.sample(NAMES, 5), folder)
                        assert not any(secret in data for data in found.values())
                        assert set(found) <= set(NAMES)
                    case 4:
                        box.drop(folder)
                    case _:
                        run = box.start(("sh", "-c", "cat main.tex ../*/main.log; ls"), folder)
                        if random.random() < 0.5:
                            assert secret not in run.wait().output
                        else:
                            runs.append(run)
            except EngineMissing:
                raise
            except SandboxError as error:
                assert "does not answer" not in str(error)
                assert "ended" not in str(error)
        for run in runs:
            run.stop()
        # Whatever it has become, the session still works.
        box.put({"main.tex": b"whole"}, "new")
        assert box.fetch(["main.tex"], "new") == {"main.tex": b"whole"}
    assert canary.read_bytes() == secret
    assert [path.name for path in canary.parent.iterdir()] == [canary.name]
