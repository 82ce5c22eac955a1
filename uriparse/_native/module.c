/* `uriparse._native._kernel`: tagged automata, executed, for CPython from 3.11 on (limited API).

   Besides types and functions it makes fast calls: replacements of `parse`, `try_parse` and `is_valid`
   that read a single str in C and pass every other call to the Python function. A Python call costs
   more before the kernel is even asked than the kernel needs for the text. */

#include "kernel.h"

/* Call the Python function with the arguments of a vector call. */
static PyObject *call_python(PyObject *function, PyObject *const *args, Py_ssize_t count,
                             PyObject *names) {
    PyObject *positional = PyTuple_New(count), *keywords = NULL, *found = NULL;
    if (positional == NULL) return NULL;
    for (Py_ssize_t at = 0; at < count; at++)
        if (PyTuple_SetItem(positional, at, Py_NewRef(args[at])) < 0) goto done;
    if (names != NULL) {
        keywords = PyDict_New();
        if (keywords == NULL) goto done;
        for (Py_ssize_t at = 0; at < PyTuple_Size(names); at++)
            if (PyDict_SetItem(keywords, PyTuple_GetItem(names, at), args[count + at]) < 0)
                goto done;
    }
    found = PyObject_Call(function, positional, keywords);
done:
    Py_DECREF(positional);
    Py_XDECREF(keywords);
    return found;
}

/* Exactly str: all else, subclasses and records too, is coerced by the Python function. */
static int is_single_str(PyObject *const *args, Py_ssize_t count, PyObject *names) {
    return count == 1 && names == NULL && Py_IS_TYPE(args[0], &PyUnicode_Type);
}

static PyObject *is_valid(PyObject *module, PyObject *const *args, Py_ssize_t count,
                          PyObject *names) {
    FastCall *call = &((State *)PyModule_GetState(module))->fast_calls[IS_VALID];
    if (is_single_str(args, count, names) && call->reader != NULL) {
        int found = rule_matches((RuleObject *)call->reader, args[0]);
        if (found < 0) return NULL;
        if (found == 0) Py_RETURN_FALSE;
        if (found == 1) Py_RETURN_TRUE;
    }
    return call_python(call->function, args, count, names);
}

/* Raise an error that works out its reason when it is looked at (`errors.unexplained`).

   refusal: its class and what it calls for the reason. Both made here, an error takes half of the
   time that Python needs for it. */
static PyObject *refuse(PyObject *refusal, PyObject *text) {
    PyTypeObject *class = (PyTypeObject *)PyTuple_GetItem(refusal, 0);
    newfunc new = (newfunc)PyType_GetSlot(class, Py_tp_new);
    PyObject *none = PyTuple_New(0), *error = none == NULL ? NULL : new (class, none, NULL);
    PyObject *reason = Py_BuildValue("(O(O))", PyTuple_GetItem(refusal, 1), text);
    if (error != NULL && reason != NULL && PyObject_SetAttrString(error, "_explain", reason) == 0)
        PyErr_SetObject((PyObject *)class, error);
    Py_XDECREF(none);
    Py_XDECREF(error);
    Py_XDECREF(reason);
    return NULL;
}

/* Read a single str by the reader of a fast call. */
static inline PyObject *read_single(PyObject *module, int number, PyObject *const *args,
                                    Py_ssize_t count, PyObject *names) {
    FastCall *call = &((State *)PyModule_GetState(module))->fast_calls[number];
    int not_utf8;
    if (is_single_str(args, count, names) && call->reader != NULL) {
        PyObject *record = reader_record((ReaderObject *)call->reader, args[0], &not_utf8);
        if (record != NULL || PyErr_Occurred()) return record;
        if (number == TRY_PARSE && !not_utf8) Py_RETURN_NONE;
        if (number == PARSE && !not_utf8 && call->refusal != NULL)
            return refuse(call->refusal, args[0]);
    }
    return call_python(call->function, args, count, names);
}

#define READ_SINGLE(name, number)                                                                  \
    static PyObject *name(PyObject *module, PyObject *const *args, Py_ssize_t count,               \
                          PyObject *names) {                                                       \
        return read_single(module, number, args, count, names);                                    \
    }
