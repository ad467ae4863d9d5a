"""A build without CUDA, told by older frameworks, ONNX Runtime and CuPy or XGBoost."""

from __future__ import annotations

import pytest

from gpuprobe import explain
from support.cases import ruled

PADDLE = "paddlepaddle==2.6.1\nRTX 3060\n"
SMI = (
    "| NVIDIA-SMI 535.104.05             Driver Version: 535.104.05   CUDA Version: 12.2     |\n"
    "|   0  NVIDIA GeForce RTX 3090        Off | 00000000:01:00.0  On |                  N/A |\n"
)
PADDLE_CHECK = "Running verify PaddlePaddle program ...\nPaddlePaddle works well on 1 {}.\n"
NOT_IN_JAVA = "ai.onnxruntime.OrtException: This binary was not compiled with CUDA support.\n"
# -- TVM's account of its build ------------------------------------------------------------------
TVM = "USE_GTEST: AUTO\nCUDA_VERSION: NOT-FOUND\nUSE_CUDA: OFF\n"
LOCAL = "ValueError: Cannot detect local CUDA GPU target!\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "ValueError: This ORT build has ['CPUExecutionProvider'] enabled. Since ORT 1.9",
            "cpu-only-build",
        ),
        (f"{PADDLE}It uses the CPU for inference.", "cpu-only-build"),
        (f"{PADDLE}We use the cpu for inference and the GPU for training.", "unknown"),
        (f"{PADDLE}How do I use cpu for inference?", "unknown"),
        ("It uses the CPU for inference.", "unknown"),
        (f"{PADDLE}It runs on the CPU, the GPU is not used.", "cpu-only-build"),
        (f"{PADDLE}ImportError: libGL.so.1: cannot open shared object file", "unknown"),
        (
            (
                "Unable to find an entry point named "
                "'OrtSessionOptionsAppendExecutionProvider_CUDA' in DLL 'onnxruntime'."
            ),
            "cpu-only-build",
        ),
        (
            (
                "imperative_utils.h:93: GPU support is disabled. Compile MXNet with USE_CUDA=1 to "
                "enable GPU support."
            ),
            "cpu-only-build",
        ),
        ("mxnet.base.MXNetError: src/ndarray/ndarray.cc:1285: GPU is not enable", "cpu-only-build"),
        (
            "(see https://github.com/chainer/chainer#installation).No module named 'cupy'",
            "cpu-only-build",
        ),
        (SMI + PADDLE_CHECK.format("CPU") + "paddlepaddle   2.4.2", "cpu-only-build"),
        (">>> paddle.device.is_compiled_with_cuda()\nFalse\n", "cpu-only-build"),
        (NOT_IN_JAVA, "cpu-only-build"),
        (
            NOT_IN_JAVA + "com.microsoft.onnxruntime:onnxruntime:jar:1.12.1:compile\n",
            "cpu-only-build",
        ),
        (
            "AttributeError: module 'faiss' has no attribute 'StandardGpuResources'",
            "cpu-only-build",
        ),
        ("module 'faiss' has no attribute 'write_index'", "unknown"),
        (
            "Available providers: ['AzureExecutionProvider', 'CPUExecutionProvider']",
            "cpu-only-build",
        ),
        (
            (
                "CatBoostError: catboost/libs/train_lib/trainer_env.cpp:9: Environment for task "
                "type [GPU] not found"
            ),
            "cpu-only-build",
        ),
        ("common.cpp:66] Cannot use GPU in CPU-only Caffe: check mode.", "cpu-only-build"),
        (">>> import dlib\n>>> dlib.DLIB_USE_CUDA\nFalse\n", "cpu-only-build"),
        (">>> import dlib\n>>> dlib.DLIB_USE_CUDA\nTrue\n", "unknown"),
        ("pip replaced onnxruntime-gpu with onnxruntime", "cpu-only-build"),
        ("I replaced the CPU version of torch with the CUDA version", "unknown"),
        ("The list makes sure that torch is not replaced with the CPU version", "unknown"),
        ("Error: CUDAExecutionProvider is not avaiable in onnxruntime", "cpu-only-build"),
        ("XGBoost version not compile with GPU support.", "cpu-only-build"),
        # TVM without CUDA where somebody misses the GPU.
        (LOCAL + TVM, "cpu-only-build"),
        (TVM, "unknown"),
        (LOCAL + "CUDA_VERSION: 12.1\nUSE_CUDA: ON\n", "unknown"),
        # Builds told of in a sentence.
        ("dlib.DLIB_USE_CUDA returns False", "cpu-only-build"),
        ("In cmake-gui I can see that dlib use CUDA is OFF", "cpu-only-build"),
        ("DLIB_USE_CUDA:BOOL=OFF", "cpu-only-build"),
        ("DLIB_USE_CUDA:BOOL=ON", "unknown"),
        ("print(dlib.DLIB_USE_CUDA)  # True, not False", "unknown"),
        (">>> dlib.DLIB_USE_CUDA is True, False is what I feared", "unknown"),
        ("it says that gcc versions later than 12 are not supported", "toolkit-mismatch"),
        ("my gcc is later than 12", "unknown"),
        # Part for the GPU that was left out is missed.
        ("WARNING: spacy 2.1.3 does not provide the extra 'cuda101'", "cpu-only-build"),
        ("tensorflow 2.10.0 does not provide the extra 'and-cuda'", "cpu-only-build"),
        ("spacy 2.1.3 does not provide the extra 'lookups'", "unknown"),
        ("ValueError: Cannot use GPU, CuPy is not installed", "cpu-only-build"),
        ("ValueError: Cannot use GPU, the file is not installed", "unknown"),
    ],
)
def test_a_build_without_cuda_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "This ORT build has ['CUDAExecutionProvider', 'CPUExecutionProvider'] enabled",
        "Unable to find an entry point named 'SQLInit' in DLL 'odbc32'.",
        "PaddlePaddle works well on 2 CPUs.",
        SMI + PADDLE_CHECK.format("GPU") + "paddlepaddle-gpu   2.4.2",
        PADDLE_CHECK.format("CPU") + "paddlepaddle   2.4.2",
        'throw new OrtException("This binary was not compiled with CUDA support.");\n',
        "Changelog: fixed module has no attribute 'StandardGpuResources' with faiss-gpu 1.7.3.\n",
        "catboost: Environment for task type [CPU] found",
        "Caffe runs in CPU mode: check mode.",
        "XGBoost version not compiled with distributed support",
        (
            "error: argument --execution-provider: invalid choice: 'cuda' (choose from 'rocm', "
            "'cpu')\nAMD RX 7900 XTX\n"
        ),
    ],
)
def test_kin_of_a_build_without_cuda_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


