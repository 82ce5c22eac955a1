/* Arrow capsules for Python: columns that are imported, as `Rows`, and capsules made of blocks. */

#include "kernel.h"

#include <string.h>

#define SCHEMA "arrow_schema"
#define ARRAY "arrow_array"
#define STREAM "arrow_array_stream"

/* ---- Import: structs are moved out of their capsules, as the interface requires of a consumer. Python's
   lock is held meanwhile, or two threads could both become the owner of one. */

#define RELEASED "it has been released; a capsule of Arrow can be read only once"

#define MOVE(function, type, name)                                                                 \
    static int function(type *own, PyObject *capsule) {                                            \
        type *given = PyCapsule_GetPointer(capsule, name);                                         \
        if (given == NULL) return 0;                                                               \
        if (given->release == NULL) {                                                              \
            PyErr_SetString(PyExc_ValueError, RELEASED);                                           \
            return 0;                                                                              \
        }                                                                                          \
        *own = *given;                                                                             \
        given->release = NULL;                                                                     \
        return 1;                                                                                  \
    }
MOVE(move_schema, struct ArrowSchema, SCHEMA)
MOVE(move_array, struct ArrowArray, ARRAY)
MOVE(move_stream, struct ArrowArrayStream, STREAM)

/* Release a struct, without Python's lock: an engine may wait for a thread that needs it. The function
   may be one of Python, which must not find the error of a refused column. */
#define RELEASE(own)                                                                               \
    if ((own)->release != NULL) {                                                                  \
        PyObject *error, *value, *trace;                                                           \
        PyErr_Fetch(&error, &value, &trace);                                                       \
        Py_BEGIN_ALLOW_THREADS(own)->release(own);                                                 \
        Py_END_ALLOW_THREADS PyErr_Restore(error, value, trace);                                   \
    }

static void rows_dealloc(RowsObject *self) {
    imported_drop(&self->imported);
    RELEASE(&self->array)
    free_object(OBJECT(self));
}

static Py_ssize_t rows_length(RowsObject *self) { return (Py_ssize_t)self->imported.rows.length; }

/* Return the octets of a row, None for null. */
static PyObject *rows_item(RowsObject *self, Py_ssize_t row) {
    const uint8_t *text;
    size_t size;
    int found;
    if (row < 0 || row >= rows_length(self))
        return RAISED(NULL, PyExc_IndexError, "there is no such row");
    found = rows_text(&self->imported.rows, row, &text, &size);
    if (found == 0) Py_RETURN_NONE;
    if (found > 0) return PyBytes_FromStringAndSize((const char *)text, (Py_ssize_t)size);
    return PyErr_Format(PyExc_ValueError, "row %zd lies outside of its buffers", row);
}

static PyType_Slot rows_slots[] = {
    {Py_tp_dealloc, rows_dealloc},
    {Py_sq_length, rows_length},
    {Py_sq_item, rows_item},
    {0, NULL},
};
PyType_Spec rows_spec = {"uriparse._native._kernel.Rows", sizeof(RowsObject), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, rows_slots};

/* Read the array of an object, which owns it by then. */
static int read_array(RowsObject *self, const ColumnType *type) {
    const char *wrong = import_rows(&self->imported, type, &self->array);
    if (wrong == NULL) return 1;
    if (*wrong == '\0')
        PyErr_NoMemory();
    else
        PyErr_SetString(PyExc_ValueError, wrong);
    return 0;
}

static RowsObject *new_rows(PyObject *module) {
    State *state = PyModule_GetState(module);
    return (RowsObject *)PyType_GenericAlloc(state->types[ROWS], 0);
}

/* Make a list of the rows of one array, which is in a capsule. */
static PyObject *array_rows(PyObject *module, const ColumnType *type, PyObject *capsule) {
    PyObject *found = NULL;
    RowsObject *rows = new_rows(module);
    if (rows != NULL && move_array(&rows->array, capsule) && read_array(rows, type))
        found = Py_BuildValue("[O]", rows);
    Py_XDECREF(OBJECT(rows));
    return found;
}

