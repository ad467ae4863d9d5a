/* Descriptors: made, given attributes, finalized, read, and gone when nobody uses them. */
#include "fake_cudnn.h"

#include <stdlib.h>
#include <string.h>

typedef struct attribute_rule {
    cudnnBackendDescriptorType_t kind;
    cudnnBackendAttributeName_t name;
    cudnnBackendAttributeType_t type;
    int64_t most;
} attribute_rule;

static const attribute_rule rules[] = {
#define FAKE_ATTRIBUTE(kind, name, type, most) \
    {CUDNN_BACKEND_##kind##_DESCRIPTOR, CUDNN_ATTR_##name, CUDNN_TYPE_##type, most},
#include "attributes.def"
#undef FAKE_ATTRIBUTE
};

atomic_size_t fake_live_descriptors;

static bool
is_played(cudnnBackendDescriptorType_t kind)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].kind == kind) { return true; }
    }
    return kind == CUDNN_BACKEND_ENGINECFG_DESCRIPTOR; /* given by heuristics alone */
}

cudnnStatus_t
cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t kind, cudnnBackendDescriptor_t *made)
{
    FAKE_CALL();
    if (made == NULL) { return fake_refuse(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "descriptor"); }
    if (!is_played(kind)) {
        return fake_refuse(CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED,
                           "CUDNN_STATUS_SUCCESS != getSizeOfDescriptor(descriptorType, size)");
    }
    fake_descriptor *d = calloc(1, sizeof *d);
    if (d == NULL) { fake_die("no memory for a descriptor"); }
    d->kind = kind;
    d->users = 1;
    fake_live_descriptors++;
    *made = d;
    return CUDNN_STATUS_SUCCESS;
}

void
fake_use(fake_descriptor *d)
{
    d->users++;
}

void
fake_drop(fake_descriptor *d)
{
    if (--d->users > 0) { return; }
    for (size_t i = 0; i < d->count; i++) {
        const fake_attribute *a = &d->attributes[i];
        for (int64_t j = 0; a->type == CUDNN_TYPE_BACKEND_DESCRIPTOR && j < a->count; j++) {
            fake_drop(fake_part(d, a->name, (size_t)j));
        }
    }
    if (d->graph != NULL) { fake_drop(d->graph); }
    free(d);
}

/* What the descriptor was given to keeps what it needs of it, as the real one's does. */
cudnnStatus_t
cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor)
{
    FAKE_CALL();
    if (descriptor == NULL) {
        return fake_refuse(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "nullptr == descriptor");
    }
    fake_drop(descriptor);
    fake_live_descriptors--;
    return CUDNN_STATUS_SUCCESS;
}

static size_t
size_of(cudnnBackendAttributeType_t type)
{
    switch (type) {
    case CUDNN_TYPE_BOOLEAN: return sizeof(bool);
    case CUDNN_TYPE_HANDLE:
    case CUDNN_TYPE_VOID_PTR:
    case CUDNN_TYPE_BACKEND_DESCRIPTOR:
    case CUDNN_TYPE_INT64: return 8;
    default: return sizeof(int);
    }
}

static const attribute_rule *
rule_of(const fake_descriptor *d, cudnnBackendAttributeName_t name)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].kind == d->kind && rules[i].name == name) { return &rules[i]; }
    }
    return NULL;
}

/* The place of the attribute, an old value or a new one. */
static fake_attribute *
place_for(fake_descriptor *d, cudnnBackendAttributeName_t name)
{
    for (size_t i = 0; i < d->count; i++) {
        if (d->attributes[i].name == name) { return &d->attributes[i]; }
    }
    if (d->count == FAKE_MOST_ATTRIBUTES) { fake_die("more attributes than are played"); }
    return &d->attributes[d->count++];
}

