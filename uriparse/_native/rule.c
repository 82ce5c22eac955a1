/* The Python types that read single texts.

   `Tables` holds an automaton, `Rule` returns verdicts, `Reader` records, and `SchemeReader` the
   records of URLs of one scheme. All are immutable once made. */

#include "kernel.h"

#include <string.h>

static PyObject *text_expected(PyObject *text) {
    return PyErr_Format(PyExc_TypeError, "text is a str, not %R", (PyObject *)Py_TYPE(text));
}

/* Free an object whose members are released. An instance of a heap type owns a reference to it. */
void free_object(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(OBJECT(type));
}

/* ---- Objects that hold their arguments. They never change, so that only what is made later can refer
   back to them: a cycle is broken there, and not here, as one through a tuple is. */

void *holder_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    HolderObject *self;
    if (kwargs != NULL && PyDict_Size(kwargs) != 0)
        return RAISED(NULL, PyExc_TypeError, "a type of the kernel takes no keyword arguments");
    self = (HolderObject *)PyType_GenericAlloc(type, 0);
    if (self != NULL) self->held = Py_NewRef(args);
    return self;
}

int holder_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((HolderObject *)self)->held);
    return 0;
}

void holder_dealloc(PyObject *self) {
    PyObject_GC_UnTrack(self);
    Py_CLEAR(((HolderObject *)self)->held);
    free_object(self);
}

/* ---- Tables(data): a checked copy. ValueError if they are damaged. */

static PyObject *tables_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    const char *data, *wrong;
    Py_ssize_t size;
    TablesObject *self;
    (void)kwargs;
    if (!PyArg_ParseTuple(args, "y#:Tables", &data, &size)) return NULL;
    self = (TablesObject *)PyType_GenericAlloc(type, 0);
    if (self == NULL) return NULL;
    wrong = tables_load(&self->tables, (const uint8_t *)data, (size_t)size);
    if (wrong == NULL) return OBJECT(self);
    Py_DECREF(OBJECT(self));
    if (*wrong == '\0') return PyErr_NoMemory();
    return PyErr_Format(PyExc_ValueError, "the tables are damaged: %s", wrong);
}

static void tables_dealloc(TablesObject *self) {
    tables_free(&self->tables);
    free_object(OBJECT(self));
}

static PyType_Slot tables_slots[] = {
    {Py_tp_new, tables_new},
    {Py_tp_dealloc, tables_dealloc},
    {0, NULL},
};
PyType_Spec tables_spec = {"uriparse._native._kernel.Tables", sizeof(TablesObject), 0,
                                  Py_TPFLAGS_DEFAULT, tables_slots};

/* ---- Rule(tables, start, fallback) */

static PyObject *rule_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    State *state = PyType_GetModuleState(type);
    PyObject *tables, *fallback;
    unsigned int start;
    RuleObject *self;
    if (!PyArg_ParseTuple(args, "O!IO:Rule", state->types[TABLES], &tables, &start, &fallback))
        return NULL;
    if (start >= ((TablesObject *)tables)->tables.states)
        return RAISED(NULL, PyExc_ValueError, "the tables have no such state");
    self = holder_new(type, args, kwargs);
    if (self == NULL) return NULL;
    self->tables = (TablesObject *)tables;
    self->fallback = fallback;
    self->start = start;
    return OBJECT(self);
}

static PyObject *rule_fullmatch(RuleObject *self, PyObject *text) {
    int found;
    if (!PyUnicode_Check(text)) return text_expected(text);
    found = rule_matches(self, text);
    if (found < 0) return NULL;
    if (found == 2) return PyObject_CallFunctionObjArgs(self->fallback, text, NULL);
    if (found) Py_RETURN_TRUE;
    Py_RETURN_NONE;
}

