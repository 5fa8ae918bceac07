"""The code of python/README.md runs and prints the text of the document."""

import contextlib
import io
import pathlib
import re

import ranks

README = pathlib.Path(__file__).parents[2] / "python/README.md"


def blocks():
    """(language, text) of each block."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)


def test_the_worked_example_shows_what_it_says():
    (language, code), (_, shown) = blocks()[:2]
    assert language == "python" and "tacit.mpc" in code
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, str(README), "exec"), {})
    assert output.getvalue() == shown


def test_the_sums_run_at_three_ranks_over_tls(tmp_path):
    language, code = blocks()[2]
    assert language == "python" and "from_env" in code
    check = "\n    print(total.sum(), mean.sum())"
    results = ranks.Processes(tmp_path, 3).run(code + check)
    assert [code for code, _, _ in results] == [0, 0, 0], results
    assert len({output for _, output, _ in results}) == 1  # equal bits at every rank
    total, mean = map(float, results[0][1].split())
    assert abs(total / 3 - mean) < 1e-5
