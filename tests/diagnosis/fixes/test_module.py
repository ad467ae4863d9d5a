"""Fixes for the driver's kernel module."""

from __future__ import annotations

from support.pasted import finding, printed


def test_secure_boot_in_words() -> None:
    told = "my nvidia driver cant load {}. GPU: GTX 1650"
    assert "shim" in printed(told.format("because of secure boot"))
    assert "Secure Boot refuses" in finding(told.format("because of secure boot")).title
    assert "shim" not in printed(told.format("since the update"))


REFUSED = "$ modprobe nvidia\nFATAL: Error inserting nvidia (/lib/modules/2.6.32/nvidia.ko): {}\n"


def test_a_module_that_finds_no_gpu_is_not_built_again() -> None:
    told = finding(REFUSED.format("No such device"))
    assert "finds no GPU that it serves" in told.title
    assert told.fix.commands[0] == "lspci | grep -i nvidia"
    assert "modprobe nvidia" in printed(REFUSED.format("Operation not permitted"))
