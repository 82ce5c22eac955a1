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
