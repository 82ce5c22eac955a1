/* Columns for Python: methods that take rows, which capsules.c has imported, and return blocks. Python's
   lock is released while a column is read: a pass over it calls nothing of Python. */

#include "kernel.h"

#include <string.h>

/* ---- Block: memory for Python, as a read-only buffer. */

static PyObject *block_object(State *state, Block *block) {
    BlockObject *self = (BlockObject *)PyType_GenericAlloc(state->types[BLOCK], 0);
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
PyType_Spec block_spec = {"uriparse._native._kernel.Block", sizeof(BlockObject), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 block_slots};

/* ---- Rows from Python. */

#define MAX_SELECTIONS 16

/* The caller's caller holds the object, and with it the buffers. */
const Rows *rows_of(PyObject *module, PyObject *given) {
    State *state = module == NULL ? NULL : PyModule_GetState(module);
    if (state == NULL) return NULL;
    if (Py_IS_TYPE(given, state->types[ROWS])) return &((RowsObject *)given)->imported.rows;
    return RAISED(NULL, PyExc_TypeError, "rows are an object that imported() has made");
}

PyObject *column_error(int64_t done) {
    if (done == NO_MEMORY) return PyErr_NoMemory();
    if (done == TOO_LARGE)
        PyErr_SetString(PyExc_OverflowError, "the texts are too long for offsets of 32 bits");
    else if (done == INCONSISTENT_TABLES)
        PyErr_SetString(PyExc_SystemError, "the tables report what no text can have");
    else
        PyErr_Format(PyExc_ValueError, "row %lld lies outside of its buffers", (long long)done);
    return NULL;
}

PyObject *block_or_none(PyObject *module, Block *block) {
    return block == NULL ? Py_NewRef(Py_None) : block_object(PyModule_GetState(module), block);
}

/* The tuple's blocks are owners as well, so the column is dropped afterwards in any case. */
PyObject *column_tuple(PyObject *module, Column *out) {
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
    PyObject *module = PyType_GetModule(Py_TYPE(OBJECT(self))), *found;
    const Rows *rows = rows_of(module, given);
    Column out;
    int64_t done = NO_MEMORY;
    if (rows == NULL) return NULL;
    Py_BEGIN_ALLOW_THREADS if (begin(&out, rows->length)) done =
        function(&self->tables->tables, self->start, rows, &out);
    Py_END_ALLOW_THREADS found = done == DONE ? column_tuple(module, &out) : column_error(done);
    column_drop(&out);
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
    if (*pieces == NULL) return (PyErr_NoMemory(), 0);
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
    if (!PyTuple_Check(given))
        return RAISED(0, PyExc_TypeError, "words are a tuple or None");
    held = hold_pieces(given, &pieces);
    words->words = pieces; /* the caller frees them, after an error too */
    for (Py_ssize_t number = 0; held && number < PyTuple_Size(given); number++)
        if (pieces[number].octets == NULL)
            return RAISED(0, PyExc_TypeError, "a word is of type bytes");
    if (held) words_make(words, pieces, PyTuple_Size(given));
    return held;
}

/* Read (limits, (longest name, longest label), fields, words, (flips, ranges), (rule, fields, kinds, IPv4, IPv6), local start,
   (judges, is_plain, checks_ports, collects), (refusing, octets, triplets, invisible)); the octets stay with Python. */
static int read_sight(Sight *sight, PyObject *given, const RuleObject *rule) {
    uint8_t *const at = sight->fields, *const own = sight->own_fields;
    PyObject *sets, *other;
    const RuleObject *second;
    const char *flips, *ranges, *refusing, *octets, *triplets, *invisible;
    Py_ssize_t size, extent, kinds, count, kept, flipped;
    int fits;
    if (!PyTuple_Check(given)) return RAISED(0, PyExc_TypeError, "the conditions are a tuple");
    if (!PyArg_ParseTuple(given, "(LLL)(LL)(bbbbbb)O!(y#y#)(O(bbbbbbb)bbb)L(pppp)(y#y#y#y#)",
                          &sight->limits[0], &sight->limits[1], &sight->limits[2],
                          &sight->longest_name, &sight->longest_label, &at[0], &at[1], &at[2],
                          &at[3], &at[4], &at[5], &PyTuple_Type, &sets, &flips, &size, &ranges,
                          &extent, &other,
                          &own[0], &own[1], &own[2], &own[3], &own[4], &own[5], &own[6],
                          &sight->kinds, &sight->ipv4, &sight->ipv6, &sight->local, &sight->judges,
                          &sight->is_plain, &sight->checks_ports, &sight->collects, &refusing, &kinds, &octets, &count,
                          &triplets, &kept, &invisible, &flipped))
        return 0;
    if (!Py_IS_TYPE(other, Py_TYPE(OBJECT(rule))))
        return RAISED(0, PyExc_TypeError, "the policy's rule is not a rule");
    second = (const RuleObject *)other;
    if (second->tables != rule->tables || second->start != rule->start) {
        sight->own = &second->tables->tables;
        sight->own_start = second->start;
    }
    sight->flips = (Buffer){(const uint8_t *)flips, size};
    sight->ranges = (Buffer){(const uint8_t *)ranges, extent};
    sight->invisible = (Buffer){(const uint8_t *)invisible, flipped};
    sight->refusing = (const uint8_t *)refusing;
    sight->octets = (const uint8_t *)octets;
    sight->triplets = (const uint8_t *)triplets;
    fits = kinds == OUTCOMES && count == 256 && kept == 256 && PyTuple_Size(sets) == WORD_SETS &&
           (uint64_t)sight->longest_name <= MAX_FOLDED &&
           sight->kinds < second->tables->tables.constants && sight->local < (int64_t)rule->tables->tables.states &&
           (at[AT_NAME] == NO_FIELD || at[AT_ADDRESS] != NO_FIELD);
    for (int number = 0; number < SIGHT_FIELDS; number++)
        fits = fits && (at[number] == NO_FIELD || at[number] < rule->tables->tables.positions / 2);
    for (int number = 0; number < OWN_FIELDS; number++)
        fits = fits && own[number] < second->tables->tables.positions / 2;
    if (!fits)
        return RAISED(0, PyExc_ValueError, "the tables do not have the requested component");
    for (Py_ssize_t number = 0; number < WORD_SETS; number++)
        if (!read_words(&sight->words[number], PyTuple_GetItem(sets, number))) return 0;
    return 1;
}

/* sighted(rows, conditions): an octet for each row, and places, as `column_sighted` writes them */
PyObject *rule_sighted(RuleObject *self, PyObject *args) {
    PyObject *module = PyType_GetModule(Py_TYPE(OBJECT(self))), *column, *given, *found = NULL;
    const Rows *rows;
    Sight sight;
    Column out, places;
    int64_t done = NO_MEMORY;
    memset(&sight, 0, sizeof sight);
    if (!PyArg_ParseTuple(args, "OO:sighted", &column, &given)) return NULL;
    rows = rows_of(module, column);
    if (rows != NULL && read_sight(&sight, given, self)) {
        Py_BEGIN_ALLOW_THREADS;
        memset(&places, 0, sizeof places);
        if (new_octets(&out, rows->length) && new_numbers(&places, rows->length))
            done = column_sighted(&self->tables->tables, self->start, rows, &sight, &out, &places);
        Py_END_ALLOW_THREADS;
        if (done == DONE) {
            PyObject *octets = block_or_none(module, out.values);
            PyObject *numbers = block_or_none(module, places.values);
            if (octets != NULL && numbers != NULL) found = PyTuple_Pack(2, octets, numbers);
            Py_XDECREF(octets);
            Py_XDECREF(numbers);
        } else
            column_error(done);
        column_drop(&out);
        column_drop(&places);
    }
    for (int number = 0; number < WORD_SETS; number++) PyMem_Free((void *)sight.words[number].words);
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
    const Rows *rows;
    if (!PyArg_ParseTuple(args, "OO!i:split", &given, &PyTuple_Type, &columns, &width)) return NULL;
    count = PyTuple_Size(columns);
    if (count > MAX_SELECTIONS || (width != 4 && width != 8))
        return RAISED(NULL, PyExc_ValueError,
                      "at most 16 columns, with offsets of 4 or 8 octets, can be out at once");
    rows = rows_of(module, given);
    if (rows == NULL) return NULL;
    memset(selection, 0, sizeof selection);
    memset(out, 0, sizeof out);
    for (Py_ssize_t number = 0; number < count && ready; number++)
        ready = read_selection(&selection[number], PyTuple_GetItem(columns, number),
                               &self->tables->tables);
    if (ready) {
        Py_BEGIN_ALLOW_THREADS ready = new_bits(&out[0], rows->length);
        for (Py_ssize_t number = 0; number < count && ready; number++)
            ready = new_texts(&out[number + 1], rows->length, width);
        if (ready)
            done = column_split(&self->tables->tables, self->start, rows, selection, count,
                                out + 1, out);
        Py_END_ALLOW_THREADS found =
            done == DONE ? columns_tuple(module, out, count + 1) : column_error(done);
    }
    for (Py_ssize_t number = 0; number <= count; number++) column_drop(&out[number]);
    for (Py_ssize_t number = 0; number < count; number++)
        PyMem_Free((void *)selection[number].names);
    return found;
}

/* Rewrite rows: to targets of a base, or to normal forms if it is NULL. */
static PyObject *rewritten(RewriterObject *self, PyObject *given, int width, const Way *way) {
    PyObject *module = PyType_GetModule(Py_TYPE(OBJECT(self))), *found;
    const Rows *rows = rows_of(module, given);
    const RuleObject *rule = self->reader->rule;
    Column out;
    int64_t done = NO_MEMORY;
    if (width != 4 && width != 8)
        return RAISED(NULL, PyExc_ValueError, "offsets have 4 or 8 octets");
    if (rows == NULL) return NULL;
    Py_BEGIN_ALLOW_THREADS if (new_texts(&out, rows->length, width)) done = column_rewritten(
        &self->rewriting, &rule->tables->tables, rule->start, rows, way, &out);
    Py_END_ALLOW_THREADS found = done == DONE ? column_tuple(module, &out) : column_error(done);
    column_drop(&out);
    return found;
}

/* normals(rows, by_scheme, width): a column of normal forms */
PyObject *rewriter_normals(RewriterObject *self, PyObject *args) {
    Way way = {NULL, 0, 0, NULL};
    PyObject *rows;
    int width;
    if (!PyArg_ParseTuple(args, "Opi:normals", &rows, &way.flag, &width)) return NULL;
    return rewritten(self, rows, width, &way);
}

/* targets(rows, base, strict, width): a column of targets of a base, or of as many rows of bases */
PyObject *rewriter_targets(RewriterObject *self, PyObject *args) {
    PyObject *module = PyType_GetModule(Py_TYPE(OBJECT(self)));
    const RuleObject *rule = self->reader->rule;
    Components base;
    Way way = {&base, 0, 0, NULL};
    PyObject *rows, *given;
    const char *text;
    Py_ssize_t size;
    int width;
    if (!PyArg_ParseTuple(args, "OOpi:targets", &rows, &given, &way.flag, &width)) return NULL;
    if (!PyUnicode_Check(given)) {
        const Rows *own = rows_of(module, rows);
        way.bases = own == NULL ? NULL : rows_of(module, given);
        if (way.bases == NULL) return NULL;
        if (way.bases->length != own->length)
            return RAISED(NULL, PyExc_ValueError, "the columns have different lengths");
        return rewritten(self, rows, width, &way);
    }
    text = PyUnicode_AsUTF8AndSize(given, &size);
    if (text == NULL) return NULL;
    if (components_of(&self->rewriting, &rule->tables->tables, rule->start, (const uint8_t *)text,
                      (size_t)size, &base) <= 0 ||
        base.of[SCHEME].octets == NULL)
        return RAISED(NULL, PyExc_ValueError, "the base is not a URI");
    way.base_size = (size_t)size;
    return rewritten(self, rows, width, &way);
}

/* patched(rows, kept, given, width): as `column_patched` does */
static PyObject *patched(PyObject *module, PyObject *args) {
    PyObject *column, *given, *found = NULL;
    const Rows *rows;
    Buffer *pieces = NULL;
    Py_buffer kept;
    Column out;
    int width;
    int64_t done = NO_MEMORY;
    if (!PyArg_ParseTuple(args, "Oy*O!i:patched", &column, &kept, &PyTuple_Type, &given, &width))
        return NULL;
    rows = rows_of(module, column);
    if (rows != NULL && ((width != 4 && width != 8) ||
                         kept.len < rows->length / 8 + (rows->length % 8 != 0)))
        PyErr_SetString(PyExc_ValueError, "the buffers are too small for the column");
    else if (rows != NULL && hold_pieces(given, &pieces)) {
        Py_BEGIN_ALLOW_THREADS if (new_texts(&out, rows->length, width)) done =
            column_patched(rows, kept.buf, pieces, PyTuple_Size(given), &out);
        Py_END_ALLOW_THREADS found =
            done == DONE ? column_tuple(module, &out) : column_error(done);
        column_drop(&out);
    }
    PyMem_Free(pieces);
    PyBuffer_Release(&kept);
    return found;
}

/* named(numbers, size, names, width): a column of the names of numbers, as `column_named` writes it */
static PyObject *named(PyObject *module, PyObject *args) {
    PyObject *given, *found = NULL;
    Buffer *pieces = NULL;
    Py_buffer numbers;
    Column out;
    int size, width;
    int64_t done = NO_MEMORY;
    if (!PyArg_ParseTuple(args, "y*iO!i:named", &numbers, &size, &PyTuple_Type, &given, &width))
        return NULL;
    if ((width != 4 && width != 8) || (size != 1 && size != 4))
        PyErr_SetString(PyExc_ValueError, "offsets have 4 or 8 octets, and numbers 1 or 4");
    else if (hold_pieces(given, &pieces)) {
        const int64_t length = numbers.len / size;
        Py_BEGIN_ALLOW_THREADS if (new_texts(&out, length, width)) done =
            column_named(numbers.buf, size, length, pieces, PyTuple_Size(given), &out);
        Py_END_ALLOW_THREADS found =
            done == DONE ? column_tuple(module, &out) : column_error(done);
        column_drop(&out);
    }
    PyMem_Free(pieces);
    PyBuffer_Release(&numbers);
    return found;
}

/* domains(rows, list, width): a column, and bits, as `column_domains` writes them */
static PyObject *domains(PyObject *module, PyObject *args) {
    PyObject *given, *column, *bits, *found = NULL;
    const Rows *rows;
    Py_buffer list;
    Column out;
    Block *known = NULL;
    int width;
    int64_t done = NO_MEMORY;
    if (!PyArg_ParseTuple(args, "Oy*i:domains", &given, &list, &width)) return NULL;
    rows = rows_of(module, given);
    if (rows != NULL) {
        const Buffer packed = {list.buf, list.len};
        if ((width != 4 && width != 8) || !suffixes_fit(&packed)) {
            PyErr_SetString(PyExc_ValueError, "the list of suffixes cannot be read");
        } else {
            Py_BEGIN_ALLOW_THREADS known = block_new(rows->length / 8 + 1);
            if (new_texts(&out, rows->length, width) && known != NULL)
                done = column_domains(rows, &packed, &out, known);
            Py_END_ALLOW_THREADS column =
                done == DONE ? column_tuple(module, &out) : column_error(done);
            bits = column == NULL ? NULL : block_or_none(module, known);
            if (bits != NULL) found = PyTuple_Pack(2, column, bits);
            Py_XDECREF(column);
            Py_XDECREF(bits);
            column_drop(&out);
            block_release(known);
        }
    }
    PyBuffer_Release(&list);
    return found;
}

PyMethodDef column_functions[] = {
    {"domains", domains, METH_VARARGS, "Find the registered domains of hosts."},
    {"named", named, METH_VARARGS, "Write the names of numbers."},
    {"patched", patched, METH_VARARGS, "Copy texts and replace some of them."},
    {NULL, NULL, 0, NULL},
};
