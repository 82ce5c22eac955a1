/* Tagged automata: the tables that abnf2lark writes (tools/abnf2lark/tagged/format.py), at work.

   Nothing here knows Python, and nothing knows a grammar: which octets a text is made of, where its
   fields lie and what kind they are is in the tables alone. */

#ifndef URIPARSE_TABLES_H
#define URIPARSE_TABLES_H

#include <stddef.h>
#include <stdint.h>

#define TABLES_FORMAT 1
#define MOST_PLACES 32
#define MOST_CONSTANTS 8

typedef struct {
    uint8_t noted, cleared;          /* how many places are */
    uint8_t place[MOST_PLACES];      /* which: first those that are noted */
    uint8_t back;                    /* how many octets before its own they lie */
    uint8_t sets;                    /* whether it sets a constant */
    uint8_t values[MOST_CONSTANTS];  /* 0 leaves a constant, NONE clears it */
} Act;

typedef struct {
    uint32_t states, classes, acts, places, constants;
    uint8_t class_of[256];
    uint64_t *runs;   /* for each state the classes that lead back to it and do nothing */
    uint32_t *cells;  /* for each state and class the act and, below it, the next state */
    uint8_t *ends;
    Act *act;
} Tables;

/* What is told of a text: octets before each place, -1 for none; values from 1, 0 for none. */
typedef struct {
    ptrdiff_t places[MOST_PLACES];
    uint8_t values[MOST_CONSTANTS];
} Told;

/* Take tables over from octets, checked. Returns NULL, or what is wrong with them; "" where memory
   has run out. */
const char *tables_load(Tables *tables, const uint8_t *data, size_t size);
void tables_free(Tables *tables);

/* Read a text: -1 if it is one of the rule whose start is given, else the octets before the place
   where it cannot go on, or has to. `told` may be NULL. */
ptrdiff_t tables_read(const Tables *tables, uint32_t start, const uint8_t *text, size_t size,
                      Told *told);

/* Where a rule is behind a word: its start, from which on only the rest is read. -1 where no text
   begins so, or where something would be told within the word. */
int32_t tables_behind(const Tables *tables, uint32_t start, const uint8_t *word, size_t size);

#endif
