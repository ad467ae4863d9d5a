"""A Visual C++ run time that Windows lacks, and what only looks like it."""

# ruff: noqa: RUF001  letters of other scripts are what some of these are about

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.facts import names
from gpuprobe.facts.pasted import read
from support.cases import ruled
from support.pasted import finding


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Windows\nerror loading fbgemm.dll", "msvc-runtime-missing"),
        ("fbgemm.dll was loaded fine", "unknown"),
        ("Fix error loading fbgemm.dll", "unknown"),
        ("it says that it can't load c10.dll", "msvc-runtime-missing"),
        ("Error loading fbgemm.dll or one of its dependencies", "msvc-runtime-missing"),
        (
            'Erro loading "D:\\torch\\lib\\fbgemm.dll" or one of its dependencies.',
            "msvc-runtime-missing",
        ),
        ("動的ライブラリ `zlibwapi.dll` が足りない。", "msvc-runtime-missing"),
        ("`zlibwapi.dll` がある", "unknown"),
        (
            (
                "FileNotFoundError: Could not find module 'C:\\torch\\lib\\c10.dll' (or one of its "
                "dependencies)."
            ),
            "msvc-runtime-missing",
        ),
    ],
)
def test_a_visual_cpp_run_time_that_is_missing_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


ENGINE = "Failed to load LLM engine: C:\\x\\{}. The specified module could not be found."


@pytest.mark.parametrize(
    "text",
    [
        'Error loading "D:\\games\\game.bin" or one of its dependencies',
        "is MSVCP140.DLL missing? the file is present",
        ENGINE.format("llm_engine_cuda.node"),
    ],
)
def test_kin_of_a_visual_cpp_run_time_that_is_missing_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


def test_no_msvc_where_an_unnamed_tensorflow_for_gpus_may_miss_its_cuda_dlls():
    text = "Tensorflow - Pip install of tensorflow-gpu\nCuda Toolkit - 10.0.130_411.31_win10\n"
    dll = "ImportError: DLL load failed: The specified module could not be found."
    assert ruled(text + dll) == "unknown"


# -- where, on Windows ---------------------------------------------------------------------------
WHERE = """OS: Windows 11
GPU: NVIDIA RTX 4000
xgboost.core.XGBoostError: XGBoost Library (xgboost.dll) could not be loaded.
{prompt}where{exe} {files}
{answer}
"""
FOUND_NONE = "INFO: Could not find files for the given pattern(s)."


@pytest.mark.parametrize(
    ("prompt", "exe", "files", "answer"),
    [
        ("C:\\>", "", "vcomp140.dll msvcp140.dll", FOUND_NONE),
        ("PS C:\\work> ", ".exe", "msvcp140.dll", FOUND_NONE),
        (
            *("C:\\>", "", "kernel32.dll vcruntime140_1.dll"),
            'C:\\Windows\\System32\\kernel32.dll\nINFO: Could not find "vcruntime140_1.dll".',
        ),
    ],
)
def test_windows_does_not_find_the_run_time(prompt: str, exe: str, files: str, answer: str):
    asked = WHERE.format(prompt=prompt, exe=exe, files=files, answer=answer)
    assert ruled(asked) == "msvc-runtime-missing"


@pytest.mark.parametrize(
    ("files", "answer"),
    [
        ("msvcp140.dll", "C:\\Windows\\System32\\msvcp140.dll"),
        ("cudart64_110.dll", FOUND_NONE),  # frameworks keep theirs on no search path
    ],
)
def test_what_windows_finds_or_need_not_find_is_no_fault(files: str, answer: str):
    asked = WHERE.format(prompt="C:\\>", exe="", files=files, answer=answer)
    assert ruled(asked) == "unknown"


@pytest.mark.parametrize(
    "answer",
    [
        "INFO: Could not find files for the given pattern(s).",
        "INFORMATION: Es konnten keine Dateien mit dem angegebenen Muster gefunden werden.",
        "信息: 用提供的模式无法找到文件。",
        "INFORMACIÓN: no se pudo encontrar ningún archivo para los patrones dados.",
    ],
)
def test_where_answers_in_the_language_of_windows(answer: str):
    failed = 'OSError: [WinError 126] Error loading "C:\\torch\\lib\\fbgemm.dll"'
    text = f"Windows 11\n{failed}\nC:\\>where MSVCP140.dll\n{{}}\n"
    missing = names.LIBRARY_MISSING("msvcp140").name
    assert missing in read(text.format(answer))
    assert missing not in read(text.format("C:\\Windows\\System32\\MSVCP140.dll"))


def test_a_folder_of_opencvs_is_not_what_torch_lacks():
    text = """os.path.join('C:/Program Files/NVIDIA GPU Computing Toolkit/CUDA/v11.2', 'bin')
ImportError: DLL load failed while importing {module}: The specified module could not be found.
Cuda compilation tools, release 12.1, V12.1.66
"""
    assert ruled(text.format(module="torch_python")) == "msvc-runtime-missing"
    assert ruled(text.format(module="cv2")) == "framework-cuda-mismatch"


