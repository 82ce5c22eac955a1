#include "tables.h"

#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

#define NONE 0xFF /* for an octet: no class or escape; for an end: no text ends; for a value: clear */

/* ---- Loops: octets that a state loops on, skipped many at a time where the processor can.

   The end of a loop is a branch that no processor predicts, since it depends on the text. Over
   SIMD_WIDTH octets at a time most loops are one step, whatever their length. */

/* Shorter texts are read octet by octet: a load of so many octets would leave their memory. */
#define SIMD_WIDTH 32

#if defined(__GNUC__) && defined(__x86_64__) && !defined(URIPARSE_NARROW)

#include <immintrin.h>

/* Only functions with this attribute use AVX2: the library must load on processors without it. */
#define USES_SIMD __attribute__((target("avx2,bmi")))

static inline int has_simd(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
}

/* Return a bit for each of SIMD_WIDTH octets that is not in a set, the first octet in the lowest
   bit. Octets above ASCII are in no set.

   A set has a bit for each ASCII octet: bit h of set[l] for octet 16 * h + l. One shuffle looks up
   set[l] for all octets at once, another the bit h; this needs no branch and no table of 256. */
USES_SIMD static inline uint32_t outside_set(const uint8_t set[16], const uint8_t *from) {
    /* Zeros in the upper half: h of 8 and more, above ASCII, selects no bit. */
    const __m128i bits = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i bit = _mm256_broadcastsi128_si256(bits), low = _mm256_set1_epi8(15);
    const __m256i own = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)set));
    __m256i octets = _mm256_loadu_si256((const __m256i *)from);
    /* There is no shift of single octets: shift pairs and mask what came over from the neighbour. */
    __m256i high = _mm256_and_si256(_mm256_srli_epi16(octets, 4), low);
    __m256i common =
        _mm256_and_si256(_mm256_shuffle_epi8(own, octets), _mm256_shuffle_epi8(bit, high));
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(common, _mm256_setzero_si256()));
}

/* The same for an alphabet, which also has the octets above ASCII if `above_ascii` has all bits. */
USES_SIMD static inline uint32_t outside_alphabet(const uint8_t ascii[16], uint32_t above_ascii,
                                                  const uint8_t *from) {
    uint32_t high = (uint32_t)_mm256_movemask_epi8(_mm256_loadu_si256((const __m256i *)from));
    return outside_set(ascii, from) & ~(high & above_ascii);
}

/* Return a bit for each of SIMD_WIDTH octets that begins a whole escape, such as "%20". */
USES_SIMD static inline uint32_t escapes(const Row *row, const uint8_t *from) {
    __m256i octets = _mm256_loadu_si256((const __m256i *)from);
    __m256i begins = _mm256_cmpeq_epi8(octets, _mm256_set1_epi8((char)row->escape));
    uint32_t digits = ~outside_set(row->digits, from);
    return (uint32_t)_mm256_movemask_epi8(begins) & digits >> 1 & digits >> 2;
}

/* Return where the loops of a state end, from `at` on: at an octet that does not loop and begins no
   whole escape, or at the end. `at` is before the end.

   The last octets are loaded together with some before `at`, never with memory after the end: the
   text has SIMD_WIDTH octets at least. The shift drops the bits of those before `at`. */
USES_SIMD static inline const uint8_t *skip_loop(const Row *row, const uint8_t *at,
                                                 const uint8_t *end) {
    do {
        const uint8_t *from = end - at < SIMD_WIDTH ? end - SIMD_WIDTH : at;
        uint32_t others = outside_set(row->loop_ascii, from) >> (at - from);
        if (others != 0 && row->escape != NONE) others &= ~(escapes(row, from) >> (at - from));
        if (others != 0) {
            const uint8_t *stop = at + __builtin_ctz(others);
            /* The digits of an escape may be beyond these octets: look at it once more. */
            if (stop == at || *stop != row->escape) return stop;
            at = stop;
        } else
            at = from + SIMD_WIDTH;
    } while (at < end);
    return end;
}

