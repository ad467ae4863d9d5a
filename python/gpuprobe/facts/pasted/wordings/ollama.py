"""What Ollama says of the GPUs that it finds, and of those that it leaves out."""

from ..sign import Sign
from ..text import cues

SIGNS = (
    Sign(
        "ollama-no-layers",
        "Ollama finds room for none of a model's layers on the GPU",
        ("layers.offload=0",),
        r"layers\.model=[1-9]\d{0,3} layers\.offload=0\b",
    ),
    Sign(
        "ollama-no-gpu",
        "Ollama found no GPU that it can use",
        cues(
            "no compatible gpus were discovered|no nvidia gpu detected|gpu not detected"
            '|msg="no gpu detected|gpu support may not be enabled'
            "|error looking up nvidia gpu memory|unable to load cuda management library"
            "|unable to load cudart library|unable to load cudart cuda management library"
            '|unable to load nvcuda library|msg="inference compute" id=0 library=cpu'
            '|msg="inference compute" id=cpu|inference compute id=cpu'
        ),
    ),
    Sign(
        "ollama-libcuda-no-device",
        "Ollama opened the driver's library, which counts no device",
        ('msg="no nvidia devices detected',),
    ),
    Sign(
        "ollama-driver-refused",
        "Ollama took its CUDA run time's word that the driver is too old for it, or missing",
        ("your nvidia driver is too old or missing",),
    ),
    Sign(
        "ollama-driver-too-old",
        "Ollama serves this GPU with newer drivers only; the value is what it needs",
        ('msg="nvidia driver too old"',),
        r"required_driver=\"?(\d{3}[^\"\n]{0,20})",
    ),
    Sign(
        "ollama-leaves-gpu-out",
        "Ollama leaves GPUs out whose driver is too old, and does not tell which it needs",
        ("cuda_compat.go",),
        r"cuda_compat\.go\b[^\n]{0,40}\bNVIDIA driver too old(?![^\n]*required_driver=)",
    ),
    Sign(
        "ollama-no-libraries",
        "Ollama found no library of NVIDIA's driver in any folder",
        ('msg="discovered gpu libraries" paths=[]', 'msg="discovered gpu libraries: []"'),
    ),
    Sign(
        "ollama-without-cuda",
        "Ollama was built without its libraries for GPUs: it lists those for processors only",
        ("dynamic llm libraries",),
        r"Dynamic LLM libraries\W{1,3}(?:runners=\W{1,2})?((?:cpu(?:_\w{1,9})?[ ,]{0,2}){1,6})\]",
    ),
    Sign(
        "ollama-gpu-too-old",
        "Ollama left a GPU out because of its capability, which is the value",
        ("cuda gpu is too old",),
        r"compute capability detected: (\d+\.\d+)|compute=(\d+\.\d+)|too old",
    ),
    Sign(
        "ollama-cudart-of-physx",
        "Ollama takes the CUDA run time of PhysX, which is of CUDA 3; the value is the file",
        ("physx",),
        r"\"detected GPUs\" library=\"?\S[^\"\n]{0,120}PhysX[^\"\n]{0,60}?(cudart\w{1,12}\.dll)",
    ),
    Sign(
        "ollama-runner-died",
        "Ollama's own server lost the process that computes",
        ("error: post predict: post ",),
        r"\bError: POST predict: Post [^\n]{0,120}: EOF\b",
    ),
)
