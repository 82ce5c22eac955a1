/* What a policy makes of texts: the first of the reasons for which it refuses each, or none.

   The checks of `uriparse.validation` are the reference. Here are those of URIs of the web, for ASCII. */

#include "columns.h"
#include "rewriting.h"

#include <string.h>

/* ---- Words. */

static int compare(const uint8_t *text, size_t size, const Buffer *word) {
    size_t own = (size_t)word->size, common = size < own ? size : own;
    int found = memcmp(text, word->octets, common);
    return found ? found : (size > own) - (size < own);
}

static inline uint64_t mark_bit(const uint8_t *text, size_t size) {
    return size ? UINT64_C(1) << ((7 * text[size - 1] + 3 * text[size / 2] + text[size / 3]) & 63) : 1;
}

void words_make(Words *words, const Buffer *sorted, int64_t count) {
    memset(words, 0, sizeof *words);
    words->words = sorted;
    words->count = count;
    for (int64_t number = 0; number < count; number++) {
        const Buffer *word = &sorted[number];
        words->marks[word->size % WORD_SIZES] |= mark_bit(word->octets, (size_t)word->size);
        if (word->size > words->longest) words->longest = word->size;
    }
}

#define FEW_WORDS 4 /* each is compared if its size is the same */

static int contains(const Words *words, const uint8_t *text, size_t size) {
    int64_t low = 0, high = words->count;
    if (high <= FEW_WORDS) {
        for (const Buffer *word = words->words; high-- > 0; word++)
            if ((size_t)word->size == size && memcmp(word->octets, text, size) == 0) return 1;
        return 0;
    }
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

static inline const uint8_t *find(const uint8_t *at, const uint8_t *end, char octet) {
    const uint8_t *found = at < end ? memchr(at, octet, (size_t)(end - at)) : NULL;
    return found == NULL ? end : found;
}

/* Whether a name in lower case, or one of its suffixes from a dot on, is listed. */
static int listed(const Words *hosts, const uint8_t *name, size_t size) {
    const uint8_t *end = name + size, *dot = name + 1;
    if (size == 0) return 0;
    if (contains(hosts, name, size)) return 1;
    if ((int64_t)size > hosts->longest) dot = end - hosts->longest;
    for (; (dot = find(dot, end, '.')) < end; dot++)
        if (contains(hosts, dot, (size_t)(end - dot))) return 1;
    return 0;
}

#define CHUNK 8 /* octets that are folded at once */
#define EACH_OCTET(octet) (UINT64_C(0x0101010101010101) * (octet))

/* Write a text of at most MAX_FOLDED octets in lower case; return whether any is beyond ASCII. */
static int fold(uint8_t lower[MAX_FOLDED + CHUNK], const uint8_t *text, size_t size) {
    uint64_t joined = 0;
    memmove(lower, text, size);
    memset(lower + size, 0, CHUNK);
    for (size_t at = 0; at < size; at += CHUNK) {
        uint64_t eight, rest;
        memcpy(&eight, lower + at, CHUNK);
        joined |= eight;
        rest = eight & EACH_OCTET(0x7F); /* the sums reach 0x80 from "A" on, and from after "Z" on */
        rest = (rest + EACH_OCTET(0x80 - 'A')) ^ (rest + EACH_OCTET(0x7F - 'Z'));
        eight |= (rest & ~eight & EACH_OCTET(0x80)) >> 2;
        memcpy(lower + at, &eight, CHUNK);
    }
    return (joined & EACH_OCTET(0x80)) != 0;
}

/* Whether a number is after an odd count of these sorted ones: addresses or characters, from which on
   others are refused, or allowed again. */
static int is_flipped(const Buffer *flips, uint32_t number) {
    int64_t low = 0, high = flips->size / (int64_t)sizeof number;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        uint32_t flip;
        memcpy(&flip, flips->octets + middle * (int64_t)sizeof flip, sizeof flip);
        if (flip <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return (int)(low & 1);
}

/* Return an IPv4 address in its usual form. */
static uint32_t ipv4_of(const uint8_t *text, const uint8_t *end) {
    uint32_t number = 0, octet = 0;
    for (; text < end; text++) {
        if (*text == '.') {
            number = number << 8 | octet;
            octet = 0;
        } else
            octet = 10 * octet + (uint32_t)(*text - '0');
    }
    return number << 8 | octet;
}

static int is_refused_address(const Sight *sight, const uint8_t *text, const uint8_t *end) {
    return is_flipped(&sight->flips, ipv4_of(text, end));
}

/* Whether a name in lower case, without a dot at its end, is of a refused class. */
static int is_refused_name(const Sight *sight, const uint8_t *lower, size_t size) {
    const Words *lone = &sight->words[LONE];
    if (size == 0) return 0;
    if (sight->words[REFUSED_NAMES].words != NULL && listed(&sight->words[REFUSED_NAMES], lower, size))
        return 1;
    return lone->words != NULL && memchr(lower, '.', size) == NULL &&
           !contains(lone, lower, size);
}

/* Whether a name may have an A-label, which begins with "xn--" and has rules of its own. */
static int may_have_a_label(const uint8_t *name, const uint8_t *end) {
    const uint8_t *hyphen = name;
    while ((hyphen = memchr(hyphen, '-', (size_t)(end - hyphen))) != NULL)
        if (++hyphen < end && *hyphen == '-' && hyphen - name > 2 && (hyphen[-3] | 0x20) == 'x' &&
            (hyphen[-2] | 0x20) == 'n')
            return 1;
    return 0;
}

#define MAX_ORIGIN 32 /* longest "scheme:port" that is compared */

static int is_origin(const Words *ports, const uint8_t *scheme, size_t scheme_size,
                     const uint8_t *port, size_t size) {
    uint8_t origin[MAX_ORIGIN];
    if (scheme_size > MAX_ORIGIN / 2 || size >= MAX_ORIGIN / 2) return 0;
    memcpy(origin, scheme, scheme_size);
    origin[scheme_size] = ':';
    if (size) memcpy(origin + scheme_size + 1, port, size);
    return contains(ports, origin, scheme_size + 1 + size);
}

/* Whether a text of the fast rule is certainly accepted: 1, 0, -1 for inconsistent tables. */
static int is_accepted(const Sight *sight, const Captures *captures, const uint8_t *text,
                       size_t size) {
    const Words *words = sight->words;
    const uint8_t *scheme = text, *part = text, *port = NULL;
    uint8_t lower[MAX_FOLDED + CHUNK];
    size_t scheme_size = 0, part_size = 0, port_size = 0;
    int found;
    if (sight->fields[AT_SCHEME] != NO_FIELD) {
        found = field_text(captures, sight->fields[AT_SCHEME], size, text, &scheme, &scheme_size);
        if (found <= 0) return found;
        if (words[SCHEMES].words != NULL && !contains(&words[SCHEMES], scheme, scheme_size)) return 0;
    }
    if (sight->fields[AT_USERINFO] != NO_FIELD &&
        (found = field_text(captures, sight->fields[AT_USERINFO], size, text, &part, &part_size)) != 0)
        return found < 0 ? -1 : 0;
    if (sight->fields[AT_NAME] != NO_FIELD) {
        found = field_text(captures, sight->fields[AT_NAME], size, text, &part, &part_size);
        if (found < 0) return -1;
        if (found) {
            if ((int64_t)part_size > sight->longest_name ||
                may_have_a_label(part, part + part_size) || fold(lower, part, part_size) ||
                (sight->refusing[HOST_UNDERSCORE] && memchr(part, '_', part_size) != NULL) ||
                is_refused_name(sight, lower, part_size))
                return 0;
            part = lower;
        } else {
            found = field_text(captures, sight->fields[AT_ADDRESS], size, text, &part, &part_size);
            if (found <= 0) return found;
            if (is_refused_address(sight, part, part + part_size)) return 0;
        }
        if (words[HOSTS].words != NULL && !listed(&words[HOSTS], part, part_size)) return 0;
    }
    if (sight->fields[AT_PORT] != NO_FIELD) {
        found = field_text(captures, sight->fields[AT_PORT], size, text, &port, &port_size);
        if (found < 0) return -1;
        if (found && (sight->checks_ports || contains(&words[REFUSED_PORTS], port, port_size))) return 0;
        if (words[PORTS].words != NULL &&
            !is_origin(&words[PORTS], scheme, scheme_size, port, port_size))
            return 0;
    }
    if (sight->fields[AT_FRAGMENT] == NO_FIELD) return 1;
    found = field_text(captures, sight->fields[AT_FRAGMENT], size, text, &part, &part_size);
    return found < 0 ? -1 : !found;
}

/* ---- The first reason against a URI of the web. */

/* The reason that begins first; of those the shortest; of those the one of the first check. */
typedef struct {
    const Sight *sight;
    int kind;
    const uint8_t *begin, *end;
    int is_open;    /* whether some other reason may be there */
    uint64_t found; /* a bit for each reason, from UPPER_CASE_SCHEME on */
    struct Span {
        const uint8_t *begin, *end;
    } *spans; /* of each reason found the first; NULL unless all reasons are wanted */
} First;

static inline int is_before(const uint8_t *begin, const uint8_t *end, const struct Span *other) {
    return begin != other->begin ? begin < other->begin : end < other->end;
}

static inline void offer(First *first, int kind, const uint8_t *begin, const uint8_t *end) {
    if (!first->sight->refusing[kind]) return;
    first->is_open |= kind == OPEN_CASE;
    if (first->spans != NULL && kind != OPEN_CASE) {
        const int bit = kind - UPPER_CASE_SCHEME;
        if (!(first->found >> bit & 1) || is_before(begin, end, &first->spans[bit]))
            first->spans[bit] = (struct Span){begin, end};
        first->found |= UINT64_C(1) << bit;
    }
    if (first->kind != ACCEPTED &&
        (begin != first->begin ? begin > first->begin
                               : end != first->end ? end > first->end : kind > first->kind))
        return;
    first->kind = kind;
    first->begin = begin;
    first->end = end;
}

#define MAX_LISTED 10 /* reasons that are listed, each in six bits of a number that is not negative */

/* List the reasons in the order of the text, then of the checks, from the lowest bits on, and a bit
   after the last; 0 for none, -1 if there are too many. */
static int64_t listed_reasons(const First *first) {
    int order[MAX_LISTED], count = 0;
    int64_t list;
    for (uint64_t left = first->found; left; left &= left - 1) {
        int bit = 0, at = count++;
        if (count > MAX_LISTED) return -1;
        while (!(left >> bit & 1)) bit++;
        for (; at > 0 && is_before(first->spans[bit].begin, first->spans[bit].end,
                                   &first->spans[order[at - 1]]); at--)
            order[at] = order[at - 1];
        order[at] = bit;
    }
    for (list = count > 0; count; list = list << 6 | order[count]) count--;
    return list;
}

/* Whether any of some kinds refuses. */
static inline int refuses(const First *first, int kind, int last) {
    while (kind < last && !first->sight->refusing[kind]) kind++;
    return first->sight->refusing[kind];
}

/* Find the next triplet; damaged tables may let a text end within one. */
static inline const uint8_t *next_triplet(const uint8_t *at, const uint8_t *end) {
    if (at == end || *at != '%') at = find(at, end, '%');
    return end - at > 2 ? at : end;
}

/* The digits are known to be some. */
static inline int octet_of(const uint8_t *triplet) {
    const uint32_t high = (triplet[1] & 15u) + 9u * (triplet[1] >> 6);
    return (uint8_t)(high << 4 | ((triplet[2] & 15u) + 9u * (triplet[2] >> 6)));
}

static inline int is_lower_case(const uint8_t *triplet) {
    return triplet[1] >= 'a' || triplet[2] >= 'a';
}

/* Whether a triplet begins here: of "2F" or "2E", in any letter case. */
static inline int is_triplet(const uint8_t *at, const uint8_t *end, char digit) {
    return end - at > 2 && at[0] == '%' && at[1] == '2' && (at[2] | 0x20) == digit;
}

/* Exclusive bounds of the second octets of overlong UTF-8 sequences (RFC 3629 section 3). */
static inline int overlong_below(uint8_t first) {
    return first == 0xC0 || first == 0xC1 ? 0xC0 : first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0;
}

/* What a component encodes, for programs after the parser. */
static void check_octets(First *first, const uint8_t *at, const uint8_t *end) {
    const Words *bidi = &first->sight->words[BIDI];
    const uint8_t *after = NULL; /* adjacent octets beyond ASCII */
    uint8_t run[3] = {0};
    for (size_t size = 0; (at = next_triplet(at, end)) < end; at += 3) {
        const int octet = octet_of(at);
        if (octet > 0x7F) {
            if (at != after) size = 0;
            after = at + 3;
            run[0] = run[1];
            run[1] = run[2];
            run[2] = (uint8_t)octet;
            if (size < 3) size++;
            if (size > 1 && octet < overlong_below(run[1])) offer(first, OVERLONG, at, after);
            if (bidi->words != NULL && size > 1 &&
                (contains(bidi, run + 1, 2) || (size > 2 && contains(bidi, run, 3))))
                offer(first, BIDI_CONTROL, at, after);
        } else if (octet == '%' && end - at > 4 && hexadecimal(at[3]) >= 0 && hexadecimal(at[4]) >= 0)
            offer(first, DOUBLE_ENCODING, at, at + 3);
        if (octet == 0) offer(first, ENCODED_NUL, at, at + 3);
        if (octet == '\r' || octet == '\n') offer(first, ENCODED_LINE_BREAK, at, at + 3);
        if (is_lower_case(at)) offer(first, LOWER_CASE_HEX, at, at + 3);
    }
}

/* Read the character that triplets encode in UTF-8: their count; 0 if they do not. */
static int character_at(const uint8_t *at, const uint8_t *end, uint32_t *character) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const int octet = octet_of(at);
    const int count = octet < 0xC2 ? 0 : octet < 0xE0 ? 2 : octet < 0xF0 ? 3 : octet < 0xF5 ? 4 : 0;
    *character = (uint32_t)octet & (0x7F >> count);
    for (int number = 1; number < count; number++) {
        const uint8_t *next = at + 3 * number;
        if (end - next < 3 || *next != '%' || (octet_of(next) & 0xC0) != 0x80) return 0;
        *character = *character << 6 | (octet_of(next) & 0x3F);
    }
    if (*character < least[count] || *character > 0x10FFFF || *character >> 11 == 0x1B) return 0;
    return count;
}

/* What some client rewrites in a path or a query; is_kept: the bit for triplets that none does. */
static void check_sent(First *first, const uint8_t *at, const uint8_t *end, uint8_t is_kept) {
    const uint8_t *quote = find(at, end, '\''), *next = at; /* no character ends after this */
    if (quote < end) offer(first, REQUEST_APOSTROPHE, quote, quote + 1);
    for (; (at = next_triplet(at, end)) < end; at += 3) {
        const int octet = octet_of(at), is_lower = is_lower_case(at);
        uint32_t character;
        int count;
        if (octet > 0x7F ? is_lower : !(first->sight->triplets[octet + 128 * is_lower] & is_kept))
            offer(first, REQUEST_TRIPLET, at, at + 3);
        if (octet < 0x80 || at < next) continue;
        count = character_at(at, end, &character);
        next = at + 3 * (count ? count : 1);
        if (!count)
            offer(first, REQUEST_NOT_UTF8, at, next);
        else if (is_flipped(&first->sight->invisible, character))
            offer(first, REQUEST_INVISIBLE, at, next);
    }
}

/* How many dots a text is, also percent-encoded ones; 0 for any other, and for more than two. */
static int dots(const uint8_t *at, const uint8_t *end) {
    int count = 0;
    for (; at < end && count < 3; count++) {
        if (*at == '.')
            at++;
        else if (is_triplet(at, end, 'e'))
            at += 3;
        else
            return 0;
    }
    return count < 3 ? count : 0;
}

static void check_traversal(First *first, const uint8_t *at, const uint8_t *end) {
    const uint8_t *piece = at;
    int is_encoded = 0;
    for (; at <= end; at++) {
        at = find(at, end, '%');
        if (at < end && !is_triplet(at, end, 'f')) continue;
        if ((is_encoded || at < end) && dots(piece, at) == 2)
            offer(first, ENCODED_TRAVERSAL, piece, at);
        is_encoded = 1;
        piece = at + 3;
        at += 2;
    }
}

/* percent: the first "%" from there on, if need be after the path. */
static void check_segments(First *first, const uint8_t *path, const uint8_t *end,
                           const uint8_t *percent) {
    uint8_t lower[MAX_FOLDED + CHUNK];
    const uint8_t *const first_dot = find(path, end, '.'), *const parameter = find(path, end, ';');
    int64_t depth = 0;
    for (const uint8_t *at = path, *stop; at <= end; at = stop + 1) {
        const uint8_t *dot, *semicolon;
        stop = find(at, end, '/');
        dot = first_dot < stop ? find(at, stop, '.') : stop;
        semicolon = parameter < stop ? find(at, stop, ';') : stop;
        if (dot - at > 2 && dot - at <= MAX_FOLDED &&
            dot - at <= first->sight->words[DEVICES].longest) {
            fold(lower, at, (size_t)(dot - at));
            if (contains(&first->sight->words[DEVICES], lower, (size_t)(dot - at)))
                offer(first, SPECIAL_NAME, at, stop);
        }
        if (percent < stop && find(at, stop, '%') < stop) {
            if (dots(at, stop)) offer(first, ENCODED_DOT_SEGMENT, at, stop);
            check_traversal(first, at, stop);
        }
        if (stop - at == 2 && at[0] == '.' && at[1] == '.') {
            if (depth-- <= 0) offer(first, EXCESS_DOT_DOT, at, stop);
            depth += depth < 0;
        } else
            depth += at == stop ? at > path : stop - at > 1 || *at != '.';
        if (at == stop && at > path && stop < end)
            offer(first, REQUEST_EMPTY_SEGMENT, at - 1, at + 1);
        if (dots(at, semicolon)) offer(first, REQUEST_DOT_SEGMENT, at, stop);
    }
    if (path < end && end[-1] == ';') offer(first, REQUEST_FINAL_SEMICOLON, end - 1, end);
}

static void check_query(First *first, const uint8_t *query, const uint8_t *end) {
    for (const uint8_t *at = query, *stop; at <= end; at = stop + 1) {
        stop = find(at, end, '/');
        if ((at > query || stop < end) && stop - at > 0 && stop - at < 3 && at[0] == '.' &&
            stop[-1] == '.')
            offer(first, DOTS_IN_QUERY, at, stop);
    }
    if (query == end) offer(first, REQUEST_EMPTY_QUERY, query - 1, query);
    for (const uint8_t *at = query, *stop; query < end && at <= end; at = stop + 1) {
        stop = find(at, end, '&');
        if (at == stop || *at == '=') offer(first, REQUEST_EMPTY_PARAMETER, at, stop);
    }
}

#define MAX_REFERENCE 32 /* longest name of a character reference of HTML */

static void check_references(First *first, const uint8_t *at, const uint8_t *end) {
    const Words *names = &first->sight->words[REFERENCES];
    if (names->words == NULL || find(find(at, end, '&'), end, ';') == end) return;
    for (; (at = find(at, end, '&')) < end; at++) {
        const uint8_t *stop = at + 1;
        int is_known;
        if (stop < end && *stop == '#') {
            const int is_hex = end - stop > 1 && (stop[1] | 0x20) == 'x';
            const uint8_t *digits = stop += 1 + is_hex;
            while (stop < end && stop - digits < 8 - is_hex &&
                   (is_hex ? hexadecimal(*stop) >= 0 : (uint8_t)(*stop - '0') < 10))
                stop++;
            if (stop > digits && stop < end && *stop == ';' && stop - digits < 8 - is_hex)
                offer(first, ESCAPED_HTML, at, stop + 1);
            continue;
        }
        while (stop < end && stop - at <= MAX_REFERENCE &&
               ((uint8_t)((*stop | 0x20) - 'a') < 26 || (stop > at + 1 && (uint8_t)(*stop - '0') < 10)))
            stop++;
        if (stop == end || *stop != ';' || stop - at < 3) continue;
        is_known = contains(names, at + 1, (size_t)(stop - at));
        for (const uint8_t *part = at + 3; part <= stop && !is_known; part++)
            is_known = contains(names, at + 1, (size_t)(part - at - 1));
        if (is_known) offer(first, ESCAPED_HTML, at, stop + 1);
    }
}

/* Whether C's inet_aton reads a name as an IPv4 address (RFC 3986 section 7.4). */
static int is_number_like(const uint8_t *name, const uint8_t *end) {
    int parts = 0;
    end -= end[-1] == '.';
    if (name == end || (uint8_t)(*name - '0') > 9) return 0;
    for (const uint8_t *at = name, *stop; at <= end; at = stop + 1) {
        int is_hex;
        stop = find(at, end, '.');
        is_hex = stop - at > 1 && at[0] == '0' && (at[1] | 0x20) == 'x';
        if (++parts > 4 || at == stop) return 0;
        for (at += is_hex ? 2 : 0; at < stop; at++)
            if (is_hex ? hexadecimal(*at) < 0 : (uint8_t)(*at - '0') > 9) return 0;
    }
    return 1;
}

/* What the policy's lists say about a name of ASCII, which may have triplets. Of a long one its end is
   looked up, from a dot on: no listed name is so long. */
static void check_listed(First *first, const uint8_t *name, const uint8_t *end, int flags) {
    const int is_encoded = (flags & MARKED) && find(name, end, '%') < end;
    const Sight *sight = first->sight;
    const Words *hosts = &sight->words[HOSTS];
    const uint8_t *tail = end - name <= MAX_FOLDED ? name : find(end - MAX_FOLDED, end, '.');
    uint8_t lower[MAX_FOLDED + CHUNK];
    size_t size = (size_t)(end - tail), kept = 0;
    fold(lower, tail, size);
    if (hosts->words != NULL) {
        if (size == 0 || is_encoded ||
            !(flags & RESERVED ? tail == name && contains(hosts, lower, size)
                               : listed(hosts, lower, size)))
            offer(first, HOST_REFUSED, name, end);
    }
    if (!sight->refusing[NAME_REFUSED]) return;
    if (is_encoded && tail > name) offer(first, OPEN_CASE, name, name);
    for (const uint8_t *at = lower; is_encoded && at < lower + size; at++) {
        const int is_encoded_octet = *at == '%'; /* the octet may be written over it */
        lower[kept++] = is_encoded_octet ? (uint8_t)octet_of(at) : *at;
        at += 2 * is_encoded_octet;
        /* U+0130 and U+212A, alone beyond ASCII, are letters of ASCII in lower case. */
        if (lower[kept - 1] == 0xC4 || lower[kept - 1] == 0xE2) offer(first, OPEN_CASE, name, name);
    }
    if (is_encoded) fold(lower, lower, size = kept);
    while (size && lower[size - 1] == '.') size--;
    if (is_refused_name(sight, lower, size) ||
        (tail > name && sight->words[LONE].words != NULL && find(name, tail, '.') == tail && size == 0))
        offer(first, NAME_REFUSED, name, end);
}

static void check_name(First *first, const uint8_t *name, const uint8_t *end) {
    const Sight *sight = first->sight;
    const uint8_t *octets = sight->octets, *bare = end, *last = end, *number, *odd = name;
    int has_hyphen = 0, is_long = 0, flags = 0;
    for (const uint8_t *at = name, *label = name; label <= end; label = ++at) {
        while (at < end && *at != '.') flags |= octets[*at++];
        if (at == label) {
            offer(first, HOST_DOTS, at, at);
            continue;
        }
        last = label;
        if (*label == '-' || at[-1] == '-') {
            has_hyphen = 1;
            offer(first, LABEL_HYPHEN, label, at);
        }
        if (at - label > sight->longest_label && !is_long) {
            is_long = 1;
            offer(first, LONG_NAME, label, at);
        }
    }
    if (!is_long && end - name > sight->longest_name) offer(first, LONG_NAME, name, end);
    if (end - name > 255) offer(first, HOST_TOO_LONG, name, end);
    if (flags & MARKED) {
        const uint8_t *underscore = find(name, end, '_'), *percent = find(name, end, '%');
        if (underscore < end) offer(first, HOST_UNDERSCORE, underscore, underscore + 1);
        if (percent < end) offer(first, ENCODED_HOST, percent, percent + 3);
        if (percent < end) check_octets(first, percent, end);
    }
    if (flags & OUTSIDE_NAME) {
        while (!(octets[*odd] & OUTSIDE_NAME)) odd++;
        offer(first, HOST_DELIMITER, odd, odd + 1);
    }
    if (is_number_like(name, end)) offer(first, IPV4_LOOKALIKE, name, end);
    while (bare > last && bare[-1] == '.') bare--;
    if (last < bare && octets[*last] & BEGINS_NUMBER) offer(first, NUMERIC_HOST, last, bare);
    for (number = last; number < bare && (uint8_t)(*number - '0') < 10;) number++;
    if (has_hyphen || (last < bare && number == bare)) offer(first, DNS_LABEL, name, end);
    check_listed(first, name, end, flags);
}

/* Read an IPv6 address without its brackets. */
static void read_ipv6(const uint8_t *at, const uint8_t *end, uint16_t groups[8]) {
    int count = 0, gap = 8;
    memset(groups, 0, 8 * sizeof *groups);
    while (at < end && count < 8) {
        const uint8_t *stop = at;
        uint32_t number = 0;
        if (*at == ':') {
            if (++at < end && *at == ':') gap = count;
            continue;
        }
        for (; stop < end && hexadecimal(*stop) >= 0; stop++)
            number = number << 4 | (uint32_t)hexadecimal(*stop);
        if (stop < end && *stop == '.') {
            number = ipv4_of(at, end);
            if (count < 7) groups[count++] = (uint16_t)(number >> 16);
            stop = end;
        }
        groups[count++] = (uint16_t)number;
        at = stop;
    }
    if (gap == 8) return;
    memmove(groups + 8 - (count - gap), groups + gap, (size_t)(count - gap) * sizeof *groups);
    memset(groups + gap, 0, (size_t)(8 - count) * sizeof *groups);
}

#define MAX_IPV6 40

/* Write an address as RFC 5952 does, but with no IPv4 address in it; return its size. */
static size_t write_ipv6(const uint16_t groups[8], uint8_t text[MAX_IPV6]) {
    uint8_t *at = text;
    int gap = 8, gap_end = 8;
    for (int begin = 0, end; begin < 8; begin = end + 1) { /* the longest run of zeros, from two on */
        for (end = begin; end < 8 && groups[end] == 0;) end++;
        if (end - begin > (gap == 8 ? 1 : gap_end - gap)) {
            gap = begin;
            gap_end = end;
        }
    }
    for (int number = 0; number < 8; number++) {
        if (number == gap) {
            *at++ = ':';
            *at++ = ':';
        }
        if (number >= gap && number < gap_end) continue;
        if (number && at[-1] != ':') *at++ = ':';
        for (int shift = 12; shift >= 0; shift -= 4)
            if (shift == 0 || groups[number] >> shift)
                *at++ = (uint8_t)"0123456789abcdef"[groups[number] >> shift & 15];
    }
    return (size_t)(at - text);
}

/* What a policy says of an address: of the range in which it is, and of an IPv4 address within. */
static int range_of(const Sight *sight, const uint16_t groups[8]) {
    const uint8_t *ranges = sight->ranges.octets;
    int64_t low = 0, high = sight->ranges.size / RANGE_SIZE;
    uint8_t address[16];
    int said;
    for (int number = 0; number < 8; number++) {
        address[2 * number] = (uint8_t)(groups[number] >> 8);
        address[2 * number + 1] = (uint8_t)groups[number];
    }
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (memcmp(ranges + middle * RANGE_SIZE, address, sizeof address) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    said = low == 0 ? IS_OPEN : ranges[low * RANGE_SIZE - 1];
    if (said == IS_EMBEDDING)
        said = is_flipped(&sight->flips, (uint32_t)groups[6] << 16 | groups[7]);
    if (said != IS_REFUSED && (groups[4] & 0xFDFF) == 0 && groups[5] == 0x5EFE) return IS_OPEN; /* ISATAP */
    return said;
}

/* The first reason against an IPv6 address in brackets; return whether the kernel cannot tell. */
static int check_ipv6(First *first, const uint8_t *host, const uint8_t *end, int is_secure) {
    static const uint16_t mapped[6] = {0, 0, 0, 0, 0, 0xFFFF};
    const Sight *sight = first->sight;
    const size_t size = (size_t)(end - host);
    uint16_t groups[8];
    uint8_t written[MAX_IPV6];
    int said;
    if (sight->collects || sight->words[HOSTS].words != NULL || find(host, end, '%') < end) return 1;
    read_ipv6(host + 1, end - 1, groups);
    said = range_of(sight, groups);
    if (sight->refusing[IPV6_HOST])
        offer(first, IPV6_HOST, host, end);
    else if (sight->refusing[IPV6_SPELLING] &&
             (memcmp(groups, mapped, sizeof mapped) == 0 || write_ipv6(groups, written) != size - 2 ||
              memcmp(written, host + 1, size - 2) != 0))
        offer(first, IPV6_SPELLING, host, end);
    else if (sight->refusing[IPV6_OVER_TLS] && is_secure)
        offer(first, IPV6_OVER_TLS, host, end);
    else if (said == IS_REFUSED)
        offer(first, ADDRESS_REFUSED, host, end);
    return said == IS_OPEN;
}

static void check_userinfo(First *first, const uint8_t *begin, const uint8_t *end) {
    const uint8_t *colon = find(begin, end, ':');
    int is_misleading = 0;
    for (const uint8_t *at = begin; at < colon && !is_misleading; at++)
        is_misleading = *at == '.' || *at == '&' || *at == '=' || is_triplet(at, colon, 'f') ||
                        (colon - at > 2 && at[0] == '%' && at[1] == '4' && at[2] == '0');
    if (end - colon > 1) offer(first, PASSWORD, colon + 1, end);
    offer(first, USERINFO_NOT_ALLOWED, begin, end);
    if (is_misleading) offer(first, MISLEADING_USERINFO, begin, colon);
    check_octets(first, begin, end);
    offer(first, HAS_USERINFO, begin, end);
    offer(first, USERINFO_REFUSED, begin, end);
}

/* A port; `port` is NULL where a missing one would begin. */
static void check_port(First *first, const Piece *scheme, const Piece *port, const uint8_t *missing) {
    const Words *words = first->sight->words, *ports = &words[PORTS];
    const uint8_t *begin = missing, *end = missing, *digits;
    const uint8_t *name = scheme->octets;
    int64_t number = 0;
    int is_default = 1, is_allowed;
    if (port->octets != NULL) {
        begin = port->octets;
        end = begin + port->size;
    }
    digits = begin;
    while (end - digits > 1 && *digits == '0') digits++;
    for (const uint8_t *at = digits; at < end && number <= 0xFFFF; at++) number = 10 * number + *at - '0';
    is_allowed = number <= 0xFFFF &&
                 is_origin(ports, name, scheme->size, digits, (size_t)(end - digits));
    if (begin < end) {
        is_default = number <= 0xFFFF &&
                     is_origin(&words[DEFAULTS], name, scheme->size, digits, (size_t)(end - digits));
        if (number > 0xFFFF) offer(first, PORT_OUT_OF_RANGE, begin, end);
        else if (!is_default) {
            offer(first, NON_DEFAULT_PORT, begin, end);
            if (number < 1024) offer(first, RESERVED_PORT, begin, end);
            if (number == 25) offer(first, SMTP_PORT, begin, end);
        }
        if (number > 0xFFFF || *begin == '0') offer(first, PORT_RANGE, begin, end);
        if (number <= 0xFFFF && contains(&words[REFUSED_PORTS], digits, (size_t)(end - digits))) {
            offer(first, UNCOMMON_PORT, begin, end);
            if (!is_allowed) offer(first, BAD_PORT, begin, end);
        }
    } else if (port->octets != NULL) {
        offer(first, PORT_LEFT_EMPTY, begin, end);
        offer(first, EMPTY_PORT, begin, end);
    }
    if (ports->words != NULL && !is_allowed) offer(first, PORT_REFUSED, begin, end);
}

#define MAX_URI 1024 /* longest listed URI of which any port is allowed */

static int is_listed_uri(const Sight *sight, const Components *parts, const uint8_t *text, size_t size) {
    const Piece *port = &parts->of[PORT];
    uint8_t bare[MAX_URI];
    size_t begin;
    if (sight->words[URIS].words == NULL || contains(&sight->words[URIS], text, size)) return 1;
    if (sight->words[LOOPBACKS].words == NULL) return 0;
    if (port->octets == NULL || port->octets == text)
        return contains(&sight->words[LOOPBACKS], text, size);
    begin = (size_t)(port->octets - text) - 1;
    if (size - port->size - 1 > MAX_URI) return 0;
    memcpy(bare, text, begin);
    memcpy(bare + begin, text + begin + 1 + port->size, size - begin - 1 - port->size);
    return contains(&sight->words[LOOPBACKS], bare, size - 1 - port->size);
}

static int64_t count_of(const uint8_t *text, const uint8_t *end, char octet) {
    int64_t count = 0;
    for (; text < end; text++) count += *text == (uint8_t)octet;
    return count;
}

/* What is known of a scheme: most rows have that of the row before. */
typedef struct {
    const uint8_t *text;
    size_t size;
    int is_lower, agrees, allowed, has_port; /* in lower case; of the web; listed; its default port is */
    uint8_t lower[MAX_FOLDED + CHUNK];
} Scheme;

static void know_scheme(Scheme *known, const Sight *sight, const Piece *scheme) {
    const Words *words = sight->words;
    const size_t size = scheme->size;
    if (size && known->size == size && memcmp(known->text, scheme->octets, size) == 0) return;
    known->text = scheme->octets;
    known->size = size;
    fold(known->lower, known->text, size);
    known->is_lower = memcmp(known->lower, known->text, size) == 0;
    known->agrees = contains(&words[AGREEING], known->lower, size);
    known->allowed = words[SCHEMES].words == NULL || contains(&words[SCHEMES], known->lower, size);
    known->has_port = words[PORTS].words == NULL ||
                      is_origin(&words[PORTS], known->lower, size, known->text, 0);
}

/* Judge a URI of the web; it may exceed limits. */
static int sight_web(const Sight *sight, const Components *parts, int kind,
                     int exceeds, const Scheme *known, const uint8_t *text, size_t size,
                     int64_t *place) {
    struct Span spans[IPV6_HOST - UPPER_CASE_SCHEME]; /* at most 64: each has a bit */
    First own = {sight, ACCEPTED, NULL, NULL, 0, 0, sight->collects ? spans : NULL}, *const first = &own;
    const Piece *scheme = &parts->of[SCHEME], *host = &parts->of[HOST], *user = &parts->of[USERINFO];
    const Piece *path = &parts->of[PATH], *query = &parts->of[QUERY], *tail = &parts->of[FRAGMENT];
    const uint8_t *const end = text + size, *const colon = text + scheme->size, *high = text;
    const uint8_t *const host_end = host->octets == NULL ? NULL : host->octets + host->size;
    const uint8_t *const location = path->octets;
    int is_open = 0;
    if (!known->is_lower) {
        offer(first, UPPER_CASE_SCHEME, text, colon);
        offer(first, SCHEME_CASE, text, colon);
    }
    if (!known->allowed) offer(first, SCHEME_REFUSED, text, colon);
    if (!is_listed_uri(sight, parts, text, size)) offer(first, URI_REFUSED, text, end);
    for (uint64_t eight = 0; end - high >= 8; high += 8) {
        memcpy(&eight, high, sizeof eight);
        if (eight & EACH_OCTET(0x80)) break;
    }
    while (high < end && *high < 0x80) high++;
    if (host->octets == NULL) {
        offer(first, NO_SERVER, colon + 1, colon + 1);
        offer(first, MISSING_AUTHORITY, colon + 1, colon + 1);
        if (sight->words[HOSTS].words != NULL) offer(first, HOST_REFUSED, text, text);
    } else {
        if (user->octets != NULL) {
            check_userinfo(first, user->octets, user->octets + user->size);
            check_references(first, user->octets, user->octets + user->size);
        }
        if (own.kind != ACCEPTED && own.begin < host->octets && high == end && !exceeds &&
            !sight->collects) {
            *place = own.begin - text;
            return own.kind;
        }
        is_open = host->size > 0 && (*host->octets == '[' || (high >= host->octets && high < host_end) ||
                                     may_have_a_label(host->octets, host_end));
        if (kind == sight->ipv6 && host->size > 1)
            is_open = check_ipv6(first, host->octets, host_end,
                                 known->size == 5 && memcmp(known->lower, "https", 5) == 0);
        if (host->size == 0) {
            offer(first, NO_SERVER, host_end, host_end);
            offer(first, EMPTY_HOST, host_end, host_end);
            if (sight->words[HOSTS].words != NULL) offer(first, HOST_REFUSED, host_end, host_end);
        } else if (kind == sight->ipv4) {
            if (is_refused_address(sight, host->octets, host_end))
                offer(first, ADDRESS_REFUSED, host->octets, host_end);
            if (sight->words[HOSTS].words != NULL &&
                !listed(&sight->words[HOSTS], host->octets, host->size))
                offer(first, HOST_REFUSED, host->octets, host_end);
        } else if (!is_open && kind != sight->ipv6) {
            check_name(first, host->octets, host_end);
        }
        if (parts->of[PORT].octets != NULL || (host->size && !known->has_port))
            check_port(first, &(Piece){known->lower, known->size}, &parts->of[PORT], host_end);
        if (path->size == 0 && query->octets != NULL)
            offer(first, QUERY_WITHOUT_PATH, query->octets - 1, query->octets);
        else if (path->size == 0 && tail->octets != NULL)
            offer(first, FRAGMENT_WITHOUT_PATH, tail->octets - 1, tail->octets);
    }
    if (high < end && !(sight->is_plain && is_open && high >= host->octets && high < host_end))
        offer(first, OPEN_CASE, high, high);
    if (exceeds) {
        const uint8_t *const path_end = location + path->size;
        if (high < end) offer(first, OPEN_CASE, text, text); /* characters are counted */
        if ((int64_t)size > sight->limits[0]) offer(first, TOO_LONG, text + sight->limits[0], end);
        if (count_of(location, path_end, '/') > sight->limits[1])
            offer(first, TOO_MANY_SEGMENTS, location, path_end);
        if (query->octets != NULL &&
            count_of(query->octets, query->octets + query->size, '&') >= sight->limits[2])
            offer(first, TOO_MANY_PARAMETERS, query->octets, query->octets + query->size);
    }
    if (tail->octets != NULL) offer(first, FRAGMENT_REFUSED, tail->octets - 1, end);
    /* What is in path, query and fragment begins after all of this. */
    if ((own.kind == ACCEPTED || own.begin >= location || sight->collects) && !sight->is_plain) {
        const uint8_t *const percent = find(location, end, '%');
        const int is_encoded = percent < end;
        const int is_sent = refuses(first, REQUEST_EMPTY_SEGMENT, REQUEST_EMPTY_PARAMETER) &&
                            (is_encoded || find(location, end, '\'') < end);
        check_segments(first, location, location + path->size, percent);
        if (is_encoded) check_octets(first, location, location + path->size);
        if (is_sent) check_sent(first, location, location + path->size, 1);
        if (query->octets != NULL) {
            check_query(first, query->octets, query->octets + query->size);
            if (is_encoded) check_octets(first, query->octets, query->octets + query->size);
            if (is_sent) check_sent(first, query->octets, query->octets + query->size, 2);
        }
        if (is_encoded && tail->octets != NULL) check_octets(first, tail->octets, end);
    }
    check_references(first, text, end);
    if (sight->collects) {
        *place = is_open || own.is_open ? -1 : listed_reasons(first);
        return *place < 0 ? OPEN_CASE : own.kind;
    }
    if (is_open && (own.kind == ACCEPTED || own.begin >= host->octets)) {
        /* A list of URIs is about the whole text. */
        *place = sight->words[URIS].words == NULL ? host_end - text : 0;
        return own.kind == ACCEPTED && *place ? OPEN_HOST : OPEN_CASE;
    }
    *place = own.kind == ACCEPTED || own.kind == OPEN_CASE ? 0 : own.begin - text;
    return own.kind;
}

/* Judge a text of the policy's own rule; -1 for inconsistent tables. */
static int sight_other(const Tables *tables, const Sight *sight, const Captures *captures,
                       int exceeds, const uint8_t *text, size_t size, int64_t *place,
                       Scheme *known) {
    Components parts;
    const Piece *scheme = &parts.of[SCHEME], *host = &parts.of[HOST];
    *place = 0;
    for (int number = 0; number < COMPONENTS; number++) {
        Piece *part = &parts.of[number];
        *part = (Piece){NULL, 0};
        if (field_text(captures, sight->own_fields[number], size, text, &part->octets, &part->size) < 0)
            return -1;
    }
    if (scheme->octets == NULL && sight->local >= 0 && !exceeds)
        return tables_match(tables, (uint32_t)sight->local, text, size) ? ACCEPTED : NONLOCAL_REFERENCE;
    if (scheme->octets == NULL || scheme->size > MAX_FOLDED || parts.of[PATH].octets == NULL)
        return OPEN_CASE;
    know_scheme(known, sight, scheme);
    if (known->agrees && sight->judges)
        return sight_web(sight, &parts, captures->values[sight->kinds], exceeds,
                         known, text, size, place);
    *place = (int64_t)scheme->size + (host->octets != NULL ? 3 : 1);
    /* Without a host, that one is missing would come before the scheme. */
    if (!known->agrees && !sight->collects && (sight->words[HOSTS].words == NULL || host->octets != NULL)) {
        if (!known->allowed && sight->refusing[OTHER_SCHEME]) return (*place = 0, OTHER_SCHEME);
        if (known->allowed && sight->is_plain && !is_listed_uri(sight, &parts, text, size))
            return (*place = 0, URI_REFUSED);
    }
    if (sight->words[URIS].words != NULL) *place = 0;
    if (!sight->is_plain || host->octets == NULL || !known->allowed || exceeds || *place == 0)
        return OPEN_CASE;
    *place = host->octets - text + (int64_t)host->size;
    return parts.of[FRAGMENT].octets != NULL && sight->refusing[FRAGMENT_REFUSED] ? OPEN_CASE : OPEN_HOST;
}

int64_t column_sighted(const Tables *tables, uint32_t start, const Rows *rows, const Sight *sight,
                       Column *out, Column *places) {
    const int64_t *most = sight->limits;
    Scheme known = {NULL, 0};
    /* What the checks decide is read once, by the policy's own rule. */
    const int skips = sight->words[URIS].words != NULL || (sight->own != NULL && sight->judges);
    for (int64_t row = 0; row < rows->length; row++) {
        const uint8_t *text;
        size_t size;
        Captures captures;
        ptrdiff_t stop;
        int64_t place = 0;
        int outcome = MISSING_TEXT, exceeds, found = rows_text(rows, row, &text, &size);
        if (found < 0) return row;
        if (found) {
            exceeds = (int64_t)size > most[0] ||
                      ((int64_t)size > most[1] && count_of(text, text + size, '/') > most[1]) ||
                      ((int64_t)size >= most[2] && count_of(text, text + size, '&') >= most[2]);
            outcome = stop = 0;
            if (sight->own == NULL || !(exceeds || skips))
                stop = tables_read(tables, start, text, size, &captures);
            if (stop < 0 && !(exceeds || skips))
                outcome = is_accepted(sight, &captures, text, size);
            if (outcome > 0) {
                outcome = ACCEPTED;
            } else if (outcome == 0) {
                if (sight->own != NULL)
                    stop = tables_read(sight->own, sight->own_start, text, size, &captures);
                outcome = stop >= 0 ? INVALID
                                    : sight_other(tables, sight, &captures, exceeds, text, size,
                                                  &place, &known);
                if (stop >= 0) place = characters_before(text, (size_t)stop);
                if (stop >= 0 && (place > most[0] || (exceeds && sight->collects))) {
                    outcome = sight->judges && sight->refusing[TOO_LONG] && !sight->collects ? TOO_LONG : OPEN_CASE;
                    place = outcome == TOO_LONG ? most[0] : 0;
                }
            }
        }
        if (outcome < 0) return INCONSISTENT_TABLES;
        if (sight->collects && outcome > ACCEPTED && outcome < UPPER_CASE_SCHEME) place = -outcome;
        out->values->octets[row] = (uint8_t)outcome;
        memcpy(places->values->octets + row * (int64_t)sizeof place, &place, sizeof place);
    }
    return DONE;
}