#else

#define USES_SIMD

static inline int has_simd(void) { return 0; }

static inline const uint8_t *skip_loop(const Row *row, const uint8_t *at, const uint8_t *end) {
    (void)row, (void)end;
    return at;
}

static inline uint32_t outside_alphabet(const uint8_t ascii[16], uint32_t above_ascii,
                                        const uint8_t *from) {
    (void)ascii, (void)above_ascii, (void)from;
    return 0;
}

#endif

/* ---- Loading: every number of the tables is checked once, so that reading needs no check. */

#define NO_STATE 0xFFFF /* the target of a step that does not exist */
#define MAX_CLASSES                                                                                \
    63 /* one more class, for octets without any, still fits the 64 bits of `loops` */
#define HEAD 16
#define ACTION_SIZE 9
#define LONGEST_CHARACTER 4
#define UNIT 16 /* octets; rows are aligned to it, and a cell counts the begin of its row in it */

/* A cell: REJECT, or the action in the upper 8 bits and the unit where the next row begins below.
   24 bits are enough: 65,534 states of at most 18 units each are fewer than 2 ** 24 units. */
#define REJECT UINT32_MAX
#define ROW_MASK 0xFFFFFF
#define ACTION_SHIFT 24

static uint32_t u16(const uint8_t *data) { return data[0] | (uint32_t)data[1] << 8; }

static uint32_t u32(const uint8_t *data) { return u16(data) | u16(data + 2) << 16; }

static const char *load_action(Action *action, const uint8_t *data, const Tables *tables) {
    uint32_t set = u32(data + 1), cleared = u32(data + 5) & ~set;
    uint64_t existing = ((uint64_t)1 << tables->positions) - 1; /* 64 bits: there may be 32 */
    memset(action, 0, sizeof *action);
    action->back = data[0];
    /* Where a character begins may be known only at its last octet: its first is the furthest. */
    if (action->back >= LONGEST_CHARACTER) return "an action reaches back too far";
    if ((set | cleared) & ~existing) return "an action sets a position that does not exist";
    action->first = action->second = MAX_POSITIONS;
    for (uint8_t position = 0; position < tables->positions; position++) {
        if (!(set >> position & 1)) continue;
        if (action->first == MAX_POSITIONS)
            action->first = position;
        else if (action->second == MAX_POSITIONS)
            action->second = position;
        else
            action->position[action->more++] = position;
    }
    for (uint8_t position = 0; position < tables->positions; position++)
        if (cleared >> position & 1) action->position[action->more + action->cleared++] = position;
    memset(action->keep, 0xFF, sizeof action->keep);
    for (uint32_t number = 0; number < tables->constants && number < MAX_CONSTANTS; number++) {
        uint8_t value = data[ACTION_SIZE + number]; /* 0 keeps a constant, NONE clears it */
        if (value == 0) continue;
        action->keep[number] = 0;
        action->values[number] = value == NONE ? 0 : value;
    }
    return NULL;
}

static inline Row *row_at(const Tables *tables, uint32_t begins) {
    return (Row *)(tables->rows + (size_t)begins * UNIT);
}

static void add_octet(uint8_t set[16], int octet) {
    set[octet & 15] |= (uint8_t)(1 << (octet >> 4));
}

static void add_loop(Row *row, uint32_t label, const Tables *tables) {
    row->loops |= (uint64_t)1 << label;
    for (int octet = 0; octet < 0x80; octet++)
        if (tables->class_of[octet] == label) add_octet(row->loop_ascii, octet);
}

