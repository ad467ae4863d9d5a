"""cuBLAS, or one of its siblings, that is missing, told by TensorFlow and others."""

from __future__ import annotations

import pytest

from support.cases import ruled

SPARSE = "RuntimeError: Unable to load cuSPARSE. Is it installed?\n"
BROUGHT = " + jax==0.6.1\n + jax-cuda12-plugin==0.6.1\n + nvidia-cusparse-cu12==12.5.9.5\n"
# -- CUDA_VISIBLE_DEVICES below the start of CUDA ------------------------------------------------
START = "torch.cuda.is_available()"
SETS = 'os.environ["CUDA_VISIBLE_DEVICES"] = '
BELOW = f'{START}\n{SETS}"1"\n'
NOT_OPENED = ": cannot open shared object file: No such file or directory"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (BROUGHT.replace("cusparse", "cublas") + SPARSE, "cublas-missing"),
        (f"{BELOW}ImportError: libcublas.so.11{NOT_OPENED}", "cublas-missing"),
    ],
)
def test_cublas_that_is_missing_is_named(text: str, cause: str):
    assert ruled(text) == cause


BY_PIP = {
    "nvidia-cuda-runtime-cu12": "12.3.101",
    "nvidia-cublas-cu12": "12.3.4.1",
    "nvidia-cudnn-cu12": "8.9.7.29",
    "nvidia-cufft-cu12": "11.0.12.1",
    "nvidia-curand-cu12": "10.3.4.107",
    "nvidia-cusolver-cu12": "11.5.4.101",
    "nvidia-cusparse-cu12": "12.2.0.103",
}
UNOPENED = (
    "Cannot dlopen some GPU libraries. Please make sure the missing libraries are installed\n"
)


@pytest.mark.parametrize(
    ("without", "cause"),
    [("nvidia-curand-cu12", "cublas-missing"), ("nvidia-cudnn-cu12", "cudnn-missing")],
)
def test_pip_brought_all_of_tensorflows_libraries_but_one(without: str, cause: str):
    rows = [f"{name}  {release}\n" for name, release in BY_PIP.items() if name != without]
    assert ruled("tensorflow 2.17.0\n$ pip list\n" + "".join(rows) + UNOPENED) == cause


WHERE = """cupy-cuda12x 13.0.0, Windows 10, RTX 3070, driver 551.86
{error}
C:\\>where cufft64_11.dll
{answer}
"""
NOT_LOADED = "ImportError: DLL load failed while importing {}: {}"


@pytest.mark.parametrize(
    ("module", "words", "cause"),
    [
        ("cufft", "The specified module could not be found.", "cublas-missing"),
        ("cufft", "No se puede encontrar el módulo especificado.", "cublas-missing"),
        ("cublas", "Das angegebene Modul wurde nicht gefunden.", "cublas-missing"),
        ("cudnn", "The specified module could not be found.", "cudnn-missing"),
    ],
)
def test_a_module_of_cupy_bears_the_name_of_the_library_that_is_missing(
    module: str, words: str, cause: str
):
    text = WHERE.format(error=NOT_LOADED.format(module, words), answer="")
    assert ruled(text) == cause
    assert ruled(text.replace("cupy", "someone")) != cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("dlerror: libcufft.so.10", "cublas-missing"),
        ("dlerror: libcufft.so.10 was there all along", "unknown"),
        ("@ray.remote\ndef f(i):\nRuntimeError: No CUDA GPUs are available",
         "hidden-by-visible-devices"),
        ("@ray.remote(num_gpus=1)\ndef f(i):\nRuntimeError: No CUDA GPUs are available",
         "unknown"),
    ],
)  # fmt: skip
def test_few_words_that_decide(text: str, cause: str):
    assert ruled(f"tensorflow 2.7.0\n{text}\n") == cause
