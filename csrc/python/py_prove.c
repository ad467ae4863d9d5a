/* prove_product: what a proof found, as a dictionary of which Python makes a gpuprobe.Proof. */
#include "py_numpy.h"
#include "py_signals.h"

#include "ops/prove/gp_prove_matmul.h"

static const char *const basis_names[] = {
    [GP_BASIS_EXACT] = "exact",
    [GP_BASIS_BOUND] = "bound",
    [GP_BASIS_NONE] = "none",
};
static const char *const pattern_names[] = {
    [GP_PATTERN_NONE] = "none",
    [GP_PATTERN_ELEMENT] = "element",
    [GP_PATTERN_ROWS] = "rows",
    [GP_PATTERN_COLUMNS] = "columns",
    [GP_PATTERN_TILE] = "tile",
    [GP_PATTERN_SCATTERED] = "scattered",
    [GP_PATTERN_EVERYWHERE] = "everywhere",
};

typedef struct prove_call {
    PyObject *arrays[3]; /* borrowed: a, b, c */
    gp_tensor tensors[3];
    gp_product product;
    unsigned long long seed;
    Py_ssize_t zero_steps;
} prove_call;

static int
parse(PyObject *args, prove_call *call, int *axes)
{
    static const char *const names[] = {"a", "b", "c"};
    const char *compute = NULL;
    if (!PyArg_ParseTuple(args, "OOOisK|n:prove_product", &call->arrays[0], &call->arrays[1],
                          &call->arrays[2], axes, &compute, &call->seed, &call->zero_steps)) {
        return -1;
    }
    call->product.arithmetic = core_find_arithmetic(compute);
    if (call->product.arithmetic == NULL) { return -1; }
    for (int i = 0; i < 3; i++) {
        if (core_read_array(call->arrays[i], names[i], &call->tensors[i]) < 0) { return -1; }
    }
    return 0;
}

/* As in numpy.tensordot, the last `axes` axes of a are summed with the first of b. */
static int
make_product(prove_call *call, int axes)
{
    const gp_tensor *a = &call->tensors[0];
    const gp_tensor *b = &call->tensors[1];
    const gp_tensor *c = &call->tensors[2];
    if (axes < 0 || axes > a->ndim || axes > b->ndim || c->ndim != a->ndim + b->ndim - 2 * axes) {
        PyErr_Format(PyExc_ValueError,
                     "prove_product: over %d axes, arrays of %d and %d axes do not make one of %d",
                     axes, a->ndim, b->ndim, c->ndim);
        return -1;
    }
    int rows = a->ndim - axes;
    if (!gp_matrix_of_tensor(a, rows, &call->product.a) ||
        !gp_matrix_of_tensor(b, axes, &call->product.b) ||
        !gp_matrix_of_tensor(c, rows, &call->product.c)) {
        PyErr_Format(PyExc_ValueError, "prove_product: more than %d axes in one direction",
                     GP_MAX_OUTER + 1);
        return -1;
    }
    if (call->zero_steps < 0 || (size_t)call->zero_steps > call->product.a.columns) {
        PyErr_Format(PyExc_ValueError, "prove_product: %zd of %zu products cannot be 0",
                     call->zero_steps, call->product.a.columns);
        return -1;
    }
    call->product.zero_steps = (size_t)call->zero_steps;
    return 0;
}

/* Why the core refused: the shapes do not fit, or nothing can be promised. */
static void
set_refusal(const gp_product *product)
{
    if (product->a.columns != product->b.rows || product->a.rows != product->c.rows ||
        product->b.columns != product->c.columns) {
        PyErr_Format(PyExc_ValueError, "(%zu, %zu) times (%zu, %zu) is not (%zu, %zu)",
                     product->a.rows, product->a.columns, product->b.rows, product->b.columns,
                     product->c.rows, product->c.columns);
        return;
    }
    PyErr_Format(
        PyExc_ValueError,
        "%s promises nothing of sums of %zu such products: they may overflow or underflow, "
        "or rounding may be as large as the result",
        product->arithmetic->name, gp_product_steps(product));
}

static PyObject *
elements_object(const gp_matmul_proof *proof)
{
    PyObject *py_elements = PyTuple_New((Py_ssize_t)proof->element_count);
    if (py_elements == NULL) { return NULL; }
    for (size_t i = 0; i < proof->element_count; i++) {
        const gp_wrong_element *element = &proof->elements[i];
        PyObject *py_element = Py_BuildValue(
            "(nnddKK)", (Py_ssize_t)element->row, (Py_ssize_t)element->column, element->expected,
            element->got, (unsigned long long)element->expected_bits,
            (unsigned long long)element->got_bits);
        if (py_element == NULL) {
            Py_DECREF(py_elements);
            return NULL;
        }
        (void)PyTuple_SetItem(py_elements, (Py_ssize_t)i, py_element);
    }
    return py_elements;
}

static PyObject *
lines_object(gp_wrong_lines lines)
{
    return Py_BuildValue("(nnn)", (Py_ssize_t)lines.count, (Py_ssize_t)lines.first,
                         (Py_ssize_t)lines.last);
}

static PyObject *
truth(bool value)
{
    return PyBool_FromLong(value);
}

/* "N" hands a reference over, also where the dictionary cannot be made; where one of them is NULL
 * its exception is kept. */
static PyObject *
findings_object(const gp_matmul_proof *proof)
{
    const char not_finite[2] = {proof->not_finite, '\0'};
    return Py_BuildValue(
        "{s:N,s:s,s:s,s:(nn),s:d,s:s,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N}", /* clang-format off */
        "is_right", truth(proof->is_right),
        "basis", basis_names[proof->basis],
        "not_finite", not_finite,
        "bad_place", (Py_ssize_t)proof->bad_row, (Py_ssize_t)proof->bad_column,
        "fraction", proof->fraction,
        "pattern", pattern_names[proof->pattern],
        "rows", lines_object(proof->rows),
        "columns", lines_object(proof->columns),
        "is_zero", truth(proof->is_zero),
        "is_tf32", truth(proof->is_tf32),
        "is_one_bit", truth(proof->is_one_bit),
        "has_swapped_rows", truth(proof->has_swapped_rows),
        "has_swapped_columns", truth(proof->has_swapped_columns),
        "elements", elements_object(proof)); /* clang-format on */
}

PyObject *
core_prove_product(PyObject *module, PyObject *args)
{
    prove_call call = {.zero_steps = 0};
    gp_matmul_proof proof;
    int axes = 0;
    (void)module;
    if (parse(args, &call, &axes) < 0 || make_product(&call, axes) < 0) { return NULL; }
    core_signals signals;
    core_signals_begin(&signals);
    call.product.watch = &signals.watch;
    gp_status st = gp_prove_matmul(&call.product, call.seed, &proof);
    if (!core_signals_end(&signals)) { return NULL; }
    switch (st.kind) {
    case GP_OK: return findings_object(&proof);
    case GP_NO_MEMORY: return PyErr_NoMemory();
    default: set_refusal(&call.product); return NULL;
    }
}
