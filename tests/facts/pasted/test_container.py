"""How a container was started, by the line that started it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.pasted.runs import container
from gpuprobe.facts.pasted.text import Text
from support.pasted import told


def facts(pasted: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, fact in container.read(Text(pasted)):
        found.setdefault(key.name.removeprefix("container."), getattr(fact, "value", None))
    return found


@pytest.mark.parametrize(
    ("pasted", "asked"),
    [
        ("$ docker run --gpus all nvidia/cuda:12.2.0-base nvidia-smi", True),
        ("sudo docker run -it --runtime=nvidia --rm image bash", True),
        ("nvidia-docker run -it image bash", True),
        ("podman run --device nvidia.com/gpu=all image", True),
        ("docker run -it \\\n  --rm \\\n  --gpus '\"device=0\"' image", True),
        ("docker run -it ubuntu:22.04 bash", False),
        ("docker run -it \\\n  --rm ubuntu:22.04\nlater --gpus all", False),
        ("singularity exec --nv image.sif python", True),
        ("apptainer exec image.sif python", False),
        ("apptainer --quiet run --nv image.sif", True),
        ("['singularity', '--silent', 'run', '--nv', 'a.sif']", True),
        ("['singularity', '--silent', 'run', 'a.sif']", False),
        ("    runtime: nvidia", True),
        ("            - driver: nvidia", True),
        ('            nvidia.com/gpu: "1"', True),
    ],
)
def test_whether_gpus_were_asked_for(pasted: str, asked: bool) -> None:
    assert facts(pasted)["gpus_asked"] is asked


def test_image_and_shared_memory() -> None:
    line = "docker run --gpus all --shm-size=8g nvcr.io/nvidia/pytorch:23.10-py3 python a.py"
    assert facts(line) == {
        "gpus_asked": True,
        "shm_size": "8g",
        "image": "nvcr.io/nvidia/pytorch:23.10-py3",
    }
    assert facts("docker run --ipc=host --gpus all a/b:1 x")["shm_size"] == "host"


@pytest.mark.parametrize(
    ("pasted", "kind"),
    [
        ("Singularity> nvidia-smi", "singularity"),
        ("apptainer exec --nv image.sif python", "apptainer"),
        ("Singularity is a name", None),
        ("apptainer exec image.sif python", "apptainer"),
        ("apptainer was installed with --nvidia", None),
        ("nextflow run nf-core/nanoseq -r 1.1.0 -profile singularity --guppy_gpu", "singularity"),
        ("nextflow run main.nf -profile test,docker", "docker"),
        ("nextflow run main.nf -profile conda", None),
        ("aws s3 ls -profile docker", None),
    ],
)
def test_inside_of_apptainer(pasted: str, kind: str | None) -> None:
    assert facts(pasted).get("kind") == kind


@pytest.mark.parametrize("pasted", ["docker ps", "docker running", "nvidia.com/gpu: 0", "gpus: 2"])
def test_other_lines_start_no_container(pasted: str) -> None:
    assert facts(pasted) == {}


@given(st.text(max_size=300))
def test_no_text_breaks_the_reader(noise: str) -> None:
    facts(f"docker run {noise} \\\n{noise}\nruntime: nvidia{noise}")


def test_talos_lists_the_modules_that_run() -> None:
    row = "192.0.2.14   runtime     LoadedKernelModule   {}   2         {}"
    assert told(row.format("nvidia", "Live"))["module.nvidia.loaded"] is True
    assert "module.nvidia.loaded" not in told(row.format("nvidia_drm", "Live"))
    assert "module.nvidia.loaded" not in told(row.format("nvidia", "Loading"))


def test_a_folder_that_is_only_inside_of_one_tells_of_apptainer() -> None:
    sourced = "source /.singularity.d/env/10-docker.sh"
    assert told(sourced)["container.kind"] == "singularity"
    assert told(f"an Apptainer of ours\n{sourced}")["container.kind"] == "apptainer"
    assert told(f"It runs inside docker\n{sourced}")["container.kind"] == "docker"
    assert "container.kind" not in told("ls /home/user/singularity.d/env")


@pytest.mark.parametrize(
    ("started", "image"),
    [
        ("-p 8888:8888 jupyter/base:latest", "jupyter/base:latest"),
        ("-p 8888:8888 jupyter", None),
        ("host:5000/jupyter:1", "host:5000/jupyter:1"),
    ],
)
def test_a_port_is_no_image(started: str, image: str | None) -> None:
    assert told(f"$ docker run --gpus all {started}").get("container.image") == image


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("It ends when my Docker Compose services start", "docker"),
        ("bash docker/run.sh", "docker"),
        ("Docker Compose 2.20 is installed", None),
        ("bash /opt/docker/running.sh", None),
    ],
)
def test_services_and_scripts_that_start_a_container(line: str, kind: str | None) -> None:
    assert told(line).get("container.kind") == kind
