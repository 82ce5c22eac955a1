/* Rewriter(reader, fields, triplets, defaults): normal forms and targets of references, as records.

   fields: the tables' number of each component, an octet each. triplets: for each of 256 octets what
   becomes of its triplet: upper case 0, decoded 1, kept 2. defaults: (scheme, port or None, host or
   None, triplets of its own or None, whether an empty path is "/", whether the path ends in a domain,
   whether it is opaque, whether every character counts) for each scheme. Immutable once made. */

#include "kernel.h"

#include <string.h>

/* Point to the octets of bytes, which `held` keeps alive; None has none. 0 with an error. */
static int point_to(Buffer *buffer, PyObject *given) {
    char *octets;
    Py_ssize_t size;
    *buffer = (Buffer){NULL, 0};
    if (given == Py_None) return 1;
    if (PyBytes_AsStringAndSize(given, &octets, &size) < 0) return 0;
    *buffer = (Buffer){(const uint8_t *)octets, size};
    return 1;
}

/* Point to bytes that have a 1 for each octet that needs no triplet. 0 with an error. */
static int kept_octets(Buffer *kept, PyObject *given) {
    if (!point_to(kept, given)) return 0;
    if (kept->size == 256) return 1;
    return RAISED(0, PyExc_ValueError, "there is a flag for each of 256 octets");
}

static int read_defaults(Rewriting *own, PyObject *given) {
    own->defaults = PyMem_Calloc((size_t)PyTuple_Size(given) + 1, sizeof *own->defaults);
    if (own->defaults == NULL) return (PyErr_NoMemory(), 0);
    for (Py_ssize_t number = 0; number < PyTuple_Size(given); number++) {
        PyObject *entry = PyTuple_GetItem(given, number), *scheme, *port, *host, *triplets;
        SchemeDefaults *defaults = &own->defaults[number];
        if (!PyTuple_Check(entry))
            return RAISED(0, PyExc_TypeError, "the defaults of a scheme are a tuple");
        if (!PyArg_ParseTuple(entry, "SOOOpppp", &scheme, &port, &host, &triplets,
                              &defaults->empty_path_is_slash, &defaults->path_ends_in_domain,
                              &defaults->opaque, &defaults->verbatim) ||
            !point_to(&defaults->scheme, scheme) || !point_to(&defaults->port, port) ||
            !point_to(&defaults->host, host) || !point_to(&defaults->triplets, triplets))
            return 0;
        if (defaults->triplets.octets != NULL && defaults->triplets.size != 256)
            return RAISED(0, PyExc_ValueError, "triplets are those of 256 octets");
        own->count = number + 1;
    }
    return 1;
}

static int fields_fit(Rewriting *own, const char *fields, Py_ssize_t count,
                      const char *triplets, Py_ssize_t octets, const Tables *tables) {
    int fit = count == COMPONENTS && octets == (Py_ssize_t)sizeof own->triplets;
    for (int number = 0; fit && number < COMPONENTS; number++) {
        own->fields[number] = (uint8_t)fields[number];
        fit = own->fields[number] < tables->positions / 2;
    }
    if (fit)
        memcpy(own->triplets, triplets, sizeof own->triplets);
    else
        PyErr_SetString(PyExc_ValueError, "the fields do not fit the tables");
    return fit;
}

static PyObject *rewriter_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    State *state = PyType_GetModuleState(type);
    PyObject *reader, *defaults;
    const char *fields, *triplets;
    Py_ssize_t count, octets;
    RewriterObject *self;
    if (!PyArg_ParseTuple(args, "O!y#y#O!:Rewriter", state->types[READER], &reader, &fields, &count,
                          &triplets, &octets, &PyTuple_Type, &defaults))
        return NULL;
    self = holder_new(type, args, kwargs);
    if (self == NULL) return NULL;
    self->reader = (ReaderObject *)reader;
    if (fields_fit(&self->rewriting, fields, count, triplets, octets,
                   &self->reader->rule->tables->tables) &&
        read_defaults(&self->rewriting, defaults))
        return OBJECT(self);
    Py_DECREF(OBJECT(self));
    return NULL;
}

