/* Device memory without an address, as virtual memory management has it. */
#ifndef FAKE_PHYSICAL_H
#define FAKE_PHYSICAL_H

#include "fake_cuda.h"

typedef struct fake_physical fake_physical;

/* Bytes of a page. */
size_t fake_granularity(const fake_device *device);

/* The memory behind a handle, for a mapping of so many bytes; NULL: released, or smaller. */
fake_physical *fake_physical_map(CUmemGenericAllocationHandle handle, size_t bytes);

const fake_device *fake_physical_device(const fake_physical *memory);

/* Ends the mapping, and the memory with it where no handle is left. */
void fake_physical_unmap(fake_physical *memory);

#endif