/* Return the only state that a state leads to, without actions, and the classes that do; else NULL. */
static const Row *only_next(const Tables *tables, const Row *row, uint64_t *classes) {
    uint32_t next = REJECT;
    *classes = 0;
    for (uint32_t label = 0; label < tables->classes; label++) {
        if (row->cells[label] == REJECT) continue;
        if (next != REJECT && row->cells[label] != next) return NULL;
        next = row->cells[label];
        *classes |= (uint64_t)1 << label;
    }
    return next == REJECT || next >> ACTION_SHIFT ? NULL : row_at(tables, next);
}

/* Find the escape of a state that loops: an octet and two more, which are all alike, lead back to it.
   The digits loop themselves, so that the octet begins an escape wherever it stands. */
static void add_escape(Row *row, const Tables *tables) {
    for (int octet = 0; octet < 0x80 && row->loops != 0; octet++) {
        uint32_t label = tables->class_of[octet], cell = row->cells[label];
        uint64_t first, second;
        const Row *next;
        if (cell == REJECT || cell >> ACTION_SHIFT || row->loops >> label & 1) continue;
        next = only_next(tables, row_at(tables, cell & ROW_MASK), &first);
        if (next == NULL || only_next(tables, next, &second) != row) continue;
        if (first != second || first & ~row->loops) continue;
        row->escape = (uint8_t)octet;
        row->skipped |= (uint64_t)1 << label;
        for (int digit = 0; digit < 0x80; digit++)
            if (first >> tables->class_of[digit] & 1) add_octet(row->digits, digit);
        return;
    }
}

static const char *fill_tables(Tables *tables, const uint8_t *data) {
    const uint8_t *ends, *targets, *actions;
    for (int octet = 0; octet < 256; octet++) {
        uint8_t label = data[octet];
        if (label != NONE && label >= tables->classes)
            return "the class of an octet does not exist";
        /* Octets without a class get the extra one, whose cells reject: reading needs no test. */
        tables->class_of[octet] = label == NONE ? (uint8_t)tables->classes : label;
        if (label == NONE) continue;
        if (octet < 0x80)
            add_octet(tables->ascii_alphabet, octet);
        else
            tables->above_ascii = UINT32_MAX;
    }
    data += 256;
    for (uint32_t number = 0; number < tables->actions; number++) {
        const char *wrong = load_action(&tables->action[number], data, tables);
        if (wrong != NULL) return wrong;
        data += ACTION_SIZE + tables->constants;
    }
    ends = data;
    targets = ends + tables->states;
    actions = targets + 2 * (size_t)tables->states * tables->classes;
    for (uint32_t state = 0; state < tables->states; state++) {
        Row *row = row_at(tables, state * tables->stride);
        row->end = ends[state];
        row->escape = NONE;
        if (row->end != NONE && row->end >= tables->actions)
            return "an end has an action that does not exist";
        row->cells[tables->classes] = REJECT;
        for (uint32_t label = 0; label < tables->classes; label++, targets += 2, actions++) {
            uint32_t target = u16(targets);
            if (target != NO_STATE && target >= tables->states)
                return "a step leads to a state that does not exist";
            if (*actions >= tables->actions) return "a step has an action that does not exist";
            /* Cells hold where a row begins, not its number: this saves a multiplication a step. */
            row->cells[label] = target == NO_STATE
                                    ? REJECT
                                    : (uint32_t)*actions << ACTION_SHIFT | target * tables->stride;
            /* Action 0 is "none". A loop with an action must run it for each octet: not skipped. */
            if (target == state && *actions == 0) add_loop(row, label, tables);
        }
    }
    for (uint32_t state = 0; state < tables->states; state++) {
        Row *row = row_at(tables, state * tables->stride);
        row->skipped = row->loops;
        add_escape(row, tables);
    }
    return NULL;
}

