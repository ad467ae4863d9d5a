#include "gp_probe.h"

#include <stdio.h>

static void
print_call(const char *call)
{
    (void)fprintf(stderr, "> %s\n", call);
    (void)fflush(stderr);
}

gp_trace
gp_probe_trace(void)
{
    return (gp_trace){print_call};
}
