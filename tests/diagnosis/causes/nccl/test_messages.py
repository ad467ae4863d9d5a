"""GPUs that cannot talk to each other, and what only looks like it."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

IN_TORCH = "RuntimeError: NCCL error in: ../c10d/NCCLUtils.hpp:121, {}, NCCL version 2.17.1"
STUCK = (
    "tf.distribute.MirroredStrategy is stuck.\nbatch_all_reduce: 4 all-reduces with algorithm = "
)
COPIED = (
    ">>> t.to('cuda:1')\ntensor([1., 2.], device='cuda:0')\n"
    ">>> t.to('cuda:1')\ntensor([0., 0.], device='cuda:1')\n"
)
OPERATION_ALONE = "No OpKernel was registered to support Op '{}' used by node reduce\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Timed out after 601 seconds waiting for clients. 1/2 clients joined.", "nccl"),
        ("2/2 clients have joined the round", "unknown"),
        ("It hangs at the first barrier; NCCL_P2P_DISABLE=1 makes it work.", "nccl"),
        ("NCCL_P2P_DISABLE=1 does not make it work", "unknown"),
        ("The GPU hangs on the bus to work", "unknown"),
        (IN_TORCH.format("invalid argument"), "nccl"),
        ("ncclInvalidArgument: Invalid value for an argument.", "nccl"),
        ("torch.distributed.DistBackendError: something failed", "nccl"),
        ("UnknownError: NCCL: internal error. Set NCCL_DEBUG=WARN for detail.", "nccl"),
        ("NCCL WARN Could not find a path for pattern 4, falling back to simple order", "unknown"),
        ("If DDP hangs, set NCCL_DEBUG=INFO", "unknown"),
        (
            (
                "node1: Test NCCL failure all_reduce.cu:43 'remote process exited or "
                "there was a network"
            ),
            "nccl",
        ),
        (
            (
                "socketPollConnect: Connect to 10.0.0.5<512> returned 111(Connection "
                "refused) errno 115"
            ),
            "nccl",
        ),
        ("[PG 0 Rank 0] Heartbeat monitor timed out! Process will be terminated", "nccl"),
        ("Watchdog got stuck for 480 seconds without making progress", "nccl"),
        (
            "transport/p2p.cc:238 NCCL WARN failed to open CUDA IPC handle : 30 unknown error",
            "nccl",
        ),
        ("misc/ibvwrap.cc:63 NCCL WARN Failed to open libibverbs.so[.1]", "unknown"),
        ("NCCL WARN NET/OFI Request completed with error. RC: 5. Error: unknown error", "nccl"),
        ("The call to cuIpcOpenMemHandle failed. This is an unrecoverable error", "nccl"),
        ("The call to cuIpcOpenMemHandle is the one that I would make", "unknown"),
        ("(GTL DEBUG: 1) cuIpcOpenMemHandle: invalid argument, CUDA_ERROR_INVALID_VALUE", "nccl"),
        ("(GTL DEBUG: 1) cuMemHostRegister: out of sight, line no 113", "unknown"),
        (
            "cuda_ipc_md.c:62   UCX  ERROR cuIpcGetMemHandle(&key->ph, addr)() failed: invalid",
            "nccl",
        ),
        (
            "cuda_ipc_cache.c:301  UCX  FATAL dest:1213: failed to open ipc mem handle. addr:0x7f",
            "nccl",
        ),
        (
            "main_nvshmem/src/host/init/init.cu:812: non-zero status: 7 nvshmem detect topo failed",
            "nccl",
        ),
        ("nvshmem is initialized in 3 s", "unknown"),
        ("transport/ibrc/ibrc.cpp: NULL value get_device_list failed", "nccl"),
        ("RendezvousConnectionError: The connection to the C10d store has failed.", "nccl"),
        (
            (
                "[c10d] The IPv6 network addresses of (node1, 29500) cannot be retrieved "
                "(gai error: -2"
            ),
            "nccl",
        ),
        ("nvidia_peermem: loaded", "unknown"),
        (STUCK + "nccl, num_packs = 1\n", "nccl"),
        (STUCK.replace("is stuck", "is used") + "nccl, num_packs = 1\n", "unknown"),
        ("the nccl test is stuck with -g 8", "nccl"),
        ("the download is stuck at 8 %", "unknown"),
        ("The hang is gone with NCCL_P2P_DISABLE=1", "nccl"),
        ("I tried NCCL_P2P_DISABLE=1 but it did not help; is that fixed?", "unknown"),
        ("export NCCL_P2P_DISABLE=1", "unknown"),
        ("Training freezes unless I set NCCL_P2P_DISABLE=1", "nccl"),
        ("the all_reduce never returns on two GPUs, which show 100%", "nccl"),
        ("all_reduce does not return an error", "unknown"),
        ("all_reduce test: both ranks say Init COMPLETE and then nothing happens", "nccl"),
        ("all_reduce_perf does not finish", "nccl"),
        ("DistributedDataParallel gets stuck in the forward pass with 2x 4090", "nccl"),
        ("I updated nccl, but nothing changed", "unknown"),
        ("My training on 16 GPUs comes to a standstill at the first AllReduce.", "nccl"),
        ("Before 2.18 my training came to a standstill at the first AllReduce.", "unknown"),
        ("OSError: (External)  Nccl error, invalid data type, detail: Resource", "nccl"),
        ("torch.distributed never gets past barrier() on two GPUs of one host", "nccl"),
        ("The second rank does not get past dist.barrier()", "nccl"),
        ("hang with nccl all_reduce_perf on 8 cards", "nccl"),
        ("Two of the four ranks hang at the very first all_reduce", "nccl"),
        ("Two of the four ranks hang at the first barrier of the road", "unknown"),
        (COPIED, "nccl"),
        ("Copying a tensor between two GPUs gives zeros on the second.", "nccl"),
        ("We move the data between two GPUs and then train", "unknown"),
        ("nvidia 0000:4a:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x0036]", "nccl"),
        ("AMD-Vi: Event logged [IO_PAGE_FAULT device=00:14.0 domain=0x0036]", "unknown"),
        ("MPI is not CUDA-aware: a buffer on the GPU was passed", "nccl"),
        ("RuntimeError: Distributed package doesn't have NCCL built in", "nccl"),
        ("Using RTX 4000 series doesn't support faster communication broadband via P2P", "nccl"),
        ("[3] is setting up NCCL communicator and retrieving ncclUniqueId from [0]", "nccl"),
        ("the job hangs when initializing NCCL\n", "nccl"),
        ("How to avoid that DDP hangs when the inputs are uneven?", "unknown"),
        # Processes stand where NCCL begins.
        ("Both processes are stuck while initializing the NCCL communicator.\n", "nccl"),
        ("Both processes are stuck while initializing the data loader.\n", "unknown"),
        # Words in Chinese.
        ("发现两个节点都卡在了init nccl后\n", "nccl"),
        ("多机多卡训练时卡住 单机可以\n", "nccl"),
        ("多机多卡训练没有问题\n", "unknown"),
        ("nvcc 无法找到 cl.exe\nD:\\CUDA\\bin\\nvcc -c ext.cu\n", "toolkit-missing"),
        # Numbers that nobody copied are no failure.
        (COPIED.replace("0., 0.", "1., 2."), "healthy"),
        (COPIED.replace(".to(", ".sum("), "healthy"),
        ("b = torch.zeros(2)\n" + COPIED, "healthy"),
        # An operation of NCCL is lacking in builds for GPUs too.
        (OPERATION_ALONE.format("NcclAllReduce"), "nccl"),
        (OPERATION_ALONE.format("NcclReduceInitInput"), "nccl"),
        (
            OPERATION_ALONE.format("NcclBroadcastSend") + "Registered devices: [CPU]\n",
            "cpu-only-build",
        ),
        (OPERATION_ALONE.format("CudnnRNN"), "cpu-only-build"),
    ],
)
def test_gpus_that_cannot_talk_are_told_from_their_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "all-reduces with algorithm = nccl\nMirroredStrategy never hangs here, it is only slow.\n",
        "all-reduces with algorithm = nccl\nMirroredStrategy hung in TF 2.2; it is gone in 2.3.\n",
        "TensorFlow: could not enable peer access between device ordinals 0 and 1",
        "torch.distributed gets past barrier() on two GPUs of one host",
        "I read about Nccl error codes in the manual of Paddle. How many are there?",
        "It no longer hangs when initializing NCCL since the update.\n",
        "If it hangs while initializing the NCCL communicator, set NCCL_DEBUG=INFO.\n",
        (
            "include/socket.h:403 WARN Socket creation failed: Address family not supported\n"
            "Epoch 1 loss 0.3\n"
        ),
    ],
)
def test_kin_of_gpus_that_cannot_talk_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        "hang with the printer",
    ],
)
def test_these_are_not_gpus_that_cannot_talk(text: str):
    assert ruled(text) != "nccl"


def test_a_count_of_warnings_is_no_warning():
    assert ruled(" NCCL WARN                       0\n") == "unknown"


ASSERTED = """Indexing.cu:1146: indexSelectLargeIndex: block: [3,0,0], thread: [32,0,0] Assertion
 `srcIndex < srcSelectDimSize` failed.
