"""How people introduce, or dismiss, what is beside the matter."""

from ..sign import Sign
from ..text import cues

_PIECE = (
    r"(?:outputs?|logs?|errors?|messages?|trace(?:back)?s?|reports?|posts?|questions?|comments?)"
)
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
_PAGE = (
    r"(?:docs?|documentation|readme(?:\.\w{2,4})?|release notes?|change ?log|faq|wiki|manual"
    r"|tutorial|man ?page|guide|page|article|docstring)"
)
#: Whose fault is not the matter: of a user or a customer people report what they have to mend.
_PERSON = r"(?:(?:a|my|the|our) (?:colleague|lab ?mate|friend|previous \w+))"

#: What root types behind the same mark as that of a comment.
_COMMAND = (
    r"(?:\$|sudo|docker|podman|nvidia|python|ls|cat|echo|dmesg|mod|systemctl|apt|yum|dnf|rpm|dpkg"
    r"|grep|find|ld|export|cd|conda|pip|journalctl|uname|nvcc|kubectl|srun|sbatch|singularity)\w*\b"
)

#: Each begins a quotation, which goes on below where its line ends so. What the same line tells
#: of now, or of the writer's own trial, is none.
INTRODUCTIONS = (
    Sign(
        "of-another-time",
        "what was said or shown before",
        cues(
            "yesterday's|original post|first post|old post|previous post|used to|it had|i'd had"
            "|i had had|for history|posterity| i posted| i reported| i wrote| i asked| i had "
            "|before| ago:|old one|old card|old gpu|former card|former gpu"
        ),
        r"\A(?!.*\b(?:now|today|still|since then)\b.*\w)(?:"
        rf".*\byesterday's (?:\w+ )?{_PIECE} ?(?:was|were|said|read|showed|had|:|\Z)"
        r"|.*\byesterday's\W{0,3}\Z|.*\b(?:first|original|old|previous) post (?:said|was|had)\b"
        r"|.*\b(?:used to|it had|i'd had|i had had)"
        r"(?: (?:say|print|fail|give|show|throw|crash|get)\b|\W{0,2}\Z)"
        rf"|.*\b(?:in|on|last) {_MONTH}\b.{{0,40}}"
        r"\bI (?:had )?(?:posted|reported|wrote|asked)\b)"
        r"|\b(?:two|three|four|some|a few|\d{1,3}) (?:weeks|months|years) ago:\Z"
        r"|\b(?:old|former) (?:one|card|gpu)\b[^?\n]{0,60}"
        r"\breplaced (?:on|in|last)\b[^?\n]{0,24}:\Z"
        r"|\b(?:only for history|for posterity)\b|\A\W*before(?: \([^()\n]{1,30}\))?:\Z",
    ),
    Sign(
        "of-somebody-else",
        "what somebody else said or saw",
        cues(
            " wrote:| said:|you wrote|you said|you reported|sent us|sent me|forwarded us"
            "|forwarded me|mailed us|mailed me|like this|like these|begin |start |ticket"
            "|this one from @| there |his |hers |theirs |other guy|other one|other user"
            "|other person|other people|somebody |someone |pasted | in her | in their |colleague"
            "|labmate|lab mate|friend|previous "
            "|here it "
        ),
        r"\b(?:logs?|output|console) there (?:always |only )?(?:says?|said|prints?|shows?)\b"
        r"|\A\W*@[\w-]+ (?:wrote|said):\Z|\A\W*you (?:wrote|said|reported)\W{1,3}[\"']"
        r"|\b(?:sent|forwarded|mailed) (?:us|me)\b.{0,120}\bnot (?:ours|mine)\b"
        r"|\b(?:(?:e-?)?mails?|tickets?|requests?) like (?:this|these)\b|\bthis one from @[\w-]"
        r"|\A\W*-{2,} ?(?:begin|start) (?:of )?(?:\w+ )?(?:customer|quoted?|user|forwarded)\b"
        r"|\A\W*(?:his|hers|theirs)(?: \([^()\n]{1,120}\))?:\Z"
        rf"|\b{_PERSON}'s (?:\w+ )?{_PIECE}:\Z"
        r"|\b(?:some(?:body|one)|a user) (?:writes|wrote|asks|asked|posted|pasted)\W{0,2}\Z"
        r"|\bpasted \W{0,2}(?:his|her|their)\b[^\n]{0,40}:\Z"
        r"|\b(?:he|she|they) (?:(?:has|have|had) (?:written|noted)|writes?|wrote|notes?|noted)"
        r" in (?:his|her|their) \w{3,12}\b[^\"'\n]{0,24}[\"']"
        r"|\A\W{0,8}On [A-Z][^\n]{4,60}\bwrote:\Z"
        r"|\b(?:old|previous \w+'s) ticket\b[^.?]{0,80}:\Z"
        rf"|\b(?:{_PERSON}|(?:the )?other (?:guy|one|user|person|people)(?: [^\s\"'`]+){{0,4}})"
        r" (?:got|gets|has|had|sees|saw|claims?) "
        r"(?:(?!\b(?:mine|I|here|but|while|whereas)\b).){0,60}[\"'`]"
        r"|\"[^\"\n]{8,400}\"[^\n]{0,80}\bhere it (?:runs|works)\b(?! (?:until|only|for)\b)",
    ),
    Sign(
        "of-a-text",
        "what a manual or a thread says",
        cues(
            "doc|readme|release note|changelog|change log|faq|wiki|manual|tutorial|man page"
            "|manpage|guide|page|article|it reads|the issue|the thread|the ticket|the discussion"
            "|the linked"
        ),
        rf"\bthe (?:[\w-]+ ){{0,2}}{_PAGE}(?: (?:of|for|on|about) [\w. -]{{1,30}})?"
        r" (?:says?|reads?|states?|mentions?|quotes?)(?:\W{0,3}\Z|\W{1,3}[\"'`][^\"'`\n]*[\"'`])"
        r"|\bit reads\W{0,2}\Z"
        rf"|\bthe (?:[\w-]+ ){{0,2}}{_PAGE}(?: [\w/-]+\.\w{{2,4}})? (?:shows|has|contains|repeats)"
        r" an? (?:[\w-]+ )?(?:block|paragraph|sentence|passage)\b"
        r"|\b(?:from|in) the (?:linked )?(?:issue|thread|ticket|discussion)"
        r" (?:linked )?(?:there|here): ?[\"'`]",
    ),
    Sign(
        "of-a-supposition",
        "what would be said if",
        ("suppose ",),
        r"\bsuppose (?:that )?(?:some(?:body|one)|I|one|we)\b[^\n]*\bis (?:the|that the) message\Z",
    ),
)

