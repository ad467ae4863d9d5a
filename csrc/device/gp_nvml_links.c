#include "gp_nvml_links.h"

static bool
is_code(gp_status status, int code)
{
    return status.kind == GP_NVML && status.code == code;
}

static gp_status
read_remote(const gp_nvml *nv, gp_nvml_device device, gp_nvml_link *link)
{
    gp_nvml_pci info = {.domain = 0};
    link->remote_kind = GP_NVML_LINK_TO_UNKNOWN;
    gp_status st = GP_NVML_CALL(nv, nvmlDeviceGetNvLinkRemoteDeviceType,
                                (device, link->number, &link->remote_kind));
    if (link->remote_kind == GP_NVML_LINK_TO_SWITCH) { return st; }
    gp_status pci_read =
        GP_NVML_CALL(nv, nvmlDeviceGetNvLinkRemotePciInfo_v2, (device, link->number, &info));
    if (gp_failed(pci_read)) { return gp_first_error(st, pci_read); }
    gp_pci pci = {info.domain, info.bus, info.device, 0};
    gp_pci_format(&pci, link->remote);
    return st;
}

static gp_status
field_status(gp_nvml_result result)
{
    if (result == GP_NVML_SUCCESS) { return gp_ok(); }
    return gp_fail(GP_NVML, (int)result, "nvmlDeviceGetFieldValues");
}

/* The sum of those that the GPU counts; it need not know every kind of error. */
static gp_nvml_number
sum_fields(const gp_nvml_field_value *values, int count)
{
    gp_nvml_number sum = {0, field_status(GP_NVML_ERROR_NOT_SUPPORTED)};
    for (int i = 0; i < count; i++) {
        if (values[i].result == GP_NVML_ERROR_NOT_SUPPORTED) { continue; }
        sum.read = field_status(values[i].result);
        if (gp_failed(sum.read)) { return sum; }
        bool is_half = values[i].type == GP_NVML_TYPE_UINT;
        sum.value += is_half ? (uint32_t)values[i].value : values[i].value;
    }
    return sum;
}

static gp_nvml_number
read_errors(const gp_nvml *nv, gp_nvml_device device)
{
    gp_nvml_field_value values[] = {{.field = GP_NVML_FIELD_CRC_FLIT},
                                    {.field = GP_NVML_FIELD_CRC_DATA},
                                    {.field = GP_NVML_FIELD_REPLAY},
                                    {.field = GP_NVML_FIELD_RECOVERY}};
    int count = (int)(sizeof(values) / sizeof(values[0]));
    gp_status st = GP_NVML_CALL(nv, nvmlDeviceGetFieldValues, (device, count, values));
    return gp_failed(st) ? (gp_nvml_number){0, st} : sum_fields(values, count);
}

/* There is no count that all drivers tell: links are asked for until NVML knows of no further one.
 * In between, some may be left out of a product. */
void
gp_nvml_links_read(const gp_nvml *nv, gp_nvml_device device, gp_nvml_links *links)
{
    links->count = 0;
    links->read = gp_ok();
    for (unsigned int number = 0; number < GP_NVML_MOST_LINKS; number++) {
        unsigned int active = 0;
        gp_status st = GP_NVML_CALL(nv, nvmlDeviceGetNvLinkState, (device, number, &active));
        bool is_none = is_code(st, GP_NVML_ERROR_NOT_SUPPORTED);
        if (is_code(st, GP_NVML_ERROR_INVALID_ARGUMENT) || (is_none && number == 0)) { break; }
        if (is_none) { continue; }
        if (st.kind == GP_SYMBOL_MISSING || is_code(st, GP_NVML_ERROR_GPU_IS_LOST)) {
            links->read = st;
            break;
        }
        gp_nvml_link *link = &links->at[links->count++];
        *link = (gp_nvml_link){.number = number, .is_active = active != 0, .read = st};
        if (link->is_active) { link->remote_read = read_remote(nv, device, link); }
    }
    links->errors = links->count == 0 ? (gp_nvml_number){0, links->read} : read_errors(nv, device);
}
