#include "rows.h"

#include <string.h>

static int64_t whole_at(const uint8_t *place, int width) {
    int32_t narrow;
    int64_t wide;
    if (width == 4) {
        memcpy(&narrow, place, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, place, sizeof wide);
    return wide;
}

static int is_there(const Buffer *validity, int64_t at) {
    return validity->octets == NULL || validity->octets[at >> 3] >> (at & 7) & 1;
}

static int bits_fit(const Buffer *validity, int64_t count) {
    return validity->octets == NULL || validity->size >= (count >> 3) + ((count & 7) != 0);
}

static int items_fit(const Buffer *items, int64_t count, int width) {
    return count == 0 || (items->octets != NULL && items->size / width >= count);
}

int rows_fit(const Rows *rows) {
    const Texts *texts = &rows->texts;
    int key = rows->key_width < 0 ? -rows->key_width : rows->key_width;
    int64_t end;
    if (rows->length < 0 || texts->length < 0 || texts->offset < 0 || rows->key_offset < 0) return 0;
    if (texts->width != 4 && texts->width != 8 && texts->width != VIEW) return 0;
    if (texts->width != VIEW && texts->parts != 1) return 0;
    if (__builtin_add_overflow(texts->length, texts->offset, &end) || end == INT64_MAX) return 0;
    if (!bits_fit(&texts->validity, end)) return 0;
    if (end && !items_fit(&texts->places, end + (texts->width != VIEW), texts->width)) return 0;
    if (key == 0) return rows->length == texts->length;
    if (key != 1 && key != 2 && key != 4 && key != 8) return 0;
    if (__builtin_add_overflow(rows->length, rows->key_offset, &end)) return 0;
    return bits_fit(&rows->key_validity, end) && items_fit(&rows->keys, end, key);
}

static int key_at(const Rows *rows, int64_t row, int64_t *key) {
    int width = rows->key_width < 0 ? -rows->key_width : rows->key_width;
    const uint8_t *place = rows->keys.octets + (row + rows->key_offset) * width;
    uint8_t octet;
    uint16_t two;
    uint32_t four;
    switch (width) { /* keys lie there in the machine's own order of octets */
    case 1: memcpy(&octet, place, sizeof octet), *key = octet; break;
    case 2: memcpy(&two, place, sizeof two), *key = two; break;
    case 4: memcpy(&four, place, sizeof four), *key = four; break;
    default: memcpy(key, place, sizeof *key);
    }
    if (rows->key_width < 0 && width < 8 && *key >> (8 * width - 1)) return 0;
    return *key >= 0 && *key < rows->texts.length;
}

static int view_text(const Texts *texts, const uint8_t *view, const uint8_t **text, size_t *size) {
    int32_t facts[4]; /* the size; octets; the buffer, and the octets before it there */
    const Buffer *data;
    memcpy(facts, view, sizeof facts);
    if (facts[0] < 0) return -1;
    *size = (size_t)facts[0];
    *text = view + 4;
    if (facts[0] <= INLINE) return 1;
    if (facts[2] < 0 || facts[2] >= texts->parts || facts[3] < 0) return -1;
    data = &texts->data[facts[2]];
    if (data->octets == NULL || data->size - facts[0] < facts[3]) return -1;
    *text = data->octets + facts[3];
    return 1;
}

int rows_text(const Rows *rows, int64_t row, const uint8_t **text, size_t *size) {
    const Texts *texts = &rows->texts;
    const uint8_t *place;
    int64_t begin, end;
    if (rows->key_width) {
        if (!is_there(&rows->key_validity, row + rows->key_offset)) return 0;
        if (!key_at(rows, row, &row)) return -1;
    }
    row += texts->offset;
    if (!is_there(&texts->validity, row)) return 0;
    place = texts->places.octets + row * texts->width;
    if (texts->width == VIEW) return view_text(texts, place, text, size);
    begin = whole_at(place, texts->width);
    end = whole_at(place + texts->width, texts->width);
    if (begin < 0 || end < begin || end > texts->data->size) return -1;
    *size = (size_t)(end - begin);
    *text = *size ? texts->data->octets + begin : (const uint8_t *)"";
    return *size && texts->data->octets == NULL ? -1 : 1;
}

Block *block_new(int64_t size) {
    Block *block = (uint64_t)size > SIZE_MAX ? NULL : malloc(sizeof *block);
    if (block == NULL) return NULL;
    block->holders = 1;
    block->size = size;
    block->room = size ? size : 1;
    block->octets = calloc(1, (size_t)block->room);
    if (block->octets != NULL) return block;
    free(block);
    return NULL;
}

void block_hold(Block *block) { __atomic_add_fetch(&block->holders, 1, __ATOMIC_RELAXED); }

void block_drop(Block *block) {
    if (block == NULL || __atomic_sub_fetch(&block->holders, 1, __ATOMIC_ACQ_REL) > 0) return;
    free(block->octets);
    free(block);
}

int block_grow(Block *block, int64_t more) {
    int64_t needed, room;
    uint8_t *octets;
    if (__builtin_add_overflow(block->size, more, &needed)) return 0;
    if (needed <= block->room) return 1;
    room = needed > INT64_MAX / 2 ? needed : 2 * needed;
    octets = (uint64_t)room > SIZE_MAX ? NULL : realloc(block->octets, (size_t)room);
    if (octets == NULL) return 0;
    block->octets = octets;
    block->room = room;
    return 1;
}
