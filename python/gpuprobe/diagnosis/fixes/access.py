"""Let a process get at a GPU that is there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...facts.regex import regex
from ..model import Fix
from ..shells import set_variable, start_with

if TYPE_CHECKING:
    from ...facts.version import Version
    from ..questions.place import Place


#: How a container of each kind is given the GPUs.
_GPU_OPTIONS = {
    "docker": "docker run --gpus all IMAGE",
    "podman": "podman run --device nvidia.com/gpu=all IMAGE",
    "singularity": "singularity exec --nv IMAGE COMMAND",
    "apptainer": "apptainer exec --nv IMAGE COMMAND",
    "lxc": "lxc config device add CONTAINER gpu gpu",
}
_CDI_OPTIONS = {
    "docker": "docker run --device nvidia.com/gpu=all IMAGE",
    "podman": "podman run --device nvidia.com/gpu=all IMAGE",
}
_GROUP_OPTIONS = {
    "docker": ("docker run --gpus all --group-add NUMBER IMAGE",),
    "podman": ("podman run --device nvidia.com/gpu=all --group-add keep-groups IMAGE",),
}
#: These bring the driver's libraries in by one option, and their images cannot be changed.
_BY_OPTION = ("singularity", "apptainer")
#: Systems of their own on the host's kernel: what is installed in them stays.
WITH_OWN_LIBRARIES = ("lxc", "lxd", "incus", "systemd-nspawn")
TOOLKIT = (
    "The host needs its NVIDIA driver and the NVIDIA Container Toolkit "
    "(https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/)."
)


def leave_gpu_out_of_build() -> Fix:
    """What an image is built by runs without the GPU, whatever the container gets later."""
    return Fix.by_user(
        "Let the build do without the GPU: leave out what asks for one, or have it only compile, "
        "for the architectures that you name (TORCH_CUDA_ARCH_LIST, CMAKE_CUDA_ARCHITECTURES, "
        "FORCE_CUDA=1). What needs the GPU goes into the command that the container starts with.",
        ("docker run --gpus all IMAGE",),
    )


def give_container_the_gpu(kind: str, *, tegra: bool = False) -> Fix:
    """Start the container anew, this time with the GPUs; `tegra`: on one of NVIDIA's boards."""
    if kind == "kubernetes":
        return Fix.by_user(
            "Ask for a GPU in the pod's specification (of a Helm chart in its values), resources: "
            "limits: nvidia.com/gpu: 1, and re-create the pod. The node needs the NVIDIA device "
            "plug-in: the command shows whether it offers GPUs.",
            ("kubectl describe node | grep nvidia.com/gpu",),
        )
    command = _GPU_OPTIONS.get(kind)
    if tegra and kind == "docker":
        command = "docker run --runtime nvidia IMAGE"
    anew = f"; what was changed inside it is lost. {TOOLKIT}"
    return Fix.by_user(
        "Start the container anew with the GPUs"
        + ("." if kind in (*_BY_OPTION, *WITH_OWN_LIBRARIES) else anew),
        () if command is None else (command,),
    )


def describe_gpus_for_containers() -> Fix:
    """Write the description by which Podman, Docker and Kubernetes hand devices on."""
    return Fix.by_admin(
        "Generate the CDI file, which tells what starts containers of the driver's devices and "
        f"files; so again after each change of the driver. {TOOLKIT}",
        ("sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml", "nvidia-ctk cdi list"),
        undo="sudo rm /etc/cdi/nvidia.yaml",
    )


def give_container_compute(kind: str, driver: Version | None, part: str | None = None) -> Fix:
    """Have the run time mount the libraries for computing, too, and those of a further part.

    Singularity sees the host's device files without any option, and Podman's CDI has no parts.
    """
    if kind in WITH_OWN_LIBRARIES:
        return install_library_inside(driver)
    if kind in (*_BY_OPTION, "podman"):
        return give_container_the_gpu(kind)
    parts = ("compute", "utility", part) if part else ("compute", "utility")
    command = f"docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES={','.join(parts)} IMAGE"
    named = f"{', '.join(parts[:-1])} and {parts[-1]}"
    return Fix.by_user(
        f"Start the container anew with the capabilities {named} of the NVIDIA run "
        "time, which the variable names; what was changed inside the container is lost.",
        (command,) if kind == "docker" else (),
    )


