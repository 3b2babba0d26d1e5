"""The container image: built from the Dockerfile, it repairs a document that lies in a mounted folder."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import texrepair

CHECKOUT = Path(__file__).resolve().parent.parent
IMAGE = "texrepair-test"
BASE = "debian:bookworm-slim"
NESTED = ("--security-opt", "seccomp=unconfined", "--security-opt", "systempaths=unconfined")
BROKEN = "\\documentclass{article}\n\\begin{document}\nR&D costs \\textbf{412 kg}.\n\\end{document}\n"


def docker(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["docker", *arguments], capture_output=True, text=True)


def reason_to_skip() -> str | None:
    if shutil.which("docker") is None:
        return "no docker client is installed"
    if docker("info").returncode:
        return "no Docker engine answers"
    if docker("image", "inspect", BASE).returncode:
        return f"the image {BASE} is not here"
    return None


pytestmark = [pytest.mark.docker, pytest.mark.timeout(3000), pytest.mark.xdist_group("docker")]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> str:
    if reason := reason_to_skip():
        pytest.skip(reason)
    context = tmp_path_factory.mktemp("context")
    for name in ("texrepair", "sanitizers", "templates"):
        shutil.copytree(CHECKOUT / name, context / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("Dockerfile", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(CHECKOUT / name, context / name)
    built = docker("build", "--network", "host", "--tag", IMAGE, str(context))
    assert built.returncode == 0, built.stderr[-3000:]
    return IMAGE


@pytest.mark.parametrize(("options", "sandbox"), [((), "landlock"), (NESTED, "bwrap")])
def test_it_repairs_what_lies_in_a_mounted_folder(
    image: str, tmp_path: Path, options: tuple[str, ...], sandbox: str
) -> None:
    (tmp_path / "article.tex").write_text(BROKEN)
    tmp_path.chmod(0o777)
    ran = docker("run", "--rm", "--network", "none", *options, "-v", f"{tmp_path}:/data", image, "build", "article.tex")
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "article.pdf").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "article.texrepair" / "article.tex").read_text() == BROKEN.replace("R&D", "R\\&D")
    assert (tmp_path / "article.tex").read_text() == BROKEN
    assert json.loads((tmp_path / "article.texrepair" / "run.json").read_text())["sandbox"] == sandbox


def test_it_serves_as_a_sandbox(image: str, tmp_path: Path) -> None:
    (tmp_path / "article.tex").write_text(BROKEN)
    result = texrepair.build(tmp_path / "article.tex", output=tmp_path / "out", sandbox="docker", docker_image=image)
    assert (result.ok, result.sandbox) == (True, "docker")
    assert (tmp_path / "out" / "article.pdf").read_bytes().startswith(b"%PDF-")


def test_fontconfig_has_opened_the_fonts_of_the_image(image: str) -> None:
    page = "\\\\documentclass{article}\\\\begin{document}a\\\\end{document}"
    script = f"cd /tmp && printf '{page}' > a.tex && xelatex a.tex"
    ran = docker("run", "--rm", "--network", "none", "--env", "FC_DEBUG=144", "--entrypoint", "sh", image, "-c", script)
    assert ran.returncode == 0, ran.stderr
    assert "FcCacheTimeValid" in ran.stdout
    assert "Scanning file" not in ran.stdout


@pytest.mark.parametrize(
    ("engine", "program"), [("xelatex", "xetex"), ("pdflatex", "pdftex"), ("lualatex", "luahbtex")]
)
def test_formats_are_not_compressed(image: str, engine: str, program: str) -> None:
    script = f"head -c 2 $(kpsewhich -engine={program} {engine}.fmt) | od -An -tx1"
    ran = docker("run", "--rm", "--network", "none", "--entrypoint", "sh", image, "-c", script)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() not in ([], ["1f", "8b"])


def test_luatex_knows_the_fonts_of_the_image(image: str) -> None:
    script = (
        "cd /tmp && printf '\\\\documentclass{article}\\\\begin{document}b\\\\end{document}' > b.tex"
        " && texrepair build b.tex --engine lualatex && ls ~/.cache/texrepair"
    )
    ran = docker("run", "--rm", "--network", "none", "--entrypoint", "sh", image, "-c", script)
    assert ran.returncode == 0, ran.stderr
    # Where what the image brings were of other fonts, the build would have added its own.
    assert sum(line.startswith("luatex-fonts-") for line in ran.stdout.splitlines()) == 1
