#include "gp_proof_kernels.h"

#include "base/gp_alloc.h"
#include "device/gp_context.h"
#include "device/gp_module.h"
#include "kernels/gp_kernels.h"
#include "platform/gp_clock.h"

#define SEED_A    UINT64_C(1)
#define SEED_B    UINT64_C(2)
#define SUM_BYTES (GP_PROOF_ELEMENTS * sizeof(float))

/* Two blocks or more for each multiprocessor of today's GPUs, and eight elements a thread, so that
 * the loop inside the kernels is proved too. */
enum { GRID = 512 };

typedef struct buffers {
    gp_cu_deviceptr a;
    gp_cu_deviceptr b;
    gp_cu_deviceptr sum;
    gp_cu_deviceptr hash;
} buffers;

/* What a call that fails has written is no address. */
static gp_status
allocate(const gp_cuda *cu, size_t bytes, gp_cu_deviceptr *address)
{
    gp_cu_deviceptr made = 0;
    gp_status st = GP_CUDA_CALL(cu, cuMemAlloc_v2, (&made, bytes));
    if (!gp_failed(st)) { *address = made; }
    return st;
}

static gp_status
allocate_buffers(const gp_cuda *cu, buffers *device)
{
    gp_status st = allocate(cu, SUM_BYTES, &device->a);
    if (gp_failed(st)) { return st; }
    st = allocate(cu, SUM_BYTES, &device->b);
    if (gp_failed(st)) { return st; }
    st = allocate(cu, SUM_BYTES, &device->sum);
    if (gp_failed(st)) { return st; }
    st = allocate(cu, sizeof(uint64_t), &device->hash);
    if (gp_failed(st)) { return st; }
    return GP_CUDA_CALL(cu, cuMemsetD8_v2, (device->hash, 0, sizeof(uint64_t)));
}

static gp_status
free_buffers(const gp_cuda *cu, const buffers *device)
{
    const gp_cu_deviceptr all[] = {device->hash, device->sum, device->b, device->a};
    gp_status st = gp_ok();
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (all[i] != 0) { st = gp_first_error(st, GP_CUDA_CALL(cu, cuMemFree_v2, (all[i]))); }
    }
    return st;
}

/* Waits for each kernel, so that a failure is known to be this one's. */
static gp_status
launch(const gp_module *module, gp_kernel kernel, void **parameters)
{
    gp_status st = GP_CUDA_CALL(
        module->cu, cuLaunchKernel,
        (module->functions[kernel], GRID, 1, 1, GP_KERNEL_BLOCK, 1, 1, 0, NULL, parameters, NULL));
    if (gp_failed(st)) { return st; }
    return GP_CUDA_CALL(module->cu, cuCtxSynchronize, ());
}

static gp_status
launch_all(const gp_module *module, buffers *device)
{
    uint64_t count = GP_PROOF_ELEMENTS;
    uint64_t seed_a = SEED_A;
    uint64_t seed_b = SEED_B;
    void *fill_a[] = {&device->a, &count, &seed_a};
    void *fill_b[] = {&device->b, &count, &seed_b};
    void *add[] = {&device->sum, &device->a, &device->b, &count};
    void *hash[] = {&device->hash, &device->sum, &count};
    gp_status st = launch(module, GP_KERNEL_FILL_F32, fill_a);
    if (gp_failed(st)) { return st; }
    st = launch(module, GP_KERNEL_FILL_F32, fill_b);
    if (gp_failed(st)) { return st; }
    st = launch(module, GP_KERNEL_ADD_F32, add);
    if (gp_failed(st)) { return st; }
    return launch(module, GP_KERNEL_HASH_U64, hash);
}

static gp_status
compute_expected(gp_proof *proof)
{
    float *host = gp_alloc(3 * (size_t)GP_PROOF_ELEMENTS, sizeof(*host));
    if (host == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_proof_kernels"); }
    float *a = host;
    float *b = host + GP_PROOF_ELEMENTS;
    float *sum = host + (size_t)2 * GP_PROOF_ELEMENTS;
    gp_reference_fill_f32(a, GP_PROOF_ELEMENTS, SEED_A);
    gp_reference_fill_f32(b, GP_PROOF_ELEMENTS, SEED_B);
    gp_reference_add_f32(sum, a, b, GP_PROOF_ELEMENTS);
    proof->expected = gp_reference_hash_u64(sum, GP_PROOF_ELEMENTS);
    gp_free(host);
    return gp_ok();
}

/* The hash first, then the sum itself: a right hash with a wrong copy is a broken transfer. */
static gp_status
judge(const gp_cuda *cu, const buffers *device, gp_proof *proof)
{
    gp_status st =
        GP_CUDA_CALL(cu, cuMemcpyDtoH_v2, (&proof->got, device->hash, sizeof(proof->got)));
    if (gp_failed(st)) { return st; }
    if (proof->got != proof->expected) { return gp_fail(GP_WRONG_RESULT, 0, "gp_hash_u64"); }
    float *copied = gp_alloc(GP_PROOF_ELEMENTS, sizeof(*copied));
    if (copied == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_proof_kernels"); }
    st = GP_CUDA_CALL(cu, cuMemcpyDtoH_v2, (copied, device->sum, SUM_BYTES));
    if (gp_failed(st)) { goto done; }
    proof->got = gp_reference_hash_u64(copied, GP_PROOF_ELEMENTS);
    if (proof->got != proof->expected) { st = gp_fail(GP_WRONG_RESULT, 0, "cuMemcpyDtoH_v2"); }
done:
    gp_free(copied);
    return st;
}

static gp_status
run_module(const gp_module *module, gp_proof *proof)
{
    buffers device = {0, 0, 0, 0};
    gp_status st = allocate_buffers(module->cu, &device);
    if (gp_failed(st)) { goto done; }
    st = launch_all(module, &device);
    if (gp_failed(st)) { goto done; }
    st = judge(module->cu, &device, proof);
done:
    return gp_first_error(st, free_buffers(module->cu, &device));
}

static gp_status
prove_in_context(const gp_cuda *cu, gp_module_target target, gp_proof *proof)
{
    gp_module module;
    uint64_t start = gp_clock_ns();
    gp_status st = gp_module_load(cu, target, &module);
    uint64_t loaded = gp_clock_ns();
    proof->module_ns = loaded - start;
    if (gp_failed(st)) { return st; }
    proof->image = module.image;
    st = run_module(&module, proof);
    proof->run_ns = gp_clock_ns() - loaded;
    return gp_first_error(st, gp_module_unload(&module));
}

gp_status
gp_proof_kernels(const gp_cuda *cu, const gp_device *device, int driver_cuda, gp_proof *proof)
{
    *proof = (gp_proof){.image = NULL};
    gp_module_target target = {device->capability_major * 10 + device->capability_minor,
                               driver_cuda};
    gp_context context = {cu, device->handle, NULL};
    bool is_current = false;
    gp_status st = compute_expected(proof);
    if (gp_failed(st)) { goto done; }
    uint64_t start = gp_clock_ns();
    st = gp_context_retain(cu, device->handle, &context);
    proof->context_ns = gp_clock_ns() - start;
    if (gp_failed(st)) { goto done; }
    st = gp_context_enter(&context);
    if (gp_failed(st)) { goto done; }
    is_current = true;
    st = prove_in_context(cu, target, proof);
done:
    if (is_current) { st = gp_first_error(st, gp_context_leave(&context)); }
    return gp_first_error(st, gp_context_release(&context));
}
