/* gpuprobe-probe: one risky step in a process of its own. Its parent reads the JSON object on the
 * standard output, and on the standard error the call in which it hung or died. */
#include "gp_probe.h"
#include "platform/gp_args.h"
#include "platform/gp_parent.h"

#include <stdio.h>

static const char no_memory[] =
    "{\"probe\":1,\"ok\":false,\"failed\":{\"kind\":\"memory\",\"call\":\"gpuprobe-probe\","
    "\"code\":0,\"name\":null,\"text\":null}}\n";

static bool
print_to(FILE *stream, const char *text)
{
    return fputs(text, stream) >= 0 && fflush(stream) == 0;
}

int
main(int argc, char **argv)
{
    gp_args args;
    gp_settings settings;
    gp_text out = GP_TEXT_EMPTY;
    gp_probe_outcome outcome = GP_PROBE_NO_MEMORY;
    bool is_printed = false;
    gp_end_with_parent();
    gp_status st = gp_first_error(gp_args_get(argc, argv, &args), gp_settings_read(&settings));
    if (!gp_failed(st)) {
        int count = args.count > 0 ? args.count - 1 : 0;
        outcome = gp_probe_run(count, (const char *const *)args.values + 1, &settings,
                               gp_probe_trace(), &out);
    }
    switch (outcome) {
    case GP_PROBE_ANSWERED: is_printed = print_to(stdout, gp_text_get(&out)); break;
    case GP_PROBE_NO_MEMORY: is_printed = print_to(stdout, no_memory); break;
    case GP_PROBE_USAGE: (void)print_to(stderr, gp_text_get(&out)); break;
    }
    gp_text_free(&out);
    gp_settings_free(&settings);
    gp_args_free(&args);
    if (outcome == GP_PROBE_USAGE) { return 2; }
    return is_printed ? 0 : 1;
}
