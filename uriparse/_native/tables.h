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

/* What a step does. Mostly it notes one place or two: those are not counted. */
typedef struct {
    uint8_t first, second;          /* places that are noted; MOST_PLACES for none */
    uint8_t back;                   /* how many octets before its own they lie */
    uint8_t noted, cleared;         /* how many more are */
    uint8_t place[MOST_PLACES];     /* which: first those that are noted */
    uint8_t kept[MOST_CONSTANTS];   /* 0xFF where a constant stays as it is, else 0 */
    uint8_t values[MOST_CONSTANTS]; /* of the others; 0 clears one */
} Act;

/* A state. */
typedef struct {
    uint64_t run;      /* the classes that lead back to it and do nothing */
    uint8_t few[16];   /* the octets of ASCII that do: bit h of few[l] for the octet 16 * h + l */
    uint8_t end;       /* the act at the end of a text; NONE where no text ends */
    uint32_t cells[];  /* for each class the act and, below it, where the next row begins */
} Row;

typedef struct {
    uint32_t states, classes, acts, places, constants;
    uint32_t stride; /* of the rows, in units that cells count by */
    int wide;        /* whether runs are read many octets at a time */
    uint8_t class_of[256];
    uint8_t known[16]; /* the octets of ASCII that have a class, as in `few` */
    uint32_t beyond;   /* all bits where others than those of ASCII have one, else 0 */
    uint8_t *rows;
    Act *act;
} Tables;

/* What is told of a text: octets before each place, -1 for none; values from 1, 0 for none. */
typedef struct {
    ptrdiff_t places[MOST_PLACES + 1]; /* one more, for acts to waste */
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

/* Tell whether a text is one of the rule, and nothing else of it: sooner told where it is none. */
int tables_match(const Tables *tables, uint32_t start, const uint8_t *text, size_t size);

/* Where a rule is behind a word: its start, from which on only the rest is read. -1 where no text
   begins so, or where a place would be noted within the word; constants that are told there are not. */
int32_t tables_behind(const Tables *tables, uint32_t start, const uint8_t *word, size_t size);

/* The characters of UTF-8 that are complete before an offset. */
int64_t characters_before(const uint8_t *text, size_t offset);

#endif
