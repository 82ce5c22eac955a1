/* What is to be made of columns, in octets that travel with an expression to wherever it is run: they
   are written by `uriparse.arrow.reading`. Nothing here knows Python. */

#ifndef URIPARSE_ORDER_H
#define URIPARSE_ORDER_H

#include "columns.h"

#define ORDER_FORMAT 1
#define MOST_COLUMNS 16
#define MOST_NAMES 32
#define LONGEST_NAME 31

typedef struct {
    uint32_t start;
    int64_t count; /* of columns that are wanted of a text */
    Wanted wanted[MOST_COLUMNS];
    char names[MOST_COLUMNS][LONGEST_NAME + 1]; /* of these columns */
    Buffer constants[MOST_NAMES];               /* what `wanted` points into */
    Buffer octets;                              /* of the tables */
    Tables tables;                              /* empty until they are loaded */
} Order;

/* From the arguments that Polars hands on: a dictionary of one entry, "order", as Python pickles it.
   NULL, or what is wrong; nothing is to be dropped. */
const char *order_read(Order *order, const uint8_t *pickled, size_t size);

/* Take its tables over, checked; "" where memory has run out. */
const char *order_load(Order *order);
void order_drop(Order *order);

#endif
