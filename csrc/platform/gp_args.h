#ifndef GP_ARGS_H
#define GP_ARGS_H

#include "base/gp_status.h"

/* The arguments of main as UTF-8. */
typedef struct gp_args {
    int count;
    char **values; /* on POSIX main's own; on Windows owned */
} gp_args;

gp_status gp_args_get(int argc, char **argv, gp_args *args);
void gp_args_free(gp_args *args);

#endif
