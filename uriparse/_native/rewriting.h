/* References rewritten: normal forms (RFC 3986 section 6.2) and targets (section 5.2).

   As tables.h and columns.h, this knows neither Python nor a grammar: what becomes of
   triplets, the numbers of the fields and the defaults of schemes come from outside. The same functions in Python
   are the reference; the tests compare them. */

#ifndef URIPARSE_REWRITING_H
#define URIPARSE_REWRITING_H

#include "columns.h"

/* The fields of a reference, in the order in which they are written. */
enum { SCHEME, USERINFO, HOST, PORT, PATH, QUERY, FRAGMENT, COMPONENTS };

/* A triplet is written in upper case, or decoded, or left as it is. */
enum { UPPER, DECODED, KEPT };

/* What of a URI its scheme allows to change, and to leave out. A port or a host without octets has no
   default; `triplets` are the scheme's own, if there are octets: what becomes of each triplet. */
typedef struct {
    Buffer scheme, port, host, triplets;
    int empty_path_is_slash, path_ends_in_domain, opaque, verbatim;
} SchemeDefaults;

typedef struct {
    uint8_t fields[COMPONENTS]; /* the tables' number of each */
    uint8_t triplets[256];      /* what becomes of the triplet of an octet */
    SchemeDefaults *defaults;
    int64_t count;
} Rewriting;

/* A component: no octets if it is absent. */
typedef struct {
    const uint8_t *octets;
    size_t size;
} Piece;

typedef struct {
    Piece of[COMPONENTS];
} Components;

/* How much longer than what it is made of a result may be: all delimiters, in case damaged tables let
   fields touch each other, "//" and "/." before the path, "/", and decimals in an IPv6 address. */
#define MORE 32

/* Find the components of a text: 1, 0 if it does not match, -1 for tables that contradict
   themselves. */
int components_of(const Rewriting *own, const Tables *tables, uint32_t start, const uint8_t *text,
                  size_t size, Components *found);

/* Write components one after the other, with their delimiters. Returns the size, at most MORE octets
   above that of all together. */
size_t composed(const Components *of, uint8_t *out);

int same_components(const Components *one, const Components *other);

/* The value of a hexadecimal digit, -1 for any other octet. */
int hexadecimal(uint8_t digit);

/* Write triplets for the octets that are not kept. Returns the size, at most three times that of the
   text. */
size_t encode(const uint8_t *kept, const uint8_t *text, size_t size, uint8_t *out);

/* How texts are rewritten: to what they mean against a base with a scheme, else to normal forms. */
typedef struct {
    const Components *base; /* NULL for normal forms */
    size_t base_size;
    int flag;          /* `strict`, or whether the defaults of the scheme count */
    const Rows *bases; /* the bases of rows, as many; NULL for one base */
} Way;

/* Rewrite a reference. Returns the size, at most MORE octets above that of the text and the base. */
size_t rewrite_to(const Rewriting *own, const Way *way, const Components *given, uint8_t *out);

/* Rewrite each text that matches, and whose base is a URI; null for the others. */
int64_t column_rewritten(const Rewriting *own, const Tables *tables, uint32_t start,
                         const Rows *rows, const Way *way, Column *out);

#endif
