/* The C core's only door to fixed paths such as /dev/dxg: GPUPROBE_ROOT, when set, stands before
 * each of them, so a test can show another machine's files. */
#ifndef GP_ROOT_H
#define GP_ROOT_H

#include "base/gp_status.h"
#include "base/gp_text.h"
#include "platform/gp_settings.h"

/* Appends the place of the absolute `path` on the machine that is looked at. */
gp_status gp_root_path(const gp_settings *settings, const char *path, gp_text *rooted);

#endif
