#include "gp_nvml_gpu_json.h"

#include "gp_answer.h"

static void
write_capability(gp_json *json, const gp_nvml_gpu *gpu)
{
    gp_json_key(json, "capability");
    if (gp_failed(gpu->read[GP_NVML_CAPABILITY])) {
        gp_json_null(json);
        return;
    }
    gp_json_open_array(json);
    gp_json_int(json, gpu->capability_major);
    gp_json_int(json, gpu->capability_minor);
    gp_json_close_array(json);
}

static void
write_number(gp_json *json, const char *key, const gp_nvml_number *number)
{
    gp_member_uint(json, key, !gp_failed(number->read), number->value);
}

/* Opens a list, or writes null and returns false where it was not read. */
static bool
open_list(gp_json *json, const char *key, gp_status read)
{
    gp_json_key(json, key);
    if (gp_failed(read)) { gp_json_null(json); }
    else {
        gp_json_open_array(json);
    }
    return !gp_failed(read);
}

static void
open_unread(gp_json *json)
{
    gp_json_key(json, "unread");
    gp_json_open_object(json);
}

static void
write_link(gp_json *json, const gp_nvml_link *link)
{
    bool is_read = !gp_failed(link->read), is_up = is_read && link->is_active;
    gp_json_open_object(json);
    gp_member_uint(json, "link", true, link->number);
    gp_member_uint(json, "active", is_read, link->is_active);
    gp_member_uint(json, "remote_kind", is_up && link->remote_kind != GP_NVML_LINK_TO_UNKNOWN,
                   link->remote_kind);
    gp_member_string(json, "remote", link->remote[0] != '\0', link->remote);
    open_unread(json);
    gp_answer_unread(json, "active", link->read);
    gp_answer_unread(json, "remote", link->remote_read);
    gp_json_close_object(json);
    gp_json_close_object(json);
}

static void
write_links(gp_json *json, const gp_nvml_links *links)
{
    if (open_list(json, "nvlinks", links->read)) {
        for (size_t i = 0; i < links->count; i++) {
            write_link(json, &links->at[i]);
        }
        gp_json_close_array(json);
    }
    write_number(json, "nvlink_errors", &links->errors);
}

static void
write_paths(gp_json *json, const gp_nvml_gpus *gpus, size_t at)
{
    gp_json_key(json, "paths");
    gp_json_open_array(json);
    for (size_t i = 0; i < gpus->count; i++) {
        if (i == at) { continue; }
        const gp_nvml_path *path = &gpus->list[at].paths[i];
        gp_json_open_object(json);
        gp_member_uint(json, "index", true, gpus->list[i].index);
        gp_member_uint(json, "level", !gp_failed(path->read), path->level);
        open_unread(json);
        gp_answer_unread(json, "level", path->read);
        gp_json_close_object(json);
        gp_json_close_object(json);
    }
    gp_json_close_array(json);
}

static void
write_processes(gp_json *json, const gp_nvml_processes *processes)
{
    if (!open_list(json, "processes", processes->read)) { return; }
    for (size_t i = 0; i < processes->count; i++) {
        const gp_nvml_process *process = &processes->list[i];
        gp_json_open_object(json);
        gp_member_uint(json, "pid", true, process->pid);
        gp_member_string(json, "name", !gp_failed(process->name_read), process->name);
        gp_member_uint(json, "used_bytes", process->used != GP_NVML_VALUE_NOT_AVAILABLE,
                       process->used);
        open_unread(json);
        gp_answer_unread(json, "name", process->name_read);
        gp_json_close_object(json);
        gp_json_close_object(json);
    }
    gp_json_close_array(json);
}

