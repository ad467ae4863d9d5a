"""Why Windows did not load a DLL: its error number, else its words, which follow the language."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from typing import TYPE_CHECKING

from ... import names, said
from ...excerpt import excerpt
from ...regex import regex
from ..prompts import commands
from ..statement import Statements, say
from .library_names import WORD, base, of_gpu, stem
from .where import not_found, searches_path

if TYPE_CHECKING:
    from ..text import Line, Text


#: Windows' numbers of what can go wrong with a DLL, and its words in several languages.
_WINDOWS_NUMBER = regex(
    r"(?i)\[WinError (\d{1,4})\]|\berror code(?: is)? (\d{1,4})\b|failed with error (\d{1,4})\b"
    r"|\(error (?:code )?(\d{1,4})\)|\berrno:? (\d{3,4})\b"  # by a name that is no errno's
)
_WINDOWS_WORDS = (
    (
        126,
        (
            "the specified module could not be found",
            "找不到指定的模块",
            "找不到指定的模組",
            "das angegebene modul wurde nicht gefunden",
            "le module spécifié est introuvable",
            "no se puede encontrar el módulo especificado",
            "não foi possível encontrar o módulo",
            "impossibile trovare il modulo specificato",
            "не найден указанный модуль",
            "指定されたモジュールが見つかりません",
            "지정된 모듈을 찾을 수 없습니다",
            "nie można odnaleźć określonego modułu",
            "belirtilen modül bulunamad",
            "dll: can't find dependent libraries",  # Java's
        ),
    ),
    (
        127,
        (
            "the specified procedure could not be found",
            "找不到指定的程序",
            "找不到指定的程序。",
            "die angegebene prozedur wurde nicht gefunden",
            "la procédure spécifiée est introuvable",
            "no se encontró el proceso especificado",
            "не найдена указанная процедура",
            "指定されたプロシージャが見つかりません",
            "지정된 프로시저를 찾을 수 없습니다",
        ),
    ),
    (
        193,
        (
            "%1 is not a valid win32 application",
            "不是有效的 win32 应用程序",
            "不是有效的 win32 應用程式",
            "ist keine zulässige win32-anwendung",
            "n'est pas une application win32 valide",
            "не является приложением win32",
        ),
    ),
    (
        1114,
        (
            "dynamic link library (dll) initialization routine failed",
            "动态链接库(dll)初始化例程失败",
            "動態連結程式庫 (dll) 初始化例行程序失敗",
            "dll-initialisierungsroutine ist fehlgeschlagen",
            "произошел сбой в программе инициализации библиотеки динамической компоновки",
            "ダイナミック リンク ライブラリ (dll) 初期化ルーチンの実行に失敗しました",
        ),
    ),
    (1455, ("the paging file is too small", "页面文件太小")),
)
_WINDOWS_NUMBERS = frozenset({126, 127, 182, 193, 998, 1114, 1455})
#: What torch's own words mean where somebody leaves the number out.
_NOT_FOUND = 126
#: What a box says of a program that does not start for want of a DLL, as `loader` has it in
#: English: the words in front of the file's name, or behind it.
_LACKS = ("找不到", "丢失", "遺失", "il manque", "no se encontró", "falta", "не обнаружила",
          "отсутствует", "nie znaleziono")  # fmt: skip
_IS_LACKED = ("nicht gefunden wurde", "auf dem computer fehlt", "est introuvable",
              "não foi encontrado", "está faltando", "が見つからない", "이(가) 없",
              "을(를) 찾을 수 없", "non è stato trovato", "non trovato")  # fmt: skip
_DLL = r"([A-Za-z][A-Za-z0-9_.+-]{1,80}?\.dll)"
_NOT_THERE = regex(
    rf"(?i)(?:{'|'.join(_LACKS)}) ?['\"]?{_DLL}"
    rf"|(?<![\w.]){_DLL}['\"]? ?(?:{'|'.join(map(re.escape, _IS_LACKED))})"
)
_WINDOWS_FILE = (
    regex(r"(?i)erro\w? loading \"([^\"]+?\.(?:dll|pyd))\""),
    regex(r"(?i)trying to load \"?([^\"\s][^\"\n]*?\.dll)\b"),
    regex(rf"(?i)could not load library ({WORD})"),
    regex(rf"(?i)({WORD}): can't find dependent libraries"),
    regex(r"(?i)DLL load failed while importing (\w+)"),
    regex(r"(?i)\bfailed to (?:pre)?load ['\"]?([^\s'\"][^'\",\n]{0,300}?\.dll)\b"),  # vs-mlrt
)
#: Of Microsoft's Visual C++: of all others `where` tells only beside the list of what a file is
#: linked with, since the frameworks bring their libraries in folders that are on no search path.
_RUNTIME = regex(r"(?i)\b((?:msvcp140(?:_[12])?|vcruntime140(?:_1)?|vcomp140)\.dll)\b")
_LINKED = regex(rf"(?i)\A\s{{1,16}}(?:DLL Name: )?{_DLL}\s*\Z")
#: Torch's extensions find CUDA's libraries in its folder.
_WITH_TORCH = ("c10.dll", "c10_cuda.dll", "torch_python.dll", "torch_cpu.dll", "torch_cuda.dll")
_ANY_DLL = regex(rf"(?i)(?<![\w.-]){_DLL}")
#: How programs say that a DLL was not loaded, or not what it asks for.
_NOT_LOADED = ("or one of its dependencies", "dll load failed", "winerror", "could not be loaded",
               "cannot be correctly loaded", "find dependent libraries", "unable to load dll",
               "loadlibrary failed")  # fmt: skip
#: CuPy's modules bear the names of the libraries that they are linked with.
_OF_CUPY = regex(
    r"(?i)DLL load failed while importing (cublas|cufft|curand|cusolver|cusparse|nvrtc|cudnn)\b"
)
#: So do those of JavaCPP (jnicudart.dll) and JCuda (JCublas2-0.8.0-windows-x86_64.dll), in Java.
_OF_JAVA = regex(
    r"(?i)\bj(?:ni)?(cublas(?:lt)?|cuda(?:rt|runtime)|cufft|curand|cusolver|cusparse|nvrtc|cudnn)2?"
    r"(?:-\d[\w.-]{0,40})?\.dll: Can't find dependent libraries"
)
#: Torch's own files, of which somebody says in few words that Windows does not load them.
_OF_TORCH = regex(
    r"(?i)(?:(?<!fix )(?<!fixes )(?<!fixed )\b(?:errors?|fail\w*|can(?:'?t|not| not)"
    r"|could(?: not|n't)|unable)(?: to| in| while| when)? load(?:ing)? [`'\"]?"
    r"(?:[\w:./\\-]{0,120}[/\\])?|\bloading [`'\"]?(?=\S{1,24} \(WinError\b))"
    r"((?:fbgemm|c10|shm|torch_cpu|torch_python|asmjit)\.dll)\b"
)
#: What cuDNN says below the line with the error, which is left out; it loads this part of it first.
_SECOND_LINE = regex(
    r"\bPlease make sure ((?:lib)?cudnn_ops_infer(?:64_8\.dll|\.so\.8)) is in your library path"
)
_TORCHS_CUES = ("fbgemm.dll", "c10.dll", "shm.dll", "torch_cpu.dll", "torch_python.dll",
                "asmjit.dll")  # fmt: skip


def read(text: Text) -> Statements:
    """The number as an error of its own, and the file that could not be loaded."""
    numbered = False
    for line in text.having("winerror", "error code", "failed with error", "(error ", "errno"):
        match = _WINDOWS_NUMBER.search(line.text)
        number = int(next(filter(None, match.groups()))) if match else 0
        if number in _WINDOWS_NUMBERS and _is_windows(line.text):
            yield from _windows_error(number, line)
            numbered = True
    for number, words in _WINDOWS_WORDS:
        for line in text.having(*words):
            yield from _windows_error(number, line)
            numbered = True
    for line in () if numbered else text.having("or one of its dependencies"):
        if _WINDOWS_FILE[0].search(line.text):
            yield from _windows_error(_NOT_FOUND, line)
            numbered = True
    for line, match in () if numbered else text.matching(_OF_TORCH, *_TORCHS_CUES):
        told = f"{match[1]}: error {_NOT_FOUND}"
        yield say(said.ERROR(f"WIN32_{_NOT_FOUND}"), excerpt(line.text), line)
        yield say(said.LIBRARY_BROKEN(stem(match[1])), told, line)
    if not numbered:
        yield from _told_below(text)
        yield from _of_dotnet(text)
    yield from _in_a_box(text)
    yield from _named_by_module(text)
    yield from _checked(text)
    yield from _searched(text)


def _in_a_box(text: Text) -> Statements:
    for line, match in text.matching(_NOT_THERE, *_LACKS, *_IS_LACKED):
        name = match[1] or match[2]
        if of_gpu(stem(name)):
            yield say(names.LIBRARY_MISSING(stem(name)), base(name), line)


def _told_below(text: Text) -> Statements:
    if "could not load library" in text:
        return
    for line, match in text.matching(_SECOND_LINE, "in your library path"):
        yield say(names.LIBRARY_MISSING("cudnn"), match[1], line)


#: .NET's words for a DLL, behind which it tells Windows' number; those of CUDA `loader` reads.
_DOTNET = regex(
    r"(?i)unable to load dll ?['\"](?!nv|cu[a-z]{2}|npp|jni)([\w.+-]{2,60}?)(?:\.dll)?['\"]"
    r"(?![^\n]*\b0x8007(?!007e\b))"
)
#: What stands in a line that names a file which is missed.
_MISSED = regex(
    r"(?i)\b(?:not|n't|no|missing|unable|cannot|fail\w*|without|lacks?|where (?:is|do)|need\w*)\b"
)


def _of_dotnet(text: Text) -> Statements:
    """A DLL that .NET does not load, where the text tells that its file is there.

    Windows has one number for a file that is not found and for one whose own DLLs are not.
    """
    for line, named in text.matching(_DOTNET, "unable to load dll"):
        file = f"{named[1]}.dll"
        others = (each for each in text.unlike(file.lower()) if each.number != line.number)
        if any(not _MISSED.search(each.text) for each in others):
            yield say(said.ERROR(f"WIN32_{_NOT_FOUND}"), excerpt(line.text), line)
            yield say(said.LIBRARY_BROKEN(stem(file)), f"{file}: error {_NOT_FOUND}", line)
            return


#: TensorFlow 1's check before its import, whose code has the file's name in a variable; the error
#: stands below Python's own frame. Which release of a file it is, the build alone knows.
_CHECKED = regex(r"\.WinDLL\(build_info\.(nvcuda|cudart|cudnn|msvcp)_dll_name\)")
_FILES = {"nvcuda": "nvcuda.dll", "cudart": "cudart64_*.dll", "cudnn": "cudnn64_*.dll",
          "msvcp": "msvcp140.dll"}  # fmt: skip
_BELOW = 8


def _checked(text: Text) -> Statements:
    for line, match in text.matching(_CHECKED, "windll(build_info."):
        below = (_WINDOWS_NUMBER.search(each.text) for each in text.after(line, _BELOW))
        if any(found and found[1] == str(_NOT_FOUND) for found in below):
            file = _FILES[match[1]]
            yield say(names.LIBRARY_MISSING(stem(file.replace("64_*", ""))), file, line)


def _named_by_module(text: Text) -> Statements:
    if "cupy" in text:
        for line, match in text.matching(_OF_CUPY, "dll load failed while importing"):
            yield say(names.LIBRARY_MISSING(match[1].lower()), match[1], line)
    for line, match in text.matching(_OF_JAVA, "dll: can't find dependent libraries"):
        library = match[1].lower().replace("runtime", "rt")
        yield say(names.LIBRARY_MISSING(library), library, line)


def _searched(text: Text) -> Statements:
    """What was looked for in vain when a DLL had failed, of the files that it is linked with."""
    if not any(True for _ in text.having(*_NOT_LOADED)):
        return
    yield from _not_in_system32(text)
    linked = _linked(text)
    for _, command, answer in commands(text, "where"):
        if searches_path(command):
            for asked, line in not_found(command, answer):
                for name in _ANY_DLL.findall(asked):
                    if _RUNTIME.match(name) or name.lower() in linked:
                        yield say(names.LIBRARY_MISSING(stem(name)), base(name), line)


#: The folder of Windows' own DLLs, and what is looked for there.
_IN_SYSTEM32 = regex(
    r"(?i)\A(?:dir|test-path)(?: [-/]\w{1,12}){0,3} ['\"]?\S{0,40}\\System32\\([\w*?.-]{1,40})"
    r"['\"]?\Z"
)
#: What both answer where there is nothing of that name; dir's words are those of the language.
_NONE_THERE = ("file not found", "datei nicht gefunden", "fichier introuvable", "no se encuentra",
               "file non trovato", "arquivo não encontrado", "файл не найден", "找不到文件",
               "false")  # fmt: skip
_OF_RUNTIME = ("msvcp140.dll", "vcruntime140.dll", "vcruntime140_1.dll")


def _not_in_system32(text: Text) -> Statements:
    """A file of the run time that the folder of Windows' own DLLs does not have."""
    for _, command, answer in commands(text, "dir ", "test-path "):
        asked = _IN_SYSTEM32.match(command)
        none = [line for line in answer if line.text.strip().lower().startswith(_NONE_THERE)]
        for name in _OF_RUNTIME if none else ():
            if asked is not None and fnmatch(name, asked[1].lower()):
                yield say(names.LIBRARY_MISSING(stem(name)), name, none[0])