JAVA = """Windows Server 2022, Tesla T4
Exception in thread "main" java.lang.UnsatisfiedLinkError: C:\\Temp\\{file}: {why}
"""
UNMET = "Can't find dependent libraries"


@pytest.mark.parametrize(
    ("file", "why", "cause"),
    [
        ("onnxruntime.dll", UNMET, "msvc-runtime-missing"),
        ("jnicublas.dll", UNMET, "cublas-missing"),  # the library of CUDA that it is named for
        ("JCudaDriver-11.8.0-windows-x86_64.dll", UNMET, "unknown"),
        ("onnxruntime.dll", "Access is denied", "unknown"),
    ],
)
def test_java_says_in_its_own_words_that_a_dll_lacks_another(file: str, why: str, cause: str):
    assert ruled(JAVA.format(file=file, why=why)) == cause


SYSTEM = """Windows 11, RTX 3080
The native library cannot be correctly loaded.
C:\\app>{command} C:\\Windows\\System32\\{asked}
{answer}
C:\\app>
"""


@pytest.mark.parametrize(
    ("command", "asked", "answer", "cause"),
    [
        ("dir /b", "*140*.dll", "File Not Found", "msvc-runtime-missing"),
        ("dir /b", "vcruntime140_1.dll", "Datei nicht gefunden", "msvc-runtime-missing"),
        ("Test-Path", "msvcp140.dll", "False", "msvc-runtime-missing"),
        ("Test-Path", "msvcp140.dll", "True", "unknown"),
        ("dir /b", "msvcp140*.dll", "msvcp140.dll", "unknown"),
        ("dir /b", "nvml.dll", "File Not Found", "unknown"),
    ],
)
def test_windows_folder_has_no_file_of_the_run_time(
    command: str, asked: str, answer: str, cause: str
):
    assert ruled(SYSTEM.format(command=command, asked=asked, answer=answer)) == cause


@pytest.mark.parametrize(
    ("told", "year"),
    [
        ("The program can't start because MSVCP120.dll is missing from your computer.", "2013"),
        ("Code execution cannot proceed because MSVCR100.dll was not found.", "2010"),
        ("I looked, and the file MSVCR100.dll is there: this dll is present.", None),
    ],
)
def test_a_run_time_of_a_year_before_2015_is_missing(told: str, year: str | None):
    root = gpuprobe.explain(f"Windows 10, GTX 1060, viewer with CUDA\n{told}\n").diagnosis.root
    if year is None:
        assert root is None or root.cause != "msvc-runtime-missing"
        return
    assert root is not None
    assert root.cause == "msvc-runtime-missing"
    assert root.finding.fix.commands == (f"winget install Microsoft.VCRedist.{year}.x64",)


NOTHING = "unknown", "healthy"
XGBOOST = (
    "xgboost.core.XGBoostError: XGBoost Library (xgboost.dll) could not be loaded.\n"
    "Likely causes:\n  * OpenMP runtime is not installed (vcomp140.dll or libgomp-1.dll)\n"
)
WHERE_NOT = "C:\\>where {}\nINFO: Could not find files for the given pattern(s).\n"


def test_openmp_of_the_visual_c_run_time():
    assert ruled(XGBOOST + WHERE_NOT.format("vcomp140.dll")) == "msvc-runtime-missing"
    assert ruled(XGBOOST + WHERE_NOT.format("MSVCP140.DLL")) == "msvc-runtime-missing"
    assert ruled(XGBOOST + WHERE_NOT.format("git.exe")) != "msvc-runtime-missing"
    assert ruled(WHERE_NOT.format("vcomp140.dll")) in NOTHING


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (
            "The program can't start because VCOMP140.DLL is missing from your computer.",
            "msvc-runtime-missing",
        ),
        ("engine.dll does not load because no msvcp140.dll is on this PC", "msvc-runtime-missing"),
        ("VCOMP140.DLL is loaded from C:\\Windows\\System32", "unknown"),
    ],
)
def test_windows_lacks_a_file_of_the_run_time(line: str, cause: str):
    assert ruled(f"OS: Windows 11\n{line}\n") == cause


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
    assert ruled(pasted.format("nvcuda.dll")) == "driver-missing"
    assert ruled(pasted.format("VCRUNTIME140_1.dll")) == "msvc-runtime-missing"
    assert ruled(pasted.format("d3dx9_43.dll")) == "unknown"


WINDOWS = "I start the program on Windows 10 and it ends at once.\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        (
            "It is told that VCRUNTIME140.dll and MSVCP140.dll can't be found.",
            "msvc-runtime-missing",
        ),
        ("Process Monitor says that it can't find cublas64_80.dll.", "cublas-missing"),
        ("So cudart64_110.dll isn't found, as PATH is not searched.", "cudart-missing"),
        ("It complains about cudnn64_7.dll.", "cudnn-missing"),
        ("If cublas64_80.dll isn't found, install CUDA 8.", "unknown"),
        ("cublas64_80.dll is no longer missing.", "unknown"),
        ("It can't find opencv_world.dll and qt5core.dll.", "unknown"),
    ],
)
def test_a_sentence_tells_which_dll_is_missing(told: str, cause: str):
    assert ruled(WINDOWS + told) == cause


