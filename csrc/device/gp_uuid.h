#ifndef GP_UUID_H
#define GP_UUID_H

#include "abi/gp_abi_cuda.h"

#define GP_UUID_TEXT_SIZE 41 /* "GPU-" or "MIG-", 32 digits, 4 dashes, NUL */

/* As nvidia-smi -L prints it: "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6". `prefix` has 3 letters.
 */
void gp_uuid_format(const char *prefix, const gp_cu_uuid *uuid, char text[GP_UUID_TEXT_SIZE]);

#endif
