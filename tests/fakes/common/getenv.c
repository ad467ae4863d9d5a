/* getenv for LD_PRELOAD. Python's os.environ changes the environment with the GIL, so whoever reads
 * one of gpuprobe's variables without it may read what is being moved: such a process is ended.
 * What a library of the vendor's reads is not ours to decide. */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

static const char *const ours[] = {
    "GPUPROBE_ROOT",
    "GPUPROBE_LIB",
    "NVIDIA_TF32_OVERRIDE",
    "CUBLAS_EMULATE_",
};

static int
is_ours(const char *name)
{
    for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
        if (strncmp(name, ours[i], strlen(ours[i])) == 0) { return 1; }
    }
    return 0;
}

/* A process without Python has no such function. */
static int
lacks_gil(void)
{
    int (*check)(void) = NULL;
    void *found = dlsym(RTLD_DEFAULT, "PyGILState_Check");
    memcpy(&check, &found, sizeof(check));
    return check != NULL && !check();
}

__attribute__((visibility("default"))) char *getenv(const char *name);

char *
getenv(const char *name)
{
    static const char told[] = "getenv without the GIL: ";
    char *(*next)(const char *) = NULL;
    void *found = dlsym(RTLD_NEXT, "getenv");
    memcpy(&next, &found, sizeof(next));
    if (is_ours(name) && lacks_gil()) {
        (void)!write(STDERR_FILENO, told, sizeof(told) - 1);
        (void)!write(STDERR_FILENO, name, strlen(name));
        _exit(97);
    }
    return next(name);
}