READ_SINGLE(parse, PARSE)
READ_SINGLE(try_parse, TRY_PARSE)
READ_SINGLE(browser, BROWSER) /* `whatwg.parse`: its reader takes what is in normal form already */

static PyObject *parse_url(PyObject *module, PyObject *const *args, Py_ssize_t count,
                           PyObject *names) {
    FastCall *call = &((State *)PyModule_GetState(module))->fast_calls[PARSE_URL];
    if (is_single_str(args, count, names) && call->reader != NULL) {
        PyObject *record = scheme_reader_whole(call->reader, args[0]);
        if (record != Py_None) return record;
        Py_DECREF(record);
    }
    return call_python(call->function, args, count, names);
}

/* By their numbers, with the type of what reads for them. */
static const struct {
    const char *name;
    PyObject *(*function)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
    int type;
} CALLS[FAST_CALLS] = {
    {"PARSE", parse, READER},
    {"TRY_PARSE", try_parse, READER},
    {"IS_VALID", is_valid, RULE},
    {"PARSE_URL", parse_url, SCHEME_READER},
    {"BROWSER", browser, READER},
};

static FastCall *fast_call_at(PyObject *module, unsigned int number) {
    if (number < FAST_CALLS) return &((State *)PyModule_GetState(module))->fast_calls[number];
    return RAISED(NULL, PyExc_ValueError, "no such fast call");
}

/* fastcall(number, function, name, doc, module): the public function that replaces `function` */
static PyObject *fastcall(PyObject *module, PyObject *args) {
    unsigned int number;
    PyObject *function, *home;
    const char *name, *doc;
    FastCall *own;
    if (!PyArg_ParseTuple(args, "IOssU:fastcall", &number, &function, &name, &doc, &home))
        return NULL;
    own = fast_call_at(module, number);
    if (own == NULL) return NULL;
    if (own->held != NULL) /* its PyMethodDef is in use by the first one */
        return RAISED(NULL, PyExc_ValueError, "this fast call has been made");
    own->held = Py_NewRef(args);
    own->function = function;
    own->method = (PyMethodDef){name, (PyCFunction)(void (*)(void))CALLS[number].function,
                                METH_FASTCALL | METH_KEYWORDS, doc};
    /* `home`, its __module__, lets pickle find the function by name. */
    return PyCFunction_NewEx(&own->method, module, home);
}

/* activate(number, rule or reader[, refusal]): from now on it reads each single str.

   Not part of `fastcall`, since tables are loaded with the first text, not by the import. */
static PyObject *activate(PyObject *module, PyObject *args) {
    State *state = PyModule_GetState(module);
    unsigned int number;
    PyObject *given, *refusal = NULL, *before;
    FastCall *own;
    if (!PyArg_ParseTuple(args, "IO|O!:activate", &number, &given, &PyTuple_Type, &refusal))
        return NULL;
    own = fast_call_at(module, number);
    if (own == NULL) return NULL;
    if (!Py_IS_TYPE(given, state->types[CALLS[number].type])) {
        PyErr_SetString(PyExc_TypeError, "is_valid needs a Rule, parse_url a SchemeReader, and the"
                                         " other fast calls a Reader");
        return NULL;
    }
    if (refusal != NULL &&
        (PyTuple_Size(refusal) != 2 || !PyType_Check(PyTuple_GetItem(refusal, 0))))
        return RAISED(NULL, PyExc_TypeError, "a refusal is a class and a function");
    before = own->reader;
    own->reader = Py_NewRef(given);
    if (own->refusal == NULL && refusal != NULL) own->refusal = Py_NewRef(refusal);
    Py_XDECREF(before); /* last, since a destructor may call the function */
    Py_RETURN_NONE;
}

/* stopped(rows, classes, text, state): how many ASCII characters of a text can follow a state of an
   automaton for errors, and the state after them.

   rows: the number of classes in four octets; then by state and class the next state, in two. One that
   does not exist is none. classes: that of each ASCII character. */