static PyMethodDef rule_methods[] = {
    {"fullmatch", (PyCFunction)rule_fullmatch, METH_O, NULL},
    {"verdicts", (PyCFunction)rule_verdicts, METH_O, NULL},
    {"stops", (PyCFunction)rule_stops, METH_O, NULL},
    {"split", (PyCFunction)rule_split, METH_VARARGS, NULL},
    {"sighted", (PyCFunction)rule_sighted, METH_VARARGS, NULL},
    {"changed", (PyCFunction)rule_changed, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot rule_slots[] = {
    {Py_tp_new, rule_new}, {Py_tp_dealloc, holder_dealloc}, {Py_tp_traverse, holder_traverse},
    {Py_tp_methods, rule_methods}, {0, NULL},
};
PyType_Spec rule_spec = {"uriparse._native._kernel.Rule", sizeof(RuleObject), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, rule_slots};

/* ---- Reader(rule, records, whole, fields, fixed, kinds, located, fallback): texts to records. */

static PyObject *reader_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    State *state = PyType_GetModuleState(type);
    PyObject *rule, *records, *whole, *fields, *fixed, *kinds, *located, *fallback;
    ReaderObject *self;
    if (!PyArg_ParseTuple(args, "O!O!OO!O!O!O!O:Reader", state->types[RULE], &rule, &PyTuple_Type,
                          &records, &whole, &PyTuple_Type, &fields, &PyTuple_Type, &fixed,
                          &PyTuple_Type, &kinds, &PyTuple_Type, &located, &fallback))
        return NULL;
    self = holder_new(type, args, kwargs);
    if (self == NULL) return NULL;
    self->rule = (RuleObject *)rule;
    self->fallback = fallback;
    self->layout =
        layout_new(&self->rule->tables->tables, records, whole, fields, fixed, kinds, located);
    if (self->layout != NULL) return OBJECT(self);
    Py_DECREF(OBJECT(self));
    return NULL;
}

static void reader_dealloc(ReaderObject *self) {
    if (self->layout != NULL) layout_free(self->layout); /* NULL if `layout_new` has failed */
    holder_dealloc(OBJECT(self));
}

PyObject *reader_record(ReaderObject *reader, PyObject *text, int *not_utf8) {
    Utf8 utf8;
    Captures captures;
    int done = utf8_of(text, &utf8);
    *not_utf8 = done == 0;
    if (done <= 0) return NULL;
    if (tables_read(&reader->rule->tables->tables, reader->rule->start,
                    (const uint8_t *)utf8.octets, (size_t)utf8.size, &captures) >= 0)
        return NULL;
    return layout_record(reader->layout, &captures, text, text, &utf8);
}

static PyObject *reader_read(ReaderObject *self, PyObject *text) {
    int not_utf8;
    PyObject *record;
    /* Not a subclass: the record keeps the text, and a subclass may redefine what it is. */
    if (!Py_IS_TYPE(text, &PyUnicode_Type)) return text_expected(text);
    record = reader_record(self, text, &not_utf8);
    if (record != NULL || PyErr_Occurred()) return record;
    if (not_utf8) return PyObject_CallFunctionObjArgs(self->fallback, text, NULL);
    Py_RETURN_NONE;
}

static PyMethodDef reader_methods[] = {
    {"read", (PyCFunction)reader_read, METH_O, NULL},
    {"finds", (PyCFunction)reader_finds, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot reader_slots[] = {
    {Py_tp_new, reader_new}, {Py_tp_dealloc, reader_dealloc}, {Py_tp_traverse, holder_traverse},
    {Py_tp_methods, reader_methods}, {0, NULL},
};
PyType_Spec reader_spec = {"uriparse._native._kernel.Reader", sizeof(ReaderObject), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, reader_slots};

/* ---- SchemeReader(reader, word, name, rest, fallback, needed, next): URLs of one scheme, up to a "#"
   or the end.

   Python has already looked up the scheme's name, so the rule reads only what follows it. Several
   schemes may share a rule: it is entered after the rule's own word instead of the name. `whole`
   looks the name up itself, among this scheme and those after it: the calls between Python
   functions take longer than all that is read. */

#define ARGUMENTS 4

typedef struct SchemeReader {
    HolderObject holder;
    ReaderObject *reader;
    PyObject *name;
    PyObject *fallback; /* reads whatever is not read here */
    struct SchemeReader *next; /* of another scheme; NULL for the last */
    Py_ssize_t needed; /* the slot of what `whole` wants to be there and not empty; -1 for none */
    uint32_t start;     /* the rule's state after its own word */
    Py_ssize_t begin;   /* the length of the name in octets */
    Py_ssize_t rest;    /* the slot of what follows the part, such as the fragment */
} SchemeReaderObject;

/* Find the state after a word, and the length of the name; -1 with an error. */
static int begin_after(SchemeReaderObject *self, PyObject *word) {
    const RuleObject *rule = self->reader->rule;
    Utf8 own, name;
    int32_t start = -1;
    if (utf8_of(word, &own) <= 0 || utf8_of(self->name, &name) <= 0) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "the name has no UTF-8 form");
        return -1;
    }
    start = tables_after(&rule->tables->tables, rule->start, (const uint8_t *)own.octets,
                         (size_t)own.size);
    if (start < 0) return RAISED(-1, PyExc_ValueError, "no text of the rule begins with the word");
    self->start = (uint32_t)start;
    self->begin = name.size;
    return 0;
}

static PyObject *scheme_reader_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    State *state = PyType_GetModuleState(type);
    PyObject *reader, *word, *name, *rest, *fallback, *needed = Py_None, *next = Py_None;
    SchemeReaderObject *self;
    if (!PyArg_ParseTuple(args, "O!UUOO|OO:SchemeReader", state->types[READER], &reader, &word, &name,
                          &rest, &fallback, &needed, &next))
        return NULL;
    if (next != Py_None && !PyObject_TypeCheck(next, state->types[SCHEME_READER]))
        return RAISED(NULL, PyExc_TypeError, "the next reader is a SchemeReader or None");
    self = holder_new(type, args, kwargs);
    if (self == NULL) return NULL;
    self->reader = (ReaderObject *)reader;
    self->name = name;
    self->fallback = fallback;
    self->next = next == Py_None ? NULL : (SchemeReaderObject *)next;
    self->rest = layout_slot(self->reader->layout, rest);
    self->needed = needed == Py_None ? -1 : layout_slot(self->reader->layout, needed);
    if (self->rest >= 0 && (needed == Py_None || self->needed >= 0) &&
        begin_after(self, word) == 0)
        return OBJECT(self);
    Py_DECREF(OBJECT(self));
    return NULL;
}

