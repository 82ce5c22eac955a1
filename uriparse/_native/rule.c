#include "kernel.h"

/* `Tables` and `Rule`: tables of an automaton, and a rule that they read. */

static PyObject *wants_str(PyObject *text) {
    return PyErr_Format(PyExc_TypeError, "text is a str, not %R", (PyObject *)Py_TYPE(text));
}

/* Tables(data): checked and taken over. ValueError for tables that are damaged. */
static PyObject *tables_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    const char *data, *wrong;
    Py_ssize_t size;
    TablesObject *self;
    if (kwargs != NULL && PyDict_Size(kwargs) != 0) {
        PyErr_SetString(PyExc_TypeError, "Tables takes no names");
        return NULL;
    }
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
    PyTypeObject *type = Py_TYPE(OBJECT(self));
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    tables_free(&self->tables);
    release(self);
    Py_DECREF(OBJECT(type));
}

static PyType_Slot tables_slots[] = {
    {Py_tp_new, tables_new},
    {Py_tp_dealloc, tables_dealloc},
    {0, NULL},
};
static PyType_Spec tables_spec = {
    "uriparse._native._kernel.Tables", sizeof(TablesObject), 0, Py_TPFLAGS_DEFAULT, tables_slots};

/* Rule(tables, start, otherwise) */
static PyObject *rule_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    State *state = PyType_GetModuleState(type);
    PyObject *tables, *otherwise;
    unsigned int start;
    RuleObject *self;
    if (state == NULL) return NULL;
    if (kwargs != NULL && PyDict_Size(kwargs) != 0) {
        PyErr_SetString(PyExc_TypeError, "Rule takes no names");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!IO:Rule", state->tables_type, &tables, &start, &otherwise))
        return NULL;
    if (start >= ((TablesObject *)tables)->tables.states) {
        PyErr_SetString(PyExc_ValueError, "the tables have no such state");
        return NULL;
    }
    self = (RuleObject *)PyType_GenericAlloc(type, 0);
    if (self == NULL) return NULL;
    self->tables = (TablesObject *)Py_NewRef(tables);
    self->otherwise = Py_NewRef(otherwise);
    self->start = start;
    return OBJECT(self);
}

static int rule_traverse(RuleObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(OBJECT(self)));
    Py_VISIT(self->tables);
    Py_VISIT(self->otherwise);
    return 0;
}

static int rule_clear(RuleObject *self) {
    Py_CLEAR(self->otherwise);
    return 0;
}

static void rule_dealloc(RuleObject *self) {
    PyTypeObject *type = Py_TYPE(OBJECT(self));
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    PyObject_GC_UnTrack(self);
    Py_CLEAR(self->otherwise);
    Py_CLEAR(self->tables);
    release(self);
    Py_DECREF(OBJECT(type));
}

static PyObject *rule_fullmatch(RuleObject *self, PyObject *text) {
    int found;
    if (!PyUnicode_Check(text)) return wants_str(text);
    found = rule_matches(self, text);
    if (found < 0) return NULL;
    if (found == 2) return PyObject_CallFunctionObjArgs(self->otherwise, text, NULL);
    if (found) Py_RETURN_TRUE;
    Py_RETURN_NONE;
}

static PyObject *rule_stop(RuleObject *self, PyObject *text) {
    Spelled spelled;
    ptrdiff_t offset;
    int done;
    if (!PyUnicode_Check(text)) return wants_str(text);
    done = spell(text, &spelled);
    if (done < 0) return NULL;
    if (done == 0) {
        PyErr_SetString(PyExc_ValueError, "UTF-8 cannot spell the text");
        return NULL;
    }
    offset = tables_read(&self->tables->tables, self->start, (const uint8_t *)spelled.octets,
                         (size_t)spelled.size, NULL);
    if (offset < 0) Py_RETURN_NONE;
    return PyLong_FromLongLong(
        characters_before((const uint8_t *)spelled.octets, (size_t)offset));
}

static PyMethodDef rule_methods[] = {
    {"fullmatch", (PyCFunction)rule_fullmatch, METH_O, "True for a text of the rule, else None."},
    {"stop", (PyCFunction)rule_stop, METH_O,
     "Length of the longest prefix that some text of the rule continues; None for such a text."},
    {"verdicts", (PyCFunction)rule_verdicts, METH_O, "Whether each row is a text of the rule."},
    {"stops", (PyCFunction)rule_stops, METH_O, "What `stop` gives, of each row."},
    {"split", (PyCFunction)rule_split, METH_VARARGS, "Where the fields of each row lie."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot rule_slots[] = {
    {Py_tp_new, rule_new},         {Py_tp_dealloc, rule_dealloc}, {Py_tp_traverse, rule_traverse},
    {Py_tp_clear, rule_clear},     {Py_tp_methods, rule_methods}, {0, NULL},
};
static PyType_Spec rule_spec = {"uriparse._native._kernel.Rule", sizeof(RuleObject), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, rule_slots};

int add_rule_types(PyObject *module, State *state) {
    state->tables_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &tables_spec, NULL);
    if (state->tables_type == NULL || PyModule_AddType(module, state->tables_type) < 0) return -1;
    state->rule_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &rule_spec, NULL);
    if (state->rule_type == NULL || PyModule_AddType(module, state->rule_type) < 0) return -1;
    return 0;
}

