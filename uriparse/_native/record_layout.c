#include "kernel.h"

#include <string.h>

/* Objects of Python classes, made here: their slots are filled where they lie. */

/* A class with slots, and the size of its objects. */
typedef struct {
    PyTypeObject *type; /* NULL for none yet */
    Py_ssize_t size;
} Class;

/* The limited API tells no offsets of slots. They are found by putting an object into each slot of
   an object that is thrown away, through the slot's own descriptor, and looking where it lies.

   Nothing that is made here is told to the collector of cycles. Records, and what they are made of,
   hold nothing that could hold them; and to whoever keeps a million of them it would come again and
   again. */

static int class_take(Class *class, PyObject *type) {
    const unsigned long flags = Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_HAVE_GC;
    PyObject *basic;
    if (!PyType_Check(type) || (PyType_GetFlags((PyTypeObject *)type) & flags) != flags) {
        PyErr_SetString(PyExc_TypeError, "a record is of a class of its own");
        return -1;
    }
    basic = PyObject_GetAttrString(type, "__basicsize__");
    if (basic == NULL) return -1;
    class->size = PyLong_AsSsize_t(basic);
    Py_DECREF(basic);
    if (class->size < (Py_ssize_t)sizeof(PyObject)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a class of objects of no size");
        return -1;
    }
    class->type = (PyTypeObject *)Py_NewRef(type);
    return 0;
}

static PyObject *class_object(const Class *class) {
    PyObject *made = PyObject_GC_New(PyObject, class->type);
    if (made != NULL) memset(made + 1, 0, (size_t)class->size - sizeof *made);
    return made;
}

static PyObject *class_text(const Class *class, PyObject *text) {
    newfunc make = (newfunc)PyType_GetSlot(&PyUnicode_Type, Py_tp_new);
    PyObject *args = PyTuple_Pack(1, text);
    PyObject *made = args == NULL ? NULL : make(class->type, args, NULL);
    Py_XDECREF(args);
    if (made != NULL) PyObject_GC_UnTrack(made);
    return made;
}

static PyObject *any_object(const Class *class) {
    PyObject *text, *made;
    if (!PyType_IsSubtype(class->type, &PyUnicode_Type)) return class_object(class);
    text = PyUnicode_FromString("");
    made = text == NULL ? NULL : class_text(class, text);
    Py_XDECREF(text);
    return made;
}

static Py_ssize_t class_slot(const Class *class, PyObject *slot) {
    descrsetfunc set = (descrsetfunc)PyType_GetSlot(Py_TYPE(slot), Py_tp_descr_set);
    PyObject *mark = PyList_New(0), *object = any_object(class);
    Py_ssize_t found = -1, hits = 0;
    if (mark == NULL || object == NULL) goto done;
    if (set == NULL || set(slot, object, mark) < 0) goto done;
    for (Py_ssize_t at = (Py_ssize_t)sizeof(PyObject);
         at + (Py_ssize_t)sizeof mark <= class->size; at += (Py_ssize_t)sizeof mark)
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

/* What the records of a rule are made of, and how one is made. */

#define MOST_FIELDS (MOST_PLACES / 2)
#define MOST_VALUES 16
#define MOST_FIXED 8
#define SHORT 8
#define NOWHERE (-1) /* where a record has no slot for a field */

/* A field that has kinds: the class and slot for each value of the constant that tells them. */
typedef struct {
    uint32_t constant;
    Py_ssize_t count;
    Class classes[MOST_VALUES];
    Py_ssize_t slots[MOST_VALUES];
} Kinds;

typedef struct {
    Class class;
    Py_ssize_t whole;
    Py_ssize_t fields[MOST_FIELDS];
    Py_ssize_t fixed[MOST_FIXED];
} Shape;

/* A field whose text is of a class of its own, which knows where it begins. */
typedef struct {
    Class class; /* none for one that is not */
    Py_ssize_t begin;
} Placed;

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
    Placed placed[MOST_FIELDS];
    PyObject *values[MOST_FIXED];
    Last last[MOST_FIELDS];
};

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
        if (class_take(&kinds->classes[number], PyTuple_GetItem(types, number)) < 0) return -1;
        kinds->count = number + 1;
        kinds->slots[number] = class_slot(&kinds->classes[number], slot);
        if (kinds->slots[number] < 0) return -1;
    }
    return 0;
}

