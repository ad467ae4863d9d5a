#include "gp_cudnn_bag.h"

#include "base/gp_alloc.h"

gp_cudnn_failure
gp_cudnn_failure_of(const gp_cudnn *dnn, gp_status status)
{
    gp_cudnn_failure failure = {.status = status};
    if (status.kind == GP_CUDNN) {
        dnn->cudnnGetLastErrorString(failure.text, sizeof(failure.text));
        failure.text[sizeof(failure.text) - 1] = '\0';
    }
    return failure;
}

void
gp_cudnn_bag_begin(gp_cudnn_bag *bag, const gp_cudnn *dnn)
{
    bag->dnn = dnn;
    bag->failure.status = gp_ok();
    bag->failure.text[0] = '\0'; /* each call begins a bag: no more of it is cleared */
    bag->held = NULL;
    bag->count = 0;
    bag->capacity = 0;
}

bool
gp_cudnn_has_failed(const gp_cudnn_bag *bag)
{
    return gp_failed(bag->failure.status);
}

static void
note(gp_cudnn_bag *bag, gp_status status)
{
    if (gp_failed(status)) { bag->failure = gp_cudnn_failure_of(bag->dnn, status); }
}

/* Room for one more, before it is made: what is made can always be held. */
static bool
make_room(gp_cudnn_bag *bag)
{
    if (bag->count < bag->capacity) { return true; }
    size_t capacity = bag->capacity == 0 ? 16 : 2 * bag->capacity;
    gp_cudnn_descriptor *larger = gp_realloc(bag->held, capacity * sizeof(*larger));
    if (larger == NULL) {
        note(bag, gp_fail(GP_NO_MEMORY, 0, "gp_cudnn_make"));
        return false;
    }
    bag->held = larger;
    bag->capacity = capacity;
    return true;
}

gp_cudnn_descriptor
gp_cudnn_make(gp_cudnn_bag *bag, gp_cudnn_kind kind)
{
    gp_cudnn_descriptor made = NULL;
    if (gp_cudnn_has_failed(bag) || !make_room(bag)) { return NULL; }
    gp_status st = GP_CUDNN_CALL(bag->dnn, cudnnBackendCreateDescriptor, (kind, &made));
    note(bag, st);
    if (gp_failed(st)) { return NULL; }
    bag->held[bag->count++] = made;
    return made;
}

void
gp_cudnn_set(gp_cudnn_bag *bag, gp_cudnn_descriptor descriptor, gp_cudnn_attribute attribute,
             gp_cudnn_type type, int64_t count, const void *values)
{
    if (gp_cudnn_has_failed(bag)) { return; }
    note(bag, GP_CUDNN_CALL(bag->dnn, cudnnBackendSetAttribute,
                            (descriptor, attribute, type, count, values)));
}

void
gp_cudnn_set_int64(gp_cudnn_bag *bag, gp_cudnn_descriptor descriptor, gp_cudnn_attribute attribute,
                   int64_t value)
{
    gp_cudnn_set(bag, descriptor, attribute, GP_CUDNN_TYPE_INT64, 1, &value);
}

void
gp_cudnn_set_enum(gp_cudnn_bag *bag, gp_cudnn_descriptor descriptor, gp_cudnn_attribute attribute,
                  gp_cudnn_type type, unsigned int value)
{
    gp_cudnn_set(bag, descriptor, attribute, type, 1, &value);
}

void
gp_cudnn_set_descriptor(gp_cudnn_bag *bag, gp_cudnn_descriptor descriptor,
                        gp_cudnn_attribute attribute, gp_cudnn_descriptor value)
{
    gp_cudnn_set(bag, descriptor, attribute, GP_CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value);
}

void
gp_cudnn_set_handle(gp_cudnn_bag *bag, gp_cudnn_descriptor descriptor, gp_cudnn_attribute attribute,
                    gp_cudnn_handle handle)
{
    gp_cudnn_set(bag, descriptor, attribute, GP_CUDNN_TYPE_HANDLE, 1, &handle);
}

void
gp_cudnn_finalize(gp_cudnn_bag *bag, gp_cudnn_descriptor descriptor)
{
    if (gp_cudnn_has_failed(bag)) { return; }
    note(bag, GP_CUDNN_CALL(bag->dnn, cudnnBackendFinalize, (descriptor)));
}

int64_t
gp_cudnn_get(gp_cudnn_bag *bag, gp_cudnn_descriptor descriptor, gp_cudnn_attribute attribute,
             gp_cudnn_type type, int64_t capacity, void *values)
{
    int64_t count = 0;
    if (gp_cudnn_has_failed(bag)) { return 0; }
    note(bag, GP_CUDNN_CALL(bag->dnn, cudnnBackendGetAttribute,
                            (descriptor, attribute, type, capacity, &count, values)));
    return gp_cudnn_has_failed(bag) ? 0 : count;
}

void
gp_cudnn_execute(gp_cudnn_bag *bag, gp_cudnn_handle handle, gp_cudnn_descriptor plan,
                 gp_cudnn_descriptor pack)
{
    if (gp_cudnn_has_failed(bag)) { return; }
    note(bag, GP_CUDNN_CALL(bag->dnn, cudnnBackendExecute, (handle, plan, pack)));
}

void
gp_cudnn_rewind(gp_cudnn_bag *bag, size_t count)
{
    while (bag->count > count) {
        /* Best effort: there is nothing to be done about one that cannot be ended. */
        (void)GP_CUDNN_CALL(bag->dnn, cudnnBackendDestroyDescriptor, (bag->held[--bag->count]));
    }
    bag->failure.status = gp_ok();
    bag->failure.text[0] = '\0';
}

void
gp_cudnn_bag_free(gp_cudnn_bag *bag)
{
    gp_cudnn_rewind(bag, 0);
    gp_free(bag->held);
    gp_cudnn_bag_begin(bag, bag->dnn);
}
