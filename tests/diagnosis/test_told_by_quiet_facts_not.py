"""Near misses of quiet facts: a folder left over, a GPU that nobody misses."""

from __future__ import annotations

import time

import pytest

from gpuprobe.facts.pasted import read
from support.cases import ruled

SMI = """| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |
|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |
| N/A   38C    P8     9W /  70W |      0MiB / 15109MiB |      0%      Default |
"""
NOTHING = "unknown", "healthy"
TRAIN = "bst = xgb.train(params, dtrain)\n"
SHOWN = "params = {'max_depth': 8}\n"
MEANWHILE = "While it runs:\n"


@pytest.mark.parametrize(
    "code",
    [
        SHOWN + TRAIN + 'params["device"] = "cuda"',
        SHOWN + "params['device_type'] = 'gpu'\n" + TRAIN,
        SHOWN + TRAIN + "bst.set_param('device', 'cuda')",
        "clf = XGBClassifier(tree_method='gpu_exact')",
        "params = json.load(open('params.json'))\n" + TRAIN,
        "clf = XGBClassifier(**settings)",
    ],
)
def test_trees_whose_device_is_named_or_not_shown(code: str):
    assert ruled(f"{code}\n{MEANWHILE}{SMI}") in NOTHING


@pytest.mark.parametrize(
    "text",
    [
        "clf = XGBClassifier()",
        "clf = XGBClassifier()  # small data, CPU is faster, GPU idle",
        "lgb.train({'max_depth': 8}, d)\nValueError: Input contains NaN",
        "clf = XGBClassifier()\nHow do I choose max_depth?",
    ],
)
def test_trees_of_which_nobody_complains(text: str):
    assert ruled(f"{text}\n{SMI}") in NOTHING


@pytest.mark.parametrize(
    "complaint",
    ["It runs at the same speed as without the card.", "Training is slow.", "While it runs:"],
)
def test_trees_of_which_somebody_complains(complaint: str):
    assert ruled(f"clf = XGBClassifier()\n{complaint}\n{SMI}") == "silent-cpu-fallback"


COUNTS = """GPU: Tesla T4
print(df['label'].value_counts())
{label}    900
1    800
0    700
Name: label, dtype: int64
{code}
model = AutoModelForSequenceClassification.from_pretrained(name, num_labels=2)
RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`
"""


@pytest.mark.parametrize(
    ("label", "code", "cause"),
    [
        ("2", "", "user-code"),
        ("-100", "", "oom-workload"),
        ("255", "loss = CrossEntropyLoss(ignore_index=255)", "oom-workload"),
        ("255", "loss = CrossEntropyLoss(ignore_index=VOID)", "oom-workload"),
        ("2", "df['label'] -= 1", "oom-workload"),
        ("2", "df['label'] = LabelEncoder().fit_transform(df['label'])", "oom-workload"),
    ],
)
def test_labels_that_are_no_classes_and_do_no_harm(label: str, code: str, cause: str):
    assert ruled(COUNTS.format(label=label, code=code)) == cause


@pytest.mark.parametrize(
    ("asked", "cause"), [("labels", "user-code"), ("classes_per_image", "oom-workload")]
)
def test_only_labels_are_compared_with_the_classes(asked: str, cause: str):
    text = f"num_classes = 4\n>>> set({asked})\n{{1, 2, 7}}\n"
    failed = "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(h)`\n"
    assert ruled(text + failed) == cause


def test_many_counts_and_headers_take_linear_time():
    counts = "num_labels=3\ndf['label'].value_counts()\n" + "1    2\nName: x, dtype: int64\n" * 4000
    header = "# gpu   pwr gtemp    sm\n    0    27    41     0\n"
    start = time.process_time()
    read(counts)
    read(header * 8000)
    assert time.process_time() - start < 10


ORT = """onnxruntime-gpu: 1.16.3
[W:onnxruntime:Default] Failed to create CUDAExecutionProvider. Please reference https://onnxruntime.ai
"""
HELD = "$ ls $CONDA_PREFIX/lib/libcublas*\n/opt/conda/lib/libcublas.so.11\n"


@pytest.mark.parametrize(
    "looked",
    [
        "ls: cannot access '/usr/local/cuda-9.0/lib64/libcudart*': No such file or directory\n",
        "$ find /srv/proj -name 'cublas*.txt'\n$ nproc\n8\n",
        "$ ldconfig -p | grep cublas\n" + HELD,
        "$ ls /usr/local/cuda-11.8/lib64\nlibcudart.so.11.0\nlibcufft.so.10\n...\n$ nproc\n8\n",
    ],
)
def test_a_search_that_says_nothing_of_a_missing_library(looked: str):
    assert ruled(ORT + looked) not in ("cudart-missing", "cublas-missing")


def test_an_empty_cache_of_the_loader_says_it():
    assert ruled(ORT + "$ ldconfig -p | grep cublas\n$ nproc\n8\n") == "cublas-missing"


@pytest.mark.parametrize(
    ("packages", "named"),
    [
        ("onnxruntime-gpu", True),
        ("torch onnxruntime-gpu", False),
        ("onnxruntime-gpu[cuda,cudnn]", False),
    ],
)
def test_pip_brings_cublas_into_the_smallest_image(packages: str, *, named: bool):
    image = f"FROM nvidia/cuda:12.2.0-base-ubuntu22.04\nRUN pip install {packages}\n"
    assert (ruled(image + ORT.replace("1.16.3", "1.20.1")) == "cublas-missing") is named


def test_where_finds_no_cudnn_and_was_asked_for_nothing_else():
    text = """tensorflow-gpu 1.15.0
ImportError: DLL load failed: The specified module could not be found.
C:\\>where {file}
INFO: Could not find files for the given pattern(s).
"""
    assert ruled(text.format(file="cudnn64_7.dll")) == "cudnn-missing"
    assert ruled(text.format(file="python.exe")) != "cudnn-missing"


def test_a_folder_of_opencvs_is_not_what_torch_lacks():
    text = """os.path.join('C:/Program Files/NVIDIA GPU Computing Toolkit/CUDA/v11.2', 'bin')
ImportError: DLL load failed while importing {module}: The specified module could not be found.
Cuda compilation tools, release 12.1, V12.1.66
"""
    assert ruled(text.format(module="torch_python")) == "msvc-runtime-missing"
    assert ruled(text.format(module="cv2")) == "framework-cuda-mismatch"


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


LAPTOP = """$ lspci -k
01:00.0 3D controller: NVIDIA Corporation TU117M [GeForce GTX 1650 Mobile] (rev a1)
\tSubsystem: Lenovo Device 3f9f
\tKernel modules: nouveau, nvidia
{below}
"""


def test_a_gpu_that_no_driver_has_on_purpose():
    purpose = "My GPU is powered off by prime-select intel on purpose"
    assert ruled(LAPTOP.format(below=purpose)) in NOTHING
    fails = "torch 2.1.0+cu121\nRuntimeError: No CUDA GPUs are available"
    assert ruled(LAPTOP.format(below=fails)) == "driver-not-loaded"
