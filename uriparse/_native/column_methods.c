#include "kernel.h"

#include <string.h>

#include "columns.h"

/* Methods of `Rule` for columns: buffers of Python's in, blocks out, Python's lock let go between. */

/* `Block`, and capsules of the Arrow PyCapsule protocol made of blocks. */

typedef struct {
    PyObject_HEAD
    Block *block;
} BlockObject;

static PyObject *block_object(State *state, Block *block) {
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

#define MOST_WANTED 16

/* Buffers that are held while a column is read. */
typedef struct {
    Rows rows;
    Py_buffer *held;
    Py_ssize_t count;
} Held;

static void let_go(Held *held) {
    for (Py_ssize_t number = 0; number < held->count; number++) PyBuffer_Release(&held->held[number]);
    PyMem_Free(held->held);
    PyMem_Free(held->rows.texts.data);
    memset(held, 0, sizeof *held);
}

/* Hold a buffer, or none for None; 0 with an error. */
static int hold(Held *held, PyObject *given, Buffer *buffer) {
    Py_buffer *place = &held->held[held->count];
    memset(buffer, 0, sizeof *buffer);
    if (given == Py_None) return 1;
    if (PyObject_GetBuffer(given, place, PyBUF_SIMPLE) < 0) return 0;
    held->count++;
    buffer->octets = place->buf;
    buffer->size = place->len;
    return 1;
}

/* Take rows as `uriparse.arrow` gives them: (length, texts, keys or None), where texts is (length,
   offset, width, validity, places, data) and keys is (offset, width, validity, keys). */
static int take(Held *held, PyObject *given) {
    Rows *rows = &held->rows;
    Texts *texts = &rows->texts;
    PyObject *own, *keys, *validity, *places, *data, *key_validity = Py_None, *octets = Py_None;
    memset(held, 0, sizeof *held);
    if (!PyTuple_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "rows are a tuple");
        return 0;
    }
    if (!PyArg_ParseTuple(given, "LO!O", &rows->length, &PyTuple_Type, &own, &keys) ||
        !PyArg_ParseTuple(own, "LLiOOO!", &texts->length, &texts->offset, &texts->width, &validity,
                          &places, &PyTuple_Type, &data))
        return 0;
    if (keys != Py_None) {
        if (!PyTuple_Check(keys)) {
            PyErr_SetString(PyExc_TypeError, "keys are a tuple or None");
            return 0;
        }
        if (!PyArg_ParseTuple(keys, "LiOO", &rows->key_offset, &rows->key_width, &key_validity,
                              &octets))
            return 0;
    }
    texts->parts = PyTuple_Size(data);
    held->held = PyMem_Calloc((size_t)texts->parts + 4, sizeof *held->held);
    texts->data = PyMem_Calloc((size_t)texts->parts + 1, sizeof *texts->data);
    if (held->held == NULL || texts->data == NULL) {
        PyErr_NoMemory();
        let_go(held);
        return 0;
    }
    if (!hold(held, validity, &texts->validity) || !hold(held, places, &texts->places) ||
        !hold(held, key_validity, &rows->key_validity) || !hold(held, octets, &rows->keys)) {
        let_go(held);
        return 0;
    }
    for (Py_ssize_t number = 0; number < texts->parts; number++)
        if (!hold(held, PyTuple_GetItem(data, number), &texts->data[number])) {
            let_go(held);
            return 0;
        }
    if (rows_fit(rows) && (keys == Py_None) == (rows->key_width == 0)) return 1;
    PyErr_SetString(PyExc_ValueError, "the buffers are too small for the column");
    let_go(held);
    return 0;
}

static PyObject *refused(int64_t done) {
    if (done == NO_MEMORY) return PyErr_NoMemory();
    if (done == NO_ROOM)
        PyErr_SetString(PyExc_OverflowError, "the texts are too long for offsets of 32 bits");
    else if (done == WRONG_TABLES)
        PyErr_SetString(PyExc_SystemError, "the tables tell what no text can have");
    else
        PyErr_Format(PyExc_ValueError, "row %lld lies outside of its buffers", (long long)done);
    return NULL;
}

