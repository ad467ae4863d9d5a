#ifndef GP_FILE_H
#define GP_FILE_H

#include <stdbool.h>

/* Is there anything (file, folder, device node) at exactly this path? */
bool gp_file_exists(const char *path);

#endif
