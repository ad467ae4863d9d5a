/* All devices of the machine as CUDA counts them: GPUs in the order of CUDA_DEVICE_ORDER, and those
 * in MIG mode replaced by their instances. */
#include "fake_cuda.h"

#include <stdlib.h>
#include <string.h>

/* R570 brought the rules of CUDA 12.8's MIG support. */
enum { FIRST_WITH_SEVERAL_MIGS = 570 };

bool
fake_sees_several_migs(void)
{
    return strtoul(fake_machine()->driver.version, NULL, 10) >= FIRST_WITH_SEVERAL_MIGS;
}

/* The documented "simple heuristic" of FASTEST_FIRST is not published; assumed: more
 * multiprocessors are faster, and equal ones keep the order of the bus. */
static int
compare_speed(const void *left, const void *right)
{
    const fake_gpu *a = *(const fake_gpu *const *)left, *b = *(const fake_gpu *const *)right;
    return a->sms == b->sms ? fake_compare_pci(a, b) : (a->sms < b->sms) - (a->sms > b->sms);
}

static int
compare_bus(const void *left, const void *right)
{
    return fake_compare_pci(*(const fake_gpu *const *)left, *(const fake_gpu *const *)right);
}

/* A lost GPU cannot be opened; assumed: the driver leaves it out. */
static size_t
gpus_in_order(const fake_gpu *out[FAKE_MAX_GPUS])
{
    const fake_scenario *machine = fake_machine();
    const char *order = getenv("CUDA_DEVICE_ORDER");
    const bool by_bus = order != NULL && strcmp(order, "PCI_BUS_ID") == 0;
    size_t count = 0;
    for (size_t i = 0; i < machine->gpu_count; i++) {
        if (!machine->gpus[i].lost) { out[count++] = &machine->gpus[i]; }
    }
    qsort(out, count, sizeof *out, by_bus ? compare_bus : compare_speed);
    return count;
}

/* Its instances in the order of the file. A GPU in MIG mode without any is no CUDA device. */
static size_t
add_migs(const fake_gpu *gpu, fake_seen *all, size_t count)
{
    const fake_scenario *machine = fake_machine();
    for (size_t i = 0; i < machine->mig_count; i++) {
        const fake_mig *mig = &machine->migs[i];
        if (&machine->gpus[mig->gpu] == gpu) { all[count++] = (fake_seen){gpu, mig}; }
    }
    return count;
}

/* Before R570 GPUs that are not split are not listed where there is an instance. */
size_t
fake_list_all(fake_seen all[FAKE_MAX_SEEN])
{
    const fake_gpu *gpus[FAKE_MAX_GPUS];
    const size_t gpu_count = gpus_in_order(gpus);
    const bool migs_only = fake_machine()->mig_count > 0 && !fake_sees_several_migs();
    size_t count = 0;
    for (size_t i = 0; i < gpu_count; i++) {
        if (gpus[i]->mig == 1) { count = add_migs(gpus[i], all, count); }
        else if (!migs_only) {
            all[count++] = (fake_seen){gpus[i], NULL};
        }
    }
    return count;
}
