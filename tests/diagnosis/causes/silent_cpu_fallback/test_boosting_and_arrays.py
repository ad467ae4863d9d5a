"""Work that the CPU does beside a GPU that works, told by CuPy or XGBoost."""

from __future__ import annotations

import pytest

from support.cases import ruled

# -- Spark's plan --------------------------------------------------------------------------------
LEFT_OUT = "!Exec <ProjectExec> cannot run on GPU because not all expressions can be replaced"
SPARK = """GPU: 1x A10, driver 535.104.05
WARN RapidsPluginUtils: RAPIDS Accelerator is enabled.
{plan}
{told}
"""


@pytest.mark.parametrize(
    ("plan", "told", "cause"),
    [
        (LEFT_OUT, "GPU-Util stays at 0% during the query.", "silent-cpu-fallback"),
        (LEFT_OUT, "The query is done in 3 minutes.", "unknown"),  # most plans have such parts
        ("*Exec <ProjectExec> will run on GPU", "GPU-Util stays at 0%.", "unknown"),
    ],
)
def test_spark_tells_what_it_leaves_to_the_cpu(plan: str, told: str, cause: str):
    assert ruled(SPARK.format(plan=plan, told=told)) == cause


IDLE = "nvidia-smi shows 0 % and no process while all cores are at 100 %\n"


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ('reg = xgb.XGBRegressor(n_estimators=20, tree_method="hist")', "silent-cpu-fallback"),
        ('reg = xgb.XGBRegressor(tree_method="hist", device="cuda")', "unknown"),
        ('self.device = torch.device("cpu")', "silent-cpu-fallback"),
        ('self.device = torch.device("cuda")', "unknown"),
    ],
)
def test_code_takes_the_cpu_and_the_gpu_has_no_process(code: str, cause: str):
    assert ruled(f"GPU: RTX 2060\n{code}\n{IDLE}") == cause
    assert ruled(f"GPU: RTX 2060\n{code}\n") == "unknown"


IDLE_TREES = """import {module}
params = {{"objective": "binary", {device}"learning_rate": 0.1}}
model = {module}.train(params, data)
While it trains:
|   0  NVIDIA GeForce RTX 4080        Off | 00000000:01:00.0 Off |                  Off |
|  0%   33C    P8              14W / 320W |     12MiB / 16376MiB |      0%      Default |
|  No running processes found                                                           |
"""


@pytest.mark.parametrize(
    ("module", "device", "named"),
    [
        ("xgb", "", True),
        ("lgb", "", True),
        ("xgb", '"device": "cuda", ', False),
        ("lgb", '"device_type": "gpu", ', False),
        ("torch", "", False),
    ],
)
def test_trees_are_boosted_on_the_cpu(module: str, device: str, *, named: bool):
    text = IDLE_TREES.format(module=module, device=device)
    assert (ruled(text) == "silent-cpu-fallback") is named


SMI_470 = """| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |
|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |
| N/A   38C    P8     9W /  70W |      0MiB / 15109MiB |      0%      Default |
"""
NOTHING = "unknown", "healthy"
TRAIN = "bst = xgb.train(params, dtrain)\n"
SHOWN = "params = {'max_depth': 8}\n"
MEANWHILE = "While it runs:\n"


@pytest.mark.parametrize(
    "code",
    [
        SHOWN + TRAIN + 'params["device"] = "cuda"',
        SHOWN + "params['device_type'] = 'gpu'\n" + TRAIN,
        SHOWN + TRAIN + "bst.set_param('device', 'cuda')",
        "clf = XGBClassifier(tree_method='gpu_exact')",
        "params = json.load(open('params.json'))\n" + TRAIN,
        "clf = XGBClassifier(**settings)",
    ],
)
def test_trees_whose_device_is_named_or_not_shown(code: str):
    assert ruled(f"{code}\n{MEANWHILE}{SMI_470}") in NOTHING


@pytest.mark.parametrize(
    "text",
    [
        "clf = XGBClassifier()",
        "clf = XGBClassifier()  # small data, CPU is faster, GPU idle",
        "lgb.train({'max_depth': 8}, d)\nValueError: Input contains NaN",
        "clf = XGBClassifier()\nHow do I choose max_depth?",
    ],
)
def test_trees_of_which_nobody_complains(text: str):
    assert ruled(f"{text}\n{SMI_470}") in NOTHING
