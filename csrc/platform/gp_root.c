#include "gp_root.h"

#include "gp_env.h"

gp_status
gp_root_path(const char *path, gp_text *rooted)
{
    bool is_set = false;
    gp_status st = gp_env_get("GPUPROBE_ROOT", rooted, &is_set);
    if (gp_failed(st)) { return st; }
    gp_text_append(rooted, path);
    return gp_text_status(rooted, "gp_root_path");
}