/* `Reader`: from a text of a rule to a record. */

/* Reader(rule, records, whole, fields, fixed, kinds, placed, otherwise) */
static PyObject *reader_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    State *state = PyType_GetModuleState(type);
    PyObject *rule, *records, *whole, *fields, *fixed, *kinds, *placed, *otherwise;
    ReaderObject *self;
    if (state == NULL) return NULL;
    if (kwargs != NULL && PyDict_Size(kwargs) != 0) {
        PyErr_SetString(PyExc_TypeError, "Reader takes no names");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!O!OO!O!O!O!O:Reader", state->rule_type, &rule, &PyTuple_Type,
                          &records, &whole, &PyTuple_Type, &fields, &PyTuple_Type, &fixed,
                          &PyTuple_Type, &kinds, &PyTuple_Type, &placed, &otherwise))
        return NULL;
    self = (ReaderObject *)PyType_GenericAlloc(type, 0);
    if (self == NULL) return NULL;
    self->rule = (RuleObject *)Py_NewRef(rule);
    self->otherwise = Py_NewRef(otherwise);
    self->plan =
        plan_new(&self->rule->tables->tables, records, whole, fields, fixed, kinds, placed);
    if (self->plan != NULL) return OBJECT(self);
    Py_DECREF(OBJECT(self));
    return NULL;
}

static int reader_traverse(ReaderObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(OBJECT(self)));
    Py_VISIT(self->rule);
    Py_VISIT(self->otherwise);
    return self->plan == NULL ? 0 : plan_traverse(self->plan, visit, arg);
}

static int reader_clear(ReaderObject *self) {
    Py_CLEAR(self->otherwise);
    return 0;
}

static void reader_dealloc(ReaderObject *self) {
    PyTypeObject *type = Py_TYPE(OBJECT(self));
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    PyObject_GC_UnTrack(self);
    Py_CLEAR(self->otherwise);
    if (self->plan != NULL) plan_free(self->plan);
    Py_CLEAR(self->rule);
    release(self);
    Py_DECREF(OBJECT(type));
}

PyObject *reader_record(ReaderObject *reader, PyObject *text, int *strange) {
    Spelled spelled;
    Told told;
    int done = spell(text, &spelled);
    *strange = done == 0;
    if (done <= 0) return NULL;
    if (tables_read(&reader->rule->tables->tables, reader->rule->start,
                    (const uint8_t *)spelled.octets, (size_t)spelled.size, &told) >= 0)
        return NULL;
    return plan_record(reader->plan, &told, text, text, &spelled);
}

static PyObject *reader_read(ReaderObject *self, PyObject *text) {
    int strange;
    PyObject *record;
    if (!Py_IS_TYPE(text, &PyUnicode_Type))
        return wants_str(text);
    record = reader_record(self, text, &strange);
    if (record != NULL || PyErr_Occurred()) return record;
    if (strange) return PyObject_CallFunctionObjArgs(self->otherwise, text, NULL);
    Py_RETURN_NONE;
}

static PyMethodDef reader_methods[] = {
    {"read", (PyCFunction)reader_read, METH_O, "The record of a text, or None if it has none."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot reader_slots[] = {
    {Py_tp_new, reader_new},
    {Py_tp_dealloc, reader_dealloc},
    {Py_tp_traverse, reader_traverse},
    {Py_tp_clear, reader_clear},
    {Py_tp_methods, reader_methods},
    {0, NULL},
};
static PyType_Spec reader_spec = {"uriparse._native._kernel.Reader", sizeof(ReaderObject), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, reader_slots};

int add_reader_type(PyObject *module, State *state) {
    state->reader_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &reader_spec, NULL);
    if (state->reader_type == NULL) return -1;
    return PyModule_AddType(module, state->reader_type);
}

/* `Part`: a reader of texts that begin with a known name, whose part up to a mark is the rule's.

   The name is looked up before, so the rule reads what is behind it; a rule that several names share
   reads its own word in place of the name. */

#define ARGUMENTS 4

typedef struct {
    PyObject_HEAD
    ReaderObject *reader;
    PyObject *name;
    PyObject *otherwise; /* reads whatever is not read here */
    uint32_t start;      /* where the rule is behind its word */
    Py_ssize_t begin;    /* octets of the name */
    Py_ssize_t rest;     /* the slot of what is behind the part */
} PartObject;

/* Where the rule is behind a word, and how many octets the name has; -1 with an error. */
static int begin_behind(PartObject *self, PyObject *word) {
    const RuleObject *rule = self->reader->rule;
    Spelled own, name;
    int32_t start = -1;
    if (spell(word, &own) <= 0 || spell(self->name, &name) <= 0) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a name that has no UTF-8");
        return -1;
    }
    start = tables_behind(&rule->tables->tables, rule->start, (const uint8_t *)own.octets,
                          (size_t)own.size);
    if (start < 0) {
        PyErr_SetString(PyExc_ValueError, "no text of the rule begins with the word");
        return -1;
    }
    self->start = (uint32_t)start;
    self->begin = name.size;
    return 0;
}