static PyObject *as_block(PyObject *module, Block *block) {
    return block == NULL ? Py_NewRef(Py_None) : block_object(PyModule_GetState(module), block);
}

/* (nulls, validity or None, values, data or None), whose blocks are taken over */
static PyObject *as_column(PyObject *module, Made *made) {
    PyObject *validity = as_block(module, made->nulls ? made->validity : NULL), *found = NULL;
    PyObject *values = as_block(module, made->values), *data = as_block(module, made->data);
    if (validity && values && data)
        found = Py_BuildValue("LOOO", (long long)made->nulls, validity, values, data);
    Py_XDECREF(validity);
    Py_XDECREF(values);
    Py_XDECREF(data);
    return found;
}

typedef int64_t (*Way)(const Tables *, uint32_t, const Rows *, Made *);

static PyObject *gone_through(RuleObject *self, PyObject *given, int (*begin)(Made *, int64_t),
                              Way way) {
    PyObject *module = PyType_GetModule(Py_TYPE(OBJECT(self))), *found = NULL;
    Held held;
    Made made;
    int64_t done = NO_MEMORY;
    if (module == NULL || !take(&held, given)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    if (begin(&made, held.rows.length))
        done = way(&self->tables->tables, self->start, &held.rows, &made);
    Py_END_ALLOW_THREADS
    found = done == DONE ? as_column(module, &made) : refused(done);
    made_drop(&made);
    let_go(&held);
    return found;
}

PyObject *rule_verdicts(RuleObject *self, PyObject *given) {
    return gone_through(self, given, made_bits, column_verdicts);
}

PyObject *rule_stops(RuleObject *self, PyObject *given) {
    return gone_through(self, given, made_numbers, column_stops);
}

/* A column that is wanted: (fields,), or (constant, names) */
static int want(Wanted *wanted, PyObject *given, const Tables *tables) {
    PyObject *names;
    Buffer *buffers;
    if (PyTuple_Check(given) && PyTuple_Size(given) == 1 && PyTuple_Check(PyTuple_GetItem(given, 0))) {
        PyObject *fields = PyTuple_GetItem(given, 0);
        wanted->count = PyTuple_Size(fields);
        for (Py_ssize_t number = 0; number < wanted->count && number < MOST_PLACES / 2; number++) {
            long field = PyLong_AsLong(PyTuple_GetItem(fields, number));
            if (field < 0 || field >= (long)tables->places / 2) break;
            wanted->fields[number] = (uint8_t)field;
            if (number + 1 == wanted->count) return 1;
        }
    } else if (PyTuple_Check(given) &&
               PyArg_ParseTuple(given, "bO!", &wanted->constant, &PyTuple_Type, &names)) {
        buffers = PyMem_Calloc((size_t)PyTuple_Size(names) + 1, sizeof *buffers);
        if (buffers == NULL) {
            PyErr_NoMemory();
            return 0;
        }
        wanted->names = buffers;
        for (; wanted->named < PyTuple_Size(names); wanted->named++) {
            Py_ssize_t size;
            char *octets;
            if (PyBytes_AsStringAndSize(PyTuple_GetItem(names, wanted->named), &octets, &size) < 0)
                return 0;
            buffers[wanted->named] = (Buffer){(const uint8_t *)octets, size};
        }
        if (wanted->constant < tables->constants) return 1;
    }
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "the tables do not tell what is wanted");
    return 0;
}

static PyObject *as_columns(PyObject *module, Made *made, Py_ssize_t count) {
    PyObject *found = PyTuple_New(count);
    for (Py_ssize_t number = 0; found != NULL && number < count; number++) {
        PyObject *one = as_column(module, &made[number]);
        if (one == NULL || PyTuple_SetItem(found, number, one) < 0) Py_CLEAR(found);
    }
    return found;
}

