/* URIs in prose in their usual forms: bare, in angle brackets or in quotes, with a scheme that has
   a host, with or without `URL:`.

   They are found and made into objects here; whatever is not certainly one of them is left to
   Python, which is the reference. The classes of octets and the names of schemes come from there.
 */

#include "kernel.h"

#include <string.h>

/* The classes of an octet, as `text.candidates.octet_classes` has them. None is above ASCII. */
enum {
    RUN = 1,         /* allowed in a URI */
    IN_SCHEME = 2,   /* allowed in a scheme */
    NOT_FIRST = 4,   /* allowed there, but not as its first */
    BLANK = 8,       /* white space */
    AFTER = 16,      /* removed from the end of a bare URI */
    MARKUP = 32,     /* the same, if it is also before the URI */
    ENDS = 64,       /* after a bare URI, it was certainly not meant to be longer */
    DELIMITER = 128, /* opens what may enclose a whole URI */
};

#define PREFIX "url:"
#define PREFIX_SIZE 4
#define SHORT 32    /* of a scheme, and of a run that is read again for each colon in it */
#define WINDOW 4096 /* octets that may be searched again for each "www." in them */

/* What is searched, and how: arguments of `finds`. */
typedef struct {
    const uint8_t *text, *classes;
    size_t size;
    const ReaderObject *reader;
    PyObject *usual, *others, *type, *names, *hows, *flags;
    unsigned int host;
    Py_ssize_t limit;
    int suffixes, plausible, final, is_ascii;
} Search;

/* A place in the text, its line, and where that begins. */
typedef struct {
    size_t octet;
    Py_ssize_t character, line, line_start;
} Place;

/* A find, its offsets in octets: itself, with what encloses it, and where to continue. */
typedef struct {
    size_t start, end, first, last, next;
    int how; /* angle brackets, quotes, prefix, bare */
    Captures captures;
} Find;

static int is_in(const Search *own, size_t at, int classes) {
    return own->classes[own->text[at]] & classes;
}

static int begins(const Search *own, size_t at, const char *word) {
    size_t size = strlen(word);
    return own->size - at >= size && memcmp(own->text + at, word, size) == 0;
}

static int holds(const Search *own, size_t start, size_t end, int octet) {
    return memchr(own->text + start, octet, end - start) != NULL;
}

/* Whether the prefix, with its colon, ends at an offset, in any letter case. */
static int has_prefix(const Search *own, size_t floor, size_t at) {
    const uint8_t *from;
    if (at - floor < PREFIX_SIZE || own->text[at - 1] != ':') return 0;
    from = own->text + at - PREFIX_SIZE;
    for (int n = 0; n < PREFIX_SIZE - 1; n++)
        if ((from[n] | 0x20) != PREFIX[n]) return 0;
    return at - PREFIX_SIZE == floor || !(own->classes[from[-1]] & IN_SCHEME);
}

/* Whether a scheme, or the part of it that is one after other words, is in a set of names in lower
   case; -1 with an error. */
static int is_named(PyObject *names, const uint8_t *at, const uint8_t *end, int in_part) {
    char lower[SHORT];
    Py_ssize_t size = 0;
    PyObject *name;
    int found;
    for (; at < end; at++) {
        lower[size++] = (char)(*at | (*at >= 'A' && *at <= 'Z') << 5);
        if (in_part && (*at == '.' || *at == '-')) size = 0;
    }
    name = PyUnicode_FromStringAndSize(lower, size);
    found = name == NULL ? -1 : PySet_Contains(names, name);
    Py_XDECREF(name);
    return found;
}

enum { FAILED = -1, NO_MARK, NO_CANDIDATE, FOUND, UNDECIDED };

/* What is certainly not a find is not a candidate, unless its run is too long to be read. */
static int no_find(const Search *own, size_t start, size_t colon) {
    size_t run = colon + 1;
    if (own->final && (Py_ssize_t)(own->size - start) <= own->limit) return NO_CANDIDATE;
    while (run < own->size && run - colon <= SHORT && is_in(own, run, RUN)) run++;
    return run == own->size || is_in(own, run, RUN) || own->text[run] >= 0x80 ||
                   (Py_ssize_t)(run - start) > own->limit
               ? UNDECIDED
               : NO_CANDIDATE;
}

