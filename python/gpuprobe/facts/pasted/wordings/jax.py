"""What JAX and XLA say."""

from ..sign import Sign
from ..text import cues

#: How much of a GPU's memory those take that keep it in advance, and when.
_MOST = (
    r"\b(?:(?:all|most|the whole|the entire|almost all|nearly all)\b|[6-9]\d ?%)[^.,\n]{0,24}?"
    r"\b(?:gpu|vram|memory)\b"
)
_TAKES = r"(?:takes?|allocates?|grabs?|occup(?:ies|y)|reserves?|fills?|eats?|uses?)(?: up)?\b"
_ON_IMPORT = (
    r"\b(?:(?:as soon as|once|when|while) (?:it|they|jax|tensorflow|keras) (?:is|are|gets|being)"
    r" imported|(?:as soon as|once|when) (?:I|we) import (?:it|jax|tensorflow|keras)"
    r"|(?:on|at|upon|during) (?:the |its )?import)\b"
)

SIGNS = (
    Sign(
        "xla-device-memory",
        "XLA took memory of a GPU in advance; the value is how many bytes",
        ("xla backend allocating ",),
        r"XLA backend allocating (\d{1,14}) bytes on device \d{1,2} for BFCAllocator",
    ),
    Sign(
        "jax-fell-back-to-cpu",
        "JAX lists no GPU and takes the CPU",
        ("falling back to cpu", "defaulting to cpu"),
        r"no GPU(?:/TPU)? found|(?:failed|unable) to initialize"
        r"|(?<!is not supported, )falling back to cpu",  # that is Taichi's
    ),
    Sign(
        "jax-only-cpu-client",
        "XLA's log at its lowest level tells of the client for CPUs, and of those that it tries",
        ("tfrtcpuclient created",),
    ),
    Sign(
        "jax-without-gpu-told",
        "somebody says that JAX does not get at the GPU, or takes the CPU",
        (
            *(" back to the cpu", " back to cpu", " back to my cpu", " back on the cpu"),
            *("jax no longer", "jax does", "jax can", "jax never"),
        ),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?\s*\Z|\b(?:if|unless|should|would|may|might|could)\b)).*?("
        r"\bjax\b[^.,;:\n]{0,24}\b(?:falling|falls?|fell) back (?:to|on) (?:the |my )?cpu\b"
        r"|\bjax\b[^.,;:\n]{0,4}\b(?:no longer|does(?: not|n't)|cannot|can't|never) "
        r"(?:sees?|finds?|detects?|recogni[sz]es?|uses?) (?:the|my|any|a) (?:\w+ )?gpus?\b)",
    ),
    Sign(
        "jax-without-cuda",
        "there may be a GPU, but the CUDA plugin (or a CUDA jaxlib) is not installed",
        cues(
            "cuda-enabled jaxlib is not installed|jaxlib is not compiled with cuda"
            "|gpu-enabled jaxlib is not installed|jaxlib was not built with cuda"
            "|no cuda-enabled jaxlib"
        ),
    ),
    Sign(
        "jax-backend-failed",
        "JAX could not initialise its GPU backend",
        cues(
            "unable to initialize backend 'cuda'|unable to initialize backend 'gpu'"
            "|failed to initialize cuda backend|cuda backend failed to initialize"
            "|jax_plugins.xla_cuda"
        ),
        r"unable to initialize backend '(?:cuda|gpu)':? ?(.{0,160})"
        r"|backend failed to initialize:? ?"
        r"(.{0,160})|failed to initialize cuda backend"
        r"|error[^\n]{0,40}jax_plugins\.xla_cuda",
    ),
    Sign(
        "jax-no-visible-gpu",
        "CUDA started for JAX, and lists no GPU: there is none, or none is left to it",
        ("failed_precondition: no visible gpu devices",),
    ),
    Sign(
        "xla-no-convolution-algorithm",
        "XLA tried cuDNN's algorithms for a convolution, and none worked",
        ("failed to determine best cudnn convolution algorithm",),
        r"Error\W{1,3}(?:[A-Z_]+: )?Failed to determine best cudnn convolution algorithm"
        r"(?![^\n]*INVALID_ARGUMENT)",
    ),
    Sign(
        "jax-plugin-twice",
        "a second plugin for CUDA came after JAX had taken the first",
        ("pjrt_api already exists for device type cuda",),
    ),
    Sign(
        "jax-backend-unknown",
        "among the backends of JAX that started is none for a GPU",
        cues(
            "unknown backend: 'gpu'|unknown backend: 'cuda'|unknown backend cuda"
            "|unknown backend gpu"
        ),
    ),
    Sign(
        "jaxlib-without-cuda",
        "this jaxlib has no CUDA compiled in, so that it knows no platform of that name",
        ("'gpuallocatorconfig'", "registered platform with name"),
        r"backend '(?:cuda|gpu)'.{0,80}no attribute 'GpuAllocatorConfig'"
        r"|platform with name: \W?cuda\W{1,4}Available platform names are:(?!.*CUDA)",
    ),
    Sign(
        "xla-largest-buffers",
        "XLA lists the largest buffers, as it does where memory does not suffice",
        ("xla label: ",),
    ),
    Sign(
        "jax-ptxas-newer-than-driver",
        "ptxas is newer than the driver: XLA compiles serially; the driver's CUDA, ptxas'",
        ("which is older than the ptx",),
        r"(?:CUDA version is (\d+\.\d+) )?which is older than the (?:ptxas|PTX compiler)"
        r" (?:CUDA )?version \(?(\d[\d.]*)",
    ),
    Sign(
        "jax-library-older-than-built",
        "a CUDA library is older than JAX was built with: library, found, built with",
        ("but jax was built against version",),
        r"found (\w+) version (\d+), but JAX was built against version (\d+)",
    ),
    Sign(
        "jax-cudnn-faulty",
        "JAX refuses a release of cuDNN that is known to compute wrongly; the value is which",
        ("had a binary backward-compatibility issue", "had an issue that caused some multi-gpu"),
        r"cuDNN (\d[\d.]*\d|< \d[\d.]*\d) (?:\(\d+ found\) )?had an? ",
    ),
    Sign(
        "jax-library-not-found",
        "JAX could not load a CUDA library; the value is its name",
        ("unable to load cu", "jax requires"),
        r"(?-i:Unable to load (CUDA|cu[A-Z]\w+))\b(?! (?:driver|management|runtime|library))"
        r"|JAX requires (\S+)",
    ),
    Sign(
        "jax-plugin-mismatch",
        "the CUDA plugin and jaxlib are of different versions: plugin, jaxlib",
        cues(
            "is not compatible with the installed jaxlib version|mismatched pjrt plugin"
            "|plugin is likely built with a"
        ),
        r"version (\d[\w.]*) is installed, but it is not compatible with the installed jaxlib"
        r" version (\d[\w.]*\w)|it is not compatible with the installed jaxlib version (\d[\w.]*\w)"
        r"|Mismatched PJRT plugin PJRT API version \(([\d.]+)\) and framework PJRT API version"
        r" \(?([\d.]+)|plugin is likely built with an? (?:later|earlier|newer|older) version",
    ),
    Sign(
        "jax-plugin-raised",
        "the CUDA plugin of JAX ended in an error where JAX set it up",
        ("jax_plugins",),
        r"plugin configuration error\b[^\n]{0,60}\bjax_plugins\.xla_cuda"
        r"|\bjax_plugins[/\\]xla_cuda\d\d[/\\]__init__\.py\W{1,3}line \d{1,4}, in "
        r"(?:initialize\b|<module>)",
    ),
    Sign(
        # JAX itself has jaxlib under the name jax._src.lib.
        "jaxlib-lacks-name",
        "a name is asked of jaxlib that the installed one does not have; the value is which",
        cues("module 'jaxlib|from 'jaxlib|module 'jax._src.lib|from 'jax._src.lib"),
        # Of builds without a backend JAX looks for one of two in vain, and says so itself.
        r"\bAttributeError: module '(jax(?:lib|\._src\.lib)[\w.]{0,60})' has no attribute "
        r"'(?!GpuAllocatorConfig'|get_tpu_client')(\w{2,60})'"
        r"|\bImportError: cannot import name '(\w{2,60})' from '"
        r"(jax(?:lib|\._src\.lib)[\w.]{0,60})'",
    ),
    Sign(
        "jaxlib-arguments-refused",
        "a function with which JAX's parts register themselves is given other arguments: which",
        ("(): incompatible function arguments",),
        r"\bTypeError: (register_\w{2,60})\(\): incompatible function arguments",
    ),
    Sign(
        "jax-jaxlib-mismatch",
        "jax and jaxlib do not fit each other",
        cues(
            "newer than and incompatible with jax version|but jax requires version"
            "|but this version of jax requires version"
        ),
        r"jaxlib (?:version |is version )(\d[\w.]*\d).{0,80}?jax (?:requires )?version"
        r" >?=?(\d[\w.]*\d)",
    ),
    Sign(
        "jax-gpu-too-old",
        "XLA, or what is built on JAX, serves newer GPUs only; the value is the GPU's capability",
        cues(
            "triton support is only enabled for ampere|require at least ampere arch to run"
            '|requires sm80 (ampere)|"triton" is unsupported on this gpu generation'
            "|one gpu with compute capability 6.0 or greater"
        ),
        r"got compute capability (\d+\.\d+)|Ampere arch|SM80|this GPU generation|or greater",
    ),
    Sign(
        "xla-serves-no-device",
        "XLA found GPUs, and each is too old for it or could not be opened",
        ("no supported devices found for platform cuda",),
    ),
    Sign(
        "memory-taken-on-import-told",
        "somebody says that JAX or TensorFlow takes the GPU's memory while it is imported",
        (" import",),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|unless|should|would|may|might|could|by default|cpu"
        r"|no longer|not take)\b)).*?("
        r"\b(?:jax|tensorflow|keras)[`'\"]?(?: \w+ to)?"
        rf" {_TAKES}[^.,\n]{{0,12}}{_MOST}[^.,\n]{{0,24}}{_ON_IMPORT}"
        r"|\b(?:once|as soon as|when) (?:I|we) import (?:jax|tensorflow|keras)[`'\"]?,? it(?: \w+)?"
        rf" {_TAKES}[^.,\n]{{0,12}}{_MOST}"
        rf"|\b(?:once|as soon as|after|when) (?:jax|tensorflow|keras) (?:is|was|gets) "
        rf"(?:imported|loaded)\b[^.\n]{{0,16}}{_MOST}[^.,\n]{{0,16}}"
        r"\b(?:gone|taken|used|allocated|reserved|occupied|full)\b)",
    ),
    Sign(
        # As one does that is built on JAX, by whatever it computes with it at the start.
        "memory-taken-by-import-told",
        "somebody says that the import of a library takes the GPU's memory",
        cues(' import|"import|`import'),
        r"\A(?=.{1,600}\Z)(?!.*\b(?:if|unless|should|would|by default|cpu|no longer)\b).*?("
        r"\b(?:upon|right after|when|just by|once|after)\W{1,2}(?:\w+ )?import(?:ing|ed)?\b"
        r"[^.\n]{0,80}?\bmemory\b[^.\n]{0,24}\b(?:fills?|occupied|taken|reserved|used|allocated)\b"
        r"|\b(?:memory|\d{1,3} ?Gi?B)\b[^.,\n]{0,30}\b(?:gets|is|are) (?:occupied|taken|reserved"
        r"|allocated|used)\b[^.\n]{0,40}?\b(?:right after|upon|when)\W{1,2}(?:it is )?import\w*"
        r"|\b(?:upon|right after|just by) importing\b[^.\n]{0,60}?\bhas \d{1,3} ?Gi?b of memory"
        r" used)",
    ),
    Sign(
        "jax-library-handle",
        "a library that JAX calls could not start; the value is its name",
        ("operation gpu", "operation cu"),
        r"operation (?:gpu|cu)(solver|sparse|blas)\w{0,4}Create\(&handle\) failed",
    ),
    Sign(
        "xla-driver-too-old-for-ptx",
        "the driver cannot take the PTX that XLA made",
        (
            *("linking with the driver is not supported", "the driver is too old for"),
            "fails. this is usually caused by stale driver version",
        ),
    ),
    Sign(
        "xla-driver-suspected",
        "XLA could not start cuDNN and names the driver's version, as it always does then",
        ("possibly insufficient driver version",),
        r"insufficient driver version: (\d[\d.]*\d)",
    ),
    Sign(
        "xla-no-room",
        "XLA may use no memory at all beside what a program takes and gives; the value is how much",
        ("reduce memory use below ",),
        r"Can't reduce memory use below (?:(-\d[\d.]*[KMGT]?i?B|0B) |(-\d[\d.]*)\s*\Z)",  # or cut
    ),
    Sign(
        "xla-ptxas-older-than-gpu",
        "ptxas does not know the GPU, so the driver compiles; the value is the GPU's capability",
        ("support cc ",),
        r"ptxas (?:does not|doesn't) support CC (\d+\.\d+)",
    ),
    Sign(
        "xla-no-ptx-targets",
        "the compiler knows no target for this GPU",
        cues(
            "is not a recognized processor for this target"
            "|not a recognized feature for this target|does not support target 'sm_"
        ),
        r"'([\w+-]+)' is not a recognized (?:processor|feature)"
        r"|PTX version [\d.]+ does not support target '(sm_\w+)'",
    ),
)
