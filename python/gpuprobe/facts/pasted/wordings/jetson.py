"""What the libraries of NVIDIA's own boards (L4T) say when they do not get at the GPU."""

from ..sign import Sign

SIGNS = (
    Sign(
        "board-over-current",
        "a board's desktop says that it slows down, as it took too much current",
        ("over-current", "over current"),
        r"\A(?!.*(?:\?|\b(?:if|when|is what|may|might)\b)).*?"
        r"\b(?:throttled?|trottled?|throttling)\b[^\n]{0,12}\bover[- ]current\b",
    ),
    Sign(
        "board-memory-refused",
        "the board's memory manager may not be opened: the user is not of its group",
        ("nvrmmeminitnvmap failed", "/dev/nvhost-", "/dev/nvmap", "/dev/nvgpu"),
        r"(NvRmMemInitNvmap failed with Permission denied)"
        r"|(/dev/(?:nvhost-\S+|nvmap|nvgpu\S*?))[^\n]{0,24}(?:permission denied)",
    ),
    Sign(
        "board-memory-missing",
        "the board's memory manager is not there: a container that does not fit its board",
        ("nvrmmeminitnvmap failed", "nvrmgpulibopen failed"),
        r"(NvRmMemInitNvmap failed with No such file)|(NvRmGpuLibOpen failed)",
    ),
    Sign(
        "board-memory-full",
        "the board's memory, which processor and GPU share, is used up",
        ("nvmapmemalloc",),
        r"NvMapMemAlloc\w*:? (\d+) error 12|NvMapMemAlloc[^\n]*(?:out of memory|error 12)",
    ),
)
