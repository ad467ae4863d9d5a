#include "platform/gp_parent.h"

#if defined(__linux__)

#include <signal.h>
#include <sys/prctl.h>

void
gp_end_with_parent(void)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
}

#else

void
gp_end_with_parent(void)
{
}

#endif