def name_opencl_to_loader(kind: str, driver: Version | None) -> Fix:
    """OpenCL's loader finds NVIDIA's part by a file that the run time does not bring."""
    fix = give_container_compute(kind, driver)
    return replace(
        fix,
        text="Let the image hold the file by which OpenCL's loader finds NVIDIA's part (the "
        "commands, in its Dockerfile as RUN): the run time mounts the library, "
        f"libnvidia-opencl.so.1, and not that file. {fix.text}",
        commands=(
            "mkdir -p /etc/OpenCL/vendors",
            "echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd",
            *fix.commands,
        ),
    )


def install_library_inside(driver: Version | None) -> Fix:
    """A container that is a system of its own needs the libraries of `driver`, its host's."""
    release = "which the first command shows" if driver is None else str(driver)
    show = ("cat /proc/driver/nvidia/version",) if driver is None else ()
    return Fix.by_admin(
        "The container shares the kernel module of its host, and needs libraries of that very "
        f"release, {release}. Install them inside, by NVIDIA's installer file "
        "(https://www.nvidia.com/drivers) without the kernel module (newer ones call the option "
        "--no-kernel-modules), and again after each update of the host's driver. LXD and Incus "
        "can bring in the host's own: give the container nvidia.runtime=true.",
        (
            *show,
            f"sudo sh NVIDIA-Linux-$(uname -m)-{driver or 'RELEASE'}.run --no-kernel-module",
        ),
        undo="sudo nvidia-uninstall, inside the container",
    )


def unset_variable(place: Place, variable: str) -> Fix:
    """Take a variable out of the environment."""
    windows = place.system == "Windows"
    command = f"Remove-Item Env:{variable}" if windows else f"unset {variable}"
    shell = "PowerShell; in cmd.exe: " + f"set {variable}=" if windows else "this shell"
    return Fix(
        f"Take the variable away ({shell}), or name a GPU that exists, such as 0. If a script, a "
        "notebook or a job scheduler sets it, change it there: CUDA reads it once, at its start.",
        (command,),
    )


def show_all_gpus(place: Place, variable: str) -> Fix:
    """The value is sound and leaves some GPUs out, which is what it is for."""
    fix = unset_variable(place, variable)
    return Fix(
        "Nothing has to be done where that is meant. To see all GPUs, take the variable away "
        "(below: for this shell); where a script, a notebook or a job scheduler sets it, there.",
        fix.commands,
    )


def set_in_program() -> Fix:
    """A program sets the variable itself, so that no shell can take it away."""
    return Fix(
        "Change the line of the program that sets CUDA_VISIBLE_DEVICES: take it out, or name a GPU "
        "that exists, such as 0. The command lists the GPUs that there are.",
        ("nvidia-smi -L",),
    )


def set_in_command(command: str) -> Fix:
    """The variable is set for one command, in front of it."""
    return Fix(
        "Start the program without the variable in front of it, or with a GPU that exists, such "
        "as 0.",
        ("nvidia-smi -L", f"CUDA_VISIBLE_DEVICES=0 {command}"),
    )


def give_gpus_to_container(kind: str | None) -> Fix:
    """The container's run time takes NVIDIA_VISIBLE_DEVICES, and --gpus sets it."""
    if kind == "kubernetes":
        return Fix.by_user(
            "Take NVIDIA_VISIBLE_DEVICES out of the pod's specification: the node's device plug-in "
            "sets it. Ask for the GPU by resources: limits: nvidia.com/gpu: 1.",
            ("kubectl describe node | grep nvidia.com/gpu",),
        )
    return Fix.by_user(
        "Name a GPU that the host has when you start the container: NVIDIA_VISIBLE_DEVICES (or "
        "--gpus) is all, a number or a UUID of the list.",
        ("nvidia-smi -L", "docker run --gpus all -e NVIDIA_VISIBLE_DEVICES=all IMAGE"),
    )


def ask_ray_for_gpu() -> Fix:
    """Tell Ray that a task needs a GPU."""
    return Fix(
        "Ask Ray for the GPU: @ray.remote(num_gpus=1), .options(num_gpus=1), or what the library "
        "on top of it calls so. Ray hides the GPUs from all workers that ask for none; its own "
        "list shows whether it found any.",
        ("ray status",),
    )


