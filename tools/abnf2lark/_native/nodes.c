/* Nodes of trees, which `library/parse_trees.py` makes Lark's. They are made when they are first
   looked at, of a derivation that all nodes of a tree share.

   A token takes twice the memory of a node, so tokens are made each time that they are asked for.
   Hence children are a tuple: what were added to a list would be lost. */

#include "engine.h"

enum { TYPE, VALUE, START_POS, END_POS, LINE, COLUMN, END_LINE, END_COLUMN, SLOTS };

static const char *const slot_names[] = {"type", "value",  "start_pos", "end_pos",
                                         "line", "column", "end_line",  "end_column"};

/* What is given: the word is the type of all tokens, the kind and the token are classes. */
enum { TEXT, NAMES, KIND, TOKEN, WORD, OMITTED, GIVEN };

typedef struct {
    PyObject ob_base;
    PyObject *given[GIVEN];
    PyObject *slots[SLOTS]; /* descriptors of the class of tokens */
    Py_buffer buffer;       /* four numbers a node, as of `Derivation` */
    uint32_t count;
    int omits;    /* whether any rule is omitted */
    Vector lines; /* where each begins; empty until it is asked for */
} Derived;

typedef struct {
    PyObject ob_base;
    Derived *derived; /* NULL if it is of no derivation */
    PyObject *own;    /* its nodes, once they are made; or a name and children that were assigned */
    uint32_t node, is_assigned;
} Node;

/* What is known of a node: its rule, where it begins and ends, the first node after its subtree. */
static const uint32_t *numbers(const Derived *derived, uint32_t node) {
    return (const uint32_t *)derived->buffer.buf + 4 * (size_t)node;
}

/* Derived(text, names, nodes, kind, token, word, omitted) */
static PyObject *derived_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject *base = PyObject_GetAttrString(PyType_GetModule(type), "Node");
    Derived *made = (Derived *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (base == NULL || made == NULL) goto failed;
    PyObject *given[GIVEN];
    if (!PyArg_ParseTuple(args, "UO!y*O!O!UO:Derived", &given[TEXT], &PyList_Type, &given[NAMES],
                          &made->buffer, &PyType_Type, &given[KIND], &PyType_Type, &given[TOKEN],
                          &given[WORD], &given[OMITTED]))
        goto failed;
    for (int at = 0; at < GIVEN; at++) made->given[at] = Py_NewRef(given[at]);
    const Py_ssize_t size = PyUnicode_GetLength(made->given[TEXT]), count = made->buffer.len / 16;
    int is_valid = keywords == NULL && count > 0 && count <= (Py_ssize_t)MOST &&
                   PyType_IsSubtype((PyTypeObject *)made->given[KIND], (PyTypeObject *)base) &&
                   PyType_IsSubtype((PyTypeObject *)made->given[TOKEN], &PyUnicode_Type);
    made->count = (uint32_t)count;
    made->omits = PySet_Size(made->given[OMITTED]) != 0;
    if (PyErr_Occurred()) is_valid = 0;
    for (uint32_t at = 0; is_valid && at < made->count; at++) {
        const uint32_t *one = numbers(made, at);
        is_valid = one[1] <= one[2] && one[2] <= size && one[3] > at && one[3] <= made->count;
    }
    Py_DECREF(base);
    if (is_valid) return (PyObject *)made;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "neither nodes nor their classes");
    base = NULL;
failed:
    Py_XDECREF(base);
    Py_XDECREF((PyObject *)made);
    return NULL;
}

static int derived_traverse(PyObject *self, visitproc visit, void *arg) {
    Derived *derived = (Derived *)self;
    Py_VISIT(Py_TYPE(self));
    for (int at = 0; at < GIVEN; at++) Py_VISIT(derived->given[at]);
    for (int at = 0; at < SLOTS; at++) Py_VISIT(derived->slots[at]);
    return 0;
}

