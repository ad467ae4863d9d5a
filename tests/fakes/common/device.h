/* The memory of the device that the fake libcuda of this process plays, for fakes of the libraries
 * above the driver. Streams are the driver's, whatever a library calls their type. */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a context is current on this thread; false without a driver. */
bool fake_device_has_context(void);

/* A piece of work begins on the stream. */
void fake_device_begin(void *stream);

/* That work reads or writes these bytes: their address on the host, or NULL where they do not lie
 * in device memory. Work that no event puts behind earlier work on them ends the process. */
void *fake_device_touch(void *stream, const void *pointer, size_t bytes, bool writes);

#endif