def allow_device_nodes(place: Place) -> Fix:
    """Let this user open /dev/nvidia*."""
    if place.container is not None:
        return Fix.by_user(
            "Start the container with the group that owns the files on the host (`ls -ln "
            "/dev/nvidia*` there tells its number); rootless Podman keeps the groups of the user "
            "who starts it with --group-add keep-groups.",
            _GROUP_OPTIONS.get(place.container, ()),
        )
    if place.tegra:
        return Fix.by_admin(
            "Join the group that owns the file, mostly video, and log in again.",
            ("ls -l /dev/nvmap", "sudo usermod -aG video $USER"),
            undo="sudo gpasswd -d $USER video",
        )
    return Fix.by_admin(
        "Join the group that owns the files, mostly video or render, and log in again. If that is "
        "root, the driver was told to close them: see NVreg_DeviceFileMode in /etc/modprobe.d.",
        ("ls -l /dev/nvidia*", "sudo usermod -aG video $USER"),
        undo="sudo gpasswd -d $USER video",
    )


_MODE = "NVreg_DeviceFileMode"


def open_to_all(mode: str) -> Fix:
    """Where the mode shuts their group out, joining it does not help; the driver sets the mode."""
    decimal = str(int(mode, 8))
    read = ""
    if len(decimal) == len("666") and set(decimal) <= set("01234567"):
        read = f" (it was written as {decimal}: without the 0 in front it is a decimal number)"
    return Fix.by_reboot(
        f"The files have the mode {mode}, in which their group may not read and write, so that "
        f"joining the group does not help. Set the driver's option to 0666{read} where the first "
        "command finds it, and restart.",
        (
            f"grep -rn {_MODE} /etc/modprobe.d",
            f"sudo sed -i 's/{_MODE}=[0-9]*/{_MODE}=0666/' /etc/modprobe.d/*.conf",
            "sudo reboot",
        ),
        undo="write the former mode back, and restart",
    )


def ask_slurm_for_gpu() -> Fix:
    """A job that asked for no GPU was given none, and is told so by the variable."""
    return Fix(
        "Ask Slurm for a GPU: --gres=gpu:1 in the command, `#SBATCH --gres=gpu:1` in a script. "
        "Without the variable alone the job would take a GPU that is another's, or find it closed.",
        ("srun --gres=gpu:1 --pty bash", "echo $CUDA_VISIBLE_DEVICES"),
    )


def leave_control_group(place: Place) -> Fix:
    """Have the rules for devices, which are the host's to change, let this process in."""
    if place.container is None:
        return Fix.by_user(
            "Ask who runs the process for the GPU: under Slurm with --gres=gpu:1, in a service of "
            "systemd by PrivateDevices= and DeviceAllow= of its unit; with SELinux on, `ausearch "
            "-m avc` shows what was refused.",
            ("cat /proc/self/cgroup",),
        )
    if place.container == "kubernetes":
        return Fix.by_user(
            "The node's device rules refuse the files, as happens after `systemctl daemon-reload` "
            "there. Delete the pod, so that it is created anew; if it comes back, let the node's "
            "run time pass devices by CDI.",
            ("kubectl delete pod POD",),
        )
    command = _CDI_OPTIONS.get(place.container)
    if command is None:
        return Fix.by_user(
            "The container's device rules refuse the files, as happens after `systemctl "
            "daemon-reload` on the host. Start the container anew."
        )
    return Fix.by_admin(
        "The container's device rules refuse the files, as happens after `systemctl "
        "daemon-reload` on the host or with no-cgroups = true. Restart the container. If it comes "
        "back, write a CDI specification on the host and start the container with it.",
        (
            f"{place.container} restart CONTAINER",
            "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml",
            command,
        ),
        undo="sudo rm /etc/cdi/nvidia.yaml",
    )


def make_device_nodes(place: Place) -> Fix:
    """Make the device files that the kernel module serves."""
    if place.container is not None:
        return Fix.by_user(
            "Start the container anew so that it gets all device files; on the host, "
            "`sudo nvidia-modprobe -u -c 0` makes those that are missing there."
        )
    return Fix.by_admin(
        "Have the driver's helper load nvidia-uvm and make the files.",
        ("sudo nvidia-modprobe -u -c 0",),
        undo="sudo modprobe -r nvidia-uvm; the files are gone after a restart",
    )


