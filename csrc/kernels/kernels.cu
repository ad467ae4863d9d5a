/* The one translation unit of all kernels: every embedded image holds the whole set. */
#include "add.cu"
#include "fill.cu"
#include "hash.cu"
