#include "platform/gp_toolkit_files.h"

#include <stddef.h>

const char *const gp_cudnn_file_names[] = {"cudnn64_9.dll", NULL};
const char *const gp_cublaslt_file_names[] = {"cublasLt64_13.dll", "cublasLt64_12.dll",
                                              "cublasLt64_11.dll", NULL};
