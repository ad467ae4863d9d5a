#include "platform/gp_driver_files.h"

#include "platform/gp_file.h"
#include "platform/gp_root.h"

const char *
gp_driver_file_name(gp_driver_file file)
{
    return file == GP_LIBCUDA ? "libcuda.so.1" : "libnvidia-ml.so.1";
}

gp_status
gp_driver_file_wsl_path(gp_driver_file file, const gp_settings *settings, gp_text *path)
{
    gp_text dxg = GP_TEXT_EMPTY;
    gp_status st = gp_root_path(settings, "/dev/dxg", &dxg);
    if (gp_failed(st)) { goto done; }
    if (!gp_file_exists(gp_text_get(&dxg))) { goto done; }
    st = gp_root_path(settings, "/usr/lib/wsl/lib/", path);
    if (gp_failed(st)) { goto done; }
    gp_text_append(path, gp_driver_file_name(file));
    st = gp_text_status(path, "gp_driver_file_wsl_path");
done:
    gp_text_free(&dxg);
    return st;
}
