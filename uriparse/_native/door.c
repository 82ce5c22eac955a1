/* The public functions: a single str is read here, everything else by the Python function.

   What a call costs in Python before the kernel is asked is more than what the kernel does. Such a
   function has the name, the signature and the docstring of the one behind it. Its module is its
   `self`, so that it is pickled by its name. */

#include "kernel.h"

#include <string.h>

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

PyMethodDef door_functions[] = {
    {"door", door, METH_VARARGS, "Make a public function of a Python function."},
    {"unlock", unlock, METH_VARARGS, "Let a public function read by a rule or a reader."},
    {NULL, NULL, 0, NULL},
};

int doors_traverse(State *state, visitproc visit, void *arg) {
    for (int number = 0; number < DOORS; number++) {
        Py_VISIT(state->doors[number].function);
        Py_VISIT(state->doors[number].rule);
        Py_VISIT(state->doors[number].reader);
    }
    return 0;
}

void doors_clear(State *state) {
    for (int number = 0; number < DOORS; number++) {
        Py_CLEAR(state->doors[number].rule);
        Py_CLEAR(state->doors[number].reader);
    }
}

void doors_free(State *state) {
    doors_clear(state);
    for (int number = 0; number < DOORS; number++) {
        Py_CLEAR(state->doors[number].function);
        PyMem_Free(state->doors[number].name);
        PyMem_Free(state->doors[number].doc);
    }
}
