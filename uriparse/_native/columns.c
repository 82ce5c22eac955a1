#include "columns.h"

#include <string.h>

/* ---- Writing values. */

static int64_t octets_of_bits(int64_t bits) { return (bits >> 3) + ((bits & 7) != 0); }

static int new_column(Column *out, int64_t rows, int64_t values) {
    memset(out, 0, sizeof *out);
    out->validity = block_new(octets_of_bits(rows));
    out->values = block_new(values);
    return out->validity != NULL && out->values != NULL;
}

int new_bits(Column *out, int64_t rows) { return new_column(out, rows, octets_of_bits(rows)); }

int new_octets(Column *out, int64_t rows) { return new_column(out, rows, rows); }

int new_numbers(Column *out, int64_t rows) {
    return new_column(out, rows, rows * (int64_t)sizeof(int64_t));
}

int new_texts(Column *out, int64_t rows, int width) {
    /* One offset more than rows: the end of each text is the begin of the next. */
    if (!new_column(out, rows, (rows + 1) * width)) return 0;
    out->width = width;
    out->data = block_new(0);
    return out->data != NULL;
}

void column_drop(Column *out) {
    block_release(out->validity);
    block_release(out->values);
    block_release(out->data);
    memset(out, 0, sizeof *out);
}

static inline void set_bit(Block *block, int64_t at) {
    block->octets[at >> 3] |= (uint8_t)(1 << (at & 7));
}

/* Write where the text of a row ends. */
static inline int64_t end_text(Column *out, int64_t row) {
    int64_t end = out->data->size;
    int32_t narrow = (int32_t)end;
    if (out->width == (int)sizeof end) {
        memcpy(out->values->octets + (row + 1) * 8, &end, sizeof end);
        return DONE;
    }
    if (end > INT32_MAX) return TOO_LARGE; /* the caller may ask again with 8 octets */
    memcpy(out->values->octets + (row + 1) * 4, &narrow, sizeof narrow);
    return DONE;
}

uint8_t *column_room(Column *out, size_t size) {
    Block *data = out->data;
    if ((int64_t)size > data->room - data->size && !block_grow(data, (int64_t)size)) return NULL;
    return data->octets + data->size;
}

int64_t column_keep(Column *out, int64_t row, size_t size) {
    out->data->size += (int64_t)size;
    set_bit(out->validity, row);
    return end_text(out, row);
}

static inline int64_t add_text(Column *out, int64_t row, const uint8_t *text, size_t size) {
    uint8_t *room = column_room(out, size);
    if (room == NULL) return NO_MEMORY;
    memcpy(room, text, size);
    return column_keep(out, row, size);
}

/* The validity bit is 0 already, as blocks are made of zeros. */
static inline int64_t add_null(Column *out, int64_t row) {
    out->nulls++;
    return out->data == NULL ? DONE : end_text(out, row);
}

int64_t column_null(Column *out, int64_t row) { return add_null(out, row); }

int64_t column_text(Column *out, int64_t row, const uint8_t *text, size_t size) {
    return add_text(out, row, text, size);
}

int64_t column_flag(Column *out, int64_t row, int flag) {
    set_bit(out->validity, row);
    if (flag) set_bit(out->values, row);
    return DONE;
}

/* ---- Passes over a column. */

int64_t column_verdicts(const Tables *tables, uint32_t start, const Rows *rows, Column *out) {
    for (int64_t row = 0; row < rows->length; row++) {
        const uint8_t *text;
        size_t size;
        int found = rows_text(rows, row, &text, &size);
        if (found < 0) return row;
        if (found == 0) {
            out->nulls++;
            continue;
        }
        column_flag(out, row, tables_match(tables, start, text, size));
    }
    return DONE;
}

int64_t column_stops(const Tables *tables, uint32_t start, const Rows *rows, Column *out) {
    for (int64_t row = 0; row < rows->length; row++) {
        const uint8_t *text;
        size_t size;
        ptrdiff_t offset = -1;
        int found = rows_text(rows, row, &text, &size);
        if (found < 0) return row;
        if (found > 0) offset = tables_read(tables, start, text, size, NULL);
        if (offset < 0) {
            out->nulls++;
        } else {
            int64_t characters = characters_before(text, (size_t)offset);
            memcpy(out->values->octets + row * 8, &characters, sizeof characters);
            set_bit(out->validity, row);
        }
    }
    return DONE;
}

