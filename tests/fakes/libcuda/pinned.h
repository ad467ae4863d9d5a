/* Pinned memory of the host, and copies that are on their way from and to it. The fake copies at
 * once; what a program may not rely on is taken from it again: bytes arrive only when the host
 * knows that the copy was done, and what leaves has to be the same until then. */
#ifndef FAKE_PINNED_H
#define FAKE_PINNED_H

#include "fake_cuda.h"

bool fake_is_pinned(const void *host);

/* Also by which device's context. */
bool fake_pinned_by(const void *host, CUdevice *device);

/* The work that has just begun on the lane has copied these pinned bytes to a device, or from one.
 */
void fake_pinned_leaves(size_t lane, const void *host, size_t bytes);
void fake_pinned_arrives(size_t lane, void *host, size_t bytes);

/* The host has learnt of work that was done. */
void fake_pinned_settle(void);

#endif
