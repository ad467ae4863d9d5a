"""What people say of a GPU inside WSL, in a sentence and without a program's own words."""

from __future__ import annotations

from ..sign import Sign

SIGNS = (
    Sign(
        "told-wsl",
        "somebody says that WSL does not get at the GPU",
        (" wsl",),
        r"\A(?=.{1,200}\Z)(?!.*(?:\?|\b(?:if|unless|in case|may|might|should|would|whether"
        r"|support(?:s|ed)?|fix(?:e[sd])?|no longer|WSL ?1)\b)).*?("
        r"\b(?:gpus?|cuda|nvidia-smi)`?(?: (?:is|was|are|does|did))?(?: not|n't) (?:work|working"
        r"|available|found|detected|visible|seen|recogni[sz]ed)\b[^.,;\n]{0,12}\b(?:in|on|inside"
        r"|under|within|from) (?:my |the )?WSL ?2?(?=\s*(?:[.,;!:)]|\Z)))",
    ),
)
