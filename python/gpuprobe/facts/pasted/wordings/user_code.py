"""What points at the program that ran rather than at the machine."""

from ..sign import Sign
from ..text import cues

#: Words of those who say that their choice of a GPU does nothing.
_NO_QUESTION = (
    r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:by default|should|would|might|(?<!even )if|how to)\b)).*?"
)
_FIRST = (
    r"(?:(?:gpu|cuda|device|card)(?: (?:index|id|number))?[: ]?#?0\b|(?:the )?first (?:gpu|card"
    r"|device)\b)"
)
_WHICHEVER = r"\b(?:regardless of|no matter|whatever|whichever|even (?:if|though|when)|although)\b"
_CHOOSE = r"(?:set|pass|assign|select|choose|chose|specif(?:y|ied)|give|gave)\b"
_TAKES = r"\b(?:us(?:es?|ing)|runs?|running|trains?|training|goes|picks?|takes?|selects?)\b"
#: Of what a program could do, and does not.
_NEVER = r"(?: not|n't| never)(?: actually| being| ever)?"

SIGNS = (
    Sign(
        "kernel-source-missing",
        "NVRTC does not find a source file that the program brings along, which is the value",
        ('cannot open source file "',),
        # CUDA's own are never named so; hashcat gives NVRTC those that it has for OpenCL.
        r"\bcannot open source file \"([^\"\n]{1,200}\.cl)\"",
    ),
    Sign(
        "gpu-choice-ignored",
        "somebody says that the program takes the first GPU, whichever it is given",
        ("regardless of", "no matter", "whatever", "whichever", "even ", "although"),
        rf"{_NO_QUESTION}({_TAKES}[^.\n]{{0,16}}{_FIRST}[^.\n]{{0,12}}{_WHICHEVER}[^.\n]{{0,40}}"
        rf"\bI (?:\w+ )?{_CHOOSE}"
        rf"|{_WHICHEVER}[^.\n]{{0,24}}\b(?:gpus?|devices?|gpu_ids?|cards?)\b[^.\n]{{0,12}}\bI"
        rf" (?:\w+ )?{_CHOOSE}[^.\n]{{0,24}}{_TAKES}[^.\n]{{0,16}}{_FIRST}"
        rf"|{_WHICHEVER}[^.\n]{{0,6}}\bI (?:\w+ )?{_CHOOSE}[^.\n]{{0,8}}\b(?:gpu|device|card)"
        rf"[^.\n]{{0,24}}{_TAKES}[^.\n]{{0,16}}{_FIRST})",
    ),
    Sign(
        "work-on-first-gpu",
        "somebody says that the program computes on the first GPU, or on all of them",
        cues(
            "gpu 0|gpu0|gpu #0|card 0|first gpu|first card| gpus| cards|gpu 1|gpu1|card 1"
            "|second gpu|second card|gpu 2|gpu 3|gpu2|gpu3"
        ),
        rf"{_NO_QUESTION}(?<!'s )(?<!other )(?<!its )(?<!their )(?<!server )"
        r"\b((?:it|they|training|process|program|script|model|job|replicas|workers|everything)\b[^.\n]{0,24}\b(?:sits?|runs?|is|are|lands?|lies|ends?"
        r"|goes|stays?|uses?|takes?|occup(?:y|ies))\b[^.\n]{0,8}"
        r"\b(?:(?:gpu|card) ?#?0\b|first (?:gpu|card)\b"
        r"|(?:both|all)(?: of)?(?: the| my)?(?: \w{1,5})? (?:gpus|cards)\b)"
        r"|nvidia-smi\b[^.\n]{0,24}\b(?:process|job|program|training|python|script|it)\b[^.\n]{0,12}"
        r"\bon (?:gpu ?|card ?)?#?0\b"
        r"|\b(?:(?:gpu|card) ?#?[1-9]|second (?:gpu|card)) (?:is|stays|remains|sits|was)"
        r" (?:still |always )?(?:empty|idle|unused|not (?:being )?used|free)\b"
        r"|\bstill (?:gpu|card) ?#?0 (?:is|gets) (?:being )?(?:used|busy|occupied|taken)\b"
        r"|\ball (?:\w{1,5} )?(?:gpus|cards) (?:are|get) (?:still |being )?(?:used|busy|occupied"
        r"|taken)\b"
        r"|\b(?:gpu|card) ?#?0,? (?:instead of|and not|rather than) (?:gpu|card|on)? ?#?[1-9]\b)",
    ),
    Sign(
        "dask-context-elsewhere",
        "Dask-CUDA found CUDA begun on another GPU before it gave a worker its own",
        ("should have a cuda context assigned to device",),
        r"(CUDA context assigned to device \d{1,2}, but instead the CUDA context is on device \d)",
    ),
    Sign(
        "sycl-too-many-registers",
        "a kernel of SYCL's needs more registers than a work-group of this size leaves it",
        ("registers per work-group cannot exceed",),
        r"registers per work-group cannot exceed \d{1,7} for this kernel",
    ),
    Sign(
        "catboost-not-on-gpu",
        "CatBoost was given a setting that it has for the CPU alone; the value is its words",
        ("for task type gpu", "on gpu", "for gpu"),
        r"\bCatboostError: (?:\S{1,120}:\d{1,5}: )?([^\n]{0,60}?\b(?:is unimplemented for task type"
        r" GPU|(?:is|are) (?:currently )?(?:not (?:supported|implemented)|unsupported"
        r"|unimplemented) (?:on|for) GPU)\b)",
    ),
    Sign(
        "siftgpu-draws",
        "a program has SiftGPU draw with OpenGL, which needs a display, and not compute with CUDA",
        ("[siftgpu language]",),
        r"\[SiftGPU Language\]:\s{0,8}(?:GLSL|CG)\b",
    ),
    Sign(
        "first-device-set",
        "code sets the first GPU as the one that torch uses",
        ("cuda.set_device(",),
        r"(?a)\A\s{0,40}(torch\.cuda\.set_device\((?:device=)?(?:0|['\"]cuda:0['\"])\))",
    ),
    Sign(
        "index-assertion",
        "an index was out of range in a kernel: the data or the model is wrong",
        cues("assertion `|index out of bounds|assertion '|] assertion |index out of range in self"),
        # Not what a program asserts on the CPU: "main.cpp:12: int f(): Assertion `p' failed."
        r"\A(?!.{0,1000}?\.(?:c|cc|cpp|cxx):\d{1,6}: )"
        # A kernel's assertion has the same mark behind the condition as in front of it.
        r"(?!.{0,1000}?\.cuh?:\d{1,6}: .{1,200}?: Assertion `[^`'\n]{1,120}' failed)"
        r".*?assertion [`'](?![^`'\n]{0,100}(?:cudaSuccess|_STATUS_SUCCESS))"
        r"([^`'\n]{1,120})[`']? ?failed"
        r"|\bblock: \[[\d, ]{5,40}\], thread: \[[\d, ]{5,40}\] assertion ([^`'\n]{1,120}) failed"
        r"|(index out of bounds)|(index out of range in self)",  # as torch has it on the CPU
    ),
    Sign(
        "labels-beyond-classes",
        "a label is no class of the model, as TensorFlow says it; the value is the label",
        ("received a label value of",),
        r"Received a label value of (-?\d{1,9}) which is outside the valid range",
    ),
    Sign(
        "code-asks-for-cpu",
        "code tells a library to compute on the CPU",
        cues(
            "cpuexecutionprovider|use_cuda|use_gpu|force_cpu|n_gpu_layers|model_kwargs|device="
            "|device('cpu')"
            '|device("cpu")|tree_method'
        ),
        r"\bproviders\s?=\s?\[['\"]CPUExecutionProvider['\"]\]|\buse_(?:cuda|gpu)\s?=\s?False\b"
        r"|\bforce_cpu\s?=\s?True\b|\bn_gpu_layers\s?=\s?0\b|[(,]\s?device\s?=\s?['\"]cpu['\"]"
        r"|\bmodel_kwargs\s?=\s?\{['\"]device['\"]: ?['\"]cpu['\"]"
        r"|\bdevice\s?=\s?torch\.device\(['\"]cpu['\"]\)"
        # XGBoost's way of the CPU, unless a device is named.
        r"|\bXGB\w+\((?![^\n]{0,400}\b(?:gpu|cuda))[^\n]{0,400}?\btree_method\s?=\s?['\"]hist['\"]",
    ),
    Sign(
        "code-leaves-gpu-out-told",
        "somebody read that code never gives its work to the GPU, so that the CPU does it",
        ("device", ".cuda(", "to the gpu", "to gpu", "to cuda"),
        r"\A(?=.{1,400}\Z)"
        r"(?=.*\b(?:on|to|takes?|uses?|by) (?:the |my )?CPU\b(?! (?:version|build)))"
        r"(?!.*\b(?:if|unless|when|should|would|fixed|solved|error"
        r"|no longer|memory|cpuinfo|by default)\b).*?("
        rf"\bdevice[`'\"]?(?: \w+){{0,2}} (?:is|was|gets){_NEVER}"
        r" used\b|\bdevice[`'\"]?(?: \w+){0,2} (?:is|was|gets) (?:defined|set|created|parsed|read)"
        r"[^.\n]{0,30}\b(?:but|and)(?: then| is)? (?:never|not) used\b"
        r"|\b(?:models?|network|net|tensors?|data|inputs?|module|weights)\b[^.\n]{0,24}?\b(?:is|are"
        rf"|was|were|gets?){_NEVER} (?:moved|sent|put|transferred"
        r"|copied|pushed) (?:on)?to (?:the )?(?:gpu|device|cuda)\b"
        r"|\b(?:never|nothing|nobody|does(?: not|n't)) (?:\w+ )?"
        r"(?:calls?|moves?|sends?|puts?|passes)\b"
        r"[^.\n]{0,40}?(?:\.to\(|\.cuda\(|\bto (?:the )?(?:gpu|device|cuda)\b)"
        r"|\b(?:there is|has|with) no [`'\"]?(?:\w+)?(?:\.to\(|\.cuda\())",
    ),
    Sign(
        "isaac-physics-on-cpu",
        "Isaac Gym was started with its physics on the CPU, and leaves the GPU alone with it",
        ("gpu pipeline with cpu physics",),
    ),
    Sign(
        "mxnet-module-on-cpu",
        "a Module of MXNet is made without a context, so that it is the CPU's",
        ("mod.module(", "module.module("),
        r"\b(?:mx|mxnet)\.mod(?:ule)?\.Module\((?![^\n]{0,200}\b(?:context|ctx)\b)[^()\n]{1,200}\)",
    ),
    Sign(
        "mxnet-gpu-named",
        "code gives a model of MXNet a GPU",
        ("mx.gpu(", "mxnet.gpu("),
        r"\b(?:context|ctx)\w{0,20}\s?=\s?\[?\s?(?:mx|mxnet)\.gpu\(",
    ),
    Sign(
        # Of programs that may compute: an editor, a pager or a script of a shell has nothing there.
        "process-stopped",
        "a job was stopped and not ended, as Ctrl+Z does; the value is its command",
        ("stopped", "suspended"),
        r"(?a)\A\s{0,4}\[\d{1,3}\]\s{0,3}[+-]?\s{1,4}(?:\d{1,9}\s{1,4})?(?:stopped|suspended)\s{1,40}"
        r"((?:\w{1,60}=\S{0,100} |(?:nohup|sudo|time|nice) ){0,4}(?:\S{0,120}/)?"
        r"(?:python[\d.]{0,5}(?! -m (?:http|pip|venv|json)\b)|ipython|jupyter[\w-]{0,12}"
        r"|torchrun|accelerate|deepspeed|mpirun|vllm|ollama|llama-\w{1,12}|julia|gmx\w{0,8}|namd\d?|lmp\w{0,8}|pmemd\S{0,12}|blender|darknet"
        r"|hashcat|[\w.-]{1,80}\.py)(?:\s.{0,120})?)\Z",
    ),
    Sign(
        "torch-invalid-device-id",
        "a list of devices names one that is not there",
        ("invalid device id",),
        r"(AssertionError: Invalid device id)\b",
    ),
    Sign(
        "device-index-refused",
        "a program was given the number of a GPU that it does not see",
        (
            "illegal value for deviceindex",  # OpenMM
            *("device id must be less than gpu count", "invalid cudaplace("),  # Paddle
            "invalid value for main_gpu",  # llama.cpp
            "invalid cuda 'device=",  # Ultralytics
            "invalid device ordinal value (",  # TensorFlow
            "invalid or unsupported gpu id",  # Triton's server
            "invalid gpu id:",  # MXNet
            "experiment specified gpu device",  # AllenNLP
            # Paddle, and its launchers
            *("exceeds gpu card number", "can't find your ", "the selected gpu card "),
            *("is not visible (cuda_visible_devices=", "exceeds available gpus in"),  # torch
            "invalid cuda device id: ",  # MATLAB
        ),
        # Of none at all it is no matter of the number.
        r"(Illegal value for DeviceIndex: [1-9]\d{0,3})\b"
        r"|(Device id must be less than GPU count)[^\n]{0,40}GPU count is: [1-9]"
        r"|(specified GPU device \d{1,3}) but there (?:are|is) only [1-9]"
        r"|(Invalid CUDAPlace\(\d{1,3}\)), must inside \[0, [1-9]"
        r"|(invalid value for main_gpu: \d{1,3}) \(available devices: [1-9]"
        r"|(Invalid CUDA 'device=[\d,]{1,40}') requested"
        r"|(Invalid device ordinal value \(\d{1,3}\))\. Valid range is \[0"
        r"|(invalid or unsupported gpu id \d{1,3})\. [^\n]{1,120} are: \d"
        r"|(Invalid GPU Id: \d{1,3}), Valid device id should be less than"
        r" (?:device_count|total_gpu): [1-9]"
        r"|(The device id \d{1,3} exceeds gpu card number) [1-9]"
        r"|(Can't find your (?:selected_)?gpus \d{1,3}) in CUDA_VISIBLE_DEVICES\[\d"
        r"|(The selected gpu card \d{1,3}) cannot found in CUDA_VISIBLE_DEVICES \(\d"
        r"|(Invalid CUDA device id: \d{1,3})\. Select a device id from the range 1:[1-9]"
        r"|(device \d{1,3} is not visible) \(CUDA_VISIBLE_DEVICES=\[\d"
        r"|(local_rank \d{1,3} exceeds available GPUs) in CUDA_VISIBLE_DEVICES=\d",
    ),
    Sign(
        "kernel-assertion",
        "a thread of a kernel failed at an assertion; the value is the condition",
        ("thread: [", "thread (", "/native/cuda/"),
        r"block:? [\[(][\d, ]+[\])],? thread:? [\[(][\d, ]+[\])],? "
        r"assertion [`']([^`'\n]{1,120})[`']? ?failed"
        # Lines of several threads, written into each other.
        r"|\A(?=.{0,600}?/native/cuda/\w{1,40}\.cuh?\b)"
        r".{0,600}?assertion `([^`'\n]{1,160})` ?failed",
    ),
    Sign(
        "kernel-fault-debugged",
        "cuda-gdb or compute-sanitizer caught what a kernel did wrong; the value is what",
        cues(
            "cuda exception: |cuda_exception_|invalid __global__|invalid __shared__"
            "|invalid __local__"
        ),
        r"CUDA Exception: ((?:Warp|Lane|Device|Cluster|Invalid Managed) \w[\w -]{1,40}\w)"
        r"|signal CUDA_EXCEPTION_\d+, (\w[\w -]{1,60}\w)"
        r"|={9} +(Invalid __(?:global|shared|local)__ (?:read|write|atomic)(?: of size \d+)?)",
    ),
    Sign(
        "shape-mismatch",
        "shapes or types of the arguments do not go together",
        cues(
            "size mismatch for|shapes cannot be multiplied|incompatible shapes:"
            "|cannot feed value of shape|the size of tensor a ("
            "|must be divisible by tensor parallel size|only support fp16 and bf16 data type"
            "|shape must be |dimensions must be equal, but"
        ),
        r"shapes cannot be multiplied|size mismatch for \S+: ?copying|incompatible shapes:"
        r"|(cannot feed value of shape \([\d, ]{0,60}\) for Tensor)"  # of TensorFlow's sessions
        # Of its graph, before any device has a part in it.
        r"|(shape must be (?:at (?:least|most) )?rank \d{1,3} but is rank \d{1,3}"
        r"|dimensions must be equal, but are \d{1,12} and \d{1,12})"
        r" for '(?:\{\{node |[^'\n]{1,200}' \(op: ')"
        r"|the size of tensor a \(|must be divisible by tensor parallel"
        r"|only support fp16 and bf16 data type",
    ),
    Sign(
        "tf-name-not-in-graph",
        "a name is asked of TensorFlow's graph that is not in it; the value is the name",
        ("refers to a tensor which does not exist", "refers to an operation not in the graph"),
        r"The name '([^'\n]{1,160})' refers to (?:a Tensor which does not exist"
        r"|an Operation not in)",
    ),
    Sign(
        "in-worker-process",
        "a traceback goes through a process that Python forked off another one, or comes from one",
        (
            *("in _worker_loop", "multiprocessing/process.py", "/billiard/"),
            *("multiprocessing/pool.py", "remotetraceback", "uwsgi"),
        ),
        r"File \"[^\"\n]+\", line \d+, in _worker_loop|\bRemoteTraceback\b"
        r"|File \"[^\"\n]*/multiprocessing/pool\.py\", line \d+, in (?:next|get|worker)\b"
        r"|File \"[^\"\n]*/(?:multiprocessing|billiard)/process\.py\", line \d+, in"
        # It imports the program first, and forks its workers then, but with --lazy-apps.
        r"|\buwsgi\b(?![^\n]*lazy)[^\n]{0,200}[ -](?:processes|workers|p)[= ](?:[2-9]|\d\d)\b",
    ),
    Sign(
        "process-started-in-code",
        "code starts a process of its own, which Python forks on Linux",
        ("process(target=", "pool("),
        r"\A(?!\s*#)[^#\n]{0,60}\b(?:mp|multiprocessing)\.(?:Process\(target=|Pool\()",
    ),
    Sign(
        "workers-told",
        "somebody says that a program starts processes of its own",
        ("multiprocessing", "multi-processing", "forked", "forking", "subprocess"),
        r"\b(multi-?processing|forked|forking|subprocess(?:es)?)\b",
    ),
    Sign(
        "grad-of-copy",
        "the gradient is asked of a tensor that was computed, as a copy on the GPU is",
        ("non-leaf tensor", "not a leaf tensor"),
        r"(can(?:no|')t optimize a non-leaf Tensor)"
        r"|(\.grad attribute of a Tensor that is not a leaf Tensor is being accessed)",
    ),
    Sign(
        "torch-device-without-index",
        "a function of torch that wants the number of a GPU was given a device without one",
        ("expected a torch.device with a specified index",),
        r"(Expected a torch\.device with a specified index or an integer, but got: ?cuda)\b(?!:\d)",
    ),
    Sign(
        "lightning-gpu-unused",
        "Lightning sees a GPU, and its Trainer was not given one",
        ("used: false",),
        r"GPU available: True(?: \([\w, ]{1,20}\))?, used: False",
    ),
    Sign(
        "gpu-argument-gone",
        "a program names its GPUs to Lightning in an argument that went with release 2.0",
        ("got an unexpected keyword argument",),
        r"((?:\bTrainer\.|(?<![.\w]))__init__\(\) got an unexpected keyword argument"
        r" '(?:gpus|auto_select_gpus)')",
    ),
    Sign(
        "tf-name-of-other-release",
        "code asks TensorFlow for a name that another release of it has",
        ("module 'tensorflow",),
        r"\b(module 'tensorflow[\w.]*' has no attribute '(?:list_(?:physical|logical)_devices"
        r"|ConfigProto|GPUOptions|Session|InteractiveSession|get_default_session|set_session"
        r"|get_memory_(?:info|usage)|set_(?:virtual|logical)_device_configuration"
        r"|enable_eager_execution|global_variables_initializer|placeholder)')",
    ),
    Sign(
        "tf-nothing-to-launch",
        "TensorFlow was to launch a kernel over an array without elements",
        ("check failed: work_element_count > 0",),
    ),
    Sign(
        "tf-index-outside",
        "TensorFlow looks something up by an index that is not in it; the value is which",
        (" is not in [0, ", "does not index into param shape"),
        r"\b(indices(?:\[[\d,]{1,40}\])? = -?\d{1,20} is not in \[0, \d{1,20}\)"
        r"|indices\[[\d,]{1,40}\] = \[[-\d, ]{1,80}\] does not index into param shape)",
    ),
    Sign(
        "arrays-of-two-devices",
        "an operation was given arrays of NumPy and of CuPy",
        (
            "numpy and cupy must not be used together",  # Chainer
            "incompatible array types are mixed in the forward input",
            "unsupported type <class 'numpy.ndarray'>",  # CuPy
        ),
    ),
    Sign(
        "tensor-on-gpu-to-numpy",
        "a tensor on the GPU was handed to NumPy",
        cues("can't convert cuda:|can't convert cuda tensor|implicit conversion to a numpy array"),
    ),
)
