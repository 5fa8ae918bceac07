"""Simulations that the tests of a file share."""

import pytest
import tacit
from shares import PARTIES


@pytest.fixture(scope="module", params=[*PARTIES, "pairwise"])
def s(request):
    options = {"parties": 2, "correlations": "pairwise"} if request.param == "pairwise" else {"parties": request.param}
    with tacit.mpc.simulate(**options) as simulation:
        yield simulation


@pytest.fixture(scope="module")
def pair():
    with tacit.mpc.simulate(parties=2) as simulation:
        yield simulation
