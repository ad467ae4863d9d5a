/* A cuBLASLt of our own making behind a gp_cublaslt table: it computes on the host, counts what is
 * held, and lets the n-th call fail. Addresses are the host's own. */
#ifndef SCRIPTED_CUBLASLT_H
#define SCRIPTED_CUBLASLT_H

#include "api/gp_cublaslt.h"

enum { SCRIPTED_CUBLAS_CODE = 13 }; /* CUBLAS_STATUS_EXECUTION_FAILED */

/* What its algorithm says of itself. */
enum { SCRIPTED_ALGORITHM = 66, SCRIPTED_SPLIT_K = 3 };

typedef struct scripted_cublaslt {
    /* What to do. */
    size_t fail_at;         /* the n-th call returns SCRIPTED_CUBLAS_CODE; 0: none */
    size_t workspace_size;  /* that an algorithm needs, if it is allowed as much */
    gp_cublas_status state; /* of what the heuristic finds */
    int found;              /* how many algorithms that are; 1 at first */
    int told;               /* of the two numbers an algorithm tells: 2 at first; 1: not split_k */

    /* What was done. */
    size_t calls;
    size_t asked; /* heuristics */
    size_t products;
    int handles;
    int descriptors;
    uint32_t alignment;  /* the least that was stated */
    uintptr_t workspace; /* of the last product */
} scripted_cublaslt;

extern scripted_cublaslt cublas_script;

gp_cublaslt scripted_cublaslt_table(void);

/* Fails the test if anything is still held. */
void scripted_cublaslt_assert_released(void);

#endif
