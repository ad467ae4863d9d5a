"""Names and PCI ids of GPUs."""

from __future__ import annotations

import re

import pytest

from gpuprobe.knowledge import architecture, products
from gpuprobe.knowledge.tables import load

ROWS = load("products").section("products")


def capabilities(name: str) -> list[str]:
    found = products.by_name(name)
    return [] if found is None else [str(capability) for capability in found.capabilities]


# --- the table -------------------------------------------------------------------------------


def test_every_capability_of_a_product_has_an_architecture():
    for row in ROWS:
        assert architecture.architecture(row.version("capability")) is not None, row.text("name")


def test_the_chip_of_a_product_has_the_capability_of_the_product():
    chips = {
        row.text("chip"): row.version("capability")
        for row in load("architectures").section("chips")
    }
    for row in ROWS:
        chip = row.text_or_none("chip")
        assert chip is None or chips[chip] == row.version("capability"), row.text("name")


def test_a_pci_id_never_has_two_capabilities():
    seen: dict[str, str] = {}
    for row in ROWS:
        for device in row.texts("pci"):
            assert seen.setdefault(device, row.text("capability")) == row.text("capability")


def test_pci_ids_are_four_lower_hex_digits():
    for row in ROWS:
        for device in row.texts("pci"):
            assert f"{int(device, 16):04x}" == device


def test_name_and_capability_are_unique_together():
    pairs = [(row.text("name"), row.text("capability")) for row in ROWS]
    assert len(set(pairs)) == len(pairs)


@pytest.mark.parametrize("prefix", ["", "NVIDIA ", "  "])
def test_every_product_is_found_by_its_own_name(prefix: str):
    for row in ROWS:
        found = products.by_name(prefix + row.text("name"))
        assert found is not None
        assert row.version("capability") in found.capabilities, row.text("name")


# --- names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Tesla V100-SXM2-32GB", ["7.0"]),
        ("NVIDIA A100-SXM4-40GB", ["8.0"]),
        ("NVIDIA A100-SXM4-40GB MIG 1g.5gb", ["8.0"]),
        ("NVIDIA A40-48Q", ["8.6"]),
        ("GRID T4-16Q", ["7.5"]),
        ("NVIDIA H100 80GB HBM3", ["9.0"]),
        ("NVIDIA GeForce RTX 4090", ["8.9"]),
        ("NVIDIA RTX 4060 Laptop", ["8.9"]),
        ("NVIDIA GeForce RTX 3050 Laptop GPU", ["8.6"]),
        ("NVIDIA GeForce RTX 3050 A Laptop GPU", ["8.9"]),
        ("GeForce GTX 1060 with Max-Q Design", ["6.1"]),
        ("NVIDIA TITAN X (Pascal)", ["6.1"]),
        ("GeForce GTX TITAN X", ["5.2"]),
        ("Quadro RTX 6000", ["7.5"]),
        ("NVIDIA RTX 6000 Ada Generation", ["8.9"]),
        ("Quadro 6000", ["2.0"]),
        ("Orin", ["8.7"]),
        ("T4", ["7.5"]),
        ("a100", ["8.0"]),
        ("GeForce(R) GTX 980", ["5.2"]),
        ("NVIDIA Corporation GA102 [GeForce RTX 3090] (rev a1)", ["8.6"]),
        ("NVIDIA Corporation TU102GL [Quadro RTX 6000/8000] (rev a1)", ["7.5"]),
    ],
)
def test_names_as_programs_print_them(name: str, expected: list[str]):
    assert capabilities(name) == expected


@pytest.mark.parametrize(
    "name",
    [
        "",
        "NVIDIA",
        "NVIDIA Graphics Device",
        "NVIDIA Corporation Device 1db6 (rev a1)",
        "AMD Radeon RX 7900 XTX",
        "Intel(R) Arc(TM) A770 Graphics",
        "Apple M2",
        "llvmpipe (LLVM 15.0.7, 256 bits)",
        "GeForce RTX 9999",
        "NVIDIA Tegra X1",
    ],
)
def test_other_names_are_no_product(name: str):
    assert products.by_name(name) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("GeForce GT 710", ["2.1", "3.5"]),
        ("GeForce GT 730", ["2.1", "3.0", "3.5"]),
        ("GeForce GTX 750 Ti", ["3.0", "5.0"]),
        ("NVIDIA GeForce GT 1030", ["3.0", "6.1"]),
    ],
)
def test_an_ambiguous_name_stays_ambiguous(name: str, expected: list[str]):
    assert capabilities(name) == expected


def test_the_chip_beside_an_ambiguous_name_decides():
    assert capabilities("NVIDIA Corporation GM107 [GeForce GTX 750 Ti] (rev a2)") == ["5.0"]


def test_variants_that_only_the_pci_list_tells_apart_are_kept_together():
    """The driver prints "GeForce GT 640" for Fermi, GK107 and GK208 boards alike."""
    assert capabilities("GeForce GT 640") == ["2.1", "3.0", "3.5"]


def test_a_match_says_how_it_was_found():
    exact = products.by_name("NVIDIA H200")
    loose = products.by_name("H200 SXM")
    assert exact is not None
    assert loose is not None
    assert (exact.matched, loose.matched) == ("name", "name without variant")


# --- PCI ids ----------------------------------------------------------------------------------


