"""What two lines tell together: a package and a build, clocks and heat, what was kept and idles."""

from __future__ import annotations

from support.cases import ruled

NOTHING = "unknown", "healthy"
REFUSED = (
    "RuntimeError: CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling "
    "`cublasGemmEx( handle, opa, opb, m, n, k )`\n"
)
CUBLAS = "torch                    2.8.0+cu128\nnvidia-cublas-cu12       {release}\n"


def test_pips_cublas_is_of_an_earlier_cuda_than_torchs():
    assert ruled(CUBLAS.format(release="12.4.5.8") + REFUSED) == "cuda-libs-mismatch"
    assert ruled(CUBLAS.format(release="12.8.4.1") + REFUSED) == "library-path-conflict"
    assert ruled(CUBLAS.format(release="12.4.5.8")) in NOTHING


XFORMERS = (
    "NotImplementedError: No operator found for `memory_efficient_attention_forward`\n"
    "xFormers 0.0.27\npytorch.version:                {torch}\n"
    "build.torch_version:            2.3.1+cu121\n"
)


def test_xformers_tells_its_torch():
    assert ruled(XFORMERS.format(torch="2.4.0+cu121")) == "extension-mismatch"
    assert ruled(XFORMERS.format(torch="2.3.1+cu121")) != "extension-mismatch"


DMON = (
    "$ nvidia-smi dmon -s pc\n# gpu   pwr gtemp mtemp    sm   mem  mclk  pclk\n"
    "# Idx     W     C     C     %     %   MHz   MHz\n"
    "    0    68    71     -    99    51  5000  1440\n"
    "    0    52    {heat}     -   100    24  5000   {clock}\n"
    "    0     9    {heat}     -     0     0   405   300\n"
)


def test_the_clock_of_a_busy_gpu_falls_while_it_gets_hot():
    assert ruled(DMON.format(heat=88, clock=645)) == "power-thermal"


def test_a_clock_that_stays_or_a_gpu_that_is_cool():
    assert ruled(DMON.format(heat=88, clock=1320)) != "power-thermal"
    assert ruled(DMON.format(heat=62, clock=645)) != "power-thermal"


KEPT = "{{'device': '{device}', 'fail_on_invalid_gpu_id': '0', 'n_jobs': '0'}}\n"
QUERY = (
    "$ nvidia-smi --query-gpu=utilization.gpu,memory.used,memory.total --format=csv\n"
    "utilization.gpu [%], memory.used [MiB], memory.total [MiB]\n0 %, {used} MiB, 24564 MiB\n"
)


def test_the_model_keeps_the_device_that_it_was_trained_on():
    assert ruled(KEPT.format(device="cpu") + QUERY.format(used=11)) == "silent-cpu-fallback"
    assert ruled(KEPT.format(device="cuda") + QUERY.format(used=11)) in NOTHING
    assert ruled(KEPT.format(device="cpu") + QUERY.format(used=9011)) in NOTHING


CUBLAS_FAILS = (
    "RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm( h )`\n"
)
TOKENS = "print(len(tokenizer))  -> {size}\nprint(model.emb)  -> Embedding(30522, 768)\n"


def test_a_tokenizer_beside_its_code():
    assert ruled(CUBLAS_FAILS + TOKENS.format(size=31090)) == "user-code"
    assert ruled(CUBLAS_FAILS + TOKENS.format(size=30522)) != "user-code"


PROVIDER = (
    "onnxruntime-gpu: 1.20.1\n[ONNXRuntimeError] : 1 : FAIL : LoadLibrary failed with error 126 "
    '"" when trying to load "C:\\v\\onnxruntime\\capi\\onnxruntime_providers_cuda.dll"\n'
)
FOUND = ">where cudart64_12.dll\nC:\\cuda12\\bin\\cudart64_12.dll\n"
LOST = ">where {file}\nINFO: Could not find files for the given pattern(s).\n"


