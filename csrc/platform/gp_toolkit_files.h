/* What the libraries of the CUDA toolkit and its companions are called on this system. */
#ifndef GP_TOOLKIT_FILES_H
#define GP_TOOLKIT_FILES_H

/* Of cuBLASLt up to which CUDA: a newer one than the driver's cannot start. */
typedef enum gp_toolkit_file {
    GP_LIBCUDNN,
    GP_LIBCUBLASLT_TO_13,
    GP_LIBCUBLASLT_TO_12,
    GP_LIBCUBLASLT_TO_11
} gp_toolkit_file;

/* The bare names to search for, the one that is wanted most first; NULL after the last. */
const char *const *gp_toolkit_file_names(gp_toolkit_file file);

#endif
