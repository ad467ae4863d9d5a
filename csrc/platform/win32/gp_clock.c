#include "platform/gp_clock.h"

#include "gp_windows.h"

#define NS_PER_SECOND 1000000000ULL

uint64_t
gp_clock_ns(void)
{
    LARGE_INTEGER frequency;
    LARGE_INTEGER ticks;
    /* Neither fails from Windows XP on. */
    (void)QueryPerformanceFrequency(&frequency);
    (void)QueryPerformanceCounter(&ticks);
    uint64_t per_second = (uint64_t)frequency.QuadPart;
    uint64_t count = (uint64_t)ticks.QuadPart;
    /* Whole seconds and the rest apart, so that the product cannot wrap. */
    return count / per_second * NS_PER_SECOND + count % per_second * NS_PER_SECOND / per_second;
}