/* Part(reader, word, name, rest, otherwise) */
static PyObject *part_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    State *state = PyType_GetModuleState(type);
    PyObject *reader, *word, *name, *rest, *otherwise;
    PartObject *self;
    if (state == NULL) return NULL;
    if (kwargs != NULL && PyDict_Size(kwargs) != 0) {
        PyErr_SetString(PyExc_TypeError, "Part takes no names");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!UUOO:Part", state->reader_type, &reader, &word, &name, &rest,
                          &otherwise))
        return NULL;
    self = (PartObject *)PyType_GenericAlloc(type, 0);
    if (self == NULL) return NULL;
    self->reader = (ReaderObject *)Py_NewRef(reader);
    self->name = Py_NewRef(name);
    self->otherwise = Py_NewRef(otherwise);
    self->rest = plan_slot(self->reader->plan, rest);
    if (self->rest >= 0 && begin_behind(self, word) == 0) return OBJECT(self);
    Py_DECREF(OBJECT(self));
    return NULL;
}

static int part_traverse(PartObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(OBJECT(self)));
    Py_VISIT(self->reader);
    Py_VISIT(self->otherwise);
    return 0;
}

static int part_clear(PartObject *self) {
    Py_CLEAR(self->otherwise);
    return 0;
}

static void part_dealloc(PartObject *self) {
    PyTypeObject *type = Py_TYPE(OBJECT(self));
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    PyObject_GC_UnTrack(self);
    Py_CLEAR(self->otherwise);
    Py_CLEAR(self->reader);
    Py_CLEAR(self->name);
    release(self);
    Py_DECREF(OBJECT(type));
}

static int is_named(const PartObject *self, PyObject *name) {
    return name == self->name || PyUnicode_Compare(name, self->name) == 0;
}

/* read(text, part, name, rest): the record of a text; None where the rule does not have its part */
static PyObject *part_read(PartObject *self, PyObject *const *args, Py_ssize_t count) {
    const RuleObject *rule = self->reader->rule;
    PyObject *record, *before, **slot;
    Spelled spelled;
    Told told;
    int done;
    if (count != ARGUMENTS) {
        PyErr_SetString(PyExc_TypeError, "read takes a text, its part, its name and the rest");
        return NULL;
    }
    for (int number = 0; number < ARGUMENTS - 1; number++)
        if (!PyUnicode_Check(args[number])) {
            PyErr_SetString(PyExc_TypeError, "a text, its part and its name are of str");
            return NULL;
        }
    done = spell(args[1], &spelled);
    if (done < 0) return NULL;
    if (done == 0 || spelled.size < self->begin || !is_named(self, args[2]))
        return PyObject_CallFunctionObjArgs(self->otherwise, args[0], args[1], args[2], args[3],
                                            NULL);
    if (tables_read(&rule->tables->tables, self->start,
                    (const uint8_t *)spelled.octets + self->begin,
                    (size_t)(spelled.size - self->begin), &told) >= 0)
        Py_RETURN_NONE;
    for (uint32_t place = 0; place < rule->tables->tables.places; place++)
        if (told.places[place] >= 0) told.places[place] += self->begin;
    told.values[0] = 1; /* which may have been told within the name: there is one class alone */
    record = plan_record(self->reader->plan, &told, args[0], args[1], &spelled);
    if (record == NULL) return NULL;
    slot = slot_at(record, self->rest);
    before = *slot;
    *slot = Py_NewRef(args[3]);
    Py_XDECREF(before);
    return record;
}

static PyMethodDef part_methods[] = {
    {"read", (PyCFunction)(void (*)(void))part_read, METH_FASTCALL,
     "The record of a text, or None where its part is not of the rule."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot part_slots[] = {
    {Py_tp_new, part_new},     {Py_tp_dealloc, part_dealloc}, {Py_tp_traverse, part_traverse},
    {Py_tp_clear, part_clear}, {Py_tp_methods, part_methods}, {0, NULL},
};
static PyType_Spec part_spec = {"uriparse._native._kernel.Part", sizeof(PartObject), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, part_slots};

int add_part_type(PyObject *module, State *state) {
    state->part_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &part_spec, NULL);
    if (state->part_type == NULL) return -1;
    return PyModule_AddType(module, state->part_type);
}
