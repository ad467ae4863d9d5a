"""A program that does something that the GPU refuses, told by PyTorch."""

from __future__ import annotations

import pytest

from support.cases import ruled

WORKER = '  File "/usr/lib/python3/site-packages/torch/utils/data/dataloader.py", line 57, in {}\n'
INDEX = "Assertion `srcIndex < srcSelectDimSize` failed.\nCUBLAS_STATUS_ALLOC_FAILED\n"
SHARED = "RuntimeError: cuda runtime error ({}) : at torch/csrc/generic/{}.cpp:231\n"
INVALID = (
    "ValueError: Invalid CUDA 'device=1' requested. Use 'device=cpu' or pass valid CUDA device(s)\n"
    "torch.cuda.is_available(): {seen}\ntorch.cuda.device_count(): {count}\n"
    "os.environ['CUDA_VISIBLE_DEVICES']: {visible}\n"
)
NOT_SUPPORTED = "RuntimeError: CUDA error: operation not supported\n"
GRADIENT = "t = torch.ones(10{})\nmodel(t).sum().backward()\nprint(t.grad)\n"
CUBLAS_INVALID_VALUE = (
    "torch                    2.8.0+cu128\nnvidia-cublas-cu12       12.4.5.8\n{}"
    "RuntimeError: CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling `cublasGemmEx( h )`\n"
)
ASSERTED = (
    "../aten/src/ATen/native/cuda/Indexing.cu:1093: indexSelectSmallIndex: block: [3,0,0], thread: "
    "[32,0,0] Assertion `srcIndex < srcSelectDimSize` failed.\n"
)
# -- CUDA_VISIBLE_DEVICES below the start of CUDA ------------------------------------------------
START = "torch.cuda.is_available()"
SETS = 'os.environ["CUDA_VISIBLE_DEVICES"] = '
BELOW = f'{START}\n{SETS}"1"\n'


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("RuntimeError: CUDA error: an illegal memory access was encountered", "user-code"),
        ("RuntimeError: CUDA error: invalid device ordinal", "user-code"),
        (
            (
                "RuntimeError: Expected object of type torch.cuda.LongTensor but found type"
                " torch.LongTensor for argument #3 'index'"
            ),
            "user-code",
        ),
        (
            WORKER.format("_worker_loop")
            + "RuntimeError: cuda runtime error (3) : initialization error at THCGeneral.cpp:51",
            "user-code",
        ),
        (WORKER.format("__next__") + "RuntimeError: CUDA error: initialization error", "unknown"),
        (
            WORKER.format("_worker_loop") + "ValueError: all the input arrays must have two axes",
            "unknown",
        ),
        (
            (
                "ValueError: Invalid CUDA 'device=1' requested. Use 'device=cpu'\n"
                "torch.cuda.is_available(): True\ntorch.cuda.device_count(): 1"
            ),
            "user-code",
        ),
        ("ValueError: Invalid CUDA 'device=1' requested. Use 'device=cpu'", "unknown"),
        ("RuntimeError: CUDA error: hardware stack error", "user-code"),
        ("CUDA error: operation not permitted when stream is capturing", "user-code"),
        (f"/pytorch/aten/src/ATen/native/cuda/Indexing.cu:1290: f: {INDEX}", "user-code"),
        (SHARED.format(71, "StorageSharing"), "user-code"),
        (INVALID.format(seen=True, count=1, visible=None), "user-code"),
        (NOT_SUPPORTED + "GPU 0: NVIDIA A40-48C", "user-code"),
        (NOT_SUPPORTED, "unknown"),
        ("CUDA error: Illegal address in cuCtxSynchronize(), line 1683", "user-code"),
        (GRADIENT.format(", requires_grad=True).cuda("), "user-code"),
        (GRADIENT.format(", requires_grad=True, device='cuda'"), "unknown"),
        (CUBLAS_INVALID_VALUE.format(ASSERTED), "user-code"),
        (f"{BELOW}RuntimeError: CUDA error: device-side assert triggered", "user-code"),
    ],
)
def test_a_program_that_asks_the_impossible_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        f'import os, torch\n{BELOW}subprocess.run(["torchrun", "train.py"])',
        f"import os, torch\n{BELOW}test_train.py::test_step PASSED\n1 passed in 3.11s",
        f"{BELOW}Should it run on GPU 0?",
        f"{BELOW}ollama is a server here and its process stays on GPU 0.",
        f"{BELOW}The server process stays on GPU 0.",
    ],
)
def test_kin_of_a_program_that_asks_the_impossible_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


CUBLAS_ALLOC_FAILED = (
    "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(h)`\n"
)
LABELS = "print(model.fc)  -> Linear(in_features=512, out_features={classes}, bias=True)\n"
UNIQUE = "print(target.unique())  -> tensor([ 1,  2,  3,  4])\ncriterion = nn.CrossEntropyLoss()\n"


