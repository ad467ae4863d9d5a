"""What the loader said: libraries that are missing, loaded or broken, and symbols that are missing.

The same few sentences of the operating system stand inside the messages of all programs.
`loader_windows` reads those of Windows, `functions` what programs say in words of their own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ..statement import Statements, say
from ..text import cues
from .library_names import WORD, base, of_gpu, stem

if TYPE_CHECKING:
    from ..text import Line, Text

_TEXT_LIMIT = 400

_NO_FILE = regex(
    rf"({WORD})(?:['\"]|, \w{{1,12}}\))?(?:: ?| )(?:cannot open shared o(?:bject file)?"
    r"|image not found"
    r"|无法打开共享(?:对象|目标)文件|無法開啟共享目的檔|Kann die Shared-Object-Datei nicht öffnen"
    r"|ne peut ouvrir le fichier d'objet partagé|no se puede (?:abrir|leer) el (?:fichero|archivo)"
    r"|невозможно открыть (?:разделяемый|файл разделяемых)|共有オブジェクトファイルを開けません"
    r"|não (?:foi|é) possível abrir (?:o )?arquivo de objeto|impossibile aprire il file oggetto"
    r"|nie można otworzyć pliku obiektu|공유 (?:목적|오브젝트) 파일을 열 수 없)"
)
_NO_FILE_CUES = cues(
    "cannot open shared o|image not found|无法打开共享|無法開啟共享|kann die shared-object-datei"
    "|ne peut ouvrir le fichier d'objet|no se puede abrir el|no se puede leer el"
    "|невозможно открыть разделяемый|невозможно открыть файл разделяемых"
    "|共有オブジェクトファイルを|abrir arquivo de objeto|abrir o arquivo de objeto"
    "|impossibile aprire il file oggetto|otworzyć pliku obiektu|파일을 열 수 없"
)
#: Who asked, in the words in front of a missing file.
_ASKER = regex(
    r"(?:dynamic library|load library|dlopen library|Error loading|CuPy failed to load)"
    rf" ['\"]?({WORD})"
    r"|(\S{1,400}): error while loading shared libraries: \Z"
)
#: Programs that name the file that they looked for in their own words.
_ASKED_FOR = (
    regex(
        r"(?i)(?:could not|couldn't|cannot|can'?t|unable to) (?:load|dlopen|open)(?: the)?"
        rf"(?: (?:dynamic|cuda|shared|gpu)){{0,2}} librar(?:y|ies):? ['\"`]?({WORD})"
    ),
    regex(rf"(?i)couldn't open CUDA library ({WORD})"),
    regex(rf"(?i)could not load ['\"]?({WORD})"),
    regex(rf"(?i)({WORD})(?<=\.dll)['\"]? not found\b"),
    regex(rf"(?i)\bcannot (?:load|open) ({WORD})"),  # ffmpeg, OBS
    regex(rf"(?i)could not (?:find|locate)(?: module)?:? ['\"]?({WORD})"),
    regex(rf"(?i)(?:\blibrary |\A|\s)({WORD}) is not found\b"),
    regex(rf"(?i)unable to load any of \{{({WORD})"),
    regex(rf"(?i)library not loaded: ['\"]?({WORD})"),
    regex(
        r"(?i)failed to (?:load(?:libraryexw?)?|open|dlopen|find)(?: the)?(?: shared| dynamic)?"
        rf"(?: library)? ['\"]?({WORD})"
    ),
    regex(r"(?i)\((lib\w{1,40})\*\.so need by mindspore-gpu\) is not found"),
    regex(rf"failure finding \"({WORD})\"", re.IGNORECASE),  # cuda.pathfinder
    regex(rf"(?i)dlopen \"?({WORD})\"? failed"),  # DALI
    regex(rf"\A\W{{0,4}}(?:Import|OS)Error: ({WORD})\s*\Z"),  # the rest was left out
    # "libcuda.so not found, exiting"
    regex(rf"(?i)(?:\A\s{{0,8}}|[:\]\dZF#] )({WORD})(?<!\.dll) not found\b"),
    # .NET, which may leave out how the file's name ends
    regex(rf"(?i)unable to load (?:dll|shared library) '({WORD})'"),
    regex(rf"(?i)(?:the code execution cannot proceed because|because) ({WORD}) was not found"),
    # "libcudnn.so.7 file is missing", "libcudart.so was not found"
    regex(
        rf"(?i)\b({WORD})['\"]?(?: \w{{1,16}})?"
        r" (?:is missing|was not found|cannot be found|could not be found"
        r"|(?:cannot|could not) be located)"
    ),
    # "libcudnn.so.8 and libcusolver.so.10 dont load"
    regex(
        rf"(?i)({WORD})['\"`]?(?=(?: and \S{{1,60}})?"
        r" (?:(?:does|do|did|will)(?: not|n'?t)|won'?t|cannot|can'?t) (?:be )?load(?:ed)?\b)"
    ),
    regex(
        r"(?i)(?:unable to|can ?not|can'?t|couldn'?t) (?:find|locate)(?: the)?(?: library:?)?"
        rf" ['\"`「]?({WORD})"
    ),
    regex(rf"(?i)\btrying to (?:find|load) ['\"`]?({WORD})[^\n]{{0,60}}, but\b"),
    regex(
        r"(?i)\b(?:failure|error|problem|fail(?:s|ed|ing)?) (?:on |when |while |in )?trying to load"
        rf" ['\"`]{{0,2}}({WORD})"
    ),
    regex(rf"(?i)third-party dynamic library \(({WORD})"),
    regex(rf"(?i)({WORD}) [=-]> not found"),
    # Of several, "libnvrtc.so.12 / libcudart.so.12 not found", each is missed.
    regex(
        rf"(?i)({WORD})(?=['\"`]?(?:,| [/&]| and| or) ['\"`]?lib\S{{1,60}}"
        r" (?:(?:are|were|is|was) )?not found\b)"
    ),
    regex(
        rf"(?i)(?<=\.so)[.\d]{{0,12}}['\"`]?(?:,| [/&]| and| or) ['\"`]?({WORD})['\"`]?"
        r" (?:(?:are|were|is|was) )?not found\b"
    ),
    regex(rf"(?i)\bno ({WORD}) found"),
    # An image has no driver of its own, so that libcuda is never in it.
    regex(
        r"(?i)\b(?:image|container|environment|wheel|package)s?(?: itself)? (?:(?:contain|include"
        rf"|bring|ship|have|has)s?(?: with)? no|lacks?) (?!libcuda\.)({WORD})"
    ),
    regex(rf"(?i)({WORD})['\"]? lib not found"),  # Taichi
    # nvidia-smi's, of which the first sentence was left out
    regex(rf"(?i)\badding directory that contains ({WORD}) to your system PATH"),
    regex(r"(?:\A\W{0,12}|['\"`])(lib\w+ \(R\d\)) not found in library path"),  # Torch7
    # PyTorch looks for a library of pip's packages under any release.
    regex(r"\b(lib\w+\.so)\.\*\[0-9\](?:\.\*\[0-9\])* not found in the system path"),
    regex(rf"(?i)could not find \w+ \(({WORD})[,)]"),  # CUDA.jl
    regex(rf"(?i)\b({WORD}) path is None\b"),  # bitsandbytes
    regex(rf"(?i)\(({WORD}) missing\)"),
    regex(rf"(?i)(?:\A|[:.] )missing (?:dependency: )?({WORD})"),
    regex(rf"\A\W*dlerror: ({WORD})\W*\Z"),  # TensorFlow's, as grep -o leaves it
)
#: Each of these names a library.
_LIBRARY = regex(r"(?i)\.(?:so|dll|dylib|pyd)(?![a-z])|\(R\d\)")
_ASKED_CUES = (
    "could not load",
    "could not dlopen",
    "couldn't open cuda library",
    *("cannot load ", "cannot open lib"),
    "could not find",
    "could not locate",
    *(" is not found", " are not found", " were not found"),
    "unable to load ",
    "library not loaded",
    "failed to load",
    "failed to open",
    "failed to dlopen",
    "failed to find",
    "was not found",
    "third-party dynamic library",
    "> not found",
    "is missing",
    "cannot be found",
    "could not be found",
    "not be located",
    *("failure finding ", "dlopen ", ".so not found", "importerror: lib", "oserror: lib"),
    *("t load", "be loaded", "unable to find", "unable to locate", "cannot find", "cannot locate"),
    *("can not find", "dlerror: lib", " lacks lib", " lack lib"),
    *("contain no lib", "contains no lib", "include no lib", "includes no lib", "has no lib"),
    *("have no lib", "ships no lib", "with no lib", "brings no lib"),
    *(
        "can't find",
        "cant find",
        "couldn't find",
        "can't locate",
        "trying to find",
        "trying to load",
    ),
    *(" lib not found", " path is none", "not found in library path"),
    *("not found in the system path", "adding directory that contains lib"),
    *(".dll not found", ".dll missing)", "missing lib", "missing dependency: lib"),
    *(f"{digit} not found" for digit in range(10)),  # libcusparse.so.12
    ".dll' not found",
)
#: Rust's cudarc looks for a library under several names and tells those.
_UNDER_NAMES = regex(
    r"(?i)(?:find \w+ lib under the names|library - searched for library names:)"
    r" \[\"(?:lib(?=\w+\.so\"))?(\w+)(?:\.so|\.dll)?\""
)
#: A library's file on Windows, with the number of a release of CUDA in its name.
_DLL_OF_RELEASE = regex(r"(?a)\b([a-z]{2,12})64_\d{1,3}(?:_\d)?\.dll\b")
#: node-llama-cpp has the driver or the run time.
_ONE_OF_TWO = regex(
    r"\bCUDA: (?:(NVIDIA driver) is installed, but CUDA runtime"
    r"|CUDA runtime is installed, but NVIDIA driver) is not\s*\Z"
)
#: bitsandbytes, after it has looked everywhere; on Windows it looked for Linux files as well.
_NO_CUDART = regex(r"(?i)\A(?!\W{0,4}[a-z]:\\)[^\n]{0,400}\bWARNING: No (libcudart\.so) found!")
_DOTNET = regex(
    r"(?i)unable to load (?:dll|shared library) ?['\"]"
    r"(nvcuda|(?:cu[a-z]{1,12}|npp[a-z]{1,6}|nvrtc|nvjpeg)(?:64_[0-9]{1,4}(?:_0)?)?)['\"]"
)
#: scikit-cuda, which names no file, "cublas library not found", and .NET's of the run time.
_BY_NAME = regex(r"(?i)(?:Error: (cu[bfrs]\w{3,6})|(?<!if )CUDA runtime) library not found")

_OPENED = (
    regex(rf"(?i)successfully opened (?:dynamic|CUDA) library ({WORD})"),
    regex(rf"({WORD}) => (/\S+|[A-Za-z]:\\\S+)"),
    regex(rf"(?i)CUDA runtime path found: ({WORD})"),
    regex(rf"(?i)(?:loading|loaded) (?:binary|library:?|CUDA library) ({WORD})"),
    regex(r"(?i)\b(?:loads|loaded|opens|opened) [`'\"]?(/\S*/stubs/libcuda\.so)"),
    regex(rf"\bno nvidia devices detected by library ({WORD})"),  # Ollama's
)
_OPENED_CUES = cues(
    "successfully opened| => |runtime path found|loading binary|loaded library|/stubs/libcuda.so"
    "|detected by library "
)

#: Of a file that asks for a version, so many folders are worth their room.
_LONG_FOLDER = regex(r"required by [^\s)]{0,300}?(?=(?:[/\\][^/\\\s)]{1,80}){1,12}\))")
_DAMAGED = regex(
    rf"({WORD}):? (invalid ELF header|file too short|wrong ELF class[^\n]{{0,24}}"
    r"|cannot allocate memory in static TLS block|failed to map segment from shared object"
    r"|cannot enable executable stack[^\n]{0,60}|version [`'][^\n]{3,400})"
)
_DAMAGED_CUES = cues(
    "invalid elf header|file too short|wrong elf class|static tls block|failed to map segment"
    "|executable stack|: version `|: version '"
)
_SYMBOL = regex(
    r"(?:(?<![^\s:,;'\"`])((?!\w*(?:Error|Exception):)[^\s:,;'\"`]{1,400})['\"]?: )?"
    r"undefined symbol:? ['`\"]?(\w+(?:::\w+)*)(?:, version (\S+))?"
    r"(?:[^\n]{0,400}\s\((\.{0,2}/[^\s)]+)\)\s*\Z)?"  # ldd -r puts the file behind
)
#: The end of the loader's last line, whose beginning was lost when it was copied.
_TORN = regex(r"\A\W{0,4}u?n?d?e?f?i?ned symbol: (_Z\w{4,400})\s*\Z")
#: The loader of macOS, old and new; its symbols have one more line at their beginning.
_OF_MACOS = regex(
    r"\bdlopen\((/[^\s,)]{1,400}), \w{1,8}\): "
    r"(?:Symbol not found: |symbol not found in flat namespace [('\"])_(_\w{4,400})"
)
#: GStreamer's, of what it can do without (see `noise`).
_DONE_WITHOUT = "gst_cuda_nvrtc_load_library"
_PLAIN_WORD = regex(r"[a-z]{1,12}")
#: A path, a file or a module that was compiled, where a plain word is one of a sentence.
_NAMES_A_FILE = regex(r"[^\[\](){}<>]{0,400}[./\\_\d-][^\[\](){}<>]{0,400}")
_INTERPRETER = regex(r"python[\d.]*")
#: Windows names the DLL that asks, for a function of CUDA's libraries.
_ENTRY_POINT = regex(
    r"(?i)procedure entry point ((?-i:cu|nv)[a-z]{1,60}(?-i:[A-Z])\w{0,60}) could not be located"
    r" in the dynamic link library (?:\S*[/\\])?([\w.-]+\.dll)"
)
#: The loader's words where the file is there, and its copy lacks the symbol of that version.
_NOT_DEFINED = regex(
    r"(?:([^\s:,;'\"]{1,400})['\"]?: )?symbol (\w+),? version (\S+) not defined in file \S+"
)
#: Code that opens a library by its name, in a frame of a traceback whose end was left out.
_OPENING = regex(rf"\b(?:CDLL|LoadLibrary|dlopen)\(['\"]({WORD})['\"]")
_FRAME = regex(r"\A\s*File \"[^\"\n]+\", line \d+")
_ERROR = regex(r"\b[A-Z]\w*(?:Error|Exception): ")
#: So many lines a traceback may put between a frame's code and its error.
_BELOW = 8


def read(text: Text) -> Statements:
    """Missing files first, then those that were opened, then the broken ones and symbols."""
    yield from _missing(text)
    yield from _opened(text)
    yield from _damaged(text)
    yield from _symbols(text)


def _missing(text: Text) -> Statements:
    for line in text.unlike(*_NO_FILE_CUES):
        for match in _NO_FILE.finditer(line.text):
            yield from _gone(match[1], line)
            yield from _asker(line.text[: match.start()], match[1], line)
    for line in text.having(*_ASKED_CUES):
        if not _LIBRARY.search(line.text) or _is_explained(line):
            continue
        explained = "".join(each.text for each in text.after(line, 1) if _is_explained(each))
        for pattern in _ASKED_FOR:
            for match in pattern.finditer(line.text):
                if match[1] not in explained:
                    yield from _gone(match[1], line)
    yield from _without_file(text)
    yield from _left_open(text)


def _without_file(text: Text) -> Statements:
    """Programs that name a library, and no file of it."""
    for line, named in text.matching(_UNDER_NAMES, "under the names", "searched for library names"):
        if not _is_there_by_another_name(named[1], line, text):
            yield from _gone(f"lib{named[1]}.so", line)
    for line in text.having("unable to load cudnn dso"):  # TensorFlow's, until 1.4
        yield from _gone("libcudnn.so", line)
    for line in text.having("nvenc library file is not found"):
        yield from _gone("libnvidia-encode.so.1", line)
    for line, there in text.matching(
        _ONE_OF_TWO, "driver is installed, but", "runtime is installed"
    ):
        yield from _gone("libcudart.so" if there[1] else "libcuda.so.1", line)
    for line, named in text.matching(_NO_CUDART, "no libcudart.so found!"):
        yield from _gone(named[1], line)
    for line, named in text.matching(_DOTNET, "unable to load dll", "unable to load shared lib"):
        yield from _gone(f"lib{named[1]}.so" if named[1] == "nvcuda" else f"{named[1]}.dll", line)
    for line, asked in text.matching(_BY_NAME, " library not found"):
        yield from _gone(f"lib{asked[1] or 'cudart'}.so", line)


def _is_there_by_another_name(library: str, line: Line, text: Text) -> bool:
    """Whether the text shows a file of it: the program knows no name that a later CUDA gives it."""
    files = text.matching(_DLL_OF_RELEASE, ".dll")
    return any(file[1] == library and each.number != line.number for each, file in files)


def _left_open(text: Text) -> Statements:
    """A traceback that ends where a library is opened: it was not to be had."""
    for line, opened in text.matching(_OPENING, "cdll(", "loadlibrary(", "dlopen("):
        framed = any(_FRAME.match(each.text) for each in text.before(line, 1))
        if framed and not any(_ERROR.search(each.text) for each in text.after(line, _BELOW)):
            yield from _gone(opened[1], line)


def _gone(file: str, line: Line) -> Statements:
    name = stem(file)
    if of_gpu(name) and not _done_without(name, line.text) and name != _PLUGIN_OF_NCCL:
        yield say(names.LIBRARY_MISSING(name), base(file), line)


#: NCCL looks for it at each start, and few machines have one.
_PLUGIN_OF_NCCL = "nccl-net"


def _done_without(name: str, said_of_it: str) -> bool:
    """TensorFlow computes without TensorRT and its profiler's CUPTI (see `wordings.harmless`).

    So does ONNX Runtime without TensorRT, and the container toolkit without what some drivers lack.
    """
    if ": pattern " in said_of_it:
        return name not in ("cuda", "nvml")
    asked = "dynamic library" in said_of_it or "providers_tensorrt" in said_of_it
    return asked and name.startswith(("nvinfer", "cupti"))


def _asker(before: str, missing: str, line: Line) -> Statements:
    asker = ""
    for found in _ASKER.finditer(before):
        asker = found[1] or found[2]
    if asker and of_gpu(stem(missing)) and stem(asker) != stem(missing):
        yield say(names.LIBRARY_WANTED_BY(stem(missing)), base(asker), line)


def _is_explained(line: Line) -> bool:
    """Whether the rest of the line says what is really wrong: another file, a symbol, a number."""
    return bool(
        _NO_FILE.search(line.text)
        or _SYMBOL.search(line.text)
        or _DAMAGED.search(line.text)
        or _NOT_DEFINED.search(line.text)
        or "Invalid handle" in line.text
    )


def _opened(text: Text) -> Statements:
    for line in text.unlike(*_OPENED_CUES):
        for pattern in _OPENED:
            for match in pattern.finditer(line.text):
                if of_gpu(stem(match[1])):
                    yield say(said.LIBRARY_LOADED(stem(match[1])), match[match.re.groups], line)


def _damaged(text: Text) -> Statements:
    for line in text.unlike(*_DAMAGED_CUES):
        if match := _DAMAGED.search(line.text):
            why = _LONG_FOLDER.sub("required by ", match[2])
            what = f"{match[1]}: {why}"[:_TEXT_LIMIT]
            yield say(said.LIBRARY_BROKEN(stem(match[1])), what, line)


def _symbols(text: Text) -> Statements:
    for line in text.unlike("undefined symbol"):
        if _DONE_WITHOUT in line.text:
            continue
        for match in _SYMBOL.finditer(line.text):
            before, symbol, version, behind = match.groups()
            if _PLAIN_WORD.fullmatch(symbol) and "symbol:" not in match[0]:
                continue  # a sentence goes on
            file = before or behind
            if file and not _NAMES_A_FILE.fullmatch(file) and "lookup error" not in line.text:
                file = None  # "[Bug]: undefined symbol: ...", "At run time: ..."
            if file and _INTERPRETER.fullmatch(base(file)):
                continue  # it looked into itself, as no library was named to it
            yield say(said.SYMBOL_WANTED_BY(symbol), file or version or "a program", line)
            if file and stem(file) == "cuda":  # its folder tells a stub from the driver's
                yield say(said.LIBRARY_LOADED("cuda"), file, line)
    yield from _wrapped_symbols(text)
    for line, asked in text.matching(_OF_MACOS, "symbol not found"):
        yield say(said.SYMBOL_WANTED_BY(asked[2]), asked[1], line)
    yield from _looked_in_vain(text)


def _looked_in_vain(text: Text) -> Statements:
    """The same by other words than the loader's own, or by what is left of them."""
    for line, torn in text.matching(_TORN, "ned symbol: _z"):
        if "undefined" not in line.text:
            yield say(said.SYMBOL_WANTED_BY(torn[1]), "a program", line)
    for line, undefined in text.matching(_NOT_DEFINED, "not defined in file"):
        file, symbol, version = undefined.groups()
        yield say(said.SYMBOL_WANTED_BY(symbol), file or version, line)
    for line, entry in text.matching(_ENTRY_POINT, "procedure entry point"):
        yield say(said.SYMBOL_WANTED_BY(entry[1]), entry[2], line)


def _wrapped_symbols(text: Text) -> Statements:
    """A narrow window broke the sentence in two."""
    for line in text.having(": undefined"):
        if line.text.rstrip().endswith((": undefined", ": undefined symbol:")):
            for below in text.after(line, 1):
                match = _SYMBOL.search(f"{line.text.rstrip()} {below.text.strip()}")
                if match is not None:
                    yield say(said.SYMBOL_WANTED_BY(match[2]), match[1] or "a program", line)