/* The same object mostly, since names come from the registry: then nothing is compared. */
static int is_named(const SchemeReaderObject *self, PyObject *name) {
    return name == self->name || PyUnicode_Compare(name, self->name) == 0;
}

/* Make the record of a text whose first part the rule is to read; None if it does not match. */
static PyObject *read_part(const SchemeReaderObject *self, PyObject *text, PyObject *part,
                           const Utf8 *utf8, PyObject *rest) {
    const RuleObject *rule = self->reader->rule;
    PyObject *record, *before, **slot;
    Captures captures;
    if (tables_read(&rule->tables->tables, self->start, (const uint8_t *)utf8->octets + self->begin,
                    (size_t)(utf8->size - self->begin), &captures) >= 0)
        Py_RETURN_NONE;
    /* The rule has counted from the end of the name. */
    for (uint32_t position = 0; position < rule->tables->tables.positions; position++)
        if (captures.positions[position] >= 0) captures.positions[position] += self->begin;
    /* The rule may have set the record's class inside the word, which was skipped. There is only one
       class: layout_slot has refused a reader with more. */
    captures.values[0] = 1;
    record = layout_record(self->reader->layout, &captures, text, part, utf8);
    if (record == NULL) return NULL;
    slot = slot_at(record, self->rest);
    before = *slot;
    *slot = Py_NewRef(rest);
    Py_XDECREF(before); /* last: a destructor must not see a slot without a reference */
    return record;
}

/* read(text, part, name, rest): the record of a text whose first part the rule is to read, None if
   the part does not match. */
static PyObject *scheme_reader_read(SchemeReaderObject *self, PyObject *const *args,
                                    Py_ssize_t count) {
    Utf8 utf8;
    int done;
    if (count != ARGUMENTS)
        return RAISED(NULL, PyExc_TypeError, "read takes a text, its part, its name and the rest");
    for (int number = 0; number < ARGUMENTS - 1; number++)
        if (!PyUnicode_Check(args[number]))
            return RAISED(NULL, PyExc_TypeError, "a text, its part and its name are of type str");
    done = utf8_of(args[1], &utf8);
    if (done < 0) return NULL;
    if (done == 0 || utf8.size < self->begin || !is_named(self, args[2]))
        return PyObject_CallFunctionObjArgs(self->fallback, args[0], args[1], args[2], args[3],
                                            NULL);
    return read_part(self, args[0], args[1], &utf8, args[3]);
}

/* Whether a text begins with the name, as it is written, and ":". */
static int begins_with_name(const SchemeReaderObject *self, const Utf8 *utf8) {
    Utf8 name;
    return utf8->size > self->begin && utf8->octets[self->begin] == ':' &&
           utf8_of(self->name, &name) > 0 &&
           memcmp(utf8->octets, name.octets, (size_t)self->begin) == 0;
}

/* whole(text): the record of a URL without a fragment, of this scheme or one after it; None for what
   another reader has to look at. */
PyObject *scheme_reader_whole(PyObject *reader, PyObject *text) {
    const SchemeReaderObject *self = (SchemeReaderObject *)reader;
    PyObject *record, *needed;
    Utf8 utf8;
    int done;
    if (!PyUnicode_CheckExact(text)) Py_RETURN_NONE;
    done = utf8_of(text, &utf8);
    if (done < 0) return NULL;
    if (done == 0 || memchr(utf8.octets, '#', (size_t)utf8.size) != NULL) Py_RETURN_NONE;
    while (self != NULL && !begins_with_name(self, &utf8)) self = self->next;
    if (self == NULL) Py_RETURN_NONE;
    record = read_part(self, text, text, &utf8, Py_None);
    if (record == NULL || record == Py_None || self->needed < 0) return record;
    needed = *slot_at(record, self->needed);
    if (needed != NULL && needed != Py_None && PyUnicode_GetLength(needed) > 0) return record;
    Py_DECREF(record);
    Py_RETURN_NONE;
}

static PyMethodDef scheme_reader_methods[] = {
    {"read", (PyCFunction)(void (*)(void))scheme_reader_read, METH_FASTCALL, NULL},
    {"whole", scheme_reader_whole, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot scheme_reader_slots[] = {
    {Py_tp_new, scheme_reader_new}, {Py_tp_dealloc, holder_dealloc},
    {Py_tp_traverse, holder_traverse}, {Py_tp_methods, scheme_reader_methods}, {0, NULL},
};
PyType_Spec scheme_reader_spec = {
    "uriparse._native._kernel.SchemeReader", sizeof(SchemeReaderObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, scheme_reader_slots};