def test_labels_that_begin_with_one():
    assert ruled(CUBLAS_ALLOC_FAILED + LABELS.format(classes=4) + UNIQUE) == "user-code"
    assert ruled(CUBLAS_ALLOC_FAILED + LABELS.format(classes=5) + UNIQUE) == "oom-workload"
    two = LABELS.format(classes=4) + LABELS.format(classes=9)
    assert ruled(CUBLAS_ALLOC_FAILED + two + UNIQUE) == "oom-workload"


NOTHING = "unknown", "healthy"


def test_the_cpu_names_the_fault_that_the_gpu_does_not():
    on_cpu = "However, on the cpu:\nIndexError: index out of range in self\n"
    assert ruled(CUBLAS_ALLOC_FAILED + on_cpu) == "user-code"
    assert ruled(on_cpu) in NOTHING


@pytest.mark.parametrize(
    ("who", "cause"),
    [
        ("Trainer.__init__()", "user-code"),
        ("__init__()", "user-code"),
        ("Pool.__init__()", "unknown"),
    ],
)
def test_lightning_takes_another_argument_for_gpus(who: str, cause: str):
    text = f"TypeError: {who} got an unexpected keyword argument 'gpus'\nGPU: RTX 3090\n"
    assert ruled(text) == cause


CUBLAS_FAILS = (
    "RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm( h )`\n"
)
TOKENS = "print(len(tokenizer))  -> {size}\nprint(model.emb)  -> Embedding(30522, 768)\n"


def test_a_tokenizer_beside_its_code():
    assert ruled(CUBLAS_FAILS + TOKENS.format(size=31090)) == "user-code"
    assert ruled(CUBLAS_FAILS + TOKENS.format(size=30522)) != "user-code"


TOKENS_ASKED = """print(model.config.vocab_size, {asked})
{answer}
RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`
"""


@pytest.mark.parametrize(
    ("asked", "answer", "cause"),
    [
        ("len(tokenizer)", "32000 32001", "user-code"),
        ("len(tokenizer)", "32001 32000", "oom-workload"),
        ("len(tokenizer)", "32000 of 32001 (old: 2)", "oom-workload"),
        ("len(dataset)", "32000 32001", "oom-workload"),
    ],
)
def test_the_tokenizer_is_printed_as_larger_than_the_embedding(asked: str, answer: str, cause: str):
    assert ruled(TOKENS_ASKED.format(asked=asked, answer=answer)) == cause


COUNTS = """GPU: Tesla T4
print(df['grade'].value_counts())
model = AutoModelForSequenceClassification.from_pretrained(name, num_labels={classes})
loss = model(input_ids=ids, labels=batch['{column}'].to(device)).loss
3    900
1    800
2    700
Name: grade, dtype: int64
RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`
"""


@pytest.mark.parametrize(
    ("classes", "column", "cause"),
    [(3, "grade", "user-code"), (4, "grade", "oom-workload"), (3, "other", "oom-workload")],
)
def test_a_label_is_beyond_the_classes(classes: int, column: str, cause: str):
    assert ruled(COUNTS.format(classes=classes, column=column)) == cause


UNIQUE_OF_CLASSES = """num_classes = {classes}
>>> np.unique(y_train)
array([0, 1, 2, 10])
RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`
"""


def test_a_label_that_is_listed_is_beyond_the_classes():
    asked = UNIQUE_OF_CLASSES.replace("np.unique(y_train)", "np.unique(train_labels)")
    assert ruled(asked.format(classes=4)) == "user-code"
    assert ruled(asked.format(classes=11)) == "oom-workload"


