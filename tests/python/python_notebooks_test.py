"""The notebooks of docs/notebooks run from the first cell to the last: three of them, and the next day the others. Their kept outputs
contain nothing about a machine."""

import importlib.util
import json
import os
import pathlib
import re
import socket
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(SOURCE / "tests"))
from by_day import of_today  # noqa: E402

NOTEBOOKS = sorted((SOURCE / "docs/notebooks").glob("*.ipynb"))
BUILD = pathlib.Path(os.environ["TACIT"]).parents[1]
PACKAGES = {"nbconvert": "python3-nbconvert", "ipykernel": "python3-ipykernel", "pandas": "python3-pandas",
            "matplotlib": "python3-matplotlib", "torch": "python3-torch"}


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def code_cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def kinds(cell):
    """The kind of each output: printed text, or the types of a result."""
    return [output.get("name") or sorted(output["data"]) for output in cell["outputs"]]


def execute(path, output):
    for module, package in PACKAGES.items():
        if (module != "torch" or "torch" in path.read_text(encoding="utf-8")) and not importlib.util.find_spec(module):
            pytest.skip(f"{package} is not installed (tools/setup --tests)")
    return subprocess.run([sys.executable, SOURCE / "tools/notebooks", BUILD, "--output", output, path], capture_output=True,
                          text=True, check=False)


def test_there_are_six_notebooks_and_the_index_names_them():
    index = (SOURCE / "docs/notebooks/README.md").read_text(encoding="utf-8")
    assert [path.name[0] for path in NOTEBOOKS] == list("123456")
    for path in NOTEBOOKS:
        assert f"]({path.name})" in index
        title = "".join(read(path)["cells"][0]["source"]).splitlines()[0]
        assert title.startswith("# ") and f"[{title[2:]}]({path.name})" in index


@pytest.mark.parametrize("path", of_today(NOTEBOOKS, 2), ids=lambda path: path.stem)
def test_every_cell_runs_and_has_outputs_of_the_kept_kinds(path, tmp_path):
    done = execute(path, tmp_path)
    assert done.returncode == 0, done.stderr
    fresh, kept = code_cells(read(tmp_path / path.name)), code_cells(read(path))
    remedy = "tools/notebooks BUILD writes the outputs of today"
    assert [kinds(cell) for cell in fresh] == [kinds(cell) for cell in kept], remedy


def test_a_cell_that_fails_fails_the_notebook_and_names_the_exception(tmp_path):
    broken = read(NOTEBOOKS[0])
    broken["cells"] = [{"cell_type": "code", "metadata": {}, "source": "raise LookupError('of this cell')", "outputs": [],
                        "execution_count": None}]
    path = tmp_path / "broken.ipynb"
    path.write_text(json.dumps(broken))
    done = execute(path, tmp_path / "none")
    assert done.returncode == 1 and "broken.ipynb failed" in done.stderr and "LookupError: of this cell" in done.stderr


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_kept_without_errors_warnings_and_times(path):
    notebook = read(path)
    cells = code_cells(notebook)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert sum(bool(cell["outputs"]) for cell in cells) >= len(cells) / 2
    assert any("image/png" in output.get("data", {}) for cell in cells for output in cell["outputs"])
    for cell in notebook["cells"]:
        assert cell["metadata"] == {} and "id" not in cell
        for output in cell.get("outputs", []):
            assert output["output_type"] != "error" and output.get("name") != "stderr", output
    assert set(notebook["metadata"]) == {"kernelspec", "language_info"}
    assert notebook["metadata"]["language_info"] == {"name": "python"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_neither_text_nor_outputs_have_a_path_an_address_or_a_time_of_a_machine(path):
    notebook = read(path)
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("image/png", None)
    text = json.dumps(notebook, ensure_ascii=False)
    for of_a_machine in (r"/(?:tmp|home|root|usr|work|var|mnt|Users)/\S*", r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d",
                         r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}"):
        assert re.findall(of_a_machine, text) == []
    assert not re.search(rf"\b{re.escape(socket.gethostname())}\b", text)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_a_page_of_its_own(path):
    texts = ["".join(cell["source"]) for cell in read(path)["cells"] if cell["cell_type"] == "markdown"]
    assert "You will learn" in texts[0] and "## What next" in texts[-1]
    assert path.stat().st_size < 400_000
