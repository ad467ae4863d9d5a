/* The one door to malloc. These three functions stand alone in their file, so a test program links
 * its own in their place (tests/c/alloc_hook.c) and lets the n-th allocation fail: the product
 * carries no switch for it. */
#ifndef GP_ALLOC_H
#define GP_ALLOC_H

#include <stddef.h>

/* `count` zeroed elements of `size` bytes, or NULL: no memory, or the product does not fit. */
void *gp_alloc(size_t count, size_t size);

/* As realloc: on failure NULL, and the old block stays as it was. `size` must not be 0. */
void *gp_realloc(void *block, size_t size);

/* Accepts NULL. */
void gp_free(void *block);

#endif
