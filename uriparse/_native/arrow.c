#include "columns.h"

#include <errno.h>
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

static void schema_release(struct ArrowSchema *schema) {
    for (int64_t number = 0; number < schema->n_children; number++) {
        struct ArrowSchema *child = schema->children[number];
        if (child->release != NULL) child->release(child);
        free(child);
    }
    free(schema->children);
    free((char *)schema->format);
    free((char *)schema->name);
    schema->release = NULL;
}

int schema_make(struct ArrowSchema *schema, const char *format, const char *name,
                int64_t children) {
    memset(schema, 0, sizeof *schema);
    schema->release = schema_release;
    schema->flags = ARROW_FLAG_NULLABLE;
    schema->format = strdup(format);
    schema->name = strdup(name);
    schema->children = calloc((size_t)children + 1, sizeof *schema->children);
    if (!schema->format || !schema->name || !schema->children) return 0;
    for (; schema->n_children < children; schema->n_children++) {
        struct ArrowSchema *child = calloc(1, sizeof *child);
        if (child == NULL) return 0;
        schema->children[schema->n_children] = child;
    }
    return 1;
}

int schema_copy(struct ArrowSchema *schema, const struct ArrowSchema *from) {
    if (!schema_make(schema, from->format, from->name, from->n_children)) return 0;
    for (int64_t number = 0; number < from->n_children; number++)
        if (!schema_copy(schema->children[number], from->children[number])) return 0;
    return 1;
}

static void array_release(struct ArrowArray *array) {
    Block **blocks = array->private_data;
    for (int64_t number = 0; number < array->n_children; number++) {
        struct ArrowArray *child = array->children[number];
        if (child->release != NULL) child->release(child);
        free(child);
    }
    for (int64_t number = 0; blocks != NULL && number < array->n_buffers; number++)
        block_drop(blocks[number]);
    free(array->children);
    free(array->buffers);
    free(blocks);
    array->release = NULL;
}

int array_make(struct ArrowArray *array, int64_t length, int64_t nulls, int64_t buffers,
               int64_t children) {
    memset(array, 0, sizeof *array);
    array->release = array_release;
    array->length = length;
    array->null_count = nulls;
    array->n_buffers = buffers;
    array->buffers = calloc((size_t)buffers + 1, sizeof *array->buffers);
    array->private_data = calloc((size_t)buffers + 1, sizeof(Block *));
    array->children = calloc((size_t)children + 1, sizeof *array->children);
    if (!array->buffers || !array->private_data || !array->children) return 0;
    for (; array->n_children < children; array->n_children++) {
        struct ArrowArray *child = calloc(1, sizeof *child);
        if (child == NULL) return 0;
        array->children[array->n_children] = child;
    }
    return 1;
}

void array_hold(struct ArrowArray *array, int64_t number, Block *block) {
    block_hold(block);
    ((Block **)array->private_data)[number] = block;
    array->buffers[number] = block->octets;
}

typedef struct {
    struct ArrowSchema schema;
    struct ArrowArray *arrays;
    int64_t count, next;
} Stream;

static int stream_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema) {
    Stream *own = stream->private_data;
    if (schema_copy(schema, &own->schema)) return 0;
    schema->release(schema);
    return ENOMEM;
}

static int stream_next(struct ArrowArrayStream *stream, struct ArrowArray *array) {
    Stream *own = stream->private_data;
    memset(array, 0, sizeof *array);
    if (own->next == own->count) return 0;
    *array = own->arrays[own->next];
    own->arrays[own->next++].release = NULL;
    return 0;
}

static const char *stream_error(struct ArrowArrayStream *stream) {
    (void)stream;
    return "out of memory"; /* the only one there is */
}

static void stream_release(struct ArrowArrayStream *stream) {
    Stream *own = stream->private_data;
    for (; own->next < own->count; own->next++) own->arrays[own->next].release(&own->arrays[own->next]);
    own->schema.release(&own->schema);
    free(own->arrays);
    free(own);
    stream->release = NULL;
}