COUNTS_OF_LABELS = """GPU: Tesla T4
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
    assert ruled(COUNTS_OF_LABELS.format(label=label, code=code)) == cause


@pytest.mark.parametrize(
    ("asked", "cause"), [("labels", "user-code"), ("classes_per_image", "oom-workload")]
)
def test_only_labels_are_compared_with_the_classes(asked: str, cause: str):
    text = f"num_classes = 4\n>>> set({asked})\n{{1, 2, 7}}\n"
    failed = "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(h)`\n"
    assert ruled(text + failed) == cause


ACROSS = "] Assertion `-sizes[i] <= index && index < sizes[i]{}:93` failed.\n"


@pytest.mark.parametrize(
    ("file", "cause"),
    [("../aten/src/ATen/native/cuda/IndexKernel.cu", "user-code"), ("../src/main.cpp", "unknown")],
)
def test_an_assertion_of_torch_whose_threads_write_across(file: str, cause: str) -> None:
    assert ruled(ACROSS.format(file)) == cause


CUBLAS_NOT_INITIALIZED = (
    "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(h)`\n"
)
ADD = 'tokenizer.add_special_tokens({"additional_special_tokens": ["<sep>", "<ans>"]})\n'
LOAD = 'model = GPT2LMHeadModel.from_pretrained("gpt2").cuda()\n'


@pytest.mark.parametrize(
    "text",
    [
        ">>> len(tokenizer)\n50259\n>>> model.transformer.wte\nEmbedding(50257, 768)\n",
        "print(len(tok), model.embed_tokens)\nout = model(ids)\n\n32003 Embedding(32000, 4096)\n",
        '>>> batch["input_ids"].max()\ntensor(50257)\n>>> model.wte\nEmbedding(50257, 768)\n',
        '  "vocab_size": 30522\n}\n>>> input_ids.max().item()\n30530\n',
        ADD + LOAD,
    ],
)
def test_tokens_that_have_no_row(text: str):
    assert ruled(text + CUBLAS_NOT_INITIALIZED) == "user-code"


def test_code_that_pytorch_advises_to_look_up_is_read_where_the_words_are_unknown() -> None:
    pasted = "CUDA error: of the future\nSearch for `cudaErrorIllegalAddress' in the documentation"
    assert ruled(pasted) == "user-code"


@pytest.mark.parametrize("answer", ["RuntimeError: CUDA error: 3", "code=3(cudaErrorUnknown)"])
def test_the_code_of_an_error_is_no_number_of_a_gpu(answer: str):
    assert ruled(f">>> torch.cuda.current_device()\n{answer}\n") != "healthy"


WITHOUT_NUMBER = (
    "ValueError: Expected a torch.device with a specified index or an integer, but got:{device}\n"
)


@pytest.mark.parametrize(("device", "cause"), [("cuda", "user-code"), ("None", "unknown")])
def test_a_device_without_its_number_is_refused(device: str, cause: str):
    assert ruled(WITHOUT_NUMBER.format(device=device)) == cause


ASSERTED_OLD = (
    "THCTensorIndex.cu:321: void indexSelectLargeIndex(): block: [173,0,0], thread: [62,0,0] "
    "Assertion {} failed.\nRuntimeError: cublas runtime error : library not initialized at "
    "torch/lib/THC/THCGeneral.c"
)


@pytest.mark.parametrize("quoted", ["srcIndex < srcSelectDimSize", "`srcIndex < srcSelectDimSize`"])
def test_an_index_out_of_range_is_told_without_its_quotes_too(quoted: str):
    assert ruled(ASSERTED_OLD.format(quoted)) == "user-code"
    assert ruled(ASSERTED_OLD.format(quoted).partition("\n")[2]) == "oom-workload"


HIDDEN = "hidden-by-visible-devices"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("The server is started with CUDA_VISIBLE_DEVICES naming two of the eight cards.", HIDDEN),
        ("`CUDA_VISIBLE_DEVICES` is set by the scheduler.", HIDDEN),
        ("It happens when CUDA_VISIBLE_DEVICES does not contain 0", HIDDEN),
        ("Runs fine without CUDA_VISIBLE_DEVICES", "user-code"),
        ("CUDA_VISIBLE_DEVICES was not set", "user-code"),
        ("06:12:09 - server.utils - INFO - Set CUDA_VISIBLE_DEVICES = 1", HIDDEN),
        ("rank=0 os.environ.get('CUDA_VISIBLE_DEVICES')='4,5'", HIDDEN),
        ("rank=0 os.environ.get('CUDA_VISIBLE_DEVICES')=None", "user-code"),
    ],
)
def test_a_number_beyond_those_that_a_variable_leaves(told: str, cause: str) -> None:
    assert ruled(f"{told}\nRuntimeError: CUDA error: invalid device ordinal") == cause


@pytest.mark.parametrize(
    ("gpu", "cause"),
    [("NVIDIA GeForce RTX 3090", "user-code"), ("NVIDIA A100-SXM4-40GB", "mig")],
)
def test_mig_that_no_gpu_here_has(gpu: str, cause: str):
    told = f"mig.strategy=mixed\nGPU 0: {gpu} (UUID: GPU-aaaa)\n"
    assert ruled(told + "RuntimeError: CUDA error: invalid device ordinal") == cause


TWICE = "ncclInvalidUsage: Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 1000"


@pytest.mark.parametrize(
    ("set_device", "cause"),
    [
        ("torch.cuda.set_device(0)", "user-code"),
        ("torch.cuda.set_device(rank)", "visible-devices-too-late"),
    ],
)
def test_ranks_meet_on_the_first_gpu_where_code_sets_it(set_device: str, cause: str):
    assert ruled(f"import torch\n{set_device}\n{SETS}str(local_rank)\n{TWICE}") == cause
