#include "columns.h"

#include <string.h>

static int64_t octets_of_bits(int64_t bits) { return (bits >> 3) + ((bits & 7) != 0); }

static int begun(Made *made, int64_t rows, int64_t values) {
    memset(made, 0, sizeof *made);
    made->validity = block_new(octets_of_bits(rows));
    made->values = block_new(values);
    return made->validity != NULL && made->values != NULL;
}

int made_bits(Made *made, int64_t rows) { return begun(made, rows, octets_of_bits(rows)); }

int made_numbers(Made *made, int64_t rows) {
    return begun(made, rows, rows * (int64_t)sizeof(int64_t));
}

int made_views(Made *made, int64_t rows) { return begun(made, rows, rows * VIEW); }

int made_texts(Made *made, int64_t rows, int width) {
    if (!begun(made, rows, (rows + 1) * width)) return 0;
    made->width = width;
    made->data = block_new(0);
    return made->data != NULL;
}

void made_drop(Made *made) {
    block_drop(made->validity);
    block_drop(made->values);
    block_drop(made->data);
    memset(made, 0, sizeof *made);
}

/* Where the text of a row ends, which is where that of the next begins. */
static inline int64_t end_text(Made *made, int64_t row) {
    int64_t end = made->data->size;
    int32_t narrow = (int32_t)end;
    if (made->width == (int)sizeof end) {
        memcpy(made->values->octets + (row + 1) * 8, &end, sizeof end);
        return DONE;
    }
    if (end > INT32_MAX) return NO_ROOM;
    memcpy(made->values->octets + (row + 1) * 4, &narrow, sizeof narrow);
    return DONE;
}

static inline int64_t add_text(Made *made, int64_t row, const uint8_t *text, size_t size) {
    Block *data = made->data;
    if ((int64_t)size > data->room - data->size && !block_grow(data, (int64_t)size)) return NO_MEMORY;
    memcpy(data->octets + data->size, text, size);
    data->size += (int64_t)size;
    set_bit(made->validity, row);
    return end_text(made, row);
}

static inline int64_t add_null(Made *made, int64_t row) {
    made->nulls++;
    return made->data == NULL ? DONE : end_text(made, row);
}

int64_t column_verdicts(const Tables *tables, uint32_t start, const Rows *rows, Made *made) {
    for (int64_t row = 0; row < rows->length; row++) {
        const uint8_t *text;
        size_t size;
        int found = rows_text(rows, row, &text, &size);
        if (found < 0) return row;
        if (found == 0) {
            made->nulls++;
            continue;
        }
        set_bit(made->validity, row);
        if (tables_match(tables, start, text, size)) set_bit(made->values, row);
    }
    return DONE;
}

int64_t column_stops(const Tables *tables, uint32_t start, const Rows *rows, Made *made) {
    for (int64_t row = 0; row < rows->length; row++) {
        const uint8_t *text;
        size_t size;
        ptrdiff_t offset = -1;
        int found = rows_text(rows, row, &text, &size);
        if (found < 0) return row;
        if (found > 0) offset = tables_read(tables, start, text, size, NULL);
        if (offset < 0) {
            made->nulls++;
        } else {
            int64_t characters = characters_before(text, (size_t)offset);
            memcpy(made->values->octets + row * 8, &characters, sizeof characters);
            set_bit(made->validity, row);
        }
    }
    return DONE;
}

static inline int64_t add_wanted(const Wanted *wanted, Made *made, int64_t row, const Told *told,
                                 const uint8_t *text, size_t size) {
    ptrdiff_t begin = 0, end = 0;
    uint8_t value;
    int found;
    if (wanted->names == NULL) {
        found = span(wanted, told, size, &begin, &end);
        if (found < 0) return WRONG_TABLES;
        return found ? add_text(made, row, text + begin, (size_t)(end - begin)) : add_null(made, row);
    }
    value = told->values[wanted->constant];
    if (value == 0) return add_null(made, row);
    if (value > wanted->named) return WRONG_TABLES;
    return add_text(made, row, wanted->names[value - 1].octets,
                    (size_t)wanted->names[value - 1].size);
}

int64_t column_split(const Tables *tables, uint32_t start, const Rows *rows, const Wanted *wanted,
                     int64_t count, Made *made, Made *whole) {
    for (int64_t row = 0; row < rows->length; row++) {
        const uint8_t *text;
        size_t size;
        Told told;
        int found = rows_text(rows, row, &text, &size);
        if (found < 0) return row;
        found = found && tables_read(tables, start, text, size, &told) < 0;
        if (found)
            set_bit(whole->validity, row);
        else
            whole->nulls++;
        for (int64_t number = 0; number < count; number++) {
            int64_t done = found ? add_wanted(&wanted[number], &made[number], row, &told, text, size)
                                 : add_null(&made[number], row);
            if (done != DONE) return done;
        }
    }
    return DONE;
}

int64_t column_patched(const Rows *rows, const uint8_t *kept, const Buffer *given, int64_t count,
                       Made *made) {
    int64_t next = 0;
    for (int64_t row = 0; row < rows->length; row++) {
        const uint8_t *text;
        size_t size;
        int64_t done;
        int found = rows_text(rows, row, &text, &size);
        if (found < 0) return row;
        if (found && !(kept[row >> 3] >> (row & 7) & 1)) {
            if (next == count) return row;
            text = given[next].octets;
            size = (size_t)given[next++].size;
            found = text != NULL;
        }
        done = found ? add_text(made, row, text, size) : add_null(made, row);
        if (done != DONE) return done;
    }
    return DONE;
}

