/* Columns for Python: methods of `Rule` that take buffers and return blocks, and Arrow capsules made of
   blocks. Python's lock is released while a column is read: a pass over it calls nothing of Python. */

#include "kernel.h"

#include <string.h>

#include "columns.h"

/* ---- Block: memory for Python, as a read-only buffer. */

typedef struct {
    PyObject_HEAD Block *block;
} BlockObject;

static PyObject *block_object(State *state, Block *block) {
    BlockObject *self = (BlockObject *)PyType_GenericAlloc(state->block_type, 0);
    if (self == NULL) return NULL;
    block_retain(
        block); /* an owner more: an engine may keep the memory after Python has dropped it */
    self->block = block;
    return OBJECT(self);
}

static void block_dealloc(BlockObject *self) {
    PyTypeObject *type = Py_TYPE(OBJECT(self));
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    block_release(self->block);
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
static PyType_Spec block_spec = {"uriparse._native._kernel.Block", sizeof(BlockObject), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 block_slots};

int add_block_type(PyObject *module, State *state) {
    state->block_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &block_spec, NULL);
    return state->block_type == NULL ? -1 : PyModule_AddType(module, state->block_type);
}

/* ---- Rows from Python. */

#define MAX_SELECTIONS 16

/* The buffers of a column. While they are held, their owners cannot resize or free them. */
typedef struct {
    Rows rows;
    Py_buffer *held;
    Py_ssize_t count;
} HeldBuffers;

static void release_buffers(HeldBuffers *held) {
    for (Py_ssize_t number = 0; number < held->count; number++)
        PyBuffer_Release(&held->held[number]);
    PyMem_Free(held->held);
    PyMem_Free(held->rows.texts.data);
    memset(held, 0, sizeof *held);
}

/* Hold a buffer, or none for None; 0 with an error. */
static int hold_buffer(HeldBuffers *held, PyObject *given, Buffer *buffer) {
    Py_buffer *next = &held->held[held->count];
    memset(buffer, 0, sizeof *buffer);
    if (given == Py_None) return 1;
    if (PyObject_GetBuffer(given, next, PyBUF_SIMPLE) < 0) return 0;
    held->count++;
    buffer->octets = next->buf;
    buffer->size = next->len;
    return 1;
}

/* Read the rows that `uriparse.arrow` passes: (length, texts, keys or None), where texts is (length,
   offset, width, validity, items, data) and keys is (offset, width, validity, keys). */
static int hold_rows(HeldBuffers *held, PyObject *given) {
    Rows *rows = &held->rows;
    Texts *texts = &rows->texts;
    PyObject *own, *keys, *validity, *items, *data, *key_validity = Py_None, *octets = Py_None;
    memset(held, 0, sizeof *held);
    if (!PyTuple_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "rows are a tuple");
        return 0;
    }
    if (!PyArg_ParseTuple(given, "LO!O", &rows->length, &PyTuple_Type, &own, &keys) ||
        !PyArg_ParseTuple(own, "LLiOOO!", &texts->length, &texts->offset, &texts->width, &validity,
                          &items, &PyTuple_Type, &data))
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
    texts->data_count = PyTuple_Size(data);
    held->held =
        PyMem_Calloc((size_t)texts->data_count + 4, sizeof *held->held); /* + 4: the others */
    texts->data = PyMem_Calloc((size_t)texts->data_count + 1, sizeof *texts->data);
    if (held->held == NULL || texts->data == NULL) {
        PyErr_NoMemory();
        release_buffers(held);
        return 0;
    }
    if (!hold_buffer(held, validity, &texts->validity) ||
        !hold_buffer(held, items, &texts->items) ||
        !hold_buffer(held, key_validity, &rows->key_validity) ||
        !hold_buffer(held, octets, &rows->keys)) {
        release_buffers(held);
        return 0;
    }
    for (Py_ssize_t number = 0; number < texts->data_count; number++)
        if (!hold_buffer(held, PyTuple_GetItem(data, number), &texts->data[number])) {
            release_buffers(held);
            return 0;
        }
    if (rows_fit(rows) && (keys == Py_None) == (rows->key_width == 0)) return 1;
    PyErr_SetString(PyExc_ValueError, "the buffers are too small for the column");
    release_buffers(held);
    return 0;
}

