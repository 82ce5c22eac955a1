/* `Block`, and capsules of the Arrow PyCapsule protocol made of blocks. */

#include "kernel.h"

#include <string.h>

#include "arrow.h"

typedef struct {
    PyObject_HEAD
    Block *block;
} BlockObject;

PyObject *block_object(State *state, Block *block) {
    BlockObject *self = (BlockObject *)PyType_GenericAlloc(state->block_type, 0);
    if (self == NULL) return NULL;
    block_hold(block);
    self->block = block;
    return OBJECT(self);
}

static void block_dealloc(BlockObject *self) {
    PyTypeObject *type = Py_TYPE(OBJECT(self));
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    block_drop(self->block);
    release(self);
    Py_DECREF(OBJECT(type));
}

static int block_buffer(BlockObject *self, Py_buffer *view, int flags) {
    return PyBuffer_FillInfo(view, OBJECT(self), self->block->octets, self->block->size, 1, flags);
}

static PyType_Slot block_slots[] = {
    {Py_tp_dealloc, block_dealloc},
    {Py_bf_getbuffer, block_buffer},
    {0, NULL},
};
static PyType_Spec block_spec = {
    "uriparse._native._kernel.Block", sizeof(BlockObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, block_slots};

int add_block_type(PyObject *module, State *state) {
    state->block_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &block_spec, NULL);
    return state->block_type == NULL ? -1 : PyModule_AddType(module, state->block_type);
}

static int no_memory(void) {
    PyErr_NoMemory();
    return 0;
}

/* From (format, name, children). */
static int fill_schema(struct ArrowSchema *schema, PyObject *given) {
    const char *format, *name;
    PyObject *children;
    if (!PyTuple_Check(given) ||
        !PyArg_ParseTuple(given, "ssO!", &format, &name, &PyTuple_Type, &children)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a type is a tuple");
        return 0;
    }
    if (!schema_make(schema, format, name, PyTuple_Size(children))) return no_memory();
    for (Py_ssize_t number = 0; number < PyTuple_Size(children); number++)
        if (!fill_schema(schema->children[number], PyTuple_GetItem(children, number))) return 0;
    return 1;
}

/* Hold a copy of octets that Python owns. */
static int hold_copy(struct ArrowArray *array, Py_ssize_t number, PyObject *given) {
    Py_buffer own;
    Block *block;
    if (PyObject_GetBuffer(given, &own, PyBUF_SIMPLE) < 0) return 0;
    block = block_new(own.len);
    if (block != NULL) {
        memcpy(block->octets, own.buf, (size_t)own.len);
        array_hold(array, number, block);
        block_drop(block);
    }
    PyBuffer_Release(&own);
    return block != NULL || no_memory();
}

/* From (length, nulls, buffers, children). */
static int fill_array(State *state, struct ArrowArray *array, PyObject *given) {
    long long length, nulls;
    PyObject *buffers, *children;
    if (!PyTuple_Check(given) || !PyArg_ParseTuple(given, "LLO!O!", &length, &nulls, &PyTuple_Type,
                                                   &buffers, &PyTuple_Type, &children)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a column is a tuple");
        return 0;
    }
    if (!array_make(array, length, nulls, PyTuple_Size(buffers), PyTuple_Size(children)))
        return no_memory();
    for (Py_ssize_t number = 0; number < PyTuple_Size(buffers); number++) {
        PyObject *block = PyTuple_GetItem(buffers, number);
        if (block == Py_None) continue;
        if (Py_IS_TYPE(block, state->block_type))
            array_hold(array, number, ((BlockObject *)block)->block);
        else if (!hold_copy(array, number, block))
            return 0;
    }
    for (Py_ssize_t number = 0; number < PyTuple_Size(children); number++)
        if (!fill_array(state, array->children[number], PyTuple_GetItem(children, number))) return 0;
    return 1;
}

#define SCHEMA "arrow_schema"
#define ARRAY "arrow_array"
#define STREAM "arrow_array_stream"

#define DESTRUCTOR(function, type, name)                         \
    static void function(PyObject *capsule) {                    \
        type *own = PyCapsule_GetPointer(capsule, name);         \
        if (own->release != NULL) own->release(own);             \
        free(own);                                               \
    }
DESTRUCTOR(drop_schema, struct ArrowSchema, SCHEMA)
DESTRUCTOR(drop_array, struct ArrowArray, ARRAY)
DESTRUCTOR(drop_stream, struct ArrowArrayStream, STREAM)

/* A capsule of a struct that is all zeros, which is released whatever it has become. */
static PyObject *capsule(size_t size, const char *name, PyCapsule_Destructor drop) {
    void *own = calloc(1, size);
    PyObject *made = own == NULL ? PyErr_NoMemory() : PyCapsule_New(own, name, drop);
    if (made == NULL) free(own);
    return made;
}

/* schema(type) */
static PyObject *schema(PyObject *module, PyObject *type) {
    PyObject *made = capsule(sizeof(struct ArrowSchema), SCHEMA, drop_schema);
    (void)module;
    if (made != NULL && !fill_schema(PyCapsule_GetPointer(made, SCHEMA), type)) Py_CLEAR(made);
    return made;
}

/* array(column) */
static PyObject *array(PyObject *module, PyObject *column) {
    PyObject *made = capsule(sizeof(struct ArrowArray), ARRAY, drop_array);
    if (made != NULL &&
        !fill_array(PyModule_GetState(module), PyCapsule_GetPointer(made, ARRAY), column))
        Py_CLEAR(made);
    return made;
}

static void drop_arrays(struct ArrowArray *arrays, Py_ssize_t count) {
    for (Py_ssize_t number = 0; number < count; number++)
        if (arrays[number].release != NULL) arrays[number].release(&arrays[number]);
    free(arrays);
}

/* stream(type, columns) */
static PyObject *stream(PyObject *module, PyObject *args) {
    PyObject *type, *columns, *kind, *made;
    struct ArrowArray *arrays;
    Py_ssize_t count;
    int done;
    if (!PyArg_ParseTuple(args, "OO!:stream", &type, &PyTuple_Type, &columns)) return NULL;
    kind = schema(module, type);
    if (kind == NULL) return NULL;
    made = capsule(sizeof(struct ArrowArrayStream), STREAM, drop_stream);
    count = PyTuple_Size(columns);
    arrays = calloc((size_t)count + 1, sizeof *arrays);
    done = made != NULL && (arrays != NULL || no_memory());
    for (Py_ssize_t number = 0; number < count && done; number++)
        done = fill_array(PyModule_GetState(module), &arrays[number], PyTuple_GetItem(columns, number));
    if (done)
        done = stream_make(PyCapsule_GetPointer(made, STREAM), PyCapsule_GetPointer(kind, SCHEMA),
                           arrays, count) || no_memory();
    if (!done) {
        if (arrays != NULL) drop_arrays(arrays, count);
        Py_CLEAR(made);
    }
    Py_DECREF(kind);
    return made;
}

PyMethodDef handing_functions[] = {
    {"schema", schema, METH_O, "A capsule of a type."},
    {"array", array, METH_O, "A capsule of a column."},
    {"stream", stream, METH_VARARGS, "A capsule of columns of one type."},
    {NULL, NULL, 0, NULL},
};
