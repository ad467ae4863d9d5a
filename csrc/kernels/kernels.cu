/* The one translation unit of all kernels: every embedded image holds the whole set. */
#include "add.cu"
#include "conv2d.cu"
#include "fill.cu"
#include "hash.cu"
#include "matmul.cu"
