#ifndef URIPARSE_COLUMNS_H
#define URIPARSE_COLUMNS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tables.h"

/* Columns of texts as Arrow lays them out, and the memory that new columns are written into.

   Nothing here knows Python, so that it runs without its lock. Whoever makes `Rows` answers for the
   sizes of its buffers; that each row lies within them is looked at here. */

#define VIEW 16   /* octets of a view */
#define INLINE 12 /* octets of a text that stands in its view */

typedef struct {
    const uint8_t *octets;
    int64_t size;
} Buffer;

/* Octets, where each text of them lies, and which texts are there. */
typedef struct {
    int64_t length, offset;
    int width;       /* octets of a place: 4 or 8 for where a text begins, VIEW for a view */
    Buffer validity; /* no octets where all are there */
    Buffer places;
    Buffer *data;    /* one, or as many as views point into */
    int64_t parts;
} Texts;

/* A column: texts, or keys of a dictionary of them. */
typedef struct {
    int64_t length;
    Texts texts;
    int key_width;  /* 0 where there are no keys; 1, 2, 4 or 8, below 0 for signed ones */
    int64_t key_offset;
    Buffer key_validity;
    Buffer keys;
} Rows;

/* Whether the buffers are as large as the numbers ask for. */
int rows_fit(const Rows *rows);

/* A row: 1 and its text, 0 for a null, -1 where the column contradicts itself. */
int rows_text(const Rows *rows, int64_t row, const uint8_t **text, size_t *size);

/* Memory with a count of those who hold it: it outlives what Python knows of it. */
typedef struct Block {
    int holders;
    int64_t size, room;
    uint8_t *octets;
} Block;

/* NULL where memory has run out; else of that size, filled with zeros, held once. */
Block *block_new(int64_t size);
void block_hold(Block *block);
void block_drop(Block *block);

/* Make room for more octets behind those that are there; 0 where memory has run out. */
int block_grow(Block *block, int64_t more);

/* What is made of columns of texts, row by row. Nothing here knows Python. */

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

/* Columns of views: what Polars holds texts as, and no other engine has to be given. */

/* The octets that the views of all columns of one split point into. */
typedef struct {
    Block **blocks;
    int64_t count;
    uint32_t users; /* a bit for each column that points into them */
} Kept;

void kept_drop(Kept *kept);

/* Where fields lie: a column of views for each that is wanted, and one of which rows are texts of the
   rule. The octets of a row are kept once, whatever points into them. */
int64_t column_views(const Tables *tables, uint32_t start, const Rows *rows, const Wanted *wanted,
                     int64_t count, Made *made, Made *whole, Kept *kept);

/* The Arrow C data and stream interfaces, as their specification lays them out, and how blocks are
   handed over by them. Nothing here knows Python: whoever takes an array may drop it at any time, in
   any thread. */

#define ARROW_FLAG_NULLABLE 2

struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

/* What is made here can be released at any time, finished or not; 0 where memory has run out. */
int schema_make(struct ArrowSchema *schema, const char *format, const char *name, int64_t children);
int schema_copy(struct ArrowSchema *schema, const struct ArrowSchema *from);
int array_make(struct ArrowArray *array, int64_t length, int64_t nulls, int64_t buffers,
               int64_t children);
void array_hold(struct ArrowArray *array, int64_t number, Block *block);

/* A stream of arrays, which it takes over; 0 where memory has run out. */
int stream_make(struct ArrowArrayStream *stream, const struct ArrowSchema *schema,
                struct ArrowArray *arrays, int64_t count);

/* Columns of texts as the Arrow C data interface gives them, held to what their types say; the same
   as `uriparse.arrow.judging`, for those that do not come by Python. */

/* The type of a column of texts: `width` as in `Texts`, 0 where all is null; `key_width` as in `Rows`. */
typedef struct {
    int width, key_width;
} Kind;

/* Rows, and what is held for them; their octets stay with the array. */
typedef struct {
    Rows rows;
    Buffer *data;
    Block *nothing;
} Taken;

/* 0 for a type of no texts, and for one that has been released. */
int kind_of(Kind *kind, const struct ArrowSchema *schema);

/* The values of a type in an Arrow array: NULL, or what is wrong with them; "" where memory has run
   out. Whatever is held then is dropped by `taken_drop` as well. */
const char *take_rows(Taken *taken, const Kind *kind, const struct ArrowArray *array);
void taken_drop(Taken *taken);

#define ORDER_FORMAT 1

#endif
