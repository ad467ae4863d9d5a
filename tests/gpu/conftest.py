"""Every test in this folder needs a GPU: `pytest tests/gpu --gpuprobe=require`."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before the plug-in reads the markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies here, unless a test says itself what it needs."""
    for item in items:
        if HERE in item.path.parents and item.get_closest_marker("needs_gpu") is None:
            item.add_marker(pytest.mark.needs_gpu)