/* Judge a scheme without "//" after its colon: `note:this` is not searched for. */
static int judge_other(const Search *own, size_t start, size_t colon) {
    const uint8_t *at = own->text + start, *end = own->text + colon;
    int named = own->others == Py_None ? 1 : is_named(own->others, at, end, 0);
    if (named == 0) named = is_named(own->others, at, end, 1);
    if (named != 0) return named < 0 ? FAILED : UNDECIDED;
    /* One letter is more likely a drive: its run is not even looked at. */
    return own->plausible && colon - start > 1 ? no_find(own, start, colon) : NO_CANDIDATE;
}

/* Find the end in prose of a bare URI whose run ends at `find->next`; 0 if it is not certain. */
static int ends_in_prose(const Search *own, size_t body, Find *find) {
    size_t end = find->next;
    uint8_t before = find->start > 0 ? own->text[find->start - 1] : 0;
    const uint8_t *closed = NULL;
    if (end == own->size ? !own->final : !is_in(own, end, ENDS)) return 0;
    if (holds(own, body, end, '(') || (!own->final && end + 1 == own->size)) return 0;
    if (before == '(' || before == '\'')
        closed = memchr(own->text + body, before == '(' ? ')' : before, end - body);
    if (closed != NULL) end = (size_t)(closed - own->text);
    while (end > body && (is_in(own, end - 1, AFTER) ||
                          (own->text[end - 1] == before && own->classes[before] & MARKUP)))
        end--;
    find->end = find->last = end;
    return end > body;
}

/* Judge a colon, with nothing of what is before `floor`. The steps are those of `Scanner._colon`.

   Only what begins with "//" is read further than SHORT, and a bare one up to the next such: so an
   octet is read for two colons at most. */
static int judge(const Search *own, size_t colon, size_t floor, Find *find) {
    const uint8_t *text = own->text;
    const RuleObject *rule = own->reader->rule;
    const ptrdiff_t *host = &find->captures.positions[2 * own->host];
    size_t body = colon + 1, start = colon, at, end;
    uint8_t opener = 0;
    int named;
    if (body == own->size || colon == 0 || !is_in(own, colon - 1, IN_SCHEME)) return NO_MARK;
    if (!is_in(own, body, RUN)) {
        for (at = body; at < own->size && is_in(own, at, BLANK);) at++;
        return text[body] >= 0x80 || begins(own, at, "//") ? UNDECIDED : NO_MARK;
    }
    while (start > floor && is_in(own, start - 1, IN_SCHEME))
        if (colon - --start == SHORT) return UNDECIDED;
    while (start < colon && is_in(own, start, NOT_FIRST)) start++;
    if (start == colon || (body - start == PREFIX_SIZE && has_prefix(own, start, body)))
        return NO_CANDIDATE;

    find->start = start;
    find->first = has_prefix(own, floor, start) ? start - PREFIX_SIZE : start;
    for (at = find->first; at > floor && is_in(own, at - 1, BLANK);) at--;
    if (at > floor && is_in(own, at - 1, DELIMITER)) opener = text[at - 1];
    if (at < find->first && (opener || has_prefix(own, floor, at))) return UNDECIDED;
    if (!begins(own, body, "//"))
        return opener || find->first < start ? UNDECIDED : judge_other(own, start, colon);
    named = is_named(own->usual, text + start, text + colon, 0);
    if (named <= 0) return named < 0 ? FAILED : UNDECIDED;
    at = body + 2;
    if (!opener && (at == own->size || text[at] == '/' || text[at] == '?' || text[at] == '#'))
        return no_find(own, start, colon); /* an empty host */

    for (end = body; end < own->size && is_in(own, end, RUN); end++)
        if (!opener && text[end] == ':' && begins(own, end, "://")) return UNDECIDED;
    /* The last may be a reference of HTML, which is another reading. */
    if ((Py_ssize_t)(end - start) > own->limit ||
        (holds(own, start, end, '&') && holds(own, start, end, ';')))
        return UNDECIDED;
    find->end = find->next = end;
    if (opener) {
        if (end == own->size || text[end] != (opener == '<' ? '>' : opener)) return UNDECIDED;
        if (opener != '<' && is_in(own, end - 1, AFTER)) return UNDECIDED;
        find->first--;
        find->last = find->next = end + 1;
        find->how = opener != '<';
    } else {
        if (find->first > 0 && is_in(own, find->first - 1, DELIMITER)) return UNDECIDED;
        find->how = find->first < start ? 2 : 3;
        /* How far the grammar reaches is certain only if it takes the whole run. */
        if (!ends_in_prose(own, body, find) ||
            (find->end < end &&
             !tables_match(&rule->tables->tables, rule->start, text + start, end - start)))
            return UNDECIDED;
    }
    /* After the removed punctuation, or in quotes, there may be a possessive. */
    if (opener != '<' && text[find->end - 1] == 's' && is_in(own, find->end - 2, AFTER))
        return UNDECIDED;
    return tables_read(&rule->tables->tables, rule->start, text + start, find->end - start,
                       &find->captures) < 0 &&
                   host[1] > host[0]
               ? FOUND
               : UNDECIDED;
}

