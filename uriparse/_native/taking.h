/* Columns of texts as the Arrow C data interface gives them, held to what their types say; the same
   as `uriparse.arrow.importing`, for those that do not come by Python. */

#ifndef URIPARSE_TAKING_H
#define URIPARSE_TAKING_H

#include "arrow.h"

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

#endif