static PyObject *column_error(int64_t done) {
    if (done == NO_MEMORY) return PyErr_NoMemory();
    if (done == TOO_LARGE)
        PyErr_SetString(PyExc_OverflowError, "the texts are too long for offsets of 32 bits");
    else if (done == INCONSISTENT_TABLES)
        PyErr_SetString(PyExc_SystemError, "the tables report what no text can have");
    else
        PyErr_Format(PyExc_ValueError, "row %lld lies outside of its buffers", (long long)done);
    return NULL;
}

static PyObject *block_or_none(PyObject *module, Block *block) {
    return block == NULL ? Py_NewRef(Py_None) : block_object(PyModule_GetState(module), block);
}

/* Return (nulls, validity or None, values, data or None). The tuple's blocks are owners as well, so
   the column is dropped afterwards in any case. */
static PyObject *column_tuple(PyObject *module, Column *out) {
    PyObject *validity = block_or_none(module, out->nulls ? out->validity : NULL), *found = NULL;
    PyObject *values = block_or_none(module, out->values), *data = block_or_none(module, out->data);
    if (validity && values && data)
        found = Py_BuildValue("LOOO", (long long)out->nulls, validity, values, data);
    Py_XDECREF(validity);
    Py_XDECREF(values);
    Py_XDECREF(data);
    return found;
}

/* ---- Methods. */

typedef int64_t (*ColumnFunction)(const Tables *, uint32_t, const Rows *, Column *);

static PyObject *run(RuleObject *self, PyObject *given, int (*begin)(Column *, int64_t),
                     ColumnFunction function) {
    PyObject *module = PyType_GetModule(Py_TYPE(OBJECT(self))), *found = NULL;
    HeldBuffers held;
    Column out;
    int64_t done = NO_MEMORY;
    if (module == NULL || !hold_rows(&held, given)) return NULL;
    Py_BEGIN_ALLOW_THREADS if (begin(&out, held.rows.length)) done =
        function(&self->tables->tables, self->start, &held.rows, &out);
    Py_END_ALLOW_THREADS found = done == DONE ? column_tuple(module, &out) : column_error(done);
    column_drop(&out);
    release_buffers(&held);
    return found;
}

PyObject *rule_verdicts(RuleObject *self, PyObject *given) {
    return run(self, given, new_bits, column_verdicts);
}

PyObject *rule_stops(RuleObject *self, PyObject *given) {
    return run(self, given, new_numbers, column_stops);
}

/* Hold the octets of a tuple of bytes, which stay with Python: 1, or 0 with an error. The pieces are
   the caller's to free; None among them is a buffer without octets. */
static int hold_pieces(PyObject *given, Buffer **pieces) {
    Py_ssize_t count = PyTuple_Size(given), size;
    char *octets;
    *pieces = PyMem_Calloc((size_t)count + 1, sizeof **pieces);
    if (*pieces == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    for (Py_ssize_t number = 0; number < count; number++) {
        PyObject *piece = PyTuple_GetItem(given, number);
        if (piece == Py_None) continue;
        if (PyBytes_AsStringAndSize(piece, &octets, &size) < 0) return 0;
        (*pieces)[number] = (Buffer){(const uint8_t *)octets, size};
    }
    return 1;
}

/* Read a selection: (fields,) or (constant, names); the octets of names stay with Python. */
static int read_selection(Selection *selection, PyObject *given, const Tables *tables) {
    PyObject *names;
    Buffer *buffers;
    if (PyTuple_Check(given) && PyTuple_Size(given) == 1 &&
        PyTuple_Check(PyTuple_GetItem(given, 0))) {
        PyObject *fields = PyTuple_GetItem(given, 0);
        selection->count = PyTuple_Size(fields);
        for (Py_ssize_t number = 0; number < selection->count && number < MAX_POSITIONS / 2;
             number++) {
            long field = PyLong_AsLong(PyTuple_GetItem(fields, number));
            if (field < 0 || field >= (long)tables->positions / 2) break;
            selection->fields[number] = (uint8_t)field;
            if (number + 1 == selection->count) return 1;
        }
    } else if (PyTuple_Check(given) &&
               PyArg_ParseTuple(given, "bO!", &selection->constant, &PyTuple_Type, &names)) {
        int held = hold_pieces(names, &buffers);
        selection->names = buffers;
        selection->name_count = PyTuple_Size(names);
        if (!held) return 0;
        if (selection->constant < tables->constants) return 1;
    }
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "the tables do not have the requested component");
    return 0;
}

