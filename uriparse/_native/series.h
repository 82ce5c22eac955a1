/* Series as Polars hands them to functions of its plugins and takes them back (version 0.1, of the
   crate polars-ffi): the arrays of a column, and its type. Nothing here knows Python. */

#ifndef URIPARSE_SERIES_H
#define URIPARSE_SERIES_H

#include "arrow.h"

struct Series {
    struct ArrowSchema *schema;
    struct ArrowArray **arrays;
    size_t length;
    void (*release)(struct Series *); /* lets go of all but what the arrays hold */
    void *private_data;               /* NULL for a series that there is none of */
};

/* Make a series of so many arrays, whose schema and arrays are all zeros yet; 0 where memory has run
   out. */
int series_make(struct Series *series, size_t arrays);

/* Let go of a series and of its arrays: one that was handed in, or that is not handed out. */
void series_drop(struct Series *series);

#endif
