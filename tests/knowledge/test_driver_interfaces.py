"""With which driver a release of NVENC, or of Vulkan, came."""

from __future__ import annotations

import pytest

from gpuprobe.facts.version import Version
from gpuprobe.knowledge.driver_interfaces import first_driver
from gpuprobe.knowledge.tables import load


@pytest.mark.parametrize(
    ("interface", "release", "system", "driver"),
    [
        ("nvenc", "12.0", "windows", "522.25"),
        ("nvenc", "12.0", "linux", "520.56.06"),
        ("nvenc", "13.0", "linux", "570.0"),
        ("vulkan", "1.3", "windows", "510"),
    ],
)
def test_a_release_came_with_a_driver(interface: str, release: str, system: str, driver: str):
    assert first_driver(interface, Version(release), system) == Version(driver)


def test_of_what_is_not_in_the_table_nobody_can_tell():
    assert first_driver("nvenc", Version("7.1"), "linux") is None
    assert first_driver("vulkan", Version("1.0"), "linux") is None


@pytest.mark.parametrize("system", ["linux", "windows"])
def test_a_later_release_needs_a_later_driver(system: str):
    drivers = [row.version(system) for row in load("driver_interfaces").section("nvenc")]
    assert drivers == sorted(drivers, reverse=True)
