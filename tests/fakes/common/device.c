#include "device.h"

#include <dlfcn.h>
#include <string.h>

/* A function of the fake libcuda that this process has loaded, or NULL. */
static void *
door(const char *name)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    return driver == NULL ? NULL : dlsym(driver, name);
}

bool
fake_device_has_context(void)
{
    int (*has)(void) = NULL;
    void *address = door("gpuprobe_fake_has_context");
    memcpy(&has, &address, sizeof has);
    return has != NULL && has() != 0;
}

void
fake_device_begin(void *stream)
{
    void (*begin)(void *) = NULL;
    void *address = door("gpuprobe_fake_begin");
    memcpy(&begin, &address, sizeof begin);
    begin(stream);
}

void *
fake_device_touch(void *stream, const void *pointer, size_t bytes, bool writes)
{
    void *(*touch)(void *, const void *, size_t, int) = NULL;
    void *address = door("gpuprobe_fake_touch");
    memcpy(&touch, &address, sizeof touch);
    return touch(stream, pointer, bytes, writes);
}
