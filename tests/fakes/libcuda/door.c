/* What the fakes of the libraries above the driver need of it, by names that no CUDA has: they
 * touch device memory in stream order, and all of it is checked here as the driver's own copies
 * are. common/device.h is the other side. */
#include "order.h"

#define DOOR __attribute__((visibility("default")))

DOOR int gpuprobe_fake_has_context(void);
DOOR void gpuprobe_fake_begin(CUstream stream);
DOOR void *gpuprobe_fake_touch(CUstream stream, const void *pointer, size_t bytes, int writes);

/* A context is current on this thread. */
DOOR int
gpuprobe_fake_has_context(void)
{
    return fake_current() != NULL;
}

/* A piece of work begins on the stream. */
DOOR void
gpuprobe_fake_begin(CUstream stream)
{
    fake_order_work(fake_lane_of(stream));
}

/* The work that has just begun on the stream reads or writes these bytes: their address on the
 * host, or NULL where they do not lie in device memory. */
DOOR void *
gpuprobe_fake_touch(CUstream stream, const void *pointer, size_t bytes, int writes)
{
    char *place = fake_range((CUdeviceptr)(uintptr_t)pointer, bytes);
    if (place != NULL) { fake_order_use(fake_lane_of(stream), place, bytes, writes != 0); }
    return place;
}
