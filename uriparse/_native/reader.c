/* `Reader`: from a text of a rule to a record, whose slots are filled where they lie.

   The limited API tells no offsets of slots. They are found by putting an object into each slot of
   a record that is thrown away, through the slot's own descriptor, and looking where it lies. */

#include "kernel.h"

#include <string.h>

#define MOST_FIELDS (MOST_PLACES / 2)
#define MOST_VALUES 16
#define MOST_FIXED 8
#define SHORT 8

/* A field that has kinds: the class and slot for each value of the constant that tells them. */
typedef struct {
    uint32_t constant;
    Py_ssize_t count;
    PyTypeObject *types[MOST_VALUES];
    Py_ssize_t slots[MOST_VALUES];
} Kinds;

typedef struct {
    PyTypeObject *type;
    Py_ssize_t whole;
    Py_ssize_t fields[MOST_FIELDS];
    Py_ssize_t fixed[MOST_FIXED];
} Shape;

/* What a field was the last time it was short. */
typedef struct {
    PyObject *text;
    Py_ssize_t size;
    char octets[SHORT];
} Last;

struct Plan {
    Py_ssize_t records, fields, fixed;
    Shape shapes[MOST_VALUES]; /* by the value of constant 0, less one */
    Kinds *kinds[MOST_FIELDS]; /* NULL for a field that is its text */
    PyObject *values[MOST_FIXED];
    Last last[MOST_FIELDS];
};

static PyObject **slot_at(PyObject *object, Py_ssize_t offset) {
    return (PyObject **)((char *)object + offset);
}

/* Find where a slot lies in the objects of a type; -1 with an error. */
static Py_ssize_t slot_of(PyTypeObject *type, PyObject *slot) {
    descrsetfunc set = (descrsetfunc)PyType_GetSlot(Py_TYPE(slot), Py_tp_descr_set);
    PyObject *basic = PyObject_GetAttrString((PyObject *)type, "__basicsize__");
    Py_ssize_t size = basic == NULL ? -1 : PyLong_AsSsize_t(basic), found = -1, hits = 0;
    PyObject *mark = NULL, *object = NULL;
    Py_XDECREF(basic);
    if (PyErr_Occurred()) return -1;
    mark = PyList_New(0);
    object = PyType_GenericAlloc(type, 0);
    if (mark == NULL || object == NULL) goto done;
    if (set == NULL || set(slot, object, mark) < 0) goto done;
    for (Py_ssize_t at = (Py_ssize_t)sizeof(PyObject); at + (Py_ssize_t)sizeof mark <= size;
         at += (Py_ssize_t)sizeof mark)
        if (memcmp((char *)object + at, &mark, sizeof mark) == 0) {
            found = at;
            hits++;
        }
done:
    Py_XDECREF(object);
    Py_XDECREF(mark);
    if (hits == 1) return found;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a slot lies where none is found");
    return -1;
}

static int is_plain_type(PyObject *type) {
    if (PyType_Check(type) && (PyType_GetFlags((PyTypeObject *)type) & Py_TPFLAGS_HEAPTYPE))
        return 1;
    PyErr_SetString(PyExc_TypeError, "a record is of a class of its own");
    return 0;
}

