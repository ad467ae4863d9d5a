"""A CUDA toolkit that is missing, as compilers and builders tell of it."""

# ruff: noqa: RUF001  letters of other scripts are what some of these are about

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

CMAKE_TRIAL = (
    '  The CUDA compiler\n\n    "/usr/bin/nvcc"\n\n  is not able to compile a simple test '
    "program.\n\n  It fails with the following output:\n"
)
PTXAS = "RuntimeError: `ptxas` was {} TRITON_PTXAS_PATH, /usr/local/cuda/bin/ or PATH\n"
MINGW = (
    "-- The CXX compiler identification is {}\n"
    "-- The CUDA compiler identification is unknown\n"
    "-- Check for working CUDA compiler: C:/CUDA/v10.1/bin/nvcc.exe -- {}\n"
)
BC = "'/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc'"
DRIVER = (
    "| NVIDIA-SMI 530.41.03   Driver Version: 530.41.03    CUDA Version: 12.1     |\n"
    "|   0  NVIDIA GeForce RTX 4090         Off| 00000000:01:00.0 Off |                  Off |\n"
    "|  0%   34C    P8               15W / 450W|  14469MiB / 24564MiB |      0%      Default |\n"
)
CHECK = (
    "/bin/sh: 1: /usr/local/cuda/bin/nvcc: not found\nCUDA available: True\nGPU 0: NVIDIA H100\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                '    raw_output = subprocess.check_output([cuda_dir + "/bin/nvcc", "-V"])\n'
                "TypeError: unsupported operand type(s) for +: 'NoneType' and 'str'"
            ),
            "toolkit-missing",
        ),
        ("subprocess.check_output(['nvidia-smi', '-L'])", "unknown"),
        # make's own words, of a build that was asked to use CUDA, below a driver that answers
        (f"{DRIVER}$ WHISPER_CUBLAS=1 make -j\nnvcc: No such file or directory", "toolkit-missing"),
        (f"{DRIVER}$ make -j\nnvcc: No such file or directory", "healthy"),
        ("The nvcc binary could not be located in your $PATH.", "toolkit-missing"),
        ("`nvcc --version` failed.: Os { code: 2, kind: NotFound }", "toolkit-missing"),
        ("CMake Error at CMakeLists.txt:2 (project):\n  No CUDA toolset found.", "toolkit-missing"),
        ("-- Found CUDA toolset 12.4", "unknown"),
        ("CMake Error: CMAKE_CUDA_COMPILER not set, after EnableLanguage", "toolkit-missing"),
        (
            (
                "  The CMAKE_CUDA_COMPILER:\n\n    /usr/local/cuda/bin/nvcc\n\n"
                "  is not a full path to an existing compiler tool."
            ),
            "toolkit-missing",
        ),
        ("-- CMAKE_CUDA_COMPILER: /usr/local/cuda/bin/nvcc", "unknown"),
        (
            (
                "  The CMAKE_CXX_COMPILER:\n\n    /usr/bin/c++-9\n\n  is not a full path to an "
                "existing compiler tool."
            ),
            "unknown",
        ),
        (CMAKE_TRIAL, "toolkit-missing"),
        (
            (
                "nvcc fatal   : Visual Studio configuration file 'vcvars64.bat' could not be found "
                "for installation at 'C:/VC/bin/../..'"
            ),
            "toolkit-missing",
        ),
        (
            "unable to execute '/usr/local/cuda-9.0/bin/nvcc': No such file or directory\n",
            "toolkit-missing",
        ),
        ("unable to execute '/usr/local/bin/gcc': No such file or directory\n", "unknown"),
        (
            "RuntimeError: Could not find MSVC/GCC/CLANG installation on this computer.",
            "toolkit-missing",
        ),
        ("'['which', 'nvcc']' returned non-zero exit status 1.", "toolkit-missing"),
        ("'['which', 'git']' returned non-zero exit status 1.", "unknown"),
        (
            "Could not find nvcc and default cuda_home='/usr/local/cuda' doesn't exist\n",
            "toolkit-missing",
        ),
        (PTXAS.format("searched in"), "toolkit-missing"),
        (PTXAS.format("found in"), "unknown"),
        (MINGW.format("MSVC 19.16.27045.0", "broken"), "toolkit-missing"),
        ("nvcc fatal   : Path to libdevice library not specified", "toolkit-missing"),
        ("clang: error: cannot find libdevice for sm_70; provide path to", "toolkit-missing"),
        (f"nvcc fatal   : Could not open input file {BC}", "toolkit-missing"),
        ("nvcc --libdevice-directory is documented as the directory of libdevice", "unknown"),
        (f"-L {BC} is passed to ptxas", "unknown"),
        ("CUDA nvcc compiler not found. Install CUDA toolkit.", "toolkit-missing"),
        # Who asked for nvcc.
        (CHECK + "NVCC: Not Available\n", "unknown"),  # the report itself asked for it
        (CHECK, "toolkit-missing"),
    ],
)
def test_a_toolkit_that_is_missing_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


