/* Records: where the slots of their classes are, and how captures become an object.

   Slots are written directly in memory: `__init__` and attribute access from C would cost more than
   the whole text. The limited API does not report where a slot is, so that is found by trial once. */

#include "kernel.h"

#include <string.h>

/* ---- Classes: objects of Python classes with __slots__, made in C. */

typedef struct {
    PyTypeObject *type; /* NULL if there is none */
    Py_ssize_t size;    /* of its objects, in octets */
} Class;

static int class_init(Class *class, PyObject *type) {
    /* Objects of other types are allocated in other ways; `class_new` knows only this one. */
    const unsigned long flags = Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_HAVE_GC;
    PyObject *basic;
    if (!PyType_Check(type) || (PyType_GetFlags((PyTypeObject *)type) & flags) != flags)
        return RAISED(-1, PyExc_TypeError, "a record needs a class defined in Python");
    basic = PyObject_GetAttrString(type, "__basicsize__");
    if (basic == NULL) return -1;
    class->size = PyLong_AsSsize_t(basic);
    Py_DECREF(basic);
    if (class->size < (Py_ssize_t)sizeof(PyObject)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "the class has no valid size");
        return -1;
    }
    class->type = (PyTypeObject *)type;
    return 0;
}

/* Make an object with empty slots.

   It stays unknown to the collector of cycles: a record and its parts refer only to objects that
   cannot refer back, and whoever keeps a million records would pay for them at each collection. */
static PyObject *class_new(const Class *class) {
    PyObject *made = PyObject_GC_New(PyObject, class->type);
    if (made != NULL) memset(made + 1, 0, (size_t)class->size - sizeof *made);
    return made;
}

/* Make a str of a subclass, its own slots empty. str's constructor must do it: only that knows how
   the characters are stored. */
static PyObject *class_new_text(const Class *class, PyObject *text) {
    newfunc make = (newfunc)PyType_GetSlot(&PyUnicode_Type, Py_tp_new);
    PyObject *args = PyTuple_Pack(1, text);
    PyObject *made = args == NULL ? NULL : make(class->type, args, NULL);
    Py_XDECREF(args);
    if (made != NULL) PyObject_GC_UnTrack(made); /* as in class_new */
    return made;
}

static PyObject *sample_object(const Class *class) {
    PyObject *text, *made;
    if (!PyType_IsSubtype(class->type, &PyUnicode_Type)) return class_new(class);
    text = PyUnicode_FromString("");
    made = text == NULL ? NULL : class_new_text(class, text);
    Py_XDECREF(text);
    return made;
}

/* Find the offset of a slot: set it through its descriptor in a sample object, then search the
   object's memory for the value; -1 with an error. */
static Py_ssize_t class_slot(const Class *class, PyObject *slot) {
    descrsetfunc set = (descrsetfunc)PyType_GetSlot(Py_TYPE(slot), Py_tp_descr_set);
    PyObject *mark = PyList_New(0), *object = sample_object(class);
    Py_ssize_t found = -1, hits = 0;
    if (mark == NULL || object == NULL) goto done;
    if (set == NULL || set(slot, object, mark) < 0) goto done;
    for (Py_ssize_t at = (Py_ssize_t)sizeof(PyObject); at + (Py_ssize_t)sizeof mark <= class->size;
         at += (Py_ssize_t)sizeof mark)
        if (memcmp((char *)object + at, &mark, sizeof mark) == 0) {
            found = at;
            hits++;
        }
done:
    Py_XDECREF(object);
    Py_XDECREF(mark);
    /* A property may store its value elsewhere, or twice: neither is a slot to write to. */
    if (hits == 1) return found;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a slot of the class is not found");
    return -1;
}

/* ---- Layouts: made once a rule, from what Python says of its records. */

#define MAX_FIELDS (MAX_POSITIONS / 2)
#define MAX_VALUES 16
#define MAX_FIXED 8
#define CACHED_SIZE 8
#define NO_SLOT (-1) /* a record without a slot for a field */

