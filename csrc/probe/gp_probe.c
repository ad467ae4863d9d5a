#include "gp_probe.h"

#include "gp_steps.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct step_row {
    const char *name;
    gp_step run;
} step_row;

static const step_row steps[] = {
    {"nvml", gp_step_nvml}, {"cuda", gp_step_cuda},     {"kernel", gp_step_kernel},
    {"load", gp_step_load}, {"images", gp_step_images}, {"--version", gp_step_version},
};

static const char usage[] = "usage: gpuprobe-probe STEP\n"
                            "  nvml                      start NVML and list its GPUs\n"
                            "  cuda                      start the driver and list its devices\n"
                            "  kernel [--device ORDINAL] run the proof kernels on a device\n"
                            "  load NAME_OR_PATH         open a library\n"
                            "  images                    list the embedded kernel images\n"
                            "  --version                 print the version\n";

static const step_row *
find_step(const char *name)
{
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (strcmp(steps[i].name, name) == 0) { return &steps[i]; }
    }
    return NULL;
}

static bool
parse_ordinal(const char *text, int *ordinal)
{
    char *end = NULL;
    if (text[0] < '0' || text[0] > '9') { return false; }
    long long value = strtoll(text, &end, 10); /* a long of Windows is no longer than an int */
    if (*end != '\0' || value > INT_MAX) { return false; }
    *ordinal = (int)value;
    return true;
}

/* The arguments after the step's name. */
static bool
parse_request(gp_step step, int count, const char *const *arguments, gp_request *request)
{
    *request = (gp_request){.library = NULL};
    if (step == gp_step_load) {
        if (count != 1 || arguments[0][0] == '\0') { return false; }
        request->library = arguments[0];
        return true;
    }
    if (step == gp_step_kernel && count == 2 && strcmp(arguments[0], "--device") == 0) {
        return parse_ordinal(arguments[1], &request->device);
    }
    return count == 0;
}

gp_probe_outcome
gp_probe_run(int count, const char *const *arguments, const gp_settings *settings, gp_trace trace,
             gp_text *out)
{
    gp_request request;
    const step_row *step = count > 0 ? find_step(arguments[0]) : NULL;
    if (step == NULL || !parse_request(step->run, count - 1, arguments + 1, &request)) {
        gp_text_append(out, usage);
        return GP_PROBE_USAGE;
    }
    request.settings = settings;
    gp_json json = gp_json_to(out);
    step->run(&request, trace, &json);
    gp_text_append(out, "\n");
    return out->failed ? GP_PROBE_NO_MEMORY : GP_PROBE_ANSWERED;
}
