/* Tagged automata, executed: the tables that abnf2lark writes (tools/abnf2lark/tagged/format.py).

   This file knows neither Python nor a grammar. The tables alone say which octets a text may have,
   where its fields begin and end, and of which kind they are. */

#ifndef URIPARSE_TABLES_H
#define URIPARSE_TABLES_H

#include <stddef.h>
#include <stdint.h>

#define TABLES_FORMAT 1
#define MAX_POSITIONS 32
#define MAX_CONSTANTS 8

/* What a step records. Most actions set one or two positions; these have members of their own, so
   that the common case runs without a loop. */
typedef struct {
    uint8_t first, second;           /* the first two positions to set; MAX_POSITIONS for none */
    uint8_t back;                    /* how many octets before the current one they are */
    uint8_t more, cleared;           /* how many further positions are set, and cleared */
    uint8_t position[MAX_POSITIONS]; /* these positions: first the set ones */
    uint8_t keep[MAX_CONSTANTS];     /* 0xFF where a constant stays unchanged, else 0 */
    uint8_t values[MAX_CONSTANTS];   /* the new values of the others; 0 clears one */
} Action;

/* A state. Its cells follow it in memory, so that a step mostly stays within one cache line. */
typedef struct {
    uint64_t loops;         /* a bit for each class that leads back here without an action */
    uint64_t skipped;       /* the same, and the class of `escape` */
    uint8_t loop_ascii[16]; /* the ASCII octets in `loops`: bit h of [l] for octet 16 * h + l */
    uint8_t digits[16];     /* with any two of these after it, `escape` leads back here */
    uint8_t escape;         /* an ASCII octet such as "%"; 0xFF for none */
    uint8_t end;            /* the action at the end of a text; 0xFF if no text ends here */
    uint32_t cells[];       /* by class: the action (8 bits), then where the next row begins */
} Row;

typedef struct {
    uint32_t states, classes, actions, positions, constants;
    uint32_t stride; /* the size of a row, in the units of cells */
    int simd;        /* whether the processor can skip loops many octets at a time */
    uint8_t class_of[256];
    uint8_t ascii_alphabet[16]; /* the ASCII octets that have a class, as in `loop_ascii` */
    uint32_t above_ascii;       /* all bits set if any octet above ASCII has a class, else 0 */
    uint8_t *rows;
    Action *action;
} Tables;

/* What is known of a matching text: an offset for each position, -1 for none; the value of each
   constant from 1, 0 for none. Field n has the positions 2n (begin) and 2n + 1 (end). */
typedef struct {
    ptrdiff_t positions[MAX_POSITIONS + 1]; /* the extra one is written by actions that set fewer */
    uint8_t values[MAX_CONSTANTS];
} Captures;

/* Check tables and load them. Returns NULL, or what is wrong; "" if memory has run out. */
const char *tables_load(Tables *tables, const uint8_t *data, size_t size);
void tables_free(Tables *tables);

/* Read a text from the start state of a rule. Returns -1 if it matches, else the length in octets
   of the longest prefix that some matching text has. `captures` may be NULL. */
ptrdiff_t tables_read(const Tables *tables, uint32_t start, const uint8_t *text, size_t size,
                      Captures *captures);

/* Return whether a text matches. Rejects faster than `tables_read`, which must find the offset. */
int tables_match(const Tables *tables, uint32_t start, const uint8_t *text, size_t size);

/* Return the state after a prefix, from which only the rest is read. -1 if no text begins with it,
   or if a position would be set inside it; constants that are set inside it are dropped. */
int32_t tables_after(const Tables *tables, uint32_t start, const uint8_t *prefix, size_t size);

/* Count the UTF-8 characters that are complete before an offset. */
int64_t characters_before(const uint8_t *text, size_t offset);

#endif
