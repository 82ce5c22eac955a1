/* Columns of views: what Polars holds texts as, and no other engine has to be given. */

#ifndef URIPARSE_VIEWS_H
#define URIPARSE_VIEWS_H

#include "columns.h"

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

#endif