def test_windows_is_asked_at_a_prompt_that_was_lost():
    assert ruled(PROVIDER + FOUND + LOST.format(file="cublas64_12.dll")) == "cublas-missing"
    assert ruled(PROVIDER + FOUND + LOST.format(file="zlib.dll")) == "cudnn-missing"


FORTRAN = "0: ALLOCATE: 9412870144 bytes requested; status = {status}\n"


def test_nvidias_fortran_gets_no_memory():
    assert ruled(FORTRAN.format(status="2(out of memory)")) == "oom-workload"
    assert ruled(FORTRAN.format(status="0(no error)")) in NOTHING


def test_dask_gives_a_worker_its_gpu_too_late():
    warned = (
        "UserWarning: Worker with process ID 31217 should have a CUDA context assigned to device "
        "{}.\n"
    )
    elsewhere = "2, but instead the CUDA context is on device 0"
    assert ruled(warned.format(elsewhere)) == "visible-devices-too-late"
    assert ruled(warned.format("2")) in NOTHING


IGNORED = (
    "ERROR: Ignored the following versions that require a different python version: 4.0.0 "
    "Requires-Python ==3.10.*; 4.5.0 Requires-Python ==3.10.*\n"
)
NONE = (
    "ERROR: Could not find a version that satisfies the requirement isaacsim==4.5.0 "
    "(from versions: {})\nERROR: No matching distribution found for isaacsim==4.5.0\n"
)


def test_all_releases_need_another_python():
    assert ruled(IGNORED + NONE.format("none")) == "python-unsupported"
    assert ruled(IGNORED + NONE.format("5.0.0, 5.1.0")) != "python-unsupported"


AER = (
    "AerError: 'Invalid simulation device GPU. Available devices are: [\\'CPU\\']'\n"
    "qiskit-aer         0.12.0\n{gpu}qiskit-terra       0.23.3\n"
)


def test_two_packages_of_qiskit_aer():
    assert ruled(AER.format(gpu="qiskit-aer-gpu     0.12.0\n")) == "mixed-installs"
    assert ruled(AER.format(gpu="")) != "mixed-installs"


LAMMPS = (
    "GPU package API: CUDA\nCompatible GPU present: yes\n$ mpirun -np 8 lmp{option} -in in.lj\n"
    "LAMMPS (23 Jun 2022)\nLoop time of 204.518 on 8 procs for 100 steps with 16384000 atoms\n"
    "|   0  NVIDIA GeForce ...  Off  | 00000000:01:00.0  On |                  N/A |\n"
    "|  0%   38C    P8    21W / 350W |    412MiB / 12288MiB |      1%      Default |\n"
)


def test_lammps_ends_without_its_gpu_package():
    assert ruled(LAMMPS.format(option="")) == "silent-cpu-fallback"
    assert ruled(LAMMPS.format(option=" -sf gpu")) in NOTHING


def test_a_kernel_of_sycl_needs_too_many_registers():
    told = "The number registers per work-group {} 65536 for this kernel on this device.\n"
    assert ruled(told.format("cannot exceed")) == "user-code"
    assert ruled(told.format("may reach")) in NOTHING


DRAWN = (
    "|   0  NVIDIA RTX A4500               Off |   00000000:01:00.0  On |                  Off |\n"
    "| 30%   37C    P8             17W /  200W |   {used}MiB /  20470MiB |      1%      Default |\n"
    "|    0   N/A  N/A      2019      G   {name}                            183MiB |\n"
)


def test_a_desktop_is_no_use_of_a_gpu():
    kept = KEPT.format(device="cpu")
    assert ruled(kept + DRAWN.format(used=412, name="/usr/lib/xorg/Xorg")) == "silent-cpu-fallback"
    assert ruled(kept + DRAWN.format(used=9012, name="/usr/lib/xorg/Xorg")) in NOTHING
    assert ruled(kept + DRAWN.format(used=2412, name="python train.py   ")) in NOTHING
