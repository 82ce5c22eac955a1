/* The Arrow C data and stream interfaces, as their specification lays them out, and how blocks are
   handed over by them. Nothing here knows Python: whoever takes an array may drop it at any time, in
   any thread. */

#ifndef URIPARSE_ARROW_H
#define URIPARSE_ARROW_H

#include "rows.h"

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

#endif
