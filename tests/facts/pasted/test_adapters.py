"""The display devices that inxi, lshw, hwinfo and Windows list."""

from __future__ import annotations

import pytest

from support.pasted import told

INXI = """\
Graphics:
  Device-1: Intel UHD Graphics 630 vendor: Dell driver: i915 v: kernel
  Device-2: NVIDIA GP107M [GeForce GTX 1050 Mobile] vendor: Dell {driver}
    bus-ID: 01:00.0
  Device-3: Realtek Integrated Webcam type: USB driver: uvcvideo
  Display: x11 server: X.Org 1.20.11 driver: loaded: modesetting
Audio:
  Device-1: NVIDIA GA102 High Definition Audio driver: snd_hda_intel
"""
LSHW = """\
  *-display
       description: 3D controller
       product: GP108M [GeForce MX150]
       vendor: NVIDIA Corporation
       configuration: driver=nouveau latency=0
  *-display
       product: UHD Graphics 620
       vendor: Intel Corporation
"""


def test_inxi_tells_makers_drivers_and_nvidias_release() -> None:
    found = told(INXI.format(driver="driver: nvidia v: 470.57.02"))
    assert found["pci.0.vendor"] == "intel"
    assert found["pci.1.driver"] == "nvidia"
    assert found["gpu.0.name"] == "GeForce GTX 1050 Mobile"
    assert found["driver.version"] == "470.57.02"
    assert found["pci.nvidia_gpu_count"] == 1
    assert "pci.2.vendor" not in found


def test_a_driver_in_the_next_line_is_its_devices() -> None:
    found = told(INXI.format(driver="\n    driver: nouveau v: kernel"))
    assert found["pci.1.driver"] == "nouveau"
    assert "driver.version" not in found


def test_old_and_flat_lists_are_read_too() -> None:
    flat = "Graphics:  Card-1: AMD Navi 23 [Radeon RX 6600] driver: N/A\n           Display: x11"
    found = told(flat)
    assert found["pci.0.vendor"] == "amd"
    assert found["pci.nvidia_gpu_count"] == 0
    assert "pci.0.driver" not in found


def test_sound_is_no_display() -> None:
    assert not told("Audio:  Device-1: Intel Sunrise Point-LP HD Audio driver: snd_hda_intel")


def test_lshw_tells_each_display() -> None:
    found = told(LSHW)
    assert found["gpu.0.name"] == "GeForce MX150"
    assert found["pci.0.driver"] == "nouveau"
    assert found["pci.1.vendor"] == "intel"
    assert found["pci.nvidia_gpu_count"] == 1


PICTURE = """*-graphics
product: {product}
logical name: /dev/fb0
"""


def test_a_picture_of_hyper_v_is_all_that_a_guest_shows() -> None:
    assert told(PICTURE.format(product="hyperv_drmdrmfb"))["pci.nvidia_gpu_count"] == 0


def test_a_picture_tells_nothing_of_the_device_that_draws_it() -> None:
    assert "pci.nvidia_gpu_count" not in told(PICTURE.format(product="nvidia-drmdrmfb"))
    both = told(LSHW + PICTURE.format(product="hyperv_drmdrmfb"))
    assert both["pci.nvidia_gpu_count"] == 1


HWINFO = """\
17: PCI 02.0: 0300 VGA compatible controller (VGA)
  [Created at pci.386]
  SysFS BusID: 0000:00:02.0
  Hardware Class: graphics card
  Model: "Intel UHD Graphics 620"
  Vendor: pci 0x8086 "Intel Corporation"
24: PCI 100.0: 0300 VGA compatible controller (VGA)
  SysFS BusID: 0000:01:00.0
  Hardware Class: graphics card
  Model: "nVidia GP107M [GeForce GTX 1050 Mobile]"
  Vendor: pci 0x10de "nVidia Corporation"
  Driver: "nouveau"
  Driver Modules: "nouveau"
"""


def test_hwinfo_tells_each_graphics_card() -> None:
    found = told(HWINFO)
    assert found["pci.0.vendor"] == "intel"
    assert "pci.0.driver" not in found  # that of the next one
    assert found["pci.1.driver"] == "nouveau"
    assert found["gpu.0.name"] == "GeForce GTX 1050 Mobile"
    assert found["pci.nvidia_gpu_count"] == 1


def test_hwinfos_short_list_has_the_cards_in_a_column() -> None:
    heading, column = "graphics card:          \n", " " * 23
    found = told(f"{heading}{column}Intel Iris Xe\n{column}AMD Navi 23\n\nPrimary display: #14\n")
    assert found["pci.0.vendor"] == "intel"
    assert found["pci.1.vendor"] == "amd"
    assert found["pci.nvidia_gpu_count"] == 0
    assert "pci.nvidia_gpu_count" not in told("Graphics card:\n  Intel UHD 620, and a GTX 970\n")
    assert "pci.nvidia_gpu_count" not in told("It ran without the graphics card:\nIntel UHD\n")


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("GPU: RTX 2080 Ti, driver 31.0.15.2686 on the Windows side", "526.86"),
        ("  NVIDIA GeForce GTX 1080 Ti - 27.21.14.5671", "456.71"),
        ("Isn't 23.21.13.9140 the newest?\nDriver 23.21.13.9140", "391.40"),
        ("DriverVersion : 10.18.13.5906", "359.06"),
        ("nvui.dll\t\t8.17.13.8813\t\tNVIDIA User Experience Driver Component", "388.13"),
    ],
)
def test_windows_has_a_form_of_its_own_for_the_drivers_release(text: str, release: str) -> None:
    assert str(told(text)["driver.version"]) == release


@pytest.mark.parametrize(
    "text",
    [
        "Intel(R) UHD Graphics 620, 26.20.100.7985",
        "Intel(R) Iris(TM) Plus, 20.19.15.4624, and 10.18.14.4170, and 21.20.16.5076",
        "AMD Radeon RX 580, 31.0.12027.9001",
        "The program requires 31.0.15.2686",
        "Before it was 31.0.15.2686",
        "One machine has 31.0.15.2686\nThe other one 31.0.15.3623",
        "It listens on 31.0.15.26",
    ],
)
def test_other_makers_and_other_machines_numbers_are_no_release(text: str) -> None:
    assert "driver.version" not in told(text)
