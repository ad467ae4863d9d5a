"""A Mac as a tree; its processor's name is this machine's, so nothing here depends on it."""

from __future__ import annotations


def version_file(release: str) -> dict[str, str]:
    """The file in which macOS states its release."""
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">\n<dict>\n'
        f"\t<key>ProductName</key>\n\t<string>macOS</string>\n"
        f"\t<key>ProductVersion</key>\n\t<string>{release}</string>\n</dict>\n</plist>\n"
    )
    return {"/System/Library/CoreServices/SystemVersion.plist": text}