static Py_ssize_t characters(const Search *own, size_t start, size_t end) {
    return own->is_ascii ? (Py_ssize_t)(end - start)
                         : (Py_ssize_t)characters_before(own->text + start, end - start);
}

/* Move forward to an octet. */
static void move(const Search *own, Place *place, size_t to) {
    size_t at = place->octet, begin = 0;
    const uint8_t *found;
    if (to <= at) return;
    place->character += characters(own, at, to);
    while ((found = memchr(own->text + at, '\n', to - at)) != NULL) {
        at = begin = (size_t)(found - own->text) + 1;
        place->line++;
    }
    if (begin) place->line_start = place->character - characters(own, begin, to);
    place->octet = to;
}

/* Make the object of a find. All from its begin to the place, or back, are characters of one octet.
 */
static PyObject *made(const Search *own, const Find *find, const Place *place, Py_ssize_t base) {
    const Utf8 utf8 = {(const char *)own->text + find->start,
                       (Py_ssize_t)(find->end - find->start)};
    Py_ssize_t shift = place->character - (Py_ssize_t)place->octet,
               at = shift + (Py_ssize_t)find->start;
    PyObject *part = PyUnicode_FromStringAndSize(utf8.octets, utf8.size), *none = PyTuple_New(0);
    newfunc new = (newfunc)PyType_GetSlot((PyTypeObject *)own->type, Py_tp_new);
    PyObject *object = none == NULL ? NULL : new((PyTypeObject *)own->type, none, NULL);
    PyObject *values = NULL;
    if (part != NULL && object != NULL)
        values = Py_BuildValue(
            "N(nn)(nn)OOOOnnO",
            layout_record(own->reader->layout, &find->captures, part, part, &utf8), base + at,
            base + at + utf8.size, base + shift + (Py_ssize_t)find->first,
            base + shift + (Py_ssize_t)find->last, PyTuple_GetItem(own->hows, find->how),
            find->start - find->first >= PREFIX_SIZE ? Py_True : Py_False, none,
            PyTuple_GetItem(own->flags, find->last < find->next), place->line,
            at - place->line_start + 1, part);
    /* Past the class's own __setattr__, which forbids it. */
    for (Py_ssize_t n = 0;
         values != NULL && n < PyTuple_Size(values) && n < PyTuple_Size(own->names); n++)
        if (PyObject_GenericSetAttr(object, PyTuple_GetItem(own->names, n),
                                    PyTuple_GetItem(values, n)) < 0)
            Py_CLEAR(values);
    if (values == NULL) Py_CLEAR(object);
    Py_XDECREF(values);
    Py_XDECREF(none);
    Py_XDECREF(part);
    return object;
}

/* Return where the next colon is, or the next "www." in any letter case if these are searched for;
   the end of the text if there is none. */
static size_t next_mark(const Search *own, size_t from) {
    const uint8_t *text = own->text;
    for (size_t at = from; at < own->size;) {
        size_t end = own->suffixes && own->size - at > WINDOW ? at + WINDOW : own->size, dot = at;
        const uint8_t *found = memchr(text + at, ':', end - at);
        if (found != NULL) end = (size_t)(found - text);
        for (; own->suffixes && holds(own, dot, end, '.'); dot++) {
            dot = (size_t)((const uint8_t *)memchr(text + dot, '.', end - dot) - text);
            if (dot >= from + 3 && (text[dot - 1] | 0x20) == 'w' && (text[dot - 2] | 0x20) == 'w' &&
                (text[dot - 3] | 0x20) == 'w')
                return dot - 3;
        }
        if (found != NULL) return end;
        at = end;
    }
    return own->size;
}

