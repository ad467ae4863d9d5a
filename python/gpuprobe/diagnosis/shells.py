"""How the shells of the systems have what a command needs.

Commands for Windows are PowerShell's, which its terminal opens; what cmd has as well is written so
that both take it: ``where.exe``, because ``where`` is another command in PowerShell.
"""

from __future__ import annotations


def set_variable(name: str, value: str, *, windows: bool) -> str:
    """Set an environment variable for what is started after it."""
    return f'$env:{name} = "{value}"' if windows else f"export {name}={value}"


def start_with(name: str, value: str, command: str, *, windows: bool) -> tuple[str, ...]:
    """Start a program with an environment variable; PowerShell has it for the whole shell."""
    if windows:
        return set_variable(name, value, windows=True), command
    return (f"{name}={value} {command}",)
