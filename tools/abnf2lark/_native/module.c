/* The module `abnf2lark._native._engine`, for CPython from 3.11 on (limited API): the type Engine,
   which holds the tables of a grammar (tables.c), reads texts by them (chart.c) and derives them
   (deriving.c); and nodes of trees (nodes.c). */

#include "engine.h"

/* Engine(tables, cuts, refusal) */
static PyObject *engine_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    PyObject *tables, *cuts, *refusal;
    uint32_t count;
    Engine *made;
    if (names != NULL && PyDict_Size(names) > 0) {
        PyErr_SetString(PyExc_TypeError, "Engine() takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "OO!O:Engine", &tables, &PyTuple_Type, &cuts, &refusal))
        return NULL;
    made = (Engine *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (made == NULL) return NULL;
    made->tables = Py_NewRef(tables);
    made->refusal = Py_NewRef(refusal);
    made->cuts = numbers_of(cuts, &count);
    if (made->cuts == NULL) {
        Py_DECREF(made);
        return NULL;
    }
    made->cells = count + 1;
    for (uint32_t code = 0; code < 256; code++) made->cell_of[code] = cell_among(made, code);
    return (PyObject *)made;
}

static int engine_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Engine *)self)->tables);
    Py_VISIT(((Engine *)self)->refusal);
    return 0;
}

static int engine_clear(PyObject *self) {
    Py_CLEAR(((Engine *)self)->tables);
    Py_CLEAR(((Engine *)self)->refusal);
    return 0;
}

static void engine_dealloc(PyObject *self) {
    Engine *engine = (Engine *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    engine_clear(self);
    for (size_t at = 0; at < engine->rows_room; at++)
        if (engine->rows[at] != NULL) {
            PyMem_Free(engine->rows[at]->calls);
            PyMem_Free(engine->rows[at]->of_cell[0]);
            PyMem_Free(engine->rows[at]->of_cell[1]);
            PyMem_Free(engine->rows[at]);
        }
    for (size_t at = 0; at < engine->ways_room; at++)
        if (engine->ways[at] != NULL) {
            PyMem_Free(engine->ways[at]->steps);
            PyMem_Free(engine->ways[at]);
        }
    PyMem_Free(engine->rows);
    PyMem_Free(engine->ways);
    PyMem_Free(engine->cuts);
    PyMem_Free(engine->known.entries);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* made(type, values): an object without its constructor, which for a frozen dataclass takes longer
   than all else. */
static PyObject *made(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *type, *values, *name, *value, *nothing = PyTuple_New(0), *found = NULL;
    Py_ssize_t at = 0;
    const newfunc make = (newfunc)PyType_GetSlot(&PyBaseObject_Type, Py_tp_new);
    if (PyArg_ParseTuple(args, "O!O!:made", &PyType_Type, &type, &PyDict_Type, &values) && nothing) {
        if ((newfunc)PyType_GetSlot((PyTypeObject *)type, Py_tp_new) == make)
            found = make((PyTypeObject *)type, nothing, NULL);
        else /* its objects have another layout */
            PyErr_SetString(PyExc_TypeError, "the class has a constructor of its own");
    }
    while (found != NULL && PyDict_Next(values, &at, &name, &value)) {
        Py_INCREF(name); /* a setter may change the dict */
        Py_INCREF(value);
        if (PyObject_GenericSetAttr(found, name, value) < 0) Py_CLEAR(found);
        Py_DECREF(name);
        Py_DECREF(value);
    }
    Py_XDECREF(nothing);
    return found;
}

static PyMethodDef functions[] = {
    {"made", made, METH_VARARGS, "made(type, values): an object of a class, with these attributes."},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef methods[] = {
    {"read", engine_read, METH_VARARGS,
     "read(rule, text, kept, (items, steps)): how far a rule goes, and its derivation."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot type_slots[] = {
    {Py_tp_new, (void *)engine_new},         {Py_tp_dealloc, (void *)engine_dealloc},
    {Py_tp_traverse, (void *)engine_traverse}, {Py_tp_clear, (void *)engine_clear},
    {Py_tp_methods, (void *)methods},        {0, NULL},
};

static PyType_Spec type_spec = {
    "abnf2lark._native._engine.Engine", sizeof(Engine), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, type_slots,
};

static int execute(PyObject *module) {
    PyType_Spec *specs[] = {&type_spec, &node_spec, &derived_spec};
    for (size_t at = 0; at < sizeof specs / sizeof *specs; at++) {
        PyObject *type = PyType_FromModuleAndSpec(module, specs[at], NULL);
        const int failed = type == NULL || PyModule_AddType(module, (PyTypeObject *)type) < 0;
        Py_XDECREF(type);
        if (failed) return -1;
    }
    return PyModule_AddIntConstant(module, "FORMAT", 3);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)execute}, {0, NULL}};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_engine", "Reads texts by the tables of a grammar.", 0, functions, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__engine(void) { return PyModuleDef_Init(&definition); }
