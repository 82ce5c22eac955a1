/* Registered domains of hosts, by a packed list of public suffixes (arrow/hosts.py packs it). */

#include "columns.h"

#include <string.h>

/* A list is a head, slots of a hash table with open addressing, and the texts of the rules. */
typedef struct {
    uint32_t bits, size; /* 1 << bits slots; octets of the texts */
} Head;

typedef struct {
    uint32_t hash, begin; /* of a rule's text without "*." and "!" */
    uint16_t size, kinds; /* no kinds: the slot is free */
} Slot;

enum { EXACT = 1, WILDCARD = 2, EXCEPTION = 4 };

#define MAX_BITS 20

int suffixes_fit(const Buffer *list) {
    Head head;
    if (list->size < (int64_t)sizeof head) return 0;
    memcpy(&head, list->octets, sizeof head);
    return head.bits <= MAX_BITS &&
           list->size == (int64_t)(sizeof head + (sizeof(Slot) << head.bits)) + head.size;
}

/* Return the kinds of the rules for a suffix. */
static unsigned rules_for(const Buffer *list, uint32_t hash, const uint8_t *text, size_t size) {
    const uint8_t *slots = list->octets + sizeof(Head);
    Head head;
    Slot slot;
    memcpy(&head, list->octets, sizeof head);
    for (uint32_t tries = 0; tries < UINT32_C(1) << head.bits; tries++) {
        uint32_t at = (hash + tries) & ((UINT32_C(1) << head.bits) - 1);
        memcpy(&slot, slots + at * sizeof slot, sizeof slot);
        if (slot.kinds == 0) return 0;
        if (slot.hash == hash && slot.size == size && slot.begin <= head.size &&
            size <= head.size - slot.begin &&
            memcmp(slots + (sizeof slot << head.bits) + slot.begin, text, size) == 0)
            return slot.kinds;
    }
    return 0;
}

enum { NO_DOMAIN, DOMAIN_FOUND, OPEN_DOMAIN };

/* Find where the registered domain of a host begins, and its size, in the name in lower case. Open
   are names that Python decides about: they may be hexadecimal, or are long or not ASCII. */
static int domain_of(const Buffer *list, const uint8_t *host, size_t size, uint8_t *lower,
                     size_t *begin, size_t *end) {
    uint8_t begins[MAX_NAME / 2 + 2];
    uint32_t hash = UINT32_C(2166136261);
    int labels = 0, suffix = 1;
    if (size == 0 || host[0] == '[') return NO_DOMAIN;
    if (size > MAX_NAME) return OPEN_DOMAIN;
    for (size_t at = 0; at < size; at++) {
        if (host[at] == '%') return NO_DOMAIN;
        if (host[at] >= 0x80) return OPEN_DOMAIN;
        lower[at] = host[at] >= 'A' && host[at] <= 'Z' ? host[at] | 0x20 : host[at];
    }
    size -= lower[size - 1] == '.';
    if (size && lower[size - 1] == '.') return OPEN_DOMAIN;
    if (lower[0] == '.') return NO_DOMAIN;
    for (size_t at = size; at > 0; at--) {
        unsigned kinds;
        if (lower[at - 1] == '.') return NO_DOMAIN; /* an empty label */
        hash = (hash ^ lower[at - 1]) * UINT32_C(16777619);
        if (at > 1 && lower[at - 2] != '.') continue;
        begins[++labels] = (uint8_t)(at - 1);
        if (labels == 1 && lower[at - 1] >= '0' && lower[at - 1] <= '9') {
            while (at <= size && lower[at - 1] >= '0' && lower[at - 1] <= '9') at++;
            return at > size ? NO_DOMAIN : OPEN_DOMAIN; /* digits are a number in any form */
        }
        kinds = rules_for(list, hash, lower + at - 1, size - at + 1);
        if (kinds & EXCEPTION)
            suffix = labels - 1;
        else if (kinds & WILDCARD)
            suffix = labels + (at > 1);
        else if (kinds & EXACT)
            suffix = labels;
        if (at > 1) {
            at--;
            hash = (hash ^ '.') * UINT32_C(16777619);
        }
    }
    if (suffix >= labels) return NO_DOMAIN;
    *begin = begins[suffix + 1];
    *end = size;
    return DOMAIN_FOUND;
}

int64_t column_domains(const Rows *rows, const Buffer *list, Column *out, Block *known) {
    uint8_t lower[MAX_NAME];
    for (int64_t row = 0; row < rows->length; row++) {
        const uint8_t *text;
        size_t size, begin = 0, end = 0;
        int64_t done;
        int found = rows_text(rows, row, &text, &size), made = NO_DOMAIN;
        if (found < 0) return row;
        if (found) made = domain_of(list, text, size, lower, &begin, &end);
        if (made == DOMAIN_FOUND) text = lower + begin;
        if (made == DOMAIN_FOUND) size = end - begin;
        if (made != OPEN_DOMAIN) known->octets[row >> 3] |= (uint8_t)(1 << (row & 7));
        done = made == NO_DOMAIN ? column_null(out, row) : column_text(out, row, text, size);
        if (done != DONE) return done;
    }
    return DONE;
}
