/* Which engine is taken, and which plans are kept. */
#include "cudnn_fixture.h"
#include "harness.h"

/* The engine that computes: the second one has the notes that are tried. */
static int64_t
chosen(gp_dtype dtype, const char *compute, unsigned int note)
{
    fixture f;
    problem p = problem_of(dtype, false);
    p.compute = compute;
    dnn_script.usual_count = 2;
    dnn_script.usual[0] = (scripted_engine){.number = 7, .notes = {9, note}, .note_count = 2};
    dnn_script.usual[1] = (scripted_engine){.number = 8};
    begin(&f);
    ASSERT_OK(convolve(&f, &p));
    end(&f);
    return f.told.engine;
}

TEST(cudnn_takes_float32_to_tensor_cores_only_as_tf32)
{
    ASSERT_INT(8, chosen(GP_FLOAT32, "float32", GP_CUDNN_NOTE_TENSOR_CORE));
    ASSERT_INT(7, chosen(GP_FLOAT32, "tf32", GP_CUDNN_NOTE_TENSOR_CORE));
    ASSERT_INT(7, chosen(GP_FLOAT16, "float16", GP_CUDNN_NOTE_TENSOR_CORE));
    ASSERT_INT(7, chosen(GP_BFLOAT16, "bfloat16", GP_CUDNN_NOTE_TENSOR_CORE));
    ASSERT_INT(7, chosen(GP_FLOAT64, "float64", GP_CUDNN_NOTE_TENSOR_CORE));
}

TEST(cudnn_passes_over_engines_that_break_the_arithmetic_s_promise)
{
    for (unsigned int note = GP_CUDNN_NOTE_DOWN_CONVERT_INPUTS;
         note <= GP_CUDNN_NOTE_WINOGRAD_TILE_13x13; note++) {
        ASSERT_INT(8, chosen(GP_FLOAT32, "tf32", note));
        ASSERT_INT(8, chosen(GP_FLOAT16, "float16", note));
    }
    ASSERT_INT(7, chosen(GP_FLOAT32, "float32", GP_CUDNN_NOTE_STRICT_NAN_PROP));
    /* Of a version of cuDNN that is not written yet. */
    ASSERT_INT(8, chosen(GP_FLOAT32, "float32", GP_CUDNN_NOTE_STRICT_NAN_PROP + 1));
}

TEST(cudnn_passes_over_an_engine_that_tells_of_more_notes_than_were_read)
{
    fixture f;
    problem p = problem_of(GP_FLOAT16, false); /* note 0, tensor cores, would be taken */
    p.compute = "float16";
    dnn_script.usual_count = 2;
    dnn_script.usual[0] = (scripted_engine){.number = 7, .note_count = 33};
    dnn_script.usual[1] = (scripted_engine){.number = 8};
    begin(&f);
    ASSERT_OK(convolve(&f, &p));
    ASSERT_INT(8, f.told.engine);
    end(&f);
}

TEST(cudnn_goes_on_to_an_engine_that_is_ready_and_small_enough)
{
    fixture f;
    problem p = problem_of(GP_FLOAT32, false);
    dnn_script.usual_count = 4;
    dnn_script.usual[0] = (scripted_engine){.number = 7, .refusal = 3007};
    dnn_script.usual[1] = (scripted_engine){.number = 8, .workspace = GP_CUDNN_MOST_WORKSPACE + 1};
    dnn_script.usual[2] = (scripted_engine){.number = 9, .workspace = GP_CUDNN_MOST_WORKSPACE / 4};
    dnn_script.usual[3] = (scripted_engine){.number = 10};
    dnn_script.lost = 1;
    begin(&f);
    ASSERT_OK(convolve(&f, &p));
    ASSERT_INT(9, f.told.engine);
    ASSERT_INT(GP_CUDNN_MOST_WORKSPACE / 4, f.told.workspace);
    ASSERT(dnn_script.workspace != NULL);
    end(&f);
}

TEST(cudnn_asks_for_the_fallback_where_none_of_the_usual_engines_will_do)
{
    fixture f;
    problem p = problem_of(GP_FLOAT32, false);
    dnn_script.usual[0].refusal = 3000;
    dnn_script.fallback_count = 1;
    dnn_script.fallback[0] = (scripted_engine){.number = 12};
    begin(&f);
    ASSERT_OK(convolve(&f, &p));
    ASSERT_INT(12, f.told.engine);
    end(&f);
}

