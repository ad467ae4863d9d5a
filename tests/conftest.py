"""Fixtures that more than one test file uses, and how patient the tests are."""

from __future__ import annotations

import contextlib

import pytest

from support.fakes import Fakes, build_fakes

with contextlib.suppress(ImportError):  # tests/gpu runs where there is no Hypothesis
    from hypothesis import HealthCheck, settings

    # A busy machine is no failure.
    settings.register_profile(
        "patient", deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("patient")


@pytest.fixture(scope="session")
def fakes(tmp_path_factory: pytest.TempPathFactory) -> Fakes:
    """The fake libcuda, libnvidia-ml and stub, built once a session."""
    return build_fakes(tmp_path_factory.mktemp("fakes"))
