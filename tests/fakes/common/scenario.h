/* The machine that the fakes play, read once from the file named by GPUPROBE_FAKE_SCENARIO.
 *
 * The file has sections [driver], [gpu.0] …, [process.0] …, [faults]; scenario.c lists the keys.
 * Whatever it does not know ends the process at once: a typing error in a scenario that was
 * passed over in silence would make a test green for the wrong reason. */
#ifndef FAKE_SCENARIO_H
#define FAKE_SCENARIO_H

#include <stddef.h>
#include <stdint.h>

enum { FAKE_MAX_GPUS = 16, FAKE_MAX_PROCESSES = 8, FAKE_TEXT = 96 };

typedef struct fake_driver {
    char version[FAKE_TEXT];      /* "535.104.05" */
    char nvml_version[FAKE_TEXT]; /* "12.535.104.05" */
    uint64_t cuda_version;        /* 12020 for 12.2 */
} fake_driver;

typedef struct fake_gpu {
    char name[FAKE_TEXT];
    char uuid[FAKE_TEXT];   /* "GPU-…" */
    char pci[FAKE_TEXT];    /* "0000:01:00.0", domain:bus:device.function, in hex */
    uint64_t pci_device_id; /* device << 16 | vendor, as NVML gives it */
    uint64_t minor;         /* N of /dev/nvidiaN */
    uint64_t capability;    /* 90 for 9.0, 120 for 12.0 */
    uint64_t sms;
    uint64_t memory_bytes;
    uint64_t used_bytes;
    uint64_t integrated;
    uint64_t compute_mode; /* CUcomputemode and nvmlComputeMode_t agree on 0, 2 and 3 */
    uint64_t persistence;
    uint64_t mig; /* 1: MIG mode is on */
    uint64_t lost;
} fake_gpu;

/* A process that holds memory on a GPU. Its bytes are part of the GPU's used_bytes. */
typedef struct fake_process {
    char name[FAKE_TEXT];
    uint64_t pid;
    uint64_t gpu; /* N of [gpu.N] */
    uint64_t used_bytes;
} fake_process;

typedef struct fake_scenario {
    fake_driver driver;
    size_t gpu_count;
    fake_gpu gpus[FAKE_MAX_GPUS];
    size_t process_count;
    fake_process processes[FAKE_MAX_PROCESSES];
} fake_scenario;

/* The scenario; read at the first call. Never NULL: the process ends where it cannot be read. */
const fake_scenario *fake_machine(void);

/* Numbers out of a GPU's "dddd:bb:dd.f". */
typedef struct fake_pci {
    unsigned domain, bus, device;
} fake_pci;
fake_pci fake_pci_of(const fake_gpu *gpu);

/* < 0, 0, > 0 as `a` comes before, with or after `b` on the PCI bus. */
int fake_compare_pci(const fake_gpu *a, const fake_gpu *b);

/* Says on standard error what is wrong with the test and ends the process with status 97. */
_Noreturn void fake_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
