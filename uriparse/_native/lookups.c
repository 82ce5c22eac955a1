/* What Python's dictionaries know of rows: the numbers of texts, the reasons of beginnings, the names of
   pairs. Python's lock is held. */

#include "kernel.h"

#include <string.h>

/* A text that was seen a short while ago, and its number. */
typedef struct {
    const uint8_t *text;
    size_t size;
    int32_t number;
} Recent;

#define RECENT_BITS 16 /* at most: a text that is found takes 27 ns, by the dictionary 250 */

static uint32_t recent_place(const uint8_t *text, size_t size, int bits) {
    uint64_t sum = size, word;
    for (; size >= sizeof word; text += sizeof word, size -= sizeof word) {
        memcpy(&word, text, sizeof word);
        sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        sum ^= sum >> 29;
    }
    word = 0;
    if (size) memcpy(&word, text, size);
    return (uint32_t)(((sum ^ word) * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - bits));
}

/* Find the number of a text, or give it the next one: -1 with an error. Python's dictionary hashes
   with a secret, so that no choice of texts makes this quadratic. */
static int32_t number_of(PyObject *seen, PyObject *texts, const uint8_t *text, size_t size) {
    PyObject *key = PyBytes_FromStringAndSize((const char *)text, (Py_ssize_t)size), *number;
    Py_ssize_t found = -1;
    if (key == NULL) return -1;
    if ((number = PyDict_GetItemWithError(seen, key)) != NULL) {
        found = PyLong_AsSsize_t(number);
    } else if (!PyErr_Occurred() && (number = PyLong_FromSsize_t(PyList_Size(texts))) != NULL) {
        if (PyList_Size(texts) >= INT32_MAX)
            PyErr_SetString(PyExc_OverflowError, "there are too many texts");
        else if (PyDict_SetItem(seen, key, number) == 0 && PyList_Append(texts, key) == 0)
            found = PyList_Size(texts) - 1;
        Py_DECREF(number);
    }
    Py_DECREF(key);
    return (int32_t)found;
}

/* distinct(rows): a number of 4 octets for each row, -1 for null, and the list of the distinct texts
   that the numbers count */
static PyObject *distinct(PyObject *module, PyObject *given) {
    const Rows *rows = rows_of(module, given);
    PyObject *texts, *seen, *found = NULL, *octets;
    Recent *recent;
    Block *numbers;
    int64_t row = 0, done = DONE;
    int bits = 1;
    if (rows == NULL) return NULL;
    while (bits < RECENT_BITS && (INT64_C(1) << bits) < rows->length) bits++;
    texts = PyList_New(0);
    seen = PyDict_New();
    recent = calloc((size_t)1 << bits, sizeof *recent);
    numbers = block_new(rows->length * 4);
    if (recent == NULL || numbers == NULL) done = NO_MEMORY;
    for (; texts && seen && done == DONE && row < rows->length; row++) {
        const uint8_t *text;
        size_t size;
        int32_t number = -1;
        int is_text = rows_text(rows, row, &text, &size);
        if (is_text < 0) {
            done = row;
        } else if (is_text) {
            Recent *last = &recent[recent_place(text, size, bits)];
            if (last->text == NULL || last->size != size || memcmp(last->text, text, size) != 0) {
                if ((number = number_of(seen, texts, text, size)) < 0) break;
                *last = (Recent){text, size, number};
            }
            number = last->number;
        }
        memcpy(numbers->octets + row * 4, &number, sizeof number);
    }
    if (done != DONE)
        column_error(done);
    else if (texts && seen && row == rows->length && (octets = block_or_none(module, numbers)) != NULL) {
        found = PyTuple_Pack(2, octets, texts);
        Py_DECREF(octets);
    }
    free(recent);
    block_release(numbers);
    Py_XDECREF(seen);
    Py_XDECREF(texts);
    return found;
}

/* Look up what is known of a beginning: NULL with an error. */
static PyObject *known_of(PyObject *known, const uint8_t *text, size_t size) {
    PyObject *key = PyBytes_FromStringAndSize((const char *)text, (Py_ssize_t)size);
    PyObject *found = key == NULL ? NULL : PyObject_GetItem(known, key);
    Py_XDECREF(key);
    return found;
}

#define ACCEPTED_BEGIN -2 /* what is less is open */

