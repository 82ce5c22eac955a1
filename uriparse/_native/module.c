/* `uriparse._native._kernel`: tagged automata at work, for CPython from 3.11 on (limited API). */

#include "kernel.h"
#include "order.h"

static int execute(PyObject *module) {
    State *state = PyModule_GetState(module);
    if (add_rule_types(module, state) < 0 || add_reader_type(module, state) < 0) return -1;
    if (add_part_type(module, state) < 0 || add_block_type(module, state) < 0) return -1;
    if (PyModule_AddFunctions(module, column_functions) < 0) return -1;
    if (PyModule_AddFunctions(module, handing_functions) < 0) return -1;
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
