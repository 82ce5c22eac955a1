/* Columns of texts in Arrow's memory layout: read (arrow.c), judged and split (columns.c).

   Nothing here knows Python, so that Python's lock is released meanwhile. No lock is needed: input and
   tables are only read, each call writes its own blocks, and the count of a block's owners is atomic. */

#ifndef URIPARSE_COLUMNS_H
#define URIPARSE_COLUMNS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tables.h"

/* ---- Rows of texts. */

#define VIEW 16   /* octets of a view */
#define INLINE 12 /* longest text that is stored in its view */

/* Borrowed memory. */
typedef struct {
    const uint8_t *octets;
    int64_t size;
} Buffer;

/* An Arrow array of texts. */
typedef struct {
    int64_t length, offset;
    int width;       /* of an item: 4 or 8 octets for an offset into the data, VIEW for a view */
    Buffer validity; /* a bit for each text that is not null; no octets if none is null */
    Buffer items;
    Buffer *data; /* one buffer, or as many as views point into */
    int64_t data_count;
} Texts;

/* A column: texts, or keys of a dictionary of them. */
typedef struct {
    int64_t length;
    Texts texts;
    int key_width; /* 0 without a dictionary; 1, 2, 4 or 8, negative for signed keys */
    int64_t key_offset;
    Buffer key_validity;
    Buffer keys;
} Rows;

/* Return whether the buffers are large enough for the numbers. Whoever fills `Rows` vouches for the
   sizes of its buffers; everything inside them may be wrong. */
int rows_fit(const Rows *rows);

/* Read a row: 1 and its text, 0 for null, -1 if the column contradicts itself. */
int rows_text(const Rows *rows, int64_t row, const uint8_t **text, size_t *size);

/* ---- Blocks: memory with a count of its owners, which may be Python, an engine, or both. */

typedef struct Block {
    long owners; /* as the atomic functions of MSVC take it */
    int64_t size, room;
    uint8_t *octets;
} Block;

/* Make a block of zeros with one owner; NULL if memory has run out. */
Block *block_new(int64_t size);
void block_retain(Block *block);
void block_release(Block *block);

/* Make room for more octets at the end; 0 if memory has run out. */
int block_grow(Block *block, int64_t more);

/* ---- New columns. */

/* The outcome of a pass over a column; a number from 0 on is the row that contradicts its column. */
enum { DONE = -1, NO_MEMORY = -2, TOO_LARGE = -3, INCONSISTENT_TABLES = -4 };

/* A column that is being written: a validity bit for each row, and values. The values of texts are
   their begins in `data`, of `width` octets each. */
typedef struct {
    int64_t nulls;
    int width;
    Block *validity, *values, *data;
} Column;

/* What a column of texts is to hold: the text from the first to the last of these fields; or, if
   there are names, the name of a constant's value. */
typedef struct {
    int64_t count;
    uint8_t fields[MAX_POSITIONS / 2];
    const Buffer *names;
    int64_t name_count;
    uint8_t constant;
} Selection;

/* Each returns 0 if memory has run out. `column_drop` releases what has been made in any case. */
int new_bits(Column *out, int64_t rows);
int new_octets(Column *out, int64_t rows);
int new_numbers(Column *out, int64_t rows);
int new_texts(Column *out, int64_t rows, int width);
void column_drop(Column *out);

/* Write the text of a row where it is to be: first ask for room, NULL if memory has run out, then say
   how much of it the text takes, or that there is none. */
uint8_t *column_room(Column *out, size_t size);
int64_t column_keep(Column *out, int64_t row, size_t size);
int64_t column_null(Column *out, int64_t row);
int64_t column_text(Column *out, int64_t row, const uint8_t *text, size_t size);
int64_t column_flag(Column *out, int64_t row, int flag);

/* Write a bit for each text that matches. */
int64_t column_verdicts(const Tables *tables, uint32_t start, const Rows *rows, Column *out);

/* Write how many characters of each text are the begin of a matching one; null if it matches. */
int64_t column_stops(const Tables *tables, uint32_t start, const Rows *rows, Column *out);

/* Write a column for each selection, and `whole`: the rows that match. */
int64_t column_split(const Tables *tables, uint32_t start, const Rows *rows,
                     const Selection *selection, int64_t count, Column *out, Column *whole);

/* Copy the texts whose bit is set in `kept`, and replace the others,
   nulls excepted, by the given ones in turn; NULL is null. */