/* Find the text from the first to the last of the selected fields that are there: 1, 0 if none is,
   -1 for tables that contradict themselves. */
static inline int span(const Selection *selection, const Captures *captures, size_t size,
                       ptrdiff_t *begin, ptrdiff_t *end) {
    int found = 0;
    for (int64_t number = 0; number < selection->count; number++) {
        const ptrdiff_t *field = captures->positions + 2 * selection->fields[number];
        if (field[1] < 0) continue;
        if (!found++) *begin = field[0];
        *end = field[1];
    }
    if (!found) return 0;
    return *begin < 0 || *end < *begin || (size_t)*end > size ? -1 : 1;
}

static inline int64_t add_selected(const Selection *selection, Column *out, int64_t row,
                                   const Captures *captures, const uint8_t *text, size_t size) {
    ptrdiff_t begin = 0, end = 0;
    uint8_t value;
    int found;
    if (selection->names == NULL) {
        found = span(selection, captures, size, &begin, &end);
        if (found < 0) return INCONSISTENT_TABLES;
        return found ? add_text(out, row, text + begin, (size_t)(end - begin)) : add_null(out, row);
    }
    value = captures->values[selection->constant];
    if (value == 0) return add_null(out, row);
    if (value > selection->name_count) return INCONSISTENT_TABLES;
    return add_text(out, row, selection->names[value - 1].octets,
                    (size_t)selection->names[value - 1].size);
}

int64_t column_split(const Tables *tables, uint32_t start, const Rows *rows,
                     const Selection *selection, int64_t count, Column *out, Column *whole) {
    for (int64_t row = 0; row < rows->length; row++) {
        const uint8_t *text;
        size_t size;
        Captures captures;
        int found = rows_text(rows, row, &text, &size);
        if (found < 0) return row;
        /* Read once for all selections: a text is read, not each of its components. */
        found = found && tables_read(tables, start, text, size, &captures) < 0;
        if (found)
            set_bit(whole->validity, row);
        else
            whole->nulls++;
        for (int64_t number = 0; number < count; number++) {
            int64_t done =
                found ? add_selected(&selection[number], &out[number], row, &captures, text, size)
                      : add_null(&out[number], row);
            if (done != DONE) return done;
        }
    }
    return DONE;
}

int64_t column_patched(const Rows *rows, const uint8_t *kept, const Buffer *given, int64_t count,
                       Column *out) {
    int64_t next = 0;
    for (int64_t row = 0; row < rows->length; row++) {
        const uint8_t *text;
        size_t size;
        int64_t done;
        int found = rows_text(rows, row, &text, &size);
        if (found < 0) return row;
        if (found && !(kept[row >> 3] >> (row & 7) & 1)) {
            if (next == count) return row;
            text = given[next].octets;
            size = (size_t)given[next++].size;
            found = text != NULL;
        }
        done = found ? add_text(out, row, text, size) : add_null(out, row);
        if (done != DONE) return done;
    }
    return DONE;
}

/* ---- What a policy makes of texts at first sight. */

static int compare(const uint8_t *text, size_t size, const Buffer *word) {
    size_t own = (size_t)word->size, common = size < own ? size : own;
    int found = memcmp(text, word->octets, common);
    return found ? found : (size > own) - (size < own);
}

static inline uint32_t mark_bit(const uint8_t *text, size_t size) {
    return size ? UINT32_C(1) << ((7 * text[size - 1] + text[size / 2]) & 31) : 1;
}

void words_make(Words *words, const Buffer *sorted, int64_t count) {
    memset(words, 0, sizeof *words);
    words->words = sorted;
    words->count = count;
    for (int64_t number = 0; number < count; number++) {
        const Buffer *word = &sorted[number];
        words->marks[word->size % WORD_SIZES] |= mark_bit(word->octets, (size_t)word->size);
    }
}

