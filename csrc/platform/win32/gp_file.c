#include "platform/gp_file.h"

#include "base/gp_alloc.h"
#include "gp_wide.h"
#include "gp_windows.h"

bool
gp_file_exists(const char *path)
{
    wchar_t *wide = gp_wide_from_utf8(path);
    if (wide == NULL) { return false; }
    bool exists = GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES;
    gp_free(wide);
    return exists;
}
