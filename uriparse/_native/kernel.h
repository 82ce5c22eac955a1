/* The types of the Python module: what module.c, rule.c, rewriter.c, record_layout.c, finding.c,
   column_methods.c, lookups.c and capsules.c share.

   Include direction: tables.h and columns.h know neither Python nor this file. */

#ifndef URIPARSE_KERNEL_H
#define URIPARSE_KERNEL_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "rewriting.h"

#define OBJECT(pointer) ((PyObject *)(pointer))

/* Set an error; the value is what the function returns with it. */
#define RAISED(value, type, text) (PyErr_SetString(type, text), value)

enum { PARSE, TRY_PARSE, IS_VALID, PARSE_URL, BROWSER, FAST_CALLS };

/* A public function: C reads a single str, the Python function handles every other call. */
typedef struct {
    PyObject *held; /* what it is made of: `function`, and the texts that `method` points to */
    PyObject *function;
    PyObject *reader;  /* a Rule for IS_VALID; NULL until activated */
    PyObject *refusal; /* for PARSE: the class of its errors, and what explains them */
    PyMethodDef method;
} FastCall;

enum { TABLES, RULE, READER, SCHEME_READER, REWRITER, BLOCK, ROWS, TYPES };

/* Heap types and fast calls belong to the module, so that subinterpreters share nothing. */
typedef struct {
    PyTypeObject *types[TYPES];
    FastCall fast_calls[FAST_CALLS];
} State;

/* Immutable after construction: several threads and rules may read the same tables. */
typedef struct {
    PyObject_HEAD Tables tables;
} TablesObject;

/* What all of the following have: the arguments that they are made of. These keep alive what the other
   members point to, of which none is owned by itself. */
typedef struct {
    PyObject_HEAD PyObject *held;
} HolderObject;

/* A rule: tables and the state in which reading starts. */
typedef struct {
    HolderObject holder;
    TablesObject *tables;
    PyObject *fallback; /* reads the texts that have no UTF-8 form (lone surrogates) */
    uint32_t start;
} RuleObject;

typedef struct RecordLayout RecordLayout;

/* A rule and the record classes of its texts. */
typedef struct {
    HolderObject holder;
    RuleObject *rule;
    PyObject *fallback;
    RecordLayout *layout;
} ReaderObject;

/* A reader of references, and what rewriting them needs. */
typedef struct {
    HolderObject holder;
    ReaderObject *reader;
    Rewriting rewriting; /* which points into the bytes of the arguments */
} RewriterObject;

/* Memory for Python, as a read-only buffer. */
typedef struct {
    PyObject_HEAD Block *block;
} BlockObject;

/* Rows of an array that was moved out of its capsule: it is released with this object. */
typedef struct {
    PyObject_HEAD struct ArrowArray array;
    ImportedRows imported;
} RowsObject;

/* The UTF-8 form of a str: borrowed from the str, valid as long as it lives. */
typedef struct {
    const char *octets;
    Py_ssize_t size;
} Utf8;

/* Return 1, 0 if the text has no UTF-8 form, or -1 with an error.

   CPython caches the form inside the str; for ASCII it is the str's own memory, so no copy is made. */
static inline int utf8_of(PyObject *text, Utf8 *utf8) {
    utf8->octets = PyUnicode_AsUTF8AndSize(text, &utf8->size);
    if (utf8->octets != NULL) return 1;
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return -1;
    PyErr_Clear(); /* a lone surrogate: the caller asks the fallback */
    return 0;
}

/* Return 1 if a text matches the rule, 0 if not, -1 with an error, 2 if it has no UTF-8 form. */
static inline int rule_matches(const RuleObject *rule, PyObject *text) {
    Utf8 utf8;
    int done = utf8_of(text, &utf8);
    if (done <= 0) return done < 0 ? -1 : 2;
    return tables_match(&rule->tables->tables, rule->start, (const uint8_t *)utf8.octets,
                        (size_t)utf8.size);
}

/* Return the record of a text; NULL without an error if the text does not match. `not_utf8` becomes
   1 if the text has no UTF-8 form, else 0. */
PyObject *reader_record(ReaderObject *reader, PyObject *text, int *not_utf8);
/* Return the record of a URL by a SchemeReader or those after it; None if it is to be read otherwise. */
PyObject *scheme_reader_whole(PyObject *reader, PyObject *text);

/* Make the layout of a rule's records from the arguments of `Reader`, which it does not own; NULL with an
   error. */
RecordLayout *layout_new(const Tables *tables, PyObject *records, PyObject *whole, PyObject *fields,
                         PyObject *fixed, PyObject *kinds, PyObject *located);
void layout_free(RecordLayout *layout);

/* Make the record of `text` from the captures of `part`, the piece of it that the rule has read. */
PyObject *layout_record(RecordLayout *layout, const Captures *captures, PyObject *text,
                        PyObject *part, const Utf8 *utf8);

/* Raise the error of tables that were damaged and still load; NULL. */
PyObject *inconsistent_tables(void);

/* Return the offset of a slot in the only record class of a layout; -1 with an error. */
Py_ssize_t layout_slot(const RecordLayout *layout, PyObject *slot);

/* What the constructors and destructors of rule.c and rewriter.c share: an object that holds its
   arguments, NULL with an error if one has a name; and freeing an object whose members are released. */
void *holder_new(PyTypeObject *type, PyObject *args, PyObject *kwargs);
int holder_traverse(PyObject *self, visitproc visit, void *arg);
void holder_dealloc(PyObject *self);
void free_object(PyObject *self);

static inline PyObject **slot_at(PyObject *object, Py_ssize_t offset) {
    return (PyObject **)((char *)object + offset);
}

/* `Reader.finds` (finding.c). */
PyObject *reader_finds(ReaderObject *self, PyObject *args);

/* What functions of columns take and return: the rows of an object that `imported` has made, NULL with an
   error for another; (nulls, validity or None, values, data or None); NULL and the error of an outcome. */
const Rows *rows_of(PyObject *module, PyObject *given);
PyObject *column_tuple(PyObject *module, Column *out);
PyObject *block_or_none(PyObject *module, Block *block);
PyObject *column_error(int64_t done);

/* Methods of `Rule` and `Rewriter` for columns (column_methods.c, lookups.c). */
PyObject *rule_verdicts(RuleObject *self, PyObject *rows);
PyObject *rule_stops(RuleObject *self, PyObject *rows);
PyObject *rule_split(RuleObject *self, PyObject *args);
PyObject *rule_sighted(RuleObject *self, PyObject *args);
PyObject *rule_changed(RuleObject *self, PyObject *args);
PyObject *rewriter_normals(RewriterObject *self, PyObject *args);
PyObject *rewriter_targets(RewriterObject *self, PyObject *args);
PyObject *rewriter_equivalents(RewriterObject *self, PyObject *args);

extern PyType_Spec tables_spec, rule_spec, reader_spec, scheme_reader_spec, rewriter_spec,
    block_spec, rows_spec;
extern PyMethodDef column_functions[], lookup_functions[], capsule_functions[],
    rewriter_functions[];

#endif
