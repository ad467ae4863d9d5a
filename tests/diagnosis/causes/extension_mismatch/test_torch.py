"""A compiled extension that was built for something else, told by PyTorch."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.facts.pasted import read
from support.cases import ruled

OPS_OF_OTHER = (
    "DeepSpeed ops were compiled and installed with a different version than what is being used at"
    " runtime. Please re-install DeepSpeed or switch torch versions."
)
PYG = 'File "C:\\env\\Lib\\site-packages\\torch_sparse\\__init__.py", line 18, in <module>\n'
PROCEDURE = "OSError: [WinError 127] The specified procedure could not be found"
VERSION_FILE = "\\site-packages\\torch_scatter\\_version_cuda.pyd' (or one of its dependencies)"
PINNED = "{} 0.16.0 requires torch=={}, but you have torch 2.3.1 which is incompatible."
BY_LDD = "undefined symbol: {}\t({})"
INVALID = "\nRuntimeError: CUDA error: invalid device function"
TORCH = "torch: 2.1.0+cu121\nGPU: NVIDIA A100\n"
NO_IMAGE = "CUDA Error: no kernel image is available for execution on the device "
CPP, C = "/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "/lib64/libc.so.6"


def wants(library: str, version: str, asker: str) -> str:
    return f"ImportError: {library}: version `{version}' not found (required by {asker})"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "ImportError: Could not find module '_version_cpu' in /x/torch_scatter",
            "extension-mismatch",
        ),
        (
            (
                "FileNotFoundError: Could not find module 'C:\\x\\torchtext\\lib\\libtorchtext.pyd'"
                " (or one of its dependencies)."
            ),
            "extension-mismatch",
        ),
        (
            (
                '  File "C:\\x\\site-packages\\torchtext\\_extension.py", line 30, in _load_lib\n'
                "OSError: [WinError 127] The specified procedure could not be found"
            ),
            "extension-mismatch",
        ),
        (
            OPS_OF_OTHER + " Install torch version=1.10, Runtime torch version=1.11",
            "extension-mismatch",
        ),
        ("Need to compile C++ extensions to use all xFormers features.", "extension-mismatch"),
        ("ImportError: no module named torch_scatter.scatter_cuda", "extension-mismatch"),
        ("error: \u2018MY_CHECK\u2019 was not declared in this scope", "unknown"),
        ("error: \u2018optional\u2019 is not a member of \u2018std\u2019", "unknown"),
        (
            "ImportError: Extension horovod.torch has not been built: /x/_mpi_lib.so not found",
            "extension-mismatch",
        ),
        (PYG + PROCEDURE, "extension-mismatch"),
        (PYG + "OSError: [WinError 2] The system cannot find the file specified", "unknown"),
        ("Could not find module 'C:" + VERSION_FILE, "extension-mismatch"),
        (PINNED.format("torchvision", "2.1.0"), "extension-mismatch"),
        (PINNED.format("torchvision", "2.3.1"), "unknown"),
        (BY_LDD.format("torch_library_impl", "./_torchaudio.so"), "extension-mismatch"),
        ("undefined symbol: boost::thread::join()", "unknown"),
        ("undefined symbol: torch::autograd::Node::name() const (./_C.so)", "extension-mismatch"),
        ('  File "/x/site-packages/mmcv/ops/nms.py", line 3, in f' + INVALID, "extension-mismatch"),
        ('  File "/x/site-packages/mine/ops/nms.py", line 3, in f' + INVALID, "unknown"),
        (
            TORCH
            + "no kernel image is available for execution on this device, below is my config"
            + "\n",
            "extension-mismatch",
        ),
        (TORCH + "A kernel image is available for execution" + "\n", "unknown"),
        ("CUDA versions. PyTorch has CUDA Version=11.7 and torchvision has", "extension-mismatch"),
        # What it serves is there: then the build is another matter.
        ("GPU: RTX 3090\n" + NO_IMAGE + "/src/flash-attention/csrc/ln.cuh 2", "extension-mismatch"),
        ("GPU: Quadro P5000\n" + NO_IMAGE + "/src/apex/csrc/ln.cu 2", "extension-mismatch"),
        (
            wants(C, "GLIBC_2.32", "/opt/lib/python3.10/site-packages/torch_scatter/_scatter.so"),
            "extension-mismatch",
        ),
        ("torchvision::nms does not exist", "extension-mismatch"),
        ("models/torchvision::nms is listed", "unknown"),
        ("ImportError: cannot import name '_C' from 'detectron2'", "extension-mismatch"),
        ("cannot import name '_C' from 'torch'", "unknown"),
        (
            'OSError: [WinError 127] Error loading "C:\\torchaudio\\libtorchaudio.pyd"',
            "extension-mismatch",
        ),
        (
            "AttributeError: partially initialized module 'torchvision' has no attribute 'ops'",
            "extension-mismatch",
        ),
        ("partially initialized module 'mymodule' has no attribute 'ops'", "unknown"),
        (
            (
                "CUDA Error: no kernel image is available for execution on the device (209) "
                "/tmp/flashinfer-0.1.1/include/flashinfer/sampling.cuh: line 544"
            ),
            "extension-mismatch",
        ),
        # Source for another torch is an extension that does not fit.
        ("gpu.c:15:10: fatal error: THC/THC.h: No such file or directory", "extension-mismatch"),
        ("fatal error: 'THC/THC.h' file not found", "extension-mismatch"),
        (
            "fatal error C1083: Cannot open include file: 'ATen/ceil_div.h': No such file",
            "extension-mismatch",
        ),
        ("致命错误: fatal error: ATen/ceil_div.h: 没有那个文件或目录", "extension-mismatch"),
        (
            "conv.cpp:66:3: error: \u2018AT_CHECK\u2019 was not declared in this scope",
            "extension-mismatch",
        ),
        (
            'conv.cu(66): error: identifier "THCState_getCurrentStream" is undefined',
            "extension-mismatch",
        ),
        (
            "cpu.cpp:9: error: 'THFloatBlas_gemv' was not declared in this scope; did you mean",
            "extension-mismatch",
        ),
        ("error: \u2018optional\u2019 is not a member of \u2018c10\u2019", "extension-mismatch"),
        ('error: namespace "at" has no member "ceil_div"', "extension-mismatch"),
        (
            "#error C++17 or later compatible compiler is required to use PyTorch.",
            "extension-mismatch",
        ),
        ("torch.utils.ffi is deprecated. Please use cpp extensions instead.", "extension-mismatch"),
        (
            "cannot convert 'at::DeprecatedTypeProperties' to 'c10::ScalarType'",
            "extension-mismatch",
        ),
    ],
)
def test_an_extension_that_does_not_fit_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


XFORMERS = (
    "memory_efficient_attention.cutlassF:               available\n"
    "pytorch.version:                                   2.1.2+cu121\n"
    "build.torch_version:                               2.1.0+cu121\n"
)


@pytest.mark.parametrize(
    "text",
    [
        "ops were compiled with care",
        "building 'horovod.torch' extension",
        XFORMERS + "Images are generated at 8 it/s on the GPU.\n",
    ],
)
def test_kin_of_an_extension_that_does_not_fit_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


TORN = """torch: 2.5.1+cu124
    from .ops import fused
{words} {symbol}
"""


@pytest.mark.parametrize(
    ("words", "symbol", "cause"),
    [
        ("efined symbol:", "_ZN3c104cuda14ExchangeDeviceEa", "extension-mismatch"),
        ("ned symbol:", "_ZNK5torch8autograd4Node4nameEv", "extension-mismatch"),
        ("exported symbol:", "_ZN3c104cuda14ExchangeDeviceEa", "unknown"),
        ("ned symbol:", "_ZN7mylib5startEv", "unknown"),
    ],
)
def test_a_symbol_of_torch_is_lacked_where_the_line_lost_its_beginning(
    words: str, symbol: str, cause: str
):
    assert ruled(TORN.format(words=words, symbol=symbol)) == cause


XFORMERS_NO_OPERATOR = (
    "NotImplementedError: No operator found for `memory_efficient_attention_forward`\n"
    "xFormers 0.0.27\npytorch.version:                {torch}\n"
    "build.torch_version:            2.3.1+cu121\n"
)


def test_xformers_tells_its_torch():
    assert ruled(XFORMERS_NO_OPERATOR.format(torch="2.4.0+cu121")) == "extension-mismatch"
    assert ruled(XFORMERS_NO_OPERATOR.format(torch="2.3.1+cu121")) != "extension-mismatch"


CRASH = """Current thread (most recent call first):
  File "/env/lib/python3.10/site-packages/torch/_ops.py", line 643 in load_library
  File "/env/lib/python3.10/site-packages/torch_cluster/__init__.py", line 18 in <module>
