#include "gp_wide.h"
#include "gp_windows.h"

#include "base/gp_alloc.h"

wchar_t *
gp_wide_from_utf8(const char *string)
{
    int units = MultiByteToWideChar(CP_UTF8, 0, string, -1, NULL, 0);
    if (units <= 0) { return NULL; }
    wchar_t *wide = gp_alloc((size_t)units, sizeof(*wide));
    if (wide == NULL) { return NULL; }
    (void)MultiByteToWideChar(CP_UTF8, 0, string, -1, wide, units);
    return wide;
}

gp_status
gp_wide_append(gp_text *text, const wchar_t *wide)
{
    int bytes = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    if (bytes <= 0) { return gp_fail(GP_OS, (int)GetLastError(), "WideCharToMultiByte"); }
    char *end = gp_text_reserve(text, (size_t)bytes);
    if (end == NULL) { return gp_text_status(text, "gp_wide_append"); }
    (void)WideCharToMultiByte(CP_UTF8, 0, wide, -1, end, bytes, NULL, NULL);
    text->size += (size_t)bytes - 1; /* the NUL is written, not counted */
    return gp_ok();
}
