#include "kernel.h"

#include <string.h>

#include "columns.h"

/* The public functions: a single str is read here, everything else by the Python function.

   What a call costs in Python before the kernel is asked is more than what the kernel does. Such a
   function has the name, the signature and the docstring of the one behind it. Its module is its
   `self`, so that it is pickled by its name. */

static PyObject *ask(PyObject *function, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    PyObject *given = PyTuple_New(count), *named = NULL, *found = NULL;
    if (given == NULL) return NULL;
    for (Py_ssize_t at = 0; at < count; at++)
        if (PyTuple_SetItem(given, at, Py_NewRef(args[at])) < 0) goto done;
    if (names != NULL) {
        named = PyDict_New();
        if (named == NULL) goto done;
        for (Py_ssize_t at = 0; at < PyTuple_Size(names); at++)
            if (PyDict_SetItem(named, PyTuple_GetItem(names, at), args[count + at]) < 0) goto done;
    }
    found = PyObject_Call(function, given, named);
done:
    Py_DECREF(given);
    Py_XDECREF(named);
    return found;
}

static int is_plain(PyObject *const *args, Py_ssize_t count, PyObject *names) {
    return count == 1 && names == NULL && Py_IS_TYPE(args[0], &PyUnicode_Type);
}

static PyObject *is_valid(PyObject *module, PyObject *const *args, Py_ssize_t count,
                          PyObject *names) {
    Door *door = &((State *)PyModule_GetState(module))->doors[IS_VALID];
    if (is_plain(args, count, names) && door->rule != NULL) {
        int found = rule_matches((RuleObject *)door->rule, args[0]);
        if (found < 0) return NULL;
        if (found == 0) Py_RETURN_FALSE;
        if (found == 1) Py_RETURN_TRUE;
    }
    return ask(door->function, args, count, names);
}

static PyObject *try_parse(PyObject *module, PyObject *const *args, Py_ssize_t count,
                           PyObject *names) {
    Door *door = &((State *)PyModule_GetState(module))->doors[TRY_PARSE];
    if (is_plain(args, count, names) && door->reader != NULL) {
        int strange;
        PyObject *record = reader_record((ReaderObject *)door->reader, args[0], &strange);
        if (record != NULL || PyErr_Occurred()) return record;
        if (!strange) Py_RETURN_NONE;
    }
    return ask(door->function, args, count, names);
}

static PyObject *parse(PyObject *module, PyObject *const *args, Py_ssize_t count,
                       PyObject *names) {
    Door *door = &((State *)PyModule_GetState(module))->doors[PARSE];
    if (is_plain(args, count, names) && door->reader != NULL) {
        int strange;
        PyObject *record = reader_record((ReaderObject *)door->reader, args[0], &strange);
        if (record != NULL || PyErr_Occurred()) return record;
    }
    return ask(door->function, args, count, names); /* which says what is wrong */
}

static const PyCFunction FUNCTIONS[DOORS] = {
    (PyCFunction)(void (*)(void))parse,
    (PyCFunction)(void (*)(void))try_parse,
    (PyCFunction)(void (*)(void))is_valid,
};

static char *kept(PyObject *text) {
    Py_ssize_t size;
    const char *octets = PyUnicode_AsUTF8AndSize(text, &size);
    char *copy = octets == NULL ? NULL : PyMem_Malloc((size_t)size + 1);
    if (octets != NULL && copy == NULL) PyErr_NoMemory();
    if (copy != NULL) memcpy(copy, octets, (size_t)size + 1);
    return copy;
}

static Door *door_numbered(PyObject *module, unsigned int number) {
    if (number < DOORS) return &((State *)PyModule_GetState(module))->doors[number];
    PyErr_SetString(PyExc_ValueError, "there is no such door");
    return NULL;
}

/* door(number, function, name, doc, module): the public function in its place */
static PyObject *door(PyObject *module, PyObject *args) {
    unsigned int number;
    PyObject *function, *name, *doc, *home;
    Door *own;
    if (!PyArg_ParseTuple(args, "IOUUU:door", &number, &function, &name, &doc, &home)) return NULL;
    own = door_numbered(module, number);
    if (own == NULL) return NULL;
    if (own->name != NULL) {
        PyErr_SetString(PyExc_ValueError, "this door is there");
        return NULL;
    }
    own->doc = kept(doc);
    own->name = own->doc == NULL ? NULL : kept(name);
    if (own->name == NULL) return NULL;
    own->function = Py_NewRef(function);
    own->method.ml_name = own->name;
    own->method.ml_meth = FUNCTIONS[number];
    own->method.ml_flags = METH_FASTCALL | METH_KEYWORDS;
    own->method.ml_doc = own->doc;
    return PyCFunction_NewEx(&own->method, module, home);
}