const char *tables_load(Tables *tables, const uint8_t *data, size_t size) {
    size_t cells;
    const char *wrong;
    memset(tables, 0, sizeof *tables);
    if (size < HEAD + 256 || memcmp(data, "TAGS", 4) != 0) return "they do not begin with TAGS";
    if (u16(data + 4) != TABLES_FORMAT) return "they are of another format";
    tables->states = u16(data + 6);
    tables->classes = u16(data + 8);
    tables->actions = u16(data + 10);
    tables->positions = u16(data + 12);
    tables->constants = u16(data + 14);
    if (tables->states == 0 || tables->states >= NO_STATE || tables->classes == 0 ||
        tables->classes > MAX_CLASSES || tables->actions == 0 || tables->actions > NONE ||
        tables->positions > MAX_POSITIONS || tables->positions % 2 || tables->constants == 0 ||
        tables->constants > MAX_CONSTANTS)
        return "a number of them is out of range";
    /* The exact size is checked before anything is read, so that no loop below needs a bound. */
    cells = (size_t)tables->states * tables->classes;
    if (size != HEAD + 256 + (size_t)tables->actions * (ACTION_SIZE + tables->constants) +
                    tables->states + 3 * cells)
        return "they are too short or too long";
    /* + 1: the extra class of octets that have none. Rounded up to whole units. */
    tables->stride =
        (uint32_t)(sizeof(Row) + (tables->classes + 1) * sizeof(uint32_t) + UNIT - 1) / UNIT;
    tables->simd = has_simd();
    tables->rows = calloc(tables->states, (size_t)tables->stride * UNIT);
    tables->action = malloc(tables->actions * sizeof *tables->action);
    wrong = tables->rows && tables->action ? fill_tables(tables, data + HEAD) : "";
    if (wrong != NULL) tables_free(tables);
    return wrong;
}

void tables_free(Tables *tables) {
    free(tables->rows);
    free(tables->action);
    memset(tables, 0, sizeof *tables); /* so that freeing twice is harmless */
}

/* ---- Reading. Tables are constant by now: threads may read with them at once, without a lock. */

static inline void apply(const Action *action, ptrdiff_t offset, Captures *captures) {
    uint64_t values, keep, own;
    offset -= action->back;
    for (uint32_t n = 0; n < action->more; n++) captures->positions[action->position[n]] = offset;
    for (uint32_t n = 0; n < action->cleared; n++)
        captures->positions[action->position[action->more + n]] = -1;
    /* Both are always written, if need be to the extra position: a store costs less than a branch. */
    captures->positions[action->first] = offset;
    captures->positions[action->second] = offset;
    /* The eight constants as one number: merged in three operations instead of a loop.
       memcpy is how C spells this without breaking its aliasing rules; it compiles to one move. */
    memcpy(&values, captures->values, sizeof values);
    memcpy(&keep, action->keep, sizeof keep);
    memcpy(&own, action->values, sizeof own);
    values = (values & keep) | own;
    memcpy(captures->values, &values, sizeof values);
}

/* Inlined into each caller, where `captures` and `simd` are constants: a verdict alone takes half
   the time of captures, and only texts of SIMD_WIDTH octets may be read in wide steps. */
ALWAYS_INLINE ptrdiff_t read_all(const Tables *tables, uint32_t start, const uint8_t *text,
                                 size_t size, Captures *captures, int simd) {
    const uint8_t *at = text, *end = text + size, *class_of = tables->class_of;
    const Row *row = row_at(tables, start * tables->stride);
    while (at < end) {
        uint64_t loops = row->loops;
        uint32_t label = class_of[*at], cell;
        if ((simd ? row->skipped : loops) >> label & 1) {
            if (simd) {
                at = skip_loop(row, at, end);
                if (at == end) break;
                label = class_of[*at];
            }
            /* Without SIMD, and for octets above ASCII, which `loop_ascii` does not have. */
            while (loops >> label & 1) {
                if (++at == end) goto ended;
                label = class_of[*at];
            }
        }
        cell = row->cells[label];
        if (cell == REJECT) return at - text;
        if (captures != NULL && cell >> ACTION_SHIFT)
            apply(&tables->action[cell >> ACTION_SHIFT], at - text, captures);
        row = row_at(tables, cell & ROW_MASK);
        at++;
    }
ended:
    if (row->end == NONE) return (ptrdiff_t)size;
    if (captures != NULL && row->end) apply(&tables->action[row->end], (ptrdiff_t)size, captures);
    return -1;
}

