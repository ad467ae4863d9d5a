"""What NCCL, MPI and the frameworks say when GPUs talk to each other."""

from ..sign import Sign
from ..text import cues

#: Chinese words for a run that hangs, and what makes of them a condition, a denial or a past.
_HANGS = r"(?:卡住|卡死|卡在|停在|挂起|hang住)"
_NO_HANG = (
    rf"(?:如果|一旦|万一)[^。,\n]{{0,8}}{_HANGS}"
    rf"|(?:没有?|不会|不再|不是|未)(?:再|出现|被|一直){{0,2}}{_HANGS}"
    rf"|(?:\A|[。,])(?:之前|以前)[^。,\n]{{0,16}}{_HANGS}"
    r"|解决了|已解决|就好了|一切正常|后正常|恢复正常|\bhccl|昇腾"
)

SIGNS = (
    Sign(
        "ray-worker",
        "a worker process of Ray says it, or somebody who finds no GPU in one and one outside",
        ("raytaskerror", "ray::", "(pid=", "is_available()"),
        r"RayTaskError|\bray::\w|\((?:[\w.]+ )?pid=\d+(?:, ip=[\d.]+)?\) [^\n]*(?:cuda|gpu)"
        r"|\A(?=.{1,500}\Z)(?=.*is_available\(\))(?=.*\bTrue\b)(?=.*\bFalse\b)"
        r"(?=.*\b(?:in|inside|within|from) (?:the|an?|my|each|its)\b).*"
        r"((?<![\w-])ray(?:\.\w+| (?:actor|task|worker|trial|remote)))",
    ),
    Sign(
        "ray-without-request",
        "code gives a task of Ray's to a worker and asks for no GPU for it, or Ray gave it none",
        ("@ray.remote", "get_gpu_ids()"),
        r"\A\W{0,6}@ray\.remote(?:\((?![^)\n]*gpu)[^)\n]*\))?\s*(?:#[^\n]{0,120})?\Z"
        r"|\bget_gpu_ids\(\)[^.\n]{0,24}(?:\bempty\b|\[\])",
    ),
    Sign(
        "ray-with-request",
        "code asks Ray for a GPU for one of its tasks",
        ("num_gpus", "use_gpu", "resources_per_"),
        r"\A(?!.*\bray\.init\().*\bnum_gpus(?:_per_worker)?['\"]?\s?[=:]\s?(?!0(?![.\d]))"
        r"|\buse_gpu\W{1,3}True|\bresources_per_\w{1,12}\s?=[^\n]{0,40}gpu",
    ),
    Sign(
        "nccl-warning",
        "NCCL warns; the value is its text",
        ("nccl warn",),
        r"NCCL WARN (?!\s*\d{1,9}\s*\Z|Cuda failure|Failed to open libibverbs"
        r"|Insufficient driver: "
        r"|Could not find a path for pattern)"
        r"(.{1,160})",
    ),
    Sign(
        "nccl-cuda-failure",
        "a CUDA call inside NCCL failed; the value is CUDA's text",
        ("cuda failure",),
        # Before its release 2.4 the line does not bear NCCL's name.
        r"(?:NCCL|\bWARN src/\w{2,20}\.cu:\d{1,4} )[^\n]{0,40}Cuda failure (?:\d+ )?'?([\w \-]+)",
    ),
    Sign(
        "nccl-no-gpu-memory",
        "NCCL asked CUDA for memory and got none; the value is its text",
        ("failed to cuda ",),
        r"\b(Failed to CUDA (?:host )?[cm]?alloc(?: async)? \d{1,12} bytes)",
    ),
    Sign(
        "nccl-shared-memory",
        "NCCL could not make its segment in /dev/shm",
        ("dev/shm", "posix_fallocate", "shared memory segment", "shm_open"),
        r"call to posix_fallocate failed ?: (.{1,60})|error while (?:creating|attaching to) shared"
        r" memory segment|/dev/shm[^\n]{0,60}no space left|failed to (?:open|extend)"
        r"[^\n]{0,20}/dev/shm"
        r"|unable to open shared memory|shm_open[^\n]{0,40}failed|no space left[^\n]{0,40}/dev/shm",
    ),
    Sign(
        "bus-error",
        "a process died of a bus error, which a full /dev/shm brings about",
        ("bus error",),
        r"bus error|SIGBUS",
    ),
    Sign(
        "bus-error-in-nccl",
        "the frames of a bus error are NCCL's, or its call is named; the value is the call",
        ("nccl", "bus error"),
        r"\A\s*\d{1,3} +0x[0-9a-f]{8,16} (nccl[A-Z]\w{3,40})\(\)"
        r"|\bbus error\b[^\n]{0,40}\b(?:in|on|at)\b[^\n]{0,20}\b(nccl[A-Z]\w{3,40})\b",
    ),
    Sign(
        "nccl-tests-fail-told",
        "somebody says that NCCL's own tests fail",
        ("nccl-tests", "nccl tests"),
        r"\A(?=.{1,300}\Z)(?!.*(?:\?|\b(?:if|unless|should|may|might|no longer|fixed)\b)).*?"
        r"\b(nccl[- ]tests (?:crash(?:es)?|fails?|die|abort|segfaults?)\b[^.\n]{0,40})",
    ),
    Sign(
        "nccl-kernel-too-large",
        "NCCL's kernels ask for more shared memory of a GPU's multiprocessors than there is",
        ("ncclmaxsharedmem ",),
        r"\bncclMaxSharedMem \d{3,7} exceeds device/fn maxSharedMem \d{3,7}",
    ),
    Sign(
        "nccl-library-missing",
        "a framework does not find NCCL's library",
        ("unable to load nccl library", "may need to install 'nccl2'"),
        r"\b(Unable to load NCCL library)\b|\bmay need to install 'nccl2' from NVIDIA official",
    ),
    Sign(
        "nccl-timeout",
        "a collective operation was not finished in time",
        cues(
            "nccl timeout|collective operation timeout|nccl communicator was aborted"
            "|is setting up nccl communicator|distnetworkerror: the client socket has"
            "|store based barrier|rendezvousconnectionerror|rendezvoustimeouterror"
            "|retrieved (gai error|clients joined|heartbeat monitor timed out|watchdog got stuck"
            "|processgroupnccl watchdog hang"
        ),
    ),
    Sign(
        "nccl-hangs",
        "somebody says that NCCL, or a test of it, does not come back",
        cues(
            "nccl|all_reduce|allreduce|all-reduce|init complete|多机|barrier()|barrier`"
            "|all_gather_perf|reduce_scatter_perf|sendrecv_perf"
        ),
        r"(?:\bnccl\w*|all[_-]?reduce\w*|Init COMPLETE)\b[^\n]{0,80}?(?:\b(?:never|does(?: not|n't)"
        r"|did(?: not|n't)|do(?: not|n't)) (?:return|complete|finish|come back|end)\w*\b"
        r"(?! (?:an? |any |the )?(?:errors?|correct|right|wrong|same))"
        r"|\b(?:then|and|after (?:that|this|which)|but)\W{1,2}(?:then )?nothing"
        r"(?=\s*(?:[.,;!)]|\Z|happens|happened|more|else|is printed))"
        r"|\bblocks? forever\b|\bno (?:further|more) output\b)"
        r"|\A(?!.*(?:\?|\b(?:before|fixed|solved|no longer|paper)\b)).*?"
        r"\bcomes? to a (?:standstill|halt) (?:at|in|with) (?:the )?(?:\w+ )?all[_-]?reduce"
        r"|\b(?:never|does(?: not|n't)|cannot|can't) (?:gets?|comes?|goes?) past "
        r"[^\n]{0,24}\bbarrier\b"
        r"|\b(?:all_reduce|all_gather|reduce_scatter|sendrecv)_perf\b[^\n]{0,120}\bhangs?\b"
        r"|(?:nccl|all_?reduce)\w*[^\n]{0,60}\b(?:hangs?|hung|stuck|deadlock\w*|freez\w+|卡住|卡死)"
        rf"|\A(?!.*(?:{_NO_HANG})).{{0,200}}?(?:(?:卡在|卡死在|停在)了?[^\n]{{0,20}}(?<![a-z])nccl"
        # Of the run itself: no file is read, nothing is fetched, and no shell of another machine.
        r"|多机(?:(?!hccl|ssh|下载|读取|加载)[^。,;\n]){0,20}\W{0,2}(?:就|会|总是|一直)?"
        r"(?:卡住|卡死|挂起|hang住))"
        r"|(?<!longer )(?<!never )(?<!if it )(?<!will it )"
        r"(?:hang(?:s|ing)?|hung|stuck|deadlock\w*|freez\w+|卡住|卡死)\b[^\n]{0,40}"
        r"\b(?:in|at|on|with|during|running|when running|initiali[sz]ing) "
        r"(?:(?:the|every|each) |(?:some|an?|one) (?:\w+ ){0,6}?)?"
        r"(?:(?:very )?(?:first|second|next) )?(?:nccl|all_?reduce)\w*",
    ),
    Sign(
        "nccl-started",
        "NCCL tells over which network it connects, or which rank it is",
        ("nccl info using network", "nccl info bootstrap : using", "nccl info rank "),
        r"NCCL INFO (?:using network|bootstrap : using \S{1,30}:\d|rank \d{1,4} nranks \d)",
    ),
    Sign(
        "nccl-by-bridge",
        "NCCL connects by the bridge of containers or virtual machines, which ends in its machine",
        ("nccl info bootstrap : using", "nccl info net"),
        r"NCCL INFO (?:bootstrap|net(?:/socket)?) ?: using (?:\[0\])?"
        r"((?:docker|virbr|lxcbr|lxdbr|podman|cni)\d|br-[0-9a-f]{6,12}):",
    ),
    Sign(
        "sits-told",
        "somebody says that a program stands there and does nothing",
        ("it sits", "just sits", "never moves on", "hangs after "),
        r"\A(?!.*\b(?:then|until|for an?|minutes?|seconds?)\b).*?"
        r"\b(there it sits|just sits there|stops here and never moves on"
        r"|hangs after (?:the|this|that|its) last line)(?=\s*(?:[:.,!]|forever\b|\Z))",
    ),
    Sign(
        "tf-nccl-reduces",
        "TensorFlow adds up gradients of several GPUs through NCCL",
        ("with algorithm = nccl",),
    ),
    Sign(
        "mirrored-hangs",
        "somebody says that TensorFlow's MirroredStrategy does not go on",
        ("mirroredstrategy",),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|unless|may|might|avoid|prevent\w*|fix\w*|never|not"
        r"|gone)\b)).*?(MirroredStrategy[^\n.;]{0,40}?\b(?:hangs|(?:gets|is) stuck(?! at)"
        r"|deadlocks|freezes|leads to an (?:infinite|endless))\b)",
    ),
    Sign(
        "nccl-unhandled",
        "an NCCL call failed; the value is the kind",
        cues(
            "unhandled system error|unhandled cuda error|nccl error|nccl_error|ncclsystemerror"
            "|ncclinternalerror|ncclunhandledcudaerror|ncclremoteerror|ncclinvalidusage"
            "|ncclinvalidargument|distbackenderror|nccl: |test nccl failure"
        ),
        r"(unhandled system error|unhandled cuda error|internal error|invalid usage|remote process"
        r" exited|remote error)|Nccl error, (\w[\w ]{4,100}\w), detail"  # Paddle
        r"|NCCL error in: [^\n]{1,200}?, (invalid argument)"
        r"|\bFailed, NCCL error \S{1,200}:\d{1,5} '([\w ]{4,60})'"  # TensorRT-LLM
        # A title.
        r"|\A\W{0,4}(NCCL error)(?: \d)? (?:when|with|while|during|on|in)"
        r" (?:train|multi|2|two|dist)"
        # torch's own frame of it, whatever the kind is that follows
        r"|NCCL error in: \S{1,200}\.(?:cpp|cu|hpp):\d{1,5}, (\w[\w ]{4,100}\w)(?! ?\w)"
        r"|nccl(SystemError|InternalError|UnhandledCudaError|RemoteError|InvalidUsage"
        r"|InvalidArgument)|NCCL_?ERROR|DistBackendError",
    ),
    Sign(
        "nccl-duplicate-gpu",
        "two ranks use one GPU",
        ("duplicate gpu detected",),
        r"duplicate GPU detected ?: ?(rank \d+ and rank \d+)",
    ),
    Sign(
        "nccl-network",
        "NCCL found no network interface, or its connection was refused",
        cues(
            "no socket interface found|connection refused|no route to host|connect to"
            "|socketstartconnect|ncclsocketinit|ib_dev|mlx5|ibv_|warn call to"
            "|warn socket creation"
        ),
        r"no socket interface found"
        # Before its release 2.4 NCCL's warnings do not bear its name, and name its source.
        r"|\bsocket\.(?:h|cc|cu):\d{1,4} WARN (Call to \w{3,12} failed : [A-Z][\w ]{3,60}"
        r"|Socket creation failed : [A-Z][\w ]{3,60})"
        r"|(?:NCCL|socketPollConnect|socketStartConnect)[^\n]{0,160}(connection refused"
        r"|no route to host"
        r"|connection timed out)"
        r"|socketStartConnect: (?:Connect to \S{1,80} failed ?: ?([A-Z][\w ]{3,60})"
        r"|(exceeded (?:timeouts|retries|error retry count)))"
        r"|ncclSocketInit: (connecting to address)"
        r"|NET/IB[^\n]{0,80}(?:error|fail)|call to (ibv_\w+) failed",
    ),
    Sign(
        "peer-handle-refused",
        "MPI, UCX or NCCL could not open memory of another process's GPU; the value is the call",
        ("cuipc", "cuda ipc handle", "failed to open ipc mem handle"),
        r"The call to (cuIpc\w+) failed|UCX +ERROR +(cuIpc\w+)|(failed to open CUDA IPC handle)"
        r"|UCX +FATAL\b[^\n]{0,40} (failed to open ipc mem handle)"
        r"|\(GTL DEBUG: \d{1,6}\) (cuIpc(?:Open|Get)\w{1,24}): [a-z]",  # Cray's MPICH
    ),
    Sign(
        "nvshmem-failed",
        "NVSHMEM did not start; the value is why",
        ("nvshmem", "get_device_list failed"),
        r"(nvshmem (?:initialization|detect topo|setup connections|bootstrap\w*)[^\n]{0,20} failed)"
        r"|(NULL value get_device_list failed)",
    ),
    Sign(
        "peermem-refused",
        "the module by which network cards reach the GPU's memory is not loaded; the value is it",
        ("peermem", "nv_peer_mem"),
        r"couldn't enable GPUDirect RDMA\. Please make sure (nv_peer_mem)"  # UCX
        r"|(?:could not insert|not find|FATAL: Module)[^\n]{0,12}"
        r"\b(nvidia[-_]peermem|nv_peer_mem)\b"
        r"|(nvidia[-_]peermem|nv_peer_mem): (?:Unknown symbol|disagrees about version)",
    ),
    Sign(
        "nccl-version-mismatch",
        "ranks or libraries use different NCCL versions",
        ("mismatched nccl version", "nccl version mismatch", "incompatible nccl version"),
    ),
    Sign(
        "nccl-older-than-caller",
        "NCCL refuses what callers since its release 2.17 leave unset",
        ("config blocking attribute value -2147483648",),
    ),
    Sign(
        "peer-access-refused",
        "two GPUs cannot reach each other's memory",
        (
            *("peer access is not supported", "p2p is disabled", "p2p not supported"),
            *("peer-to-peer", "nvlink errors on gpu", "'s nvlink link "),  # DCGM: the last two
            "marked degraded for error on linkid",  # the kernel's module
        ),
        r"(GPU \d{1,3}(?: was)? unsuccessfully (?:written to|wrote data) in a peer-to-peer test)"
        r"|(Detected [1-9]\d* \w+ NvLink errors on GPU \d{1,3})"
        r"|NVRM[^\n]*(GPU\d{1,3} marked Degraded for error on linkId \d{1,2})"
        r"|(GPU \d{1,3}'s NvLink link \d{1,2} is currently down)"
        r"|peer access is not supported|p2p[^\n]{0,30}(?:disabled|not supported)|peer-to-peer"
        r"[^\n]{0,40}"
        r"(?:not supported|unavailable|disabled)",
    ),
    Sign(
        "peer-access-not-given",
        "TensorRT-LLM could not open the memory of one GPU to another",
        ("enable access between nodes",),
        r"can(?:no|')t enable access between nodes \d+ and \d+",
    ),
    Sign(
        "p2p-not-by-product",
        "accelerate stops on products without peer access until it is told to do without",
        ("doesn't support faster communication broadband via p2p",),
    ),
    Sign(
        "peer-copy-wrong",
        "somebody says that what is copied from one GPU to another arrives wrong",
        ("between", "across", "from one", "cuda:1", "gpu1", "gpu 1"),
        r"\b(?:cop(?:y|ies|ied|ying)|mov(?:e|ed|ing)|transfer\w*)\b[^\n.]{0,60}\b(?:between|across"
        r"|from one|gpu ?0\b[^\n.]{0,20}gpu ?1|cuda:0\b[^\n.]{0,20}cuda:1)\b[^\n.]{0,60}\b(?:zeros?"
        r"|zeroed|garbage|corrupt\w*|incorrect\w*|fail(?:s|ing)? silently|silently fail\w*)\b",
    ),
    Sign(
        "peer-copy-verified-wrong",
        "NVIDIA's sample for peer access found wrong data",
        ("verification error @ element",),
    ),
    Sign(
        "iommu-page-fault",
        "the IOMMU refused what a GPU wrote or read",
        ("io_page_fault",),
        r"nvidia[^\n]{0,60}IO_PAGE_FAULT",
    ),
    Sign(
        "dmar-fault",
        "Intel's IOMMU refused what a device wrote or read, and does not tell which device it is",
        ("dmar: [dma ",),
        r"\bDMAR: \[DMA (?:Read|Write)\] Request device\b",
    ),
    Sign(
        "nccl-peer-access-to-blame",
        "somebody says that NCCL works once it does without peer access",
        ("nccl_p2p_disable",),
        r"\b(?:works?|worked|helps?|helped|solved|fix(?:es|ed)|workaround|unless|goes away|gone"
        r"|resolved)\b[^\n]{0,60}NCCL_P2P_DISABLE ?= ?1"
        r"|NCCL_P2P_DISABLE ?= ?1(?:(?!\bnot\b|n't)[^\n.;?]){0,30}"
        r"\b(?:works|worked|helps|helped|solves|solved|fixes|fixed"
        r"|(?:makes|made) it (?:work|run))\b",
    ),
    Sign(
        "works-with-gloo",
        "somebody says that several GPUs work once Gloo, by way of the CPU, takes NCCL's place",
        ("gloo",),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|whether|should|would|may|might|not|cannot|nor|neither"
        r"|fails?|failed)\b|n't)).*?\b(?:when|once|after|with) (?:I )?(?:(?:set|switch|chang|us"
        r"|replac)\w*[^\n.;]{0,40})?(?:the )?\W?gloo\b[^\n.;]{0,40}"
        r"\b(?:I can|it (?:works|runs)|all works)\b",
    ),
    Sign(
        "acs-enabled",
        "PCIe access control stands between the GPUs",
        ("acsctl:", "acs enabled"),
        r"ACSCtl:\s+SrcValid\+|ACS (?:is )?enabled",
    ),
    Sign(
        "mpi-not-cuda-aware",
        "the MPI was built without CUDA",
        ("not cuda-aware", "cuda-aware support: no"),
    ),
    Sign(
        "mps-failed",
        "the MPS daemon or server is at fault",
        ("mps client failed to connect", "mps server", "nvidia-cuda-mps"),
        r"MPS client failed|MPS server is not ready|nvidia-cuda-mps[\w-]*[^\n]{0,60}(?:fail"
        r"|error|not"
        r" running)",
    ),
    Sign(
        "no-gpu-to-choose",
        "GPUs were asked for, and the program lists none",
        ("machine only has: []",),
    ),
    Sign(
        "deepspeed-slot-missing",
        "DeepSpeed's launcher was to use a GPU that the host does not have; the value is which",
        ("' specified on host '",),
        r"No slot '(\d{1,3})' specified on host '",
    ),
    Sign(
        "not-enough-gpus",
        "more GPUs were asked for than there are: asked, there",
        cues(
            "you requested gpu|world size (|tensor parallel size|requested more"
            "|total number of gpus|machine only has|number of required gpus exceeds"
            "|invalid cuda device index|to less than max local gpu count"
        ),
        r"requested gpu:? ?\[?([\d, ]+)\]?.{0,60}?(?:machine only has|available)"
        r"[^\d\n\[]{0,6}\[?([\d, ]+)"
        r"|your machine only has:? ?\[([\d, ]+)\]|number of required (GPUs exceeds)"
        r"|world size \((\d+)\) is larger than the number of available GPUs \((\d+)\)"
        r"|invalid CUDA device index \W?(\d+)\W[^\n]{0,80}there (?:is|are) ([1-9]\d*) visible"
        r"|tensor parallel size \(?(\d+)\)? (?:cannot be|is) larger than[^\d\n]{0,60}(\d+)"
        r"|tensor_parallel_size \((\d+)\) to less than max local gpu count \((\d+)\)",
    ),
)