CARGO = """error: failed to run custom build command for `kernels v0.1.0`
  thread 'main' panicked at /c/registry/src/x/{crate}/src/lib.rs:10:5:
  called `Result::unwrap()` on an `Err` value: Os {{ code: 2, kind: NotFound, message: "No such" }}
"""


@pytest.mark.parametrize(
    ("crate", "cause"), [("bindgen_cuda-0.1.4", "toolkit-missing"), ("cc-1.0.1", "unknown")]
)
def test_a_build_script_that_calls_nvcc_finds_no_such_file(crate: str, cause: str):
    assert ruled(CARGO.format(crate=crate)) == cause


ENDED = """Driver Version: 525.116.04
nvcc -O3 -arch=sm_70 src/spread.cu -o src/spread.o
/bin/sh: 1: nvcc: not found
{make}
"""


@pytest.mark.parametrize(
    ("make", "cause"),
    [
        ("make: *** [Makefile:114: src/spread.o] Error 127", "toolkit-missing"),
        ("make[2]: *** [Makefile:114: src/spread.o] Fehler 127", "toolkit-missing"),
        ("make: *** [Makefile:114: src/spread.o] Error 2", "unknown"),
        ("", "unknown"),
    ],
)
def test_make_wanted_the_nvcc_that_the_shell_does_not_know(make: str, cause: str):
    assert ruled(ENDED.format(make=make)) == cause


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
    assert ruled(pasted.format("nvidia-smi")) == "driver-missing"
    assert ruled(pasted.format("nvcc")) == "toolkit-missing"
    assert ruled(pasted.format("wget")) == "unknown"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("install: /bin/sh: 1: :/usr/local/cuda/bin/nvcc: not found", "toolkit-missing"),
        ("install: /usr/local/cuda/bin/nvcc found", "healthy"),
    ],
)
def test_a_build_calls_an_nvcc_that_is_not_there(line: str, cause: str):
    assert ruled(f"{line}\nGPU available           True\n") == cause


NVCC = """RuntimeError: NVCC returned an error. See below for full command line and output log:

{call} --std=c++11 -DNDEBUG "C:\\StyleFlow\\ops\\fused_bias_act.cu" --preprocess 2>&1
{answer}
"""


@pytest.mark.parametrize(
    ("call", "answer", "cause"),
    [
        ("/usr/local/cuda/bin/nvcc", "cannot find the path specified", "toolkit-missing"),
        (
            '"C:\\Program Files\\CUDA\\v10.0\\bin\\nvcc.exe"',
            "The system cannot find the path specified.",
            "toolkit-missing",
        ),
        ("nvcc", "The system cannot find the path specified.", "unknown"),
        ("/usr/local/cuda/bin/nvcc", "fused_bias_act.cu", "unknown"),
    ],
)
def test_a_build_calls_nvcc_where_there_is_none(call: str, answer: str, cause: str):
    assert ruled(NVCC.format(call=call, answer=answer)) == cause


