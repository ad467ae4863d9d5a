/* A cuDNN of our own making behind a gp_cudnn table: keeps descriptors, ranks the engines of the
 * script, counts what is held, lets the n-th call fail, and computes by the plain reference what
 * the descriptors say. For tests of what gpuprobe asks for; what cuDNN checks is in tests/fakes. */
#ifndef SCRIPTED_CUDNN_H
#define SCRIPTED_CUDNN_H

#include "api/gp_cudnn.h"

enum { SCRIPTED_CUDNN_CODE = 4000, SCRIPTED_MOST_ENGINES = 8, SCRIPTED_MOST_NOTES = 4 };

/* An engine: what it says of itself, and what it answers. */
typedef struct scripted_engine {
    int64_t number;
    unsigned int notes[SCRIPTED_MOST_NOTES];
    int64_t note_count;
    int64_t workspace;
    gp_cudnn_result refusal; /* what finalizing its plan returns */
    bool takes_no_fusion;    /* refuses graphs of two operations */
} scripted_engine;

typedef struct scripted_cudnn {
    /* What to do. */
    size_t fail_at;             /* the n-th call returns SCRIPTED_CUDNN_CODE; 0: none */
    int64_t refused_operations; /* a graph of so many, or more, is refused as such; 0: none is */
    scripted_engine usual[SCRIPTED_MOST_ENGINES]; /* those that mode A ranks */
    size_t usual_count;
    size_t lost; /* so many of them are announced and then do not come */
    scripted_engine fallback[SCRIPTED_MOST_ENGINES];
    size_t fallback_count;

    /* What was done. */
    size_t calls;
    size_t made; /* descriptors */
    int held;    /* descriptors */
    int handles;
    int executed;
    gp_cu_stream stream;
    const void *workspace; /* of the last execution; NULL: none */
} scripted_cudnn;

/* At first one usual engine, number 1, without notes or workspace. */
extern scripted_cudnn dnn_script;

gp_cudnn scripted_cudnn_table(void);

/* Fails the test if anything is still held. */
void scripted_cudnn_assert_released(void);

#endif
