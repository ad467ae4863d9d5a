"""What people say in Chinese of a fault on their machine, as `sentences` has it in English.

Each is a circumstance. Questions, and sentences that suppose, advise or warn, state nothing.
"""

from ..sign import Sign

_PLAINLY = (
    r"\A(?=.{1,400}\Z)(?!.*(?:如果|若|假如|是否|请(?:检查|确认|确保)|需要(?:安装|使用|先|确认)"
    r"|可以(?:试|尝试|通过|参考|先)|建议|支持)).*?"
)
_NOT = (
    r"(?:找不到|没找到|无法(?:检测|使用|识别|调用|访问|找到|发现)到?"
    r"|不能(?:使用|识别|调用|访问)|没有(?:检测到|识别到)?"
    r"|看不到|检测不到|识别不到|识别不了|用不了|调用不了)"
)
_DRIVER = r"(?:nvidia|英伟达|显卡|GPU) ?的?驱动(?:程序)?"
_GPU = rf"(?:GPU|显卡|(?:{_DRIVER}|驱动)|nvidia-smi|cuda)"
_ONE = r"(?:一张|一块|其中一张|其中一块|1张|1块)(?:卡|显卡|GPU)"

SIGNS = (
    Sign(
        "chinese-reporter",
        "somebody writes of a machine of their own",
        ("我的", "我在", "我用", "我使用", "您好", "你好", "请问", "报错", "求助", "本机"),
        r"(我的|我在|我用|我使用|您好|你好|请问|报错|求助|本机)",
    ),
    Sign(
        "chinese-container",
        "somebody says that a container does not get at the GPU",
        ("docker", "容器", "镜像"),
        _PLAINLY + rf"((?:docker|容器|镜像)[^。\n]{{0,24}}?{_NOT}[^。\n]{{0,8}}{_GPU})",
    ),
    Sign(
        "chinese-missing",
        "somebody says that there is no NVIDIA driver",
        ("驱动",),
        _PLAINLY + rf"((?:没有|没|未)(?:安装|装)好? ?{_DRIVER}|{_DRIVER}(?:没有|没|未)(?:安装|装))",
    ),
    Sign(
        "chinese-not-loaded",
        "somebody says that the driver no longer works since the kernel changed, or a restart",
        ("驱动", "nvidia-smi"),
        _PLAINLY + rf"((?:内核(?:自动)?(?:升级|更新)|重启|更新系统)[^。\n]{{0,16}}"
        rf"(?:{_DRIVER}|驱动|nvidia-smi)[^。\n]{{0,8}}"
        r"(?:失效|掉了|丢失|没了|不可用|用不了|失败|报错|不见了|无法使用)|驱动掉了|掉驱动)",
    ),
    Sign(
        "chinese-lost",
        "somebody says that a GPU goes away",
        ("掉卡", "显卡", "一张卡", "一块卡", "张gpu", "块gpu"),
        _PLAINLY + rf"(掉卡|掉显卡|{_ONE}[^。\n]{{0,8}}(?:丢失|不见了|消失|掉线|掉了)"
        rf"|(?:少了|丢了){_ONE})",
    ),
    Sign(
        "chinese-too-old",
        "somebody says that their driver is too old",
        ("驱动",),
        _PLAINLY + rf"((?:{_DRIVER}|驱动)(?:版本)?(?:太旧|过旧|太低|过低|太老|偏低|比较旧))",
    ),
)
