#include "gp_root.h"

gp_status
gp_root_path(const gp_settings *settings, const char *path, gp_text *rooted)
{
    const char *root = settings->values[GP_VAR_ROOT];
    if (root != NULL) { gp_text_append(rooted, root); }
    gp_text_append(rooted, path);
    return gp_text_status(rooted, "gp_root_path");
}