Segmentation fault (core dumped)
$ pip list | grep torch
torch           2.1.2+cu121
torch-cluster   1.6.3+{tag}
"""


@pytest.mark.parametrize(
    ("tag", "cause"),
    [
        ("pt20cu118", "extension-mismatch"),
        ("pt21cu118", "extension-mismatch"),
        ("torch220cu121", "extension-mismatch"),
        ("pt21cu121", "unknown"),
    ],
)
def test_an_extensions_version_names_another_torch(tag: str, cause: str):
    assert ruled(CRASH.format(tag=tag)) == cause


TAGGED = """torch==2.1.2
torch_scatter==2.1.2+pt20cu118
  File "/x/site-packages/{package}/tensor.py", line 5{trace} f
{end}
"""


@pytest.mark.parametrize(
    ("package", "trace", "end", "cause"),
    [
        ("torch_scatter", " in", "Segmentation fault (core dumped)", "extension-mismatch"),
        ("torch_sparse", " in", "Segmentation fault (core dumped)", "unknown"),
        ("torch_sparse", ", in", "TypeError: f() got an unexpected keyword argument", "unknown"),
        ("torch_scatter", ", in", "TypeError: f() got an unexpected keyword argument", "unknown"),
    ],
)
def test_only_a_crash_accuses_an_extensions_version(package: str, trace: str, end: str, cause: str):
    assert ruled(TAGGED.format(package=package, trace=trace, end=end)) == cause


LOAD = """OS: Windows
torch: 2.8
{}
Loader DLL load failed while importing _C: The specified procedure could not be found.
"""


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        (
            "After the new card torch was raised to 2.8; since then xformers is broken.",
            "extension-mismatch",
        ),
        ("Upgrading torch broke flash-attn here.", "extension-mismatch"),
        ("Is xformers broken with this torch?", "msvc-runtime-missing"),
        ("The node is broken.", "msvc-runtime-missing"),
    ],
)
def test_a_function_is_missing_since_torch_was_raised(sentence: str, cause: str):
    assert ruled(LOAD.format(sentence)) == cause


TABLE = (
    "sys.platform              linux\n"
    "detectron2                0.1.1 @/data/detectron2/detectron2\n"
    "detectron2 arch flags     {}\n"
    "GPU 0                     GeForce RTX 2080\n"
    "GPU 1,2                   GeForce GTX 1070 (arch=6.1)\n"
)


@pytest.mark.parametrize("flags", ["sm_75", "7.5"])
def test_table_of_detectron2(flags: str) -> None:
    facts = read(TABLE.format(flags))
    assert facts["framework.detectron2.architectures"].value == ("sm_75",)  # type: ignore[union-attr]
    assert facts["gpu.2.name"].value == "GeForce GTX 1070"  # type: ignore[union-attr]
    assert str(facts["gpu.1.capability"].value) == "6.1"  # type: ignore[union-attr]


def test_path_in_place_of_the_flags_is_none() -> None:
    facts = read(TABLE.format("/home/user/detectron2/_C.so; cannot find cuobjdump"))
    assert "framework.detectron2.architectures" not in facts
    assert "gpu.1.name" not in read(TABLE.format("sm_75").replace("detectron2", "other"))


_OTHER_CUDA = (
    "RuntimeError: Detected that PyTorch and torchvision were compiled with different CUDA"
    " versions. PyTorch has CUDA Version=11.6 and torchvision has CUDA Version=11.3."
)
_IGNORED = (
    "Ignoring visible gpu device (device: 0, name: GeForce GT 630M) with Cuda compute "
    "capability 2.1. The minimum required Cuda capability is 3.5."
)


@pytest.mark.parametrize(
    ("pasted", "title"),
    [
        (
            _OTHER_CUDA,
            "torchvision was compiled with CUDA 11.3, torch with CUDA 11.6",
        ),
        (
            _IGNORED,
            "TensorFlow says that the GPU is below what it serves: 2.1, and the least is 3.5",
        ),
        (
            "Attempting to deserialize object on CUDA device 1 but torch.cuda.device_count() is 1.",
            "An object was saved on CUDA device 1 but torch.cuda.device_count() is 1",
        ),
        (
            "Trying to deserialize object on CUDA device 2 but device_count\uff08\uff09 is 1",
            "An object was saved on CUDA device 2 but device_count() is 1",
        ),
        (
            "Feb 17 19:00:16 host kernel: NVRM: GPU at 0000:01:00.0 has fallen off the bus.",
            "GPU 0000:01:00.0 has fallen off the bus",
        ),
        (
            "Unable to determine the device handle for GPU0000:07:00.0: Unknown Error",
            "GPU 0000:07:00.0 does not answer: Unknown Error",
        ),
    ],
)
def test_a_title_says_what_its_numbers_are(pasted: str, title: str) -> None:
    root = gpuprobe.explain(pasted).diagnosis.root
    assert root is not None
    assert root.finding.title == title


ON_A_MAC = "PyTorch version: 1.13.0\nCUDA used to build PyTorch: None\nOS: macOS 12.6 (arm64)\n"
C10, FLAT = "__ZN3c1011CPUTensorIdEv", "symbol not found in flat namespace"
OF_SITE = "ImportError: dlopen(/Users/me/lib/python3.10/site-packages"


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        (f"{OF_SITE}/_torch_sox.so, 2): Symbol not found: {C10}", "extension-mismatch"),
        (f"{OF_SITE}/torch_sparse/_convert_cpu.so, 0x6): {FLAT} '{C10}'", "extension-mismatch"),
        ("It fails.", "no-nvidia-gpu"),
        ("RuntimeError: Found no NVIDIA driver on your system.", "no-nvidia-gpu"),
    ],
)
def test_on_a_mac_an_extension_of_another_torch_fails_without_any_gpu(said: str, cause: str):
    assert ruled(f"{said}\n{ON_A_MAC}Is CUDA available: False\n") == cause


NO_DGL = "FileNotFoundError: Cannot find DGL C++ {} library at {}"
GRAPHBOLT = r"C:\\env\\Lib\\site-packages\\dgl\\graphbolt\\graphbolt_pytorch_2.4.1.dll"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (NO_DGL.format("sparse", "/e/dgl/libdgl_sparse_pytorch_2.2.2.so"), "extension-mismatch"),
        (NO_DGL.format("graphbolt", GRAPHBOLT) + "\ntorch 2.4.1+cu121", "extension-mismatch"),
        ("I cannot find DGL C++ documentation for graphbolt.", "unknown"),
        ("ls dgl/graphbolt\nlibgraphbolt_pytorch_2.1.0.so", "unknown"),
    ],
)
def test_dgl_holds_no_library_for_this_torch(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "ImportError: k2 was built using CUDA 11.6\nBut you are using CUDA 11.7 to run it.",
            "extension-mismatch",
        ),
        (
            "k2 was built using PyTorch 1.13.1\nBut you are using PyTorch 2.0.0+cu117 to run it",
            "extension-mismatch",
        ),
        ("But you are using CUDA 12.1 to run it, are you not?", "unknown"),
    ],
)
def test_k2_was_built_for_another_torch(text: str, cause: str):
    assert ruled(text) == cause