int64_t column_patched(const Rows *rows, const uint8_t *kept, const Buffer *given,
                       int64_t count, Column *out);

/* ---- What a policy makes of texts at first sight. */

#define NO_FIELD 0xFF
#define MAX_NAME 255    /* the longest name of a host that has a registered domain */
#define MAX_FOLDED 1023 /* the longest one whose letters are compared */
#define WORD_SIZES 32 /* sizes of words that are told apart; a power of two */

/* Words in the order of their octets; no condition if `words` is NULL. */
typedef struct {
    const Buffer *words;
    int64_t count, longest;
    uint64_t marks[WORD_SIZES]; /* by size, a bit for three octets of each word, all folded */
} Words;

/* Make a set of sorted words. Most texts that are looked up are in none: a bit tells most of them. */
void words_make(Words *words, const Buffer *sorted, int64_t count);

/* The outcome for a text: nothing or a reason, in the order of `validation.first_sight._HITS`, which is
   that of the checks. The place is the offset in characters at which the reason begins; of an undecided
   text, how many octets of it decide on the reason if they are refused by themselves, or 0. Of OPEN_HOST
   its authority decides. */
enum {
    ACCEPTED, INVALID, MISSING_TEXT, OPEN_CASE, OPEN_HOST, OTHER_SCHEME,
    UPPER_CASE_SCHEME, PASSWORD, USERINFO_NOT_ALLOWED, MISLEADING_USERINFO, NO_SERVER, HOST_TOO_LONG,
    DNS_LABEL, HOST_UNDERSCORE, IPV4_LOOKALIKE, PORT_LEFT_EMPTY, PORT_OUT_OF_RANGE, NON_DEFAULT_PORT,
    RESERVED_PORT, SMTP_PORT, UNCOMMON_PORT, ENCODED_DOT_SEGMENT, SPECIAL_NAME,
    OVERLONG, BIDI_CONTROL, ENCODED_NUL, ENCODED_LINE_BREAK, LOWER_CASE_HEX, DOUBLE_ENCODING,
    ENCODED_TRAVERSAL, DOTS_IN_QUERY, ESCAPED_HTML, EXCESS_DOT_DOT,
    SCHEME_CASE, MISSING_AUTHORITY, HAS_USERINFO, EMPTY_HOST, ENCODED_HOST, HOST_DELIMITER, HOST_DOTS,
    LABEL_HYPHEN, LONG_NAME, NUMERIC_HOST, PORT_RANGE, EMPTY_PORT, QUERY_WITHOUT_PATH,
    FRAGMENT_WITHOUT_PATH, NONLOCAL_REFERENCE,
    REQUEST_EMPTY_SEGMENT, REQUEST_DOT_SEGMENT, REQUEST_APOSTROPHE, REQUEST_TRIPLET, REQUEST_NOT_UTF8,
    REQUEST_INVISIBLE, REQUEST_FINAL_SEMICOLON, REQUEST_EMPTY_QUERY, REQUEST_EMPTY_PARAMETER,
    TOO_LONG, TOO_MANY_SEGMENTS, TOO_MANY_PARAMETERS,
    USERINFO_REFUSED, FRAGMENT_REFUSED, URI_REFUSED, SCHEME_REFUSED, HOST_REFUSED, PORT_REFUSED,
    BAD_PORT, NAME_REFUSED, ADDRESS_REFUSED,
    IPV6_HOST, IPV6_SPELLING, IPV6_OVER_TLS, OUTCOMES, /* these of IPv6 are not listed */
};

/* Sets of words: allowed schemes; allowed hosts, and after a "." allowed suffixes; allowed ports after
   "scheme:", which alone stands for none; refused ports without leading zeros; refused names, each also
   after a "."; allowed names without a dot, if others are refused; the schemes of the web; their default
   ports, as allowed ones; allowed URIs; those without their port of which any port is allowed; names of
   devices; of character references of HTML; directional controls in UTF-8. */
enum {
    SCHEMES, HOSTS, PORTS, REFUSED_PORTS, REFUSED_NAMES, LONE, AGREEING, DEFAULTS, URIS, LOOPBACKS,
    DEVICES, REFERENCES, BIDI, WORD_SETS,
};

/* What is said of a range of IPv6 addresses; the last 32 bits may be an IPv4 address that decides. */
enum { IS_ALLOWED, IS_REFUSED, IS_EMBEDDING, IS_OPEN, RANGE_SIZE = 17 };

/* What an octet of a name means. */
enum { OUTSIDE_NAME = 1, BEGINS_NUMBER = 2, RESERVED = 4, MARKED = 8 };

