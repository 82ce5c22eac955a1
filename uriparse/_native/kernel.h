/* What the parts of the kernel share: its types, and how a text is taken. */

#ifndef URIPARSE_KERNEL_H
#define URIPARSE_KERNEL_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "tables.h"

#define OBJECT(pointer) ((PyObject *)(pointer))

enum { PARSE, TRY_PARSE, IS_VALID, DOORS };

/* A public function: what it does with a single text, and the Python function that does the rest. */
typedef struct {
    PyObject *function;
    PyObject *rule;    /* for IS_VALID; NULL until the door is opened */
    PyObject *reader;  /* for the others; same */
    PyMethodDef method;
    char *name, *doc;
} Door;

typedef struct {
    PyTypeObject *tables_type, *rule_type, *reader_type, *part_type, *block_type;
    Door doors[DOORS];
} State;

typedef struct {
    PyObject_HEAD
    Tables tables;
} TablesObject;

/* A rule: tables, and where they begin to read it. */
typedef struct {
    PyObject_HEAD
    TablesObject *tables;
    PyObject *otherwise; /* reads the texts that cannot be spelled in UTF-8 */
    uint32_t start;
} RuleObject;

typedef struct Plan Plan;

/* A rule, and the records that its texts become. */
typedef struct {
    PyObject_HEAD
    RuleObject *rule;
    PyObject *otherwise;
    Plan *plan;
} ReaderObject;

typedef struct {
    const char *octets;
    Py_ssize_t size;
} Spelled;

/* 1, or 0 for a text that UTF-8 cannot spell, or -1 with an error. */
static inline int spell(PyObject *text, Spelled *spelled) {
    spelled->octets = PyUnicode_AsUTF8AndSize(text, &spelled->size);
    if (spelled->octets != NULL) return 1;
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return -1;
    PyErr_Clear(); /* a lone surrogate */
    return 0;
}

/* Whether a text is one of the rule: 1, 0, or -1 with an error; 2 for one that is not spelled. */
static inline int rule_matches(const RuleObject *rule, PyObject *text) {
    Spelled spelled;
    int done = spell(text, &spelled);
    if (done <= 0) return done < 0 ? -1 : 2;
    return tables_match(&rule->tables->tables, rule->start, (const uint8_t *)spelled.octets,
                        (size_t)spelled.size);
}

/* The record of a text; NULL without an error where it has none. `strange` is set to 1 where that
   is since UTF-8 cannot spell it, else to 0. */
PyObject *reader_record(ReaderObject *reader, PyObject *text, int *strange);

/* Make a plan for the records of a rule, or NULL with an error; the arguments of `Reader`. */
Plan *plan_new(const Tables *tables, PyObject *records, PyObject *whole, PyObject *fields,
               PyObject *fixed, PyObject *kinds, PyObject *placed);
int plan_traverse(Plan *plan, visitproc visit, void *arg);
void plan_free(Plan *plan);

/* Make the record of a text, of which the rule has read a part and told what it holds. */
PyObject *plan_record(Plan *plan, const Told *told, PyObject *text, PyObject *part,
                      const Spelled *spelled);

static inline PyObject **slot_at(PyObject *object, Py_ssize_t offset) {
    return (PyObject **)((char *)object + offset);
}

/* Where a slot lies in the records of a plan, if they are of one class; -1 with an error. */
Py_ssize_t plan_slot(const Plan *plan, PyObject *slot);

/* Methods of rules for columns (column_methods.c). */
PyObject *rule_verdicts(RuleObject *self, PyObject *rows);
PyObject *rule_stops(RuleObject *self, PyObject *rows);
PyObject *rule_split(RuleObject *self, PyObject *args);

int add_rule_types(PyObject *module, State *state);
int add_reader_type(PyObject *module, State *state);
int add_part_type(PyObject *module, State *state);
int add_block_type(PyObject *module, State *state);
extern PyMethodDef column_functions[];

#endif
