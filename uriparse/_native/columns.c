#include "columns.h"

#include <string.h>

/* ---- Writing values. */

static int64_t octets_of_bits(int64_t bits) { return (bits >> 3) + ((bits & 7) != 0); }

static int new_column(Column *out, int64_t rows, int64_t values) {
    memset(out, 0, sizeof *out);
    out->validity = block_new(octets_of_bits(rows));
    out->values = block_new(values);
    return out->validity != NULL && out->values != NULL;
}

int new_bits(Column *out, int64_t rows) { return new_column(out, rows, octets_of_bits(rows)); }

int new_octets(Column *out, int64_t rows) { return new_column(out, rows, rows); }

int new_numbers(Column *out, int64_t rows) {
    return new_column(out, rows, rows * (int64_t)sizeof(int64_t));
}

int new_texts(Column *out, int64_t rows, int width) {
    /* One offset more than rows: the end of each text is the begin of the next. */
    if (!new_column(out, rows, (rows + 1) * width)) return 0;
    out->width = width;
    out->data = block_new(0);
    return out->data != NULL;
}

void column_drop(Column *out) {
    block_release(out->validity);
    block_release(out->values);
    block_release(out->data);
    memset(out, 0, sizeof *out);
}

static inline void set_bit(Block *block, int64_t at) {
    block->octets[at >> 3] |= (uint8_t)(1 << (at & 7));
}

/* Write where the text of a row ends. */
static inline int64_t end_text(Column *out, int64_t row) {
    int64_t end = out->data->size;
    int32_t narrow = (int32_t)end;
    if (out->width == (int)sizeof end) {
        memcpy(out->values->octets + (row + 1) * 8, &end, sizeof end);
        return DONE;
    }
    if (end > INT32_MAX) return TOO_LARGE; /* the caller may ask again with 8 octets */
    memcpy(out->values->octets + (row + 1) * 4, &narrow, sizeof narrow);
    return DONE;
}

uint8_t *column_room(Column *out, size_t size) {
    Block *data = out->data;
    if ((int64_t)size > data->room - data->size && !block_grow(data, (int64_t)size)) return NULL;
    return data->octets + data->size;
}

int64_t column_keep(Column *out, int64_t row, size_t size) {
    out->data->size += (int64_t)size;
    set_bit(out->validity, row);
    return end_text(out, row);
}

static inline int64_t add_text(Column *out, int64_t row, const uint8_t *text, size_t size) {
    uint8_t *room = column_room(out, size);
    if (room == NULL) return NO_MEMORY;
    memcpy(room, text, size);
    return column_keep(out, row, size);
}

/* The validity bit is 0 already, as blocks are made of zeros. */
static inline int64_t add_null(Column *out, int64_t row) {
    out->nulls++;
    return out->data == NULL ? DONE : end_text(out, row);
}

int64_t column_null(Column *out, int64_t row) { return add_null(out, row); }

int64_t column_text(Column *out, int64_t row, const uint8_t *text, size_t size) {
    return add_text(out, row, text, size);
}

int64_t column_flag(Column *out, int64_t row, int flag) {
    set_bit(out->validity, row);
    if (flag) set_bit(out->values, row);
    return DONE;
}

/* ---- Passes over a column. */

int64_t column_verdicts(const Tables *tables, uint32_t start, const Rows *rows, Column *out) {
    for (int64_t row = 0; row < rows->length; row++) {
        const uint8_t *text;
        size_t size;
        int found = rows_text(rows, row, &text, &size);
        if (found < 0) return row;
        if (found == 0) {
            out->nulls++;
            continue;
        }
        column_flag(out, row, tables_match(tables, start, text, size));
    }
    return DONE;
}

int64_t column_stops(const Tables *tables, uint32_t start, const Rows *rows, Column *out) {
    for (int64_t row = 0; row < rows->length; row++) {
        const uint8_t *text;
        size_t size;
        ptrdiff_t offset = -1;
        int found = rows_text(rows, row, &text, &size);
        if (found < 0) return row;
        if (found > 0) offset = tables_read(tables, start, text, size, NULL);
        if (offset < 0) {
            out->nulls++;
        } else {
            int64_t characters = characters_before(text, (size_t)offset);
            memcpy(out->values->octets + row * 8, &characters, sizeof characters);
            set_bit(out->validity, row);
        }
    }
    return DONE;
}

/* Find the text from the first to the last of the selected fields that are there: 1, 0 if none is,
   -1 for tables that contradict themselves. */
static inline int span(const Selection *selection, const Captures *captures, size_t size,
                       ptrdiff_t *begin, ptrdiff_t *end) {
    int found = 0;
    for (int64_t number = 0; number < selection->count; number++) {
        const ptrdiff_t *field = captures->positions + 2 * selection->fields[number];
        if (field[1] < 0) continue;
        if (!found++) *begin = field[0];
        *end = field[1];
    }
    if (!found) return 0;
    return *begin < 0 || *end < *begin || (size_t)*end > size ? -1 : 1;
}

static inline int64_t add_selected(const Selection *selection, Column *out, int64_t row,
                                   const Captures *captures, const uint8_t *text, size_t size) {
    ptrdiff_t begin = 0, end = 0;
    uint8_t value;
    int found;
    if (selection->names == NULL) {
        found = span(selection, captures, size, &begin, &end);
        if (found < 0) return INCONSISTENT_TABLES;
        return found ? add_text(out, row, text + begin, (size_t)(end - begin)) : add_null(out, row);
    }
    value = captures->values[selection->constant];
    if (value == 0) return add_null(out, row);
    if (value > selection->name_count) return INCONSISTENT_TABLES;
    return add_text(out, row, selection->names[value - 1].octets,
                    (size_t)selection->names[value - 1].size);
}

int64_t column_split(const Tables *tables, uint32_t start, const Rows *rows,
                     const Selection *selection, int64_t count, Column *out, Column *whole) {
    for (int64_t row = 0; row < rows->length; row++) {
        const uint8_t *text;
        size_t size;
        Captures captures;
        int found = rows_text(rows, row, &text, &size);
        if (found < 0) return row;
        /* Read once for all selections: a text is read, not each of its components. */
        found = found && tables_read(tables, start, text, size, &captures) < 0;
        if (found)
            set_bit(whole->validity, row);
        else
            whole->nulls++;
        for (int64_t number = 0; number < count; number++) {
            int64_t done =
                found ? add_selected(&selection[number], &out[number], row, &captures, text, size)
                      : add_null(&out[number], row);
            if (done != DONE) return done;
        }
    }
    return DONE;
}

int64_t column_patched(const Rows *rows, const uint8_t *kept, const Buffer *given, int64_t count,
                       Column *out) {
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
        done = found ? add_text(out, row, text, size) : add_null(out, row);
        if (done != DONE) return done;
    }
    return DONE;
}

int64_t column_named(const uint8_t *numbers, int width, int64_t length, const Buffer *names,
                     int64_t count, Column *out) {
    for (int64_t row = 0; row < length; row++) {
        uint32_t number = numbers[row * width];
        const Buffer *name;
        if (width == (int)sizeof number) memcpy(&number, numbers + row * width, sizeof number);
        name = (int64_t)number < count ? &names[number] : NULL;
        int64_t done = name == NULL || name->octets == NULL
                           ? add_null(out, row)
                           : add_text(out, row, name->octets, (size_t)name->size);
        if (done != DONE) return done;
    }
    return DONE;
}