static int add_kinds(Plan *plan, PyObject *entry, const Tables *tables) {
    unsigned int field, constant;
    PyObject *types, *slot;
    Kinds *kinds;
    if (!PyArg_ParseTuple(entry, "IIO!O", &field, &constant, &PyTuple_Type, &types, &slot))
        return -1;
    if (field >= (unsigned)plan->fields || constant >= tables->constants ||
        plan->kinds[field] != NULL || PyTuple_Size(types) > MOST_VALUES) {
        PyErr_SetString(PyExc_ValueError, "the kinds of a field do not fit to the tables");
        return -1;
    }
    kinds = PyMem_Calloc(1, sizeof *kinds);
    if (kinds == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    plan->kinds[field] = kinds;
    kinds->constant = constant;
    for (Py_ssize_t number = 0; number < PyTuple_Size(types); number++) {
        PyObject *type = PyTuple_GetItem(types, number);
        if (!is_plain_type(type)) return -1;
        kinds->types[number] = (PyTypeObject *)Py_NewRef(type);
        kinds->count = number + 1;
        kinds->slots[number] = slot_of((PyTypeObject *)type, slot);
        if (kinds->slots[number] < 0) return -1;
    }
    return 0;
}

static int add_shape(Plan *plan, PyObject *type, PyObject *whole, PyObject *fields,
                     PyObject *fixed) {
    Shape *shape = &plan->shapes[plan->records];
    if (!is_plain_type(type)) return -1;
    shape->type = (PyTypeObject *)Py_NewRef(type);
    plan->records++;
    shape->whole = slot_of(shape->type, whole);
    if (shape->whole < 0) return -1;
    for (Py_ssize_t number = 0; number < plan->fields; number++) {
        shape->fields[number] = slot_of(shape->type, PyTuple_GetItem(fields, number));
        if (shape->fields[number] < 0) return -1;
    }
    for (Py_ssize_t number = 0; number < plan->fixed; number++) {
        PyObject *entry = PyTuple_GetItem(fixed, number);
        shape->fixed[number] = slot_of(shape->type, PyTuple_GetItem(entry, 0));
        if (shape->fixed[number] < 0) return -1;
    }
    return 0;
}

static int add_all(Plan *plan, const Tables *tables, PyObject *records, PyObject *whole,
                   PyObject *fields, PyObject *fixed, PyObject *kinds) {
    if (PyTuple_Size(records) > MOST_VALUES || PyTuple_Size(fixed) > MOST_FIXED ||
        PyTuple_Size(fields) * 2 != (Py_ssize_t)tables->places) {
        PyErr_SetString(PyExc_ValueError, "the records do not fit to the tables");
        return -1;
    }
    plan->fields = PyTuple_Size(fields);
    for (Py_ssize_t number = 0; number < PyTuple_Size(fixed); number++) {
        PyObject *entry = PyTuple_GetItem(fixed, number);
        if (!PyTuple_Check(entry) || PyTuple_Size(entry) != 2) {
            PyErr_SetString(PyExc_TypeError, "what is fixed is a slot and its value");
            return -1;
        }
        plan->values[number] = Py_NewRef(PyTuple_GetItem(entry, 1));
        plan->fixed = number + 1;
    }
    for (Py_ssize_t number = 0; number < PyTuple_Size(kinds); number++) {
        PyObject *entry = PyTuple_GetItem(kinds, number);
        if (!PyTuple_Check(entry)) {
            PyErr_SetString(PyExc_TypeError, "the kinds of a field are a tuple");
            return -1;
        }
        if (add_kinds(plan, entry, tables) < 0) return -1;
    }
    for (Py_ssize_t number = 0; number < PyTuple_Size(records); number++)
        if (add_shape(plan, PyTuple_GetItem(records, number), whole, fields, fixed) < 0) return -1;
    return 0;
}

/* Reader(rule, records, whole, fields, fixed, kinds, otherwise) */
static PyObject *reader_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    State *state = PyType_GetModuleState(type);
    PyObject *rule, *records, *whole, *fields, *fixed, *kinds, *otherwise;
    ReaderObject *self;
    if (state == NULL) return NULL;
    if (kwargs != NULL && PyDict_Size(kwargs) != 0) {
        PyErr_SetString(PyExc_TypeError, "Reader takes no names");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!O!OO!O!O!O:Reader", state->rule_type, &rule, &PyTuple_Type,
                          &records, &whole, &PyTuple_Type, &fields, &PyTuple_Type, &fixed,
                          &PyTuple_Type, &kinds, &otherwise))
        return NULL;
    self = (ReaderObject *)PyType_GenericAlloc(type, 0);
    if (self == NULL) return NULL;
    self->rule = (RuleObject *)Py_NewRef(rule);
    self->otherwise = Py_NewRef(otherwise);
    self->plan = PyMem_Calloc(1, sizeof *self->plan);
    if (self->plan == NULL) {
        Py_DECREF(OBJECT(self));
        return PyErr_NoMemory();
    }
    if (add_all(self->plan, &self->rule->tables->tables, records, whole, fields, fixed, kinds) < 0) {
        Py_DECREF(OBJECT(self));
        return NULL;
    }
    return OBJECT(self);
}

static int reader_traverse(ReaderObject *self, visitproc visit, void *arg) {
    Plan *plan = self->plan;
    Py_VISIT(Py_TYPE(OBJECT(self)));
    Py_VISIT(self->rule);
    Py_VISIT(self->otherwise);
    if (plan == NULL) return 0;
    for (Py_ssize_t number = 0; number < plan->records; number++) Py_VISIT(plan->shapes[number].type);
    for (Py_ssize_t number = 0; number < plan->fixed; number++) Py_VISIT(plan->values[number]);
    for (Py_ssize_t field = 0; field < plan->fields; field++)
        for (Py_ssize_t n = 0; plan->kinds[field] != NULL && n < plan->kinds[field]->count; n++)
            Py_VISIT(plan->kinds[field]->types[n]);
    return 0;
}

