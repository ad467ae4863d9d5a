/* What the libraries of the CUDA toolkit and its companions are called on this system: the bare
 * names to search for, the one that is wanted most first; NULL after the last. */
#ifndef GP_TOOLKIT_FILES_H
#define GP_TOOLKIT_FILES_H

extern const char *const gp_cudnn_file_names[];

/* Of CUDA 13, 12 and 11, in this order. */
extern const char *const gp_cublaslt_file_names[];

#endif
