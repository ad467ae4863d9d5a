"""What programs that draw and encode say: OBS, OptiX, Blender, and renderers built on them."""

from ..sign import Sign
from ..text import cues

SIGNS = (
    Sign(
        "encoder-driver-too-old",
        "a driver is older than the encoder's interface that a program was built for; by its name"
        " for the driver's code 15, as ffmpeg has it, that code, or the words of OBS and the SDK",
        ("nvenc", "reason=outdated_driver", "invalid version (15)", "nv_enc_err_invalid_version"),
        r"does not support this NvEnc(?:odeAPI)? version|reason=outdated_driver"
        r"|\b(?:\w{2,8}_nvenc|NvEncode\w{0,24}|\w{0,24}EncodeSessionEx|InitializeEncoder"
        r"|preset config(?:uration)?)\b[^\n]{0,80}: invalid version \(15\)"
        r"|\b(?-i:nvEnc[A-Z])\w{3,40}[^\n]{0,80}?(?: returned error| failed(?: with(?: error)?)?"
        r"(?: code)?[:,]?|:) \(?15\b(?!\.)"
        r"|(?:\bfail|\berror|\breturn|exception)[^\n]{0,80}[^\w\n]NV_ENC_ERR_INVALID_VERSION\b"
        r"(?![,;:])",
    ),
    Sign(
        "nvenc-asked-told",
        "somebody says which release of NVENC a program asks for; the value is it",
        ("nvenc",),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|unless|does(?: not|n't)|no longer)\b)).*?"
        r"(?:\bNVENC (?:API |SDK )?(?:version )?v?(\d{1,2}\.\d)\b[^.\n]{0,16}?"
        r"\b(?:is|was) (?:now )?(?:wanted|needed|required|asked for|expected)\b"
        r"|\b(?:wants?|needs?|requires?|asks? for|expects?|demands?) (?:at least )?(?:the )?"
        r"NVENC (?:API |SDK )?(?:version )?v?(\d{1,2}\.\d)\b)",
    ),
    Sign(
        "vulkan-adapter-skipped",
        "DXVK skips an NVIDIA GPU for its driver's Vulkan, whose release is the value",
        ("skipping vulkan ",),
        r"\bSkipping Vulkan (\d\.\d) adapter: (?:NVIDIA|GeForce|Quadro|Tesla|TITAN|NVS|GRID)\b",
    ),
    Sign(
        "ffmpeg-without-cuda",
        "FFmpeg does not know a filter, decoder or way to decode by CUDA: it is built without",
        ("no such filter: '", "unknown decoder '", "unrecognized hwaccel: "),
        r"No such filter: '(\w{3,16}_cuda|scale_npp|scale2ref_npp|transpose_npp|sharpen_npp)'"
        r"|Unknown decoder '(\w{2,8}_cuvid)'|Unrecognized hwaccel: (cuda|cuvid|nvdec)\b",
    ),
    Sign(
        "optix-driver-too-old",
        "the driver's OptiX is older than the one that a program was built for: it does not have"
        " the interface's release (7801), or is of before OptiX 7 (7805)",
        ("optix",),
        r"OPTIX_ERROR_(?:UNSUPPORTED_ABI_VERSION|ENTRY_SYMBOL_NOT_FOUND)"
        r"|the installed driver does not support ABI"
        r"|OptiX error: '(?:unsupported ABI version|entry symbol not found)'"
        r"|optix[^\n]{0,160}? (?:code|error)[ :=(]{1,3}780[15]\b",
    ),
    Sign(
        "optix-not-found",
        "a program finds no OptiX, which is a part of the driver",
        ("optix",),
        r"OptiX error: 'library not found'|OPTIX_ERROR_LIBRARY_NOT_FOUND"
        r"|failed to load OptiX library|compatible device\(s\) not found / OptiX not initialized"
        r"|optix[^\n]{0,160}? (?:code|error)[ :=(]{1,3}7804\b",
    ),
    Sign(
        "optix-not-found-told",
        "somebody says that CUDA works in a container and OptiX is not offered there",
        ("optix",),
        r"\A(?=.{1,500}\Z)(?=.*\bcontainer\b)(?=.*\bcuda\b)(?!.*(?:\?|\b(?:if|unless|should|would"
        r"|may|might)\b)).*?\boptix\b[^.\n]{0,60}\b(?:(?:lists?|shows?|sees?|finds?|offers?|has|get"
        r"|gets?) (?:only (?:the )?cpu|no (?:\w+ )?devices?|none)|(?:is|are)(?: not|n't)"
        r" (?:found|available|listed|offered|there|shown)|unavailable|missing)\b",
    ),
    Sign(
        "omniverse-driver-too-old",
        "Omniverse tells from which release of the driver on it serves one; the value is that",
        ("unsupported driver range: [0.0",),
        r"unsupported driver range: \[0\.0, (\d{3}\.\d{2,3})",
    ),
    Sign(
        "renderer-driver-too-old",
        "a program names a newer release of the driver than the one that it found",
        cues(
            "too old|is not supported, must be|drivers are outdated|outdated nvidia"
            "|insufficient nvidia driver version"
        ),
        r"the installed NVIDIA driver \((\d{3}\.\d{2,3})\) is too old"
        r"|driver (?:version )?(\d{3}\.\d{2,3}) is (?:too old|not supported), (?:the min|must be)"
        r"|display drivers are outdated and are known"
        r"|Outdated NVIDIA (?:GPU )?driver '(\d{3}\.\d{2,3}[.\d]*)' detected"
        # NVEncC, which reads 0.0 where it finds no driver
        r"|Insufficient NVIDIA driver version, Required (\d{3}\.\d{2,3}), Installed (?!0\.0)\d",
    ),
    Sign(
        "renderer-out-of-memory",
        "a renderer says that the GPU's memory does not suffice",
        ("system is out of gpu", "your gpu memory is full"),
        r"out of GPU (?:and shared host )?memory|GPU memory is full",
    ),
)