#: Each is said of the very line.
DISMISSALS = (
    Sign(
        "not-of-interest",
        "somebody says that it is known, expected, or not the question",
        cues("ignore|skip |of course| to me|expected)|intended)|(not this|alert|alarm"),
        r"(?:[(,;#-]|\b(?:please|you can)) ?(?:ignore|skip)"
        r" (?:it|that|them|(?:this|that)(?: (?:line|message|warning))?)(?:[),.;]|\s*\Z)"
        r"|, (?:please )?ignore\W*\Z|\bof course (?:says|prints|complains)\b"
        r"|\bthat(?:'s| is) (?:clear|known|obvious) to me\b"
        r"|(?<!\bnot )\((?:as )?(?:expected|intended)\)"
        r"|\(not this (?:question|issue|machine|problem)\)"
        r"|\bto (?:see|check|test)(?: whether| if| that)? (?:the|an|our) (?:alert|alarm)s? "
        r"(?:fires?|rings?|goes off)\b",
    ),
    Sign(
        "of-other-threads",
        "what stands in threads that somebody read, of which this is none",
        ("threads where", "threads in which", "posts where", "topics where"),
        r"\b(?:read|seen|found)\b[^\n]{0,80}[\"`][^\"`\n]{4,200}[\"`] (?:threads|posts|topics)"
        r" (?:where|in which) (?:people|others|users|somebody|someone)\b",
    ),
    Sign(
        "of-a-mac",
        "what a Mac says, on which there is no CUDA",
        (" mac ", "macbook "),
        r"\bon (?:the|my) Mac(?:Book)?\b[^\n]{0,80}\b(?:there|says)\b"
        r"|\bmy Mac(?:Book)?(?: \([^()\n]{1,20}\))? (?:can't|cannot)\b",
    ),
    Sign(
        "may-be",
        "an alert says what may be",
        ("[firing",),
        r"\A\W{0,3}\[FIRING:\d(?=.*\b(?:possibl[ey]|maybe|may|might|TEST)\b)",
    ),
)  # fmt: skip

