"""A library that a program looks for in another release than the one that is there.

Of CUDA, or a part of the driver; as people put it in a sentence of theirs, where the program's own
line is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ..failures.library_names import stem
from ..statement import Statements, say
from ..text import BETWEEN_SENTENCES

if TYPE_CHECKING:
    from ...model import Key
    from ..text import Text

_LIBRARIES = ("cublas", "cudart", "cufft", "curand", "cusolver", "cusparse")
_STEM = regex(rf"(?i)(?<![a-z])(?:lib)?({'|'.join(_LIBRARIES)})(?![a-z])")
#: "TensorFlow is still looking for cublas 9.0 though CUDA 10 is installed".
_SOUGHT = regex(
    r"(?ai)\b(?:still|always|keeps)(?: \w+)? (?:looks?|looking|search\w*|asks?|asking) for"
    r" (?:the )?(?:lib)?(cublas|cudart|cufft|curand|cusolver|cusparse|cudnn)(?:\.so)?[ ._v]{1,2}"
    r"(\d{1,2}(?:\.\d)?)\b"
)
#: What the program does, and what sets it against what is there.
_SEEKS = regex(
    r"(?i)\b(?:look(?:s|ed|ing)?|search(?:es|ed|ing)?|ask(?:s|ed|ing)?|wants?|needs?|expects?"
    r"|(?:tries|tried|trying) to (?:load|open|find|use))\b"
)
_AGAINST = regex(
    r"(?i)\b(?:instead of|rather than|although|though|while|whereas|but|except|only|still|despite"
    r"|and not|what (?:is|I have) (?:here|there|installed)|(?:here|there) is)\b"
)
#: What somebody asks, supposes, advises or has mended.
_NOT_SO = regex(
    r"(?i)\?|\b(?:if|unless|whether|may|might|should|would|please|try|fix(?:e[sd])?|solved"
    r"|renam\w+|copied|works?|worked)\b"
)
#: A release, in a file's name or by itself; the one of CUDA as a whole is another matter.
_RELEASE = regex(
    r"(?ai)64_(?P<dll>\d{1,3})\b|(?:\.so\.|(?<![\w.])(?<!cuda )(?<!tensorflow )v?)"
    r"(?P<plain>\d{1,2}(?:\.\d{1,2})?)(?!\d|\.\d)"
)
#: A part of the driver, whose release the rules compare with the driver's.
_PART = regex(
    r"(?ai)\A (?:for )?(?:an? |the )?[`'\"]?(libnvidia-[\w-]{2,40}\.so\.\d{3,4}\.[\d.]*\d)"
)
_LONGEST = 400


def read(text: Text) -> Statements:
    """The library, under the name of the release that is looked for."""
    for line, sought in text.matching(_SOUGHT, "ing for ", "s for ", "h for ", "k for "):
        yield say(*_missing(sought[1].lower(), sought[2], ".so"), line)
    for line in text.having("libnvidia-"):
        for sentence in BETWEEN_SENTENCES.split(line.text) if len(line.text) <= _LONGEST else ():
            seeks = _SEEKS.search(sentence)
            part = _PART.match(sentence[seeks.end() :]) if seeks else None
            if part is not None and not _NOT_SO.search(sentence):
                yield say(names.LIBRARY_MISSING(stem(part[1])), part[1], line)
    for line in text.having(*_LIBRARIES):
        for sentence in BETWEEN_SENTENCES.split(line.text) if len(line.text) <= _LONGEST else ():
            found = _sought_beside_another(sentence)
            if found is not None:
                yield say(*_missing(*found, ".dll" if ".dll" in text else ".so"), line)


def _missing(library: str, release: str, ending: str) -> tuple[Key[str], str]:
    dll = f"{library}64_{release.replace('.', '')}.dll"
    return names.LIBRARY_MISSING(library), dll if ending == ".dll" else f"lib{library}.so.{release}"


def _sought_beside_another(sentence: str) -> tuple[str, str] | None:
    """The library and the release that is looked for, where the sentence names another as well."""
    seeks, against = _SEEKS.search(sentence), _AGAINST.search(sentence)
    stems = {each.lower() for each in _STEM.findall(sentence)}
    if seeks is None or against is None or len(stems) != 1 or _NOT_SO.search(sentence):
        return None
    after = _AGAINST.search(sentence, seeks.end())
    clause = sentence[: after.start() if after else len(sentence)]
    wanted = _releases(clause[seeks.end() :])
    if not wanted or not _STEM.search(clause):
        return None
    others = {*_releases(sentence)} - {wanted[0]}
    return (stems.pop(), wanted[0]) if others else None


def _releases(part: str) -> list[str]:
    return [found["dll"] or found["plain"] for found in _RELEASE.finditer(part)]
