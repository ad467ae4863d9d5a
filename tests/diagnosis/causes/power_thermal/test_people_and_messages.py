"""A GPU that power, heat or a narrow link slows down, told by bare messages, people and miners."""

from __future__ import annotations

import pytest

from support.cases import ruled

HEALTH = "ERROR [[Health]] Detected a WARNING: 'Detected {} due to {} violation in GPU 2.'"
TEMPERATURE = "        GPU Max Operating Temp            : {} C"
SLOW = "step 10960, loss = 0.98 (9134.5 examples/sec; 0.014 sec/batch)\n"
LIMITS = "Current Power Limit     : 50.00 W\nMax Power Limit         : {} W\n"
LOCKED = "Changing power management limit is not supported in current scope\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (HEALTH.format("clock throttling", "power"), "power-thermal"),
        ("    HW Slowdown         : Active\n    HW Thermal Slowdown : Active", "power-thermal"),
        (
            "On linux it seems the GPU is capped at 80W even though this laptop can go to 105W.\n",
            "power-thermal",
        ),
        ("In my settings the GPU is capped at 80W, which is what I want.\n", "unknown"),
        ("        License Status                    : Unlicensed (Restricted)", "power-thermal"),
        ("License Status                    : Licensed (Expiry: 2026-1-1 0:0:0 GMT)", "unknown"),
        ("nvidia-gridd[1234]: Failed to acquire license from 10.0.0.1", "power-thermal"),
        ("systemd: Failed to acquire license from 10.0.0.1", "unknown"),
        ("device #0 is running too hot...", "power-thermal"),
        ("if the device #0 is running too hot, lower its power target", "unknown"),
        ("The CPU is running too hot", "unknown"),
        ("GPU 0 is not too hot", "unknown"),
        ("WARNING: GPU #2 is overheating", "power-thermal"),
        ("is my GPU overheating?", "unknown"),
        ("Temperature limit on GPU #1 reached, aborting...", "power-thermal"),
        ("my second GPU is overheating after an hour", "power-thermal"),
        ("under load, the power for the card randomly drops down to 30W\n", "power-thermal"),
        ("when idle, the power for the card randomly drops down to 30W\n", "unknown"),
        ("Data drops from the bus of the sensor", "unknown"),
        ("As soon as a workload starts, the card stays in the P8 state\n", "power-thermal"),
        ("When nothing runs, the card stays in the P8 state\n", "unknown"),
        (TEMPERATURE.format(57), "power-thermal"),
        (TEMPERATURE.format(93), "unknown"),
        (SLOW + "Turned out the GPU got overheated and slows down.", "power-thermal"),
        (SLOW + "the reason was that our graphics card is throttling", "power-thermal"),
        ("The computer reboots by itself as soon as training starts on both GPUs", "power-thermal"),
        ("服务器重启后训练报错", "unknown"),
        ("# machine powers off when both GPUs are under load", "power-thermal"),
        ("Whenever I start training, my computer shuts down immediately.", "power-thermal"),
        ("My PC shuts down a few seconds after I start training on a 3090", "power-thermal"),
        ("The Jupyter kernel restarts when I start training", "unknown"),
        ("Random reboots during training with DataParallel", "power-thermal"),
        ("After the machine reboots nvidia-smi fails during training setup", "unknown"),
        ("Do I have to install it again when the machine reboots before training?", "unknown"),
        ("You can restart the machine during training", "unknown"),
        ("Running on both GPUs causes the whole system to reboot", "power-thermal"),
        ("一训练电脑就自动重启", "power-thermal"),
        ("Throttle detected for GPU 0: SW Thermal slowdown", "power-thermal"),
        ("No throttle for GPU 0: the SW thermal slowdown is off", "unknown"),
        ("Throttle detected for GPU 0: application clocks", "unknown"),
        ("stuck at P8, GPU shows SW Thermal Slowdown", "power-thermal"),
        ("My miner is slow: the memory temperature stands at 110 degrees.", "power-thermal"),
        ("My miner is slow: the memory temperature stands at 80 degrees.", "unknown"),
        (LIMITS.format("75.00") + LOCKED, "power-thermal"),
    ],
)
def test_a_gpu_that_is_slowed_down_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


SEES = ">>> torch.cuda.is_available()\nTrue\n"


@pytest.mark.parametrize(
    "text",
    [
        (
            "My GPU is capped at 250W although it could draw 350W; temperatures are great, as I "
            "wanted.\n"
        ),
        SEES + "Overclocking the 4090 does nothing for tokens per second.\n",
    ],
)
def test_kin_of_a_gpu_that_is_slowed_down_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        SLOW + "Maybe it is because the GPU is overheating?",
        SLOW + "It turned out that the CPU is throttling.",
        LIMITS.format("55.00") + LOCKED,
        LIMITS.format("75.00"),
    ],
)
def test_this_is_not_a_gpu_that_is_slowed_down(text: str):
    assert ruled(text) != "power-thermal"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("- GPU 1 capped to 200 W of 300 W default", "power-thermal"),
        ("the power limit is 225 W (default 350 W)", "power-thermal"),
        ("- GPU 1 capped to 280 W of 300 W default", "unknown"),
        ("the power limit was 225 W (default 350 W) before I reset it", "unknown"),
    ],
)
def test_a_power_limit_is_told_beside_the_cards_own(line: str, cause: str):
    assert ruled(f"2x RTX 3090, training is slower than last week\n{line}\n") == cause


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("The instance segmentation makes the whole computer restart.", "power-thermal"),
        ("Training causes my PC to shut down, again and again.", "power-thermal"),
        ("The inference forces the workstation to reboot", "power-thermal"),
        ("The update of the driver makes the computer restart.", "unknown"),
        ("The training makes the server restart the worker.", "unknown"),
        ("The whole system goes down (reboot) on running the imagenet example.", "power-thermal"),
        ("The system crashes and reboots when running the script.", "power-thermal"),
        ("When it runs on the GPU the machine restarts.", "power-thermal"),
        ("The machine restarts while running the installer.", "unknown"),
        ("The system goes down when running the script.", "unknown"),
    ],
)
def test_work_of_the_gpu_takes_the_machine_down(sentence: str, cause: str):
    assert ruled(f"GPU: 1080Ti\n\n{sentence}\n") == cause


NVBENCH = "Warn: GPU throttled below threshold ({} MHz / 1980.00 MHz) ({}% < 75%) on sample 3.\n"


def test_a_limit_of_power_costs_a_healthy_gpu_a_third_of_its_clock():
    assert ruled(NVBENCH.format("950.11", "48")) == "power-thermal"
    once = NVBENCH.format("1320.00", "66.67").strip()
    assert ruled(once) == "unknown"
    assert ruled(f"{once} Discarding previous trial and pausing for 0.050s.") == "unknown"
    assert ruled(f"{once} Discarding previous trial and pausing for 0.312s.") == "power-thermal"