int stream_make(struct ArrowArrayStream *stream, const struct ArrowSchema *schema,
                struct ArrowArray *arrays, int64_t count) {
    Stream *own = calloc(1, sizeof *own);
    memset(stream, 0, sizeof *stream);
    if (own == NULL) return 0;
    if (!schema_copy(&own->schema, schema)) {
        own->schema.release(&own->schema);
        free(own);
        return 0;
    }
    own->arrays = arrays;
    own->count = count;
    *stream = (struct ArrowArrayStream){stream_schema, stream_next, stream_error, stream_release, own};
    return 1;
}

/* Rows that an array may have: what all its places take can still be counted. */
#define MOST_ROWS (INT64_C(1) << 57)

static int text_width(const char *format) {
    static const struct {
        const char *format;
        int width;
    } known[] = {{"u", 4}, {"z", 4}, {"U", 8}, {"Z", 8}, {"vu", VIEW}, {"vz", VIEW}, {"n", 0}};
    for (size_t number = 0; number < sizeof known / sizeof *known; number++)
        if (strcmp(format, known[number].format) == 0) return known[number].width;
    return -1;
}

static int key_width(const char *format) {
    static const char known[] = "cCsSiIlL"; /* signed and unsigned, from 1 octet on */
    const char *found = format[0] != '\0' && format[1] == '\0' ? strchr(known, format[0]) : NULL;
    int place = found == NULL ? 0 : (int)(found - known), width = 1 << place / 2;
    return found == NULL ? 0 : place % 2 ? width : -width;
}

int kind_of(Kind *kind, const struct ArrowSchema *schema) {
    const struct ArrowSchema *texts = schema->dictionary == NULL ? schema : schema->dictionary;
    if (schema->release == NULL || texts->release == NULL) return 0; /* nothing else can be read */
    kind->key_width = schema->dictionary == NULL ? 0 : key_width(schema->format);
    kind->width = text_width(texts->format);
    return kind->width >= 0 && texts->dictionary == NULL &&
           (kind->key_width != 0) == (texts != schema);
}

/* Hold the numbers of an array to what can be. */
static const char *counted(const struct ArrowArray *array, int64_t fewest, int64_t most) {
    if (array->release == NULL) return "it has been released";
    if (array->length < 0 || array->length > MOST_ROWS || array->offset < 0 ||
        array->offset > MOST_ROWS)
        return "it has rows that cannot be";
    if (array->null_count < -1 || array->null_count > array->length)
        return "it has more nulls than rows";
    if (array->n_buffers < fewest || array->n_buffers > most)
        return "it has not the buffers of its type";
    return array->n_buffers && array->buffers == NULL ? "a buffer is missing" : NULL;
}

static const char *hold(Buffer *buffer, const void *octets, int64_t size) {
    *buffer = (Buffer){octets, size};
    return size && octets == NULL ? "a buffer is missing" : NULL;
}

static const char *hold_bits(Buffer *bits, const struct ArrowArray *array) {
    int64_t end = array->offset + array->length;
    if (array->buffers[0] != NULL && array->null_count != 0)
        return hold(bits, array->buffers[0], (end >> 3) + ((end & 7) != 0));
    return array->null_count > 0 ? "it has nulls and does not say where" : NULL;
}

/* The buffers that views point into; how large they are stands in the last. */
static const char *hold_parts(Taken *taken, const struct ArrowArray *array) {
    Texts *texts = &taken->rows.texts;
    const int64_t *sizes = array->buffers[array->n_buffers - 1];
    const char *wrong = NULL;
    texts->parts = array->n_buffers - 3;
    texts->data = taken->data = calloc((size_t)texts->parts + 1, sizeof *taken->data);
    if (taken->data == NULL) return "";
    if (texts->parts && sizes == NULL) return "it does not say how large its buffers are";
    for (int64_t number = 0; number < texts->parts && wrong == NULL; number++) {
        if (sizes[number] < 0) return "it does not say how large its buffers are";
        wrong = hold(&taken->data[number], array->buffers[number + 2], sizes[number]);
    }
    return wrong;
}

