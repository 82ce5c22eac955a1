#include "tables.h"

#include <stdlib.h>
#include <string.h>

/* Runs of the octets that a state loops on, many at a time where the processor can.

   A run ends with a branch that no processor foresees; over many octets at a time there is mostly
   one step, whatever the length. */

#if defined(__GNUC__)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

/* A text that is read so has as many octets at least. */
#define WIDTH 32

#if defined(__GNUC__) && defined(__x86_64__) && !defined(URIPARSE_NARROW)

#include <immintrin.h>

#define FOR_WIDE __attribute__((target("avx2,bmi")))

static inline int reads_wide(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
}

/* Which of WIDTH octets are none of a few, the first in the lowest bit. Those beyond ASCII are none. */
FOR_WIDE static inline uint32_t others_of(const uint8_t few[16], const uint8_t *from) {
    const __m128i bits = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i bit = _mm256_broadcastsi128_si256(bits), low = _mm256_set1_epi8(15);
    const __m256i own = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)few));
    __m256i octets = _mm256_loadu_si256((const __m256i *)from);
    __m256i high = _mm256_and_si256(_mm256_srli_epi16(octets, 4), low);
    __m256i common =
        _mm256_and_si256(_mm256_shuffle_epi8(own, octets), _mm256_shuffle_epi8(bit, high));
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(common, _mm256_setzero_si256()));
}

/* The same, but for octets beyond ASCII where `beyond` has all bits. */
FOR_WIDE static inline uint32_t strange_of(const uint8_t known[16], uint32_t beyond,
                                           const uint8_t *from) {
    uint32_t high = (uint32_t)_mm256_movemask_epi8(_mm256_loadu_si256((const __m256i *)from));
    return others_of(known, from) & ~(high & beyond);
}

/* The first octet from `at` on that is none of a few, or the end, which it is before; there are
   WIDTH octets before the end, so that the last of them are read together instead of what is behind. */
FOR_WIDE static inline const uint8_t *behind_few(const uint8_t few[16], const uint8_t *at,
                                                 const uint8_t *end) {
    do {
        const uint8_t *from = end - at < WIDTH ? end - WIDTH : at;
        uint32_t others = others_of(few, from) >> (at - from);
        if (others != 0) return at + __builtin_ctz(others);
        at = from + WIDTH;
    } while (at < end);
    return end;
}

#else

#define FOR_WIDE

static inline int reads_wide(void) { return 0; }

static inline const uint8_t *behind_few(const uint8_t few[16], const uint8_t *at,
                                        const uint8_t *end) {
    (void)few, (void)end;
    return at;
}

static inline uint32_t strange_of(const uint8_t known[16], uint32_t beyond, const uint8_t *from) {
    (void)known, (void)beyond, (void)from;
    return 0;
}

#endif

#define NONE 0xFF
#define NOWHERE 0xFFFF
#define STUCK UINT32_MAX
#define MOST_CLASSES 63
#define HEAD 16
#define ACT 9
#define LONGEST_CHARACTER 4
#define UNIT 16 /* octets */
#define BEGINS 0xFFFFFF
#define DOES 24

static uint32_t two(const uint8_t *data) { return data[0] | (uint32_t)data[1] << 8; }

static uint32_t four(const uint8_t *data) { return two(data) | two(data + 2) << 16; }

static const char *act_load(Act *act, const uint8_t *data, const Tables *tables) {
    uint32_t places = four(data + 1), cleared = four(data + 5) & ~places;
    uint64_t known = ((uint64_t)1 << tables->places) - 1;
    memset(act, 0, sizeof *act);
    act->back = data[0];
    if (act->back >= LONGEST_CHARACTER) return "an act goes back too far";
    if ((places | cleared) & ~known) return "an act notes a place that there is none of";
    act->first = act->second = MOST_PLACES;
    for (uint8_t place = 0; place < tables->places; place++) {
        if (!(places >> place & 1)) continue;
        if (act->first == MOST_PLACES)
            act->first = place;
        else if (act->second == MOST_PLACES)
            act->second = place;
        else
            act->place[act->noted++] = place;
    }
    for (uint8_t place = 0; place < tables->places; place++)
        if (cleared >> place & 1) act->place[act->noted + act->cleared++] = place;
    memset(act->kept, 0xFF, sizeof act->kept);
    for (uint32_t number = 0; number < tables->constants && number < MOST_CONSTANTS; number++) {
        uint8_t value = data[ACT + number]; /* 0 leaves a constant, NONE clears it */
        if (value == 0) continue;
        act->kept[number] = 0;
        act->values[number] = value == NONE ? 0 : value;
    }
    return NULL;
}

