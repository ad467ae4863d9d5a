"""What shells, loaders and Windows say in other languages than English is read alike."""

# ruff: noqa: RUF001  letters of other scripts are what this is about

from __future__ import annotations

import pytest

from support.cases import ruled

MISSING, NOT_LOADED, LOST = "driver-missing", "driver-not-loaded", "device-lost"


@pytest.mark.parametrize(
    "pasted",
    [
        "bash: {}: Befehl nicht gefunden.",
        "Der Befehl »{}« wurde nicht gefunden, kann aber installiert werden mit:",
        "bash: {} : commande introuvable",
        "La commande « {} » n'a pas été trouvée, mais peut être installée avec :",
        "bash: {}: orden no encontrada",
        "No se ha encontrado la orden «{}», pero se puede instalar con:",
        "bash: {}: comando não encontrado",
        "bash: {}: comando non trovato",
        "bash: {}: nie znaleziono polecenia",
        "bash: {}: команда не найдена",
        "bash: {}: コマンドが見つかりません",
        "-bash: {}: 명령어를 찾을 수 없음",
        "bash: {}: 未找到命令",
        "找不到命令“{}”，但可以通过以下软件包安装它：",
        "The program '{}' is currently not installed. You can install it by typing:",
        "fish: Unknown command: {}",
        'Der Befehl "{}" ist entweder falsch geschrieben oder',
        "'{}' n'est pas reconnu en tant que commande interne",
        '"{}" no se reconoce como un comando interno o externo,',
        '"{}" не является внутренней или внешней',
        "'{}' は、内部コマンドまたは外部コマンド、",
        "'{}' 不是内部或外部命令，也不是可运行的程序",
        "'{}'은(는) 내부 또는 외부 명령, 실행할 수 있는 프로그램, 또는",
        "    + CategoryInfo          : ObjectNotFound: ({}:String) [], CommandNotFoundException",
    ],
)
def test_a_command_that_no_shell_finds(pasted: str) -> None:
    assert ruled(pasted.format("nvidia-smi")) == MISSING
    assert ruled(pasted.format("nvcc")) == "toolkit-missing"
    assert ruled(pasted.format("wget")) == "unknown"


@pytest.mark.parametrize(
    "pasted",
    [
        "'nvidia-smi'' is not recognized as an internal or external command,",
        "nvidia-smi: el proceso no terminó",
        "Mit dem Befehl nvidia-smi wird die Karte angezeigt",
    ],
)
def test_a_command_typed_wrongly_or_only_named_is_not_missed(pasted: str) -> None:
    assert ruled(pasted) == "unknown"


def test_a_board_of_nvidias_own_may_lack_nvidia_smi() -> None:
    failed = "bash: nvidia-smi: command not found"
    assert ruled(failed) == MISSING
    assert ruled(f"NVIDIA Jetson AGX Orin, JetPack 5.1\n{failed}") == "unknown"


@pytest.mark.parametrize(
    "pasted",
    [
        "ImportError: {}: невозможно открыть разделяемый объектный файл: Нет такого файла",
        "ImportError: {}: 共有オブジェクトファイルを開けません: そのようなファイルはありません",
        "ImportError: {}: não foi possível abrir arquivo de objeto compartilhado",
        "ImportError: {}: impossibile aprire il file oggetto condiviso: File non esistente",
        "ImportError: {}: nie można otworzyć pliku obiektu współdzielonego",
    ],
)
def test_a_library_that_the_loader_does_not_find(pasted: str) -> None:
    assert ruled(pasted.format("libcuda.so.1")) == MISSING
    assert ruled(pasted.format("libpng16.so.16")) == "unknown"


