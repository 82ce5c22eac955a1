/* Vectors, maps, and the tables of a grammar, which are filled as Python answers. */

#include "engine.h"

int no_memory(void) {
    PyErr_NoMemory();
    return -1;
}

int vector_reserve(Vector *vector, size_t more) {
    size_t room = vector->room + vector->room / 2 + more + 16;
    uint32_t *data = NULL;
    if (more <= vector->room - vector->count) return 0;
    if (room <= (size_t)PY_SSIZE_T_MAX / sizeof *data)
        data = PyMem_Realloc(vector->data, room * sizeof *data);
    if (data == NULL) return no_memory();
    vector->data = data;
    vector->room = room;
    return 0;
}

int map_put(Map *map, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t value) {
    if (map->count >= map->room / 2) { /* never more than half full, so that a search ends soon */
        Map larger = {NULL, map->count, map->room ? 2 * map->room : 64};
        if (larger.room <= (size_t)PY_SSIZE_T_MAX / sizeof(Entry))
            larger.entries = PyMem_Calloc(larger.room, sizeof(Entry));
        if (larger.entries == NULL) return no_memory();
        for (size_t at = 0; at < map->room; at++) {
            const Entry *old = &map->entries[at];
            const uint32_t *key = old->key;
            if (old->used) *entry_at(&larger, key[0], key[1], key[2], key[3]) = *old;
        }
        PyMem_Free(map->entries);
        *map = larger;
    }
    Entry *entry = entry_at(map, a, b, c, d);
    map->count += !entry->used;
    *entry = (Entry){{a, b, c, d}, value, 1};
    return 0;
}

/* Read a number that Python answers; -1 with an exception if it is not a number of the tables. */
static int number_of(PyObject *answer, uint32_t *found) {
    unsigned long value;
    if (answer == NULL) return -1;
    value = PyLong_AsUnsignedLong(answer);
    Py_DECREF(answer);
    if (value == (unsigned long)-1 && PyErr_Occurred()) return -1;
    if (value > MOST) {
        PyErr_SetString(PyExc_OverflowError, "a number of the tables is too large");
        return -1;
    }
    *found = (uint32_t)value;
    return 0;
}

static int put_question(Engine *engine, uint32_t what, uint32_t a, uint32_t b, uint32_t c,
                        uint32_t *found) {
    return number_of(PyObject_CallMethod(engine->tables, "ask", "IIII", what, a, b, c), found);
}

int ask_tables(Engine *engine, uint32_t what, uint32_t a, uint32_t b, uint32_t c, uint32_t *found) {
    if (put_question(engine, what, a, b, c, found) < 0) return -1;
    return map_put(&engine->known, what, a, b, c, *found);
}

/* The most frequent questions, STEP and LIVE, have tables of their own: two rows a state. */
int ask_of_cell(Engine *engine, uint32_t what, uint32_t state, uint32_t cell, uint32_t *found) {
    Row *row = row_at(engine, state);
    if (row == NULL) return -1;
    uint32_t **of_cell = &row->of_cell[what == LIVE];
    if (*of_cell == NULL && (*of_cell = PyMem_Calloc(engine->cells, sizeof **of_cell)) == NULL)
        return no_memory();
    if ((*of_cell)[cell] == 0) {
        if (put_question(engine, what, state, cell, 0, found) < 0) return -1;
        (*of_cell)[cell] = *found + 1; /* 0 is what is not known yet */
    }
    *found = (*of_cell)[cell] - 1;
    return 0;
}

