/* Stands in the place of base/gp_alloc.c: counts what is alive, and fails on demand. */
#ifndef ALLOC_HOOK_H
#define ALLOC_HOOK_H

#include <stddef.h>

/* The n-th allocation from now on fails, once; 0: none does. */
void alloc_fail_at(size_t n);

/* Whether the failure asked for has happened. */
int alloc_has_failed(void);

/* Blocks that were not freed. */
size_t alloc_live(void);

#endif