@pytest.mark.parametrize(
    "pasted",
    [
        "Die Ausführung des Codes kann nicht fortgesetzt werden, da {} nicht gefunden wurde.",
        "由于找不到 {}，无法继续执行代码。重新安装程序可能会解决此问题。",
        "由于找不到{}，无法继续执行代码。重新安装程序可能会解决此问题。",
        "无法启动此程序，因为计算机中丢失 {}。尝试重新安装该程序以解决此问题。",
        "L'exécution de code ne peut pas continuer, car {} est introuvable.",
        "La ejecución de código no puede continuar porque no se encontró {}.",
        "A execução do código não pode continuar porque {} não foi encontrado.",
        "Не удается продолжить выполнение кода, поскольку система не обнаружила {}.",
        "{} が見つからないため、コードの実行を続行できません。",
    ],
)
def test_a_dll_for_want_of_which_a_program_does_not_start(pasted: str) -> None:
    assert ruled(pasted.format("nvcuda.dll")) == MISSING
    assert ruled(pasted.format("VCRUNTIME140_1.dll")) == "msvc-runtime-missing"
    assert ruled(pasted.format("d3dx9_43.dll")) == "unknown"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("This device cannot start. (Code 10)", LOST),
        ("This device cannot find enough free resources that it can use. (Code 12)", LOST),
        ("Windows a arrêté ce périphérique car il a signalé des problèmes. (Code 43)", LOST),
        ("由于该设备有问题，Windows 已将其停止。 (代码 43)", LOST),
        ("Система Windows остановила это устройство. (Код 43)", LOST),
        ("Windows detuvo este dispositivo porque informó de problemas. (Código 43)", LOST),
        ("このデバイスは Windows によって停止されました。 (コード 43)", LOST),
        ("Windows cannot load the drivers required for this device. (Code 31)", NOT_LOADED),
        ("The driver may be corrupted or missing. (Code 39)", NOT_LOADED),
        ("Windows cannot verify the digital signature for the drivers (Code 52)", NOT_LOADED),
        ("The drivers for this device are not installed. (Code 28)", MISSING),
        ("This device is working properly. (Code 0)", "unknown"),
        ("This device is disabled. (Code 22)", "unknown"),
    ],
)
def test_the_number_of_a_devices_problem_tells_the_cause(told: str, cause: str) -> None:
    assert ruled(f"NVIDIA Quadro T400\n{told}") == cause
    sheet = "Device type: Display adapters\nManufacturer: NVIDIA\nLocation: PCI bus 1\n\nStatus\n"
    assert ruled(sheet + told) == cause
    assert ruled(f"Realtek PCIe GbE Family Controller\n{told}") == "unknown"
    assert ruled(f"NVIDIA High Definition Audio\n{told}") == "unknown"


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
    assert ruled(told.format("nvidia-driver-550")) == MISSING
    assert ruled(told.format("gimp")) == "unknown"


@pytest.mark.parametrize(
    "nothing_there",
    [
        "Datei oder Verzeichnis nicht gefunden",
        "Aucun fichier ou dossier de ce type",
        "No existe el fichero o el directorio",
        "Нет такого файла или каталога",
        "没有那个文件或目录",
        "そのようなファイルやディレクトリはありません",
    ],
)
def test_a_file_that_is_not_there(nothing_there: str) -> None:
    listed = "$ lsmod\nnvidia              56717312  1 nvidia_uvm\n"
    assert ruled(f"cat: /proc/driver/nvidia/version: {nothing_there}") == NOT_LOADED
    assert ruled(f"{listed}ls: '/dev/nvidia-uvm': {nothing_there}") == "device-nodes"
    assert ruled(f"cat: /etc/motd: {nothing_there}") == "unknown"


@pytest.mark.parametrize(
    "refused",
    ["Keine Berechtigung", "Permission non accordée", "Отказано в доступе", "权限不够"],
)
def test_a_device_file_that_may_not_be_opened(refused: str) -> None:
    assert ruled(f"/dev/nvidia0: {refused}") == "device-nodes"
    assert ruled(f"/dev/sda: {refused}") == "unknown"