static int add_placed(Plan *plan, PyObject *entry) {
    unsigned int field;
    Placed *placed;
    PyObject *type, *begin;
    if (!PyArg_ParseTuple(entry, "IOO", &field, &type, &begin)) return -1;
    if (field >= (unsigned)plan->fields || plan->placed[field].class.type != NULL) {
        PyErr_SetString(PyExc_ValueError, "the classes of fields do not fit to the tables");
        return -1;
    }
    placed = &plan->placed[field];
    if (class_take(&placed->class, type) < 0) return -1;
    if (!PyType_IsSubtype(placed->class.type, &PyUnicode_Type)) {
        PyErr_SetString(PyExc_TypeError, "a field that is placed is text");
        return -1;
    }
    placed->begin = class_slot(&placed->class, begin);
    return placed->begin < 0 ? -1 : 0;
}

static int add_shape(Plan *plan, PyObject *type, PyObject *whole, PyObject *fields,
                     PyObject *fixed) {
    Shape *shape = &plan->shapes[plan->records];
    if (class_take(&shape->class, type) < 0) return -1;
    plan->records++;
    shape->whole = class_slot(&shape->class, whole);
    if (shape->whole < 0) return -1;
    for (Py_ssize_t number = 0; number < plan->fields; number++) {
        PyObject *slot = PyTuple_GetItem(fields, number);
        shape->fields[number] = NOWHERE;
        if (slot == Py_None) continue;
        shape->fields[number] = class_slot(&shape->class, slot);
        if (shape->fields[number] < 0) return -1;
    }
    for (Py_ssize_t number = 0; number < plan->fixed; number++) {
        PyObject *entry = PyTuple_GetItem(fixed, number);
        shape->fixed[number] = class_slot(&shape->class, PyTuple_GetItem(entry, 0));
        if (shape->fixed[number] < 0) return -1;
    }
    return 0;
}

static int add_entries(Plan *plan, const Tables *tables, PyObject *kinds, PyObject *placed) {
    for (Py_ssize_t number = 0; number < PyTuple_Size(kinds) + PyTuple_Size(placed); number++) {
        int is_kind = number < PyTuple_Size(kinds);
        PyObject *entry = is_kind ? PyTuple_GetItem(kinds, number)
                                  : PyTuple_GetItem(placed, number - PyTuple_Size(kinds));
        if (!PyTuple_Check(entry)) {
            PyErr_SetString(PyExc_TypeError, "what is told of a field is a tuple");
            return -1;
        }
        if ((is_kind ? add_kinds(plan, entry, tables) : add_placed(plan, entry)) < 0) return -1;
    }
    return 0;
}

static int add_fixed(Plan *plan, PyObject *fixed) {
    for (Py_ssize_t number = 0; number < PyTuple_Size(fixed); number++) {
        PyObject *entry = PyTuple_GetItem(fixed, number);
        if (!PyTuple_Check(entry) || PyTuple_Size(entry) != 2) {
            PyErr_SetString(PyExc_TypeError, "what is fixed is a slot and its value");
            return -1;
        }
        plan->values[number] = Py_NewRef(PyTuple_GetItem(entry, 1));
        plan->fixed = number + 1;
    }
    return 0;
}

