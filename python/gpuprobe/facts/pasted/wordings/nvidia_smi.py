"""What nvidia-smi says: that it reaches no driver or no GPU, and of a GPU's state."""

from ..languages import not_found
from ..sign import Sign
from ..text import cues

#: What NVML keeps to administrators of a GPU that everybody may use: its settings, and counters
#: that tell of others' work (the driver's option RmProfilingAdminOnly).
OF_ADMINS = (
    r"\b(?:unable to (?:set|enable|disable|change|reset|clear)"
    r"|failed to (?:display|create|destroy|set|reset|clear)"
    r"|(?:unable|failed) to (?:get|read|query)\b[^\n:]{0,60}\bcounters?\b(?![^\n]*init)"
    r"|nvmlDevice(?:Set|Reset|Clear|Freeze|(?:Get|Read)NvLinkUtil)\w+)"
)

SIGNS = (
    Sign(
        "smi-no-driver",
        "nvidia-smi cannot talk to the kernel module",
        cues(
            "communicate with|connect to the nvidia|connect to the driver|talk to the"
            "|communicate to the"
        ),
        r"nvidia[^\n]*?\b(?:couldn'?t|could not|can'?t|cannot|unable to|fail(?:s|ed) to)"
        r" (?:communicate (?:with|to)|connect to|talk to) the (?:nvidia )?driver"
        r"|\b(?:couldn'?t|could not|can'?t|cannot|unable to|fail(?:s|ed) to)"
        r" (?:communicate with|connect to|talk to)(?: the)? nvidia driver",
    ),
    Sign(
        "smi-of-windows",
        "nvidia-smi was called on Windows, whose drivers have a model",
        ("wddm",),
        r"\|[^|\n]{1,80}\bWDDM\b[^|\n]{0,12}\|",
    ),
    Sign("smi-no-devices", "nvidia-smi lists no GPU", ("no devices were found",)),
    Sign(
        "smi-finds-none-told",
        "somebody says that nvidia-smi finds no GPU",
        ("nvidia-smi",),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|unless|should|would|may|might)\b)).*?"
        r"nvidia-smi[`'\"]? (?:command )?(?:finds|shows|lists|sees|detects|reports) no"
        r" (?:nvidia )?(?:gpus?|(?:graphics?|graphical) (?:cards?|processing units?|processors?)"
        r"|devices?)\b",
    ),
    Sign(
        "smi-works-told",
        "somebody says that nvidia-smi works",
        ("nvidia-smi",),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|whether|should|(?<!, )only|after|before|sudo|root"
        r"|outside|host|until|not|cannot|fails?|no longer)\b|n't)).*?"
        r"(?:\b(?:can run|running|run) [`'\"]?nvidia-smi[`'\"]?\W{0,2}(?:fine|well|correctly"
        r"|without (?:an? |any )?(?:error|problem|issue)s?|(?:gives|shows|lists|prints) )"
        r"|\bnvidia-smi[`'\"]? (?:command )?(?:works|runs|is working)\b"
        r"|\bnvidia-smi[`'\"]?(?:,| and)(?: \w+){1,4} (?:are (?:all )?(?:fine|ok|okay|working)"
        r"|work)\b)",
    ),
    Sign(
        "smi-before-told",
        "somebody shows nvidia-smi's table as it was before the program began",
        ("nvidia-smi", "nvidia smi"),
        r"nvidia[- ]smi\b[^\n.?]{0,24}\b(?:right |just |taken )?before\b"
        r"(?! and after)[^\n.?]{0,16}\b(?:start\w*|run\w*|launch\w*|load\w*|train\w*|begin\w*)\b"
        r"(?! (?:\w+ )?(?:crash\w*|dies|died|fails?|failed|ends?|stops?|aborts?))"
        r"|\bbefore (?:i |the |my )?(?:start\w*|run\w*|launch\w*|load\w*|train\w*)\b[^\n.?]{0,24}"
        r"\bnvidia[- ]smi\b",
    ),
    Sign(
        "smi-while-told",
        "somebody shows nvidia-smi's table as it is while the program computes",
        ("nvidia-smi", "nvidia smi"),
        r"\A(?!.*(?:\?|n't|\b(?:tip|watch|if|should|would|not|warm-?up|see|check|look)\b))"
        r".*?(?:nvidia[- ]smi\b[^\n.?]{0,24}\b(?:while|during|when)\b[^\n.?]{0,16}"
        r"\b(?:runs|running|training|trains|inference|encoding|rendering|generat\w+|comput\w+)\b"
        r"|\b(?:while|during) (?:it |the |my |this )?(?:runs|running|training|trains|inference"
        r"|computing)\b[^\n.?]{0,24}\bnvidia[- ]smi\b)",
    ),
    Sign(
        "smaller-runs-told",
        "somebody says that less of the work runs, or shows how it was before the end",
        ("batch", "it runs", "it works", "before the crash", "before it crash"),
        r"\bwith (?:a )?(?:smaller )?batch(?:[ _-]size)?(?: of)? ?=? ?\d{0,4},? it (?:runs|works)\b"
        r"|\b(?:just|shortly|right) before (?:the crash|it crash\w*)\b",
    ),
    Sign(
        "smi-without-answer",
        "nvidia-smi ends without an answer and without a reason",
        ("nvml: n/a", "segmentation fault"),
        r"initialize NVML: N/A|nvidia-smi[^\n]{0,40}segmentation fault"
        r"|segmentation fault[^\n]{0,40}nvidia-smi",
    ),
    Sign(
        "smi-not-found",
        "there is no nvidia-smi on this machine, or not on its PATH",
        ("nvidia-smi",),
        rf"{not_found('nvidia-smi')}|nvidia-smi: No such file"
        r"|nvidia-smi[^\n]{0,12}: (?:command )?not found|command nvidia-smi not found"
        r"|\bcommand [`'\"]nvidia-smi[`'\"] (?:is|was) not found"
        # As people tell of it: "running nvidia-smi gives command not found", in Chinese too.
        r"|nvidia-smi[`'\"]? ?(?:(?:gives?|says?|returns?|reports?|prints?|shows?)(?: me)?(?: an?)?"
        r"|[\u4e00-\u9fff]{1,8})[ :`'\"]{0,3}command not found"
        r"|(\"nvidia-smi\\?\": executable file not found|executable file `?nvidia-smi`? not found)"
        r"|No such file or directory: '?\S*nvidia-smi|nvidia-smi\b[^\n]{0,80} exit status 127\b"
        r"|failed to run command .nvidia-smi.: No such file"
        r"|(?:unable|not able) to (?:run|find|execute) [`'\"]?nvidia-smi"
        r"|`nvidia-smi` failed\. Ensure that you have CUDA installed",
    ),
    Sign(
        "smi-no-cuda",
        "nvidia-smi reaches the driver, and finds no libcuda to ask for its CUDA",
        ("cuda version: err", "cuda umd version: err"),
    ),
    Sign(
        "smi-cuda-not-told",
        "nvidia-smi tells no CUDA: without libcuda, or on a host that only lends its GPUs",
        ("cuda version: n/a", "cuda umd version: n/a"),
    ),
    Sign(
        "smi-device-handle",
        "nvidia-smi cannot reach one GPU; the value is its address and why",
        ("unable to determine the device handle",),
        r"device handle for (?:GPU|[a-z]\w* ) ?(?:\d+: )?([\dA-F]{3,8}:[\dA-F:.]+|\d+): ?(.{1,100})"
        r"|device handle for (.{1,100})",
    ),
    Sign(
        "gpu-reset-required",
        "a GPU must be reset",
        cues(
            "gpu requires reset|reset required|reboot the system to recover|recovery action"
            "|requiring os reboot to recover|did not complete reset successfully"
        ),
        r"GPU requires reset|reset required\s*:\s*yes|GPU reset required|to recover this GPU"
        r"|recovery action\s*:\s*(?:(?:gpu )?reset|(?:node )?reboot|drain)"
        r"|recovery action changed from [^\n]{1,24} to [^\n]{0,6}\((?:GPU reset|node reboot|drain)"
        r"|requiring os reboot to recover|devices? did not complete reset successfully",
    ),
    Sign(
        "smi-insufficient-permissions",
        "NVML refuses the user",
        ("insufficient permissions", "insufficientpermissions"),
        rf"\A(?!.*{OF_ADMINS}).*(?:nvidia|nvml|gpu)",
    ),
    Sign(
        "power-capped",
        "the GPU is slowed down by its power limit",
        ("power cap",),
        r"sw[ _]power[ _]cap(?:ping)?\s*[:|=]\s*active\b|throttle detected[^\n]{0,24}power cap",
    ),
    Sign(
        "hw-slowdown",
        "the hardware slows the GPU down: heat or power",
        cues(
            "hw slowdown|hw power brake|thermal slowdown|hw_thermal_slowdown|sw_thermal_slowdown"
            "|hw_power_brake|hw_slowdown|thermal throttling|due to thermal violation"
            "|due to power violation|thermal violations totaling"
        ),
        r"((?:hw|sw)[ _](?:thermal |power brake )?slowdown)\s*[:|=]\s*active\b"
        r"|\|\W{0,6}(thermal slowdown) active\b"  # somebody's own table
        r"|(?<!show )(?<!display )(?<!add )(?<!support )(thermal throttling)"
        r"|\breasons?\W{1,4}((?:hw|sw)_(?:thermal_|power_brake_)?slowdown)\b\W{0,2}(?:\Z|[,}] ?\")"
        r"|throttle detected[^\n]{0,24}((?:hw|sw) (?:thermal |power brake )?slowdown)"
        r"|clock[^\n]{0,20} due to (thermal|power) violation|(thermal) violations totaling \d"
        r"|((?:hw|sw) (?:thermal |power brake )?slowdown)\W{1,3}(?:as|is|for) (?:the|a) reason"
        r"|(?:stuck|pinned|lowest clock)[^\n]{0,60}((?:hw|sw) thermal slowdown)",
    ),
    Sign(
        "power-limit-locked",
        "the power limit of this board cannot be changed",
        ("changing power management limit is not supported", "not supported in current scope"),
    ),
    Sign(
        "ecc-pages-pending",
        "memory rows or pages wait to be retired or remapped",
        (
            *("remapping failure", "pending page blacklist", "retired pages", "row remapper"),
            # DCGM
            *("row remapping failed", "row remappings are pending", "faulty memory elements on"),
            *("double-bit ecc error(s) in gpu", "pending retired page has been"),
        ),
        r"(?:Remapping Failure Occurred|Pending Page Blacklist|Pending)\s*:\s*yes"
        r"|(GPU \d+ had (?:uncorrectable )?memory errors"
        r" and row remapping(?: failed|s are pending))"
        r"|(Found [1-9]\d* faulty memory elements on GPU \d+)"
        r"|(Detected [1-9]\d* volatile double-bit ECC error\(s\) in GPU \d+)"
        r"|(pending retired page has been detected in GPU \d+)",
    ),
    Sign(
        "temperature-limit-low",
        "the driver holds the GPU below a temperature that all bear easily; the value is it",
        ("gpu max operating temp",),
        r"GPU Max Operating Temp\s*: ([1-6]\d) C\b",
    ),
)
