#include "platform/gp_toolkit_files.h"

#include <stddef.h>

const char *const *
gp_toolkit_file_names(gp_toolkit_file file)
{
    static const char *const cudnn[] = {"cudnn64_9.dll", NULL};
    static const char *const cublaslt[] = {"cublasLt64_13.dll", "cublasLt64_12.dll",
                                           "cublasLt64_11.dll", NULL};
    switch (file) {
    case GP_LIBCUDNN: return cudnn;
    case GP_LIBCUBLASLT_TO_13: return cublaslt;
    case GP_LIBCUBLASLT_TO_12: return cublaslt + 1;
    case GP_LIBCUBLASLT_TO_11: return cublaslt + 2;
    }
    return NULL;
}