Plan *plan_new(const Tables *tables, PyObject *records, PyObject *whole, PyObject *fields,
               PyObject *fixed, PyObject *kinds, PyObject *placed) {
    Plan *plan;
    if (PyTuple_Size(records) > MOST_VALUES || PyTuple_Size(fixed) > MOST_FIXED ||
        PyTuple_Size(fields) * 2 != (Py_ssize_t)tables->places) {
        PyErr_SetString(PyExc_ValueError, "the records do not fit to the tables");
        return NULL;
    }
    plan = PyMem_Calloc(1, sizeof *plan);
    if (plan == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    plan->fields = PyTuple_Size(fields);
    if (add_fixed(plan, fixed) < 0 || add_entries(plan, tables, kinds, placed) < 0) goto failed;
    for (Py_ssize_t number = 0; number < PyTuple_Size(records); number++)
        if (add_shape(plan, PyTuple_GetItem(records, number), whole, fields, fixed) < 0)
            goto failed;
    return plan;
failed:
    plan_free(plan);
    return NULL;
}

Py_ssize_t plan_slot(const Plan *plan, PyObject *slot) {
    if (plan->records == 1) return class_slot(&plan->shapes[0].class, slot);
    PyErr_SetString(PyExc_ValueError, "the records are of several classes");
    return -1;
}

int plan_traverse(Plan *plan, visitproc visit, void *arg) {
    for (Py_ssize_t number = 0; number < plan->records; number++)
        Py_VISIT(plan->shapes[number].class.type);
    for (Py_ssize_t number = 0; number < plan->fixed; number++) Py_VISIT(plan->values[number]);
    for (Py_ssize_t field = 0; field < plan->fields; field++) {
        Py_VISIT(plan->placed[field].class.type);
        for (Py_ssize_t n = 0; plan->kinds[field] != NULL && n < plan->kinds[field]->count; n++)
            Py_VISIT(plan->kinds[field]->classes[n].type);
    }
    return 0;
}

void plan_free(Plan *plan) {
    for (Py_ssize_t n = 0; n < plan->records; n++) Py_XDECREF(OBJECT(plan->shapes[n].class.type));
    for (Py_ssize_t n = 0; n < plan->fixed; n++) Py_XDECREF(plan->values[n]);
    for (Py_ssize_t field = 0; field < MOST_FIELDS; field++) {
        Kinds *kinds = plan->kinds[field];
        Py_XDECREF(plan->last[field].text);
        Py_XDECREF(OBJECT(plan->placed[field].class.type));
        if (kinds == NULL) continue;
        for (Py_ssize_t n = 0; n < kinds->count; n++) Py_XDECREF(OBJECT(kinds->classes[n].type));
        PyMem_Free(kinds);
    }
    PyMem_Free(plan);
}

static PyObject *wrong_tables(void) {
    PyErr_SetString(PyExc_SystemError, "the tables tell what no text can have");
    return NULL;
}

/* A text, its octets, and whether each of them is a character. */
typedef struct {
    PyObject *text;
    const Spelled *spelled;
    int is_plain;
} Source;

/* A part of a text. What is short is often what it was the last time, as schemes and ports are. */
static PyObject *part(Last *last, const Source *source, ptrdiff_t begin, ptrdiff_t end) {
    Py_ssize_t size = end - begin;
    const char *octets;
    PyObject *own;
    if (begin < 0 || size < 0 || end > source->spelled->size) return wrong_tables();
    octets = source->spelled->octets + begin;
    if (last->text != NULL && last->size == size && memcmp(last->octets, octets, (size_t)size) == 0)
        return Py_NewRef(last->text);
    own = source->is_plain ? PyUnicode_Substring(source->text, begin, end)
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

/* The text of a field as its own class has it, with the characters before it; none if it is empty. */
static PyObject *placed_in(const Placed *placed, PyObject *own, const Source *source,
                           ptrdiff_t begin) {
    PyObject *made = class_text(&placed->class, own), *place;
    if (made == NULL) return NULL;
    if (PyUnicode_GetLength(own) == 0)
        place = Py_NewRef(Py_None);
    else
        place = PyLong_FromLongLong(source->is_plain ? begin : characters_before((const uint8_t *)source->spelled->octets, (size_t)begin));
    if (place == NULL) {
        Py_DECREF(made);
        return NULL;
    }
    *slot_at(made, placed->begin) = place;
    return made;
}

static PyObject *field_of(Plan *plan, Py_ssize_t field, const Told *told, const Source *source) {
    const Kinds *kinds = plan->kinds[field];
    ptrdiff_t begin = told->places[2 * field], end = told->places[2 * field + 1];
    PyObject *own = part(&plan->last[field], source, begin, end), *typed;
    uint8_t value;
    if (own != NULL && plan->placed[field].class.type != NULL) {
        typed = placed_in(&plan->placed[field], own, source, begin);
        Py_DECREF(own);
        return typed;
    }
    if (own == NULL || kinds == NULL) return own;
    value = told->values[kinds->constant];
    if (value == 0 || value > kinds->count) {
        Py_DECREF(own);
        return wrong_tables();
    }
    typed = class_object(&kinds->classes[value - 1]);
    if (typed == NULL) {
        Py_DECREF(own);
        return NULL;
    }
    *slot_at(typed, kinds->slots[value - 1]) = own;
    return typed;
}

PyObject *plan_record(Plan *plan, const Told *told, PyObject *text, PyObject *part,
                      const Spelled *spelled) {
    const Source source = {part, spelled, PyUnicode_GetLength(part) == spelled->size};
    const Shape *shape;
    PyObject *record;
    if (told->values[0] == 0 || told->values[0] > plan->records) return wrong_tables();
    shape = &plan->shapes[told->values[0] - 1];
    record = class_object(&shape->class);
    if (record == NULL) return NULL;
    *slot_at(record, shape->whole) = Py_NewRef(text);
    for (Py_ssize_t number = 0; number < plan->fixed; number++)
        *slot_at(record, shape->fixed[number]) = Py_NewRef(plan->values[number]);
    for (Py_ssize_t field = 0; field < plan->fields; field++) {
        PyObject **slot, *value, *before;
        int is_there = told->places[2 * field + 1] >= 0;
        if (shape->fields[field] == NOWHERE) continue;
        slot = slot_at(record, shape->fields[field]);
        if (!is_there && *slot != NULL) continue; /* another field has filled it */
        value = is_there ? field_of(plan, field, told, &source) : Py_NewRef(Py_None);
        if (value == NULL) {
            Py_DECREF(record);
            return NULL;
        }
        before = *slot;
        *slot = value;
        Py_XDECREF(before);
    }
    return record;
}
