"""Ask a program that could use the GPU to do so, in its own words."""

from __future__ import annotations

from ..model import Fix

PROVIDERS = Fix(
    "Name the providers where the session is made; ONNX Runtime takes the first that it can use: "
    "`InferenceSession(path, providers=['CUDAExecutionProvider', 'CPUExecutionProvider'])`."
)
PLACE_CTRANSLATE2 = Fix(
    'Make the model with device="cuda". Programs that ask PyTorch whether there is a GPU take the '
    "CPU where PyTorch is a build without CUDA: then install that as one with CUDA.",
    ("python -c 'import torch; print(torch.version.cuda, torch.cuda.is_available())'",),
)
LAYERS = Fix(
    "Say how many layers the GPU takes: `-ngl 99` for llama.cpp's programs, `n_gpu_layers=-1` in "
    "Python, where a name that is spelt otherwise may be passed over without a word.",
    ("llama-cli -ngl 99 -m MODEL.gguf",),
)
CONTEXT = Fix(
    "Give the Module the GPUs: its context is the CPU where none is named. "
    "`mx.mod.Module(symbol=net, context=[mx.gpu(i) for i in range(mx.context.num_gpus())])`"
)
TREES = Fix(
    "Name the GPU among the parameters: `device='cuda'` for XGBoost from 2.0 on, before it "
    "`tree_method='gpu_hist'`; `device='gpu'` for LightGBM, `task_type='GPU'` for CatBoost."
)
PLACE = Fix(
    "Move the model and its inputs to the GPU explicitly, and look where they are: "
    "`tensor.device` in PyTorch, `tf.debugging.set_log_device_placement(True)` in TensorFlow, "
    "`array.devices()` in JAX."
)
LOADED = Fix(
    "Let Transformers put the model on the GPU while it loads it: "
    "`from_pretrained(name, device_map='cuda')`, which needs the package accelerate."
)
OPENCL = Fix(
    "Name the GPU's platform and device, as clinfo numbers them: `gpu_platform_id` and "
    "`gpu_device_id` among LightGBM's parameters. A build with CUDA takes `device='cuda'`.",
    ("clinfo -l",),
)
MOVED = Fix(
    "Move what `from_pretrained` has loaded before its first use: `model.to('cuda')`, of "
    "pyannote's pipelines `pipeline.to(torch.device('cuda'))`, and the inputs as well. "
    "Transformers' `pipeline` takes `device=0`."
)
TRIALS = Fix(
    "Ask for a GPU for each trial: "
    "`tune.with_resources(train_func, {'gpu': 1})`, in older releases "
    "`tune.run(…, resources_per_trial={'gpu': 1})`. A trial sees no GPU that it did not ask for."
)
NAMED_CPU = Fix(
    "Let the line that names the CPU name the GPU, as the library calls it: device='cuda', "
    "CUDAExecutionProvider, n_gpu_layers=-1, --sim_device=cuda:0."
)
SPARK = Fix(
    "Give Spark's plan what the RAPIDS Accelerator can take: Spark's own functions in the place of "
    "a UDF, Parquet or ORC in the place of text. It tells of each part why it was left out.",
    ("spark-shell --conf spark.rapids.sql.explain=NOT_ON_GPU",),
)
OPENCV = Fix(
    "Take a release of OpenCV whose CUDA backend has those layers, or a model without them; ONNX "
    "Runtime and TensorRT compute more kinds of layers on the GPU."
)
GROMACS = Fix(
    "Change what the log names in the .mdp file, mostly the cutoff-scheme, and make the .tpr file "
    "anew.",
    ("grep cutoff-scheme *.mdp",),
)
NOT_SPARED = Fix("Leave out -nb cpu, -pme cpu and -bonded cpu: mdrun then takes the GPU itself.")
SEE_WHERE = Fix(
    "See where the operations are placed; in TensorFlow "
    "tf.debugging.set_log_device_placement(True) tells it. Those of an input pipeline, such as a "
    "loop over a dataset, stay on the CPU: name the GPU for the rest, or move the loop out of the "
    "function."
)
LAYOUT = Fix(
    "Take out a `tf.device('/CPU:0')` around the model, and see where the operations are placed: "
    "`tf.debugging.set_log_device_placement(True)` at the program's start tells it. What is meant "
    "for the CPU takes the layout NHWC, Keras' data_format='channels_last'."
)
_TORCH = Fix(
    "Move the model and its inputs to the GPU: `model.to('cuda')`, `inputs = inputs.to('cuda')`. "
    "Where they are tells `next(model.parameters()).device`."
)
LIGHTNING = Fix(
    "Give the GPU to Lightning's Trainer, which moves model and data by itself: "
    "`Trainer(accelerator='gpu', devices=1)`, before Lightning 1.7 `Trainer(gpus=1)`. A program "
    "that takes the Trainer's arguments on its command line has an option for it."
)
_TENSORFLOW = Fix(
    "TensorFlow takes a GPU that it sees by itself: take out `tf.device('/CPU:0')` and an empty "
    "CUDA_VISIBLE_DEVICES. `tf.debugging.set_log_device_placement(True)` at the program's start "
    "shows what is computed where."
)
_JAX = Fix(
    "JAX takes a GPU that it sees by itself: take out JAX_PLATFORMS=cpu and a `default_device` "
    "that names the CPU. `array.devices()` shows where an array is."
)
_CYCLES = Fix(
    "Set the scene's device as well: Blender's preferences only say which GPUs Cycles may use. In "
    "Blender's Python that is `bpy.context.scene.cycles.device = 'GPU'`; on the command line CUDA, "
    "or OPTIX:",
    ("blender -b SCENE.blend -a -- --cycles-device CUDA",),
)
BLENDER = Fix(
    "Let the script do all three: `prefs.compute_device_type = 'CUDA'` (or 'OPTIX'), then "
    "`prefs.get_devices()` and `use = True` for each of prefs.devices, and "
    "`scene.cycles.device = 'GPU'` for every scene; prefs are "
    "bpy.context.preferences.addons['cycles'].preferences. The command line does the same alone:",
    ("blender -b SCENE.blend -a -- --cycles-device CUDA",),
)
_SUFFIX = Fix(
    "Ask LAMMPS for its GPU package: it is used where `-sf gpu`, or `suffix gpu` in the input, "
    "says so.",
    ("lmp -sf gpu -pk gpu 1 -in INPUT",),
)
_BY_FRAMEWORK = {
    "torch": _TORCH,
    "tensorflow": _TENSORFLOW,
    "tensorflow-gpu": _TENSORFLOW,
    "keras": _TENSORFLOW,
    "jax": _JAX,
    "jaxlib": _JAX,
    "llama-cpp-python": LAYERS,
    "blender": _CYCLES,
    "lammps": _SUFFIX,
}


def ask_for_gpu(framework: str) -> Fix:
    """The way of this framework."""
    return PROVIDERS if framework.startswith("onnx") else _BY_FRAMEWORK.get(framework, PLACE)


def name_of(framework: str) -> str:
    """What a title calls it: the facts of llama.cpp's programs stand under its Python package."""
    return "llama.cpp" if framework == "llama-cpp-python" else framework
