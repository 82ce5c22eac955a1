/* What is made of columns of texts, row by row. Nothing here knows Python. */

#ifndef URIPARSE_COLUMNS_H
#define URIPARSE_COLUMNS_H

#include "rows.h"
#include "tables.h"

/* How a column was gone through; a number from 0 on is that of a row that contradicts the column. */
enum { DONE = -1, NO_MEMORY = -2, NO_ROOM = -3, WRONG_TABLES = -4 };

/* A column under way: which rows are there, a bit each, and their values. Of texts the values are
   where they begin, in `width` octets each, and `data` holds them. */
typedef struct {
    int64_t nulls;
    int width;
    Block *validity, *values, *data;
} Made;

/* What a column of texts is made of: the fields that it goes from and to, of those that are there;
   or, with names, that of a constant. */
typedef struct {
    int64_t count;
    uint8_t fields[MOST_PLACES / 2];
    const Buffer *names;
    int64_t named;
    uint8_t constant;
} Wanted;

static inline void set_bit(Block *block, int64_t at) {
    block->octets[at >> 3] |= (uint8_t)(1 << (at & 7));
}

/* The span from the first of some fields to the last, of those that are there: 1, 0 for none, -1
   where the tables tell what no text can have. */
static inline int span(const Wanted *wanted, const Told *told, size_t size, ptrdiff_t *begin,
                       ptrdiff_t *end) {
    int found = 0;
    for (int64_t number = 0; number < wanted->count; number++) {
        const ptrdiff_t *places = told->places + 2 * wanted->fields[number];
        if (places[1] < 0) continue;
        if (!found++) *begin = places[0];
        *end = places[1];
    }
    if (!found) return 0;
    return *begin < 0 || *end < *begin || (size_t)*end > size ? -1 : 1;
}

/* 0 where memory has run out; whatever it holds then is dropped by `made_drop` as well. */
int made_bits(Made *made, int64_t rows);
int made_numbers(Made *made, int64_t rows);
int made_views(Made *made, int64_t rows);
int made_texts(Made *made, int64_t rows, int width);
void made_drop(Made *made);

/* A bit for each text that is one of the rule. */
int64_t column_verdicts(const Tables *tables, uint32_t start, const Rows *rows, Made *made);

/* The characters before the place where a text cannot go on; null for those of the rule. */
int64_t column_stops(const Tables *tables, uint32_t start, const Rows *rows, Made *made);

/* Where fields lie: a column for each that is wanted, and one of which rows are texts of the rule. */
int64_t column_split(const Tables *tables, uint32_t start, const Rows *rows, const Wanted *wanted,
                     int64_t count, Made *made, Made *whole);

/* The texts whose bit is set in `kept`; in the place of the others, as far as they are no nulls, what
   is given for them in turn, where NULL is null. */
int64_t column_patched(const Rows *rows, const uint8_t *kept, const Buffer *given, int64_t count,
                       Made *made);

/* The characters of UTF-8 that are complete before an offset. */
int64_t characters_before(const uint8_t *text, size_t offset);

#endif