/* split(rows, wanted, width): the whole column, and those that are wanted */
PyObject *rule_split(RuleObject *self, PyObject *args) {
    PyObject *module = PyType_GetModule(Py_TYPE(OBJECT(self))), *given, *columns, *found = NULL;
    Wanted wanted[MOST_WANTED];
    Made made[MOST_WANTED + 1];
    Py_ssize_t count;
    int64_t done = NO_MEMORY;
    int width, ready = 1;
    Held held;
    if (module == NULL || !PyArg_ParseTuple(args, "OO!i:split", &given, &PyTuple_Type, &columns, &width))
        return NULL;
    count = PyTuple_Size(columns);
    if (count > MOST_WANTED || (width != 4 && width != 8)) {
        PyErr_SetString(PyExc_ValueError, "so much cannot be told at once");
        return NULL;
    }
    if (!take(&held, given)) return NULL;
    memset(wanted, 0, sizeof wanted);
    memset(made, 0, sizeof made);
    for (Py_ssize_t number = 0; number < count && ready; number++)
        ready = want(&wanted[number], PyTuple_GetItem(columns, number), &self->tables->tables);
    if (ready) {
        Py_BEGIN_ALLOW_THREADS
        ready = made_bits(&made[0], held.rows.length);
        for (Py_ssize_t number = 0; number < count && ready; number++)
            ready = made_texts(&made[number + 1], held.rows.length, width);
        if (ready)
            done = column_split(&self->tables->tables, self->start, &held.rows, wanted, count,
                                made + 1, made);
        Py_END_ALLOW_THREADS
        found = done == DONE ? as_columns(module, made, count + 1) : refused(done);
    }
    for (Py_ssize_t number = 0; number <= count; number++) made_drop(&made[number]);
    for (Py_ssize_t number = 0; number < count; number++) PyMem_Free((void *)wanted[number].names);
    let_go(&held);
    return found;
}

static PyObject *patched_by(PyObject *module, const Held *held, const Buffer *kept, PyObject *given,
                            int width) {
    PyObject *found;
    Py_ssize_t count = PyTuple_Size(given);
    Buffer *pieces = PyMem_Calloc((size_t)count + 1, sizeof *pieces);
    Made made;
    int64_t done = NO_MEMORY;
    if (pieces == NULL) return PyErr_NoMemory();
    for (Py_ssize_t number = 0; number < count; number++) {
        PyObject *piece = PyTuple_GetItem(given, number);
        Py_ssize_t size;
        char *octets;
        if (piece == Py_None) continue;
        if (PyBytes_AsStringAndSize(piece, &octets, &size) < 0) {
            PyMem_Free(pieces);
            return NULL;
        }
        pieces[number] = (Buffer){(const uint8_t *)octets, size};
    }
    Py_BEGIN_ALLOW_THREADS
    if (made_texts(&made, held->rows.length, width))
        done = column_patched(&held->rows, kept->octets, pieces, count, &made);
    Py_END_ALLOW_THREADS
    found = done == DONE ? as_column(module, &made) : refused(done);
    made_drop(&made);
    PyMem_Free(pieces);
    return found;
}

/* patched(rows, kept, given, width) */
static PyObject *patched(PyObject *module, PyObject *args) {
    PyObject *rows, *given, *found = NULL;
    Py_buffer kept;
    int width;
    Held held;
    if (!PyArg_ParseTuple(args, "Oy*O!i:patched", &rows, &kept, &PyTuple_Type, &given, &width))
        return NULL;
    if (take(&held, rows)) {
        Buffer bits = {kept.buf, kept.len};
        if ((width == 4 || width == 8) && kept.len >= held.rows.length / 8 + (held.rows.length % 8 != 0))
            found = patched_by(module, &held, &bits, given, width);
        else
            PyErr_SetString(PyExc_ValueError, "the buffers are too small for the column");
        let_go(&held);
    }
    PyBuffer_Release(&kept);
    return found;
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

PyMethodDef column_functions[] = {
    {"patched", patched, METH_VARARGS, "Copy texts, with others in the place of some."},
    {"schema", schema, METH_O, "A capsule of a type."},
    {"array", array, METH_O, "A capsule of a column."},
    {"stream", stream, METH_VARARGS, "A capsule of columns of one type."},
    {NULL, NULL, 0, NULL},
};