static PyObject *columns_tuple(PyObject *module, Column *out, Py_ssize_t count) {
    PyObject *found = PyTuple_New(count);
    for (Py_ssize_t number = 0; found != NULL && number < count; number++) {
        PyObject *one = column_tuple(module, &out[number]);
        if (one == NULL || PyTuple_SetItem(found, number, one) < 0) Py_CLEAR(found);
    }
    return found;
}

/* Read words, or none for None: 1, or 0 with an error. */
static int read_words(Words *words, PyObject *given) {
    Buffer *pieces = NULL;
    int held;
    if (given == Py_None) return 1;
    if (!PyTuple_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "words are a tuple or None");
        return 0;
    }
    held = hold_pieces(given, &pieces);
    words->words = pieces; /* the caller frees them, after an error too */
    for (Py_ssize_t number = 0; held && number < PyTuple_Size(given); number++)
        if (pieces[number].octets == NULL) {
            PyErr_SetString(PyExc_TypeError, "a word is of type bytes");
            return 0;
        }
    if (held) words_make(words, pieces, PyTuple_Size(given));
    return held;
}

#define WORDS 6

/* Read (longest, longest_name, absent, (scheme, name, port), words). */
static int read_acceptance(Acceptance *acceptance, PyObject *given, const Tables *tables) {
    Words *const words[WORDS] = {&acceptance->schemes,     &acceptance->hosts,
                                 &acceptance->ports,       &acceptance->refused_ports,
                                 &acceptance->last_labels, &acceptance->last_pairs};
    PyObject *fields, *sets;
    uint32_t count = tables->positions / 2;
    if (!PyTuple_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "an acceptance is a tuple");
        return 0;
    }
    if (!PyArg_ParseTuple(given, "LLIO!O!", &acceptance->longest, &acceptance->longest_name,
                          &acceptance->absent, &PyTuple_Type, &fields, &PyTuple_Type, &sets) ||
        !PyArg_ParseTuple(fields, "bbb", &acceptance->scheme, &acceptance->name,
                          &acceptance->port))
        return 0;
    if (PyTuple_Size(sets) != WORDS || acceptance->longest_name > MAX_NAME ||
        (uint64_t)acceptance->absent >> count ||
        (acceptance->scheme != NO_FIELD && acceptance->scheme >= count) ||
        (acceptance->name != NO_FIELD && acceptance->name >= count) ||
        (acceptance->port != NO_FIELD && acceptance->port >= count)) {
        PyErr_SetString(PyExc_ValueError, "the tables do not have the requested component");
        return 0;
    }
    for (Py_ssize_t number = 0; number < WORDS; number++)
        if (!read_words(words[number], PyTuple_GetItem(sets, number))) return 0;
    return 1;
}

static void acceptance_drop(Acceptance *acceptance) {
    const Words *const words[WORDS] = {&acceptance->schemes,     &acceptance->hosts,
                                       &acceptance->ports,       &acceptance->refused_ports,
                                       &acceptance->last_labels, &acceptance->last_pairs};
    for (int number = 0; number < WORDS; number++) PyMem_Free((void *)words[number]->words);
}