RuntimeError: CUDA error: device-side assert triggered
$ ./simpleP2P
{answer}
"""


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        ("Verification error @ element 1: val = 0.000000, ref = 4.000000", "nccl"),
        ("Test passed", "user-code"),
    ],
)
def test_an_index_came_wrong_from_another_gpu(answer: str, cause: str):
    assert ruled(ASSERTED.format(answer=answer)) == cause


REFUSED = "modprobe: ERROR: could not insert '{}': Invalid argument"


@pytest.mark.parametrize("module", ["nvidia_peermem", "nvidia-peermem", "nv_peer_mem"])
def test_a_module_for_network_cards_breaks_a_part_only(module: str) -> None:
    report = gpuprobe.explain(REFUSED.format(module))
    root = report.diagnosis.root
    assert root is not None
    assert root.cause == "nccl"
    assert report.verdict.value == "degraded"


def test_a_mapping_that_failed_may_have_been_for_another_gpu() -> None:
    root = gpuprobe.explain("CUDA error 205").diagnosis.root
    assert root is not None
    assert root.cause == "nccl"
    assert root.finding.confidence.name == "POSSIBLE"
    assert not root.finding.title.startswith("NCCL failed")


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("RuntimeError: Can't enable access between nodes 0 and 1\n", "nccl"),
        ("Enabled access between nodes 0 and 1\n", "unknown"),
    ],
)
def test_tensorrt_llm_opens_no_memory_of_a_neighbour(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


NCCL = "node-a:41233:41233 [0] NCCL INFO Using network Socket\n... {told}.\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("and there it sits", "nccl"),
        ("and there it goes", "unknown"),
        ("it just sits there for a minute, then training starts", "unknown"),
    ],
)
def test_a_program_stands_where_nccl_has_begun(told: str, cause: str):
    assert ruled(NCCL.format(told=told)) == cause


OPERATION = """No OpKernel was registered to support Op 'NcclAllReduce' used by {{{{node Reduce}}}}
Registered devices: [{devices}]
"""


@pytest.mark.parametrize(
    ("devices", "cause"),
    [("CPU, GPU", "nccl"), ("CPU, XLA_CPU, XLA_GPU, GPU", "nccl"), ("CPU", "cpu-only-build")],
)
def test_a_build_that_knows_gpus_lacks_nccl_alone(devices: str, cause: str):
    assert ruled(OPERATION.format(devices=devices)) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("It hangs with NCCL. With the gloo backend it works on all 4 GPUs.", "nccl"),
        ("When I set the backend to 'gloo', I can use all GPUs.", "nccl"),
        ("Gloo works on CPU tensors and on all platforms.", "unknown"),
        ("Would it work with gloo instead?", "unknown"),
        ("With gloo it does not work, neither does NCCL.", "unknown"),
    ],
)
def test_several_gpus_work_without_nccl(told: str, cause: str):
    assert ruled(f"DDP on 4 GPUs stops at the first step.\n{told}\n") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("NCCL error in: /src/torch/lib/c10d/NCCLUtils.hpp:38, unknown result code", "nccl"),
        ("I saw an NCCL error in: my first run, not since", "unknown"),
    ],
)
def test_torch_names_the_place_of_an_nccl_error(told: str, cause: str):
    assert ruled(f"RuntimeError: {told}\n") == cause


@pytest.mark.parametrize(
    "text",
    [
        "多机训练没有卡住, 速度正常",
        "多机运行不会卡住",
        "多机训练时如果卡住, 请检查防火墙",
        "之前多机训练卡住, 升级后解决了",
        "多机多卡训练正常, 但是数据加载卡住了很久",
        "多机环境下载模型卡住",
        "程序不是卡在 NCCL, 而是卡在数据读取",
        "昇腾 NPU 多机训练卡住, HCCL 超时",
        "如果提示 nvcc 找不到 cl.exe, 请安装 Visual Studio",
        "编译 lxml 时无法找到 cl.exe",
    ],
)
def test_chinese_words_of_other_things(text: str):
    assert ruled(f"{text}\n") == "unknown"


@pytest.mark.parametrize(
    "text", ["多机多卡训练, 一直卡住, 怎么解决", "程序卡在nccl初始化, 没有报错"]
)
def test_chinese_words_of_a_run_that_hangs(text: str):
    assert ruled(f"{text}\n") == "nccl"


@pytest.mark.parametrize(("library", "cause"), [("nccl", "nccl"), ("cublas", "cublas-missing")])
def test_nccl_that_is_not_found_is_a_matter_of_several_gpus(library: str, cause: str):
    name = f"lib{library}.so"
    assert ruled(f"OSError: {name}: cannot open shared object file: No such file") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "DMAR: [DMA Write] Request device [02:00.0] fault addr cd139000\n"
                "MirroredStrategy with 4 GPUs leads to an infinite loop"
            ),
            "nccl",
        ),
        ("DMAR: [DMA Write] Request device [02:00.0] fault addr cd139000", "unknown"),
        ("MirroredStrategy with 4 GPUs leads to an infinite loop", "unknown"),
    ],
)
def test_intels_iommu_refuses_what_a_gpu_writes(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("system", "said", "cause"),
    [
        ("Windows 10", "Windows and NCCL: isn't supported", "nccl"),
        ("Windows 11", "NCCL is not available on Windows, and MirroredStrategy wants it.", "nccl"),
        ("Windows 10", "There is no NCCL for Windows, how am I to train on two GPUs", "nccl"),
        ("Windows 10", "NCCL is not supported on Windows, so I take gloo and it runs.", "unknown"),
        ("Windows 10", "Is NCCL not supported on Windows?", "unknown"),
        ("Ubuntu", "NCCL is not supported on Windows.", "unknown"),
        (
            "Windows 10",
            "No NCCL on Windows.\nRuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB",
            "oom-workload",
        ),
    ],
)
def test_on_windows_somebody_misses_nccl(system: str, said: str, cause: str) -> None:
    assert ruled(f"OS: {system}\n{said}\n") == cause


BY_PEERS = (
    "I trained for a week and now NCCL only works with NCCL_P2P_DISABLE=1, which is a pity as both "
    "cards are in one machine"
)
NO_INTERFACE = (
    "node0:18233:18233 [0] bootstrap.cc:40 NCCL WARN Bootstrap : no socket interface found between "
    "the two machines of this cluster"
)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("NCCL WARN Connect to 10.0.0.3<5000> failed : Connection refused", "Connection refused"),
        (BY_PEERS, "peer access is to blame, as the text says"),
        (NO_INTERFACE, "it did not get through the network"),
    ],
)
def test_no_title_is_a_sentence_that_was_cut(line: str, why: str):
    root = gpuprobe.explain(f"{line}\n").diagnosis.root
    assert root is not None
    assert root.finding.title.partition(": ")[2].endswith(why)
