#include "api/gp_nvml.h"
#include "device/gp_nvml_devices.h"
#include "gp_answer.h"
#include "gp_nvml_gpu_json.h"
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

static gp_status
start_nvml(gp_nvml *nv, const gp_settings *settings, gp_trace trace, gp_answer *answer)
{
    uint64_t start = gp_clock_ns();
    gp_status st = gp_nvml_load(nv, settings, trace);
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
    gp_nvml nv;
    gp_answer answer = {.step = "nvml", .library = &nv.library};
    gp_nvml_gpus gpus = {NULL, 0};
    answer.failed = start_nvml(&nv, request->settings, trace, &answer);
    gp_status st = answer.failed;
    nvml_versions versions = {.driver_read = st, .nvml_read = st, .cuda_read = st};
    if (!gp_failed(st)) {
        read_versions(&nv, &versions);
        answer.failed = gp_nvml_devices_list(&nv, &gpus);
        answer.failed = gp_first_error(answer.failed, GP_NVML_CALL(&nv, nvmlShutdown, ()));
    }
    answer.failed_text = failure_text(&nv, answer.failed);
    gp_answer_open(json, &answer);
    write_versions(json, &versions);
    gp_json_key(json, "devices");
    gp_json_open_array(json);
    for (size_t i = 0; i < gpus.count; i++) {
        gp_nvml_gpu_write(json, &gpus, i, failure_text(&nv, gpus.list[i].read[GP_NVML_HANDLE]));
    }
    gp_json_close_array(json);
    gp_json_close_object(json);
    gp_nvml_devices_free(&gpus);
    gp_nvml_free(&nv);
}
