/* What the scripted cuDNN keeps of a descriptor, and reads from it. */
#ifndef SCRIPTED_DESCRIPTORS_H
#define SCRIPTED_DESCRIPTORS_H

#include "scripted_cudnn.h"

enum { MOST_ATTRIBUTES = 12, MOST_VALUES = 4 };

typedef struct attribute {
    gp_cudnn_attribute name;
    gp_cudnn_type type;
    int64_t count;
    unsigned char values[MOST_VALUES * sizeof(int64_t)];
} attribute;

typedef struct descriptor {
    gp_cudnn_kind kind;
    bool is_final;
    attribute attributes[MOST_ATTRIBUTES];
    size_t count;
    const scripted_engine *engine;  /* of an engine or a configuration */
    const struct descriptor *graph; /* of a configuration */
} descriptor;

/* What was set, or NULL; how many values; a descriptor that was set, which is final; an enum; so
 * many numbers. But for the first two, it was set. */
const void *value_of(const descriptor *d, gp_cudnn_attribute name);
int64_t count_of(const descriptor *d, gp_cudnn_attribute name);
const descriptor *part_of(const descriptor *d, gp_cudnn_attribute name, size_t index);
unsigned int enum_of(const descriptor *d, gp_cudnn_attribute name);
const int64_t *numbers_of(const descriptor *d, gp_cudnn_attribute name, int64_t count);

/* Computes a graph in the memory of a pack, by the plain reference. */
void scripted_compute(const descriptor *graph, const descriptor *pack);

#endif
