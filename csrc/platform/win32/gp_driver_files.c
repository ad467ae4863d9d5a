#include "platform/gp_driver_files.h"

const char *
gp_driver_file_name(gp_driver_file file)
{
    return file == GP_LIBCUDA ? "nvcuda.dll" : "nvml.dll";
}

gp_status
gp_driver_file_wsl_path(gp_driver_file file, const gp_settings *settings, gp_text *path)
{
    (void)file;
    (void)settings;
    (void)path;
    return gp_ok(); /* WSL is a Linux system: this code never runs inside it */
}
