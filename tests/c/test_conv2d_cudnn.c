#include "alloc_hook.h"
#include "cudnn_fixture.h"
#include "harness.h"
#include "scripted_memory.h"

#include <string.h>

TEST(conv2d_cudnn_computes_what_the_reference_does_in_every_type)
{
    static const gp_dtype dtypes[] = {GP_FLOAT64, GP_FLOAT32, GP_FLOAT16, GP_BFLOAT16};
    for (size_t i = 0; i < sizeof(dtypes) / sizeof(dtypes[0]); i++) {
        assert_computes(problem_of(dtypes[i], false));
        assert_computes(problem_of(dtypes[i], true));
    }
}

TEST(conv2d_cudnn_hands_over_padding_stride_dilation_groups_and_layout)
{
    problem p = problem_of(GP_FLOAT32, true);
    p.options.pad_before[0] = 2;
    p.options.pad_after[1] = 3;
    p.options.stride[1] = 2;
    p.options.dilation[0] = 2;
    assert_computes(p);
    p.options.groups = 2;
    p.w[1] = 2;
    assert_computes(p);
    p.options.layout = GP_NHWC;
    memcpy(p.x, (int64_t[]){2, 5, 6, 4}, sizeof(p.x));
    memcpy(p.w, (int64_t[]){4, 3, 2, 1}, sizeof(p.w)); /* depthwise */
    p.options.groups = 4;
    assert_computes(p);
    p.options.padding = GP_PADDING_SAME;
    assert_computes(p);
}

/* Adds the bias afterwards where no engine does both; in float16 that would round twice. */
TEST(conv2d_cudnn_adds_the_bias_in_a_second_step_where_that_rounds_no_more)
{
    fixture f;
    problem p = problem_of(GP_FLOAT32, true);
    dnn_script.usual[0].takes_no_fusion = true;
    begin(&f);
    ASSERT_OK(convolve(&f, &p));
    ASSERT_INT(2, dnn_script.executed);
    ASSERT_INT(1, f.told.bias_engine);
    end(&f);
    p = problem_of(GP_FLOAT64, true);
    assert_computes(p);
    assert_refuses(problem_of(GP_FLOAT16, true), "no engine");
    assert_computes(problem_of(GP_FLOAT16, false));
}

/* "Not supported" is no failure, whichever call says it. */
TEST(conv2d_cudnn_does_without_a_graph_that_is_not_supported)
{
    fixture f;
    problem p = problem_of(GP_FLOAT32, true);
    dnn_script.refused_operations = 2;
    begin(&f);
    ASSERT_OK(convolve(&f, &p));
    ASSERT_INT(2, dnn_script.executed);
    end(&f);
    assert_refuses(problem_of(GP_FLOAT16, true), "no engine");
    dnn_script.refused_operations = 1;
    assert_refuses(problem_of(GP_FLOAT32, false), "no engine");
}

TEST(conv2d_cudnn_refuses_what_it_cannot_hand_over)
{
    problem p = problem_of(GP_FLOAT32, false);
    p.compute = "float16";
    assert_refuses(p, "no such arithmetic");
    p = problem_of(GP_INT8, false);
    p.compute = "int32";
    assert_refuses(p, "float64, float32, float16 and bfloat16 only");
    p = problem_of(GP_FLOAT32, false);
    p.x[1] = p.w[1] = 0;
    assert_refuses(p, "sums of nothing");
}

static _Alignas(16) unsigned char x_data[256];
static _Alignas(16) unsigned char w_data[256];
static _Alignas(16) unsigned char y_data[512];

static gp_status
convolve_tensors(fixture *f, const gp_tensor *x, const gp_tensor *w)
{
    const gp_conv2d_options options = problem_of(x->dtype, false).options;
    gp_conv2d_shape shape;
    gp_tensor y = {.data = y_data, .dtype = x->dtype};
    ASSERT_INT(GP_CONV2D_FITS, gp_conv2d_shape_of(x, w, &options, &shape, &y));
    return gp_conv2d_cudnn(&f->device, &shape, x, w, NULL, &y, gp_arithmetic_of(x->dtype), STREAM,
                           &f->told);
}