cudnnStatus_t
cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                         cudnnBackendAttributeType_t type, int64_t count, const void *values)
{
    FAKE_CALL();
    fake_descriptor *d = descriptor;
    if (d == NULL || values == NULL) {
        return fake_refuse(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "nullptr == descriptor");
    }
    const attribute_rule *rule = rule_of(d, name);
    if (d->is_final || rule == NULL || count < 1 || count > rule->most) {
        return fake_refuse(CUDNN_STATUS_BAD_PARAM,
                           "ptrDesc->set(attributeName, attributeType, elementCount, "
                           "arrayOfElements)");
    }
    if (type != rule->type) {
        return fake_refuse(CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE, "another type of attribute");
    }
    if (type == CUDNN_TYPE_HANDLE && *(void *const *)values == NULL) {
        return fake_refuse(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "nullptr == handle");
    }
    for (int64_t i = 0; type == CUDNN_TYPE_BACKEND_DESCRIPTOR && i < count; i++) {
        if (((void *const *)values)[i] == NULL) {
            return fake_refuse(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "a part is NULL");
        }
    }
    fake_attribute *a = place_for(d, name);
    if (a->count > 0 && type == CUDNN_TYPE_BACKEND_DESCRIPTOR) {
        fake_die("a part that is set twice is not played yet");
    }
    *a = (fake_attribute){.name = name, .type = type, .count = count};
    memcpy(a->values, values, (size_t)count * size_of(type));
    for (int64_t i = 0; type == CUDNN_TYPE_BACKEND_DESCRIPTOR && i < count; i++) {
        fake_use(fake_part(d, name, (size_t)i));
    }
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor)
{
    FAKE_CALL();
    fake_descriptor *d = descriptor;
    if (d == NULL) { return fake_refuse(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "descriptor"); }
    const cudnnStatus_t verdict = fake_check(d);
    d->is_final = verdict == CUDNN_STATUS_SUCCESS;
    return verdict;
}

cudnnStatus_t
cudnnBackendGetAttribute(cudnnBackendDescriptor_t const descriptor,
                         cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                         int64_t capacity, int64_t *count, void *values)
{
    FAKE_CALL();
    fake_descriptor *d = descriptor;
    if (d == NULL || count == NULL) {
        return fake_refuse(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "nullptr == descriptor");
    }
    if (!d->is_final) { return fake_refuse(CUDNN_STATUS_NOT_INITIALIZED, "status"); }
    if (fake_derive(d, name, capacity, count, values)) { return CUDNN_STATUS_SUCCESS; }
    const fake_attribute *a = fake_find(d, name);
    if (a == NULL) { return fake_refuse(CUDNN_STATUS_BAD_PARAM, "ptrDesc->get(attributeName)"); }
    if (type != a->type) {
        return fake_refuse(CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE, "another type of attribute");
    }
    *count = capacity < a->count ? capacity : a->count;
    if (*count > 0) { memcpy(values, a->values, (size_t)*count * size_of(type)); }
    return CUDNN_STATUS_SUCCESS;
}

const fake_attribute *
fake_find(const fake_descriptor *d, cudnnBackendAttributeName_t name)
{
    for (size_t i = 0; i < d->count; i++) {
        if (d->attributes[i].name == name) { return &d->attributes[i]; }
    }
    return NULL;
}

int64_t
fake_count(const fake_descriptor *d, cudnnBackendAttributeName_t name)
{
    const fake_attribute *a = fake_find(d, name);
    return a == NULL ? 0 : a->count;
}

fake_descriptor *
fake_part(const fake_descriptor *d, cudnnBackendAttributeName_t name, size_t index)
{
    fake_descriptor *part = NULL;
    const fake_attribute *a = fake_find(d, name);
    if (a != NULL) { memcpy(&part, a->values + index * sizeof part, sizeof part); }
    return part;
}

int64_t
fake_number(const fake_descriptor *d, cudnnBackendAttributeName_t name, size_t index,
            int64_t otherwise)
{
    int64_t number = otherwise;
    const fake_attribute *a = fake_find(d, name);
    if (a != NULL) { memcpy(&number, a->values + index * sizeof number, sizeof number); }
    return number;
}

int
fake_enum(const fake_descriptor *d, cudnnBackendAttributeName_t name, int otherwise)
{
    int number = otherwise;
    const fake_attribute *a = fake_find(d, name);
    if (a != NULL) { memcpy(&number, a->values, sizeof number); }
    return number;
}