def describe_devices_anew(_: Place) -> Fix:
    """Make the device files, and then the description of them that containers get."""
    return Fix.by_admin(
        "On the host make the device files, describe them anew, and start the container again.",
        (
            "sudo nvidia-modprobe -u -c 0",
            "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml",
        ),
        undo="keep a copy of /etc/cdi/nvidia.yaml, and put it back",
    )


def let_processes_in(place: Place, gpu: str, name: str | None = None) -> Fix:
    """Undo the compute mode PROHIBITED, which virtual GPUs of some profiles have for good."""
    if name is not None and (profile := _VGPU_WITHOUT_CUDA.search(name)):
        return Fix.by_admin(
            f"The vGPU profile {profile[1]} serves no CUDA, whatever its compute mode: its series "
            "(A or B) is for applications and desktops. Give the virtual machine a profile of the "
            "series Q or C, with its licence, where it is administered.",
            ("nvidia-smi -L",),
            undo="give the virtual machine its former profile again",
        )
    mode, first = _mode_setter(place, gpu)
    return Fix.by_admin(
        "Set the compute mode back to Default; an administrator may have closed the GPU on "
        f"purpose, so ask first.{first}",
        (f"{mode} DEFAULT",),
        undo=f"{mode} PROHIBITED",
    )


#: ``NVIDIA RTXA6000-48A``, ``GRID T4-2B4``: the memory of a virtual GPU and its series.
_VGPU_WITHOUT_CUDA = regex(r"-(\d{1,3}[AB]\d?)\Z")


def _mode_setter(place: Place, gpu: str) -> tuple[str, str]:
    """The command that sets a compute mode, but for the mode, and where to give it."""
    if place.system == "Windows":
        return f"nvidia-smi -i {gpu} -c", " Open the console as administrator for that."
    return f"sudo nvidia-smi -i {gpu} -c", ""


def open_exclusive(place: Place, gpu: str, mode: str, *, every: bool = False) -> Fix:
    """Let further processes, or threads, use a GPU whose mode is known; `every`: so are all."""
    command, first = _mode_setter(place, gpu)
    if every:
        command = command.replace(f" -i {gpu}", "")
    return Fix.by_admin(
        f"Set the compute mode to Default, in which a GPU takes several at once.{first} If the "
        "mode is meant, end the process that has the GPU, or take another GPU.",
        (f"{command} DEFAULT",),
        undo=f"{command} {mode.upper().replace(' ', '_')}",
    )


def share_or_wait(place: Place, gpu: str, mode: str) -> Fix:
    """What to do about a GPU that lets one process in, where another one is in."""
    command, first = _mode_setter(place, gpu)
    return Fix.by_admin(
        "Wait until that process ends, end it if it is yours, or use another GPU. If several "
        "programs are to share this one, an administrator can set the mode to Default or start "
        f"MPS, which lets its clients in together.{first}",
        ("nvidia-smi", f"{command} DEFAULT"),
        undo=f"{command} {mode.upper().replace(' ', '_')}",
    )


def name_by_uuid(place: Place, uuid: str | None) -> Fix:
    """Name GPUs so that it does not matter who counts."""
    windows = place.system == "Windows"
    return Fix(
        "Name GPUs by their UUID, or let CUDA count as nvidia-smi does.",
        (
            set_variable("CUDA_VISIBLE_DEVICES", uuid or "GPU-UUID", windows=windows),
            set_variable("CUDA_DEVICE_ORDER", "PCI_BUS_ID", windows=windows),
        ),
    )


def start_cuda_in_workers() -> Fix:
    """Leave CUDA to the workers, each of which gets its GPU when it starts."""
    return Fix(
        "Move what uses the GPU out of the module's top level, below the line that makes the "
        'cluster and below if __name__ == "__main__": a worker imports the module before it has '
        "its GPU."
    )


def set_variable_early(place: Place, gpus: str | None) -> Fix:
    """Set the variable before anything looks at the GPUs, to the numbers that the code names."""
    value, windows = (gpus or "0").replace(" ", ""), place.system == "Windows"
    return Fix(
        "Set the variable before the program starts, or in its very first lines, before torch, "
        "tensorflow or jax is imported: CUDA reads it once.",
        start_with("CUDA_VISIBLE_DEVICES", value, "python PROGRAM", windows=windows),
    )
