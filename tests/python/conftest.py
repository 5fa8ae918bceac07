"""Simulations that the tests of a file share."""

import pytest
import tacit
from shares import PARTIES


@pytest.fixture(scope="module", params=PARTIES)
def s(request):
    with tacit.mpc.simulate(parties=request.param) as simulation:
        yield simulation


@pytest.fixture(scope="module")
def pair():
    with tacit.mpc.simulate(parties=2) as simulation:
        yield simulation
