/* `Tables` and `Rule`: tables of an automaton, and a rule that they read. */

#include "kernel.h"

int unspelled(void) {
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return -1;
    PyErr_Clear(); /* a lone surrogate */
    return 0;
}

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

Py_ssize_t characters(const Spelled *spelled, Py_ssize_t offset) {
    Py_ssize_t count = 0, at = 0;
    while (offset < spelled->size && offset > 0 &&
           ((unsigned char)spelled->octets[offset] & 0xC0) == 0x80)
        offset--; /* to where the character begins */
    for (; at < offset; at++) count += ((unsigned char)spelled->octets[at] & 0xC0) != 0x80;
    return count;
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
    return PyLong_FromSsize_t(characters(&spelled, offset));
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