static void rewriter_dealloc(RewriterObject *self) {
    PyMem_Free(self->rewriting.defaults);
    holder_dealloc(OBJECT(self));
}

/* ---- Single texts. */

#define SMALL 512 /* octets of a result that is written on the stack */

/* Find the components of a str: as `components_of`, and 0 for a text without a UTF-8 form. */
static int read_components(const RewriterObject *self, PyObject *text, Utf8 *utf8,
                           Components *found) {
    const RuleObject *rule = self->reader->rule;
    int done;
    if (!PyUnicode_Check(text)) return RAISED(-1, PyExc_TypeError, "a text is of type str");
    done = utf8_of(text, utf8);
    if (done <= 0) return done;
    done = components_of(&self->rewriting, &rule->tables->tables, rule->start,
                         (const uint8_t *)utf8->octets, (size_t)utf8->size, found);
    if (done < 0) inconsistent_tables();
    return done;
}

/* Make the record of what has been written; every result is a text of the rule. */
static PyObject *record_of(const RewriterObject *self, const uint8_t *octets, size_t size) {
    PyObject *text = PyUnicode_FromStringAndSize((const char *)octets, (Py_ssize_t)size), *record;
    int not_utf8;
    if (text == NULL) return NULL;
    record = reader_record(self->reader, text, &not_utf8);
    Py_DECREF(text);
    if (record == NULL && !PyErr_Occurred())
        PyErr_SetString(PyExc_SystemError, "what is written does not match the rule");
    return record;
}

/* The record of a text, which may be None, if that is what has been written; else another. */
static PyObject *known_or_made(const RewriterObject *self, PyObject *record, const Utf8 *text,
                               const uint8_t *octets, size_t size) {
    if (record != Py_None && size == (size_t)text->size && memcmp(octets, text->octets, size) == 0)
        return Py_NewRef(record);
    return record_of(self, octets, size);
}

static uint8_t *room_for(uint8_t *small, size_t size) {
    uint8_t *room = size <= SMALL ? small : PyMem_Malloc(size);
    if (room == NULL) PyErr_NoMemory();
    return room;
}

/* The record of what a text is rewritten to; None if it does not match the rule. */
static PyObject *rewrite(const RewriterObject *self, const Way *way, PyObject *text,
                         PyObject *record) {
    uint8_t small[SMALL], *room;
    Components components;
    Utf8 utf8;
    PyObject *found;
    int done = read_components(self, text, &utf8, &components);
    if (done < 0) return NULL;
    if (done == 0) Py_RETURN_NONE;
    room = room_for(small, way->base_size + (size_t)utf8.size + MORE);
    if (room == NULL) return NULL;
    found = known_or_made(self, record, &utf8, room,
                          rewrite_to(&self->rewriting, way, &components, room));
    if (room != small) PyMem_Free(room);
    return found;
}

/* normal(text, by_scheme, record): the record of a reference's normal form; None if it does not match
   the rule. `record` is that of the text, which comes back if it is in normal form; or None. */
static PyObject *rewriter_normal(RewriterObject *self, PyObject *const *args, Py_ssize_t count) {
    if (count != 3)
        return RAISED(NULL, PyExc_TypeError,
                      "normal takes a text, whether by its scheme, its record");
    return rewrite(self, &(Way){NULL, 0, args[1] == Py_True, NULL}, args[0], args[2]);
}

/* target(base, reference, strict, record): the record of a target; None if the base or the reference
   does not match the rule, or the base has no scheme. `record` as for `normal`. */
static PyObject *rewriter_target(RewriterObject *self, PyObject *const *args, Py_ssize_t count) {
    Components base;
    Utf8 utf8;
    int done;
    if (count != 4)
        return RAISED(NULL, PyExc_TypeError,
                      "target takes a base, a reference, whether strictly, its record");
    done = read_components(self, args[0], &utf8, &base);
    if (done < 0) return NULL;
    if (done == 0 || base.of[SCHEME].octets == NULL) Py_RETURN_NONE;
    return rewrite(self, &(Way){&base, (size_t)utf8.size, args[2] == Py_True, NULL}, args[1], args[3]);
}

