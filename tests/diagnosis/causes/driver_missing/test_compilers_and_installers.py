"""A driver that is missing, told by installers and compilers."""

from __future__ import annotations

import pytest

from support.cases import ruled


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("dpkg-divert: error: mismatch on divert-to", "driver-missing"),
    ],
)
def test_a_driver_that_is_missing_is_named(text: str, cause: str):
    assert ruled(text) == cause


CMAKE = """{system}
CMake Error: The following variables are used in this project, but they are set to NOTFOUND.
{variables}CUDA_CUDA_LIBRARY (ADVANCED)
    linked by target "sample" in directory /src/samples
"""


@pytest.mark.parametrize(
    ("system", "variables", "cause"),
    [
        ("Ubuntu 18.04", "", "driver-missing"),
        ("Windows 10", "", "unknown"),
        ("Ubuntu 18.04, driver version: 450.80.02", "", "unknown"),
        ("Ubuntu 18.04", "CUDA_CUDART_LIBRARY (ADVANCED)\n", "unknown"),
    ],
)
def test_cmake_misses_the_drivers_own_library(system: str, variables: str, cause: str):
    assert ruled(CMAKE.format(system=f"OS: {system}", variables=variables)) == cause


@pytest.mark.parametrize(
    "told",
    [
        "E: Paket {} kann nicht gefunden werden.",
        "E: Für Paket »{}« existiert kein Installationskandidat.",
        "E: Impossible de trouver le paquet {}",
        "E: No se ha podido localizar el paquete {}",
        "E: Impossível encontrar o pacote {}",
        "E: Impossibile trovare il pacchetto {}",
        "E: Nie udało się odnaleźć pakietu {}",
        "E: Невозможно найти пакет {}",
        "E: 无法定位软件包 {}",
        "E: 软件包 {} 没有可安装候选",
        "E: パッケージ {} が見つかりません",
        "E: {} 패키지를 찾을 수 없습니다",
        " {} : Hängt ab von: libc6 (>= 2.36)",
        " {} : Dépend: libc6 (>= 2.36) mais ne sera pas installé",
        " {} : Зависит: libc6 (>= 2.36) но он не будет установлен",
        " {} : 依赖: libc6 (>= 2.36) 但是它将不会被安装",
    ],
)
def test_a_package_that_apt_does_not_have_or_cannot_install(told: str) -> None:
    assert ruled(told.format("nvidia-driver-550")) == "driver-missing"
    assert ruled(told.format("gimp")) == "unknown"