#: Each is a sentence about what it names itself.
MENTIONS = (
    Sign(
        "not-had",
        "somebody says that it is not so here",
        cues(
            "i do not|i don't|we do not|we don't|没出现|没有出现|it's not |it is not |that's not "
        ),
        r"\b(?:I|we) (?:do not|don't) (?:have|get|see) (?:the|that|this|any)"
        r" (?:\w+ )?[\"'`][^\"'`\n]*[\"'`](?!.*\b(?:but|before|until|always)\b)"
        r"|\b(?:it's|it is|that's) not (?:the )?[\"'`][^\"'`\n]*[\"'`](?!.*[\"`])"
        r"|(?:我这里|我这边)没有?出现(?!过)",
    ),
    Sign(
        "read-elsewhere",
        "what somebody read of others' machines",
        ("read on ", "read about ", "heard of ", "heard about ", "网上"),
        r"\bI(?:'d| had|'ve| have)? (?:read|heard) (?:on|of|about)\b[^\"'`\n]{0,40}[\"'`]"
        r"|网上(?:很多|有些?|好多)?(?:帖子|文章|教程|人)?都?说",
    ),
    Sign(
        "settled",
        "what came of a setting that is another one now",
        ("i had ", "i got "),
        r"\bI (?:had|got) [\"'`][^\"'`\n]+[\"'`][^\n]*\bso (?:it's|it is|I (?:use|set|took))\b"
        r"[^\n]*\bnow\b",
    ),
    Sign(
        "in-code",
        "code compares a message with a text, or holds it",
        cues(
            "' in "
            '|" in |return |raise |throw |assert |if |elif |case |>>> '
            "|('cuda_error_"
        ),
        r"[\"'`][^\"'`\n]{6,}[\"'`] (?:not )?in (?:str|repr|e\b|err\w*|msg|message|line|log|out\w*)"
        r"|\('CUDA_ERROR_\w+', \d+\), \('CUDA_ERROR_"
        r"|\A>>> \w+\([\"'][^\"'\n]{8,}[\"'](?:, ?\w+ ?= ?[^()\n]{1,30}){0,4}\)\s*\Z"
        r"|\A>>> (?:\w+\.)+(?:CUDA_ERROR_|cudaError)\w+"
        r"|\A\s*(?:return|throw|case|elif|if) [^\n]{0,60}"
        r"[\"'][^\"'\n]{8,}[\"'][^\n]{0,20}[;:)]\s*\Z",
    ),
    Sign(
        "in-comment",
        "a comment of a setting or of code says what might be",
        ("# ", "// "),
        r"\A\s*[\w.-]{1,40}(?:: ?| ?= ?)\S{1,60}\s{1,20}#\s[^\n]*(?:->|=>|\b(?:if|when|on|for)\b)"
        rf"|\A\s*#\s(?!{_COMMAND})[^\n]*"
        r"(?:\" ?=|->|=>"
        r"|\b(?:NOTE|TODO|if (?:you|the log)|when you|in case|expects?:|uncomment|means)\b)",
    ),
    Sign(
        "asked-of-a-code",
        "somebody asks what a code means, or may be",
        ("nccl", "cuda", "cudnn_"),
        r"\b(?:Is|Are|Does|Can|May|Should) (?:nccl[A-Z]|cuda[A-Z]|CUDA_ERROR|CUDNN_)\w+ [^\n]*\?",
    ),
    Sign(
        "asked-in-a-list",
        "one of several questions about what may come",
        (". will ", ". does ", ". do ", ". can ", ". would ", ") will ", ") does ", ") can "),
        r"\A\s*\d(?:\. (?:Will|Does|Do|Can|Would)|\) (?:Will|Does|Can))\b",
    ),
    Sign(
        "supposed",
        "what might be",
        cues("hypothetical|what would happen|is it true|suppose |if i |if we |oom|out of memory"),
        r"\bpurely hypothetical\b|\A\W*hypothetical\b|\bwhat would happen\b|\bis it true that\b"
        r"|\bwill (?:I|we|it|they)\b[^?\n]{0,40}\b(?:OOM|out of memory)\b[^\n]{0,120}\?"
        r"|\bsuppose (?:that )?(?:some(?:body|one)|I|one|we|a user)\b"
        r"|\bif (?:I|we)"
        r" (?:buy|bought|upgraded?|switch(?:ed)?|updated?|replaced?|add(?:ed)?|moved?)\b"
        r"[^.?\n]{1,100}, (?:will|would)\b[^\n]*\?",
    ),
)  # fmt: skip

#: One of the answers to choose from; so few of them are no choice.
ANSWER = Sign(
    "answer",
    "one of the answers to choose from",
    (') "', ") '"),
    r"\A\s*[a-h]\) {1,4}[\"'][^\"'\n]{8,160}[\"'][,.;]?\s*\Z",
)
FEWEST_ANSWERS = 3

#: How the subject of an answer begins, which repeats what is answered.
SUBJECT = Sign("subject", "the subject of an answer", ("re: ", "fwd: "), r"\A(?:re|fwd?): ")
