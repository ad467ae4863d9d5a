"""How a container was started: ``docker run`` and its kin, Compose files, Kubernetes resources.

What the container tools say when they fail is in `wordings/containers.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ..prompts import commands
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Line, Text

_RUN = regex(
    r"(?:^|[\s$#>`])((?:nvidia-)?docker|podman|nerdctl)(?:\.exe)?(?: container)? run\b(.*)",
    re.IGNORECASE,
)
_GPUS = regex(
    r"--gpus\b|--runtime[= ]\"?nvidia\b|--device[= ]\"?(?:nvidia\.com/gpu|/dev/(?:nvidia|dxg))"
)
_SHM = regex(r"--shm-size[= ]\"?(\w+)|--(ipc)[= ]\"?host\b")
#: Options of the program itself may come first; a program's list of words has commas and quotes.
_APPTAINER = regex(
    r"\b(singularity|apptainer)(?:(?: -{1,2}[\w-]{1,24}){0,4}|(?:, -{1,2}[\w-]{1,24}){1,4},"
    r"|['\"],(?: ['\"]-{1,2}[\w-]{1,24}['\"],){0,4}) ['\"]?(?:exec|run|shell)\b(.*)"
)
_NV = regex(r"--nv\b|--nvccli\b")
#: Its prompt, or its name and the option by which it brings the GPU along.
_IN_APPTAINER = regex(
    r"(?i)\A\s*(singularity|apptainer)> |\b(singularity|apptainer)\b[^\n]{1,200}[\s`'\"]--nv\b"
)
#: Nextflow's processes, by the engine that the profile names.
_BY_PROFILE = regex(
    r"\bnextflow\b.{0,300}\s-profile \S{0,80}?\b(docker|podman|singularity|apptainer)\b"
)
#: ``registry/name:tag``, the first word of a run line that no option has taken.
_IMAGE = regex(
    r"(?:^|\s)(?!\d+:\d)((?:[a-z0-9.\-]+(?::\d+)?/)*[a-z0-9][\w.\-]*(?:/[\w.\-]*)?:[\w.\-]+)(?=\s|$)"
)
_ASKED = regex(
    r"\A\s*(?:-\s)?(?:runtime: ?['\"]?nvidia|driver: ?['\"]?nvidia"
    r"|capabilities: ?\[ ?['\"]?gpu|nvidia\.com/gpu['\"]?: ?['\"]?[1-9]|gpus: ?['\"]?all)"
    r"|\bnvidia\.runtime['\"]?[=: ]{1,2}['\"]?true\b"
)
_CONTINUED = 12
#: Of an image that is made for GPUs, by its name.
_IMAGE_OF_SERVICE = regex(r"\A\s+image: ?\S*(?:gpu|cuda|nvidia)")
_OF_SERVICE = regex(r"\A\s+(container_name|restart|ports|volumes|environment):")
#: What asks for a device, may do so elsewhere, or tells that lines were left out.
_DEVICES_OF_SERVICE = (
    *("runtime:", "devices:", "deploy:", "gpus:", "--gpus", "/dev/nvidia", "default-runtime"),
    *("nvidia_visible_devices", "extends:", "include:", "<<:", "privileged:", "..."),
)
#: How ``nvidia-smi -L`` answers, inside as outside.
_LISTED = regex(r"\AGPU \d{1,2}: \S")
#: The tool as it is called in a container that runs already, and the head of its table.
_SMI_INSIDE = regex(
    r"(?:^|[\s$#>`])(?:docker(?:[ -]compose)?|podman|nerdctl|kubectl|incus|lxc)(?: container)?"
    r" exec\b[^|;&\n]{1,200}?[ /]nvidia-smi(?: -L)?[`'\"]?\s*\Z"
)
_BANNER = regex(r"\A\|? ?NVIDIA-SMI \d")
_NEAR = 4
#: ``docker inspect``: null or an empty list, or a list that begins.
_REQUESTS = regex(r"\"DeviceRequests\": ?(null|\[\]|\[)")
#: The same by a template of one's own, ``-f '{{.HostConfig.DeviceRequests}}'``, and its answers.
_BY_TEMPLATE = regex(r"\binspect\b[^\n]{1,200}\{\{[^{}\n]{0,40}\.HostConfig\.DeviceRequests\b")
_NO_REQUEST = regex(r"\W{0,3}(?:runc|<nil>|<no value>)?\W{0,3}(?:\[\]|null|<no value>)\W{0,3}")
_RUNTIME = regex(r"\"Runtime\": ?\"nvidia\"")
#: The variables of a container, as ``docker inspect`` lists them.
_VARIABLE = regex(r"\A\s*\"NVIDIA_(?:VISIBLE_DEVICES|DRIVER_CAPABILITIES)=[\w,.-]{0,80}\",?\s*\Z")


def read(text: Text) -> Statements:
    """The first run line; what it leaves out was not asked for."""
    for line in text.having(
        "docker run", "docker.exe run", "container run", "podman run", "nerdctl run"
    ):
        if match := _RUN.search(line.text):
            command = _whole(match[2], line, text)
            asked = match[1].lower() == "nvidia-docker" or bool(_GPUS.search(command))
            yield say(said.CONTAINER_GPUS, asked, line)
            yield from _options(command, line)
            for listed in text.after(line, 1) if asked else ():
                if _LISTED.match(listed.text):
                    yield say(said.CONTAINER_LISTS_GPU, True, listed)
    yield from _apptainer(text)
    for line, engine in text.matching(_BY_PROFILE, "-profile "):
        yield say(names.CONTAINER_KIND, engine[1], line)
    yield from _of_systems(text)
    yield from _answers_inside(text)
    yield from _inspected(text)
    yield from _answered_by_template(text)
    yield from _composed(text)
    for line in text.having("nvidia", "capabilities:", "gpus:"):
        if _ASKED.search(line.text):
            yield say(said.CONTAINER_GPUS, True, line)


#: Slurm's plug-in pyxis, which starts containers of enroot's.
_PYXIS = regex(r"\bsrun\b[^\n]{0,300}--container-(?:image|name)[ =]\S")
#: Containers of systemd's own; the package of that name may be there unused.
_NSPAWN = regex(
    r"(?i)\bsystemd-nspawn (?:-|machine\b|container\b)|\bnspawn (?:container|machine)\b"
)


#: Whose output it is that somebody pastes.
_OF_POD = regex(r"(?i)\blogs? (?:of|from) (?:the|my|a|its|each|every) pods?\b")


#: Where somebody's container runs.
_IN_CLUSTER = regex(
    r"(?i)\bin (?:my|our|an?|the) (?:k8s|k3s|kubernetes|microk8s) cluster\b[^.\n]{0,60}"
    r"\b(?:containers?|pods?)\b"
)


#: Pods of which somebody says that they fail.
_PODS_FAIL = regex(
    r"(?i)\bpods? (?:that|which|made|created|generated|started) [^.\n]{1,80}?\b(?:can(?:not|'?t)"
    r"|(?:does|do|did)(?: not|n'?t)|fails?|crash(?:es)?|dies?|never) "
)
#: The last stage of a Dockerfile that tells what its container runs.
_STAGE = regex(r"\A\s*FROM (?:--platform=\S{1,40} )?[\w./:@${}-]{2,160}(?: AS \S{1,60})?\s*\Z")
_RUNS = regex(r"\A\s*(?:ENTRYPOINT|CMD) ?\[ ?\"")
_INSTRUCTIONS = 40
#: What fails below it is taken for that which it runs, and nothing above it.
_PRINTED = 200
_FAILING = ("error", "cannot ", "could not ", "not found", "failed", "no such", "not detected")
#: Where a container is a pod.
_CLUSTERS = ("kubernetes", "kubeflow", "k8s", "kubectl", " gke", " eks", " aks", "openshift")


#: Without NVIDIA's own command, as people call it.
_BY_PLAIN_DOCKER = regex(r"(?i)\bstarted (?:with|by) (?:a )?plain docker\b(?! in )")


def _of_systems(text: Text) -> Statements:
    """Containers of a cluster's manager and of systemd, which are told in passing."""
    for line, _ in text.matching(_PYXIS, "--container-"):
        yield say(names.CONTAINER_KIND, "enroot", line)
    for line, _ in text.matching(_OF_POD, " pod"):
        yield say(names.CONTAINER_KIND, "kubernetes", line)
    for line, _ in text.matching(_IN_CLUSTER, " cluster"):
        yield say(names.CONTAINER_KIND, "kubernetes", line)
    for line, _ in text.matching(_PODS_FAIL, "pod ", "pods "):
        yield say(names.CONTAINER_KIND, "kubernetes", line)
    yield from _dockerfile(text)
    for line, _ in text.matching(_BY_PLAIN_DOCKER, "plain docker"):
        yield say(names.CONTAINER_KIND, "docker", line)
        yield say(said.CONTAINER_GPUS, False, line)
    for line, _ in text.matching(_NSPAWN, "nspawn"):
        yield say(names.CONTAINER_KIND, "systemd-nspawn", line)


