"""Series and generations by which people tell of a GPU, in place of its name."""

from ..sign import Sign

#: RTX 30, 40 or 50; in the field of a form by its number alone, too.
_SERIES_IN_FORM = (
    r"(?:RTX[ -]?)?([345])0(?:[ -]?series|xx|00[ -]series)\b|RTX[ -]?([345])xxx(?:[ -]?series)?\b"
    r"|(Hopper|Blackwell)(?=\W|\Z)|([345])0系(?:列)?(?:显卡)?"
)
_SERIES_IN_SENTENCE = (
    r"RTX[ -]?([345])0(?:[ -]?series|xx)?|([345])0(?:[ -]?series|xx)|(Blackwell)(?: generation)?"
)

SIGNS = (
    Sign(
        "gpu-old-series-told",
        "somebody names the series of a GPU of Pascal or before; the value is it",
        (*(" series", "-series"), "kepler", "maxwell", "pascal"),
        r"(?i)\A\W{0,4}(?:gpus?|graphics cards?)\W{1,3}(?:nvidia )?(?:geforce )?"
        r"(Quadro [KMP][ -]series|GTX ?(?:[4-79]|10)(?:00|xx|(?<=10))[ -]series"
        r"|(?:Kepler|Maxwell|Pascal)(?:[ -](?:series|generation|based|gpus?|cards?))?)\W*\Z",
    ),
    Sign(
        "gpu-series-told",
        "somebody names a series or generation whose GPUs have one capability; the value is it",
        (
            *("hopper", "blackwell"),
            *(f"{digit}0系" for digit in "345"),
            *(f"{digit}0{rest}" for digit in "345" for rest in (" series", "-series", "series")),
            *(f"rtx{between}{digit}" for between in ("", " ", "-") for digit in "345"),
        ),
        r"(?i)\A\W{0,4}(?:gpus?|graphics cards?)\W{1,3}(?:nvidia )?(?:geforce )?"
        rf"(?:{_SERIES_IN_FORM})(?: gpus?| cards?)?(?:\s?\([^()\n]{{1,40}}\))?\W*\Z"
        r"|\A(?!.*(?:\?|\b(?:if|unless|support\w*|works?|worked|runs?|for|should|would"
        r"|buy\w*|order\w*|plan\w*|want\w*|consider\w*|wait\w*)\b)).*?"
        rf"\b(?:an?|my|our|this|new|on) (?:nvidia )?(?:geforce )?(?:{_SERIES_IN_SENTENCE})"
        r" (?:graphics )?(?:cards?|gpus?|laptops?)\b"
        r"|\A\W{0,4}([345])0[ -]series (?:graphics )?(?:cards?|gpus?)(?: \(\w{4,12}\))?\W*\Z"
        r"|\A(?!.*(?:\?|\b(?:if|unless|support\w*|works?|worked)\b)).*?\b(?:cards?|gpus?) of the"
        r" (Hopper|Blackwell) (?:generation|architecture)\b",
    ),
)
