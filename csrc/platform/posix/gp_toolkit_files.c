#include "platform/gp_toolkit_files.h"

#include <stddef.h>

const char *const *
gp_toolkit_file_names(gp_toolkit_file file)
{
    static const char *const cudnn[] = {"libcudnn.so.9", NULL};
    switch (file) {
    case GP_LIBCUDNN: return cudnn;
    }
    return NULL;
}