TEST(conv2d_cudnn_refuses_strides_and_addresses_that_cudnn_does_not_take)
{
    fixture f;
    gp_tensor x = {.data = x_data, .dtype = GP_FLOAT32, .ndim = 4, .shape = {2, 1, 4, 4}};
    gp_tensor w = {.data = w_data, .dtype = GP_FLOAT32, .ndim = 4, .shape = {3, 1, 3, 3}};
    gp_tensor_set_compact(&x);
    gp_tensor_set_compact(&w);
    begin(&f);
    x.strides[1] = -3; /* along one channel nothing is stepped */
    ASSERT_OK(convolve_tensors(&f, &x, &w));
    x.strides[2] = 0;
    gp_status st = convolve_tensors(&f, &x, &w);
    ASSERT_FAILED(GP_UNSUPPORTED, 0, st);
    ASSERT_CONTAINS("strides", st.call);
    x.strides[2] = 18;
    ASSERT_FAILED(GP_UNSUPPORTED, 0, convolve_tensors(&f, &x, &w));
    gp_tensor_set_compact(&x);
    x.data = x_data + 4;
    ASSERT_OK(convolve_tensors(&f, &x, &w));
    x.data = x_data + 2;
    st = convolve_tensors(&f, &x, &w);
    ASSERT_FAILED(GP_UNSUPPORTED, 0, st);
    ASSERT_CONTAINS("addresses", st.call);
    end(&f);
}

TEST(conv2d_cudnn_has_nothing_to_do_for_no_images)
{
    fixture f;
    problem p = problem_of(GP_FLOAT32, false);
    p.x[0] = 0;
    begin(&f);
    ASSERT_OK(convolve(&f, &p));
    ASSERT_INT(0, dnn_script.executed);
    ASSERT_INT(-1, f.told.engine);
    end(&f);
}

TEST(conv2d_cudnn_tells_the_shortage_where_there_is_no_workspace)
{
    fixture f;
    problem p = problem_of(GP_FLOAT32, false);
    dnn_script.usual[0].workspace = GP_CUDNN_MOST_WORKSPACE;
    memory.others = 600 * MIB;
    begin(&f);
    ASSERT_FAILED(GP_CUDA, GP_CU_OUT_OF_MEMORY, convolve(&f, &p));
    ASSERT_INT(GP_CUDNN_MOST_WORKSPACE, f.told.shortage.asked);
    end(&f);
}

/* From the arena to its end; what fails is told, or done without. */
static gp_status
live(const problem *p)
{
    fixture f;
    gp_status st = fixture_open(&f);
    if (gp_failed(st)) { return st; }
    st = convolve(&f, p);
    if (st.kind == GP_CUDNN) { ASSERT_TEXT("the script says no", f.told.text); }
    return gp_first_error(st, fixture_close(&f));
}

static void
script_two_steps(void)
{
    dnn_script.usual_count = 2;
    dnn_script.usual[0] = (scripted_engine){.number = 7, .notes = {3}, .note_count = 1};
    dnn_script.usual[1] = (scripted_engine){.number = 8, .workspace = MIB, .takes_no_fusion = true};
}

static gp_cu_result
is_capturing(gp_cu_stream stream, gp_cu_capture *status)
{
    ASSERT(stream == STREAM);
    *status = GP_CU_CAPTURE_ACTIVE;
    return GP_CU_SUCCESS;
}

/* It would be somebody else's when the graph is run. */
TEST(conv2d_cudnn_takes_no_workspace_for_a_graph)
{
    fixture f;
    problem p = problem_of(GP_FLOAT32, true);
    begin(&f);
    f.cu.cuStreamIsCapturing = is_capturing;
    ASSERT_OK(convolve(&f, &p));
    end(&f);
    for (int bias = 0; bias < 2; bias++) {
        script_two_steps();
        dnn_script.usual[bias].workspace = MIB;
        dnn_script.executed = 0;
        begin(&f);
        f.cu.cuStreamIsCapturing = is_capturing;
        gp_status st = convolve(&f, &p);
        ASSERT_FAILED(GP_UNSUPPORTED, 0, st);
        ASSERT_CONTAINS("graph", st.call);
        ASSERT_INT(0, dnn_script.executed);
        end(&f);
    }
}

TEST(conv2d_cudnn_leaks_nothing_whichever_call_fails)
{
    problem p = problem_of(GP_FLOAT32, true);
    script_two_steps();
    ASSERT_OK(live(&p));
    size_t calls = dnn_script.calls;
    size_t failures = 0;
    ASSERT(calls > 100);
    for (size_t n = 1; n <= calls; n++) {
        dnn_script.calls = 0;
        dnn_script.fail_at = n;
        gp_status st = live(&p);
        failures += gp_failed(st);
        if (gp_failed(st)) { ASSERT_FAILED(GP_CUDNN, SCRIPTED_CUDNN_CODE, st); }
        assert_released();
    }
    /* But for the ends of descriptors and what concerns one engine of several. */
    ASSERT(failures > calls / 2);
}

TEST(conv2d_cudnn_leaks_nothing_whichever_allocation_fails)
{
    problem p = problem_of(GP_FLOAT32, true);
    script_two_steps();
    for (size_t n = 1;; n++) {
        alloc_fail_at(n);
        gp_status st = live(&p);
        if (!alloc_has_failed()) { break; }
        ASSERT_FAILED(GP_NO_MEMORY, 0, st);
        assert_released();
    }
}
