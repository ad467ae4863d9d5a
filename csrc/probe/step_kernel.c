#include "api/gp_nvml.h"
#include "device/gp_image_text.h"
#include "device/gp_nvml_numbers.h"
#include "gp_answer.h"
#include "gp_cuda_start.h"
#include "gp_steps.h"
#include "ops/native/gp_proof_kernels.h"

#include <inttypes.h>
#include <stdio.h>

/* A context alone takes about 300 MiB (up to 670 without lazy loading): on a device with less to
 * spare a test would push somebody else's work out of memory. */
#define LEAST_FREE_MIB UINT64_C(600)
#define MIB            (UINT64_C(1024) * 1024)

#define REASON_SIZE 160

typedef struct kernel_run {
    bool was_begun;
    char reason[REASON_SIZE]; /* why it was left out; empty if it was never to be decided */
    gp_proof proof;
} kernel_run;

/* NVML alone tells the free memory without a context. False where it does not know: best effort,
 * without the number the kernel simply runs. */
static bool
find_free_memory(const gp_device *device, const gp_settings *settings, gp_trace trace,
                 uint64_t *bytes)
{
    gp_nvml nv;
    if (gp_failed(device->read[GP_DEVICE_UUID])) { return false; }
    gp_status st = gp_nvml_load(&nv, settings, trace);
    if (!gp_failed(st)) { st = GP_NVML_CALL(&nv, nvmlInit_v2, ()); }
    if (!gp_failed(st)) {
        st = gp_nvml_free_bytes(&nv, device->uuid, bytes);
        (void)GP_NVML_CALL(&nv, nvmlShutdown, ());
    }
    gp_nvml_free(&nv);
    return !gp_failed(st);
}

/* Writes why the device must be left alone, or "". */
static void
find_reason(const gp_device *device, const gp_settings *settings, gp_trace trace,
            char reason[REASON_SIZE])
{
    uint64_t free_bytes = 0;
    reason[0] = '\0';
    if (device->compute_mode == GP_CU_COMPUTEMODE_EXCLUSIVE_PROCESS) {
        (void)snprintf(reason, REASON_SIZE,
                       "compute mode is EXCLUSIVE_PROCESS: only one process may use the device");
    }
    else if (device->compute_mode == GP_CU_COMPUTEMODE_PROHIBITED) {
        (void)snprintf(reason, REASON_SIZE,
                       "compute mode is PROHIBITED: no process may use the device");
    }
    else if (find_free_memory(device, settings, trace, &free_bytes) &&
             free_bytes / MIB < LEAST_FREE_MIB) {
        (void)snprintf(reason, REASON_SIZE,
                       "%" PRIu64 " MiB of device memory are free, a test needs %" PRIu64 " MiB",
                       free_bytes / MIB, LEAST_FREE_MIB);
    }
}

static gp_status
run_kernel(const gp_cuda *cu, const gp_request *request, const gp_cuda_versions *versions,
           kernel_run *run)
{
    gp_device device;
    gp_device_read(cu, request->device, &device);
    gp_status st = gp_first_error(device.read[GP_DEVICE_HANDLE], device.read[GP_DEVICE_CAPABILITY]);
    st = gp_first_error(st, versions->read);
    if (gp_failed(st)) { return st; }
    find_reason(&device, request->settings, cu->trace, run->reason);
    if (run->reason[0] != '\0') { return gp_ok(); }
    run->was_begun = true;
    return gp_proof_kernels(cu, &device, versions->driver, &run->proof);
}

/* A call that failed is no result, whether before it was judged or while memory was given back. */
static const char *
result_of(const kernel_run *run, gp_status failed)
{
    if (!run->was_begun || failed.kind == GP_NO_IMAGE) { return "not run"; }
    if (!gp_failed(failed)) { return "right"; }
    return failed.kind == GP_WRONG_RESULT ? "wrong" : "failed";
}

static void
write_hash(gp_json *json, const char *key, bool is_known, uint64_t hash)
{
    char text[17];
    (void)snprintf(text, sizeof(text), "%016" PRIx64, hash);
    gp_member_string(json, key, is_known, text);
}

static void
write_kernel(gp_json *json, int ordinal, const kernel_run *run, gp_status failed)
{
    char image[GP_IMAGE_TEXT_SIZE] = "";
    bool is_judged = run->was_begun && (!gp_failed(failed) || failed.kind == GP_WRONG_RESULT);
    if (run->proof.image != NULL) { gp_image_text(run->proof.image, image); }
    gp_json_key(json, "kernel");
    gp_json_open_object(json);
    gp_member_int(json, "device", true, ordinal);
    gp_member_string(json, "result", true, result_of(run, failed));
    gp_member_string(json, "why", run->reason[0] != '\0', run->reason);
    gp_member_int(json, "elements", true, GP_PROOF_ELEMENTS);
    write_hash(json, "expected", is_judged, run->proof.expected);
    write_hash(json, "got", is_judged, run->proof.got);
    gp_member_string(json, "image", run->proof.image != NULL, image);
    gp_json_close_object(json);
}

/* Only what was begun took time. */
static void
add_times(gp_answer *answer, const gp_proof *proof)
{
    if (proof->context_ns > 0) { gp_answer_add_duration(answer, "context", proof->context_ns); }
    if (proof->module_ns > 0) { gp_answer_add_duration(answer, "module", proof->module_ns); }
    if (proof->run_ns > 0) { gp_answer_add_duration(answer, "run", proof->run_ns); }
}

void
gp_step_kernel(const gp_request *request, gp_trace trace, gp_json *json)
{
    gp_cuda cu;
    gp_cuda_versions versions;
    kernel_run run = {.was_begun = false};
    gp_answer answer = {.step = "kernel", .library = &cu.library};
    answer.failed = gp_cuda_start(&cu, request->settings, trace, &answer, &versions);
    if (!gp_failed(answer.failed)) {
        answer.failed = run_kernel(&cu, request, &versions, &run);
        add_times(&answer, &run.proof);
    }
    answer.failed_text = gp_cuda_failure_text(&cu, answer.failed);
    gp_answer_open(json, &answer);
    gp_cuda_versions_write(json, &versions);
    write_kernel(json, request->device, &run, answer.failed);
    gp_json_close_object(json);
    gp_cuda_free(&cu);
}
