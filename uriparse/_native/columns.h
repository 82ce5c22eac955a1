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

/* 0 where memory has run out; whatever it holds then is dropped by `made_drop` as well. */
int made_bits(Made *made, int64_t rows);
int made_numbers(Made *made, int64_t rows);
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