/* Point to the octets of a str; None has none. 1, 0 for another type or no UTF-8 form, -1 with an
   error. */
static int piece_of(PyObject *given, Piece *piece) {
    Utf8 utf8;
    int done;
    *piece = (Piece){NULL, 0};
    if (given == Py_None) return 1;
    done = Py_IS_TYPE(given, &PyUnicode_Type) ? utf8_of(given, &utf8) : 0;
    if (done > 0) *piece = (Piece){(const uint8_t *)utf8.octets, (size_t)utf8.size};
    return done;
}

/* The record of components; None if they would be read as others. */
static PyObject *record_of_components(const RewriterObject *self, const Components *given) {
    uint8_t small[SMALL], *room;
    const RuleObject *rule = self->reader->rule;
    Components read;
    PyObject *found = NULL;
    size_t size = MORE;
    int done;
    for (int number = 0; number < COMPONENTS; number++) size += given->of[number].size;
    room = room_for(small, size);
    if (room == NULL) return NULL;
    size = composed(given, room);
    done = components_of(&self->rewriting, &rule->tables->tables, rule->start, room, size, &read);
    if (done < 0)
        inconsistent_tables();
    else if (done && same_components(given, &read))
        found = record_of(self, room, size);
    else
        found = Py_NewRef(Py_None);
    if (room != small) PyMem_Free(room);
    return found;
}

/* made(text, scheme, userinfo, host, port, path, query, fragment): the record of components, each a
   str or None, or `...` for that of the text, a reference; None if one is of another type, or they
   would be read as others */
static PyObject *rewriter_made(RewriterObject *self, PyObject *const *args, Py_ssize_t count) {
    Components given = {0};
    Utf8 utf8;
    int done;
    if (count != COMPONENTS + 1)
        return RAISED(NULL, PyExc_TypeError,
                      "made takes a text, and components in the order of one");
    done = read_components(self, args[0], &utf8, &given);
    if (done < 0) return NULL;
    if (done == 0) Py_RETURN_NONE;
    for (int number = 0; number < COMPONENTS; number++) {
        PyObject *own = args[number + 1];
        if (own == Py_Ellipsis) continue;
        done = piece_of(own, &given.of[number]);
        if (done < 0) return NULL;
        if (done == 0) Py_RETURN_NONE;
    }
    return record_of_components(self, &given);
}

/* Data, written one after the other. */
typedef struct {
    uint8_t small[SMALL], *octets;
    size_t size, room;
} Data;

/* Add a str after a delimiter, with triplets for the octets that are not kept: as `piece_of`. */
static int add_data(Data *data, char delimiter, const Buffer *kept, PyObject *given) {
    Piece piece;
    size_t size;
    int done = given == Py_None ? 0 : piece_of(given, &piece);
    if (done <= 0) return done;
    if (piece.size > (PY_SSIZE_T_MAX / 2 - data->size) / 4) return (PyErr_NoMemory(), -1);
    size = data->size + 3 * piece.size + 1;
    if (size > data->room) {
        uint8_t *before = data->octets == data->small ? NULL : data->octets;
        uint8_t *larger = PyMem_Realloc(before, 2 * size);
        if (larger == NULL) return (PyErr_NoMemory(), -1);
        if (before == NULL) memcpy(larger, data->small, data->size);
        data->octets = larger;
        data->room = 2 * size;
    }
    data->octets[data->size++] = (uint8_t)delimiter;
    data->size += encode(kept->octets, piece.octets, piece.size, data->octets + data->size);
    return 1;
}

