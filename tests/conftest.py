"""Fixtures that more than one test file uses."""

from __future__ import annotations

import pytest

from support.fakes import Fakes, build_fakes


@pytest.fixture(scope="session")
def fakes(tmp_path_factory: pytest.TempPathFactory) -> Fakes:
    """The fake libcuda, libnvidia-ml and stub, built once a session."""
    return build_fakes(tmp_path_factory.mktemp("fakes"))