#define FIRST_BLOCK (INT64_C(1) << 13)
#define LARGE_BLOCK (INT64_C(1) << 24)

void kept_drop(Kept *kept) {
    for (int64_t number = 0; number < kept->count; number++) block_drop(kept->blocks[number]);
    free(kept->blocks);
    memset(kept, 0, sizeof *kept);
}

/* A block with room for so many octets: the last one, or a new one of twice its size. */
static Block *block_for(Kept *kept, int64_t more) {
    Block *last = kept->count ? kept->blocks[kept->count - 1] : NULL, **blocks;
    int64_t room = last == NULL ? FIRST_BLOCK : 2 * last->room;
    if (last != NULL && last->room - last->size >= more) return last;
    if (room > LARGE_BLOCK) room = LARGE_BLOCK;
    if (room < more) room = more;
    blocks = realloc(kept->blocks, ((size_t)kept->count + 1) * sizeof *blocks);
    if (blocks == NULL) return NULL;
    kept->blocks = blocks;
    last = block_new(room);
    if (last == NULL) return NULL;
    last->size = 0;
    return blocks[kept->count++] = last;
}

/* A text that is kept, if it has to be. */
typedef struct {
    const uint8_t *text;
    size_t size;
    int64_t place; /* in the last block; -1 as long as it is not kept */
} Source;

static int64_t keep(Kept *kept, Source *source) {
    Block *block;
    if (source->size > INT32_MAX) return NO_ROOM;
    block = block_for(kept, (int64_t)source->size);
    if (block == NULL) return NO_MEMORY;
    memcpy(block->octets + block->size, source->text, source->size);
    source->place = block->size;
    block->size += (int64_t)source->size;
    return DONE;
}

/* The view of a part of a source. */
static inline int64_t add_view(Made *made, int64_t row, Kept *kept, uint32_t user, Source *source,
                               size_t begin, size_t size) {
    uint8_t *view = made->values->octets + row * VIEW;
    const uint8_t *text = source->text + begin;
    int32_t facts[4] = {(int32_t)size, 0, 0, 0};
    set_bit(made->validity, row);
    if (size <= INLINE) {
        memcpy(view, facts, 4);
        memcpy(view + 4, text, size);
        return DONE;
    }
    if (source->place < 0) {
        int64_t done = keep(kept, source);
        if (done != DONE) return done;
    }
    memcpy(&facts[1], text, 4);
    facts[2] = (int32_t)(kept->count - 1);
    facts[3] = (int32_t)(source->place + (int64_t)begin);
    memcpy(view, facts, sizeof facts);
    kept->users |= user;
    return DONE;
}

/* Of a source that nothing else is wanted of, no more is kept than that. */
static inline int64_t add_span(const Wanted *wanted, Made *made, int64_t row, const Told *told,
                               Kept *kept, uint32_t user, Source *source, int alone) {
    ptrdiff_t begin = 0, end = 0;
    int found = span(wanted, told, source->size, &begin, &end);
    if (found < 0) return WRONG_TABLES;
    if (!found) return add_null(made, row);
    if (alone) {
        Source part = {source->text + begin, (size_t)(end - begin), -1};
        return add_view(made, row, kept, user, &part, 0, part.size);
    }
    return add_view(made, row, kept, user, source, (size_t)begin, (size_t)(end - begin));
}

static inline int64_t add_name(const Wanted *wanted, Made *made, int64_t row, const Told *told,
                               Kept *kept, uint32_t user) {
    uint8_t value = told->values[wanted->constant];
    Source name = {NULL, 0, -1};
    if (value == 0) return add_null(made, row);
    if (value > wanted->named) return WRONG_TABLES;
    name.text = wanted->names[value - 1].octets;
    name.size = (size_t)wanted->names[value - 1].size;
    return add_view(made, row, kept, user, &name, 0, name.size);
}

int64_t column_views(const Tables *tables, uint32_t start, const Rows *rows, const Wanted *wanted,
                     int64_t count, Made *made, Made *whole, Kept *kept) {
    for (int64_t row = 0; row < rows->length; row++) {
        Source source = {NULL, 0, -1};
        Told told;
        int found = rows_text(rows, row, &source.text, &source.size);
        if (found < 0) return row;
        if (!found || tables_read(tables, start, source.text, source.size, &told) >= 0) {
            whole->nulls++;
            continue;
        }
        set_bit(whole->validity, row);
        for (int64_t number = 0; number < count; number++) {
            const Wanted *one = &wanted[number];
            uint32_t user = UINT32_C(1) << number;
            int64_t done =
                one->names == NULL
                    ? add_span(one, &made[number], row, &told, kept, user, &source, count == 1)
                    : add_name(one, &made[number], row, &told, kept, user);
            if (done != DONE) return done;
        }
    }
    for (int64_t number = 0; number < count; number++) made[number].nulls += whole->nulls;
    return DONE;
}
