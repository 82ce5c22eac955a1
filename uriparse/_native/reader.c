/* `Reader`: from a text of a rule to a record. */

#include "kernel.h"

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
        return PyErr_Format(PyExc_TypeError, "text is a str, not %R", (PyObject *)Py_TYPE(text));
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
