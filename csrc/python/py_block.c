#include "py_arena.h"

/* One piece of device memory; it goes back to its arena when the object goes. */
typedef struct block_object {
    PyObject_HEAD arena_object *owner; /* a reference */
    gp_block *block;                   /* valid while the arena is open */
    unsigned long long address;
    size_t size;
} block_object;

static void
give_back(arena_object *owner, gp_block *block)
{
    if (!owner->is_open) { return; } /* the arena took its blocks with it */
    if (gp_arena_free_at_once(&owner->arena, block)) { return; }
    owner->users++;
    PyThreadState *saved = PyEval_SaveThread();
    gp_arena_free(&owner->arena, block);
    PyEval_RestoreThread(saved);
    owner->users--;
}

/* Takes the block over, also where it fails. */
static PyObject *
new_object(arena_object *owner, gp_block *block)
{
    const core_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)owner));
    block_object *self = PyObject_New(block_object, state->block);
    if (self == NULL) {
        give_back(owner, block);
        return NULL;
    }
    self->owner = (arena_object *)Py_NewRef((PyObject *)owner);
    self->block = block;
    self->address = block->address;
    self->size = block->size;
    return (PyObject *)self;
}

/* Waits for the lock or the driver where it has to. NULL with ArenaFull or ArenaError. */
static gp_block *
alloc_without_gil(arena_object *owner, size_t size, gp_cu_stream stream)
{
    gp_block *block = NULL;
    gp_shortage shortage;
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st = gp_arena_alloc(&owner->arena, size, stream, &block, &shortage);
    PyEval_RestoreThread(saved);
    if (gp_failed(st)) { (void)arena_set_error(owner, st, &shortage); }
    return block;
}

PyObject *
core_new_block(arena_object *owner, size_t size, gp_cu_stream stream)
{
    if (!arena_enter(owner)) { return NULL; }
    gp_block *block = gp_arena_alloc_at_once(&owner->arena, size, stream);
    if (block == NULL) { block = alloc_without_gil(owner, size, stream); }
    PyObject *py_block = block == NULL ? NULL : new_object(owner, block);
    arena_leave(owner);
    return py_block;
}

unsigned long long
core_block_address(PyObject *block)
{
    return ((const block_object *)block)->address;
}

static void
block_dealloc(PyObject *object)
{
    block_object *self = (block_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    give_back(self->owner, self->block);
    Py_DECREF((PyObject *)self->owner);
    PyObject_Free(object);
    Py_DECREF((PyObject *)type);
}

static PyObject *
block_share(PyObject *object, PyObject *py_stream)
{
    block_object *self = (block_object *)object;
    size_t stream = PyLong_AsSize_t(py_stream);
    if (PyErr_Occurred() || !arena_enter(self->owner)) { return NULL; }
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st =
        gp_arena_share(&self->owner->arena, self->block, (gp_cu_stream)(uintptr_t)stream);
    PyEval_RestoreThread(saved);
    arena_leave(self->owner);
    if (gp_failed(st)) { return arena_set_error(self->owner, st, NULL); }
    return Py_NewRef(Py_None);
}

static PyObject *
get_address(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLongLong(((const block_object *)object)->address);
}

static PyObject *
get_size(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(((const block_object *)object)->size);
}

/* The tables are constant for us; CPython's API takes no const, and does not write. */
PyTypeObject *
core_new_block_type(PyObject *module)
{
    static const PyMethodDef methods[] = {
        {"share", block_share, METH_O,
         PyDoc_STR("share(stream, /)\n--\n\nSay that another stream works on the block, too.")},
        {NULL, NULL, 0, NULL},
    };
    static const PyGetSetDef getters[] = {
        {"address", get_address, NULL, PyDoc_STR("The device address."), NULL},
        {"size", get_size, NULL, PyDoc_STR("Bytes, rounded up."), NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    PyType_Slot slots[] = {
        {Py_tp_doc, (void *)(uintptr_t) "Device memory; goes back when the object goes."},
        {Py_tp_dealloc, (void *)block_dealloc},
        {Py_tp_methods, (void *)(uintptr_t)methods},
        {Py_tp_getset, (void *)(uintptr_t)getters},
        {0, NULL},
    };
    PyType_Spec spec = {"gpuprobe._core.Block", sizeof(block_object), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}
