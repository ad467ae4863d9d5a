"""Faults that somebody tells in Chinese, and sentences that only sound alike."""

from __future__ import annotations

import pytest

from support.cases import ruled

REPORT = "您好\uff0c请问一下。\n"


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("docker容器找不到nvidia驱动\uff0c找不到gpu", "container-no-gpu"),
        ("docker 镜像内无法检测到GPU", "container-no-gpu"),
        ("在docker里运行 nvidia-smi\nbash: nvidia-smi: command not found", "container-no-gpu"),
        ("我的服务器没有安装显卡驱动", "driver-missing"),
        ("内核更新之后nvidia驱动失效了", "driver-not-loaded"),
        ("重启后nvidia-smi报错", "driver-not-loaded"),
        ("训练到一半掉卡了", "device-lost"),
        ("其中一块显卡不见了", "device-lost"),
        ("我的显卡驱动版本太旧", "driver-too-old"),
    ],
)
def test_cause_is_named(sentence: str, cause: str) -> None:
    assert ruled(REPORT + sentence) == cause


@pytest.mark.parametrize(
    "sentence",
    [
        "如果docker容器找不到GPU\uff0c请加上 --gpus all",
        "docker容器里没有数据集",
        "容器内可以看到GPU",
        "请确认是否没有安装显卡驱动",
        "重启后nvidia-smi正常",
        "建议更新驱动\uff0c驱动版本太旧会报错",
        "显卡温度太高",
    ],
)
def test_other_sentences_alarm_nobody(sentence: str) -> None:
    assert ruled(REPORT + sentence) in ("unknown", "healthy")