/* A field that becomes an object: the class and its slot, for each value of a constant. */
typedef struct {
    uint32_t constant;
    Py_ssize_t count;
    Class classes[MAX_VALUES];
    Py_ssize_t slots[MAX_VALUES];
} Kinds;

typedef struct {
    Class class;
    Py_ssize_t whole; /* the slot of the text */
    Py_ssize_t fields[MAX_FIELDS];
    Py_ssize_t fixed[MAX_FIXED];
} RecordClass;

/* A field that becomes a str of a subclass with the offset where it begins. */
typedef struct {
    Class class; /* no type if the field is a plain str */
    Py_ssize_t begin;
} Located;

/* The last short value of a field, reused if the next text has the same. */
typedef struct {
    PyObject *text;
    Py_ssize_t size;
    char octets[CACHED_SIZE];
} Last;

struct RecordLayout {
    Py_ssize_t records, fields, fixed;
    RecordClass classes[MAX_VALUES]; /* by the value of constant 0, less one */
    Kinds kinds[MAX_FIELDS];         /* no classes for a field that is a str */
    Located located[MAX_FIELDS];
    PyObject *values[MAX_FIXED]; /* the same in all records, such as the grammar's name */
    Last last[MAX_FIELDS];       /* the only part that changes later; the GIL protects it */
};

static int add_kinds(RecordLayout *layout, PyObject *entry, const Tables *tables) {
    unsigned int field, constant;
    PyObject *types, *slot;
    Kinds *kinds;
    if (!PyArg_ParseTuple(entry, "IIO!O", &field, &constant, &PyTuple_Type, &types, &slot))
        return -1;
    if (field >= (unsigned)layout->fields || constant >= tables->constants ||
        layout->kinds[field].count != 0 || PyTuple_Size(types) > MAX_VALUES)
        return RAISED(-1, PyExc_ValueError, "the kinds of a field do not fit the tables");
    kinds = &layout->kinds[field];
    kinds->constant = constant;
    for (Py_ssize_t number = 0; number < PyTuple_Size(types); number++) {
        if (class_init(&kinds->classes[number], PyTuple_GetItem(types, number)) < 0) return -1;
        kinds->count = number + 1;
        kinds->slots[number] = class_slot(&kinds->classes[number], slot);
        if (kinds->slots[number] < 0) return -1;
    }
    return 0;
}

static int add_located(RecordLayout *layout, PyObject *entry) {
    unsigned int field;
    Located *located;
    PyObject *type, *begin;
    if (!PyArg_ParseTuple(entry, "IOO", &field, &type, &begin)) return -1;
    if (field >= (unsigned)layout->fields || layout->located[field].class.type != NULL)
        return RAISED(-1, PyExc_ValueError, "the classes of fields do not fit the tables");
    located = &layout->located[field];
    if (class_init(&located->class, type) < 0) return -1;
    if (!PyType_IsSubtype(located->class.type, &PyUnicode_Type))
        return RAISED(-1, PyExc_TypeError, "the class of a field with an offset extends str");
    located->begin = class_slot(&located->class, begin);
    return located->begin < 0 ? -1 : 0;
}

static int add_record_class(RecordLayout *layout, PyObject *type, PyObject *whole, PyObject *fields,
                            PyObject *fixed) {
    RecordClass *record_class = &layout->classes[layout->records];
    if (class_init(&record_class->class, type) < 0) return -1;
    layout->records++;
    record_class->whole = class_slot(&record_class->class, whole);
    if (record_class->whole < 0) return -1;
    for (Py_ssize_t number = 0; number < layout->fields; number++) {
        PyObject *slot = PyTuple_GetItem(fields, number);
        record_class->fields[number] = NO_SLOT;
        if (slot == Py_None) continue;
        record_class->fields[number] = class_slot(&record_class->class, slot);
        if (record_class->fields[number] < 0) return -1;
    }
    for (Py_ssize_t number = 0; number < layout->fixed; number++) {
        PyObject *entry = PyTuple_GetItem(fixed, number);
        record_class->fixed[number] = class_slot(&record_class->class, PyTuple_GetItem(entry, 0));
        if (record_class->fixed[number] < 0) return -1;
    }
    return 0;
}