def test_module_without_a_word_of_cuda_may_lack_the_run_time_of_visual_cpp() -> None:
    assert ruled(ENGINE.format("llm_engine.node")) == "msvc-runtime-missing"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("由于找不到 VCRUNTIME140_1.dll", "msvc-runtime-missing"),
        ("zlibwapi.dll wurde nicht gefunden", "msvc-runtime-missing"),
        ("VCRUNTIME140_1.dll 已经有了", "unknown"),
        ("缺少 zlibwapi.dll 的问题已解决", "unknown"),
    ],
)
def test_a_dll_is_missed_in_other_words(line: str, cause: str):
    assert ruled(f"OS: Windows 11\n{line}\n") == cause


@pytest.mark.parametrize(
    ("system", "cause"), [("Windows", "msvc-runtime-missing"), ("Linux", "unknown")]
)
def test_the_module_of_onnxruntime_does_not_load(system: str, cause: str):
    failed = "ImportError: cannot import name 'RunOptions' from 'onnxruntime.capi._pybind_state'"
    assert ruled(f"OS: {system}\nonnxruntime-gpu\n\n{failed}\n") == cause


PART = "Could not load library cudnn_{}.dll. Error code {}\n"


@pytest.mark.parametrize(
    ("part", "code", "cause"),
    [
        ("cnn_infer64_8", 126, "msvc-runtime-missing"),  # it is the one that calls zlib
        ("ops_infer64_8", 126, "cudnn-missing"),
        ("cnn_infer64_8", 193, "msvc-runtime-missing"),  # a zlib of 32 bits
        ("ops_infer64_8", 193, "cudnn-missing"),
        ("cnn_infer64_9", 126, "cudnn-missing"),
    ],
)
def test_a_part_of_cudnn_without_zlib(part: str, code: int, cause: str):
    assert ruled(PART.format(part, code)) == cause


@pytest.mark.parametrize(
    ("release", "cause"), [("8.6.0", "msvc-runtime-missing"), ("8.9.7", "cudnn-missing")]
)
def test_later_releases_of_cudnn_8_have_zlib_within(release: str, cause: str):
    assert ruled(f"cuDNN version: {release}\n{PART.format('cnn_infer64_8', 126)}") == cause


def test_that_zlib_is_missing_is_only_likely_by_a_part_of_cudnn():
    suspected = finding(PART.format("cnn_infer64_8", 126))
    assert suspected.title.endswith("is perhaps not found")
    assert suspected.confidence.value == "likely"


def test_a_dll_of_the_wrong_bits_is_not_called_missing():
    wrong = finding(PART.format("cnn_infer64_8", 193))
    assert wrong.title.endswith("is perhaps one of 32 bits (error 193)")
    assert "is not found" in finding("zlibwapi.dll wurde nicht gefunden").title


@pytest.mark.parametrize(
    ("beside", "cause"),
    [("ops_infer64_8", "cudnn-missing"), ("adv_infer64_8", "msvc-runtime-missing")],
)
def test_where_the_first_part_of_cudnn_is_missing_it_is_not_zlib(beside: str, cause: str):
    text = PART.format("cnn_infer64_8", 193) + PART.format(beside, 126)
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("WebUI won't run, loading fbgemm.dll (WinError: 126)", "msvc-runtime-missing"),
        ("WebUI won't run, loading fonts.dll (WinError: 126)", "unknown"),
    ],
)
def test_the_end_of_a_sentence_about_a_dll_of_torchs(text: str, cause: str):
    assert ruled(text) == cause


NOT_LOADED = (
    "Traceback (most recent call last):\n    import torch\nOSError: [WinError {}] {}. Error "
    'loading "C:\\\\torch\\\\lib\\\\caffe2_detectron_ops_gpu.dll" or one of its dependencies.\n'
)


@pytest.mark.parametrize(
    ("number", "words", "noted"),
    [
        (1455, "The paging file is too small for this operation to complete", True),
        (1455, "页面文件太小", True),
        (126, "The specified module could not be found", False),
    ],
)
def test_a_paging_file_that_is_too_small_is_no_missing_dll(number: int, words: str, noted: bool):
    report = gpuprobe.explain(NOT_LOADED.format(number, words))
    notes = [each.finding for each in report.diagnosis.placed if each.rule.code == "GP704"]
    assert bool(notes) is noted
    assert all("num_workers" in each.fix.text for each in notes)
    assert (report.diagnosis.root is None) is noted
    assert ("Unknown. No fault of the GPU was found" in str(report)) is noted
