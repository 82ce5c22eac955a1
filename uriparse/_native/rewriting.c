#include "rewriting.h"

#include <string.h>

int components_of(const Rewriting *own, const Tables *tables, uint32_t start, const uint8_t *text,
                  size_t size, Components *found) {
    Captures captures;
    ptrdiff_t before = 0;
    if (tables_read(tables, start, text, size, &captures) >= 0) return 0;
    for (int number = 0; number < COMPONENTS; number++) {
        const ptrdiff_t *ends = captures.positions + 2 * own->fields[number];
        if (ends[1] < 0) {
            found->of[number] = (Piece){NULL, 0};
            continue;
        }
        /* One after the other, so that all together are no longer than the text. */
        if (ends[0] < before || ends[1] < ends[0] || (size_t)ends[1] > size) return -1;
        found->of[number] = (Piece){text + ends[0], (size_t)(ends[1] - ends[0])};
        before = ends[1];
    }
    return 1;
}

static inline int is_there(const Piece *piece) { return piece->octets != NULL; }

int hexadecimal(uint8_t digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    digit &= 0xDF; /* upper case */
    return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

/* ---- Writing. Each function returns where the next octet goes. */

static inline uint8_t lower(uint8_t octet) {
    return octet >= 'A' && octet <= 'Z' ? octet + ('a' - 'A') : octet;
}

static uint8_t *copy(uint8_t *out, const uint8_t *octets, size_t size) {
    if (size) memcpy(out, octets, size);
    return out + size;
}

static uint8_t *lower_case(uint8_t *out, const Piece *piece) {
    for (size_t at = 0; at < piece->size; at++) *out++ = lower(piece->octets[at]);
    return out;
}

static inline uint8_t upper(uint8_t digit) { return digit >= 'a' ? digit & 0xDF : digit; }

/* Write triplets as it is told, and letters beside them in lower case if `lowered`. Where triplets are
   not kept, a component has complete ones only; the bound is for tables that are damaged. */
static uint8_t *fold(const uint8_t *triplets, const uint8_t *text, size_t size, int lowered,
                     uint8_t *out) {
    for (size_t at = 0; at < size; at++) {
        uint8_t octet = text[at];
        if (octet == '%' && size - at > 2) {
            uint8_t high = text[at + 1], low = text[at + 2];
            at += 2;
            octet = (uint8_t)(16 * hexadecimal(high) + hexadecimal(low));
            if (triplets[octet] != DECODED) {
                int kept = triplets[octet] == KEPT;
                *out++ = '%';
                *out++ = kept ? high : upper(high);
                *out++ = kept ? low : upper(low);
                continue;
            }
        }
        *out++ = lowered ? lower(octet) : octet;
    }
    return out;
}

/* How many octets a dot segment has, 0 for any other segment. */
static inline size_t dots(const uint8_t *segment, size_t size) {
    if (size == 0 || size > 2 || segment[0] != '.' || segment[size - 1] != '.') return 0;
    return size;
}

static size_t segment_end(const uint8_t *path, size_t size, size_t begin) {
    const uint8_t *slash = begin < size ? memchr(path + begin, '/', size - begin) : NULL;
    return slash == NULL ? size : (size_t)(slash - path);
}

/* Fold a path that is relative to a base: a segment that becomes a dot segment keeps its first dot
   encoded, since resolution would remove it. */
static uint8_t *fold_relative(const Rewriting *own, const Piece *path, uint8_t *out) {
    for (size_t begin = 0, end; begin <= path->size; begin = end + 1) {
        uint8_t *segment = out;
        end = segment_end(path->octets, path->size, begin);
        out = fold(own->triplets, path->octets + begin, end - begin, 0, out);
        if (dots(segment, (size_t)(out - segment)) && (size_t)(out - segment) != end - begin) {
            size_t others = (size_t)(out - segment) - 1;
            out = copy(segment, (const uint8_t *)"%2E", 3);
            if (others) *out++ = '.';
        }
        if (end < path->size) *out++ = '/';
    }
    return out;
}

/* Remove the dot segments of a path in place (section 5.2.4), and return its new size. `count` is the
   number of segments that have been kept; while it is 0, dot segments have no effect. */
static size_t remove_dots(uint8_t *path, size_t size) {
    size_t written = 0, count = 0, end = 0, last = 0;
    for (size_t begin = 0; begin <= size; begin = end + 1) {
        end = segment_end(path, size, begin);
        last = dots(path + begin, end - begin);
        if (last == 2 && count > 1) {
            do written--;
            while (path[written] != '/');
            count--;
        } else if (last == 2) {
            written = 0; /* of one segment nothing but its "/" stays */
        } else if (last == 0) {
            if (count++) path[written++] = '/';
            memmove(path + written, path + begin, end - begin);
            written += end - begin;
        }
    }
    /* A dot segment at the end leaves its "/", unless it was the only segment. */
    if (last && count && size > last) path[written++] = '/';
    return written;
}

/* Put two octets before a path. */
static uint8_t *prefixed(uint8_t *path, uint8_t *end, const char *prefix) {
    memmove(path + 2, path, (size_t)(end - path));
    memcpy(path, prefix, 2);
    return end + 2;
}

/* A path after a scheme without an authority: "//" at its begin would be read as one. */
static uint8_t *guarded(uint8_t *path, uint8_t *end) {
    return end - path > 1 && path[0] == '/' && path[1] == '/' ? prefixed(path, end, "/.") : end;
}

/* A component as it is, or with its triplets folded, if there are `triplets`. */
static uint8_t *written(uint8_t *out, const Piece *piece, const uint8_t *triplets) {
    if (triplets == NULL) return copy(out, piece->octets, piece->size);
    return fold(triplets, piece->octets, piece->size, 0, out);
}

/* The same after the mark before it, if it is there. */
static uint8_t *add(uint8_t *out, char mark, const Piece *piece, const uint8_t *triplets) {
    if (!is_there(piece)) return out;
    *out++ = (uint8_t)mark;
    return written(out, piece, triplets);
}

static uint8_t *add_userinfo(uint8_t *out, const Piece *userinfo, const uint8_t *triplets) {
    if (!is_there(userinfo)) return out;
    out = written(out, userinfo, triplets);
    *out++ = '@';
    return out;
}

/* ---- Normal forms. */

static int same_scheme(const Piece *one, const Piece *other) {
    if (one->size != other->size) return 0;
    for (size_t at = 0; at < one->size; at++)
        if (lower(one->octets[at]) != lower(other->octets[at])) return 0;
    return 1;
}

/* What is known of a scheme, which may be absent; never NULL. */
static const SchemeDefaults *defaults_of(const Rewriting *own, const Piece *scheme) {
    static const SchemeDefaults GENERIC;
    for (int64_t number = 0; is_there(scheme) && number < own->count; number++) {
        const Buffer *name = &own->defaults[number].scheme;
        if (same_scheme(&(Piece){name->octets, (size_t)name->size}, scheme))
            return &own->defaults[number];
    }
    return &GENERIC;
}

static inline int is_buffer(const Buffer *buffer, const uint8_t *text, size_t size) {
    return buffer->octets != NULL && (size_t)buffer->size == size &&
           memcmp(buffer->octets, text, size) == 0;
}

/* Whether a port may be left out: an empty one always, another if it is the default. */
static int is_superfluous(const SchemeDefaults *defaults, const Piece *port) {
    size_t zeros = 0;
    if (port->size == 0) return 1;
    while (zeros < port->size && port->octets[zeros] == '0') zeros++;
    return is_buffer(&defaults->port, port->octets + zeros, port->size - zeros);
}

/* Write the domains of a list of mailboxes in lower case. The last "@" begins a domain; triplets are
   in upper case and stay so. */
static void lower_domains(uint8_t *path, const uint8_t *end) {
    while (path < end) {
        const uint8_t *comma = memchr(path, ',', (size_t)(end - path));
        uint8_t *domain = NULL, *stop = path + ((comma == NULL ? end : comma) - path);
        for (; path < stop; path++)
            if (*path == '@') domain = path;
        for (; domain != NULL && domain < stop; domain++) {
            if (*domain == '%')
                domain += 2;
            else
                *domain = lower(*domain);
        }
        path = stop + 1;
    }
}

static uint8_t *write_number(uint8_t *out, unsigned number, unsigned base) {
    if (number >= base) out = write_number(out, number / base, base);
    *out++ = (uint8_t)"0123456789abcdef"[number % base];
    return out;
}

/* Write an IPv6 address, from its "[" up to `end`, in the form of RFC 5952; it is valid. */
static uint8_t *shortest(uint8_t *begin, const uint8_t *end) {
    static const unsigned MIXED[][6] = {
        {0, 0, 0, 0, 0, 0xFFFF}, {0, 0, 0, 0, 0xFFFF, 0}, {0x64, 0xFF9B, 0, 0, 0, 0}};
    unsigned pieces[8] = {0}, value = 0, dots = 0;
    int count = 0, gap = 8, best = 8, most = 1, is_mixed = 0;
    uint8_t *out = begin + 1;
    for (const uint8_t *at = begin + 1; at < end && count < 8; at++) {
        int digit = hexadecimal(*at);
        if (digit >= 0) {
            value = (value << 4 | (unsigned)digit) & 0xFFFF;
            continue;
        }
        if (*at == '.' || dots) { /* the digits were decimal ones */
            value = 100 * (value >> 8) + 10 * (value >> 4 & 0xF) + (value & 0xF);
            pieces[count] = pieces[count] << 8 | value;
            count += dots++ & 1;
        } else if (at[-1] == ':') {
            gap = count;
        } else if (at[-1] != '[') {
            pieces[count++] = value;
        }
        value = 0;
    }
    for (int at = 7, from = count - 1; at >= gap; at--, from--)
        pieces[at] = from >= gap ? pieces[from] : 0;
    for (int kind = 0; kind < 3; kind++)
        is_mixed |= memcmp(MIXED[kind], pieces, sizeof MIXED[kind]) == 0;
    for (int at = 0, zeros = 0; at < (is_mixed ? 6 : 8); at++) {
        zeros = pieces[at] ? 0 : zeros + 1;
        if (zeros > most) most = zeros, best = at + 1 - zeros;
    }
    for (int at = 0; at < 8; at++) {
        if (at == best) {
            out = copy(out, (const uint8_t *)"::", 2);
            at += most - 1;
            continue;
        }
        if (at && out[-1] != ':') *out++ = is_mixed && at == 7 ? '.' : ':';
        if (is_mixed && at >= 6) {
            out = write_number(out, pieces[at] >> 8 & 0xFF, 10);
            *out++ = '.';
        }
        out = write_number(out, pieces[at] & (is_mixed && at >= 6 ? 0xFF : 0xFFFF),
                           is_mixed && at >= 6 ? 10 : 16);
    }
    *out++ = ']';
    return out;
}

static uint8_t *normal_authority(const Components *reference, const uint8_t *triplets,
                                 int by_scheme, const SchemeDefaults *defaults, uint8_t *out) {
    const Piece *userinfo = &reference->of[USERINFO], *host = &reference->of[HOST];
    const Piece *port = &reference->of[PORT];
    int has_port = is_there(port) && !(by_scheme && is_superfluous(defaults, port));
    uint8_t *begin;
    out = copy(out, (const uint8_t *)"//", 2);
    begin = out = add_userinfo(out, userinfo, triplets);
    out = fold(triplets, host->octets, host->size, 1, out);
    if (by_scheme && out - begin > 3 && *begin == '[' && begin[1] != 'v')
        out = shortest(begin, out);
    if (by_scheme && !is_there(userinfo) && !has_port &&
        is_buffer(&defaults->host, begin, (size_t)(out - begin)))
        out = begin;
    return has_port ? add(out, ':', port, NULL) : out;
}

/* Write the path of a URI. That of a scheme with a default host never begins with "//". */
static uint8_t *normal_path(const Components *uri, const uint8_t *triplets, int by_scheme,
                            const SchemeDefaults *defaults, uint8_t *path) {
    int has_host = is_there(&uri->of[HOST]), has_default = defaults->host.octets != NULL;
    uint8_t *end = fold(triplets, uri->of[PATH].octets, uri->of[PATH].size, 0, path);
    if (!defaults->opaque) end = path + remove_dots(path, (size_t)(end - path));
    if (!has_host || has_default) end = guarded(path, end);
    if (!by_scheme) return end;
    if (has_host && end == path && defaults->empty_path_is_slash) *end++ = '/';
    if (!has_host && defaults->path_ends_in_domain) lower_domains(path, end);
    if (!has_host && has_default && end > path && *path == '/')
        return prefixed(path, end, "//"); /* an empty host, which means the default one */
    return end;
}

static size_t normal_form(const Rewriting *own, const Components *reference, int by_scheme,
                          uint8_t *out) {
    const Piece *scheme = &reference->of[SCHEME];
    const SchemeDefaults *defaults = defaults_of(own, scheme);
    const uint8_t *triplets =
        defaults->triplets.octets == NULL ? own->triplets : defaults->triplets.octets;
    uint8_t *at = out;
    if (defaults->verbatim) return composed(reference, out);
    if (is_there(scheme)) {
        at = lower_case(at, scheme);
        *at++ = ':';
    }
    if (is_there(&reference->of[HOST]))
        at = normal_authority(reference, triplets, by_scheme, defaults, at);
    at = is_there(scheme) ? normal_path(reference, triplets, by_scheme, defaults, at)
                          : fold_relative(own, &reference->of[PATH], at);
    at = add(at, '?', &reference->of[QUERY], triplets);
    at = add(at, '#', &reference->of[FRAGMENT], triplets);
    return (size_t)(at - out);
}

/* ---- Targets. */

static uint8_t *add_authority(uint8_t *out, const Components *from) {
    if (!is_there(&from->of[HOST])) return out;
    out = copy(out, (const uint8_t *)"//", 2);
    out = add_userinfo(out, &from->of[USERINFO], NULL);
    out = written(out, &from->of[HOST], NULL);
    return add(out, ':', &from->of[PORT], NULL);
}

/* Write the path of a base up to its last "/", before the path of a reference (section 5.2.3). */
static uint8_t *add_directory(uint8_t *out, const Components *base) {
    const Piece *path = &base->of[PATH];
    size_t size = path->size;
    if (is_there(&base->of[HOST]) && size == 0) {
        *out++ = '/';
        return out;
    }
    while (size > 0 && path->octets[size - 1] != '/') size--;
    return copy(out, path->octets, size);
}

static size_t target_of(const Rewriting *own, const Components *base,
                        const Components *reference, int strict, uint8_t *out) {
    const Piece *scheme = &reference->of[SCHEME], *path = &reference->of[PATH];
    const Piece *query = &reference->of[QUERY];
    const Components *authority = reference;
    uint8_t *at, *begin;
    int is_absolute =
        is_there(scheme) && (strict || !same_scheme(scheme, &base->of[SCHEME]));
    if (!is_absolute) {
        scheme = &base->of[SCHEME];
        if (!is_there(&reference->of[HOST])) authority = base;
    }
    at = copy(out, scheme->octets, scheme->size);
    *at++ = ':';
    at = begin = add_authority(at, authority);
    if (!is_absolute && authority == base && path->size == 0) {
        at = copy(at, base->of[PATH].octets, base->of[PATH].size); /* as it is written */
        if (!is_there(query)) query = &base->of[QUERY];
    } else {
        if (!is_absolute && authority == base && path->octets[0] != '/')
            at = add_directory(at, base);
        at = copy(at, path->octets, path->size);
        if (!is_absolute || !defaults_of(own, scheme)->opaque)
            at = begin + remove_dots(begin, (size_t)(at - begin));
    }
    if (!is_there(&authority->of[HOST])) at = guarded(begin, at);
    at = add(add(at, '?', query, NULL), '#', &reference->of[FRAGMENT], NULL);
    return (size_t)(at - out);
}

/* ---- Components. */

size_t composed(const Components *of, uint8_t *out) {
    uint8_t *at = out;
    if (is_there(&of->of[SCHEME])) {
        at = copy(at, of->of[SCHEME].octets, of->of[SCHEME].size);
        *at++ = ':';
    }
    at = add_authority(at, of);
    at = copy(at, of->of[PATH].octets, of->of[PATH].size);
    at = add(add(at, '?', &of->of[QUERY], NULL), '#', &of->of[FRAGMENT], NULL);
    return (size_t)(at - out);
}

int same_components(const Components *one, const Components *other) {
    for (int number = 0; number < COMPONENTS; number++) {
        const Piece *a = &one->of[number], *b = &other->of[number];
        if (is_there(a) != is_there(b) || a->size != b->size ||
            (a->size && memcmp(a->octets, b->octets, a->size) != 0))
            return 0;
    }
    return 1;
}

/* ---- Data. */

size_t encode(const uint8_t *kept, const uint8_t *text, size_t size, uint8_t *out) {
    static const char DIGITS[] = "0123456789ABCDEF";
    uint8_t *end = out;
    for (size_t at = 0; at < size; at++) {
        if (kept[text[at]]) {
            *end++ = text[at];
            continue;
        }
        *end++ = '%';
        *end++ = (uint8_t)DIGITS[text[at] >> 4];
        *end++ = (uint8_t)DIGITS[text[at] & 0xF];
    }
    return (size_t)(end - out);
}

/* ---- Either way, and columns. */

size_t rewrite_to(const Rewriting *own, const Way *way, const Components *given, uint8_t *out) {
    return way->base ? target_of(own, way->base, given, way->flag, out)
                     : normal_form(own, given, way->flag, out);
}

int64_t column_rewritten(const Rewriting *own, const Tables *tables, uint32_t start,
                         const Rows *rows, const Way *way, Column *out) {
    Way each = *way;
    Components of_base;
    if (way->bases != NULL) each.base = &of_base;
    for (int64_t row = 0; row < rows->length; row++) {
        const uint8_t *text, *base;
        size_t size;
        Components components;
        int64_t done = DONE;
        int found = rows_text(rows, row, &text, &size);
        if (found > 0 && way->bases != NULL) found = rows_text(way->bases, row, &base, &each.base_size);
        if (found < 0) return row;
        if (found && way->bases != NULL) {
            found = components_of(own, tables, start, base, each.base_size, &of_base);
            if (found > 0) found = is_there(&of_base.of[SCHEME]);
        }
        if (found > 0) found = components_of(own, tables, start, text, size, &components);
        if (found < 0) return INCONSISTENT_TABLES;
        if (found) {
            uint8_t *room = column_room(out, each.base_size + size + MORE);
            if (room == NULL) return NO_MEMORY;
            done = column_keep(out, row, rewrite_to(own, &each, &components, room));
        } else {
            done = column_null(out, row);
        }
        if (done != DONE) return done;
    }
    return DONE;
}