static int add_entries(RecordLayout *layout, const Tables *tables, PyObject *kinds,
                       PyObject *located) {
    for (Py_ssize_t number = 0; number < PyTuple_Size(kinds) + PyTuple_Size(located); number++) {
        int is_kind = number < PyTuple_Size(kinds);
        PyObject *entry = is_kind ? PyTuple_GetItem(kinds, number)
                                  : PyTuple_GetItem(located, number - PyTuple_Size(kinds));
        if (!PyTuple_Check(entry))
            return RAISED(-1, PyExc_TypeError, "the description of a field is a tuple");
        if ((is_kind ? add_kinds(layout, entry, tables) : add_located(layout, entry)) < 0)
            return -1;
    }
    return 0;
}

static int add_fixed(RecordLayout *layout, PyObject *fixed) {
    for (Py_ssize_t number = 0; number < PyTuple_Size(fixed); number++) {
        PyObject *entry = PyTuple_GetItem(fixed, number);
        if (!PyTuple_Check(entry) || PyTuple_Size(entry) != 2)
            return RAISED(-1, PyExc_TypeError, "a fixed value is a tuple of a slot and the value");
        layout->values[number] = PyTuple_GetItem(entry, 1);
        layout->fixed = number + 1;
    }
    return 0;
}

RecordLayout *layout_new(const Tables *tables, PyObject *records, PyObject *whole, PyObject *fields,
                         PyObject *fixed, PyObject *kinds, PyObject *located) {
    RecordLayout *layout;
    if (PyTuple_Size(records) > MAX_VALUES || PyTuple_Size(fixed) > MAX_FIXED ||
        PyTuple_Size(fields) * 2 != (Py_ssize_t)tables->positions)
        return RAISED(NULL, PyExc_ValueError, "the records do not fit the tables");
    layout = PyMem_Calloc(1, sizeof *layout);
    if (layout == NULL) return (PyErr_NoMemory(), NULL);
    layout->fields = PyTuple_Size(fields);
    /* Fixed values first: record classes look up their slots, too. */
    if (add_fixed(layout, fixed) < 0 || add_entries(layout, tables, kinds, located) < 0)
        goto failed;
    for (Py_ssize_t number = 0; number < PyTuple_Size(records); number++)
        if (add_record_class(layout, PyTuple_GetItem(records, number), whole, fields, fixed) < 0)
            goto failed;
    return layout;
failed:
    layout_free(layout);
    return NULL;
}

Py_ssize_t layout_slot(const RecordLayout *layout, PyObject *slot) {
    if (layout->records == 1) return class_slot(&layout->classes[0].class, slot);
    return RAISED(-1, PyExc_ValueError, "the records are of several classes");
}

void layout_free(RecordLayout *layout) {
    for (Py_ssize_t field = 0; field < MAX_FIELDS; field++) Py_XDECREF(layout->last[field].text);
    PyMem_Free(layout);
}

/* ---- Making a record. */

PyObject *inconsistent_tables(void) {
    return RAISED(NULL, PyExc_SystemError, "the tables report what no text can have");
}

/* A text, its octets, and whether each octet is one character. */
typedef struct {
    PyObject *text;
    const Utf8 *utf8;
    int is_ascii;
} Source;

/* Return a piece of a text as a str. A short one is often equal to that of the text before, as schemes
   and ports are: then the same object is used again, which saves an allocation a field. */