@pytest.mark.parametrize("device", [0x2684, "2684", "0x2684", "0X2684 "])
def test_a_pci_id_in_any_spelling(device: int | str):
    found = products.by_pci(device)
    assert found is not None
    assert [product.name for product in found.products] == ["NVIDIA GeForce RTX 4090"]


def test_boards_that_share_a_pci_id_are_all_named():
    found = products.by_pci("2bb3")
    assert found is not None
    assert len(found.products) == 2
    assert [str(capability) for capability in found.capabilities] == ["12.0"]


def test_an_unlisted_pci_id_is_none():
    assert products.by_pci(0xFFFF) is None
    assert products.by_pci("zzzz") is None


@pytest.mark.parametrize(
    ("cut", "capability"),
    [
        ("GeForce GTX 108...", "6.1"),
        ("NVIDIA GeForce RTX 4060 ...", "8.9"),
        ("NVIDIA A100-SXM...", "8.0"),
        ("Tesla V100-SXM2...", "7.0"),
        ("Tesla P100-PCIE...", "6.0"),
        ("Quadro RTX 600...", "7.5"),
    ],
)
def test_a_name_that_nvidia_smi_cut_is_known_by_its_start(cut: str, capability: str) -> None:
    match = products.by_name(cut)
    assert match is not None
    assert [str(found) for found in match.capabilities] == [capability]


def test_a_cut_name_without_a_number_is_no_product() -> None:
    assert products.by_name("NVIDIA GeForce ...") is None
    assert products.by_name("GeForce Banana 9...") is None


@pytest.mark.parametrize(
    "name",
    [
        *("GeForce 8800 GT", "GeForce 8400 GS", "GeForce 9800 GTX+", "8600M GT", "GeForce 9400M"),
        *("GeForce GT 120", "GeForce GTS 250", "GeForce GTX 280", "GTX 260", "GT 240M"),
        *("GeForce 210", "GeForce G210M", "GeForce 310M", "GeForce GT 330M"),
        *("Quadro FX 3800", "Quadro FX 580", "Quadro CX", "Quadro NVS 295", "NVS 3100M"),
        *("Tesla C1060", "Tesla S1070", "Tesla C870", "NVIDIA GeForce GT 220"),
    ],
)
def test_a_gpu_of_before_fermi_is_known_by_its_series(name: str) -> None:
    match = products.by_name(name)
    assert match is not None
    assert match.matched == "series"
    assert [str(found) for found in match.capabilities] == ["1.3"]


@pytest.mark.parametrize(
    ("name", "capability"),
    [
        ("GeForce GTX 480", "2.0"),
        ("GeForce GT 430", "2.1"),
        ("GeForce 910M", "3.5"),
        ("GeForce GTX 980", "5.2"),
        ("NVS 310", "2.1"),
        ("NVS 5200M", "2.1"),
        ("Quadro 600", "2.1"),
    ],
)
def test_a_later_gpu_with_a_like_name_is_in_no_series(name: str, capability: str) -> None:
    match = products.by_name(name)
    assert match is not None
    assert match.matched != "series"
    assert [str(found) for found in match.capabilities] == [capability]


@pytest.mark.parametrize("name", ["GeForce 9M", "GeForce GTX 2800", "Quadro", "Tesla C10600"])
def test_what_is_no_name_is_in_no_series(name: str) -> None:
    assert products.by_name(name) is None


def test_the_tesla_20_series_that_the_pci_list_has_as_one_processor_is_of_fermi() -> None:
    match = products.by_name("Tesla M2050")
    assert match is not None
    assert (match.matched, str(match.capabilities[0])) == ("series", "2.0")


@pytest.mark.parametrize(
    ("name", "capabilities"),
    [
        ("GeForce GT 630M", ["2.1"]),
        ("GT 635M", ["2.1"]),
        ("GeForce GT 640M LE", ["2.1", "3.0"]),
        ("GeForce 820M", ["2.1", "3.0"]),
    ],
)
def test_a_name_that_stands_for_several_products_names_each(
    name: str, capabilities: list[str]
) -> None:
    match = products.by_name(name)
    assert match is not None
    assert [str(found) for found in match.capabilities] == capabilities


@pytest.mark.parametrize(
    ("name", "capabilities"),
    [
        ("GeForce 780M", ["3.0"]),
        ("Nvidia 650M", ["3.0"]),
        ("GeForce 860M", ["3.0", "5.0"]),
        ("GeForce 1080 Ti", ["6.1"]),
        ("NVIDIA 3090", ["8.6"]),
    ],
)
def test_the_letters_of_a_series_may_be_left_out(name: str, capabilities: list[str]) -> None:
    match = products.by_name(name)
    assert match is not None
    assert match.matched == "number"
    assert [str(found) for found in match.capabilities] == capabilities


@pytest.mark.parametrize("name", ["NVIDIA 470", "nvidia 535", "NVIDIA 8080", "GeForce 1234"])
def test_a_number_that_may_be_a_drivers_is_no_product(name: str) -> None:
    assert products.by_name(name) is None


def test_no_product_of_the_table_is_in_a_series() -> None:
    patterns = [re.compile(row.text("pattern")) for row in load("products").section("series")]
    names = {row.text("name").lower().removeprefix("nvidia ") for row in ROWS}
    assert {each for each in names if any(p.fullmatch(each) for p in patterns)} == set()
