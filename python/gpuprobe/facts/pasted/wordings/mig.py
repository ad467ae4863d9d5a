"""What is said of GPUs that MIG splits: by nvidia-smi, by programs, by people."""

from ..sign import Sign
from ..text import cues

SIGNS = (
    Sign(
        "mig-without-instances",
        "MIG is on and there is no MIG device",
        cues(
            "mig mode enabled, but no|mig enabled, but no|no gpu instances found|no instances"
            "|enabled but no|no mig device|more than one mig device type present|-mig-invalid"
            "|mig.config.state|gpu instances: none|invalid mig configuration"
        ),
        r"(more than one MIG device type present on node)"
        r"|no MIG devices (?:associated|found|configured)[^\n]{0,40}|no GPU instances found"
        r"|MIG[^\n]{0,40}enabled[^\n]{0,40}no (?:MIG|instances)|no MIG device"
        # The labels of a node, and what people write down of them.
        r"|-MIG-INVALID\b|GPU instances: none|(?:has an|:) invalid MIG configuration"
        r"|\bmig\.config\.state['\"]?\s?[=:]\s?['\"]?failed\b",
    ),
    Sign(
        "mig-devices-unseen",
        "somebody says that a program does not find the instances of MIG",
        ("mig device", "mig instance", "mig slice"),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|when|unless|should|would|may|might|because|as)\b))"
        r".*?((?:\bnot|n't|\bunable to|\bfails? to|\bfailed to) (?:detect|find|see|show|list"
        r"|recogni[sz]e|discover)\w*(?: any| the| my| all)? MIG (?:devices?|instances?|slices?)\b"
        r"|\bMIG (?:devices|instances|slices) (?:are|were) not (?:being )?(?:detected|found|seen"
        r"|shown|listed|recogni[sz]ed|discovered)\b)"
        r"|\b(MIG devices are missing) when I (?:use|run|start)\b",
    ),
    Sign(
        "mig-change-refused",
        "nvidia-smi could not change the mode or the instances of MIG",
        cues(
            "gpu instance|compute instance|mig mode for gpu|mig-enabled devices found"
            "|error applying mig configuration"
        ),
        r"(?:unable to|failed to|error) (?:creat(?:e|ing)|destroy(?:ing)?) (?:an? )?(?:GPU|compute)"
        r" instance|no MIG-enabled devices found|(?-i:FATA)\[\d+\] Error applying MIG configuration"
        r"|unable to (?:enable|disable) MIG mode",
    ),
    Sign(
        "mig-uuid-unread",
        "a device plugin has the name of an instance of MIG of which NVML knows nothing",
        ("unable to parse uuid as mig device",),
        r"\b(MIG-[\w-]{8,40})",
    ),
    Sign(
        "mig-switched-on",
        "nvidia-smi switched MIG mode on",
        ("enabled mig mode for gpu",),
        r"\AEnabled MIG Mode for GPU [\dA-Fa-f:.]{6,20}",
    ),
    Sign(
        "mig-told-to-fail",
        "somebody says that a program fails on a part of a GPU, or that MIG does not stay on",
        (" on mig", "with mig", "mig setting", "mig mode", "the mig "),
        r"(?i)\A(?=.{1,300}\Z)(?!.*(?:\?|\b(?:if|should|would|may|might|without|no longer)\b)).*?"
        r"\b(?:fails?|crashes|breaks) (?:on|with) MIG\b"
        r"|\A(?=.{1,400}\Z)(?!.*\?)(?=.*\bre-?boot\w*\b).*?\bMIG(?: mode| setting)? is "
        r"(?:back|off|disabled|gone|reset|lost)\b",
    ),
    Sign(
        "mig-one-of-several-told",
        "somebody says that a program takes one instance of MIG where there are more",
        ("only one mig", "one mig instance", "all mig", "device with id 0", "a single mig"),
        r"(?i)\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|should|would|may|might|no longer)\b)).*?"
        r"(?:\bonly (?:one|1|a single|the first) MIG (?:instance|device|slice)\b[^.\n]{0,12}"
        r"\b(?:detected|seen|found|used|visible|listed|recogni[sz]ed)\b"
        r"|\b(?:not|n't)\b[^.\n]{0,30}\b(?:on|onto|to|by|use|see) all (?:the |my )?MIG"
        r" (?:instances|devices|slices)\b"
        r"|\bonly (?:uses?|sees?|finds?|takes?) the (?:GPU |first )?device with (?:the )?ID 0\b)",
    ),
    Sign(
        "mig-gone-told",
        "somebody says that MIG, or its instances, are gone after a restart of the machine",
        ("reboot", "restart"),
        r"(?i)\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|should|would|may|might|no longer)\b))"
        r".*?\b(?:re-?boot\w*|restart\w*)\b(?:[^.?\n]|\.(?=\d)){0,40}?"
        r"\b(?:(?-i:MIG) (?:devices?|instances?|slices?|configuration|partitions?)"
        r"|(?:the|my|all) migs)\b[^.?\n]{0,24}?\b(?:(?:is|are|was|were) )?"
        r"(?:destro\w+|gone|lost|removed|deleted|disappear\w*|vanish\w*)\b"
        r"|\A(?=.{1,400}\Z)(?!.*\?)(?=.*\bre-?boot\w*\b).*?\bMIG(?: mode| setting)? is "
        r"(?:back|off|disabled|gone|reset|lost)\b",
    ),
    Sign(
        "mig-permissions-told",
        "somebody says that a program lacks the permissions to ask for a GPU that MIG splits",
        ("sufficient permissions",),
        # Google's managed instance groups have the same three letters.
        r"\A(?=.{1,400}\Z)(?=.*\bmig\b(?! (?:instance )?group))"
        r"(?!.*(?:\?|\b(?:if|when|creat\w+|destroy\w*|configur\w+|chang\w+|reset\w*|works with"
        r"|not an? mig|(?:en|dis)abl(?:e|ing)|sudo|solved|fixed|instance group|not supported)\b))"
        r"(?!.*(?:\bno mig\b|\bmig\b[^\n]{0,20}\b(?:not|disabled|off)\b))"
        r".*(?:\binsufficient|n[o']?t (?:have|with)(?: the)? sufficient) permissions\b"
        r"(?=\W*\Z|[.,;:)]| (?:for|on|to (?:\w+ )?(?:list|query|call|access|enumerate|see|use|open"
        r"|read|get|bring))\b)",
    ),
    Sign(
        "mig-instance-named",
        "an instance of MIG is named by its size; the value is it",
        ("mig-", "mig "),
        r"\bMIG[- ](\d{1,2}g\.\d{1,3}gb)\b",
    ),
    Sign(
        "mig-change-pending",
        "a change of the MIG mode waits for a reset",
        ("mig m.", "pending"),
        r"MIG mode is in pending|\b(Enabled|Disabled)\*",
    ),
    Sign(
        "mig-in-use-told",
        "somebody says that a GPU is split by MIG",
        cues(
            "mig enabled|mig mode|mig device|mig instance|mig slice|mig is|with mig"
            "|mig gpu instance|mig compute instance|multi-instance gpu|partitioned |mig strategy"
            "|mig.strategy|mig_strategy|strategy mig|enabling mig|enabled mig|a100 (mig|h100 (mig"
            "|h200 (mig|a30 (mig"
        ),
        r"(?-i:\bMIG)(?: mode)?(?: is)? (?:enabled|on)\b|\bwith (?-i:MIG)\b"
        r"|\b[AH]\d{2,3} \((?-i:MIG)\)"
        r"|\bpartitioned (?:nvidia )?[abh][1-3]00\b|\bmulti-instance GPU"
        r"|(?-i:\bMIG) (?:GPU |compute )?(?:devices?|instances?|slices?)\b"
        # "single" is what NVIDIA's operator sets where nobody splits a GPU.
        r"|\bmixed[`'\"]? (?:strategy (?-i:MIG)|(?-i:MIG) strategy)\b"
        r"|\bMIG[._]strategy['\"]?[=: ]{1,3}['\"]?mixed\b"
        r"|\b(?:after|since|once) (?:I |we )?enabl(?:ed|ing) (?-i:MIG)\b",
    ),
)