static PyObject *substring(Last *last, const Source *source, ptrdiff_t begin, ptrdiff_t end) {
    Py_ssize_t size = end - begin;
    const char *octets;
    PyObject *own;
    if (begin < 0 || size < 0 || end > source->utf8->size) return inconsistent_tables();
    octets = source->utf8->octets + begin;
    if (last->text != NULL && last->size == size && memcmp(last->octets, octets, (size_t)size) == 0)
        return Py_NewRef(last->text);
    /* Slicing ASCII copies memory, decoding validates it too; but only in ASCII are offsets in
       octets also offsets in characters. */
    own = source->is_ascii ? PyUnicode_Substring(source->text, begin, end)
                           : PyUnicode_DecodeUTF8(octets, size, "strict");
    if (own != NULL && size <= CACHED_SIZE) {
        PyObject *before = last->text;
        memcpy(last->octets, octets, (size_t)size);
        last->size = size;
        last->text = Py_NewRef(own);
        Py_XDECREF(before);
    }
    return own;
}

/* Return a field's text as its own class has it, with its offset in characters; None if it is empty,
   since then several fields may begin there. */
static PyObject *located_text(const Located *located, PyObject *own, const Source *source,
                              ptrdiff_t begin) {
    PyObject *made = class_new_text(&located->class, own), *offset;
    if (made == NULL) return NULL;
    if (PyUnicode_GetLength(own) == 0)
        offset = Py_NewRef(Py_None);
    else
        offset = PyLong_FromLongLong(
            source->is_ascii
                ? begin
                : characters_before((const uint8_t *)source->utf8->octets, (size_t)begin));
    if (offset == NULL) {
        Py_DECREF(made);
        return NULL;
    }
    *slot_at(made, located->begin) = offset;
    return made;
}

/* Return the value of a field, a new reference. */
static PyObject *field_of(RecordLayout *layout, Py_ssize_t field, const Captures *captures,
                          const Source *source) {
    const Kinds *kinds = &layout->kinds[field];
    ptrdiff_t begin = captures->positions[2 * field], end = captures->positions[2 * field + 1];
    PyObject *own = substring(&layout->last[field], source, begin, end), *typed;
    uint8_t value;
    if (own != NULL && layout->located[field].class.type != NULL) {
        typed = located_text(&layout->located[field], own, source, begin);
        Py_DECREF(own);
        return typed;
    }
    if (own == NULL || kinds->count == 0) return own;
    value = captures->values[kinds->constant];
    if (value == 0 || value > kinds->count) {
        Py_DECREF(own);
        return inconsistent_tables();
    }
    typed = class_new(&kinds->classes[value - 1]);
    if (typed == NULL) {
        Py_DECREF(own);
        return NULL;
    }
    *slot_at(typed, kinds->slots[value - 1]) = own; /* which passes the reference on */
    return typed;
}

PyObject *layout_record(RecordLayout *layout, const Captures *captures, PyObject *text,
                        PyObject *part, const Utf8 *utf8) {
    /* As many characters as octets: only ASCII has that. */
    const Source source = {part, utf8, PyUnicode_GetLength(part) == utf8->size};
    const RecordClass *record_class;
    PyObject *record;
    if (captures->values[0] == 0 || captures->values[0] > layout->records)
        return inconsistent_tables();
    record_class = &layout->classes[captures->values[0] - 1];
    record = class_new(&record_class->class);
    if (record == NULL) return NULL;
    *slot_at(record, record_class->whole) = Py_NewRef(text);
    for (Py_ssize_t number = 0; number < layout->fixed; number++)
        *slot_at(record, record_class->fixed[number]) = Py_NewRef(layout->values[number]);
    for (Py_ssize_t field = 0; field < layout->fields; field++) {
        PyObject **slot, *value, *before;
        int is_there =
            captures->positions[2 * field + 1] >= 0; /* only a complete field has an end */
        if (record_class->fields[field] == NO_SLOT) continue;
        slot = slot_at(record, record_class->fields[field]);
        /* Fields of alternatives share a slot: an absent one must not clear what another has set. */
        if (!is_there && *slot != NULL) continue;
        value = is_there ? field_of(layout, field, captures, &source) : Py_NewRef(Py_None);
        if (value == NULL) {
            Py_DECREF(record); /* its deallocator skips the slots that are still empty */
            return NULL;
        }
        before = *slot;
        *slot = value;
        Py_XDECREF(before);
    }
    return record;
}