static void
write_mig(gp_json *json, const gp_nvml_mig *mig)
{
    const gp_status *read = mig->read;
    gp_json_open_object(json);
    gp_member_uint(json, "place", true, mig->place);
    gp_member_string(json, "name", !gp_failed(read[GP_MIG_NAME]), mig->name);
    gp_member_string(json, "uuid", !gp_failed(read[GP_MIG_UUID]), mig->uuid);
    gp_member_uint(json, "memory_bytes", !gp_failed(read[GP_MIG_MEMORY]), mig->memory.total);
    gp_member_uint(json, "gpu_instance", !gp_failed(read[GP_MIG_GPU_INSTANCE]), mig->gpu_instance);
    gp_member_uint(json, "compute_instance", !gp_failed(read[GP_MIG_COMPUTE_INSTANCE]),
                   mig->compute_instance);
    open_unread(json);
    gp_answer_unread(json, "name", read[GP_MIG_NAME]);
    gp_answer_unread(json, "uuid", read[GP_MIG_UUID]);
    gp_answer_unread(json, "memory_bytes", read[GP_MIG_MEMORY]);
    gp_answer_unread(json, "gpu_instance", read[GP_MIG_GPU_INSTANCE]);
    gp_answer_unread(json, "compute_instance", read[GP_MIG_COMPUTE_INSTANCE]);
    gp_json_close_object(json);
    gp_json_close_object(json);
}

static void
write_migs(gp_json *json, const gp_nvml_migs *migs)
{
    if (!open_list(json, "mig_devices", migs->read)) { return; }
    for (size_t i = 0; i < migs->count; i++) {
        write_mig(json, &migs->list[i]);
    }
    gp_json_close_array(json);
}

static void
write_unread(gp_json *json, const gp_nvml_gpu *gpu)
{
    open_unread(json);
    gp_answer_unread(json, "name", gpu->read[GP_NVML_NAME]);
    gp_answer_unread(json, "uuid", gpu->read[GP_NVML_UUID]);
    gp_answer_unread(json, "pci", gpu->read[GP_NVML_PCI]);
    gp_answer_unread(json, "capability", gpu->read[GP_NVML_CAPABILITY]);
    gp_answer_unread(json, "cpu_affinity", gpu->read[GP_NVML_CPUS]);
    for (int id = 0; id < GP_NUMBER_COUNT; id++) {
        gp_answer_unread(json, gp_nvml_number_key((gp_nvml_number_id)id), gpu->numbers[id].read);
    }
    gp_answer_unread(json, "nvlinks", gpu->links.read);
    gp_answer_unread(json, "nvlink_errors", gpu->links.errors.read);
    gp_answer_unread(json, "processes", gpu->processes.read);
    gp_answer_unread(json, "mig_devices", gpu->migs.read);
    gp_json_close_object(json);
}

void
gp_nvml_gpu_write(gp_json *json, const gp_nvml_gpus *gpus, size_t at, const char *failed_text)
{
    const gp_nvml_gpu *gpu = &gpus->list[at];
    const gp_status *read = gpu->read;
    gp_json_open_object(json);
    gp_member_uint(json, "index", true, gpu->index);
    gp_member_string(json, "name", !gp_failed(read[GP_NVML_NAME]), gpu->name);
    gp_member_string(json, "uuid", !gp_failed(read[GP_NVML_UUID]), gpu->uuid);
    gp_member_string(json, "pci", !gp_failed(read[GP_NVML_PCI]), gpu->pci);
    write_capability(json, gpu);
    gp_member_string(json, "cpu_affinity", !gp_failed(read[GP_NVML_CPUS]), gp_text_get(&gpu->cpus));
    for (int id = 0; id < GP_NUMBER_COUNT; id++) {
        write_number(json, gp_nvml_number_key((gp_nvml_number_id)id), &gpu->numbers[id]);
    }
    write_links(json, &gpu->links);
    write_paths(json, gpus, at);
    write_processes(json, &gpu->processes);
    write_migs(json, &gpu->migs);
    write_unread(json, gpu);
    /* Only an unreachable GPU has failed: many fields are not supported on a healthy one. */
    gp_json_key(json, "failed");
    gp_answer_failure(json, read[GP_NVML_HANDLE], failed_text);
    gp_json_close_object(json);
}
