/* A driver whose launches run on the host: so that the product's launchers and the kernels are
 * tested together. Memory of the host stands for the device's. */
#ifndef SHIM_DRIVER_H
#define SHIM_DRIVER_H

#include "device/gp_module.h"

/* The module that holds all kernels of the shim. */
const gp_module *shim_module(void);

/* From now on a launch gets no more blocks than these: each makes several pieces then. */
void shim_limit_blocks(unsigned int most);

/* From now on a launch runs the last block of its grid alone: for results of which no host could
 * compute the whole. */
void shim_run_last_block(void);

#endif