/* The octets of texts; how many they are stands where the last one ends. */
static const char *hold_octets(Taken *taken, const struct ArrowArray *array) {
    Texts *texts = &taken->rows.texts;
    int64_t end = array->offset + array->length, size = 0;
    int32_t narrow;
    texts->parts = 1;
    texts->data = taken->data = calloc(1, sizeof *taken->data);
    if (taken->data == NULL) return "";
    if (array->length) {
        const char *wrong = hold(&texts->places, array->buffers[1], (end + 1) * texts->width);
        if (wrong != NULL) return wrong;
        memcpy(&narrow, texts->places.octets + end * texts->width, sizeof narrow);
        size = narrow;
        if (texts->width == 8) memcpy(&size, texts->places.octets + end * 8, sizeof size);
    } else {
        texts->offset = 0; /* there need be no place */
    }
    return size < 0 ? "its texts end before they begin"
                    : hold(texts->data, array->buffers[2], size);
}

static const char *hold_nothing(Taken *taken, int64_t length) {
    Texts *texts = &taken->rows.texts;
    taken->nothing = block_new(length * VIEW);
    if (taken->nothing == NULL) return "";
    *texts = (Texts){.length = length, .width = VIEW};
    texts->places = (Buffer){taken->nothing->octets, length * VIEW};
    texts->validity = texts->places;
    return NULL;
}

static const char *hold_texts(Taken *taken, int width, const struct ArrowArray *array) {
    Texts *texts = &taken->rows.texts;
    const char *wrong;
    wrong = width == 0      ? counted(array, 0, MOST_ROWS)
            : width == VIEW ? counted(array, 3, MOST_ROWS)
                            : counted(array, 3, 3);
    if (wrong != NULL) return wrong;
    if (width == 0) return hold_nothing(taken, array->length);
    *texts = (Texts){.length = array->length, .offset = array->offset, .width = width};
    wrong = hold_bits(&texts->validity, array);
    if (wrong != NULL) return wrong;
    if (width != VIEW) return hold_octets(taken, array);
    wrong = hold(&texts->places, array->buffers[1], (array->offset + array->length) * VIEW);
    return wrong != NULL ? wrong : hold_parts(taken, array);
}

static const char *hold_keys(Taken *taken, const Kind *kind, const struct ArrowArray *array) {
    Rows *rows = &taken->rows;
    int width = kind->key_width < 0 ? -kind->key_width : kind->key_width;
    const char *wrong = counted(array, 2, 2);
    if (wrong != NULL) return wrong;
    if (array->dictionary == NULL) return "its dictionary is missing";
    rows->key_width = kind->key_width;
    rows->key_offset = array->offset;
    wrong = hold_bits(&rows->key_validity, array);
    return wrong != NULL
               ? wrong
               : hold(&rows->keys, array->buffers[1], (array->offset + array->length) * width);
}

const char *take_rows(Taken *taken, const Kind *kind, const struct ArrowArray *array) {
    const char *wrong = NULL;
    memset(taken, 0, sizeof *taken);
    if (kind->key_width) wrong = hold_keys(taken, kind, array);
    if (wrong == NULL)
        wrong = hold_texts(taken, kind->width, kind->key_width ? array->dictionary : array);
    if (wrong != NULL) return wrong;
    taken->rows.length = array->length;
    return rows_fit(&taken->rows) ? NULL : "its buffers are too small";
}

void taken_drop(Taken *taken) {
    free(taken->data);
    block_drop(taken->nothing);
    memset(taken, 0, sizeof *taken);
}