static PyObject *stream_failed(struct ArrowArrayStream *stream) {
    const char *said = stream->get_last_error(stream);
    return PyErr_Format(PyExc_ValueError, "its stream has failed: %s", said == NULL ? "?" : said);
}

/* Make a list of the rows of each array of a stream. */
static PyObject *stream_rows(PyObject *module, const ColumnType *type,
                             struct ArrowArrayStream *stream) {
    PyObject *found = PyList_New(0);
    int going = found != NULL;
    while (going) {
        RowsObject *rows = new_rows(module);
        int failed = 0;
        if (rows != NULL) {
            Py_BEGIN_ALLOW_THREADS failed = stream->get_next(stream, &rows->array);
            Py_END_ALLOW_THREADS
        }
        if (failed) {
            rows->array.release = NULL; /* what is in it then means nothing */
            stream_failed(stream);
        }
        going = rows != NULL && !failed && rows->array.release != NULL;
        if (rows == NULL || failed ||
            (going && (!read_array(rows, type) || PyList_Append(found, OBJECT(rows)) < 0))) {
            Py_CLEAR(found);
            going = 0;
        }
        Py_XDECREF(OBJECT(rows));
    }
    return found;
}

/* Return (format, format of the dictionary or None, rows); no rows for a type that is not one of texts.
   Then nothing but the type has been moved out of its capsule. */
static PyObject *imported_rows(PyObject *module, const struct ArrowSchema *schema,
                               PyObject *capsule, struct ArrowArrayStream *stream) {
    const struct ArrowSchema *texts = schema->dictionary;
    const char *format = schema->format == NULL ? "" : schema->format, *own = NULL;
    ColumnType type;
    PyObject *rows;
    if (schema->release == NULL || (texts != NULL && texts->release == NULL)) {
        PyErr_SetString(PyExc_ValueError, schema->release == NULL
                                              ? "it has been released"
                                              : "its dictionary has been released");
        return NULL;
    }
    if (texts != NULL) own = texts->dictionary != NULL || !texts->format ? "" : texts->format;
    if (!column_type(&type, schema))
        rows = Py_NewRef(Py_None);
    else
        rows = stream == NULL ? array_rows(module, &type, capsule)
                              : stream_rows(module, &type, stream);
    return rows == NULL ? NULL : Py_BuildValue("yyN", format, own, rows);
}

/* imported(schema, array), imported(stream): what `imported_rows` returns */
static PyObject *imported(PyObject *module, PyObject *args) {
    struct ArrowSchema schema = {0};
    struct ArrowArrayStream stream = {0};
    PyObject *first, *second = NULL, *found = NULL;
    if (!PyArg_ParseTuple(args, "O|O:imported", &first, &second)) return NULL;
    if (second != NULL) {
        if (move_schema(&schema, first)) found = imported_rows(module, &schema, second, NULL);
    } else if (move_stream(&stream, first)) {
        int failed;
        Py_BEGIN_ALLOW_THREADS failed = stream.get_schema(&stream, &schema);
        Py_END_ALLOW_THREADS if (failed) schema.release = NULL;
        found = failed ? stream_failed(&stream) : imported_rows(module, &schema, NULL, &stream);
    }
    RELEASE(&schema)
    RELEASE(&stream)
    return found;
}

/* ---- Export. */

static int no_memory(void) {
    PyErr_NoMemory();
    return 0;
}

/* Fill a schema from (format, name, children). */
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

/* Set a buffer to a copy of Python's octets: an engine may release it in a thread without Python's
   lock, where no Python object may be touched. */
