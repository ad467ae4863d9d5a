#include "alloc_hook.h"
#include "harness.h"
#include "kernels/gp_kernels.h"
#include "ops/native/gp_proof_kernels.h"
#include "scripted_cuda.h"

#include <stdlib.h>

enum { DRIVER_CUDA = 13000 };

static const gp_device hopper = {.capability_major = 9, .capability_minor = 0};

/* The answers of a device that computes rightly. Freed by the end of the process. */
static gp_cuda
right_device(void)
{
    static float a[GP_PROOF_ELEMENTS];
    static float b[GP_PROOF_ELEMENTS];
    static float sum[GP_PROOF_ELEMENTS];
    gp_reference_fill_f32(a, GP_PROOF_ELEMENTS, 1);
    gp_reference_fill_f32(b, GP_PROOF_ELEMENTS, 2);
    gp_reference_add_f32(sum, a, b, GP_PROOF_ELEMENTS);
    script.hash = gp_reference_hash_u64(sum, GP_PROOF_ELEMENTS);
    script.sum = sum;
    return scripted_cuda_table();
}

static void
assert_nothing_held(void)
{
    scripted_cuda_assert_released();
    ASSERT_INT(0, alloc_live());
}

TEST(proof_holds_on_a_right_device)
{
    gp_cuda cu = right_device();
    gp_proof proof;
    ASSERT_OK(gp_proof_kernels(&cu, &hopper, DRIVER_CUDA, &proof));
    ASSERT(proof.expected == script.hash);
    ASSERT(proof.got == script.hash);
    ASSERT(proof.image == &gp_images[0]);
    assert_nothing_held();
}

TEST(proof_finds_a_wrong_kernel)
{
    gp_cuda cu = right_device();
    gp_proof proof;
    script.hash ^= 1;
    gp_status st = gp_proof_kernels(&cu, &hopper, DRIVER_CUDA, &proof);
    ASSERT_FAILED(GP_WRONG_RESULT, 0, st);
    ASSERT_TEXT("gp_hash_u64", st.call);
    ASSERT(proof.got == script.hash);
    assert_nothing_held();
}

TEST(proof_finds_one_wrong_element_in_the_copy)
{
    gp_cuda cu = right_device();
    gp_proof proof;
    script.sum[GP_PROOF_ELEMENTS - 1] += 1.0F;
    gp_status st = gp_proof_kernels(&cu, &hopper, DRIVER_CUDA, &proof);
    ASSERT_FAILED(GP_WRONG_RESULT, 0, st);
    ASSERT_TEXT("cuMemcpyDtoH_v2", st.call);
    ASSERT(proof.got != proof.expected);
    assert_nothing_held();
}

TEST(proof_reports_each_failing_call_and_holds_nothing)
{
    gp_cuda cu = right_device();
    gp_proof proof;
    ASSERT_OK(gp_proof_kernels(&cu, &hopper, DRIVER_CUDA, &proof));
    size_t calls = script.calls;
    ASSERT(calls > 20);
    for (size_t n = 1; n <= calls; n++) {
        script.calls = 0;
        script.fail_at = n;
        ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, gp_proof_kernels(&cu, &hopper, DRIVER_CUDA, &proof));
        assert_nothing_held();
    }
}

TEST(proof_without_memory_says_so_and_holds_nothing)
{
    gp_cuda cu = right_device();
    gp_proof proof;
    for (size_t n = 1;; n++) {
        alloc_fail_at(n);
        gp_status st = gp_proof_kernels(&cu, &hopper, DRIVER_CUDA, &proof);
        assert_nothing_held();
        if (!alloc_has_failed()) { break; }
        ASSERT_FAILED(GP_NO_MEMORY, 0, st);
    }
}

TEST(proof_passes_over_images_that_the_driver_refuses)
{
    static const gp_cu_result refusals[] = {GP_CU_INVALID_IMAGE, GP_CU_NO_BINARY_FOR_GPU,
                                            GP_CU_INVALID_PTX, GP_CU_UNSUPPORTED_PTX_VERSION};
    gp_cuda cu = right_device();
    gp_proof proof;
    script.refused = 2;
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        script.loads = 0;
        script.refusal = refusals[i];
        ASSERT_OK(gp_proof_kernels(&cu, &hopper, DRIVER_CUDA, &proof));
        ASSERT(proof.image == &gp_images[2]);
        assert_nothing_held();
    }
}

TEST(proof_reports_the_refusal_of_the_last_image)
{
    gp_cuda cu = right_device();
    gp_proof proof;
    script.refused = 3;
    script.refusal = GP_CU_NO_BINARY_FOR_GPU;
    ASSERT_FAILED(GP_CUDA, GP_CU_NO_BINARY_FOR_GPU,
                  gp_proof_kernels(&cu, &hopper, DRIVER_CUDA, &proof));
    ASSERT(proof.image == NULL);
    assert_nothing_held();
}

/* Out of memory is not a matter of the image: the next one would fail the same way. */
TEST(proof_tries_no_other_image_after_another_error)
{
    gp_cuda cu = right_device();
    gp_proof proof;
    script.refused = 1;
    script.refusal = 2;
    ASSERT_FAILED(GP_CUDA, 2, gp_proof_kernels(&cu, &hopper, DRIVER_CUDA, &proof));
    ASSERT_INT(1, script.loads);
    assert_nothing_held();
}

TEST(proof_says_when_no_image_fits)
{
    gp_cuda cu = right_device();
    gp_proof proof;
    const gp_device kepler = {.capability_major = 3, .capability_minor = 7};
    ASSERT_FAILED(GP_NO_IMAGE, 0, gp_proof_kernels(&cu, &kepler, DRIVER_CUDA, &proof));
    ASSERT_INT(0, script.loads);
    assert_nothing_held();
}
