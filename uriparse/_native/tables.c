#include "tables.h"

#include <stdlib.h>
#include <string.h>

#define NONE 0xFF
#define NOWHERE 0xFFFF
#define STUCK UINT32_MAX
#define MOST_CLASSES 63
#define HEAD 16
#define ACT 9
#define LONGEST_CHARACTER 4

static uint32_t two(const uint8_t *data) { return data[0] | (uint32_t)data[1] << 8; }

static uint32_t four(const uint8_t *data) { return two(data) | two(data + 2) << 16; }

static const char *act_load(Act *act, const uint8_t *data, const Tables *tables) {
    uint32_t places = four(data + 1), cleared = four(data + 5) & ~places;
    uint64_t known = ((uint64_t)1 << tables->places) - 1;
    memset(act, 0, sizeof *act);
    act->back = data[0];
    if (act->back >= LONGEST_CHARACTER) return "an act goes back too far";
    if ((places | cleared) & ~known) return "an act notes a place that there is none of";
    for (uint8_t place = 0; place < tables->places; place++)
        if (places >> place & 1) act->place[act->noted++] = place;
    for (uint8_t place = 0; place < tables->places; place++)
        if (cleared >> place & 1) act->place[act->noted + act->cleared++] = place;
    memcpy(act->values, data + ACT, tables->constants);
    for (uint32_t number = 0; number < tables->constants; number++)
        act->sets |= act->values[number] != 0;
    return NULL;
}

static const char *filled(Tables *tables, const uint8_t *data) {
    uint32_t width = tables->classes + 1; /* one more for octets of no class */
    const uint8_t *targets, *acts;
    for (int octet = 0; octet < 256; octet++) {
        uint8_t label = data[octet];
        if (label != NONE && label >= tables->classes) return "an octet has a class too many";
        tables->class_of[octet] = label == NONE ? (uint8_t)tables->classes : label;
    }
    data += 256;
    for (uint32_t number = 0; number < tables->acts; number++) {
        const char *wrong = act_load(&tables->act[number], data, tables);
        if (wrong != NULL) return wrong;
        data += ACT + tables->constants;
    }
    memcpy(tables->ends, data, tables->states);
    targets = data + tables->states;
    acts = targets + 2 * (size_t)tables->states * tables->classes;
    for (uint32_t state = 0; state < tables->states; state++) {
        uint32_t *row = tables->cells + (size_t)state * width;
        if (tables->ends[state] != NONE && tables->ends[state] >= tables->acts)
            return "a text ends with an act that there is none of";
        tables->runs[state] = 0;
        row[tables->classes] = STUCK;
        for (uint32_t label = 0; label < tables->classes; label++, targets += 2, acts++) {
            uint32_t target = two(targets);
            if (target != NOWHERE && target >= tables->states) return "a step leads out of them";
            if (*acts >= tables->acts) return "a step does what there is none of";
            row[label] = target == NOWHERE ? STUCK : (uint32_t)*acts << 16 | target;
            if (row[label] == state) tables->runs[state] |= (uint64_t)1 << label;
        }
    }
    return NULL;
}

const char *tables_load(Tables *tables, const uint8_t *data, size_t size) {
    size_t cells;
    const char *wrong;
    memset(tables, 0, sizeof *tables);
    if (size < HEAD + 256 || memcmp(data, "TAGS", 4) != 0) return "they do not begin as they should";
    if (two(data + 4) != TABLES_FORMAT) return "they are of another format";
    tables->states = two(data + 6);
    tables->classes = two(data + 8);
    tables->acts = two(data + 10);
    tables->places = two(data + 12);
    tables->constants = two(data + 14);
    if (tables->states == 0 || tables->states >= NOWHERE || tables->classes == 0 ||
        tables->classes > MOST_CLASSES || tables->acts == 0 || tables->acts > NONE ||
        tables->places > MOST_PLACES || tables->places % 2 || tables->constants == 0 ||
        tables->constants > MOST_CONSTANTS)
        return "a number of them is out of range";
    cells = (size_t)tables->states * tables->classes;
    if (size != HEAD + 256 + (size_t)tables->acts * (ACT + tables->constants) + tables->states +
                    3 * cells)
        return "they are too short or too long";
    tables->runs = malloc(tables->states * sizeof *tables->runs);
    tables->cells = malloc((cells + tables->states) * sizeof *tables->cells);
    tables->ends = malloc(tables->states);
    tables->act = malloc(tables->acts * sizeof *tables->act);
    if (!tables->runs || !tables->cells || !tables->ends || !tables->act)
        wrong = "";
    else
        wrong = filled(tables, data + HEAD);
    if (wrong != NULL) tables_free(tables);
    return wrong;
}

void tables_free(Tables *tables) {
    free(tables->runs);
    free(tables->cells);
    free(tables->ends);
    free(tables->act);
    memset(tables, 0, sizeof *tables);
}

static inline void carry_out(const Act *act, const Tables *tables, ptrdiff_t offset, Told *told) {
    for (uint32_t n = 0; n < act->cleared; n++) told->places[act->place[act->noted + n]] = -1;
    offset -= act->back;
    for (uint32_t n = 0; n < act->noted; n++) told->places[act->place[n]] = offset;
    if (act->sets)
        for (uint32_t number = 0; number < tables->constants; number++)
            if (act->values[number] != 0)
                told->values[number] = act->values[number] == NONE ? 0 : act->values[number];
}

/* Compiled twice, with and without what is told, for a verdict alone takes half the time. */
static inline ptrdiff_t read_all(const Tables *tables, uint32_t state, const uint8_t *text,
                                 size_t size, Told *told) {
    const uint8_t *at = text, *end = text + size, *class_of = tables->class_of;
    const uint32_t *cells = tables->cells;
    const uint64_t *runs = tables->runs;
    uint32_t width = tables->classes + 1;
    uint8_t last;
    while (at < end) {
        uint64_t run = runs[state];
        uint32_t label = class_of[*at], cell;
        if (run >> label & 1) {
            do {
                if (++at == end) goto ended;
                label = class_of[*at];
            } while (run >> label & 1);
        }
        cell = cells[state * width + label];
        if (cell == STUCK) return at - text;
        if (told != NULL && cell >> 16) carry_out(&tables->act[cell >> 16], tables, at - text, told);
        state = cell & 0xFFFF;
        at++;
    }
ended:
    last = tables->ends[state];
    if (last == NONE) return (ptrdiff_t)size;
    if (told != NULL && last) carry_out(&tables->act[last], tables, (ptrdiff_t)size, told);
    return -1;
}

ptrdiff_t tables_read(const Tables *tables, uint32_t start, const uint8_t *text, size_t size,
                      Told *told) {
    if (told == NULL) return read_all(tables, start, text, size, NULL);
    for (uint32_t place = 0; place < tables->places; place++) told->places[place] = -1;
    memset(told->values, 0, sizeof told->values);
    return read_all(tables, start, text, size, told);
}

int32_t tables_behind(const Tables *tables, uint32_t start, const uint8_t *word, size_t size) {
    uint32_t state = start, width = tables->classes + 1;
    for (size_t at = 0; at < size; at++) {
        uint32_t cell = tables->cells[state * width + tables->class_of[word[at]]];
        if (cell == STUCK) return -1;
        if (cell >> 16 && tables->act[cell >> 16].noted) return -1;
        state = cell & 0xFFFF;
    }
    return (int32_t)state;
}
