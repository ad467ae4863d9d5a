#include "api/gp_nvml.h"
#include "device/gp_nvml_devices.h"
#include "gp_answer.h"
#include "gp_steps.h"
#include "platform/gp_clock.h"

typedef struct nvml_versions {
    char driver[GP_NVML_VERSION_SIZE];
    char nvml[GP_NVML_VERSION_SIZE];
    int cuda;
    gp_status driver_read;
    gp_status nvml_read;
    gp_status cuda_read;
} nvml_versions;

static const char *
failure_text(const gp_nvml *nv, gp_status failed)
{
    if (failed.kind == GP_NVML) { return gp_nvml_error_text(nv, failed.code); }
    if (failed.kind == GP_LIBRARY_MISSING) { return gp_text_get(&nv->library.error); }
    return NULL;
}

static void
read_versions(const gp_nvml *nv, nvml_versions *versions)
{
    versions->driver_read =
        GP_NVML_CALL(nv, nvmlSystemGetDriverVersion, (versions->driver, sizeof(versions->driver)));
    versions->driver[sizeof(versions->driver) - 1] = '\0';
    versions->nvml_read =
        GP_NVML_CALL(nv, nvmlSystemGetNVMLVersion, (versions->nvml, sizeof(versions->nvml)));
    versions->nvml[sizeof(versions->nvml) - 1] = '\0';
    versions->cuda_read = GP_NVML_CALL(nv, nvmlSystemGetCudaDriverVersion_v2, (&versions->cuda));
}

static void
write_versions(gp_json *json, const nvml_versions *versions)
{
    gp_member_string(json, "driver_version", !gp_failed(versions->driver_read), versions->driver);
    gp_member_string(json, "nvml_version", !gp_failed(versions->nvml_read), versions->nvml);
    gp_member_int(json, "cuda_version", !gp_failed(versions->cuda_read), versions->cuda);
    gp_json_key(json, "unread");
    gp_json_open_object(json);
    gp_answer_unread(json, "driver_version", versions->driver_read);
    gp_answer_unread(json, "nvml_version", versions->nvml_read);
    gp_answer_unread(json, "cuda_version", versions->cuda_read);
    gp_json_close_object(json);
}

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
write_unread(gp_json *json, const gp_nvml_gpu *gpu)
{
    const gp_status *read = gpu->read;
    gp_json_key(json, "unread");
    gp_json_open_object(json);
    gp_answer_unread(json, "name", read[GP_NVML_NAME]);
    gp_answer_unread(json, "uuid", read[GP_NVML_UUID]);
    gp_answer_unread(json, "pci", read[GP_NVML_PCI]);
    gp_answer_unread(json, "minor", read[GP_NVML_MINOR]);
    gp_answer_unread(json, "capability", read[GP_NVML_CAPABILITY]);
    gp_answer_unread(json, "memory_total_bytes", read[GP_NVML_MEMORY]);
    gp_answer_unread(json, "memory_free_bytes", read[GP_NVML_MEMORY]);
    gp_answer_unread(json, "memory_used_bytes", read[GP_NVML_MEMORY]);
    gp_answer_unread(json, "compute_mode", read[GP_NVML_COMPUTE_MODE]);
    gp_answer_unread(json, "persistence_mode", read[GP_NVML_PERSISTENCE_MODE]);
    gp_answer_unread(json, "mig_mode", read[GP_NVML_MIG_MODE]);
    gp_json_close_object(json);
}

static void
write_gpu(gp_json *json, const gp_nvml *nv, const gp_nvml_gpu *gpu)
{
    const gp_status *read = gpu->read;
    bool has_memory = !gp_failed(read[GP_NVML_MEMORY]);
    gp_json_open_object(json);
    gp_member_uint(json, "index", true, gpu->index);
    gp_member_string(json, "name", !gp_failed(read[GP_NVML_NAME]), gpu->name);
    gp_member_string(json, "uuid", !gp_failed(read[GP_NVML_UUID]), gpu->uuid);
    gp_member_string(json, "pci", !gp_failed(read[GP_NVML_PCI]), gpu->pci);
    gp_member_uint(json, "minor", !gp_failed(read[GP_NVML_MINOR]), gpu->minor);
    write_capability(json, gpu);
    gp_member_uint(json, "memory_total_bytes", has_memory, gpu->memory.total);
    gp_member_uint(json, "memory_free_bytes", has_memory, gpu->memory.free);
    gp_member_uint(json, "memory_used_bytes", has_memory, gpu->memory.used);
    gp_member_uint(json, "compute_mode", !gp_failed(read[GP_NVML_COMPUTE_MODE]), gpu->compute_mode);
    gp_member_uint(json, "persistence_mode", !gp_failed(read[GP_NVML_PERSISTENCE_MODE]),
                   gpu->persistence_mode);
    gp_member_uint(json, "mig_mode", !gp_failed(read[GP_NVML_MIG_MODE]), gpu->mig_mode);
    write_unread(json, gpu);
    /* Only an unreachable GPU has failed: many fields are not supported on a healthy one. */
    gp_json_key(json, "failed");
    gp_answer_failure(json, read[GP_NVML_HANDLE], failure_text(nv, read[GP_NVML_HANDLE]));
    gp_json_close_object(json);
}

static gp_status
start_nvml(gp_nvml *nv, gp_trace trace, gp_answer *answer)
{
    uint64_t start = gp_clock_ns();
    gp_status st = gp_nvml_load(nv, trace);
    gp_answer_add_time(answer, "load", start);
    if (gp_failed(st)) { return st; }
    start = gp_clock_ns();
    st = GP_NVML_CALL(nv, nvmlInit_v2, ());
    gp_answer_add_time(answer, "init", start);
    return st;
}

void
gp_step_nvml(const gp_request *request, gp_trace trace, gp_json *json)
{
    (void)request;
    gp_nvml nv;
    gp_answer answer = {.step = "nvml", .library = &nv.library};
    gp_nvml_gpu *gpus = NULL;
    size_t count = 0;
    answer.failed = start_nvml(&nv, trace, &answer);
    gp_status st = answer.failed;
    nvml_versions versions = {.driver_read = st, .nvml_read = st, .cuda_read = st};
    if (!gp_failed(st)) {
        read_versions(&nv, &versions);
        answer.failed = gp_nvml_devices_list(&nv, &gpus, &count);
        answer.failed = gp_first_error(answer.failed, GP_NVML_CALL(&nv, nvmlShutdown, ()));
    }
    answer.failed_text = failure_text(&nv, answer.failed);
    gp_answer_open(json, &answer);
    write_versions(json, &versions);
    gp_json_key(json, "devices");
    gp_json_open_array(json);
    for (size_t i = 0; i < count; i++) {
        write_gpu(json, &nv, &gpus[i]);
    }
    gp_json_close_array(json);
    gp_json_close_object(json);
    gp_nvml_devices_free(gpus);
    gp_nvml_free(&nv);
}
