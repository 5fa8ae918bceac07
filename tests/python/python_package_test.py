"""The package as a whole: version, exceptions, and the time of the import."""

import pathlib
import re
import subprocess
import sys

import pytest
import tacit


def run(program):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_the_version_is_that_of_the_build():
    cmake = (pathlib.Path(__file__).parents[2] / "CMakeLists.txt").read_text()
    assert tacit.__version__ == re.search(r"project\(tacit VERSION (\S+)", cmake)[1]


def test_every_name_that_the_package_lists_is_there():
    for name in tacit.__all__:
        assert getattr(tacit, name) is not None
    with pytest.raises(AttributeError, match="'tacit' has no attribute 'mcp'"):
        tacit.mcp


def test_the_three_errors_are_one_kind_and_each_is_also_pythons():
    for error, of_python in [(tacit.ConfigError, ValueError), (tacit.NetError, ConnectionError),
                             (tacit.ProtocolError, Exception)]:
        assert issubclass(error, tacit.Error) and issubclass(error, of_python)
        assert not any(issubclass(error, other) for other in
                       {tacit.ConfigError, tacit.NetError, tacit.ProtocolError} - {error})


def test_the_import_loads_nothing_heavy():
    # CPU time, and the best of five: other programs may keep the machine busy. The time of numpy's own import is not ours. A
    # quiet machine takes 0.01 and 0.03 s; PyTorch or pandas would take half a second.
    program = "import time{0}; t = time.process_time(); import tacit{1}; print(time.process_time() - t)"
    for before, modules, most in [("", "", 0.2), (", numpy", ", tacit.mpc, tacit.net", 0.3)]:
        assert min(float(run(program.format(before, modules))) for _ in range(5)) <= most, f"import tacit{modules}"


def test_the_package_alone_imports_neither_numpy_nor_the_compiled_part():
    loaded = run("import sys, tacit; print(*sys.modules)").split()
    assert "tacit.errors" in loaded
    assert "numpy" not in loaded and "tacit._core" not in loaded
