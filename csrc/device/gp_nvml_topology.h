/* Which CPUs and which other GPUs are near. */
#ifndef GP_NVML_TOPOLOGY_H
#define GP_NVML_TOPOLOGY_H

#include "api/gp_nvml.h"
#include "base/gp_text.h"

/* CPUs that we have room for; NVML says so (7, insufficient size) where it has more. */
enum { GP_NVML_MOST_CPUS = 8192 };

/* Appends the CPUs near the GPU as taskset writes them: "0-15,64-79"; nothing where none is. */
gp_status gp_nvml_cpus_read(const gp_nvml *nv, gp_nvml_device device, gp_text *cpus);

/* Appends the numbers of the bits that are set: "0-2,5". */
void gp_cpu_list_append(gp_text *text, const unsigned long *words, size_t count);

#endif
