/* `Part`: a reader of texts that begin with a known name, whose part up to a mark is the rule's.

   The name is looked up before, so the rule reads what is behind it; a rule that several names share
   reads its own word in place of the name. */

#include "kernel.h"

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
