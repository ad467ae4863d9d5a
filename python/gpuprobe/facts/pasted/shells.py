"""How shells and command lines say, each in its language, that there is no such command."""

from __future__ import annotations

#: What stands behind the command's name, as bash and its like say it, or Ubuntu's helper.
_OF_SHELLS = (
    *("(?:command )?not found", "(?:befehl |kommando )?nicht gefunden", "wurde nicht gefunden"),
    *("(?:commande )?introuvable", "n'a pas été trouvée", "(?:orden )?no encontrada"),
    *("no se encontró la orden", "(?:команда )?не найдена", "(?:comando )?n[aã]o encontrado"),
    *("(?:comando )?non trovato", "nie znaleziono polecenia", "opdracht niet gevonden"),
    *("příkaz nenalezen", "kommandot finns inte", "komut bulunamad", "未找到命令", "找不到命令"),
    *("找不到指令", "(?:コマンド)?が見つかりません", "명령어를 찾을 수 없"),
)
#: The same of Windows' command line, then of PowerShell.
_OF_WINDOWS = (
    *("is not recognized", "ist entweder falsch geschrieben", "n'est pas reconnu"),
    *("no se reconoce como", "не является внутренней", "não é reconhecido", "non è riconosciuto"),
    *("nie jest rozpoznawan", "i. ya da d.. komut", "不是(?:内部或外部命令|內部或外部命令)"),
    *("は、?内部コマンド", "은\\(는\\) 내부 또는 외부"),
    *("wurde nicht als name", "не распознано как имя", "项识别为", "は、コマンドレット"),
)
#: What stands before it: of zsh, fish and Ubuntu's helper, then of PowerShell.
_BEFORE = (
    *("command not found: ", "unknown command:? ", "se ha encontrado la orden ", "无法找到命令"),
    *("找不到命令", "未找到命令", "無法辨識 ", r"ObjectNotFound: \("),
)


def not_found(command: str) -> str:
    """The pattern of such a sentence about `command`, which is a pattern itself."""
    behind, before = "|".join((*_OF_SHELLS, *_OF_WINDOWS)), "|".join(_BEFORE)
    return (
        rf"(?<![\w/.-]){command} ?['\"»«`]? ?:?[ ,]{{0,2}}(?:{behind})"
        rf"|(?:{before})[:'\"«» ]{{0,3}}{command}\b"
        rf"|program '{command}' (?:is currently not installed|can be found in the following)"
    )
