#define _POSIX_C_SOURCE 200809L

#include "platform/gp_file.h"

#include <sys/stat.h>

bool
gp_file_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}
