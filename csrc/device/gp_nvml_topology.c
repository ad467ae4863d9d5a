#include "gp_nvml_topology.h"

#include <limits.h>

enum { BITS_OF_WORD = sizeof(unsigned long) * CHAR_BIT, WORDS = GP_NVML_MOST_CPUS / BITS_OF_WORD };

static bool
is_set(const unsigned long *words, size_t count, size_t bit)
{
    return bit < count * BITS_OF_WORD &&
           (words[bit / BITS_OF_WORD] >> (bit % BITS_OF_WORD) & 1U) != 0;
}

void
gp_cpu_list_append(gp_text *text, const unsigned long *words, size_t count)
{
    const char *comma = "";
    for (unsigned int first = 0; first < count * BITS_OF_WORD; first++) {
        if (!is_set(words, count, first)) { continue; }
        unsigned int last = first;
        while (is_set(words, count, last + 1)) {
            last++;
        }
        gp_text_format(text, "%s%u", comma, first);
        if (last > first) { gp_text_format(text, "-%u", last); }
        comma = ",";
        first = last;
    }
}

gp_status
gp_nvml_cpus_read(const gp_nvml *nv, gp_nvml_device device, gp_text *cpus)
{
    unsigned long words[WORDS] = {0};
    gp_status st = GP_NVML_CALL(nv, nvmlDeviceGetCpuAffinity, (device, WORDS, words));
    if (gp_failed(st)) { return st; }
    gp_cpu_list_append(cpus, words, WORDS);
    return gp_text_status(cpus, "gp_nvml_cpus_read");
}