/* Add each text of a tuple or a list, or each pair of two texts in one: as `piece_of`. */
static int add_each(Data *data, char delimiter, const Buffer *kept, PyObject *given, int paired) {
    int is_list = Py_IS_TYPE(given, &PyList_Type), done = 1;
    PyObject *items;
    if (!is_list && !Py_IS_TYPE(given, &PyTuple_Type)) return 0;
    items = PySequence_Tuple(given);
    if (items == NULL) return -1;
    for (Py_ssize_t at = 0; done > 0 && at < PyTuple_Size(items); at++) {
        PyObject *item = PyTuple_GetItem(items, at);
        if (!paired) {
            done = add_data(data, delimiter, kept, item);
        } else if (!Py_IS_TYPE(item, &PyTuple_Type) || PyTuple_Size(item) != 2) {
            done = 0;
        } else {
            done = add_data(data, delimiter, kept, PyTuple_GetItem(item, 0));
            if (done > 0) done = add_data(data, '=', kept, PyTuple_GetItem(item, 1));
        }
    }
    Py_DECREF(items);
    return done;
}

/* built(in_segment, in_pair, scheme, host, port, segments, pairs): the record of data: scheme, host and
   port as they are, the segments of the path and the pairs of the query with triplets for the octets
   that do not stay there; None if one is of another type, or they would be read as others */
static PyObject *rewriter_built(RewriterObject *self, PyObject *const *args, Py_ssize_t count) {
    Components given = {0};
    Data data = {.octets = data.small, .room = SMALL};
    Buffer in_segment, in_pair;
    PyObject *found = NULL;
    size_t path;
    int done;
    if (count != 7)
        return RAISED(NULL, PyExc_TypeError, "built takes the octets to keep, and data");
    if (!kept_octets(&in_segment, args[0]) || !kept_octets(&in_pair, args[1])) return NULL;
    done = piece_of(args[2], &given.of[SCHEME]);
    if (done > 0) done = piece_of(args[3], &given.of[HOST]);
    if (done > 0) done = piece_of(args[4], &given.of[PORT]);
    if (done > 0) done = add_each(&data, '/', &in_segment, args[5], 0);
    path = data.size;
    if (done > 0) done = add_each(&data, '&', &in_pair, args[6], 1);
    if (done > 0) {
        given.of[PATH] = (Piece){data.octets, path};
        if (data.size > path)
            given.of[QUERY] = (Piece){data.octets + path + 1, data.size - path - 1};
        found = record_of_components(self, &given);
    } else if (done == 0) {
        found = Py_NewRef(Py_None);
    }
    if (data.octets != data.small) PyMem_Free(data.octets);
    return found;
}

/* encoded(kept, fallback, text): a text with triplets for the octets that are not kept; what the
   fallback makes of one without a UTF-8 form */
static PyObject *encoded(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    uint8_t small[SMALL], *room;
    Buffer kept;
    Utf8 utf8;
    PyObject *found;
    size_t at = 0, size;
    int done;
    (void)module;
    if (count != 3 || !PyUnicode_Check(args[2]))
        return RAISED(NULL, PyExc_TypeError,
                      "encoded takes the octets to keep, a fallback, a text");
    if (!kept_octets(&kept, args[0])) return NULL;
    done = utf8_of(args[2], &utf8);
    if (done < 0) return NULL;
    if (done == 0) return PyObject_CallFunctionObjArgs(args[1], args[2], NULL);
    size = (size_t)utf8.size;
    while (at < size && kept.octets[(uint8_t)utf8.octets[at]]) at++;
    if (at == size) return Py_NewRef(args[2]);
    if (size > PY_SSIZE_T_MAX / 3) return PyErr_NoMemory();
    room = room_for(small, 3 * size);
    if (room == NULL) return NULL;
    size = encode(kept.octets, (const uint8_t *)utf8.octets, size, room);
    found = PyUnicode_FromStringAndSize((const char *)room, (Py_ssize_t)size);
    if (room != small) PyMem_Free(room);
    return found;
}

/* Decode a name or a value into `room`; NULL without an error if a "%" begins no triplet or the octets
   are not UTF-8. */
static PyObject *decoded(const char *text, Py_ssize_t size, int plus, uint8_t *room) {
    uint8_t *end = room;
    PyObject *found;
    for (Py_ssize_t at = 0; at < size; at++) {
        char octet = text[at];
        if (octet == '%') {
            int high = size - at > 2 ? hexadecimal((uint8_t)text[at + 1]) : -1;
            int low = high < 0 ? -1 : hexadecimal((uint8_t)text[at + 2]);
            if (low < 0) return NULL;
            *end++ = (uint8_t)(high << 4 | low);
            at += 2;
        } else {
            *end++ = plus && octet == '+' ? ' ' : (uint8_t)octet;
        }
    }
    found = PyUnicode_DecodeUTF8((const char *)room, end - room, "strict");
    if (found == NULL && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) PyErr_Clear();
    return found;
}