CHOICE = (
    "main.py: error: argument --execution-provider: invalid choice: {asked} (choose from {has})"
)


@pytest.mark.parametrize(
    ("asked", "has", "cause"),
    [
        ("'cuda'", "'cpu'", "cpu-only-build"),
        ("'cuda'", "'openvino', 'cpu'", "cpu-only-build"),
        ("cuda", "cpu", "cpu-only-build"),
        ("'cudnn'", "'cuda', 'cpu'", "unknown"),
        ("'cuda'", "'coreml', 'cpu'", "unknown"),
    ],
)
def test_a_program_offers_the_providers_of_its_onnxruntime(asked: str, has: str, cause: str):
    assert ruled(CHOICE.format(asked=asked, has=has)) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "PyTorch version: 1.5.0 (CPU toolkit)\n>>> torch.cuda.is_available()\nFalse",
            "cpu-only-build",
        ),
        ("PyTorch version: 1.5.0 (C++ toolkit)\n>>> torch.cuda.is_available()\nFalse", "unknown"),
    ],
)
def test_a_form_names_the_build_in_brackets(text: str, cause: str):
    assert ruled(text) == cause


NOT_LINKED = (
    "CatboostError: catboost/libs/train_lib/train_model.cpp:800: Can't load GPU learning library. "
    "Module was not compiled or CUDA version/driver  is incompatible with package\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"{NOT_LINKED}mk_wheel.py ends with\nGPU version build failed\n", "cpu-only-build"),
        (f"> GPU version build failed\n\nand then\n{NOT_LINKED}", "cpu-only-build"),
        (NOT_LINKED, "unknown"),
        (f"{NOT_LINKED}The GPU version build failed for me once, years ago\n", "unknown"),
        ("DEEPMD INFO    build variant:        cpu\n", "cpu-only-build"),
        ("DEEPMD INFO    build variant:        cuda\n", "unknown"),
    ],
)
def test_a_program_was_built_without_its_part_for_gpus(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize("folder", ["cpu", "nightly/cpu", "cu118"])
@pytest.mark.parametrize("told", ["returns zero", "returns false"])
def test_libtorch_is_what_the_folder_of_its_address_says(folder: str, told: str):
    address = f"https://download.pytorch.org/libtorch/{folder}/libtorch-shared-with-deps.zip"
    text = f"unpacked from {address}\ntorch::cuda::is_available() {told} here\n"
    assert ruled(text) == ("unknown" if "cu1" in folder else "cpu-only-build")
    assert ruled(f"unpacked from {address}\n") == "unknown"


UNLOADED = "Cannot {} CUDA {}without ATen_cuda library. PyTorch splits its backend into two"


@pytest.mark.parametrize(
    ("text", "cause", "repair"),
    [
        ("what():  " + UNLOADED.format("initialize", ""), "cpu-only-build", "-Wl,--no-as-needed"),
        (f'Err value: Torch("{UNLOADED.format("initialize", "")}', "cpu-only-build", "tch"),
        ("RuntimeError: " + UNLOADED.format("get", "generator "), "cpu-only-build", "whl/cu"),
        ("what():  " + UNLOADED.replace("CUDA", "XPU").replace("cuda", "xpu"), "unknown", ""),
        ("May I link libtorch without a CUDA library?", "unknown", ""),
    ],
)
def test_a_program_runs_without_the_half_of_pytorch_that_is_for_cuda(
    text: str, cause: str, repair: str
):
    assert ruled(f"{text}\n") == cause
    root = explain(f"{text}\n").diagnosis.root
    fix = None if root is None else root.finding.fix
    assert repair in ("" if fix is None else f"{fix.text} {fix.commands}")


NNABLA = "2020-05-02 06:43:17,866 [nnabla][ERROR]: Extension `{}` does not exist.\n"


@pytest.mark.parametrize(
    ("extension", "cause"),
    [("cudnn", "cpu-only-build"), ("cuda", "cpu-only-build"), ("mine", "unknown")],
)
def test_nnabla_computes_on_gpus_with_an_extension(extension: str, cause: str):
    assert ruled(NNABLA.format(extension)) == cause


def test_kaldi_says_that_it_was_compiled_without_cuda():
    line = "### CUDA WAS NOT COMPILED IN! ###"
    assert ruled(f"### IS CUDA GPU AVAILABLE? 'f346' ###\n{line}") == "cpu-only-build"
    assert ruled("Was CUDA not compiled in?") == "unknown"


def test_xgboost_without_its_updater_for_gpus():
    line = "amalgamation/../src/tree/tree_updater.cc:20: Unknown tree updater "
    assert ruled(f"  [20:44:33] {line}grow_gpu_hist") == "cpu-only-build"
    assert ruled(f"  [20:44:33] {line}grow_colmaker_2") == "unknown"


GENN = "ModuleNotFoundError: No module named '{}'"


@pytest.mark.parametrize(
    ("module", "cause"),
    [
        ("pygenn.genn_wrapper.CUDABackend", "cpu-only-build"),
        ("pygenn.cuda_backend", "cpu-only-build"),
        ("pygenn", "unknown"),
        ("_CUDABackend", "unknown"),  # it was built, and does not load
    ],
)
def test_genn_has_a_half_for_cuda_where_its_build_found_one(module: str, cause: str):
    assert ruled(GENN.format(module)) == cause