/* All of it stays as it is until it is freed: a cycle through it is broken at a node. */
static void derived_dealloc(PyObject *self) {
    Derived *derived = (Derived *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    for (int at = 0; at < GIVEN; at++) Py_XDECREF(derived->given[at]);
    for (int at = 0; at < SLOTS; at++) Py_XDECREF(derived->slots[at]);
    if (derived->buffer.obj != NULL) PyBuffer_Release(&derived->buffer);
    PyMem_Free(derived->lines.data);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* The line of an offset and its column, both from 1; -1 with an exception. */
static int place_of(Derived *derived, uint32_t offset, uint32_t *line, uint32_t *column) {
    Vector *lines = &derived->lines;
    const Py_ssize_t size = PyUnicode_GetLength(derived->given[TEXT]);
    for (Py_ssize_t at = -1; lines->count == 0 || at >= 0;) {
        if (vector_push(lines, (uint32_t)(at + 1)) < 0 ||
            (at = PyUnicode_FindChar(derived->given[TEXT], '\n', at + 1, size, 1)) == -2) {
            lines->count = 0;
            return -1;
        }
    }
    *line = rank_of(lines->data, lines->count, offset);
    *column = offset - lines->data[*line - 1] + 1;
    return 0;
}

/* derived.place(offset) */
static PyObject *derived_place(PyObject *self, PyObject *offset) {
    const unsigned long value = PyLong_AsUnsignedLong(offset);
    uint32_t line, column;
    if (value == (unsigned long)-1 && PyErr_Occurred()) return NULL;
    if (place_of((Derived *)self, value > MOST ? MOST : (uint32_t)value, &line, &column) < 0)
        return NULL;
    return Py_BuildValue("II", line, column);
}

static PyObject *token_of(Derived *derived, uint32_t start, uint32_t end) {
    uint32_t places[SLOTS] = {[START_POS] = start, [END_POS] = end};
    if (place_of(derived, start, &places[LINE], &places[COLUMN]) < 0 ||
        place_of(derived, end, &places[END_LINE], &places[END_COLUMN]) < 0)
        return NULL;
    PyObject *text = PyUnicode_Substring(derived->given[TEXT], start, end);
    PyObject *args = text == NULL ? NULL : PyTuple_Pack(1, text), *made = NULL;
    /* str's constructor: Token's own is of Python, and takes most of the time of a tree. */
    newfunc make = (newfunc)PyType_GetSlot(&PyUnicode_Type, Py_tp_new);
    if (args != NULL) made = make((PyTypeObject *)derived->given[TOKEN], args, NULL);
    for (int at = 0; made != NULL && at < SLOTS; at++) {
        PyObject *slot = derived->slots[at];
        if (slot == NULL) /* asked for once, when the first token is made */
            slot = derived->slots[at] = PyObject_GetAttrString(derived->given[TOKEN], slot_names[at]);
        PyObject *value = at == TYPE    ? Py_NewRef(derived->given[WORD])
                          : at == VALUE ? Py_NewRef(text)
                                        : PyLong_FromUnsignedLong(places[at]);
        descrsetfunc set =
            slot == NULL ? NULL : (descrsetfunc)PyType_GetSlot(Py_TYPE(slot), Py_tp_descr_set);
        if (slot != NULL && set == NULL) PyErr_SetString(PyExc_TypeError, "a token has slots");
        if (value == NULL || set == NULL || set(slot, made, value) < 0) Py_CLEAR(made);
        Py_XDECREF(value);
    }
    Py_XDECREF(text);
    Py_XDECREF(args);
    return made;
}

static PyObject *node_of(Derived *derived, uint32_t number) {
    PyTypeObject *kind = (PyTypeObject *)derived->given[KIND];
    Node *made = (Node *)((allocfunc)PyType_GetSlot(kind, Py_tp_alloc))(kind, 0);
    if (made == NULL) return NULL;
    made->derived = (Derived *)Py_NewRef((PyObject *)derived);
    made->node = number;
    return (PyObject *)made;
}

/* derived.tree() */
static PyObject *derived_tree(PyObject *self, PyObject *Py_UNUSED(nothing)) {
    return node_of((Derived *)self, 0);
}

typedef struct {
    uint32_t offset, end, inner, after; /* what is left of a node: text, and nodes */
} Rest;

/* Find the next child: 1 for text up to `*stop`, 2 for a node, 0 if there is none; -1. */
static int next_child(Derived *derived, Rest *rest, uint32_t *begin, uint32_t *stop) {
    while (rest->inner < rest->after) {
        const uint32_t *next = numbers(derived, rest->inner);
        *begin = rest->offset;
        *stop = rest->offset = next[1];
        if (*begin < *stop) return 1;
        int is_omitted = 0;
        if (derived->omits) {
            PyObject *name = PyList_GetItem(derived->given[NAMES], next[0]);
            is_omitted = name == NULL ? -1 : PySet_Contains(derived->given[OMITTED], name);
            if (is_omitted < 0) return -1;
        }
        *begin = rest->inner;
        rest->offset = next[2];
        rest->inner = next[3];
        if (!is_omitted) return 2;
    }
    *begin = rest->offset;
    *stop = rest->offset = rest->end;
    return *begin < *stop;
}

/* The children of a node: nodes, which it keeps, and tokens of the text between them. */
static PyObject *children_of(Node *node) {
    Derived *derived = node->derived;
    const uint32_t *whole = numbers(derived, node->node);
    const Rest rest = {whole[1], whole[2], node->node + 1, whole[3]};
    uint32_t begin = 0, stop = 0;
    Py_ssize_t count[3] = {0, 0, 0}, at = 0;
    int what;
    for (Rest one = rest; (what = next_child(derived, &one, &begin, &stop)) > 0;) count[what]++;
    if (what < 0) return NULL;
    if (count[2] > 0 && node->own == NULL) {
        PyObject *nodes = PyTuple_New(count[2]);
        for (Rest one = rest; nodes && (what = next_child(derived, &one, &begin, &stop)) > 0;) {
            PyObject *made = what == 2 ? node_of(derived, begin) : NULL;
            if (what == 2 && (made == NULL || PyTuple_SetItem(nodes, at++, made) < 0))
                Py_CLEAR(nodes);
        }
        if (nodes == NULL) return NULL;
        if (node->own == NULL) /* nothing has come in between */
            node->own = nodes;
        else
            Py_DECREF(nodes);
    }
    if (count[1] == 0 && count[2] > 0) return Py_NewRef(node->own);
    PyObject *nodes = Py_XNewRef(node->own), *found = PyTuple_New(count[1] + count[2]);
    Py_ssize_t inner = at = 0;
    for (Rest one = rest; found && (what = next_child(derived, &one, &begin, &stop)) > 0;) {
        PyObject *child = what == 1 ? token_of(derived, begin, stop)
                                    : Py_XNewRef(PyTuple_GetItem(nodes, inner++));
        if (child == NULL || PyTuple_SetItem(found, at++, child) < 0) Py_CLEAR(found);
    }
    Py_XDECREF(nodes);
    return found;
}

/* The name of a node (0) or its children (1). */
static PyObject *node_get(PyObject *self, void *which) {
    Node *node = (Node *)self;
    if (node->is_assigned) return Py_NewRef(PyTuple_GetItem(node->own, which != NULL));
    if (node->derived == NULL) {
        PyErr_SetString(PyExc_AttributeError, "the node is not initialized");
        return NULL;
    }
    if (which == NULL)
        return Py_XNewRef(
            PyList_GetItem(node->derived->given[NAMES], numbers(node->derived, node->node)[0]));
    return children_of(node);
}

static int node_set(PyObject *self, PyObject *value, void *which) {
    Node *node = (Node *)self;
    if (value == NULL) {
        PyErr_SetString(PyExc_AttributeError, "it cannot be deleted");
        return -1;
    }
    const int is_new = node->derived == NULL && !node->is_assigned;
    PyObject *other = is_new ? Py_NewRef(Py_None) : node_get(self, which == NULL ? self : NULL);
    PyObject *both = other == NULL       ? NULL
                     : which == NULL ? PyTuple_Pack(2, value, other)
                                     : PyTuple_Pack(2, other, value);
    Py_XDECREF(other);
    if (both == NULL) return -1;
    PyObject *before = node->own;
    node->own = both;
    node->is_assigned = 1;
    Py_XDECREF(before);
    return 0;
}

/* Where a node begins (0) or ends (1); of no derivation: None. */
static PyObject *node_offset(PyObject *self, void *which) {
    Node *node = (Node *)self;
    if (node->derived == NULL) Py_RETURN_NONE;
    return PyLong_FromUnsignedLong(numbers(node->derived, node->node)[which != NULL ? 2 : 1]);
}

static PyObject *node_derived(PyObject *self, void *Py_UNUSED(nothing)) {
    Node *node = (Node *)self;
    return Py_NewRef(node->derived == NULL ? Py_None : (PyObject *)node->derived);
}

static int node_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT((PyObject *)((Node *)self)->derived);
    Py_VISIT(((Node *)self)->own);
    return 0;
}

static int node_clear(PyObject *self) {
    ((Node *)self)->is_assigned = 0;
    Py_CLEAR(((Node *)self)->derived);
    Py_CLEAR(((Node *)self)->own);
    return 0;
}

static void node_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    node_clear(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef derived_methods[] = {
    {"tree", derived_tree, METH_NOARGS, "tree(): the first node."},
    {"place", derived_place, METH_O, "place(offset): its line and column, from 1."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot derived_slots[] = {
    {Py_tp_new, (void *)derived_new},           {Py_tp_dealloc, (void *)derived_dealloc},
    {Py_tp_traverse, (void *)derived_traverse}, {Py_tp_methods, (void *)derived_methods},
    {0, NULL},
};

static PyGetSetDef node_attributes[] = {
    {"data", node_get, node_set, "The rule.", NULL},
    {"children", node_get, node_set, "Nodes, and the text between them.", (void *)1},
    {"start", node_offset, NULL, "The offset at which it begins, in characters.", NULL},
    {"end", node_offset, NULL, "The offset at which it ends.", (void *)1},
    {"derived", node_derived, NULL, "What all nodes of the tree share.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot node_slots[] = {
    {Py_tp_dealloc, (void *)node_dealloc}, {Py_tp_traverse, (void *)node_traverse},
    {Py_tp_clear, (void *)node_clear},     {Py_tp_getset, (void *)node_attributes},
    {0, NULL},
};

PyType_Spec derived_spec = {
    "abnf2lark._native._engine.Derived", sizeof(Derived), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, derived_slots,
};

PyType_Spec node_spec = {
    "abnf2lark._native._engine.Node", sizeof(Node), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE, node_slots,
};
