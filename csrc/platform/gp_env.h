#ifndef GP_ENV_H
#define GP_ENV_H

#include "base/gp_status.h"
#include "base/gp_text.h"

#include <stdbool.h>

/* Appends the variable's value as UTF-8 and says whether it is set at all: for CUDA an empty
 * value and no value are opposites. Not safe against another thread that changes the environment,
 * as getenv is not. */
gp_status gp_env_get(const char *name, gp_text *value, bool *is_set);

#endif
