/* The variables of the environment that the core heeds, as they are at one moment. Whoever starts a
 * piece of work reads them once, where nobody changes the environment meanwhile: Python's
 * os.environ does so with the GIL, which the work below runs without. All below is given what was
 * read. */
#ifndef GP_SETTINGS_H
#define GP_SETTINGS_H

#include "base/gp_status.h"
#include "base/gp_text.h"

typedef enum gp_variable {
    GP_VAR_ROOT,
    GP_VAR_LIBCUDA,
    GP_VAR_LIBNVML,
    GP_VAR_LIBCUBLASLT,
    GP_VAR_LIBCUDNN,
    GP_VAR_TF32_OVERRIDE,
    GP_VAR_EMULATE_SINGLE,
    GP_VAR_EMULATE_DOUBLE,
    GP_VAR_COUNT
} gp_variable;

typedef struct gp_settings {
    const char *values[GP_VAR_COUNT]; /* NULL: not set, or empty */
    gp_text text;                     /* what was read; the values point into it */
} gp_settings;

/* Not safe against another thread that changes the environment. Fails only without memory, with no
 * value set; to be released with gp_settings_free in any case. */
gp_status gp_settings_read(gp_settings *settings);

void gp_settings_free(gp_settings *settings);

#endif
