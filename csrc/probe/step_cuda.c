#include "device/gp_devices.h"
#include "gp_answer.h"
#include "gp_cuda_start.h"
#include "gp_steps.h"

static void
write_capability(gp_json *json, const gp_device *device)
{
    gp_json_key(json, "capability");
    if (gp_failed(device->read[GP_DEVICE_CAPABILITY])) {
        gp_json_null(json);
        return;
    }
    gp_json_open_array(json);
    gp_json_int(json, device->capability_major);
    gp_json_int(json, device->capability_minor);
    gp_json_close_array(json);
}

static void
write_integrated(gp_json *json, const gp_device *device)
{
    gp_json_key(json, "integrated");
    if (gp_failed(device->read[GP_DEVICE_INTEGRATED])) { gp_json_null(json); }
    else {
        gp_json_bool(json, device->integrated != 0);
    }
}

static void
write_unread(gp_json *json, const gp_device *device)
{
    gp_json_key(json, "unread");
    gp_json_open_object(json);
    gp_answer_unread(json, "name", device->read[GP_DEVICE_NAME]);
    gp_answer_unread(json, "uuid", device->read[GP_DEVICE_UUID]);
    gp_answer_unread(json, "pci", device->read[GP_DEVICE_PCI]);
    gp_answer_unread(json, "capability", device->read[GP_DEVICE_CAPABILITY]);
    gp_answer_unread(json, "sms", device->read[GP_DEVICE_SMS]);
    gp_answer_unread(json, "memory_bytes", device->read[GP_DEVICE_MEMORY]);
    gp_answer_unread(json, "integrated", device->read[GP_DEVICE_INTEGRATED]);
    gp_answer_unread(json, "compute_mode", device->read[GP_DEVICE_COMPUTE_MODE]);
    gp_json_close_object(json);
}

static void
write_device(gp_json *json, const gp_cuda *cu, const gp_device *device)
{
    const gp_status *read = device->read;
    gp_status failed = gp_device_failure(device);
    gp_json_open_object(json);
    gp_member_int(json, "ordinal", true, device->ordinal);
    gp_member_string(json, "name", !gp_failed(read[GP_DEVICE_NAME]), device->name);
    gp_member_string(json, "uuid", !gp_failed(read[GP_DEVICE_UUID]), device->uuid);
    gp_member_string(json, "pci", !gp_failed(read[GP_DEVICE_PCI]), device->pci);
    write_capability(json, device);
    gp_member_int(json, "sms", !gp_failed(read[GP_DEVICE_SMS]), device->sms);
    gp_member_uint(json, "memory_bytes", !gp_failed(read[GP_DEVICE_MEMORY]), device->memory_bytes);
    write_integrated(json, device);
    gp_member_int(json, "compute_mode", !gp_failed(read[GP_DEVICE_COMPUTE_MODE]),
                  device->compute_mode);
    write_unread(json, device);
    gp_json_key(json, "failed");
    gp_answer_failure(json, failed, gp_cuda_failure_text(cu, failed));
    gp_json_close_object(json);
}

void
gp_step_cuda(const gp_request *request, gp_trace trace, gp_json *json)
{
    gp_cuda cu;
    gp_answer answer = {.step = "cuda", .library = &cu.library};
    gp_device *devices = NULL;
    size_t count = 0;
    gp_cuda_versions versions;
    answer.failed = gp_cuda_start(&cu, request->settings, trace, &answer, &versions);
    if (!gp_failed(answer.failed)) { answer.failed = gp_devices_list(&cu, &devices, &count); }
    answer.failed_text = gp_cuda_failure_text(&cu, answer.failed);
    gp_answer_open(json, &answer);
    gp_cuda_versions_write(json, &versions);
    gp_json_key(json, "devices");
    gp_json_open_array(json);
    for (size_t i = 0; i < count; i++) {
        write_device(json, &cu, &devices[i]);
    }
    gp_json_close_array(json);
    gp_json_close_object(json);
    gp_devices_free(devices);
    gp_cuda_free(&cu);
}
