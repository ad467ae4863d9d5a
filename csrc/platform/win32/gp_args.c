#include "platform/gp_args.h"

#include "base/gp_alloc.h"
#include "gp_wide.h"
#include "gp_windows.h"

/* main's own argv is in the ANSI code page and has lost what that cannot hold. */
gp_status
gp_args_get(int argc, char **argv, gp_args *args)
{
    (void)argc;
    (void)argv;
    *args = (gp_args){0, NULL};
    int count = 0;
    gp_status st = gp_fail(GP_NO_MEMORY, 0, "CommandLineToArgvW");
    gp_args made = {0, NULL};
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    if (wide == NULL) { goto done; }
    made.values = gp_alloc((size_t)count + 1, sizeof(*made.values));
    if (made.values == NULL) { goto done; }
    for (made.count = 0; made.count < count; made.count++) {
        gp_text text = GP_TEXT_EMPTY;
        st = gp_wide_append(&text, wide[made.count]);
        made.values[made.count] = text.data; /* the text's memory is the argument's from here on */
        if (gp_failed(st)) { goto done; }
    }
    *args = made;
    made = (gp_args){0, NULL};
done:
    gp_args_free(&made);
    if (wide != NULL) { (void)LocalFree(wide); }
    return st;
}

void
gp_args_free(gp_args *args)
{
    if (args->values != NULL) {
        for (int i = 0; args->values[i] != NULL; i++) {
            gp_free(args->values[i]);
        }
    }
    gp_free(args->values);
    *args = (gp_args){0, NULL};
}