def _linked(text: Text) -> frozenset[str]:
    """CUDA's libraries in the list of what a file is linked with: dumpbin's, objdump's."""
    found = {
        match[1].lower()
        for _, command, answer in commands(text, "dumpbin", "objdump")
        for match in map(_LINKED.match, (line.text for line in answer))
        if match and ("/dependents" in command.lower() or "objdump" in command)
    }
    if found.intersection(_WITH_TORCH):
        return frozenset()
    return frozenset(name for name in found if of_gpu(stem(name)))


def _is_windows(line: str) -> bool:
    lowered = line.lower()
    return "winerror" in lowered or ".dll" in lowered or "loadlibrary" in lowered


#: How torchvision ends what it says of a part that only reads pictures.
_HARMLESS = "you can ignore this warning"


#: Libraries that come with AMD's and Intel's drivers.
_OF_OTHERS = regex(r"(?i)\b(?:amf\w*|ati\w{1,8}|amdhip\w*|igd\w*|libmfx\w*|libvpl\w*)\.dll\b")


def _windows_error(number: int, line: Line) -> Statements:
    if _HARMLESS in line.text or _OF_OTHERS.search(line.text):
        return
    yield say(said.ERROR(f"WIN32_{number}"), excerpt(line.text), line)
    for pattern in _WINDOWS_FILE:
        if match := pattern.search(line.text):
            name = match[1]
            yield say(said.LIBRARY_BROKEN(stem(name)), f"{base(name)}: error {number}", line)
            return
