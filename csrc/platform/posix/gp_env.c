#include "platform/gp_env.h"

#include <stdlib.h>

gp_status
gp_env_get(const char *name, gp_text *value, bool *is_set)
{
    const char *found = getenv(name);
    *is_set = found != NULL;
    if (found != NULL) { gp_text_append(value, found); }
    return gp_text_status(value, "getenv");
}
