"""What systems and shells say in their users' languages: no such command, no such file, no."""

from __future__ import annotations

from .text import cues

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


#: What systems say of a file that is not there, in small letters.
NO_FILE = (
    *("no such file", "datei oder verzeichnis nicht gefunden", "aucun fichier ou dossier"),
    *("no existe el fichero", "no existe el archivo", "file o directory non esistente"),
    *("arquivo ou diretório inexistente", "нет такого файла", "nie ma takiego pliku"),
    *("没有那个文件", "沒有此一檔案", "そのようなファイルや", "그런 파일이나"),
)
#: And of one that may not be opened.
REFUSED = (
    *("permission denied", "operation not permitted", "keine berechtigung"),
    *("permission non accordée", "opération non permise", "permiso denegado"),
    *("operación no permitida", "permesso negato", "permissão negada", "отказано в доступе"),
    *("операция не позволена", "brak dostępu", "权限不够", "拒絕不符權限", "許可がありません"),
    "허가 거부",
)

#: What Windows says of a DLL that is not there, in front of its name and behind it.
NO_DLL_BEFORE = (
    r"(?:由于找不到|找不到|缺少|未找到|缺失|丢失|遺失|отсутствует|impossible de trouver)"
)
NO_DLL_BEHIND = (
    r"(?:找不到|未找到|缺失|丢失|不存在|遺失|nicht gefunden|(?:est )?introuvable|не обнаружен"
    r"|no se encontr|non è stato trovato|não foi encontrad|が見つから"
    r"|が(?:足り(?:ない|なか|ませ)|不足|存在し(?:ない|ませ)|ありませ|無い|ない(?!場合|時|とき)))"
)

#: What apt says of a package that it does not have: the cues, and the pattern with its name.
NO_PACKAGE_CUES = cues(
    "e: paket |für paket |trouver le paquet|localizar el paquete|найти пакет|encontrar o pacote"
    "|trovare il pacchetto|odnaleźć pakietu|软件包 |無法找到|パッケージ |패키지를 찾을 수"
)
NO_PACKAGE = (
    r"(?:Paket|trouver le paquet|localizar el paquete|найти пакет|encontrar o pacote"
    r"|trovare il pacchetto|odnaleźć pakietu|软件包|無法找到|パッケージ) »?([\w.+-]+)"
    r"(?:«? (?:kann nicht gefunden|existiert kein)| 没有可安装候选| が見つかりません| 套件|\.?\Z)"
    r"|([\w.+-]+) 패키지를 찾을 수"
)
#: What it says between a package and the one that it waits for.
DEPENDS_CUES = cues(" : hängt ab von| : dépend| : depende| : dipende| : зависит| : 依赖| : 依存")
DEPENDS = r"Hängt ab von|(?:Dépend|Depende|Dipende|Зависит|依赖|依存) ?:"


def not_found(command: str) -> str:
    """The pattern of such a sentence about `command`, which is a pattern itself."""
    behind, before = "|".join((*_OF_SHELLS, *_OF_WINDOWS)), "|".join(_BEFORE)
    return (
        rf"(?<![\w/.-]){command} ?['\"»«`]? ?:?[ ,]{{0,2}}(?:{behind})"
        rf"|(?:{before})[:'\"«» ]{{0,3}}{command}\b"
        rf"|program '{command}' (?:is currently not installed|can be found in the following)"
    )