static int hold_copy(struct ArrowArray *array, Py_ssize_t number, PyObject *given) {
    Py_buffer own;
    Block *block;
    if (PyObject_GetBuffer(given, &own, PyBUF_SIMPLE) < 0) return 0;
    block = block_new(own.len);
    if (block != NULL) {
        memcpy(block->octets, own.buf, (size_t)own.len);
        array_set_buffer(array, number, block);
        block_release(block); /* from here on the array is the only owner */
    }
    PyBuffer_Release(&own);
    return block != NULL || no_memory();
}

/* Fill an array from (length, nulls, buffers, children). */
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
        if (Py_IS_TYPE(block, state->types[BLOCK]))
            array_set_buffer(array, number, ((BlockObject *)block)->block);
        else if (!hold_copy(array, number, block))
            return 0;
    }
    for (Py_ssize_t number = 0; number < PyTuple_Size(children); number++)
        if (!fill_array(state, array->children[number], PyTuple_GetItem(children, number)))
            return 0;
    return 1;
}

#define DESTRUCTOR(function, type, name)                                                           \
    static void function(PyObject *capsule) {                                                      \
        type *own = PyCapsule_GetPointer(capsule, name);                                           \
        if (own->release != NULL) own->release(own);                                               \
        free(own);                                                                                 \
    }
DESTRUCTOR(drop_schema, struct ArrowSchema, SCHEMA)
DESTRUCTOR(drop_array, struct ArrowArray, ARRAY)
DESTRUCTOR(drop_stream, struct ArrowArrayStream, STREAM)

/* Make a capsule of a struct of zeros. The destructor releases it unless a consumer has moved it out,
   which sets `release` to NULL, as it is in a struct that has never been filled. */
static PyObject *capsule(size_t size, const char *name, PyCapsule_Destructor drop) {
    void *own = calloc(1, size);
    PyObject *made = own == NULL ? PyErr_NoMemory() : PyCapsule_New(own, name, drop);
    if (made == NULL) free(own);
    return made;
}

/* schema(type): a capsule */
static PyObject *schema(PyObject *module, PyObject *type) {
    PyObject *made = capsule(sizeof(struct ArrowSchema), SCHEMA, drop_schema);
    (void)module;
    if (made != NULL && !fill_schema(PyCapsule_GetPointer(made, SCHEMA), type)) Py_CLEAR(made);
    return made;
}

/* array(column): a capsule */
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

/* stream(type, columns): a capsule of arrays of one type */
static PyObject *stream(PyObject *module, PyObject *args) {
    PyObject *type, *columns, *type_capsule, *made;
    struct ArrowArray *arrays;
    Py_ssize_t count;
    int done;
    if (!PyArg_ParseTuple(args, "OO!:stream", &type, &PyTuple_Type, &columns)) return NULL;
    type_capsule = schema(module, type);
    if (type_capsule == NULL) return NULL;
    made = capsule(sizeof(struct ArrowArrayStream), STREAM, drop_stream);
    count = PyTuple_Size(columns);
    arrays = calloc((size_t)count + 1, sizeof *arrays);
    done = made != NULL && (arrays != NULL || no_memory());
    for (Py_ssize_t number = 0; number < count && done; number++)
        done = fill_array(PyModule_GetState(module), &arrays[number],
                          PyTuple_GetItem(columns, number));
    if (done)
        done = stream_make(PyCapsule_GetPointer(made, STREAM),
                           PyCapsule_GetPointer(type_capsule, SCHEMA), arrays, count) ||
               no_memory();
    if (!done) {
        if (arrays != NULL) drop_arrays(arrays, count);
        Py_CLEAR(made);
    }
    Py_DECREF(type_capsule);
    return made;
}

PyMethodDef capsule_functions[] = {
    {"imported", imported, METH_VARARGS, "The rows in the capsules of a column."},
    {"schema", schema, METH_O, "A capsule of a type."},
    {"array", array, METH_O, "A capsule of a column."},
    {"stream", stream, METH_VARARGS, "A capsule of columns of one type."},
    {NULL, NULL, 0, NULL},
};