/* accepted(rows, acceptance): which rows are certainly accepted */
PyObject *rule_accepted(RuleObject *self, PyObject *args) {
    PyObject *module = PyType_GetModule(Py_TYPE(OBJECT(self))), *rows, *given, *found = NULL;
    Acceptance acceptance;
    HeldBuffers held;
    Column out;
    int64_t done = NO_MEMORY;
    memset(&acceptance, 0, sizeof acceptance);
    if (module == NULL || !PyArg_ParseTuple(args, "OO:accepted", &rows, &given)) return NULL;
    if (read_acceptance(&acceptance, given, &self->tables->tables) && hold_rows(&held, rows)) {
        Py_BEGIN_ALLOW_THREADS if (new_bits(&out, held.rows.length)) done = column_accepted(
            &self->tables->tables, self->start, &held.rows, &acceptance, &out);
        Py_END_ALLOW_THREADS found =
            done == DONE ? block_or_none(module, out.values) : column_error(done);
        column_drop(&out);
        release_buffers(&held);
    }
    acceptance_drop(&acceptance);
    return found;
}

/* split(rows, selections, width): which rows match, then a column for each selection */
PyObject *rule_split(RuleObject *self, PyObject *args) {
    PyObject *module = PyType_GetModule(Py_TYPE(OBJECT(self))), *given, *columns, *found = NULL;
    Selection selection[MAX_SELECTIONS];
    Column out[MAX_SELECTIONS + 1];
    Py_ssize_t count;
    int64_t done = NO_MEMORY;
    int width, ready = 1;
    HeldBuffers held;
    if (module == NULL ||
        !PyArg_ParseTuple(args, "OO!i:split", &given, &PyTuple_Type, &columns, &width))
        return NULL;
    count = PyTuple_Size(columns);
    if (count > MAX_SELECTIONS || (width != 4 && width != 8)) {
        PyErr_SetString(PyExc_ValueError,
                        "at most 16 columns, with offsets of 4 or 8 octets, can be out at once");
        return NULL;
    }
    if (!hold_rows(&held, given)) return NULL;
    memset(selection, 0, sizeof selection);
    memset(out, 0, sizeof out);
    for (Py_ssize_t number = 0; number < count && ready; number++)
        ready = read_selection(&selection[number], PyTuple_GetItem(columns, number),
                               &self->tables->tables);
    if (ready) {
        Py_BEGIN_ALLOW_THREADS ready = new_bits(&out[0], held.rows.length);
        for (Py_ssize_t number = 0; number < count && ready; number++)
            ready = new_texts(&out[number + 1], held.rows.length, width);
        if (ready)
            done = column_split(&self->tables->tables, self->start, &held.rows, selection, count,
                                out + 1, out);
        Py_END_ALLOW_THREADS found =
            done == DONE ? columns_tuple(module, out, count + 1) : column_error(done);
    }
    for (Py_ssize_t number = 0; number <= count; number++) column_drop(&out[number]);
    for (Py_ssize_t number = 0; number < count; number++)
        PyMem_Free((void *)selection[number].names);
    release_buffers(&held);
    return found;
}

/* Rewrite the rows that `rows` describes: to targets of a base, or to normal forms if it is NULL. */
static PyObject *rewritten(RewriterObject *self, PyObject *given, int width, const Way *way) {
    PyObject *module = PyType_GetModule(Py_TYPE(OBJECT(self))), *found = NULL;
    const RuleObject *rule = self->reader->rule;
    HeldBuffers held;
    Column out;
    int64_t done = NO_MEMORY;
    if (width != 4 && width != 8) {
        PyErr_SetString(PyExc_ValueError, "offsets have 4 or 8 octets");
        return NULL;
    }
    if (module == NULL || !hold_rows(&held, given)) return NULL;
    Py_BEGIN_ALLOW_THREADS if (new_texts(&out, held.rows.length, width)) done = column_rewritten(
        &self->rewriting, &rule->tables->tables, rule->start, &held.rows, way, &out);
    Py_END_ALLOW_THREADS found = done == DONE ? column_tuple(module, &out) : column_error(done);
    column_drop(&out);
    release_buffers(&held);
    return found;
}

