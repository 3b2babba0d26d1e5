"""What is built is what lies in the checkout: sdist, wheel from that sdist, a fresh environment."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent

PROBE = """
import json, pkgutil
from pathlib import Path
import jinja2
import texrepair, texrepair.rules, texrepair.sanitizers
environment = jinja2.Environment(loader=jinja2.PackageLoader("texrepair"))
print(json.dumps({
    "home": str(Path(texrepair.__file__).parent),
    "rules": [rule.id for rule in texrepair.rules.shipped()],
    "templates": {name: environment.loader.get_source(environment, name)[0] for name in environment.list_templates()},
    "names": sorted(texrepair.__all__),
    "resolved": all(getattr(texrepair, name) is not None for name in texrepair.__all__),
}))
"""


def probe(python: Path, folder: Path) -> dict[str, object]:
    done = subprocess.run([python, "-c", PROBE], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist, and the wheel that was built from it; both without build isolation, so that no index is needed."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, CHECKOUT], check=True, capture_output=True
    )
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    return sdist, wheel


def test_a_fresh_environment_finds_the_same_rules_and_templates_as_the_checkout(
    built: tuple[Path, Path], tmp_path: Path
) -> None:
    _, wheel = built
    fresh = tmp_path / "fresh"
    venv.create(fresh, with_pip=False)
    python = fresh / "bin" / "python"
    # The dependencies come from this environment; the package itself must come from the wheel.
    (site,) = (fresh / "lib").glob("python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    here = Path(sys.prefix) / "lib" / site.parent.name / "site-packages"
    (site / "zz_dependencies.pth").write_text(f"{here}\n")
    installed, checkout = probe(python, tmp_path), probe(Path(sys.executable), tmp_path)
    assert Path(str(installed["home"])).is_relative_to(fresh)
    assert Path(str(checkout["home"])).is_relative_to(CHECKOUT)
    assert installed["rules"] == checkout["rules"] != []
    assert installed["templates"] == checkout["templates"] != {}
    assert installed["resolved"] and checkout["resolved"]


def test_the_wheel_holds_no_tests_and_the_sdist_holds_the_fixtures(built: tuple[Path, Path]) -> None:
    sdist, wheel = built
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"texrepair"}
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    assert "fixtures/article.tex" in names
    assert "LICENSE" in names


def test_the_public_names_are_sorted_and_all_of_them_exist() -> None:
    import texrepair

    assert texrepair.__all__ == sorted(texrepair.__all__)
    for name in texrepair.__all__:
        assert getattr(texrepair, name) is not None