TEST(cudnn_says_why_no_engine_will_do)
{
    problem p = problem_of(GP_FLOAT32, false);
    dnn_script.usual[0].refusal = 3000;
    assert_refuses(p, "cuDNN has no engine for this convolution");
    dnn_script.usual[0] = (scripted_engine){.notes = {GP_CUDNN_NOTE_TENSOR_CORE}, .note_count = 1};
    assert_refuses(p, "break the arithmetic's promise (TF32");
    dnn_script.usual[0] = (scripted_engine){.workspace = GP_CUDNN_MOST_WORKSPACE + 1};
    assert_refuses(p, "more workspace than is allowed");
    dnn_script.usual_count = 0;
    assert_refuses(p, "cuDNN has no engine for this convolution");
}

/* More than "not supported" is an error, in cuDNN's own words. */
TEST(cudnn_tells_what_went_wrong)
{
    fixture f;
    problem p = problem_of(GP_FLOAT32, false);
    dnn_script.usual[0].refusal = 4001;
    begin(&f);
    gp_status st = convolve(&f, &p);
    ASSERT_FAILED(GP_CUDNN, 4001, st);
    ASSERT_TEXT("cudnnBackendFinalize", st.call);
    ASSERT_TEXT("the script says no", f.told.text);
    dnn_script.usual[0].refusal = 0;
    ASSERT_OK(convolve(&f, &p)); /* an error is not remembered */
    ASSERT_TEXT("", f.told.text);
    end(&f);
}

TEST(cudnn_plans_a_problem_once)
{
    fixture f;
    problem p = problem_of(GP_FLOAT32, true);
    begin(&f);
    ASSERT_OK(convolve(&f, &p));
    ASSERT_INT(1, f.device.cache.misses);
    size_t made = dnn_script.made;
    ASSERT_OK(convolve(&f, &p));
    ASSERT_INT(1, f.device.cache.misses);
    ASSERT_INT(made + 1, dnn_script.made); /* the pack of addresses */
    p.options.dilation[0] = 2;
    ASSERT_OK(convolve(&f, &p));
    ASSERT_INT(2, f.device.cache.misses);
    end(&f);
}

TEST(cudnn_remembers_that_no_engine_will_do)
{
    fixture f;
    problem p = problem_of(GP_FLOAT32, false);
    dnn_script.usual_count = 0;
    begin(&f);
    ASSERT_FAILED(GP_UNSUPPORTED, 0, convolve(&f, &p));
    size_t made = dnn_script.made;
    ASSERT_FAILED(GP_UNSUPPORTED, 0, convolve(&f, &p));
    ASSERT_INT(made, dnn_script.made);
    end(&f);
}

/* The i-th of many problems: no two have the same padding. */
static gp_status
convolve_other(fixture *f, int64_t i)
{
    problem p = problem_of(GP_FLOAT32, false);
    p.x[1] = p.w[1] = p.w[0] = 1;
    if (i > 0) { p.options.pad_after[i % 2] = 1 + (i + 1) / 2; }
    return convolve(f, &p);
}

TEST(cudnn_keeps_a_bounded_number_of_plans_and_drops_the_oldest)
{
    fixture f;
    begin(&f);
    for (int64_t i = 0; i <= GP_CUDNN_MOST_PLANS; i++) {
        ASSERT_OK(convolve_other(&f, i));
        ASSERT_OK(convolve_other(&f, 0)); /* used again and again: never the oldest */
    }
    ASSERT_INT(GP_CUDNN_MOST_PLANS, f.device.cache.count);
    ASSERT_INT(GP_CUDNN_MOST_PLANS + 1, f.device.cache.misses);
    static const int64_t kept[] = {0, 2, GP_CUDNN_MOST_PLANS};
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
        ASSERT_OK(convolve_other(&f, kept[i]));
    }
    ASSERT_INT(GP_CUDNN_MOST_PLANS + 1, f.device.cache.misses);
    ASSERT_OK(convolve_other(&f, 1));
    ASSERT_INT(GP_CUDNN_MOST_PLANS + 2, f.device.cache.misses);
    end(&f);
}
