#include "gp_module.h"

/* Machine code ranks above every PTX. Capabilities are three digits at most. */
#define CUBIN_RANK 10000
#define EXACT_RANK 5000

/* 0: cannot run. Higher is better. */
static int
image_rank(const gp_image *image, gp_module_target target)
{
    if (image->min_cuda > target.driver_cuda || image->capability > target.capability) { return 0; }
    bool is_exact = image->capability == target.capability;
    if (image->arch_specific && !is_exact) { return 0; }
    if (image->kind == GP_IMAGE_PTX) { return image->capability; }
    /* Machine code runs within its major version only. */
    if (image->capability / 10 != target.capability / 10) { return 0; }
    return CUBIN_RANK + image->capability + (image->arch_specific ? EXACT_RANK : 0);
}

const gp_image *
gp_image_next(const gp_image *images, size_t count, gp_module_target target,
              const gp_image *previous)
{
    const gp_image *best = NULL;
    int best_rank = 0;
    int previous_rank = previous == NULL ? 0 : image_rank(previous, target);
    for (size_t i = 0; i < count; i++) {
        int rank = image_rank(&images[i], target);
        /* Of two equals the earlier row comes first. */
        bool is_after = previous == NULL || rank < previous_rank ||
                        (rank == previous_rank && &images[i] > previous);
        if (is_after && rank > best_rank) {
            best = &images[i];
            best_rank = rank;
        }
    }
    return best;
}

static bool
is_refused_image(gp_status st)
{
    return st.kind == GP_CUDA &&
           (st.code == GP_CU_INVALID_IMAGE || st.code == GP_CU_NO_BINARY_FOR_GPU ||
            st.code == GP_CU_INVALID_PTX || st.code == GP_CU_UNSUPPORTED_PTX_VERSION);
}

static gp_status
find_functions(gp_module *module)
{
    static const char *const names[] = {
#define GP_KERNEL(constant, name) #name,
#include "kernels/gp_kernels.def"
#undef GP_KERNEL
    };
    gp_status st = gp_ok();
    for (size_t i = 0; i < GP_KERNEL_COUNT && !gp_failed(st); i++) {
        st = GP_CUDA_CALL(module->cu, cuModuleGetFunction,
                          (&module->functions[i], module->handle, names[i]));
    }
    return st;
}

static gp_status
take_image(const gp_cuda *cu, gp_cu_module handle, const gp_image *image, gp_module *module)
{
    *module = (gp_module){.cu = cu, .handle = handle, .image = image};
    gp_status st = find_functions(module);
    /* Best effort: the first failure is the one that counts. */
    if (gp_failed(st)) { (void)gp_module_unload(module); }
    return st;
}

gp_status
gp_module_load(const gp_cuda *cu, gp_module_target target, gp_module *module)
{
    *module = (gp_module){.cu = cu};
    gp_status st = gp_fail(GP_NO_IMAGE, 0, "gp_module_load");
    const gp_image *image = gp_image_next(gp_images, gp_image_count, target, NULL);
    while (image != NULL) {
        gp_cu_module handle = NULL;
        st = GP_CUDA_CALL(cu, cuModuleLoadData, (&handle, image->data));
        if (!gp_failed(st)) { return take_image(cu, handle, image, module); }
        if (!is_refused_image(st)) { return st; }
        image = gp_image_next(gp_images, gp_image_count, target, image);
    }
    return st;
}

gp_status
gp_module_unload(gp_module *module)
{
    if (module->handle == NULL) { return gp_ok(); }
    gp_cu_module handle = module->handle;
    *module = (gp_module){.cu = module->cu};
    return GP_CUDA_CALL(module->cu, cuModuleUnload, (handle));
}
