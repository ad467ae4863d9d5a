"""What frameworks print of a GPU that they use, and what serves models with them: a table."""

from __future__ import annotations

from ...regex import regex
from .program_line import BEGUN, DONE, ProgramLine

LINES = (
    # Accelerate asks torch for the names of the GPUs before it says so, Unsloth for their number.
    ProgramLine(
        "torch",
        BEGUN,
        ("older driver with an rtx 4000 series", "rtx 3090 or 4000 series which doesn't"),
        regex(
            r"\bWe've detected an older driver with an RTX 4000 series GPU\b"
            r"|\bUsing RTX 3090 or 4000 series which doesn't support faster communication"
        ),
    ),
    ProgramLine(
        "torch",
        BEGUN,
        ("error: unsloth currently does not support multi gpu",),
        regex(r"\bRuntimeError: Unsloth currently does not support multi GPU setups\b"),
    ),
    # Training, spaCy's layers work on arrays that lie on the GPU.
    ProgramLine(
        "cupy",
        BEGUN,
        ("in thinc.",),
        regex(
            r"\A\s*File \"\w{1,20}\.pyx\", line \d{1,5},"
            r" in thinc\.(?:neural\.)?\S{0,40}\bCupyOps\.(?!__)"
        ),
    ),
    ProgramLine(
        "vllm",
        DONE,
        ("gpu blocks:", "gpu kv cache size", "available kv cache memory"),
        regex(
            r"# GPU blocks: [1-9]|GPU KV cache size: [1-9]"
            r"|gpu_worker\.py:\d+\] Available KV cache memory: [1-9]"
        ),
    ),
    ProgramLine(
        "megatron",
        DONE,
        ("consumed samples:",),
        regex(
            r"\biteration\s{1,12}\d{1,9}/\s{0,12}\d{1,9} \| consumed samples:\s{1,14}\d{1,12} \|"
            r".{0,80}elapsed time per iteration \(ms\): [\d.]{1,9}"
        ),
    ),
    ProgramLine(
        "tensorrt",
        BEGUN,
        ("tensorrt-managed allocation in",),
        regex(r"TensorRT-managed allocation in [\w ]{3,40}: CPU [+-]\d+, GPU \+[1-9]"),
    ),
    ProgramLine(
        "triton-server",
        BEGUN,
        ("cuda memory pool is created on device",),
        regex(r"CUDA memory pool is created on device \d{1,2} with size [1-9]"),
    ),
    ProgramLine(
        "tensorrt",
        DONE,
        ("&&&& passed tensorrt", "[i] throughput: "),
        regex(r"\A&&&& PASSED TensorRT\.|\[I\] Throughput: \d[\d.]{0,12} qps"),
    ),
    # It checks what cuDNN writes beside a convolution's result, and says so where it cannot.
    ProgramLine(
        "tensorflow",
        BEGUN,
        ("convolution redzone checking",),
        regex(r"\bFailed to allocate memory for convolution redzone checking; skipping this check"),
    ),
    # Cellpose makes a tensor there, before it says so.
    ProgramLine(
        "torch",
        BEGUN,
        ("torch cuda version installed and working",),
        regex(r"\*\* TORCH CUDA version installed and working\. \*\*"),
    ),
    # YOLO compares results in half precision with those in full; on a CPU it does not begin.
    ProgramLine("torch", DONE, ("amp: checks passed",), regex(r"\AAMP: checks passed\b")),
    # Inductor counts the processors of the GPU for which it compiles.
    ProgramLine(
        "torch",
        BEGUN,
        ("not enough sms to use max_autotune_gemm",),
        regex(r"\bNot enough SMs to use max_autotune_gemm mode"),
    ),
    # Its own measuring program, which asks CUDA for what stands below this line.
    ProgramLine("tensorrt", BEGUN, ("selected device: ",), regex(r"\[I\] Selected Device: \S")),
    ProgramLine(
        "triton-server",
        BEGUN,
        ("collecting metrics for gpu ",),
        regex(r"\bmetrics\.cc:\d{1,5}\] \"?Collecting metrics for GPU \d{1,3}: \S"),
    ),
    # The graphs of calls that vLLM and SGLang record by running them on the GPU.
    ProgramLine(
        "vllm",
        DONE,
        ("graph capturing finished in ",),
        regex(r"\bGraph capturing finished in [\d.]{1,9} secs?, took -?[\d.]{1,9} GiB"),
    ),
    ProgramLine(
        "vllm",
        DONE,
        ("capturing cuda graph",),
        regex(r"\bCapturing CUDA graphs?\b[^|\n]{0,60}: 100%\|[^|\n]{0,120}\| (\d{1,4})/\1 \["),
    ),
    ProgramLine(
        "sglang",
        DONE,
        ("capture cuda graph end",),
        regex(r"\bCapture cuda graph end\. (?i:time elapsed|elapsed): [\d.]{1,9} s\b"),
    ),
    # fairseq tells of each worker's GPU.
    ProgramLine(
        "torch",
        BEGUN,
        ("; total memory = ",),
        regex(
            r"(?a)\brank\s{1,4}\d{1,4}: capabilities =\s{1,3}\d{1,2}\.\d\s{1,3}; total memory ="
            r" [\d.]{1,9} GB ; name = \S"
        ),
    ),
    # It has started CUDA, and tells how much of the GPU's memory is in use.
    ProgramLine(
        "tensorrt",
        BEGUN,
        ("] init cuda: cpu ",),
        regex(
            r"(?a)\[TRT\] \[I\] \[MemUsageChange\] Init CUDA: CPU [+-]\d{1,7}, GPU [+-]\d{1,7},"
            r" now: CPU \d{1,7}, GPU [1-9]"
        ),
    ),
    # The tutorials of Flax show the devices so; a processor's kind is "cpu".
    ProgramLine(
        "jax",
        BEGUN,
        ("jax devices of type ",),
        regex(
            r"\bFound [1-9]\d{0,2} JAX devices of type"
            r" (?:NVIDIA|Tesla|GeForce|Quadro|TITAN|[AHVPTL]\d)"
        ),
    ),
    # How CuPy shows where an array lies.
    ProgramLine("cupy", BEGUN, ("<cuda device ",), regex(r"<CUDA Device \d{1,2}>")),
    # TensorFlow's estimator of costs describes the GPU on which an operation lies.
    ProgramLine(
        "tensorflow",
        BEGUN,
        ('device { type: "gpu" vendor: "nvidia"',),
        regex(r"\bdevice \{ type: \"GPU\" vendor: \"NVIDIA\" model: \"\w"),
    ),
    # It tells so once it has a handle of cuDNN, which takes a GPU.
    ProgramLine(
        "tensorflow",
        BEGUN,
        ("] loaded cudnn version ",),
        regex(r"(?a)\bcuda_dnn\.cc:\d{1,5}\] Loaded cuDNN version \d{4,6}\b"),
    ),
    # An operation that TensorFlow's runtime ran, or was about to, and the device that it lies on.
    ProgramLine(
        "tensorflow",
        BEGUN,
        ('_device="/job:',),
        regex(
            r"\A(?!.*(?i:cannot (?:assign|colocate)|could not satisfy|no opkernel))"
            r".*?\[\[(?:\{\{)?[Nn]ode:? (?:(?!\[\[).){0,600}?\b_device=\"/job:\w{1,20}"
            r"/replica:\d{1,4}/task:\d{1,4}/(?:device:GPU|gpu):\d"
        ),
    ),
    # SLEAP asks TensorFlow at its start.
    ProgramLine(
        "tensorflow",
        BEGUN,
        ("gpus: ",),
        regex(r"(?a)\A\W{0,4}GPUs: [1-9]\d?/[1-9]\d? available\s*\Z"),
    ),
    # What `printShortCudaDeviceInfo` writes.
    ProgramLine(
        "opencv-python",
        BEGUN,
        ("driver/runtime ver.",),
        regex(r"\ADevice \d{1,2}: {1,2}\"[^\"]{1,80}\" .{1,40}, Driver/Runtime ver\.\d"),
    ),
    # Numba's advice on a kernel that it is about to launch, and how it shows a device.
    ProgramLine(
        "numba",
        BEGUN,
        ("numbaperformancewarning: ",),
        regex(
            r"NumbaPerformanceWarning: (?:Grid size \(?\d{1,9}\)? .{0,60}in GPU under"
            r"|Host array used in CUDA kernel)"
        ),
    ),
    ProgramLine(
        "numba",
        BEGUN,
        ("<managed device ", "<cuda device "),
        regex(r"<Managed Device \d{1,2}>|<CUDA device \d{1,2} 'b?'"),
    ),
    # How JAX shows its devices, which have had three names.
    ProgramLine(
        "jax",
        BEGUN,
        ("device(id=", "[cuda(id="),
        regex(r"\[(?:Cuda|Gpu|StreamExecutorGpu)Device\(id=\d|\[cuda\(id=\d"),
    ),
    ProgramLine(
        "torch",
        BEGUN,
        ("capability among gpus detected",),
        regex(r"\bHighest compute capability among GPUs detected: \d"),
    ),
    # MMDetection and its kin write this field where CUDA is there, in megabytes.
    ProgramLine(
        "torch",
        DONE,
        (" memory: ",),
        regex(
            r"\b(?:Epoch|Iter) ?(?:\(train\) )?\[[^\n]{1,160}\bdata_time: [\d.]{1,12},?"
            r"\s{1,4}memory: [1-9]\d{1,6},?\s[^\n]{0,400}\bloss: [\d.]"
        ),
    ),
    ProgramLine("theano", DONE, ("used the gpu",), regex(r"\A\s*Used the gpu\s*\Z")),
    # RLlib names the device to which it copied the model that fails there.
    ProgramLine("torch", BEGUN, ("in tower ",), regex(r"\A\W*In tower \d{1,3} on device cuda:\d")),
)