/* Return the numbers of a tuple, `*count` of them, in memory of their own. */
uint32_t *numbers_of(PyObject *tuple, uint32_t *count) {
    Py_ssize_t size = PyTuple_Check(tuple) ? PyTuple_Size(tuple) : -1;
    if (size < 0 || size > (Py_ssize_t)MOST) {
        PyErr_SetString(PyExc_TypeError, "numbers of the tables are a tuple");
        return NULL;
    }
    uint32_t *found = PyMem_Calloc((size_t)size + 1, sizeof *found);
    if (found == NULL) PyErr_NoMemory();
    for (Py_ssize_t at = 0; found != NULL && at < size; at++)
        if (number_of(Py_NewRef(PyTuple_GetItem(tuple, at)), &found[at]) < 0) {
            PyMem_Free(found);
            found = NULL;
        }
    *count = (uint32_t)size;
    return found;
}

/* Keep what was made under a number, unless another thread was faster; return what is kept. Then
   `*made` is NULL if it is this one. */
static void *kept_at(void ***table, size_t *room, uint32_t number, void **made) {
    if (number >= *room) {
        size_t more = (size_t)number + number / 2 + 16;
        void **larger = PyMem_Realloc(*table, more * sizeof *larger);
        if (larger == NULL) return PyErr_NoMemory();
        memset(larger + *room, 0, (more - *room) * sizeof *larger);
        *table = larger;
        *room = more;
    }
    if ((*table)[number] == NULL) {
        (*table)[number] = *made;
        *made = NULL;
    }
    return (*table)[number];
}

/* What the tables of Python answer, which is a tuple. */
static PyObject *answer_of(Engine *engine, const char *name, uint32_t number) {
    PyObject *answer = PyObject_CallMethod(engine->tables, name, "I", number);
    if (answer != NULL && !PyTuple_Check(answer)) {
        PyErr_SetString(PyExc_TypeError, "an entry of the tables is a tuple");
        Py_CLEAR(answer);
    }
    return answer;
}

Row *new_row(Engine *engine, uint32_t state) {
    PyObject *answer = answer_of(engine, "row", state), *calls;
    if (answer == NULL) return NULL;
    Row *row = PyMem_Calloc(1, sizeof *row), *found = NULL;
    int ends, last;
    if (row == NULL) no_memory();
    if (row != NULL && PyArg_ParseTuple(answer, "IppO", &row->rule, &ends, &last, &calls)) {
        row->ends = (uint32_t)ends;
        row->last = (uint32_t)last;
        row->calls = numbers_of(calls, &row->count);
        row->count -= row->count % 3;
        for (uint32_t at = 0; row->calls != NULL && at < row->count; at += 3)
            row->called |= bit_of(row->calls[at]);
        if (row->calls != NULL)
            found = kept_at((void ***)&engine->rows, &engine->rows_room, state, (void **)&row);
    }
    Py_DECREF(answer);
    if (row != NULL) PyMem_Free(row->calls);
    PyMem_Free(row);
    return found;
}

Way *way_at(Engine *engine, uint32_t number) {
    if (number < engine->ways_room && engine->ways[number] != NULL) return engine->ways[number];
    PyObject *answer = answer_of(engine, "way", number), *steps;
    if (answer == NULL) return NULL;
    Way *way = PyMem_Calloc(1, sizeof *way), *found = NULL;
    if (way == NULL) no_memory();
    if (way != NULL && PyArg_ParseTuple(answer, "OIIII", &steps, &way->kind, &way->position,
                                        &way->rule, &way->following)) {
        way->steps = numbers_of(steps, &way->count);
        if (way->steps != NULL)
            found = kept_at((void ***)&engine->ways, &engine->ways_room, number, (void **)&way);
    }
    Py_DECREF(answer);
    if (way != NULL) PyMem_Free(way->steps);
    PyMem_Free(way);
    return found;
}

/* Return how many cuts are not above a character: its cell. Surrogates have none. */
uint32_t cell_among(const Engine *engine, uint32_t code) {
    return code >= 0xD800 && code < 0xE000 ? 0 : rank_of(engine->cuts, engine->cells - 1, code);
}

uint32_t cell_of(const Engine *engine, uint32_t code) {
    return code < 256 ? engine->cell_of[code] : cell_among(engine, code);
}
