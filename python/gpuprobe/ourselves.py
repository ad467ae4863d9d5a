"""How gpuprobe itself is installed: the one place from which all that prints it takes it."""

from __future__ import annotations

#: What pip is given: the folder of gpuprobe's sources, as nothing is published yet. The release
#: changes this line to "gpuprobe".
REQUIREMENT = "./gpuprobe"

INSTALL = f"pip install {REQUIREMENT}"
REINSTALL = f"pip install --force-reinstall --no-cache-dir {REQUIREMENT}"
#: With all that `gpuprobe libraries` needs.
INSTALL_LIBRARIES = f'pip install "{REQUIREMENT}[libraries]"'
#: Where such a command is run, for the sentence that stands above it.
WHERE = f" ({REQUIREMENT}: gpuprobe's sources)" if REQUIREMENT.startswith(".") else ""
