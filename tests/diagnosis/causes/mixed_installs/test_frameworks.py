"""Two packages that claim the same module, told by PyTorch, CuPy or XGBoost, JAX and others."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "pytorch   1.3.0   py3.7_cuda10.1.243_cudnn7.6.3_0   pytorch\n"
                "torch     1.2.0   pypi_0   pypi"
            ),
            "mixed-installs",
        ),
    ],
)
def test_two_packages_of_one_module_are_named(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "qiskit-aer         0.12.0\nqiskit-aer-gpu     0.12.0\n",
    ],
)
def test_kin_of_two_packages_of_one_module_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


MIXED = "mixed-installs"
COPIES = """RuntimeError: Couldn't load custom C++ ops. This can happen if your PyTorch and
$ conda list | grep torch
pytorch                   1.12.1          py3.9_cuda11.3_cudnn8.3.2_0    pytorch
torch                     1.13.1                   pypi_0    pypi
torchvision               {vision}               py39_cu113    pytorch
$ python -c "import torch; print(torch.__version__)"
1.13.1+cu117
"""


@pytest.mark.parametrize(
    ("vision", "cause"), [("0.13.1", "mixed-installs"), ("0.11.3", "extension-mismatch")]
)
def test_torchvision_fits_the_copy_of_torch_that_is_not_imported(vision: str, cause: str):
    assert ruled(COPIES.format(vision=vision)) == cause


# -- Faiss for both ------------------------------------------------------------------------------
FAISS = """GPU: Tesla T4
{installed}
AttributeError: module 'faiss' has no attribute '{lacks}'
"""


@pytest.mark.parametrize(
    ("installed", "lacks", "cause"),
    [
        ("faiss-cpu==1.8.0\nfaiss-gpu==1.7.2", "StandardGpuResources", "mixed-installs"),
        ("faiss-cpu==1.8.0\nfaiss-gpu-cu12==1.8.0.2", "get_num_gpus", "mixed-installs"),
        ("faiss-cpu==1.8.0", "StandardGpuResources", "cpu-only-build"),
    ],
)
def test_faiss_for_the_cpu_lies_over_that_for_the_gpu(installed: str, lacks: str, cause: str):
    assert ruled(FAISS.format(installed=installed, lacks=lacks)) == cause


AER = (
    "AerError: 'Invalid simulation device GPU. Available devices are: [\\'CPU\\']'\n"
    "qiskit-aer         0.12.0\n{gpu}qiskit-terra       0.23.3\n"
)


def test_two_packages_of_qiskit_aer():
    assert ruled(AER.format(gpu="qiskit-aer-gpu     0.12.0\n")) == "mixed-installs"
    assert ruled(AER.format(gpu="")) != "mixed-installs"


TWO_PLUGINS = """jax 0.6.0
jaxlib 0.6.0
jax-cuda12-plugin 0.6.0
{other} 0.6.0
RuntimeError: Unable to initialize backend 'cuda': ALREADY_EXISTS: {why}
"""
TWICE = "PJRT_Api already exists for device type cuda"


@pytest.mark.parametrize(
    ("other", "cause"), [("jax-cuda13-plugin", "mixed-installs"), ("jax-cuda12-pjrt", "unknown")]
)
def test_two_plugins_register_themselves_as_one_platform(other: str, cause: str):
    assert ruled(TWO_PLUGINS.format(other=other, why=TWICE)) == cause


LISTED = """# Name                    Version                   Build  Channel
pytorch                   1.2.0           py3.7_cuda10.0.130_cudnn7.6.2_0    pytorch
{other}           1.4.0.dev20191105   py3.7_cuda10.1.243_cudnn7.6.3_0    pytorch
"""


@pytest.mark.parametrize(
    ("other", "cause"), [("pytorch-nightly", "mixed-installs"), ("libpytorch", "unknown")]
)
def test_conda_installs_the_nightly_build_beside_the_release(other: str, cause: str):
    assert ruled(LISTED.format(other=other)) == cause


@pytest.mark.parametrize(
    ("name", "cause"), [("_nvmlGetFunctionPointer", "mixed-installs"), ("nvmlFoo", "unknown")]
)
def test_another_distribution_brings_the_module_pynvml(name: str, cause: str):
    assert ruled(f"AttributeError: module 'pynvml' has no attribute '{name}'\n") == cause


MISSED = "ImportError: {file}: undefined symbol: {symbol}\n"
OWN = "/opt/env/lib/python3.7/site-packages/torch/lib/libtorch_python.so"


@pytest.mark.parametrize(
    ("file", "symbol", "cause"),
    [
        (OWN, "_ZTIN3c1014WarningHandlerE", "mixed-installs"),
        (OWN.replace("torch_python", "shm"), "_ZTI24THRefcountedMapAllocator", "mixed-installs"),
        (OWN, "ncclCommRegister", "cuda-libs-mismatch"),
        ("/opt/env/lib/python3.7/site-packages/apex/amp_C.so", "_ZTIN3c1014WarningHandlerE",
         "extension-mismatch"),
    ],
)  # fmt: skip
def test_torchs_libraries_lack_a_symbol_of_each_other(file: str, symbol: str, cause: str):
    assert ruled(MISSED.format(file=file, symbol=symbol)) == cause


@pytest.mark.parametrize(
    ("installed", "shadowed"),
    [
        ("faiss-cpu==1.7.4\nfaiss-gpu==1.7.2", True),
        ("faiss-gpu==1.7.2\nfaiss-gpu-cu12==1.8.0", False),
    ],
)
def test_a_build_for_gpus_is_shadowed_by_one_for_the_cpu(installed: str, shadowed: bool):
    lacks = "AttributeError: module 'faiss' has no attribute 'StandardGpuResources'"
    placed = gpuprobe.explain(f"{installed}\n{lacks}").diagnosis.placed
    assert ("GP601" not in {each.rule.code for each in placed}) is shadowed


FOR_CPU = "Cannot use GPU because you have installed CPU version PaddlePaddle.\n"


@pytest.mark.parametrize(
    ("installed", "cause"),
    [
        ("paddlepaddle==2.4.2\npaddlepaddle-gpu==2.4.2\n", "mixed-installs"),
        ("paddlepaddle==2.4.2\n", "cpu-only-build"),
        ("", "cpu-only-build"),
    ],
)
def test_paddle_for_the_cpu_lies_on_top_of_the_one_for_gpus(installed: str, cause: str):
    assert ruled(installed + FOR_CPU) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("both cupy-cuda11x and cupy-cuda12x are installed", "mixed-installs"),
        ("If both cupy-cuda11x and cupy-cuda12x are installed, remove one", "unknown"),
    ],
)
def test_two_builds_are_told_to_be_installed(told: str, cause: str):
    assert ruled(f"{told}\nImportError: cupy\n") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("paddlepaddle: 2.3.2\npaddlepaddle-gpu:2.3.2", "mixed-installs"),
        ("tensorflow: 2.0.0\ntensorflow-gpu: 2.0.0", "mixed-installs"),
        ("tensorflow: 2.4.0\ntensorflow-gpu: 2.4.0", "unknown"),  # one and the same build
        ("Paddle: 2.3.2\npaddlepaddle-gpu:2.3.2", "unknown"),  # the project's name
        ("paddlepaddle: 2.3.2\n\npaddlepaddle-gpu:2.3.2", "unknown"),  # of two machines, maybe
        ("pip shows both cumm and cumm-cu111", "mixed-installs"),
        ("pip shows both cumm and spconv", "unknown"),
    ],
)
def test_the_plain_package_and_the_one_for_gpus_are_listed_together(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("one needs cupy-cuda12x, the other cupy-cuda13x; both land in the image", True),
        ("cupy-cuda11x and cupy-cuda12x are both installed", True),
        ("The wheels cupy-cuda11x and cupy-cuda12x are both on the index", False),
        ("Never have cupy-cuda11x and cupy-cuda12x both installed", False),
        ("cupy-cuda12x and its kernels are both installed", False),
    ],
)
def test_two_of_cupys_packages_lie_in_one_folder(told: str, *, cause: bool):
    assert ruled(told) == ("mixed-installs" if cause else "unknown")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("我把 paddle 的 CPU 版和 GPU 版都装上了\uff0c现在总是走 CPU", "mixed-installs"),
        ("环境里 CPU 和 GPU 两个版本的 onnxruntime 都装了", "mixed-installs"),
        ("I have both the CPU and the GPU version of paddle installed.", "mixed-installs"),
        ("Both the gpu and cpu packages of tensorflow are in my environment.", "mixed-installs"),
        ("The CPU and GPU builds of onnxruntime are there side by side.", "mixed-installs"),
        ("paddle 的 CPU 版和 GPU 版可以都装吗\uff1f", "unknown"),
        ("Can both the CPU and GPU version of paddle be installed?", "unknown"),
        ("I have installed paddle, and it runs on both CPU and GPU.", "unknown"),
        ("We offer both CPU and GPU builds of paddle.", "unknown"),
        ("I removed one, as both the CPU and GPU version of paddle were installed.",
         "unknown"),
    ],
)  # fmt: skip
def test_both_builds_of_one_framework_are_said_to_be_there(text: str, cause: str):
    assert ruled(text) == cause


# -- ND4J for both -------------------------------------------------------------------------------
MAVEN = "<groupId>org.nd4j</groupId>\n<artifactId>{}</artifactId>\n"
GRADLE = "    compile 'org.nd4j:{}:0.6.0'\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (GRADLE.format("nd4j-native-platform") + GRADLE.format("nd4j-cuda-7.5-platform"), MIXED),
        (MAVEN.format("nd4j-cuda-10.2") + MAVEN.format("nd4j-native"), MIXED),
        ("//" + GRADLE.format("nd4j-native") + GRADLE.format("nd4j-cuda-7.5"), "unknown"),
        (GRADLE.format("nd4j-native-api") + GRADLE.format("nd4j-cuda-7.5"), "unknown"),
    ],
)
def test_nd4j_uses_one_of_its_backends(text: str, cause: str):
    assert ruled(text) == cause


def test_of_nd4js_backends_that_for_cpus_is_to_go():
    text = GRADLE.format("nd4j-native") + GRADLE.format("nd4j-cuda-11.6")
    root = gpuprobe.explain(text).diagnosis.root
    assert root is not None
    assert root.finding.fix is not None
    assert "Take nd4j-native out" in root.finding.fix.text


NOT_IN_JAXLIB = "AttributeError: module 'jaxlib.xla_client' has no attribute '{}'"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "jax==0.4.13 jaxlib==0.4.13+cuda12.cudnn89\n"
            + NOT_IN_JAXLIB.format("generate_pjrt_gpu_plugin_options"),
            "mixed-installs",
        ),
        (
            "jaxlib 0.4.7+cuda11.cudnn86\n"
            "Jax plugin configuration error: Exception when calling "
            "jax_plugins.xla_cuda12.initialize()\n" + NOT_IN_JAXLIB.format("ffi"),
            "mixed-installs",
        ),
        (
            "jaxlib 0.4.35\n" + NOT_IN_JAXLIB.format("register_custom_type_id_handler"),
            "extension-mismatch",
        ),
        ("jaxlib 0.4.7+cuda11.cudnn86\n" + NOT_IN_JAXLIB.format("Buffer"), "unknown"),
    ],
)
def test_a_plugin_is_left_beside_a_jaxlib_that_has_cuda_of_its_own(text: str, cause: str):
    assert ruled(text) == cause
