#include "alloc_hook.h"
#include "harness.h"
#include "probe/gp_probe.h"

static const gp_trace no_trace = {NULL};
static const gp_settings no_driver = {
    .values = {[GP_VAR_LIBCUDA] = "/no/such/libcuda.so.1",
               [GP_VAR_LIBNVML] = "/no/such/libnvidia-ml.so.1"},
};

static gp_probe_outcome
run_one(const char *step, const char *argument, gp_text *out)
{
    const char *arguments[] = {step, argument};
    return gp_probe_run(argument == NULL ? 1 : 2, arguments, &no_driver, no_trace, out);
}

static void
assert_usage(int count, const char *const *arguments)
{
    gp_text out = GP_TEXT_EMPTY;
    ASSERT_INT(GP_PROBE_USAGE, gp_probe_run(count, arguments, &no_driver, no_trace, &out));
    ASSERT_CONTAINS("usage:", gp_text_get(&out));
    gp_text_free(&out);
}

TEST(probe_refuses_arguments_that_name_no_step)
{
    assert_usage(0, NULL);
    assert_usage(1, (const char *const[]){"cuda2"});
    assert_usage(1, (const char *const[]){""});
    assert_usage(2, (const char *const[]){"cuda", "extra"});
    assert_usage(1, (const char *const[]){"load"});
    assert_usage(2, (const char *const[]){"load", ""});
    assert_usage(3, (const char *const[]){"load", "a", "b"});
    assert_usage(2, (const char *const[]){"kernel", "--device"});
    assert_usage(3, (const char *const[]){"kernel", "--device", "-1"});
    assert_usage(3, (const char *const[]){"kernel", "--device", "1x"});
    assert_usage(3, (const char *const[]){"kernel", "--device", "99999999999"});
    assert_usage(3, (const char *const[]){"kernel", "--ordinal", "1"});
}

TEST(probe_lists_the_embedded_images)
{
    gp_text out = GP_TEXT_EMPTY;
    ASSERT_INT(GP_PROBE_ANSWERED, run_one("images", NULL, &out));
    ASSERT_CONTAINS("\"images\":[{\"kind\":\"cubin\",\"capability\":\"90a\",\"min_cuda\":13000,"
                    "\"bytes\":6}",
                    gp_text_get(&out));
    gp_text_free(&out);
}

TEST(probe_answers_about_a_library_that_is_not_there)
{
    gp_text out = GP_TEXT_EMPTY;
    ASSERT_INT(GP_PROBE_ANSWERED, run_one("load", "libgp-no-such.so.1", &out));
    ASSERT_CONTAINS("\"ok\":false,\"failed\":{\"kind\":\"library\",\"call\":\"dlopen\"",
                    gp_text_get(&out));
    ASSERT_CONTAINS("\"loaded\":false}\n", gp_text_get(&out));
    gp_text_free(&out);
}

TEST(probe_answers_where_the_driver_cannot_be_loaded)
{
    static const char *const steps[] = {"cuda", "nvml", "kernel"};
    for (size_t i = 0; i < 3; i++) {
        gp_text out = GP_TEXT_EMPTY;
        ASSERT_INT(GP_PROBE_ANSWERED, run_one(steps[i], NULL, &out));
        ASSERT_CONTAINS("\"via\":\"override\"", gp_text_get(&out));
        ASSERT_CONTAINS("\"driver_version\":null", gp_text_get(&out));
        gp_text_free(&out);
        ASSERT_INT(0, alloc_live());
    }
}

/* Every allocation of every step that needs no driver. */
TEST(probe_without_memory_answers_or_says_so_and_leaks_nothing)
{
    static const char *const steps[][2] = {
        {"load", "libm.so.6"},  {"load", "libgp-no-such.so.1"},
        {"images", NULL},       {"--version", NULL},
        {"cuda", NULL},         {"nvml", NULL},
        {"no such step", NULL},
    };
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        for (size_t n = 1;; n++) {
            gp_text out = GP_TEXT_EMPTY;
            alloc_fail_at(n);
            gp_probe_outcome outcome = run_one(steps[i][0], steps[i][1], &out);
            if (out.failed) { ASSERT(outcome != GP_PROBE_ANSWERED); }
            gp_text_free(&out);
            ASSERT_INT(0, alloc_live());
            if (!alloc_has_failed()) { break; }
        }
    }
}
