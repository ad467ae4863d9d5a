#include "gp_settings.h"

#include "gp_env.h"

static const char *const names[GP_VAR_COUNT] = {
    [GP_VAR_ROOT] = "GPUPROBE_ROOT",
    [GP_VAR_LIBCUDA] = "GPUPROBE_LIBCUDA",
    [GP_VAR_LIBNVML] = "GPUPROBE_LIBNVML",
    [GP_VAR_LIBCUBLASLT] = "GPUPROBE_LIBCUBLASLT",
    [GP_VAR_LIBCUDNN] = "GPUPROBE_LIBCUDNN",
    [GP_VAR_TF32_OVERRIDE] = "NVIDIA_TF32_OVERRIDE",
    [GP_VAR_EMULATE_SINGLE] = "CUBLAS_EMULATE_SINGLE_PRECISION",
    [GP_VAR_EMULATE_DOUBLE] = "CUBLAS_EMULATE_DOUBLE_PRECISION",
};

gp_status
gp_settings_read(gp_settings *settings)
{
    size_t starts[GP_VAR_COUNT];
    gp_text *text = &settings->text;
    *settings = (gp_settings){.text = GP_TEXT_EMPTY};
    for (int i = 0; i < GP_VAR_COUNT; i++) {
        bool is_set = false;
        starts[i] = text->size;
        gp_status st = gp_env_get(names[i], text, &is_set);
        if (gp_failed(st)) { return st; }
        gp_text_append_bytes(text, "", 1);
    }
    gp_status st = gp_text_status(text, "gp_settings_read");
    if (gp_failed(st)) { return st; }
    /* Only now: while it grows the text moves. */
    for (int i = 0; i < GP_VAR_COUNT; i++) {
        const char *value = text->data + starts[i];
        settings->values[i] = *value == '\0' ? NULL : value;
    }
    return gp_ok();
}

void
gp_settings_free(gp_settings *settings)
{
    gp_text_free(&settings->text);
    *settings = (gp_settings){.text = GP_TEXT_EMPTY};
}