NVCC_ZH = """RuntimeError: NVCC returned an error. See below for full command line and output log:

{} --std=c++11 -DNDEBUG "D:\\ops\\fused_bias_act.cu" --preprocess

系统找不到指定的路径。
"""


@pytest.mark.parametrize(
    ("call", "cause"), [("/usr/local/cuda/bin/nvcc", "toolkit-missing"), ("nvcc", "unknown")]
)
def test_windows_answers_in_chinese_that_there_is_no_nvcc(call: str, cause: str):
    assert ruled(NVCC_ZH.format(call)) == cause


MAKE = """Driver Version: 525.116.04
$ nvcc --version
bash: nvcc: command not found
$ make
{}
make: *** [Makefile:12: all] Error 127
"""


def test_make_wanted_another_command_than_the_nvcc_that_somebody_asked_for():
    assert ruled(MAKE.format("protoc x.proto\n/bin/sh: 1: protoc: not found")) == "unknown"
    typed = "$ nvcc --version\nbash: nvcc: command not found\n"
    called = MAKE.replace(typed, "").format("/bin/sh: 1: nvcc: not found\ngcc -c main.c")
    assert ruled(called) == "toolkit-missing"


NOT_THERE = "FileNotFoundError: [WinError 3] The system cannot find the path specified: "
NO_FILE = "FileNotFoundError: [Errno 2] No such file or directory: "


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (NOT_THERE + r"'C:\\NVIDIA GPU Computing Toolkit\\CUDA\\11.2\\bin'", "toolkit-missing"),
        (NO_FILE + "'/usr/local/cuda-11.2/bin/nvcc'", "toolkit-missing"),
        (NO_FILE + "'/usr/local/bin'", "unknown"),
    ],
)
def test_the_folder_of_a_toolkit_is_gone(line: str, cause: str):
    assert ruled(line) == cause


@pytest.mark.parametrize(
    ("code", "cause"), [("2, kind: NotFound", "toolkit-missing"), ("13, kind: Denied", "unknown")]
)
def test_a_crate_calls_nvcc(code: str, cause: str):
    assert ruled(f"Failed to execute `nvcc`: Os {{ code: {code} }}") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "CMake Error at FindCUDA.cmake:100 (message):\n  Specify CUDA_TOOLKIT_ROOT_DIR",
            "toolkit-missing",
        ),
        ("-- CUDA_TOOLKIT_ROOT_DIR is /usr/local/cuda", "unknown"),
    ],
)
def test_cmakes_module_asks_for_the_toolkits_folder(text: str, cause: str):
    assert ruled(text) == cause


OF_LIST = "{} -I/src -c /src/a.cu -std=c++14\n/bin/sh: 1: :\n"


@pytest.mark.parametrize(
    ("nvcc", "cause"),
    [
        (":/usr/local/cuda/bin/nvcc", "toolkit-missing"),
        ("/opt/cuda:/usr/local/cuda-10.1/bin/nvcc", "toolkit-missing"),
        (":/usr/local/cuda:/usr/local/cuda:/usr/local/cuda-12/bin/nvcc", "toolkit-missing"),
        ("[3/16] :/opt/cuda:/usr/local/cuda/bin/nvcc", "toolkit-missing"),
        (
            "RuntimeError: Error building extension 'x': [1/2] :/opt/cuda/bin/nvcc",
            "toolkit-missing",
        ),
        ("RuntimeError: Error building extension 'x': [1/2] /opt/cuda/bin/nvcc", "unknown"),
        ("/usr/local/cuda/bin/nvcc", "unknown"),
        ("PATH=:/usr/local/cuda/bin/nvcc", "unknown"),
    ],
)
def test_a_folder_with_a_colon_holds_no_nvcc(nvcc: str, cause: str):
    assert ruled(OF_LIST.format(nvcc)) == cause


def test_a_folder_with_a_colon_is_named_without_it():
    found = gpuprobe.explain(OF_LIST.format(":/usr/local/cuda/bin/nvcc")).diagnosis.root
    assert found is not None
    assert found.finding.fix is not None
    assert found.finding.fix.commands[0] == "export CUDA_HOME=/usr/local/cuda"