def _dockerfile(text: Text) -> Statements:
    """What a Dockerfile runs fails below it."""
    for line, _ in text.matching(_RUNS, "entrypoint", "cmd"):
        staged = any(_STAGE.match(each.text) for each in text.before(line, _INSTRUCTIONS))
        below = (each.text.lower() for each in text.after(line, _PRINTED))
        if staged and any(cue in each for each in below for cue in _FAILING):
            in_cluster = any(each in text for each in _CLUSTERS)
            yield say(names.CONTAINER_KIND, "kubernetes" if in_cluster else "docker", line)


def _apptainer(text: Text) -> Statements:
    for line in text.having("singularity", "apptainer"):
        if match := _APPTAINER.search(line.text):
            yield say(said.CONTAINER_GPUS, bool(_NV.search(_whole(match[2], line, text))), line)
            yield say(names.CONTAINER_KIND, match[1], line)
    for line, inside in text.matching(_IN_APPTAINER, "singularity", "apptainer"):
        yield say(names.CONTAINER_KIND, (inside[1] or inside[2]).lower(), line)


def _composed(text: Text) -> Statements:
    """A service of Compose that is shown as a whole, and asks for no device."""
    for line, _ in text.matching(_IMAGE_OF_SERVICE, "image:"):
        shown = (*text.before(line, _CONTINUED), *text.after(line, 2 * _CONTINUED))
        of_service = {match[1] for each in shown if (match := _OF_SERVICE.match(each.text))}
        if len(of_service) > 1 and not any(cue in text for cue in _DEVICES_OF_SERVICE):
            yield say(said.CONTAINER_GPUS, False, line)
            yield say(names.CONTAINER_KIND, "docker", line)


