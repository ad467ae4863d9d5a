#include "scripted_cuda.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

/* Any address will do for a handle that nobody follows. */
#define HANDLE(type) ((type)(void *)&script)

scripted_cuda script = {.device_count = 1, .lost_ordinal = -1};

bool
scripted_fails(void)
{
    return ++script.calls == script.fail_at;
}

static gp_cu_result
get_error_string(gp_cu_result error, const char **text)
{
    *text = "unspecified launch failure";
    return error == SCRIPTED_CODE ? GP_CU_SUCCESS : 1;
}

static gp_cu_result
get_count(int *count)
{
    RETURN_IF_FAILING();
    *count = script.device_count;
    return GP_CU_SUCCESS;
}

static gp_cu_result
get_device(gp_cu_device *device, int ordinal)
{
    RETURN_IF_FAILING();
    if (ordinal == script.lost_ordinal) { return SCRIPTED_CODE; }
    *device = ordinal;
    return GP_CU_SUCCESS;
}

static gp_cu_result
get_name(char *name, int size, gp_cu_device device)
{
    RETURN_IF_FAILING();
    const char *instance = script.is_mig ? " MIG 1g.5gb" : "";
    (void)snprintf(name, (size_t)size, "Scripted %d%s", device, instance);
    return GP_CU_SUCCESS;
}

static gp_cu_result
get_pci(char *bus_id, int size, gp_cu_device device)
{
    RETURN_IF_FAILING();
    (void)snprintf(bus_id, (size_t)size, "0000:%02X:00.0", (unsigned int)device + 0xA0);
    return GP_CU_SUCCESS;
}

static gp_cu_result
get_uuid(gp_cu_uuid *uuid, gp_cu_device device)
{
    RETURN_IF_FAILING();
    memset(uuid->bytes, device, sizeof(uuid->bytes));
    return GP_CU_SUCCESS;
}

static gp_cu_result
get_uuid_v2(gp_cu_uuid *uuid, gp_cu_device device)
{
    RETURN_IF_FAILING();
    memset(uuid->bytes, script.is_mig ? device + 0x70 : device, sizeof(uuid->bytes));
    return GP_CU_SUCCESS;
}

/* Each attribute's value is its number, but the capability: 9.0. */
static gp_cu_result
get_attribute(int *value, gp_cu_attribute attribute, gp_cu_device device)
{
    (void)device;
    RETURN_IF_FAILING();
    *value = (int)attribute;
    if (attribute == GP_CU_COMPUTE_CAPABILITY_MAJOR) { *value = 9; }
    if (attribute == GP_CU_COMPUTE_CAPABILITY_MINOR) { *value = 0; }
    return GP_CU_SUCCESS;
}

static gp_cu_result
get_memory(size_t *bytes, gp_cu_device device)
{
    (void)device;
    RETURN_IF_FAILING();
    *bytes = (size_t)8 << 30;
    return GP_CU_SUCCESS;
}

static gp_cu_result
retain(gp_cu_context *context, gp_cu_device device)
{
    (void)device;
    RETURN_IF_FAILING();
    *context = HANDLE(gp_cu_context);
    script.retained++;
    return GP_CU_SUCCESS;
}

/* What is released counts as gone even where the call reports an error, as with the real driver
 * after a sticky error: it must not be released twice. */
