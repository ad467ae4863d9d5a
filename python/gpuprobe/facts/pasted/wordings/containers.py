"""What Docker, containerd, Singularity and NVIDIA's container tools say."""

from ..sign import Sign
from ..text import cues

#: What hosted notebooks are given, by its kind or its name.
_GPU = r"(?:GPU|T4|L4|A100|V100|P100|K80)\b"

#: How NVIDIA's image says that it tried cuda-compat, and goes on without.
COMPAT_TRIED = ("minor version compatibility mode enabled", "is preferred over minor version")

SIGNS = (
    Sign(
        "docker-no-device-driver",
        "Docker has no driver for GPUs: the NVIDIA Container Toolkit is not set up for it",
        ("could not select device driver",),
        r"could not select device driver \\?\"?(\w*)",
    ),
    Sign(
        "hami-out-of-memory",
        "HAMi refuses a program more of the GPU's memory than its pod is given; asked, given",
        ("hami-core error",),
        r"\bDevice \d{1,2} OOM (\d{6,15}) / (\d{6,15})",
    ),
    Sign(
        "docker-desktop-told",
        "Docker Desktop runs the containers: by its name, a prompt's, or a release of its tools",
        ("docker desktop", "@docker-desktop:", "-desktop."),
        # Compose and what else comes with it: v2.27.0-desktop.2
        r"docker desktop|@docker-desktop:|\bv?\d{1,2}(?:\.\d{1,3}){2}-desktop\.\d",
    ),
    Sign(
        "docker-unknown-runtime",
        "Docker or containerd does not know the run time named nvidia",
        cues(
            "unknown runtime specified nvidia|unknown or invalid runtime name: nvidia"
            '|no runtime for "nvidia" is configured|no runtime for \\"nvidia\\" is configured'
            '|no such runtime: nvidia|docker runtime "nvidia" was not found'
            '|runtime "nvidia" binary not installed|invalid runtime name nvidia'
            '|runtimehandler "nvidia" not supported|runtimehandler \\"nvidia\\" not supported'
            '|runtimeclass "nvidia" not found|runtimeclass.node.k8s.io "nvidia" not found'
            "|unknown flag: --gpus|unrecognized option '--gpus'"
            "|failed to find runtime handler nvidia"
        ),
        r"(--gpus)|runtime",
    ),
    Sign(
        "container-runtime-missing",
        "a program of NVIDIA's container tools is not there",
        cues(
            "nvidia-container-runtime|nvidia-container-cli|nvidia-ctk|nvidia-cdi-hook"
            "|runtime binary|nvidia container runtime hook|the nvidia lxc hook couldn't be found"
            "|the nvidia container tools couldn't be found"  # Incus and LXD
        ),
        r"error executing hook `\S*(nvidia-container-runtime-hook)"
        r"|command not found: (nvidia-c[\w-]+)|no (runtime binary) found from candidate list"
        r"|error locating (runtime binary)|(nvidia-container-cli) is not installed"
        r"|failed to locate (NVIDIA Container Runtime Hook)"
        r"|\bThe (NVIDIA LXC hook|NVIDIA container tools) couldn't be found"
        r"|(nvidia-container-cli) not found on PATH"
        r"|(nvidia-container-runtime(?:-hook)?|nvidia-container-cli|nvidia-ctk|nvidia-cdi-hook)"
        r"[^\n]{0,40}"
        r"(?:executable file not found|no such file|command not found|permission denied)",
    ),
    Sign(
        "container-runtime-failed",
        "NVIDIA's run time could not change the container's description; the value is why",
        ("required modification to oci",),
        r"could not apply required modification to OCI specification: (.{1,160})",
    ),
    Sign(
        "container-cli-error",
        "nvidia-container-cli could not prepare the container; the value is why",
        ("nvidia-container-cli",),
        # A form's field with its release says nothing.
        r"nvidia-container-cli(?:\.real)?: (?:initialization error: )?"
        r"(?!(?:version:? )?v?\d+\.\d)(.{1,180})",
    ),
    Sign(
        "container-hook-failed",
        "the hook that gives a container its GPU failed; the value is its name",
        (" hook", "exec command: [", "/hooks/nvidia"),
        r"error (?:running|executing)[^\n]{0,24} hook[^\n]*(nvidia-c(?:ontainer[\w-]*|tk))"
        r"|(invoking the NVIDIA Container Runtime Hook directly)"
        r"|exec command: \[\S*(nvidia-container-cli)|lxc[^\n]*(/hooks/nvidia)\b[^\n]*fail",
    ),
    Sign(
        "lxc-hooks-failed",
        "the hooks of LXC failed, one of which gives a container its GPU",
        ("failed to run mount hooks", "failed to run lxc.hook.mount"),
    ),
    Sign(
        "lxd-without-container-cli",
        "LXD or Incus shows a GPU of which NVIDIA's container tools told it no release of a driver",
        ("nvrm version:",),
        r"\A\s*(NVRM Version:)\s*\Z",
    ),
    Sign(
        "smi-of-host-told",
        "somebody introduces what nvidia-smi printed on the host of a container",
        ("the host", "my host"),
        r"(?i)\A\W{0,4}(?:nvidia-smi|(?:nvidia )?driver)(?: \w+){0,2} (?:from|of|on) (?:the|my)"
        r" host(?: (?:machine|system|node))?\W{0,4}\Z",
    ),
    Sign(
        "works-outside-container-told",
        "somebody says that the program works on the host, or without the container",
        cues("without a|without the|without docker|outside|on the host|on my host|on bare metal"),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|unless|should|whether|would|might|does(?: not|n't)"
        r"|did(?: not|n't)|nor|neither|also)\b)).*?(?:\b(?:without (?:an? |the )?(?:docker )?"
        r"(?:container|docker)|outside (?:of )?(?:an? |the |my )?(?:docker(?: container)?"
        r"|container)|on (?:the|my) host(?: (?:machine|system))?|on bare metal),? (?:\w+ ){0,4}?"
        r"works?\b|\bworks? (?:\w+ )?(?:without (?:an? |the )?(?:container|docker)"
        r"|outside (?:of )?(?:an? |the |my )?(?:docker|container)|on (?:the|my) host"
        r"|on bare metal)\b)",
    ),
    Sign(
        "docker-volume-plugin-missing",
        "a volume of the first nvidia-docker, whose service does not run",
        ("nvidia_driver_", "volume plugin nvidia-docker"),
        r"(?:create|get) (nvidia_driver_\S+): |volume plugin (nvidia-docker)[^\n]*not found",
    ),
    Sign(
        "compose-without-gpus",
        "this Compose does not know how to ask for a GPU; the value is the word it refuses",
        ("does not match any of the regexes", "unsupported config option", "additional propert"),
        r"reservations value[^\n]*'(devices)'|'(devices)' does not match any of the regexes"
        r"|unsupported config option for [^\n]*'(runtime|gpus)'"
        r"|additional property (runtime|gpus) is not allowed|\('(runtime|gpus)' was unexpected\)"
        r"|additional properties '(runtime|gpus)' not allowed",
    ),
    Sign(
        "container-requirement",
        "the image asks for a newer CUDA than the host's driver offers; the value is what it asks",
        cues("unsatisfied condition|requirement error: unsatisfied|unsupported cuda version: "),
        # As the tool was asked, where a letter broke what it answered.
        r"--require=(cuda ?>=? ?[\d.]+)\b(?=[^\n]*requirement error: unsatisfied\s*\Z)"
        r"|unsatisfied condition: ((?!arch\b)\w+ ?[<>=!]+ ?[\w.]+)"
        r"|unsupported CUDA version: driver [\d.]+ < image ([\d.]+)"
        r"|unsupported CUDA version: (\d[\d.]*) < \d",  # nvidia-docker before its release 1.0
    ),
    Sign(
        "container-arch-refused",
        "the image asks for a newer architecture than the GPU's; the value is what it asks",
        ("unsatisfied condition: arch",),
        r"unsatisfied condition: (arch ?>=? ?[\d.]+)",
    ),
    Sign(
        "container-banner-no-driver",
        "NVIDIA's image says that it was started without a GPU",
        cues(
            "the nvidia driver was not detected|no nvidia driver was detected"
            "|failed to detect nvidia driver version"
        ),
    ),
    Sign(
        "container-banner-driver-too-old",
        "NVIDIA's image says that the driver is too old for it; the value is what it asks for",
        cues(
            "this container was built for nvidia driver release|detected nvidia driver"
            "|container requires"
        ),
        r"built for NVIDIA Driver Release (\d[\d.]*\d)|detected NVIDIA \w+ ?driver (\d[\d.]*)",
    ),
    Sign(
        "gpu-operator",
        "NVIDIA's GPU operator is at work, whose driver lives in a container of its own",
        ("gpu-operator", "gpu operator"),
        r"\A(?!.*\b(?:plan|later|want|without|instead)\b).*?\bgpu[- ]operator\b",
    ),
    Sign(
        "gpu-works-in-container",
        "somebody says that the GPU works inside the container",
        ("gpu works", "gpu is working", "gpus work"),
        r"\A(?!.*(?:\?|\b(?:no|not|neither|whether|if|sure|check|test|want|should|how|goal)\b|n't))"
        r".*?\bgpus? (?:works?|is working)(?: fine| well)? (?:in|inside|within) (?:the |my |this )?"
        r"container",
    ),
    Sign(
        "container-cli-takes-linux-driver",
        "nvidia-container-cli takes a library of a driver for Linux; the value is its file",
        ("] selecting /usr/lib",),
        r"\] selecting (/usr/lib(?:64)?/(?:x86_64-linux-gnu/)?lib[\w-]{1,40}\.so\.\d{3}\."
        r"[\d.]{1,12})",
    ),
    Sign(
        "container-banner-compatibility",
        "NVIDIA's image uses the libraries of forward compatibility, or says that it cannot",
        cues(
            "forward compatibility mode|compatibility mode is unavailable"
            "|driver detected.  compatibility mode"
        ),
        r"(?:forward|driver detected\.) {1,2}compatibility mode (ENABLED)"
        r"|compatibility mode is (UNAVAILABLE)",
    ),
    Sign(
        "container-banner-compat-refused",
        "NVIDIA's image tried its libraries of forward compatibility first, and does without them",
        COMPAT_TRIED,
    ),
    Sign(
        "docker-build",
        "an image is being built, when no GPU is there",
        cues("docker build|docker-compose build|docker compose build|docker image build| : run "),
        r"\A\s*Step \d{1,3}/\d{1,3} : RUN "
        r"|\bdocker(?:-compose | compose | image | buildx | )build\b(?! and | then )",
    ),
    Sign(
        "docker-build-stopped",
        "a command failed by which an image is built",
        ("failed to solve: ", "executor failed running ["),
        r"\bfailed to solve: (?:process|executor failed running)\b"
        r"|\bexecutor failed running \[/bin/sh -c\b",
    ),
    Sign(
        "container-compat-trial-failed",
        "what NVIDIA's image met when it tried its own libraries of forward compatibility",
        (" cuinit()=",),
        r"\[\[(.{1,160} cuInit\(\)=(?!80[34]\b)\d{1,3})\]\]",
    ),
    Sign(
        "container-banner-gpu-too-old",
        "NVIDIA's image does not serve the GPU any more; the value is the GPU",
        ("which is not supported by this container",),
        r"Detected (\S.{1,60}?) GPU, which is not supported by this container",
    ),
    Sign(
        "container-banner-gpu-too-new",
        "NVIDIA's image does not know the GPU yet; the value is the GPU",
        ("supported in this version of the container",),
        r"Detected (\S.{1,60}?) GPU, which (?:is not|may not) yet (?:be )?supported in this",
    ),
    Sign(
        "container-banner-no-gpu-supported",
        "NVIDIA's image serves none of the GPUs that it found",
        ("no supported gpu(s) detected to run this container",),
    ),
    Sign(
        "container-compat-libraries",
        "libraries of forward compatibility (cuda-compat) are on the path",
        ("/compat/", "cuda-compat"),
        r"(/usr/local/cuda[\w.-]*/compat[^\s:;\"']*)|\b(cuda-compat-\d+-\d+)\b",
    ),
    Sign(
        "container-cgroup",
        "the container's cgroup was changed under it, or denies the GPU's devices",
        (
            *("cpu-manager-policy=static", "no-cgroups = true", "no-cgroups=true"),
            *("bpf_prog_query", "cgroup_device"),
        ),
        r"(cpu-manager-policy=static)|(no-cgroups ?= ?true)"
        r"|\A\s*\d{1,6}\s+(cgroup_device\s+multi\s+sd_devices)"  # bpftool lists systemd's filter
        r"|bpf_prog_query\(BPF_CGROUP_DEVICE\) failed",
    ),
    Sign(
        "container-ldconfig-helps",
        "somebody says that ldconfig inside a container brings the driver's libraries back",
        ("ldconfig",),
        r"\A(?=.{1,600}\Z)(?!.*ldconfig[^.\n]*\?).*?\bldconfig`?(?: again)?"
        r" (?:in|inside|within)(?: of)? (?:the |my |a |that )?containers?\b[^.\n]{0,60}"
        r"\b(?:corrects?|fixe[sd]|solve[sd]|cures?|cured|helps?|helped|works?|again)\b",
    ),
    Sign(
        "container-legacy-file",
        "the container tools meet files of the driver inside the image",
        ("mount error: file creation failed",),
        r"file creation failed: (\S+)",
    ),
    Sign(
        "cdi-device-unresolved",
        "no CDI description names the GPU that was asked for",
        cues(
            "unresolvable cdi device|setting up cdi devices|cdi host device|stat nvidia.com/gpu="
            "|failed to generate cdi spec|in cdi registry|device specification nvidia.com/gpu"
            "|found 0 cdi devices|gpu vendor from cdi|failed to inject cdi devices"
            "|no cdi devices found|cdi device injection failed"
        ),
        r"unresolvable CDI devices? (\S+)|CDI host device \"?([\w/.-]+)|CDI"
        r"|stat (nvidia\.com/gpu=\S+): no such file"
        r"|invalid device specification (nvidia\.com/gpu\S+)",
    ),
    Sign(
        "cdi-description-stale",
        "a container's description names a file of the driver that an update took away",
        ("cannot stat `/", "error stat'ing file `/", "fulfil mount request: open /"),
        r"(?:cannot stat|stat'ing file|mount request: open) `?"
        r"(/\S{0,200}lib(?:cuda|nvidia|\w{1,16}_nvidia)[\w-]*\.so\.\d[\d.]*)",
    ),
    Sign(
        "notebook-without-gpu",
        "a notebook of Colab says that it is not connected to a GPU",
        ("not connected to a gpu", "menu to enable a gpu accelerator"),
        r"\A\W*(?:Not connected to a GPU\W*\Z"
        r"|Select the Runtime \W ?\W?Change runtime type\W* menu)",
    ),
    Sign(
        "notebook-on-tpu",
        "a hosted notebook runs on a TPU, which is no GPU",
        (" tpu", '"tpu', "'tpu", ":tpu", "=tpu"),
        r"\A(?!.*(?:\?|\b(?:if|unless|instead|either|or)\b)).*?"
        r"(?:\b(?:hardware )?accelerator(?: type)?(?: is| was)?(?: set to)?[ :=]{1,3}['\"]?TPU"
        r"|\b(?:with|on|in|using) (?:the |a )?TPU (?:runtime|backend)\b"
        r"|\bruntime(?: type)?(?: is| was)?(?: (?:set|changed) to)?[ :=]{1,3}['\"]?TPU\b)",
    ),
    Sign(
        "notebook-with-gpu-told",
        "somebody says that a hosted notebook runs with a GPU",
        ("runtime", "accelerator", "backend"),
        r"\A(?=.{1,300}\Z)(?!.*(?:\?|\b(?:if|unless|instead|either|or|not|no|without|even when"
        r"|should|tpu|forgot|how|want|tried)\b|n't)).*?"
        rf"(?:\b(?:hardware )?accelerator(?: type)?(?:(?: is| was)?(?: set to)? |: ?)['\"]?{_GPU}"
        rf"|\bcolab\b[^.\n]{{0,24}}[ (]{_GPU}(?: gpu)? (?:runtime|backend)\b"
        rf"|\b(?:with|on|in|using) (?:the |a |its )?{_GPU}(?: gpu)? (?:runtime|backend)\b"
        rf"|\b{_GPU} (?:runtime|backend|accelerator) (?:is |was )?(?:switched |turned )?(?:on"
        r"|enabled|activated|selected|chosen)\b"
        r"|\bruntime(?: type(?: is| was)?|(?: type)?(?: is| was)? (?:set|changed|switched) to|:)"
        rf"[ :=]{{1,3}}['\"]?{_GPU})",
    ),
    Sign(
        "singularity-no-nv",
        "Singularity or Apptainer could not bind NVIDIA's files",
        cues(
            "could not find any nv files on this host|could not find any nv libraries"
            "|could not find any nvidia libraries on this host"
            "|could not find any nvidia binaries on this host"
            "|could not find the nvidia smi binary to bind"
        ),
    ),
    Sign(
        "singularity-writable",
        "Singularity binds no files of NVIDIA's into an image that it may write to",
        ("nv files may not be bound with --writable",),
    ),
    Sign(
        "lost-on-reload-told",
        "somebody says that a container loses its GPU when systemd reads its units anew;"
        " other sentences people/lost_meanwhile.py reads",
        ("daemon-reload",),
        r"\bcontainers?\b[^.\n]{0,40}\blos(?:es?|t) (?:its |the |their )?(?:access to )?"
        r"(?:the )?gpus?\b[^.\n]{0,40}\b(daemon-reload)",
    ),
    Sign(
        "container-loses-gpu-told",
        "somebody says that a container loses its GPU at times;"
        " other sentences people/lost_meanwhile.py reads",
        ("container",),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|unless|should|may|might)\b))(?=.*\b(?:at times"
        r"|sometimes|randomly|from time to time|every now and then|after a (?:while|few)))"
        r".*?(\bcontainers? (?:\w+ )?los(?:es?|t) (?:its |the |their )?(?:access to )?"
        r"(?:the )?gpus?)\b",
    ),
    Sign(
        "fails-on-host-told",
        "somebody says that it fails outside of the container as well",
        ("on the host", "outside", "host: "),
        r"(?i)\A(?!.*\b(?:if|unless|whether)\b).*?(?:\b(?:on the host|outside(?: of)?"
        r" (?:the )?(?:container|docker))\b[^.\n]{0,30}"
        r"\b(?:does not|doesn't|won't|fails?|neither)\b[^.\n]{0,20}"
        r"\b(?:either|too|as well|the same)\b"
        r"|\b(?:same|also fails|fails too)\b[^.\n]{0,20}\bon the host\b|\bno different\b"
        r"|\bhost\b[^.\n]{0,40}\b(?:says|is|prints|shows)\b[^.\n]{0,20}"
        r"\b(?:the same|empty|nothing)\b)",
    ),
    Sign(
        "container-after-reload",
        "somebody had systemd read its units anew, which takes the GPU from containers that run",
        ("systemctl daemon-reload",),
        r"\A\W{0,4}(?:[\w.@~:/-]{1,60}[$#] )?(?:sudo )?systemctl daemon-reload\s*\Z",
    ),
    Sign(
        "container-restart-helps-told",
        "somebody says that a container works for a time, and again once it is restarted;"
        " other sentences people/lost_meanwhile.py reads",
        ("restarting the container",),
        r"\bafter (?:a while|some (?:time|hours|days))\b[^\n]{0,160}\b(restarting the container)"
        r" (?:fixes|helps|solves|resolves)\b",
    ),
    Sign(
        "snap-docker",
        "Docker is installed as a snap, which NVIDIA's container tools do not serve",
        ("/snap/docker/", "/var/snap/docker"),
    ),
    Sign(
        "rootless-docker",
        "Docker or Podman runs without root rights",
        ("rootless",),
        r"rootless[^\n]{0,40}(?:docker|podman|mode)|(?:docker|podman)[^\n]{0,40}rootless",
    ),
)