static inline Row *row_at(const Tables *tables, uint32_t begins) {
    return (Row *)(tables->rows + (size_t)begins * UNIT);
}

static void fill_run(Row *row, uint32_t label, const Tables *tables) {
    row->run |= (uint64_t)1 << label;
    for (int octet = 0; octet < 0x80; octet++)
        if (tables->class_of[octet] == label) row->few[octet & 15] |= (uint8_t)(1 << (octet >> 4));
}

static const char *filled(Tables *tables, const uint8_t *data) {
    const uint8_t *ends, *targets, *acts;
    for (int octet = 0; octet < 256; octet++) {
        uint8_t label = data[octet];
        if (label != NONE && label >= tables->classes) return "an octet has a class too many";
        tables->class_of[octet] = label == NONE ? (uint8_t)tables->classes : label;
        if (label == NONE) continue;
        if (octet < 0x80)
            tables->known[octet & 15] |= (uint8_t)(1 << (octet >> 4));
        else
            tables->beyond = UINT32_MAX;
    }
    data += 256;
    for (uint32_t number = 0; number < tables->acts; number++) {
        const char *wrong = act_load(&tables->act[number], data, tables);
        if (wrong != NULL) return wrong;
        data += ACT + tables->constants;
    }
    ends = data;
    targets = ends + tables->states;
    acts = targets + 2 * (size_t)tables->states * tables->classes;
    for (uint32_t state = 0; state < tables->states; state++) {
        Row *row = row_at(tables, state * tables->stride);
        row->end = ends[state];
        if (row->end != NONE && row->end >= tables->acts)
            return "a text ends with an act that there is none of";
        row->cells[tables->classes] = STUCK;
        for (uint32_t label = 0; label < tables->classes; label++, targets += 2, acts++) {
            uint32_t target = two(targets);
            if (target != NOWHERE && target >= tables->states) return "a step leads out of them";
            if (*acts >= tables->acts) return "a step does what there is none of";
            row->cells[label] =
                target == NOWHERE ? STUCK : (uint32_t)*acts << DOES | target * tables->stride;
            if (target == state && *acts == 0) fill_run(row, label, tables);
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
    /* A row has one class more, for octets of none. */
    tables->stride =
        (uint32_t)(sizeof(Row) + (tables->classes + 1) * sizeof(uint32_t) + UNIT - 1) / UNIT;
    tables->wide = reads_wide();
    tables->rows = calloc(tables->states, (size_t)tables->stride * UNIT);
    tables->act = malloc(tables->acts * sizeof *tables->act);
    wrong = tables->rows && tables->act ? filled(tables, data + HEAD) : "";
    if (wrong != NULL) tables_free(tables);
    return wrong;
}

void tables_free(Tables *tables) {
    free(tables->rows);
    free(tables->act);
    memset(tables, 0, sizeof *tables);
}

static inline void carry_out(const Act *act, ptrdiff_t offset, Told *told) {
    uint64_t values, kept, own;
    offset -= act->back;
    for (uint32_t n = 0; n < act->noted; n++) told->places[act->place[n]] = offset;
    for (uint32_t n = 0; n < act->cleared; n++) told->places[act->place[act->noted + n]] = -1;
    told->places[act->first] = offset;
    told->places[act->second] = offset;
    memcpy(&values, told->values, sizeof values);
    memcpy(&kept, act->kept, sizeof kept);
    memcpy(&own, act->values, sizeof own);
    values = (values & kept) | own;
    memcpy(told->values, &values, sizeof values);
}

/* Compiled for each case: a verdict alone takes half the time, and runs are long. */
ALWAYS_INLINE ptrdiff_t read_all(const Tables *tables, uint32_t start, const uint8_t *text,
                                 size_t size, Told *told, int wide) {
    const uint8_t *at = text, *end = text + size, *class_of = tables->class_of;
    const Row *row = row_at(tables, start * tables->stride);
    while (at < end) {
        uint64_t run = row->run;
        uint32_t label = class_of[*at], cell;
        if (run >> label & 1) {
            if (wide) {
                at = behind_few(row->few, at, end);
                if (at == end) break;
                label = class_of[*at];
            }
            while (run >> label & 1) {
                if (++at == end) goto ended;
                label = class_of[*at];
            }
        }
        cell = row->cells[label];
        if (cell == STUCK) return at - text;
        if (told != NULL && cell >> DOES)
            carry_out(&tables->act[cell >> DOES], at - text, told);
        row = row_at(tables, cell & BEGINS);
        at++;
    }
ended:
    if (row->end == NONE) return (ptrdiff_t)size;
    if (told != NULL && row->end) carry_out(&tables->act[row->end], (ptrdiff_t)size, told);
    return -1;
}

FOR_WIDE static ptrdiff_t verdict_wide(const Tables *tables, uint32_t start, const uint8_t *text,
                                       size_t size) {
    return read_all(tables, start, text, size, NULL, 1);
}

/* Most texts that are none have an octet that the rule never has. It is looked for in the first and
   the last octets alone, which are mostly all: how many there are is a branch that goes either way. */
FOR_WIDE static int matches_wide(const Tables *tables, uint32_t start, const uint8_t *text,
                                 size_t size) {
    uint32_t strange = strange_of(tables->known, tables->beyond, text) |
                       strange_of(tables->known, tables->beyond, text + size - WIDTH);
    return strange == 0 && read_all(tables, start, text, size, NULL, 1) < 0;
}

FOR_WIDE static ptrdiff_t told_wide(const Tables *tables, uint32_t start, const uint8_t *text,
                                    size_t size, Told *told) {
    return read_all(tables, start, text, size, told, 1);
}

ptrdiff_t tables_read(const Tables *tables, uint32_t start, const uint8_t *text, size_t size,
                      Told *told) {
    int wide = tables->wide && size >= WIDTH;
    if (told == NULL)
        return wide ? verdict_wide(tables, start, text, size)
                    : read_all(tables, start, text, size, NULL, 0);
    for (uint32_t place = 0; place < tables->places; place++) told->places[place] = -1;
    memset(told->values, 0, sizeof told->values);
    return wide ? told_wide(tables, start, text, size, told)
                : read_all(tables, start, text, size, told, 0);
}

int tables_match(const Tables *tables, uint32_t start, const uint8_t *text, size_t size) {
    return tables->wide && size >= WIDTH ? matches_wide(tables, start, text, size)
                                         : read_all(tables, start, text, size, NULL, 0) < 0;
}

int32_t tables_behind(const Tables *tables, uint32_t start, const uint8_t *word, size_t size) {
    const Row *row = row_at(tables, start * tables->stride);
    for (size_t at = 0; at < size; at++) {
        uint32_t cell = row->cells[tables->class_of[word[at]]];
        if (cell == STUCK) return -1;
        if (cell >> DOES && tables->act[cell >> DOES].first != MOST_PLACES) return -1;
        row = row_at(tables, cell & BEGINS);
    }
    return (int32_t)(((const uint8_t *)row - tables->rows) / UNIT / tables->stride);
}

/* Count the octets of a character by its first. */
static size_t spelled_by(uint8_t octet) {
    return octet < 0x80 ? 1 : octet < 0xE0 ? 2 : octet < 0xF0 ? 3 : 4;
}

int64_t characters_before(const uint8_t *text, size_t offset) {
    size_t first = offset;
    int64_t count = 0;
    while (first > 0 && (text[first - 1] & 0xC0) == 0x80) first--;
    if (first > 0 && text[first - 1] >= 0xC0 && first - 1 + spelled_by(text[first - 1]) > offset)
        offset = first - 1; /* the last one is not complete */
    for (size_t at = 0; at < offset; at++) count += (text[at] & 0xC0) != 0x80;
    return count;
}
