#include "alloc_hook.h"
#include "device/gp_stopwatch.h"
#include "harness.h"
#include "ops/gp_backends.h"
#include "scripted_cuda.h"

#define STREAM ((gp_cu_stream)(uintptr_t)5)

static int events;
static float elapsed_ms;

static gp_cu_result
create_event(gp_cu_event *event, unsigned int flags)
{
    ASSERT_INT(GP_CU_EVENT_DEFAULT, (int)flags);
    *event = (gp_cu_event)SCRIPTED_GARBAGE;
    RETURN_IF_FAILING();
    *event = (gp_cu_event)(void *)&events;
    events++;
    return GP_CU_SUCCESS;
}

static gp_cu_result
destroy_event(gp_cu_event event)
{
    ASSERT(event == (gp_cu_event)(void *)&events);
    events--;
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
record_event(gp_cu_event event, gp_cu_stream stream)
{
    ASSERT(event != NULL && stream == STREAM);
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
wait_for_event(gp_cu_event event)
{
    ASSERT(event != NULL);
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
tell_elapsed(float *milliseconds, gp_cu_event begin, gp_cu_event end)
{
    ASSERT(begin != NULL && end != NULL);
    RETURN_IF_FAILING();
    *milliseconds = elapsed_ms;
    return GP_CU_SUCCESS;
}

static gp_cu_result
get_version(int *version)
{
    RETURN_IF_FAILING();
    *version = 13000;
    return GP_CU_SUCCESS;
}

static gp_cuda
table_with_events(void)
{
    gp_cuda cu = scripted_cuda_table();
    cu.cuDriverGetVersion = get_version;
    cu.cuEventCreate = create_event;
    cu.cuEventDestroy_v2 = destroy_event;
    cu.cuEventRecord = record_event;
    cu.cuEventSynchronize = wait_for_event;
    cu.cuEventElapsedTime = tell_elapsed;
    return cu;
}

/* Launches a kernel and waits for nothing, as all of ours does. */
static gp_status
work(gp_backends *backends, const void *what, gp_cu_stream stream)
{
    const gp_module *module = NULL;
    void *parameters[] = {NULL};
    ASSERT(what == &events && stream == STREAM);
    ASSERT_INT(1, script.current);
    gp_status st = gp_backends_module(backends, &module);
    if (gp_failed(st)) { return st; }
    ASSERT(module->handle != NULL && module->image != NULL);
    return GP_CUDA_CALL(
        module->cu, cuLaunchKernel,
        (module->functions[GP_KERNEL_FILL_F32], 1, 1, 1, 256, 1, 1, 0, stream, parameters, NULL));
}

/* Opens, runs `turns` times, closes; the n-th call after the retain fails, if that is not 0. */
static gp_status
run(size_t fail_at, int turns, gp_work_times *times)
{
    const gp_cuda cu = table_with_events();
    gp_arena arena;
    gp_backends backends;
    gp_status st = gp_ok();
    ASSERT_OK(gp_context_retain(&cu, 0, &arena.context));
    ASSERT_OK(gp_backends_open(&arena, &backends));
    script.calls = 0;
    script.fail_at = fail_at;
    for (int i = 0; i < turns && !gp_failed(st); i++) {
        st = gp_backends_run(&backends, work, &events, STREAM, times);
    }
    st = gp_first_error(st, gp_backends_close(&backends));
    script.fail_at = 0;
    ASSERT_INT(0, events);
    ASSERT_INT(0, script.current);
    if (script.modules > 0) { /* a module out of reach goes with its context */
        ASSERT_TEXT("cuCtxPushCurrent_v2", st.call);
        script.modules = 0;
    }
    ASSERT_OK(gp_backends_close(&backends)); /* does nothing any more */
    ASSERT_OK(gp_context_release(&arena.context));
    scripted_cuda_assert_released();
    return st;
}

TEST(backends_load_the_kernels_at_the_first_work_and_once)
{
    gp_work_times times = {.is_timed = false};
    ASSERT_OK(run(0, 0, &times));
    ASSERT_INT(0, script.loads);
    ASSERT_INT(1, script.calls); /* the release: there was nothing to wait for */
    ASSERT_OK(run(0, 3, &times));
    ASSERT_INT(1, script.loads);
}

TEST(backends_time_the_host_and_the_device_where_asked)
{
    gp_work_times times = {.is_timed = true, .submit_s = -1, .kernel_s = -1};
    elapsed_ms = 2.5F;
    ASSERT_OK(run(0, 1, &times));
    ASSERT(times.submit_s >= 0);
    ASSERT(times.kernel_s > 0.00249 && times.kernel_s < 0.00251);
}

TEST(backends_tell_the_call_that_failed_and_leave_nothing)
{
    for (int is_timed = 0; is_timed < 2; is_timed++) {
        gp_work_times times = {.is_timed = is_timed != 0};
        ASSERT_OK(run(0, 1, &times));
        const size_t calls = script.calls - 1; /* the release is one more */
        for (size_t i = 1; i <= calls; i++) {
            ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, run(i, 1, &times));
        }
    }
}

static gp_cu_result
is_capturing(gp_cu_stream stream, gp_cu_capture *status)
{
    ASSERT(stream == STREAM);
    *status = GP_CU_CAPTURE_ACTIVE;
    return GP_CU_SUCCESS;
}

TEST(backends_time_nothing_that_is_captured)
{
    gp_cuda cu = table_with_events();
    gp_arena arena;
    gp_backends backends;
    gp_work_times times = {.is_timed = true};
    cu.cuStreamIsCapturing = is_capturing;
    ASSERT_OK(gp_context_retain(&cu, 0, &arena.context));
    ASSERT_OK(gp_backends_open(&arena, &backends));
    ASSERT_FAILED(GP_CAPTURE, 0, gp_backends_run(&backends, work, &events, STREAM, &times));
    ASSERT_INT(0, script.launches);
    times.is_timed = false;
    ASSERT_OK(gp_backends_run(&backends, work, &events, STREAM, &times));
    ASSERT_INT(1, script.launches);
    ASSERT_OK(gp_backends_close(&backends));
    ASSERT_OK(gp_context_release(&arena.context));
    scripted_cuda_assert_released();
}

TEST(backends_that_no_image_fits_say_so)
{
    gp_work_times times = {.is_timed = false};
    script.refused = 3;
    script.refusal = GP_CU_NO_BINARY_FOR_GPU;
    ASSERT_FAILED(GP_CUDA, GP_CU_NO_BINARY_FOR_GPU, run(0, 1, &times));
}

static gp_cu_result
unload_after_the_end(gp_cu_module module)
{
    ASSERT(module != NULL);
    script.modules--;
    return GP_CU_DEINITIALIZED;
}

TEST(backends_close_after_the_driver_has_ended)
{
    gp_cuda cu = table_with_events();
    gp_arena arena;
    gp_backends backends;
    gp_work_times times = {.is_timed = false};
    cu.cuModuleUnload = unload_after_the_end;
    ASSERT_OK(gp_context_retain(&cu, 0, &arena.context));
    ASSERT_OK(gp_backends_open(&arena, &backends));
    ASSERT_OK(gp_backends_run(&backends, work, &events, STREAM, &times));
    ASSERT_OK(gp_backends_close(&backends));
    ASSERT_OK(gp_context_release(&arena.context));
    scripted_cuda_assert_released();
}

/* Of a file without a name the loader has words, and it is not final. */
TEST(backends_keep_nothing_of_an_opening_that_is_tried_again)
{
    const gp_settings settings = {.values = {[GP_VAR_LIBCUBLASLT] = "", [GP_VAR_LIBCUDNN] = ""}};
    const gp_toolkit_place place = {&settings, NULL};
    const gp_cuda cu = table_with_events();
    gp_arena arena;
    gp_backends backends;
    gp_cublas *cublas = NULL;
    gp_cudnn_device *cudnn = NULL;
    gp_cudnn_told told;
    ASSERT_OK(gp_context_retain(&cu, 0, &arena.context));
    ASSERT_OK(gp_backends_open(&arena, &backends));
    for (int i = 0; i < 2; i++) {
        ASSERT_FAILED(GP_BAD_ARGUMENT, 0, gp_backends_cublas(&backends, &place, &cublas));
        ASSERT_CONTAINS("empty", gp_text_get(&backends.cublaslt.library.error));
        ASSERT_FAILED(GP_BAD_ARGUMENT, 0, gp_backends_cudnn(&backends, &place, &cudnn, &told));
        ASSERT_CONTAINS("empty", told.text);
    }
    ASSERT_OK(gp_backends_close(&backends));
    ASSERT_OK(gp_context_release(&arena.context));
    ASSERT_INT(0, alloc_live());
    scripted_cuda_assert_released();
}

static bool
is_final(gp_kind kind, int code)
{
    return gp_backends_is_final(gp_fail(kind, code, "any call"));
}

TEST(backends_that_memory_may_have_kept_closed_are_tried_again)
{
    static const int cublas[] = {GP_CUBLAS_NOT_INITIALIZED, GP_CUBLAS_ALLOC_FAILED,
                                 GP_CUBLAS_INTERNAL_ERROR};
    static const int cudnn[] = {GP_CUDNN_NOT_INITIALIZED, GP_CUDNN_INTERNAL_ERROR,
                                GP_CUDNN_HOST_ALLOCATION_FAILED, GP_CUDNN_DEVICE_ALLOCATION_FAILED};
    for (size_t i = 0; i < sizeof(cublas) / sizeof(cublas[0]); i++) {
        ASSERT(!is_final(GP_CUBLAS, cublas[i]));
    }
    for (size_t i = 0; i < sizeof(cudnn) / sizeof(cudnn[0]); i++) {
        ASSERT(!is_final(GP_CUDNN, cudnn[i]));
    }
    ASSERT(!is_final(GP_NO_MEMORY, 0));
    ASSERT(!is_final(GP_CUDA, GP_CU_OUT_OF_MEMORY));
}

TEST(backends_that_lack_their_library_or_its_version_are_not)
{
    ASSERT(gp_backends_is_final(gp_ok()));
    ASSERT(is_final(GP_LIBRARY_MISSING, 0));
    ASSERT(is_final(GP_SYMBOL_MISSING, 0));
    ASSERT(is_final(GP_CUBLAS, 8));   /* CUBLAS_STATUS_ARCH_MISMATCH */
    ASSERT(is_final(GP_CUDNN, 1002)); /* CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH */
}