USES_SIMD static ptrdiff_t verdict_simd(const Tables *tables, uint32_t start, const uint8_t *text,
                                        size_t size) {
    return read_all(tables, start, text, size, NULL, 1);
}

/* Most invalid texts have an octet outside the alphabet of the rule. Only the first and the last
   SIMD_WIDTH octets are tested for one: they are mostly the whole text, and a loop over the rest
   would end with a branch that cannot be predicted. */
USES_SIMD static int match_simd(const Tables *tables, uint32_t start, const uint8_t *text,
                                size_t size) {
    uint32_t outside =
        outside_alphabet(tables->ascii_alphabet, tables->above_ascii, text) |
        outside_alphabet(tables->ascii_alphabet, tables->above_ascii, text + size - SIMD_WIDTH);
    return outside == 0 && read_all(tables, start, text, size, NULL, 1) < 0;
}

USES_SIMD static ptrdiff_t captures_simd(const Tables *tables, uint32_t start, const uint8_t *text,
                                         size_t size, Captures *captures) {
    return read_all(tables, start, text, size, captures, 1);
}

ptrdiff_t tables_read(const Tables *tables, uint32_t start, const uint8_t *text, size_t size,
                      Captures *captures) {
    int simd = tables->simd && size >= SIMD_WIDTH;
    if (captures == NULL)
        return simd ? verdict_simd(tables, start, text, size)
                    : read_all(tables, start, text, size, NULL, 0);
    /* Only the positions in use: to clear all 32 would cost more than a short text. */
    for (uint32_t n = 0; n < tables->positions; n++) captures->positions[n] = -1;
    memset(captures->values, 0, sizeof captures->values);
    return simd ? captures_simd(tables, start, text, size, captures)
                : read_all(tables, start, text, size, captures, 0);
}

int tables_match(const Tables *tables, uint32_t start, const uint8_t *text, size_t size) {
    return tables->simd && size >= SIMD_WIDTH ? match_simd(tables, start, text, size)
                                              : read_all(tables, start, text, size, NULL, 0) < 0;
}

int32_t tables_after(const Tables *tables, uint32_t start, const uint8_t *prefix, size_t size) {
    const Row *row = row_at(tables, start * tables->stride);
    for (size_t at = 0; at < size; at++) {
        uint32_t cell = row->cells[tables->class_of[prefix[at]]];
        if (cell == REJECT) return -1;
        /* A position inside the prefix would be lost, as the prefix is not read again. */
        if (cell >> ACTION_SHIFT && tables->action[cell >> ACTION_SHIFT].first != MAX_POSITIONS)
            return -1;
        row = row_at(tables, cell & ROW_MASK);
    }
    return (int32_t)(((const uint8_t *)row - tables->rows) / UNIT / tables->stride);
}

/* ---- Offsets in characters, which Python counts by. */

/* Return how many octets a character has, by its first one. */
static size_t utf8_length(uint8_t octet) {
    return octet < 0x80 ? 1 : octet < 0xE0 ? 2 : octet < 0xF0 ? 3 : 4;
}

int64_t characters_before(const uint8_t *text, size_t offset) {
    size_t first = offset;
    int64_t count = 0;
    /* Octets 0x80 to 0xBF continue a character. The offset may be inside one: count up to it. */
    while (first > 0 && (text[first - 1] & 0xC0) == 0x80) first--;
    if (first > 0 && text[first - 1] >= 0xC0 && first - 1 + utf8_length(text[first - 1]) > offset)
        offset = first - 1; /* the last one is not complete */
    for (size_t at = 0; at < offset; at++) count += (text[at] & 0xC0) != 0x80;
    return count;
}