static int64_t reason_of(PyObject *known, const uint8_t *text, size_t size) {
    PyObject *found = known_of(known, text, size);
    int64_t reason = found == NULL ? -1 : PyLong_AsLongLong(found);
    Py_XDECREF(found);
    return reason;
}

/* recalled(rows, kinds, known, ends, numbers, places): for each row of a kind replace its number and place
   by what is known of its text up to its place, or to the next of these ends after it: the number is the
   lowest octet. Open rows stay, and those of kind 1 of which the begin is accepted. */
static PyObject *recalled(PyObject *module, PyObject *args) {
    PyObject *given, *known;
    Py_buffer kinds, numbers, places;
    const char *ends;
    Py_ssize_t ends_size;
    const Rows *rows;
    int64_t row = 0, count, place, done = DONE;
    if (!PyArg_ParseTuple(args, "Oy*Oy#w*w*:recalled", &given, &kinds, &known, &ends, &ends_size,
                          &numbers, &places))
        return NULL;
    rows = rows_of(module, given);
    count = rows == NULL ? 0 : rows->length;
    if (kinds.len < count || numbers.len < count || places.len / (int64_t)sizeof place < count) {
        PyErr_SetString(PyExc_ValueError, "the buffers are too small for the column");
        count = 0;
    }
    for (; done == DONE && row < count; row++) {
        const uint8_t *text;
        size_t size, end;
        int64_t reason;
        int is_text = 0, kind = ((const uint8_t *)kinds.buf)[row];
        if (kind != 0) is_text = rows_text(rows, row, &text, &size);
        if (is_text < 0) done = row;
        if (is_text <= 0) continue;
        memcpy(&place, (const char *)places.buf + row * (int64_t)sizeof place, sizeof place);
        if (place <= 0 || (size_t)place > size) continue;
        end = (size_t)place;
        reason = reason_of(known, text, end);
        if (reason < -1) {
            while (end < size && memchr(ends, text[end], (size_t)ends_size) == NULL) end++;
            reason = reason_of(known, text, end + (end < size));
        }
        if (reason == -1) break;
        if (reason == ACCEPTED_BEGIN && kind > 1) reason = 0;
        if (reason >= 0) {
            ((uint8_t *)numbers.buf)[row] = (uint8_t)(reason & 0xFF);
            place = reason >> 8;
            memcpy((char *)places.buf + row * (int64_t)sizeof place, &place, sizeof place);
        }
    }
    if (done != DONE) column_error(done);
    PyBuffer_Release(&kinds);
    PyBuffer_Release(&numbers);
    PyBuffer_Release(&places);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* ---- Rows of which most stay as they are. */

/* What an octet, or a triplet of it, means for whether a text has to be looked at: it does for some
   octets and triplets; and if the name of a pair is listed, which is between two octets. */
enum { LOOKED_AT = 1, BEGINS_NAME = 2, ENDS_NAME = 4, TRIPLET = 8, LOOKED_AT_AS_TRIPLET = 16 };

static int is_listed(PyObject *known, const uint8_t *name, const uint8_t *end) {
    PyObject *found = known_of(known, name, (size_t)(end - name));
    int done = found == NULL ? -1 : PyObject_IsTrue(found);
    Py_XDECREF(found);
    return done;
}

/* Whether a span has to be looked at: 1, 0, -1 with an error. name: where one has begun, or NULL. */
static int is_looked_at(const uint8_t *flags, PyObject *known, const uint8_t *at,
                        const uint8_t *end, const uint8_t *name) {
    for (; at < end; at++) {
        const uint8_t flag = flags[*at];
        if (flag & LOOKED_AT) return 1;
        if (flag & TRIPLET && end - at > 2) {
            int octet = hexadecimal(at[1]) << 4 | hexadecimal(at[2]);
            if (octet < 0 || flags[octet] & LOOKED_AT_AS_TRIPLET) return 1;
        }
        if (flag & ENDS_NAME && name != NULL) {
            int done = is_listed(known, name, at);
            if (done) return done;
            name = NULL;
        }
        if (flag & BEGINS_NAME) name = at + 1;
    }
    return name == NULL ? 0 : is_listed(known, name, end);
}

/* Write what a function makes of a text: bytes, or None. As the functions of columns.h, or NO_MEMORY
   with an error of Python. */
static int64_t add_made(Column *out, int64_t row, PyObject *function, const uint8_t *text,
                        size_t size) {
    PyObject *made =
        PyObject_CallFunction(function, "y#", (const char *)text, (Py_ssize_t)size);
    char *octets;
    Py_ssize_t count;
    int64_t done = NO_MEMORY;
    if (made == Py_None)
        done = column_null(out, row);
    else if (made != NULL && PyBytes_AsStringAndSize(made, &octets, &count) == 0)
        done = column_text(out, row, (const uint8_t *)octets, (size_t)count);
    Py_XDECREF(made);
    return done;
}

/* Write a text without the listed pairs of a span, and without the delimiter before it if nothing is left:
   as `add_made`. */
static int64_t add_unlisted(Column *out, int64_t row, const uint8_t *flags, PyObject *known,
                            const Piece *text, const uint8_t *begin, const uint8_t *end) {
    uint8_t *room = column_room(out, text->size), *first, *at;
    int kept = 0, dropped = 0;
    if (room == NULL) return NO_MEMORY;
    memcpy(room, text->octets, text->size);
    at = first = room + (begin - text->octets);
    for (const uint8_t *pair = begin, *stop; pair <= end; pair = stop + 1) {
        const uint8_t *name = NULL;
        int done;
        for (stop = pair; stop < end && !(flags[*stop] & BEGINS_NAME); stop++)
            if (name == NULL && flags[*stop] & ENDS_NAME) name = stop;
        done = stop == pair ? 0 : is_listed(known, pair, name == NULL ? stop : name);
        if (done < 0) return NO_MEMORY;
        dropped += done;
        if (done) continue;
        if (kept++) *at++ = pair[-1];
        memcpy(at, pair, (size_t)(stop - pair));
        at += stop - pair;
    }
    if (!dropped) return column_keep(out, row, text->size);
    at -= at == first && begin > text->octets;
    memcpy(at, end, (size_t)(text->octets + text->size - end));
    return column_keep(out, row, (size_t)(at - room) + text->size - (size_t)(end - text->octets));
}

/* changed(rows, field, flags, known, function, width): the texts of the rule, of which the function
   changes those that have to be looked at: for what is in a field, or anywhere if there is no such
   field; null for other texts. Without a function, the listed pairs of the field are left out. */
PyObject *rule_changed(RuleObject *self, PyObject *args) {
    PyObject *module = PyType_GetModule(Py_TYPE(OBJECT(self))), *given, *known, *function, *found;
    const Tables *tables = &self->tables->tables;
    const char *flags;
    const Rows *rows;
    Column out;
    Py_ssize_t count;
    int64_t done = DONE;
    unsigned char field;
    int width;
    if (!PyArg_ParseTuple(args, "Oby#OOi:changed", &given, &field, &flags, &count, &known,
                          &function, &width))
        return NULL;
    if (count != 256 || (width != 4 && width != 8))
        return RAISED(NULL, PyExc_ValueError, "there is a flag for each of 256 octets");
    rows = rows_of(module, given);
    if (rows == NULL) return NULL;
    if (!new_texts(&out, rows->length, width)) done = NO_MEMORY;
    for (int64_t row = 0; done == DONE && row < rows->length; row++) {
        const uint8_t *text, *begin, *end;
        size_t size;
        Captures captures;
        int is_there = rows_text(rows, row, &text, &size), looked_at = 0;
        if (is_there < 0) {
            done = row;
            break;
        }
        if (!is_there || tables_read(tables, self->start, text, size, &captures) >= 0) {
            done = column_null(&out, row);
            continue;
        }
        begin = text;
        end = text + size;
        if (field < tables->positions / 2) {
            const ptrdiff_t *ends = captures.positions + 2 * field;
            end = ends[1] < 0 || ends[0] < 0 ? NULL : text + ends[1];
            begin = end == NULL ? NULL : text + ends[0];
            if (begin > end || end > text + size) done = INCONSISTENT_TABLES;
        }
        if (done == DONE && end != NULL)
            looked_at = is_looked_at((const uint8_t *)flags, known, begin, end,
                                     field < tables->positions / 2 ? begin : NULL);
        if (looked_at < 0)
            done = NO_MEMORY;
        else if (done == DONE)
            done = !looked_at             ? column_text(&out, row, text, size)
                   : function == Py_None
                       ? add_unlisted(&out, row, (const uint8_t *)flags, known,
                                      &(Piece){text, size}, begin, end)
                       : add_made(&out, row, function, text, size);
    }
    found = done == DONE ? column_tuple(module, &out)
                         : PyErr_Occurred() ? NULL : column_error(done);
    column_drop(&out);
    return found;
}

/* ---- Two columns. */

/* The normal form of a row. */
typedef struct {
    Block *room;
    int is_there; /* 0 for null, and for a text that does not match */
    size_t size, scheme;
} Normal;

static int64_t read_normal(const RewriterObject *self, const Rows *rows, int64_t row, int by_scheme,
                           Normal *found) {
    const RuleObject *rule = self->reader->rule;
    const uint8_t *text;
    size_t size;
    Components components;
    found->is_there = rows_text(rows, row, &text, &size);
    if (found->is_there < 0) return row;
    if (!found->is_there) return DONE;
    found->is_there = components_of(&self->rewriting, &rule->tables->tables, rule->start, text,
                                    size, &components);
    if (found->is_there < 0) return INCONSISTENT_TABLES;
    if (!found->is_there) return DONE;
    if (!block_grow(found->room, (int64_t)size + MORE)) return NO_MEMORY;
    found->size = rewrite_to(&self->rewriting, &(Way){NULL, 0, by_scheme}, &components,
                             found->room->octets);
    found->scheme = components.of[SCHEME].size;
    return DONE;
}

/* Whether two normal forms are equivalent: 1, 0, -1 if unknown, -2 with an error. Of a scheme that both
   have and that is listed, the function knows about those that differ. */
static int is_equivalent(const Normal *one, const Normal *other, PyObject *known,
                         PyObject *function) {
    const uint8_t *a = one->room->octets, *b = other->room->octets;
    PyObject *found;
    int done;
    if (one->size == other->size && memcmp(a, b, one->size) == 0) return 1;
    if (one->scheme == 0 || one->scheme != other->scheme || memcmp(a, b, one->scheme) != 0)
        return 0;
    done = is_listed(known, a, a + one->scheme);
    if (done <= 0) return done < 0 ? -2 : 0;
    found = PyObject_CallFunction(function, "y#y#", (const char *)a, (Py_ssize_t)one->size,
                                  (const char *)b, (Py_ssize_t)other->size);
    done = found == NULL ? -2 : found == Py_None ? -1 : found == Py_True;
    Py_XDECREF(found);
    return done;
}

/* equivalents(rows, others, by_scheme, known, function): whether the texts of each row are equivalent,
   or those of each row and of the only one of others; null where one is not a reference */
PyObject *rewriter_equivalents(RewriterObject *self, PyObject *args) {
    PyObject *module = PyType_GetModule(Py_TYPE(OBJECT(self))), *given[2], *known, *function;
    PyObject *found;
    const Rows *rows, *others;
    Normal one = {0}, other = {0};
    Column out;
    int64_t done = NO_MEMORY;
    int by_scheme, is_same = 0;
    if (!PyArg_ParseTuple(args, "OOpOO:equivalents", &given[0], &given[1], &by_scheme, &known,
                          &function))
        return NULL;
    rows = rows_of(module, given[0]);
    others = rows == NULL ? NULL : rows_of(module, given[1]);
    if (others == NULL) return NULL;
    if (others->length != rows->length && others->length != 1)
        return RAISED(NULL, PyExc_ValueError, "the columns have different lengths");
    one.room = block_new(0);
    other.room = block_new(0);
    if (new_bits(&out, rows->length) && one.room != NULL && other.room != NULL) done = DONE;
    for (int64_t row = 0; done == DONE && row < rows->length; row++) {
        done = read_normal(self, rows, row, by_scheme, &one);
        if (done == DONE && (row == 0 || others->length > 1))
            done = read_normal(self, others, row, by_scheme, &other);
        if (done != DONE) break;
        is_same = one.is_there && other.is_there
                      ? is_equivalent(&one, &other, known, function)
                      : -1;
        if (is_same < -1) break;
        done = is_same < 0 ? column_null(&out, row) : column_flag(&out, row, is_same);
    }
    found = is_same < -1 ? NULL : done == DONE ? column_tuple(module, &out) : column_error(done);
    column_drop(&out);
    block_release(one.room);
    block_release(other.room);
    return found;
}

PyMethodDef lookup_functions[] = {
    {"distinct", distinct, METH_O, NULL},
    {"recalled", recalled, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
