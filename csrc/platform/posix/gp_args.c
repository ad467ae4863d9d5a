#include "platform/gp_args.h"

gp_status
gp_args_get(int argc, char **argv, gp_args *args)
{
    *args = (gp_args){argc, argv};
    return gp_ok();
}

void
gp_args_free(gp_args *args)
{
    *args = (gp_args){0, NULL};
}