static int reader_clear(ReaderObject *self) {
    Py_CLEAR(self->otherwise);
    return 0;
}

static void reader_dealloc(ReaderObject *self) {
    PyTypeObject *type = Py_TYPE(OBJECT(self));
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    Plan *plan = self->plan;
    PyObject_GC_UnTrack(self);
    Py_CLEAR(self->otherwise);
    Py_CLEAR(self->rule);
    if (plan != NULL) {
        for (Py_ssize_t n = 0; n < plan->records; n++) Py_XDECREF(OBJECT(plan->shapes[n].type));
        for (Py_ssize_t n = 0; n < plan->fixed; n++) Py_XDECREF(plan->values[n]);
        for (Py_ssize_t field = 0; field < MOST_FIELDS; field++) {
            Kinds *kinds = plan->kinds[field];
            Py_XDECREF(plan->last[field].text);
            if (kinds == NULL) continue;
            for (Py_ssize_t n = 0; n < kinds->count; n++) Py_XDECREF(OBJECT(kinds->types[n]));
            PyMem_Free(kinds);
        }
        PyMem_Free(plan);
    }
    release(self);
    Py_DECREF(OBJECT(type));
}

static PyObject *wrong_tables(void) {
    PyErr_SetString(PyExc_SystemError, "the tables tell what no text can have");
    return NULL;
}

/* A part of a text. What is short is often what it was the last time, as schemes and ports are. */
static PyObject *part(Last *last, PyObject *text, const Spelled *spelled, ptrdiff_t begin,
                      ptrdiff_t end) {
    Py_ssize_t size = end - begin;
    const char *octets;
    PyObject *own;
    if (begin < 0 || size < 0 || end > spelled->size) return wrong_tables();
    octets = spelled->octets + begin;
    if (last->text != NULL && last->size == size && memcmp(last->octets, octets, (size_t)size) == 0)
        return Py_NewRef(last->text);
    own = PyUnicode_GetLength(text) == spelled->size
              ? PyUnicode_Substring(text, begin, end)
              : PyUnicode_DecodeUTF8(octets, size, "strict");
    if (own != NULL && size <= SHORT) {
        PyObject *before = last->text;
        memcpy(last->octets, octets, (size_t)size);
        last->size = size;
        last->text = Py_NewRef(own);
        Py_XDECREF(before);
    }
    return own;
}

static PyObject *field_of(Plan *plan, Py_ssize_t field, const Told *told, PyObject *text,
                          const Spelled *spelled) {
    const Kinds *kinds = plan->kinds[field];
    PyObject *own, *typed;
    uint8_t value;
    if (told->places[2 * field + 1] < 0) return Py_NewRef(Py_None);
    own = part(&plan->last[field], text, spelled, told->places[2 * field],
               told->places[2 * field + 1]);
    if (own == NULL || kinds == NULL) return own;
    value = told->values[kinds->constant];
    if (value == 0 || value > kinds->count) {
        Py_DECREF(own);
        return wrong_tables();
    }
    typed = PyType_GenericAlloc(kinds->types[value - 1], 0);
    if (typed == NULL) {
        Py_DECREF(own);
        return NULL;
    }
    *slot_at(typed, kinds->slots[value - 1]) = own;
    return typed;
}

PyObject *reader_record(ReaderObject *reader, PyObject *text, int *strange) {
    Plan *plan = reader->plan;
    const Shape *shape;
    PyObject *record;
    Spelled spelled;
    Told told;
    int done = spell(text, &spelled);
    *strange = done == 0;
    if (done <= 0) return NULL;
    if (tables_read(&reader->rule->tables->tables, reader->rule->start,
                    (const uint8_t *)spelled.octets, (size_t)spelled.size, &told) >= 0)
        return NULL;
    if (told.values[0] == 0 || told.values[0] > plan->records) return wrong_tables();
    shape = &plan->shapes[told.values[0] - 1];
    record = PyType_GenericAlloc(shape->type, 0);
    if (record == NULL) return NULL;
    *slot_at(record, shape->whole) = Py_NewRef(text);
    for (Py_ssize_t number = 0; number < plan->fixed; number++)
        *slot_at(record, shape->fixed[number]) = Py_NewRef(plan->values[number]);
    for (Py_ssize_t field = 0; field < plan->fields; field++) {
        PyObject *value = field_of(plan, field, &told, text, &spelled);
        if (value == NULL) {
            Py_DECREF(record);
            return NULL;
        }
        *slot_at(record, shape->fields[field]) = value;
    }
    return record;
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
