#include "gp_alloc.h"

#include <stdlib.h>

void *
gp_alloc(size_t count, size_t size)
{
    return calloc(count, size);
}

void *
gp_realloc(void *block, size_t size)
{
    return realloc(block, size);
}

void
gp_free(void *block)
{
    free(block);
}
