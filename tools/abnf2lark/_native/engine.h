/* What the files of the engine share. module.c, the Python type, uses chart.c, which reads a text and
   derives it; both use tables.c: vectors, maps, and the tables of a grammar.

   Every number that comes from Python is checked where it is used as an index. Callbacks may run any
   code, other readings with the same tables too: so nothing that can move is held across them. Rows
   and ways do not move, and are freed with the tables alone. */

#ifndef ABNF2LARK_ENGINE_H
#define ABNF2LARK_ENGINE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* The questions, as `charts/tables.py` numbers them. */
enum { STEP, START, FIRST, LAST, READ, CALL, WAITS, JOIN, HAS, WAY, EMPTY, CYCLIC, BEST, LIVE };
/* Steps of a derivation, and what a way leads to. */
enum { ENTER, LEAVE, INSIDE, CALLED };
enum { END, CHARACTER, RULE };

#define LEAPT 0x80000000u    /* of an item: it ends more than one rule */
#define EXPANDED 0x40000000u /* of such an item: these rules are known */
#define STATE 0x3fffffffu
#define MOST 0x3fffffffu /* states, rules, positions, characters: so that they have room for flags */

typedef struct {
    uint32_t *data;
    size_t count, room;
} Vector;

int no_memory(void); /* -1, with the exception */
int vector_reserve(Vector *vector, size_t more);

/* How many of some sorted numbers are not above a value. */
static inline uint32_t rank_of(const uint32_t *numbers, size_t count, uint32_t value) {
    size_t low = 0;
    while (low < count) {
        const size_t middle = low + (count - low) / 2;
        if (numbers[middle] <= value)
            low = middle + 1;
        else
            count = middle;
    }
    return (uint32_t)low;
}

/* Inline, so that a count which is constant costs no call. */
static inline int vector_extend(Vector *vector, const void *values, size_t count) {
    if (count > vector->room - vector->count && vector_reserve(vector, count) < 0) return -1;
    memcpy(vector->data + vector->count, values, count * sizeof *vector->data);
    vector->count += count;
    return 0;
}

static inline int vector_push(Vector *vector, uint32_t value) {
    return vector_extend(vector, &value, 1);
}

/* A map from four numbers to one: open addressing, no deletion. */
typedef struct {
    uint32_t key[4], value, used;
} Entry;

typedef struct {
    Entry *entries;
    size_t count, room;
} Map;

/* Keys are small numbers that differ little: multiply, and fold the high bits onto the low ones. */
static inline Entry *entry_at(const Map *map, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    uint64_t mixed = ((uint64_t)a << 32 | b) * 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 32) ^ ((uint64_t)c << 32 | d)) * 0xBF58476D1CE4E5B9u;
    for (size_t at = (size_t)(mixed ^ (mixed >> 32));; at++) {
        Entry *entry = &map->entries[at & (map->room - 1)];
        const uint32_t *key = entry->key;
        if (!entry->used || (key[0] == a && key[1] == b && key[2] == c && key[3] == d))
            return entry;
    }
}

static inline const uint32_t *map_get(const Map *map, uint32_t a, uint32_t b, uint32_t c,
                                      uint32_t d) {
    if (map->room == 0) return NULL;
    Entry *entry = entry_at(map, a, b, c, d);
    return entry->used ? &entry->value : NULL;
}

int map_put(Map *map, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t value);

/* A state. `calls`: triples of a rule, the state after it, and whether it may be empty. */
typedef struct {
    uint32_t rule, ends, last, count;
    uint64_t called; /* a bit for each called rule: if it is not set, the rule is not called */
    uint32_t *calls;
    uint32_t *of_cell[2]; /* by cell: one more than the state after it, than whether it leads on */
} Row;

typedef struct {
    uint32_t kind, position, rule, following, count;
    uint32_t *steps;
} Way;

typedef struct {
    PyObject ob_base;
    PyObject *tables;  /* of Python: answers what is not known yet */
    PyObject *refusal; /* the exception of a text that is too large */
    uint32_t *cuts, cells;
    uint32_t cell_of[256];
    Row **rows;
    Way **ways;
    size_t rows_room, ways_room;
    Map known;
} Engine;

int ask_tables(Engine *engine, uint32_t what, uint32_t a, uint32_t b, uint32_t c, uint32_t *found);
int ask_of_cell(Engine *engine, uint32_t what, uint32_t state, uint32_t cell, uint32_t *found);
Row *new_row(Engine *engine, uint32_t state);
Way *way_at(Engine *engine, uint32_t number);
uint32_t *numbers_of(PyObject *tuple, uint32_t *count);
uint32_t cell_among(const Engine *engine, uint32_t code);
uint32_t cell_of(const Engine *engine, uint32_t code);

/* What is known already is returned inline: nearly all that is asked. */
static inline int ask(Engine *engine, uint32_t what, uint32_t a, uint32_t b, uint32_t c,
                      uint32_t *found) {
    const uint32_t *known = map_get(&engine->known, what, a, b, c);
    if (known == NULL) return ask_tables(engine, what, a, b, c, found);
    *found = *known;
    return 0;
}

static inline Row *row_at(Engine *engine, uint32_t state) {
    Row *row = state < engine->rows_room ? engine->rows[state] : NULL;
    return row != NULL ? row : new_row(engine, state);
}

static inline uint64_t bit_of(uint32_t rule) { return (uint64_t)1 << (rule & 63); }

PyObject *engine_read(PyObject *self, PyObject *args); /* of chart.c */
extern PyType_Spec node_spec, derived_spec;             /* of nodes.c */

#endif
