#ifndef GP_CLOCK_H
#define GP_CLOCK_H

#include <stdint.h>

/* Nanoseconds since some fixed moment; never goes back, unaffected by changes of the date. */
uint64_t gp_clock_ns(void);

#endif