static PyObject *stopped(PyObject *Py_UNUSED(module), PyObject *args) {
    const uint8_t *rows, *classes, *cell;
    Py_ssize_t size, ascii, state, columns, states, next, at;
    PyObject *text;
    Utf8 utf8;
    if (!PyArg_ParseTuple(args, "y#y#Un:stopped", &rows, &size, &classes, &ascii, &text, &state))
        return NULL;
    columns = size < 4 ? 0 : rows[0] | rows[1] << 8;
    states = columns ? (size - 4) / 2 / columns : 0;
    if (ascii != 128 || state < 0 || state >= states)
        return RAISED(NULL, PyExc_ValueError, "the automaton has no such state, or not 128 classes");
    utf8.size = 0; /* of a text without a UTF-8 form */
    if (utf8_of(text, &utf8) < 0) return NULL;
    for (at = 0; at < utf8.size && (uint8_t)utf8.octets[at] < 128; at++) {
        const uint8_t class = classes[(uint8_t)utf8.octets[at]];
        if (class >= columns) break;
        cell = rows + 4 + 2 * (state * columns + class);
        next = cell[0] | cell[1] << 8;
        if (next >= states) break;
        state = next;
    }
    return Py_BuildValue("nn", at, state);
}

static PyMethodDef module_functions[] = {
    {"fastcall", fastcall, METH_VARARGS, "Make the fast version of a Python function."},
    {"activate", activate, METH_VARARGS, "Let a fast call read by a rule or a reader."},
    {"stopped", stopped, METH_VARARGS, "Where an automaton stops in a text."},
    {NULL, NULL, 0, NULL},
};

static int execute(PyObject *module) {
    State *state = PyModule_GetState(module);
    PyType_Spec *const specs[TYPES] = {&tables_spec,   &rule_spec,  &reader_spec, &scheme_reader_spec,
                                       &rewriter_spec, &block_spec, &rows_spec};
    for (int number = 0; number < TYPES; number++) {
        PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, specs[number], NULL);
        state->types[number] = type;
        if (type == NULL || PyModule_AddType(module, type) < 0) return -1;
    }
    if (PyModule_AddFunctions(module, column_functions) < 0 ||
        PyModule_AddFunctions(module, lookup_functions) < 0 ||
        PyModule_AddFunctions(module, capsule_functions) < 0 ||
        PyModule_AddFunctions(module, rewriter_functions) < 0)
        return -1;
    /* Python compares the format with its own: the library may be that of an old build. */
    if (PyModule_AddIntConstant(module, "FORMAT", TABLES_FORMAT) < 0) return -1;
    for (int number = 0; number < FAST_CALLS; number++)
        if (PyModule_AddIntConstant(module, CALLS[number].name, number) < 0) return -1;
    return 0;
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
    State *state = PyModule_GetState(module);
    for (int number = 0; number < TYPES; number++) Py_VISIT(state->types[number]);
    for (int number = 0; number < FAST_CALLS; number++) {
        Py_VISIT(state->fast_calls[number].held);
        Py_VISIT(state->fast_calls[number].reader);
        Py_VISIT(state->fast_calls[number].refusal);
    }
    return 0;
}

/* Keeps the Python functions: a fast call without them would have nothing to pass a call to. */
static int clear(PyObject *module) {
    State *state = PyModule_GetState(module);
    for (int number = 0; number < FAST_CALLS; number++) {
        Py_CLEAR(state->fast_calls[number].reader);
        Py_CLEAR(state->fast_calls[number].refusal);
    }
    for (int number = 0; number < TYPES; number++) Py_CLEAR(state->types[number]);
    return 0;
}

/* Fast calls hold a reference to the module, so none is left when this runs. */
static void release(void *module) {
    State *state = PyModule_GetState(module);
    clear(module);
    for (int number = 0; number < FAST_CALLS; number++) Py_CLEAR(state->fast_calls[number].held);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, execute}, {0, NULL}};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "_kernel",
    "Tagged automata, executed.",
    sizeof(State),
    module_functions,
    slots,
    traverse,
    clear,
    release,
};

PyMODINIT_FUNC PyInit__kernel(void) { return PyModuleDef_Init(&definition); }
