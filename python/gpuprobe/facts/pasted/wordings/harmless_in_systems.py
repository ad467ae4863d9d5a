"""Messages of the software around the driver that alarm people and mean nothing for its use."""

from ..sign import Sign
from ..text import cues

SIGNS = (
    Sign(
        "screen-owned",
        "nvidia-drm does not get the screen, which another program draws on",
        ("failed to grab modeset ownership",),
    ),
    Sign(
        "fabric-manager-serves",
        "Fabric Manager tells that it has set up the way between the GPUs",
        ("successfully configured all the available nvswitches",),
    ),
    Sign(
        "container-cli-leaves-out",
        "nvidia-container-cli leaves out what a driver may bring, and this one does not",
        ("] missing ",),
        r"\bnvc_info\.c:\d{1,4}\] missing (compat32 library \S{1,80}"
        r"|(?:ipc|firmware) path \S{1,120}"
        r"|(?:library|binary) (?!libcuda\.so|libnvidia-ml|nvidia-smi)\S{1,80})",
    ),
    Sign(
        "container-cli-asks-for-wsl",
        "nvidia-container-cli looks whether it is in WSL, which it mostly is not",
        ("attempting to load dxcore to see", "continuing assuming a non-wsl environment"),
    ),
    Sign(
        "kernel-of-other-compiler",
        "the kernel's own makefile tells of another compiler, of the same kind, before it goes on",
        cues(
            "warning: the compiler differs from the one used to build the kernel"
            "|due to unavailability of vmlinux"
        ),
    ),
    Sign(
        "miner-without-nvml",
        "PhoenixMiner found no NVML, so that it tells no temperatures; it mines all the same",
        ("main unable to load nvml",),
        r"\bmain Unable to load NVML\s*\Z",
    ),
    Sign(
        "dkms-has-it",
        "dkms was to make what is there already",
        (" already installed at version ", "dkms tree already contains: nvidia"),
        r"Module \S{1,200}/(nvidia[\w-]{0,30}\.ko)\S{0,4} already installed at version \d"
        r"|DKMS tree already contains: (nvidia\S{1,60})",
    ),
    Sign(
        "card-is-served",
        "Debian's nvidia-detect tells which drivers serve the card",
        (
            *("your card is supported by ", "your card is also supported by "),
            *("checking card: ", "it is recommended to install the"),
        ),
        r"card is (?:also )?supported by|\AChecking card:\s|\AIt is recommended to install the\Z",
    ),
    Sign(
        "openmpi-before-cuda",
        "Open MPI began before the program had taken a GPU, which makes its copies slower",
        cues(
            "the call to cuctxgetcurrent() failed while attempting to register"
            "|but the performance of gpu memory transfers may be reduced"
            "|indicates that there is no cuda context yet"
            "|indicates that the cuda environment is not yet initialized"
            "|ensure that cuda is initialized prior to calling mpi_init"
            "|ensure that there is a cuda context prior to calling mpi_init"
        ),
    ),
    Sign(
        "mesa-without-driver",
        "Mesa, which draws with other makers' cards, has no driver for NVIDIA's, which brings one",
        ("mesa-loader: failed to open nvidia",),
    ),
    Sign(
        "gpu-in-use-for-a-setting",
        "nvidia-smi does not reset or split a GPU that programs use",
        ("is currently being used by one or more other processes",),
    ),
    Sign(
        "confidential-computing-off",
        "the module tells that the machine does not encrypt what the GPU computes",
        cues(
            "cpu does not support confidential compute|gpu does not support confidential compute"
            "|gpu confidential compute capability is not enabled"
        ),
    ),
    Sign(
        "gsp-log-not-read",
        "the module cannot write out the log of the GPU's own processor, which is for its makers",
        ("no gsp-rm logs will be printed (non-fatal)",),
    ),
)
