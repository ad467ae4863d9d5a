"""Two lines that belong together: packages and kernels, launches, backends, room that is left."""

from __future__ import annotations

from support.cases import ruled

NOTHING = "unknown", "healthy"
BLENDER = "Blender 4.1.1\nNo compatible GPUs found for Cycles\n"
RPM = (
    "$ uname -r\n{runs}\n$ rpm -qa | grep -i nvidia\nakmod-nvidia-550.90.07-1.fc40.x86_64\n"
    "kmod-nvidia-6.8.11-300.fc40.x86_64-550.78-1.fc40.x86_64\n"
)


def test_akmods_built_the_module_for_another_kernel():
    assert ruled(BLENDER + RPM.format(runs="6.9.4-200.fc40.x86_64")) == "driver-not-loaded"
    assert ruled(BLENDER + RPM.format(runs="6.8.11-300.fc40.x86_64")) != "driver-not-loaded"


LAUNCH = (
    "numba.cuda.cudadrv.driver.CudaAPIError: [1] Call to {call} results in "
    "CUDA_ERROR_INVALID_VALUE\n"
)


def test_the_driver_refuses_a_launch():
    assert ruled("GTX 1080 Ti\n" + LAUNCH.format(call="cuLaunchKernel")) == "user-code"
    assert ruled("GTX 1080 Ti\n" + LAUNCH.format(call="cuMemcpyDtoH")) in NOTHING


WHISPER = (
    "whisper_init_with_params_no_state: use gpu    = 1\n"
    "whisper_init_with_params_no_state: backends   = 1\n{found}"
)


def test_whisper_has_no_backend_for_a_gpu():
    none = "whisper_backend_init_gpu: no GPU found\n"
    assert ruled("RTX 4070\n" + WHISPER.format(found=none)) == "cpu-only-build"
    used = "whisper_backend_init_gpu: using CUDA0 backend\n"
    assert ruled("RTX 4070\n" + WHISPER.format(found=used)) in NOTHING


DNN = (
    "tensorflow.python.framework.errors_impl.UnimplementedError: Graph execution error:\n"
    "DNN library is not found.\n"
)
SOUGHT = "root@3b1c:/# find / -name 'libcudnn*' 2>/dev/null\n{found}root@3b1c:/#\n"


def test_tensorflow_finds_no_cudnn_and_nobody_else_does():
    assert ruled("tensorflow 2.9.1\n" + DNN + SOUGHT.format(found="")) == "cudnn-missing"
    there = "/usr/lib/x86_64-linux-gnu/libcudnn.so.8\n"
    assert ruled("tensorflow 2.9.1\n" + DNN + SOUGHT.format(found=there)) != "cudnn-missing"


OLLAMA = (
    'level=INFO source=types.go:131 msg="inference compute" id=GPU-5b4f library=cuda variant=v12 '
    'compute=8.6 driver=12.4 name="NVIDIA GeForce RTX 3090" total="23.7 GiB" '
    'available="{free}"\n'
    'level=INFO source=memory.go:356 msg="offload to cuda" layers.requested=-1 layers.model=33 '
    "layers.offload={layers}\n"
)


def test_ollama_finds_no_room_where_others_are():
    assert ruled(OLLAMA.format(free="655.4 MiB", layers=0)) == "oom-other-process"
    assert ruled(OLLAMA.format(free="22.9 GiB", layers=0)) != "oom-other-process"
    assert ruled(OLLAMA.format(free="655.4 MiB", layers=33)) in NOTHING