/* Add the pair of a piece of a query: 1, or 0 as `decoded`. A pair without "=" is made by `alone`. */
static int add_pair(PyObject *pairs, const char *text, Py_ssize_t size, int plus, PyObject *alone,
                    uint8_t *room) {
    const char *equals = memchr(text, '=', (size_t)size);
    Py_ssize_t named = equals == NULL ? size : equals - text;
    PyObject *name = decoded(text, named, plus, room), *value = Py_None, *pair = NULL, *own;
    int done;
    if (name == NULL) return 0;
    if (equals == NULL)
        Py_INCREF(value);
    else
        value = decoded(equals + 1, size - named - 1, plus, room);
    if (value != NULL) pair = PyTuple_Pack(2, name, value);
    Py_DECREF(name);
    Py_XDECREF(value);
    if (pair != NULL && equals == NULL) {
        own = PyObject_CallFunctionObjArgs(alone, pair, NULL);
        Py_DECREF(pair);
        pair = own;
    }
    done = pair != NULL && PyList_Append(pairs, pair) == 0;
    Py_XDECREF(pair);
    return done;
}

/* pairs(query, separator, plus, alone): the decoded pairs; None if one cannot be decoded */
static PyObject *pairs(PyObject *module, PyObject *args) {
    PyObject *query, *alone, *found, *all;
    uint8_t small[SMALL], *room;
    const char *text, *end;
    Utf8 utf8;
    int separator, plus, done;
    (void)module;
    if (!PyArg_ParseTuple(args, "UCpO:pairs", &query, &separator, &plus, &alone)) return NULL;
    done = utf8_of(query, &utf8);
    if (done < 0) return NULL;
    if (done == 0 || separator > 0x7F) Py_RETURN_NONE;
    room = room_for(small, (size_t)utf8.size);
    found = room == NULL ? NULL : PyList_New(0);
    text = utf8.octets;
    end = text + utf8.size;
    while (found != NULL && text < end) {
        const char *stop = memchr(text, separator, (size_t)(end - text));
        if (stop == NULL) stop = end;
        /* Nothing between two separators is not a pair. */
        if (stop > text && !add_pair(found, text, stop - text, plus, alone, room))
            Py_CLEAR(found);
        text = stop + 1;
    }
    if (room != NULL && room != small) PyMem_Free(room);
    if (found == NULL) return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    all = PyList_AsTuple(found);
    Py_DECREF(found);
    return all;
}

PyMethodDef rewriter_functions[] = {
    {"encoded", (PyCFunction)(void (*)(void))encoded, METH_FASTCALL, NULL},
    {"pairs", pairs, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef rewriter_methods[] = {
    {"normal", (PyCFunction)(void (*)(void))rewriter_normal, METH_FASTCALL, NULL},
    {"target", (PyCFunction)(void (*)(void))rewriter_target, METH_FASTCALL, NULL},
    {"made", (PyCFunction)(void (*)(void))rewriter_made, METH_FASTCALL, NULL},
    {"built", (PyCFunction)(void (*)(void))rewriter_built, METH_FASTCALL, NULL},
    {"normals", (PyCFunction)rewriter_normals, METH_VARARGS, NULL},
    {"targets", (PyCFunction)rewriter_targets, METH_VARARGS, NULL},
    {"equivalents", (PyCFunction)rewriter_equivalents, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot rewriter_slots[] = {
    {Py_tp_new, rewriter_new},           {Py_tp_dealloc, rewriter_dealloc},
    {Py_tp_traverse, holder_traverse}, {Py_tp_methods, rewriter_methods},
    {0, NULL},
};
PyType_Spec rewriter_spec = {"uriparse._native._kernel.Rewriter", sizeof(RewriterObject), 0,
                                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, rewriter_slots};