/* normals(rows, by_scheme, width): a column of normal forms */
PyObject *rewriter_normals(RewriterObject *self, PyObject *args) {
    Way way = {NULL, 0, 0};
    PyObject *rows;
    int width;
    if (!PyArg_ParseTuple(args, "Opi:normals", &rows, &way.flag, &width)) return NULL;
    return rewritten(self, rows, width, &way);
}

/* targets(rows, base, strict, width): a column of targets */
PyObject *rewriter_targets(RewriterObject *self, PyObject *args) {
    const RuleObject *rule = self->reader->rule;
    Components base;
    Way way = {&base, 0, 0};
    PyObject *rows;
    const char *text;
    Py_ssize_t size;
    int width;
    if (!PyArg_ParseTuple(args, "Os#pi:targets", &rows, &text, &size, &way.flag, &width))
        return NULL;
    if (components_of(&self->rewriting, &rule->tables->tables, rule->start, (const uint8_t *)text,
                      (size_t)size, &base) <= 0 ||
        base.of[SCHEME].octets == NULL) {
        PyErr_SetString(PyExc_ValueError, "the base is not a URI");
        return NULL;
    }
    way.base_size = (size_t)size;
    return rewritten(self, rows, width, &way);
}

static PyObject *patched_column(PyObject *module, const HeldBuffers *held, const Buffer *kept,
                                int blank, PyObject *given, int width) {
    PyObject *found = NULL;
    Buffer *pieces;
    Column out;
    int64_t done = NO_MEMORY;
    if (hold_pieces(given, &pieces)) {
        Py_BEGIN_ALLOW_THREADS if (new_texts(&out, held->rows.length, width)) done =
            column_patched(&held->rows, kept->octets, blank, pieces, PyTuple_Size(given), &out);
        Py_END_ALLOW_THREADS found =
            done == DONE ? column_tuple(module, &out) : column_error(done);
        column_drop(&out);
    }
    PyMem_Free(pieces);
    return found;
}

/* patched(rows, kept, blank, given, width): as `column_patched` does */
static PyObject *patched(PyObject *module, PyObject *args) {
    PyObject *rows, *given, *found = NULL;
    Py_buffer kept;
    int width, blank;
    HeldBuffers held;
    if (!PyArg_ParseTuple(args, "Oy*pO!i:patched", &rows, &kept, &blank, &PyTuple_Type, &given,
                          &width))
        return NULL;
    if (hold_rows(&held, rows)) {
        Buffer bits = {kept.buf, kept.len};
        if ((width == 4 || width == 8) &&
            kept.len >= held.rows.length / 8 + (held.rows.length % 8 != 0))
            found = patched_column(module, &held, &bits, blank, given, width);
        else
            PyErr_SetString(PyExc_ValueError, "the buffers are too small for the column");
        release_buffers(&held);
    }
    PyBuffer_Release(&kept);
    return found;
}

/* ---- Capsules of the Arrow PyCapsule protocol. */

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
        if (Py_IS_TYPE(block, state->block_type))
            array_set_buffer(array, number, ((BlockObject *)block)->block);
        else if (!hold_copy(array, number, block))
            return 0;
    }
    for (Py_ssize_t number = 0; number < PyTuple_Size(children); number++)
        if (!fill_array(state, array->children[number], PyTuple_GetItem(children, number)))
            return 0;
    return 1;
}

#define SCHEMA "arrow_schema"
#define ARRAY "arrow_array"
#define STREAM "arrow_array_stream"

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

PyMethodDef column_functions[] = {
    {"patched", patched, METH_VARARGS, "Copy texts and replace some of them."},
    {"schema", schema, METH_O, "A capsule of a type."},
    {"array", array, METH_O, "A capsule of a column."},
    {"stream", stream, METH_VARARGS, "A capsule of columns of one type."},
    {NULL, NULL, 0, NULL},
};
