#include "platform/gp_toolkit_files.h"

#include <stddef.h>

const char *const gp_cudnn_file_names[] = {"libcudnn.so.9", NULL};
const char *const gp_cublaslt_file_names[] = {"libcublasLt.so.13", "libcublasLt.so.12",
                                              "libcublasLt.so.11", NULL};