enum { AT_SCHEME, AT_USERINFO, AT_NAME, AT_ADDRESS, AT_PORT, AT_FRAGMENT, SIGHT_FIELDS };

#define OWN_FIELDS 7 /* those of a reference, in their order */

/* The conditions of a policy on the texts of a rule, which it accepts if no condition fails, and the
   rule of the policy, which decides about all others. The fields are those of their tables; NO_FIELD
   stands for a condition that the policy does not have. */
typedef struct {
    int64_t limits[3];    /* most characters, segments and parameters */
    int64_t longest_name; /* octets of a name, at most MAX_FOLDED */
    uint8_t fields[SIGHT_FIELDS];
    Words words[WORD_SETS];
    Buffer flips;      /* IPv4 addresses from which on others are refused, or allowed again */
    Buffer ranges;     /* IPv6 addresses, each the first of a range, and after each what is said of it */
    const Tables *own; /* the tables of the policy's rule; NULL if it is the same rule */
    uint32_t own_start;
    uint8_t own_fields[OWN_FIELDS], kinds, ipv4, ipv6; /* the constant of hosts, and two values */
    int64_t local;         /* the start of the rule for texts without a scheme; -1 if they are open */
    int64_t longest_label; /* octets */
    int judges;            /* whether `refusing` is known for URIs of the web */
    int is_plain; /* whether of a text of that rule only its destination and fragment may be refused */
    int collects;            /* whether all reasons are wanted, listed in place of the place */
    int checks_ports;        /* whether an allowed port, too, may be a reason */
    const uint8_t *refusing; /* for each outcome whether it refuses */
    const uint8_t *octets;   /* for each octet what it means in a name */
    const uint8_t *triplets; /* of each of ASCII, then so in lower case: 1 if kept in a path, 2 in a query */
    Buffer invisible;        /* characters from which on others are invisible, or visible again */
} Sight;

/* Write an outcome for each text, an octet each, and its place. If all reasons are wanted, that is a bit
   for each from UPPER_CASE_SCHEME on, or for an outcome before it, which has none, that outcome negated. */
int64_t column_sighted(const Tables *tables, uint32_t start, const Rows *rows, const Sight *sight,
                       Column *out, Column *places);

/* Write the name of each row's number, null where there is no such name or no octets. A number has
   `width` octets: 1 or 4. */
int64_t column_named(const uint8_t *numbers, int width, int64_t length, const Buffer *names,
                     int64_t count, Column *out);

/* Write the registered domain of each host by a packed list of suffixes, and a bit in `known`; without
   the bit the host itself, about which the caller decides. `suffixes_fit` says whether a list can be
   read. */
int suffixes_fit(const Buffer *list);
int64_t column_domains(const Rows *rows, const Buffer *list, Column *out, Block *known);

/* ---- The Arrow C data and stream interfaces, as their specification defines them. */

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

/* Export. Each returns 0 if memory has run out; what has been made can be released even then, at any
   time and in any thread. */
int schema_make(struct ArrowSchema *schema, const char *format, const char *name, int64_t children);
int schema_copy(struct ArrowSchema *schema, const struct ArrowSchema *from);
int array_make(struct ArrowArray *array, int64_t length, int64_t nulls, int64_t buffers,
               int64_t children);

/* Set a buffer of an array, which becomes an owner of the block. */
void array_set_buffer(struct ArrowArray *array, int64_t number, Block *block);

/* Make a stream, which takes the arrays over. */
int stream_make(struct ArrowArrayStream *stream, const struct ArrowSchema *schema,
                struct ArrowArray *arrays, int64_t count);

/* Import. */

/* The type of a column of texts: `width` as in `Texts`, 0 for a column of nulls; `key_width` as in
   `Rows`. */
typedef struct {
    int width, key_width;
} ColumnType;

/* Rows of an Arrow array, and what is owned for them; the octets belong to the array. */
typedef struct {
    Rows rows;
    Buffer *data;
    Block *nulls;
} ImportedRows;

/* Find the type of a schema; 0 if it is not one of texts, or has been released. */
int column_type(ColumnType *type, const struct ArrowSchema *schema);

/* Read an array of a type. Returns NULL, or what is wrong with it; "" if memory has run out.
   `imported_drop` is needed in any case. */
const char *import_rows(ImportedRows *imported, const ColumnType *type,
                        const struct ArrowArray *array);
void imported_drop(ImportedRows *imported);

#endif