/* Append the finds from a place on, and move it to a mark that Python has to judge, or to where no
   find begins; `counted` follows. Returns 1 if no mark is left, 0 if one is, -1 with an error. */
static int find_all(const Search *own, PyObject *list, Place *counted, Place *at, Py_ssize_t *floor,
                    Py_ssize_t base, Py_ssize_t most) {
    Place ahead = *at;
    int judged = NO_MARK, failed = 0;
    while (judged != UNDECIDED && PyList_Size(list) < most) {
        size_t mark = next_mark(own, ahead.octet), room;
        Find find;
        if (mark == own->size) break;
        ahead.character += characters(own, ahead.octet, mark);
        ahead.octet = mark;
        /* What is read before the mark are characters of one octet. */
        room = ahead.character > *floor ? (size_t)(ahead.character - *floor) : 0;
        judged = UNDECIDED;
        if (own->text[mark] == ':') judged = judge(own, mark, room < mark ? mark - room : 0, &find);
        if (judged == FOUND) {
            PyObject *object;
            move(own, counted, find.start);
            object = made(own, &find, counted, base);
            failed = object == NULL || PyList_Append(list, object) < 0;
            Py_XDECREF(object);
            *floor = ahead.character + (Py_ssize_t)find.last - (Py_ssize_t)mark;
            ahead.character += (Py_ssize_t)(find.next - mark);
            ahead.octet = find.next;
        } else if (judged != UNDECIDED) {
            ahead.character++;
            ahead.octet++;
        }
        if (failed || judged == FAILED) return -1;
        if (judged != NO_MARK) *at = ahead;
    }
    move(own, counted, at->octet);
    return judged != UNDECIDED && PyList_Size(list) < most;
}

/* finds(text, plan, state): the finds from an offset on, up to a mark that Python has to judge.

   plan: what all calls of a search have in common. state: whether the text ends here, its offset in
   the whole one, where to continue, where the last find ended, the number of a line, its begin and
   up to where it is counted, the latter in octets too, and how many finds are enough. Returns None
   for a text without a UTF-8 form, else the finds, whether no mark is left, and the state to
   continue with. */
PyObject *reader_finds(ReaderObject *self, PyObject *args) {
    Search own = {.reader = self};
    Py_ssize_t base, next, floor, octet, most, all, size;
    PyObject *text, *list;
    const char *classes;
    Place counted, at;
    Utf8 utf8;
    int done;
    if (!PyArg_ParseTuple(args, "U(y#O!OO!O!O!O!Inpp)(pnnnnnnnn):finds", &text, &classes, &size,
                          &PyFrozenSet_Type, &own.usual, &own.others, &PyType_Type, &own.type,
                          &PyTuple_Type, &own.names, &PyTuple_Type, &own.hows, &PyTuple_Type,
                          &own.flags, &own.host, &own.limit, &own.suffixes, &own.plausible,
                          &own.final, &base, &next, &floor, &counted.line, &counted.line_start,
                          &counted.character, &octet, &most))
        return NULL;
    done = utf8_of(text, &utf8);
    if (done < 0) return NULL;
    if (done == 0) Py_RETURN_NONE;
    /* No sum can overflow: a negative number is a large one here. */
    all = base | next | floor | counted.line | counted.line_start | counted.character | octet;
    if ((size_t)all > PY_SSIZE_T_MAX / 8 || octet > utf8.size || size != 256 ||
        own.host >= self->rule->tables->tables.positions / 2)
        return RAISED(NULL, PyExc_ValueError, "the state or the plan does not fit");
    own.classes = (const uint8_t *)classes;
    own.text = (const uint8_t *)utf8.octets;
    own.size = (size_t)utf8.size;
    own.is_ascii = PyUnicode_GetLength(text) == utf8.size;
    counted.octet = (size_t)octet;
    counted.character -= base;
    counted.line_start -= base;
    at = counted;
    while (at.character < next && at.octet < own.size) {
        at.octet++;
        at.character += at.octet == own.size || (own.text[at.octet] & 0xC0) != 0x80;
    }
    list = PyList_New(0);
    done = list == NULL ? -1 : find_all(&own, list, &counted, &at, &floor, base, most);
    if (done >= 0)
        return Py_BuildValue("NOnnnnnn", list, done ? Py_True : Py_False, at.character, floor,
                             counted.line, base + counted.line_start, base + counted.character,
                             (Py_ssize_t)counted.octet);
    Py_XDECREF(list);
    return NULL;
}
