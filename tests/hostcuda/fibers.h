/* The threads of one block as fibers. */
#ifndef HOSTCUDA_FIBERS_H
#define HOSTCUDA_FIBERS_H

#include "device.h"
#include "order.h"
#include "registry.h"

struct fiber;

/* The fibers of a launch; every block of the grid uses them again. */
struct crew {
    fiber *fibers;
    unsigned *turns;
    unsigned size;
};

/* Returns false if there is not enough memory; then there is nothing to dismiss. */
bool crew_hire(crew *out, unsigned size);
void crew_dismiss(crew *of);

/* Runs the block that blockIdx names. Returns false if some threads ended while others wait at a
 * barrier, which they would do for ever. */
bool crew_run_block(crew *of, order *by, hostcuda_thunk kernel, void **params);

#endif