static int contains(const Words *words, const uint8_t *text, size_t size) {
    int64_t low = 0, high = words->count;
    if (!(words->marks[size % WORD_SIZES] & mark_bit(text, size))) return 0;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        int found = compare(text, size, &words->words[middle]);
        if (found == 0) return 1;
        if (found < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

/* Find the text of a field: 1, 0 if it is absent, -1 for tables that contradict themselves. */
static inline int field_text(const Captures *captures, uint8_t field, size_t total,
                             const uint8_t *whole, const uint8_t **text, size_t *size) {
    const ptrdiff_t *ends = captures->positions + 2 * field;
    if (ends[1] < 0) return 0;
    if (ends[0] < 0 || ends[1] < ends[0] || (size_t)ends[1] > total) return -1;
    *text = whole + ends[0];
    *size = (size_t)(ends[1] - ends[0]);
    return 1;
}

/* Whether a name in lower case, or one of its suffixes from a dot on, is listed. */
static int listed(const Words *hosts, const uint8_t *name, size_t size) {
    const uint8_t *end = name + size, *dot;
    if (contains(hosts, name, size)) return 1;
    while ((dot = memchr(name + 1, '.', (size_t)(end - name - 1))) != NULL) {
        if (contains(hosts, dot, (size_t)(end - dot))) return 1;
        name = dot;
    }
    return 0;
}

#define CHUNK 16 /* octets that are folded at once */

/* Write a text of at most MAX_NAME octets in lower case; return its octets joined by "or". */
static uint8_t fold(uint8_t lower[MAX_NAME + CHUNK], const uint8_t *text, size_t size) {
    uint8_t joined = 0;
    memset(lower + size, 0, CHUNK);
    memcpy(lower, text, size);
    for (size_t begin = 0; begin < size; begin += CHUNK)
        for (size_t at = begin; at < begin + CHUNK; at++) { /* compilers make one step of it */
            joined |= lower[at];
            lower[at] |= (uint8_t)((uint8_t)(lower[at] - 'A') < 26) << 5;
        }
    return joined;
}

/* Judge a name, which is not empty, in the text of a host. */
static int sight_name(const Sight *sight, const uint8_t *name, size_t size) {
    uint8_t lower[MAX_NAME + CHUNK], high;
    const uint8_t *hyphen = name, *end = name + size;
    if ((int64_t)size > sight->longest_name) return LONG_NAME;
    /* An A-label, which begins with "xn--", has rules of its own. */
    while ((hyphen = memchr(hyphen, '-', (size_t)(end - hyphen))) != NULL)
        if (++hyphen < end && *hyphen == '-' && hyphen - name > 2 && (hyphen[-3] | 0x20) == 'x' &&
            (hyphen[-2] | 0x20) == 'n')
            return OPEN_HOST;
    high = fold(lower, name, size);
    if (high >= 0x80) return OPEN_HOST; /* above ASCII letters have other lower cases */
    if (sight->hosts.words != NULL && !listed(&sight->hosts, lower, size)) return BAD_HOST;
    if (sight->refused_names.words != NULL && listed(&sight->refused_names, lower, size))
        return BAD_NAME;
    return sight->lone.words != NULL && memchr(lower, '.', size) == NULL &&
                   !contains(&sight->lone, lower, size)
               ? BAD_NAME
               : ACCEPTED;
}

/* Judge an IPv4 address in its usual form. */
static int sight_address(const Sight *sight, const uint8_t *text, size_t size) {
    uint32_t number = 0, octet = 0, flip;
    int64_t low = 0, high = sight->flips.size / (int64_t)sizeof flip;
    if (sight->hosts.words != NULL && !listed(&sight->hosts, text, size)) return BAD_HOST;
    for (size_t at = 0; at < size; at++) {
        if (text[at] == '.') {
            number = number << 8 | octet;
            octet = 0;
        } else
            octet = 10 * octet + (uint32_t)(text[at] - '0');
    }
    number = number << 8 | octet;
    while (low < high) { /* find how many flips are not after it */
        int64_t middle = low + (high - low) / 2;
        memcpy(&flip, sight->flips.octets + middle * (int64_t)sizeof flip, sizeof flip);
        if (flip <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low & 1 ? BAD_ADDRESS : ACCEPTED;
}

#define MAX_ORIGIN 32 /* longest "scheme:port" that is compared */

static int sight_port(const Sight *sight, const uint8_t *scheme, size_t scheme_size,
                      const uint8_t *port, size_t port_size) {
    uint8_t origin[MAX_ORIGIN];
    if (sight->refused_ports.words != NULL && port != NULL &&
        contains(&sight->refused_ports, port, port_size))
        return BLOCKED_PORT;
    if (sight->ports.words == NULL) return ACCEPTED;
    if (scheme_size > MAX_ORIGIN / 2 || port_size >= MAX_ORIGIN / 2) return OPEN_CASE;
    memcpy(origin, scheme, scheme_size);
    origin[scheme_size] = ':';
    if (port_size) memcpy(origin + scheme_size + 1, port, port_size);
    return contains(&sight->ports, origin, scheme_size + 1 + port_size) ? ACCEPTED : OTHER_PORT;
}

/* Judge a text of the rule, component by component in their order; -1 for inconsistent tables. */
static int sight_text(const Sight *sight, const Captures *captures, const uint8_t *text,
                      size_t size, int64_t *place) {
    const uint8_t *scheme = text, *part = text, *port = NULL;
    size_t scheme_size = 0, part_size = 0, port_size = 0;
    int found, outcome;
    *place = 0;
    if (sight->scheme != NO_FIELD) {
        found = field_text(captures, sight->scheme, size, text, &scheme, &scheme_size);
        if (found <= 0) return found < 0 ? -1 : OPEN_CASE;
        *place = (int64_t)scheme_size + (sight->name == NO_FIELD ? 1 : 3);
        if (sight->schemes.words != NULL && !contains(&sight->schemes, scheme, scheme_size))
            return OPEN_CASE;
    }
    if (sight->userinfo != NO_FIELD &&
        (found = field_text(captures, sight->userinfo, size, text, &part, &part_size)) != 0) {
        *place = part - text;
        return found < 0 ? -1 : HAS_USERINFO;
    }
    if (sight->name != NO_FIELD) {
        found = field_text(captures, sight->name, size, text, &part, &part_size);
        if (found > 0) {
            outcome = sight_name(sight, part, part_size);
        } else if (found == 0 && (found = field_text(captures, sight->address, size, text, &part,
                                                     &part_size)) > 0) {
            outcome = sight_address(sight, part, part_size);
        } else {
            if (found == 0)
                found = field_text(captures, sight->literal, size, text, &part, &part_size);
            part_size += found > 0; /* the bracket after it */
            outcome = OPEN_HOST;
        }
        if (found < 0) return -1;
        *place = part - text + (outcome == OPEN_HOST ? (int64_t)part_size : 0);
        if (outcome != ACCEPTED) return outcome;
        *place += (int64_t)part_size; /* where a missing port is */
    }
    if (sight->port != NO_FIELD) {
        found = field_text(captures, sight->port, size, text, &port, &port_size);
        if (found < 0) return -1;
        outcome = sight_port(sight, scheme, scheme_size, port, port_size);
        if (found) *place = port - text;
        if (outcome == OPEN_CASE) *place = 0;
        if (outcome != ACCEPTED) return outcome;
    }
    if (sight->fragment == NO_FIELD ||
        (found = field_text(captures, sight->fragment, size, text, &part, &part_size)) == 0)
        return ACCEPTED;
    *place = part - text - 1;
    return found < 0 ? -1 : HAS_FRAGMENT;
}

/* Whether a text may have a name that is so long that it need not be read label by label. */
static int may_be_long(const Sight *sight, const uint8_t *text, size_t size) {
    const uint8_t *end = text + size, *slash = memchr(text, '/', size), *next;
    if (sight->longest_label == 0 || slash == NULL || end - slash - 2 <= sight->longest_name) return 0;
    next = memchr(slash + 2, '/', (size_t)(end - slash) - 2);
    return (next == NULL ? end : next) - slash - 2 > sight->longest_name;
}

/* Whether the first reason against a name of too many octets is certainly its length, or that of its
   first label. */
static int is_long_name(const Tables *tables, uint32_t start, const Sight *sight,
                        const uint8_t *text, const uint8_t *name, size_t size) {
    const uint8_t *end = name + size, *label = name, *dot;
    ptrdiff_t stop = tables_read(tables, start, text, (size_t)(name - text) + 1, NULL);
    if ((stop >= 0 && stop <= name - text) || characters_before(name, size) != (int64_t)size)
        return 0;
    for (; label < end; label = dot + 1) {
        dot = memchr(label, '.', (size_t)(end - label));
        if (dot == NULL) dot = end;
        if (dot == label || dot[-1] == '-') return 0;
        if (dot - label > sight->longest_label) return label == name;
    }
    return 1;
}

/* Judge a text of the policy's own rule that has no agreement, or has not been asked for it. */
static int sight_other(const Tables *tables, uint32_t start, const Sight *sight,
                       const Captures *captures, const uint8_t *text, size_t size, int64_t *place) {
    const uint8_t *part, *user, *host;
    uint8_t lower[MAX_NAME + CHUNK];
    size_t part_size, user_size, host_size;
    int found = field_text(captures, sight->own_scheme, size, text, &part, &part_size);
    int has_host = field_text(captures, sight->own_host, size, text, &host, &host_size);
    int agrees, allowed, outcome = OPEN_CASE;
    *place = 0;
    if (has_host < 0) return -1;
    if (found <= 0 || part_size > MAX_NAME) return found < 0 ? -1 : OPEN_CASE;
    fold(lower, part, part_size);
    agrees = contains(&sight->agreeing, lower, part_size);
    allowed = sight->schemes.words == NULL || contains(&sight->schemes, lower, part_size);
    /* Without a host, that one is missing would come before the scheme. */
    if (!agrees && !allowed && (sight->hosts.words == NULL || has_host)) return OTHER_SCHEME;
    *place = (int64_t)part_size + (has_host ? 3 : 1);
    if (sight->is_plain && has_host && allowed && (!agrees || sight->longest_label == 0))
        outcome = OPEN_HOST;
    else if (!agrees || !allowed || memcmp(lower, part, part_size) != 0)
        return OPEN_CASE;
    found = !agrees || sight->own_userinfo == NO_FIELD
                ? 0
                : field_text(captures, sight->own_userinfo, size, text, &user, &user_size);
    if (found < 0) return -1;
    if (found > 0 && characters_before(user, user_size) == (int64_t)user_size) {
        *place = user - text;
        return HAS_USERINFO;
    }
    if (!has_host) return outcome;
    if (found == 0 && agrees && sight->longest_label && (int64_t)host_size > sight->longest_name &&
        is_long_name(tables, start, sight, text, host, host_size))
        outcome = LONG_NAME;
    *place = host - text + (outcome == LONG_NAME ? 0 : (int64_t)host_size);
    return outcome;
}

int64_t column_sighted(const Tables *tables, uint32_t start, const Rows *rows, const Sight *sight,
                       Column *out, Column *places) {
    for (int64_t row = 0; row < rows->length; row++) {
        const uint8_t *text;
        size_t size;
        Captures captures;
        ptrdiff_t stop;
        int64_t place = 0;
        int outcome = MISSING_TEXT, found = rows_text(rows, row, &text, &size);
        if (found < 0) return row;
        if (found && (int64_t)size > sight->longest) {
            outcome = OPEN_CASE;
        } else if (found) {
            stop = 0; /* of a long name, the policy's own rule is asked alone */
            if ((int64_t)size <= sight->longest_name || !may_be_long(sight, text, size))
                stop = tables_read(tables, start, text, size, &captures);
            if (stop < 0) {
                outcome = sight_text(sight, &captures, text, size, &place);
            } else {
                if (sight->own != NULL)
                    stop = tables_read(sight->own, sight->own_start, text, size, &captures);
                outcome = stop >= 0 ? INVALID
                                    : sight_other(tables, start, sight, &captures, text, size, &place);
                if (stop >= 0) place = characters_before(text, (size_t)stop);
            }
        }
        if (outcome < 0) return INCONSISTENT_TABLES;
        if (outcome == OPEN_HOST && sight->fragment != NO_FIELD && memchr(text, '#', size) != NULL)
            outcome = OPEN_CASE;
        out->values->octets[row] = (uint8_t)outcome;
        memcpy(places->values->octets + row * (int64_t)sizeof place, &place, sizeof place);
    }
    return DONE;
}

int64_t column_named(const uint8_t *numbers, int width, int64_t length, const Buffer *names,
                     int64_t count, Column *out) {
    for (int64_t row = 0; row < length; row++) {
        uint32_t number = numbers[row * width];
        const Buffer *name;
        if (width == (int)sizeof number) memcpy(&number, numbers + row * width, sizeof number);
        name = (int64_t)number < count ? &names[number] : NULL;
        int64_t done = name == NULL || name->octets == NULL
                           ? add_null(out, row)
                           : add_text(out, row, name->octets, (size_t)name->size);
        if (done != DONE) return done;
    }
    return DONE;
}
