/* Columns of texts as Arrow lays them out, and the memory that new columns are written into.

   Nothing here knows Python, so that it runs without its lock. Whoever makes `Rows` answers for the
   sizes of its buffers; that each row lies within them is looked at here. */

#ifndef URIPARSE_ROWS_H
#define URIPARSE_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

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

#endif