static gp_cu_result
release(gp_cu_device device)
{
    (void)device;
    script.retained--;
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
push(gp_cu_context context)
{
    ASSERT(context == HANDLE(gp_cu_context));
    RETURN_IF_FAILING();
    script.current++;
    return GP_CU_SUCCESS;
}

static gp_cu_result
pop(gp_cu_context *context)
{
    script.current--;
    *context = HANDLE(gp_cu_context);
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
synchronize(void)
{
    ASSERT(script.current > 0);
    script.is_busy = false; /* also where it fails: what the device had to do has come to an end */
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
load_module(gp_cu_module *module, const void *image)
{
    ASSERT(image != NULL);
    ASSERT_INT(1, script.current);
    RETURN_IF_FAILING();
    if (script.loads++ < script.refused) { return script.refusal; }
    *module = HANDLE(gp_cu_module);
    script.modules++;
    return GP_CU_SUCCESS;
}

static gp_cu_result
get_function(gp_cu_function *function, gp_cu_module module, const char *name)
{
    ASSERT(module == HANDLE(gp_cu_module));
    ASSERT(strncmp(name, "gp_", 3) == 0);
    RETURN_IF_FAILING();
    script.lookups++;
    *function = (gp_cu_function)(uintptr_t)name;
    return GP_CU_SUCCESS;
}

static gp_cu_result
unload_module(gp_cu_module module)
{
    ASSERT(module == HANDLE(gp_cu_module));
    ASSERT(!script.is_busy); /* it would take the code away from kernels that run */
    script.modules--;
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
allocate(gp_cu_deviceptr *pointer, size_t bytes)
{
    ASSERT(bytes > 0);
    *pointer = SCRIPTED_GARBAGE;
    RETURN_IF_FAILING();
    *pointer = (gp_cu_deviceptr)++script.allocations << 32;
    return GP_CU_SUCCESS;
}

static gp_cu_result
free_memory(gp_cu_deviceptr pointer)
{
    ASSERT(pointer != 0 && pointer != SCRIPTED_GARBAGE);
    script.allocations--;
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
copy_to_host(void *target, gp_cu_deviceptr source, size_t bytes)
{
    ASSERT(source != 0);
    RETURN_IF_FAILING();
    if (bytes == sizeof(script.hash)) { memcpy(target, &script.hash, bytes); }
    else {
        memcpy(target, script.sum, bytes);
    }
    return GP_CU_SUCCESS;
}

static gp_cu_result
set_bytes(gp_cu_deviceptr target, unsigned char value, size_t bytes)
{
    (void)value;
    (void)bytes;
    ASSERT(target != 0);
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
launch(gp_cu_function function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
       unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
       gp_cu_stream stream, void **parameters, void **extra)
{
    ASSERT(function != NULL);
    ASSERT(grid_x > 0 && grid_y == 1 && grid_z == 1 && shared_bytes == 0);
    ASSERT(block_x == 256 && block_y == 1 && block_z == 1);
    ASSERT(parameters != NULL && extra == NULL);
    RETURN_IF_FAILING();
    script.launches++;
    script.is_busy = true;
    script.kernel = (const char *)(uintptr_t)function;
    script.blocks = grid_x;
    script.stream = stream;
    if (script.work != NULL) { memcpy(script.work, parameters[0], script.work_bytes); }
    return GP_CU_SUCCESS;
}

gp_cuda
scripted_cuda_table(void)
{
    return (gp_cuda){
        .library = {.name = "scripted"},
        .cuGetErrorString = get_error_string,
        .cuDeviceGetCount = get_count,
        .cuDeviceGet = get_device,
        .cuDeviceGetName = get_name,
        .cuDeviceGetPCIBusId = get_pci,
        .cuDeviceGetUuid = get_uuid,
        .cuDeviceGetUuid_v2 = get_uuid_v2,
        .cuDeviceGetAttribute = get_attribute,
        .cuDeviceTotalMem_v2 = get_memory,
        .cuDevicePrimaryCtxRetain = retain,
        .cuDevicePrimaryCtxRelease = release,
        .cuDevicePrimaryCtxRelease_v2 = release,
        .cuCtxPushCurrent_v2 = push,
        .cuCtxPopCurrent_v2 = pop,
        .cuCtxSynchronize = synchronize,
        .cuModuleLoadData = load_module,
        .cuModuleGetFunction = get_function,
        .cuModuleUnload = unload_module,
        .cuMemAlloc_v2 = allocate,
        .cuMemFree_v2 = free_memory,
        .cuMemcpyDtoH_v2 = copy_to_host,
        .cuMemsetD8_v2 = set_bytes,
        .cuLaunchKernel = launch,
    };
}

gp_module
scripted_module(const gp_cuda *cu)
{
    const scripted_cuda before = script;
    gp_module module;
    script.fail_at = 0;
    script.current = 1;
    ASSERT_OK(gp_module_load(cu, (gp_module_target){90, 13000}, &module));
    script = before;
    return module;
}

void
scripted_cuda_assert_released(void)
{
    ASSERT_INT(0, script.retained);
    ASSERT_INT(0, script.current);
    ASSERT_INT(0, script.modules);
    ASSERT_INT(0, script.allocations);
}
