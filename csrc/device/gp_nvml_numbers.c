#include "gp_nvml_numbers.h"

typedef gp_status (*ask)(const gp_nvml *nv, gp_nvml_device device, uint64_t *number);

#define GP_NVML_ASKED(id, key, type, name, arguments)                                     \
    static gp_status ask_##id(const gp_nvml *nv, gp_nvml_device device, uint64_t *number) \
    {                                                                                     \
        type value = 0;                                                                   \
        unsigned int other = 0;                                                           \
        gp_status st = GP_NVML_CALL(nv, name, arguments);                                 \
        (void)other;                                                                      \
        *number = value;                                                                  \
        return st;                                                                        \
    }
#define GP_NVML_GIVEN(id, key)
#include "gp_nvml_numbers.def"
#undef GP_NVML_ASKED
#undef GP_NVML_GIVEN

static const struct number_row {
    const char *key;
    ask ask; /* NULL: one of several that one call gives */
} rows[] = {
#define GP_NVML_ASKED(id, key, type, name, arguments) {key, ask_##id},
#define GP_NVML_GIVEN(id, key)                        {key, NULL},
#include "gp_nvml_numbers.def"
#undef GP_NVML_ASKED
#undef GP_NVML_GIVEN
};

const char *
gp_nvml_number_key(gp_nvml_number_id id)
{
    return rows[id].key;
}

void
gp_nvml_numbers_fail(gp_status why, gp_nvml_number numbers[GP_NUMBER_COUNT])
{
    for (int id = 0; id < GP_NUMBER_COUNT; id++) {
        numbers[id] = (gp_nvml_number){0, why};
    }
}

/* Under WDDM NVML succeeds and says "not available" in place of the numbers. */
static gp_nvml_number
bytes(gp_status read, unsigned long long value)
{
    if (!gp_failed(read) && value == GP_NVML_VALUE_NOT_AVAILABLE) {
        read = gp_fail(GP_NVML, GP_NVML_ERROR_NOT_SUPPORTED, "nvmlDeviceGetMemoryInfo");
    }
    return (gp_nvml_number){value, read};
}

static void
read_memory(const gp_nvml *nv, gp_nvml_device device, gp_nvml_number *numbers)
{
    gp_nvml_memory memory = {0, 0, 0};
    gp_status st = GP_NVML_CALL(nv, nvmlDeviceGetMemoryInfo, (device, &memory));
    numbers[GP_NUMBER_MEMORY_TOTAL] = bytes(st, memory.total);
    numbers[GP_NUMBER_MEMORY_FREE] = bytes(st, memory.free);
    numbers[GP_NUMBER_MEMORY_USED] = bytes(st, memory.used);
}

/* "Throttle reasons" got the new name "clocks event reasons" in R535. */
static void
read_throttle(const gp_nvml *nv, gp_nvml_device device, gp_nvml_number *throttle)
{
    unsigned long long reasons = 0;
    gp_status st =
        nv->nvmlDeviceGetCurrentClocksEventReasons != NULL
            ? GP_NVML_CALL(nv, nvmlDeviceGetCurrentClocksEventReasons, (device, &reasons))
            : GP_NVML_CALL(nv, nvmlDeviceGetCurrentClocksThrottleReasons, (device, &reasons));
    *throttle = (gp_nvml_number){reasons, st};
}

static void
read_utilization(const gp_nvml *nv, gp_nvml_device device, gp_nvml_number *utilization)
{
    gp_nvml_utilization rates = {0, 0};
    gp_status st = GP_NVML_CALL(nv, nvmlDeviceGetUtilizationRates, (device, &rates));
    *utilization = (gp_nvml_number){rates.gpu, st};
}

static void
read_rows(const gp_nvml *nv, gp_nvml_device device, gp_nvml_number *numbers)
{
    unsigned int corrected = 0, uncorrected = 0, pending = 0, failed = 0;
    gp_status st = GP_NVML_CALL(nv, nvmlDeviceGetRemappedRows,
                                (device, &corrected, &uncorrected, &pending, &failed));
    numbers[GP_NUMBER_ROWS_CORRECTED] = (gp_nvml_number){corrected, st};
    numbers[GP_NUMBER_ROWS_UNCORRECTED] = (gp_nvml_number){uncorrected, st};
    numbers[GP_NUMBER_ROWS_PENDING] = (gp_nvml_number){pending, st};
    numbers[GP_NUMBER_ROWS_FAILED] = (gp_nvml_number){failed, st};
}

/* Only how many: with no room for addresses, "too small" is the answer that carries the number. */
static void
read_pages(const gp_nvml *nv, gp_nvml_device device, unsigned int cause, gp_nvml_number *pages)
{
    unsigned int count = 0;
    unsigned long long no_room = 0;
    gp_status st = GP_NVML_CALL(nv, nvmlDeviceGetRetiredPages, (device, cause, &count, &no_room));
    bool is_counted = st.kind == GP_NVML && st.code == GP_NVML_ERROR_INSUFFICIENT_SIZE;
    *pages = (gp_nvml_number){count, is_counted ? gp_ok() : st};
}

static void
read_fabric(const gp_nvml *nv, gp_nvml_device device, gp_nvml_number *numbers)
{
    gp_nvml_fabric fabric = {.state = 0};
    gp_status st = GP_NVML_CALL(nv, nvmlDeviceGetGpuFabricInfo, (device, &fabric));
    numbers[GP_NUMBER_FABRIC_STATE] = (gp_nvml_number){fabric.state, st};
    numbers[GP_NUMBER_FABRIC_STATUS] = (gp_nvml_number){fabric.status, st};
}

void
gp_nvml_numbers_read(const gp_nvml *nv, gp_nvml_device device,
                     gp_nvml_number numbers[GP_NUMBER_COUNT])
{
    for (int id = 0; id < GP_NUMBER_COUNT; id++) {
        if (rows[id].ask != NULL) {
            numbers[id].read = rows[id].ask(nv, device, &numbers[id].value);
        }
    }
    read_memory(nv, device, numbers);
    read_throttle(nv, device, &numbers[GP_NUMBER_THROTTLE]);
    read_utilization(nv, device, &numbers[GP_NUMBER_UTILIZATION]);
    read_rows(nv, device, numbers);
    read_pages(nv, device, GP_NVML_RETIRED_SINGLE_BIT, &numbers[GP_NUMBER_PAGES_SINGLE_BIT]);
    read_pages(nv, device, GP_NVML_RETIRED_DOUBLE_BIT, &numbers[GP_NUMBER_PAGES_DOUBLE_BIT]);
    read_fabric(nv, device, numbers);
}

gp_status
gp_nvml_free_bytes(const gp_nvml *nv, const char *uuid, uint64_t *bytes_free)
{
    gp_nvml_device device = NULL;
    gp_nvml_number numbers[GP_NUMBER_COUNT];
    gp_status st = GP_NVML_CALL(nv, nvmlDeviceGetHandleByUUID, (uuid, &device));
    if (gp_failed(st)) { return st; }
    read_memory(nv, device, numbers);
    *bytes_free = numbers[GP_NUMBER_MEMORY_FREE].value;
    return numbers[GP_NUMBER_MEMORY_FREE].read;
}
