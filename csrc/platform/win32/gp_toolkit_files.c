#include "platform/gp_toolkit_files.h"

#include <stddef.h>

const char *const *
gp_toolkit_file_names(gp_toolkit_file file)
{
    static const char *const cudnn[] = {"cudnn64_9.dll", NULL};
    switch (file) {
    case GP_LIBCUDNN: return cudnn;
    }
    return NULL;
}