/* unlock(number, rule or reader): from now on a single str is read by it */
static PyObject *unlock(PyObject *module, PyObject *args) {
    State *state = PyModule_GetState(module);
    unsigned int number;
    PyObject *given, *before, **place;
    Door *own;
    if (!PyArg_ParseTuple(args, "IO:unlock", &number, &given)) return NULL;
    own = door_numbered(module, number);
    if (own == NULL) return NULL;
    if (!Py_IS_TYPE(given, number == IS_VALID ? state->rule_type : state->reader_type)) {
        PyErr_SetString(PyExc_TypeError, "this does not open the door");
        return NULL;
    }
    place = number == IS_VALID ? &own->rule : &own->reader;
    before = *place;
    *place = Py_NewRef(given);
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

static PyMethodDef door_functions[] = {
    {"door", door, METH_VARARGS, "Make a public function of a Python function."},
    {"unlock", unlock, METH_VARARGS, "Let a public function read by a rule or a reader."},
    {NULL, NULL, 0, NULL},
};

static int doors_traverse(State *state, visitproc visit, void *arg) {
    for (int number = 0; number < DOORS; number++) {
        Py_VISIT(state->doors[number].function);
        Py_VISIT(state->doors[number].rule);
        Py_VISIT(state->doors[number].reader);
    }
    return 0;
}

static void doors_clear(State *state) {
    for (int number = 0; number < DOORS; number++) {
        Py_CLEAR(state->doors[number].rule);
        Py_CLEAR(state->doors[number].reader);
    }
}

static void doors_free(State *state) {
    doors_clear(state);
    for (int number = 0; number < DOORS; number++) {
        Py_CLEAR(state->doors[number].function);
        PyMem_Free(state->doors[number].name);
        PyMem_Free(state->doors[number].doc);
    }
}

/* `uriparse._native._kernel`: tagged automata at work, for CPython from 3.11 on (limited API). */

static int execute(PyObject *module) {
    State *state = PyModule_GetState(module);
    if (add_rule_types(module, state) < 0 || add_reader_type(module, state) < 0) return -1;
    if (add_part_type(module, state) < 0 || add_block_type(module, state) < 0) return -1;
    if (PyModule_AddFunctions(module, column_functions) < 0) return -1;
    if (PyModule_AddIntConstant(module, "FORMAT", TABLES_FORMAT) < 0) return -1;
    if (PyModule_AddIntConstant(module, "ORDERS", ORDER_FORMAT) < 0) return -1;
    if (PyModule_AddIntConstant(module, "PARSE", PARSE) < 0) return -1;
    if (PyModule_AddIntConstant(module, "TRY_PARSE", TRY_PARSE) < 0) return -1;
    return PyModule_AddIntConstant(module, "IS_VALID", IS_VALID);
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
    State *state = PyModule_GetState(module);
    Py_VISIT(state->tables_type);
    Py_VISIT(state->rule_type);
    Py_VISIT(state->reader_type);
    Py_VISIT(state->part_type);
    Py_VISIT(state->block_type);
    return doors_traverse(state, visit, arg);
}

static int clear(PyObject *module) {
    State *state = PyModule_GetState(module);
    doors_clear(state);
    Py_CLEAR(state->tables_type);
    Py_CLEAR(state->rule_type);
    Py_CLEAR(state->reader_type);
    Py_CLEAR(state->part_type);
    Py_CLEAR(state->block_type);
    return 0;
}

static void release(void *module) {
    clear(module);
    doors_free(PyModule_GetState(module));
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, execute}, {0, NULL}};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "_kernel",
    "Tagged automata at work.",
    sizeof(State),
    door_functions,
    slots,
    traverse,
    clear,
    release,
};

PyMODINIT_FUNC PyInit__kernel(void) { return PyModuleDef_Init(&definition); }
