/* What the driver's two libraries are called on this system, and where else they may be. */
#ifndef GP_DRIVER_FILES_H
#define GP_DRIVER_FILES_H

#include "base/gp_status.h"
#include "base/gp_text.h"
#include "platform/gp_settings.h"

typedef enum gp_driver_file { GP_LIBCUDA, GP_LIBNVML } gp_driver_file;

/* The bare name to search for: "libcuda.so.1", "nvml.dll" … Never the unversioned name, which the
 * toolkit's stub also has. */
const char *gp_driver_file_name(gp_driver_file file);

/* Under WSL: appends the path of the host's library, which must win over one that a Linux driver
 * package put into the distribution. Elsewhere `path` stays empty. */
gp_status gp_driver_file_wsl_path(gp_driver_file file, const gp_settings *settings, gp_text *path);

#endif