def _answers_inside(text: Text) -> Statements:
    """Nvidia-smi reaches the driver in the very container in which something else is amiss."""
    for line, called in text.matching(_SMI_INSIDE, "nvidia-smi"):
        below = text.after(line, _NEAR)
        if any(_BANNER.match(each.text) or _LISTED.match(each.text) for each in below):
            yield say(said.SIGN("smi-answers-inside"), called[0].strip(), line)


def _inspected(text: Text) -> Statements:
    """What ``docker inspect`` tells of one container, or of several that are alike."""
    for line in text.having('"nvidia_visible_devices=', '"nvidia_driver_capabilities='):
        if _VARIABLE.match(line.text):
            yield say(names.CONTAINER_KIND, "docker", line)
    found = tuple(text.matching(_REQUESTS, "devicerequests"))
    asked = {requests[1] == "[" for _, requests in found}
    if len(asked) != 1 or any(True for _ in text.having('"pathonhost": "/dev/nvidia')):
        return
    by_runtime = text.shows(_RUNTIME, "runtime")
    yield say(said.CONTAINER_GPUS, by_runtime or asked.pop(), found[0][0])
    yield say(names.CONTAINER_KIND, "docker", found[0][0])


def _answered_by_template(text: Text) -> Statements:
    """What ``docker inspect`` prints of the requests, and of the run time where both are asked."""
    for _, command, answer in commands(text, "devicerequests"):
        if _BY_TEMPLATE.search(command) and answer:
            asked = _NO_REQUEST.fullmatch(answer[0].text) is None
            if not asked or "gpu" in answer[0].text or "nvidia" in answer[0].text:
                yield say(said.CONTAINER_GPUS, asked, answer[0])
                yield say(names.CONTAINER_KIND, "docker", answer[0])


def _whole(command: str, line: Line, text: Text) -> str:
    """The command with the lines that a backslash (PowerShell: a backtick) continues."""
    parts = [command]
    for each in text.after(line, _CONTINUED):
        if not parts[-1].rstrip().endswith(("\\", "`", "^")):
            break
        parts.append(each.text)
    return " ".join(part.rstrip(" \\`^") for part in parts)


def _options(command: str, line: Line) -> Statements:
    if match := _SHM.search(command):
        yield say(names.CONTAINER_SHM, match[1] or "host", line)
    if match := _IMAGE.search(command):
        yield say(said.CONTAINER_IMAGE, match[1], line)
