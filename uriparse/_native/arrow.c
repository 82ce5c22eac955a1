/* Arrow arrays: rows read from them, blocks, and arrays made of blocks. */

#include "columns.h"

#include <errno.h>
#include <string.h>

#ifdef _MSC_VER
#include <intrin.h>
#define ADD_OWNER(owners) _InterlockedIncrement(&(owners))
#define DROP_OWNER(owners) _InterlockedDecrement(&(owners))
#else
#define ADD_OWNER(owners) __atomic_add_fetch(&(owners), 1, __ATOMIC_RELAXED)
#define DROP_OWNER(owners) __atomic_sub_fetch(&(owners), 1, __ATOMIC_ACQ_REL)
#endif

/* ---- Rows. Each is checked as it is read: what a check of the whole column would cost, a column of
   which few rows are read need not pay. */

/* Offsets are copied out, since nothing guarantees that the buffer is aligned. */
static int64_t offset_at(const uint8_t *item, int width) {
    int32_t narrow;
    int64_t wide;
    if (width == 4) {
        memcpy(&narrow, item, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, item, sizeof wide);
    return wide;
}

static int bit_is_set(const Buffer *validity, int64_t at) {
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
    /* Sums may overflow: the numbers come from outside. */
    if (rows->length < 0 || texts->length < 0 || texts->offset < 0 || rows->key_offset < 0)
        return 0;
    if (texts->width != 4 && texts->width != 8 && texts->width != VIEW) return 0;
    if (texts->width != VIEW && texts->data_count != 1) return 0;
    if (texts->offset >= INT64_MAX - texts->length) return 0;
    end = texts->length + texts->offset;
    if (!bits_fit(&texts->validity, end)) return 0;
    if (end && !items_fit(&texts->items, end + (texts->width != VIEW), texts->width)) return 0;
    if (key == 0) return rows->length == texts->length;
    if (key != 1 && key != 2 && key != 4 && key != 8) return 0;
    if (rows->key_offset > INT64_MAX - rows->length) return 0;
    end = rows->length + rows->key_offset;
    return bits_fit(&rows->key_validity, end) && items_fit(&rows->keys, end, key);
}

static int key_at(const Rows *rows, int64_t row, int64_t *key) {
    int width = rows->key_width < 0 ? -rows->key_width : rows->key_width;
    const uint8_t *item = rows->keys.octets + (row + rows->key_offset) * width;
    uint8_t octet;
    uint16_t u16;
    uint32_t u32;
    switch (width) { /* Arrow stores numbers in the byte order of the machine */
    case 1: memcpy(&octet, item, sizeof octet), *key = octet; break;
    case 2: memcpy(&u16, item, sizeof u16), *key = u16; break;
    case 4: memcpy(&u32, item, sizeof u32), *key = u32; break;
    default: memcpy(key, item, sizeof *key);
    }
    /* A key of fewer than 8 octets was read as unsigned: its sign is the highest bit. */
    if (rows->key_width < 0 && width < 8 && *key >> (8 * width - 1)) return 0;
    return *key >= 0 && *key < rows->texts.length;
}

static int view_text(const Texts *texts, const uint8_t *view, const uint8_t **text, size_t *size) {
    int32_t facts[4]; /* the size; the first octets; the number of the buffer; the offset there */
    const Buffer *data;
    memcpy(facts, view, sizeof facts);
    if (facts[0] < 0) return -1;
    *size = (size_t)facts[0];
    *text = view + 4;
    if (facts[0] <= INLINE) return 1;
    if (facts[2] < 0 || facts[2] >= texts->data_count || facts[3] < 0) return -1;
    data = &texts->data[facts[2]];
    if (data->octets == NULL || data->size - facts[0] < facts[3]) return -1;
    *text = data->octets + facts[3];
    return 1;
}

int rows_text(const Rows *rows, int64_t row, const uint8_t **text, size_t *size) {
    const Texts *texts = &rows->texts;
    const uint8_t *item;
    int64_t begin, end;
    if (rows->key_width) {
        if (!bit_is_set(&rows->key_validity, row + rows->key_offset)) return 0;
        if (!key_at(rows, row, &row)) return -1;
    }
    row += texts->offset;
    if (!bit_is_set(&texts->validity, row)) return 0;
    item = texts->items.octets + row * texts->width;
    if (texts->width == VIEW) return view_text(texts, item, text, size);
    begin = offset_at(item, texts->width);
    end = offset_at(item + texts->width, texts->width);
    if (begin < 0 || end < begin || end > texts->data->size) return -1;
    *size = (size_t)(end - begin);
    /* Without data its address may be NULL, to which nothing may be added. */
    *text = *size ? texts->data->octets + begin : (const uint8_t *)"";
    return *size && texts->data->octets == NULL ? -1 : 1;
}

/* ---- Blocks. */

Block *block_new(int64_t size) {
    Block *block = (uint64_t)size > SIZE_MAX ? NULL : malloc(sizeof *block);
    if (block == NULL) return NULL;
    block->owners = 1;
    block->size = size;
    block->room = size ? size : 1; /* calloc of 0 octets may return NULL */
    block->octets = calloc(1, (size_t)block->room);
    if (block->octets != NULL) return block;
    free(block);
    return NULL;
}

/* An owner adds another: it needs no order, as the block is alive anyway. */
void block_retain(Block *block) { ADD_OWNER(block->owners); }

/* The last owner, in whatever thread, must see all that the others have written: acquire, release. */
void block_release(Block *block) {
    if (block == NULL || DROP_OWNER(block->owners) > 0) return;
    free(block->octets);
    free(block);
}

int block_grow(Block *block, int64_t more) {
    int64_t needed, room;
    uint8_t *octets;
    if (more > INT64_MAX - block->size) return 0;
    needed = block->size + more;
    if (needed <= block->room) return 1;
    /* Doubled, so that a column of n octets is copied less than twice in all. */
    room = needed > INT64_MAX / 2 ? needed : 2 * needed;
    octets = (uint64_t)room > SIZE_MAX ? NULL : realloc(block->octets, (size_t)room);
    if (octets == NULL) return 0;
    block->octets = octets;
    block->room = room;
    return 1;
}

/* ---- Export. A released struct has `release` set to NULL, as the specification demands. Children are
   counted as they are made, so that a struct that is not complete can be released, too. */

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

static char *copied(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}

int schema_make(struct ArrowSchema *schema, const char *format, const char *name,
                int64_t children) {
    memset(schema, 0, sizeof *schema);
    schema->release = schema_release;
    schema->flags = ARROW_FLAG_NULLABLE;
    schema->format = copied(format);
    schema->name = copied(name);
    schema->children = calloc((size_t)children + 1, sizeof *schema->children); /* + 1: never 0 */
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
        if (child->release != NULL) child->release(child); /* NULL: it has been moved away */
        free(child);
    }
    for (int64_t number = 0; blocks != NULL && number < array->n_buffers; number++)
        block_release(blocks[number]);
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

void array_set_buffer(struct ArrowArray *array, int64_t number, Block *block) {
    block_retain(block);
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
    own->arrays[own->next++].release = NULL; /* moved: the consumer releases it */
    return 0;
}

static const char *stream_error(struct ArrowArrayStream *stream) {
    (void)stream;
    return "out of memory"; /* the only error there is */
}

static void stream_release(struct ArrowArrayStream *stream) {
    Stream *own = stream->private_data;
    for (; own->next < own->count; own->next++)
        own->arrays[own->next].release(&own->arrays[own->next]);
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
    /* From here on the stream owns the arrays; after an error the caller still does. */
    *stream =
        (struct ArrowArrayStream){stream_schema, stream_next, stream_error, stream_release, own};
    return 1;
}

/* ---- Import. Nothing of an array is trusted but that its buffers have the sizes it implies, which
   the interface does not state. */

/* The most rows of an array: the octets of their items, 16 each, still fit 64 bits. */
#define MAX_ROWS (INT64_C(1) << 57)

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
    static const char known[] = "cCsSiIlL"; /* signed, unsigned: of 1, 2, 4 and 8 octets */
    const char *found = format[0] != '\0' && format[1] == '\0' ? strchr(known, format[0]) : NULL;
    int index = found == NULL ? 0 : (int)(found - known), width = 1 << index / 2;
    return found == NULL ? 0 : index % 2 ? width : -width;
}

int column_type(ColumnType *type, const struct ArrowSchema *schema) {
    const struct ArrowSchema *texts = schema->dictionary == NULL ? schema : schema->dictionary;
    if (schema->release == NULL || texts->release == NULL || !schema->format || !texts->format)
        return 0;
    type->key_width = schema->dictionary == NULL ? 0 : key_width(schema->format);
    type->width = text_width(texts->format);
    return type->width >= 0 && texts->dictionary == NULL &&
           (type->key_width != 0) == (texts != schema);
}

/* Check the numbers of an array. */
static const char *check_counts(const struct ArrowArray *array, int64_t fewest, int64_t most) {
    if (array->release == NULL) return "it has been released";
    if (array->length < 0 || array->length > MAX_ROWS || array->offset < 0 ||
        array->offset > MAX_ROWS)
        return "its length or its offset is not possible";
    if (array->null_count < -1 || array->null_count > array->length)
        return "it has more nulls than rows";
    if (array->n_buffers < fewest || array->n_buffers > most)
        return "its buffers are not those of its type";
    return array->n_buffers && array->buffers == NULL ? "a buffer is missing" : NULL;
}

static const char *import_buffer(Buffer *buffer, const void *octets, int64_t size) {
    *buffer = (Buffer){octets, size};
    return size && octets == NULL ? "a buffer is missing" : NULL;
}

static const char *import_validity(Buffer *bits, const struct ArrowArray *array) {
    int64_t end = array->offset + array->length;
    if (array->buffers[0] != NULL && array->null_count != 0)
        return import_buffer(bits, array->buffers[0], (end >> 3) + ((end & 7) != 0));
    return array->null_count > 0 ? "it has nulls and does not say where" : NULL;
}

/* Import the buffers that views point into; the last buffer holds the sizes of the others. */
static const char *import_view_data(ImportedRows *imported, const struct ArrowArray *array) {
    Texts *texts = &imported->rows.texts;
    const int64_t *sizes = array->buffers[array->n_buffers - 1];
    const char *wrong = NULL;
    texts->data_count = array->n_buffers - 3;
    texts->data = imported->data = calloc((size_t)texts->data_count + 1, sizeof *imported->data);
    if (imported->data == NULL) return "";
    if (texts->data_count && sizes == NULL) return "it does not say how large its buffers are";
    for (int64_t number = 0; number < texts->data_count && wrong == NULL; number++) {
        if (sizes[number] < 0) return "it does not say how large its buffers are";
        wrong = import_buffer(&imported->data[number], array->buffers[number + 2], sizes[number]);
    }
    return wrong;
}

/* Import the octets of texts; their number is the last offset. */
static const char *import_string_data(ImportedRows *imported, const struct ArrowArray *array) {
    Texts *texts = &imported->rows.texts;
    int64_t end = array->offset + array->length, size = 0;
    int32_t narrow;
    texts->data_count = 1;
    texts->data = imported->data = calloc(1, sizeof *imported->data);
    if (imported->data == NULL) return "";
    if (array->length) {
        const char *wrong =
            import_buffer(&texts->items, array->buffers[1], (end + 1) * texts->width);
        if (wrong != NULL) return wrong;
        memcpy(&narrow, texts->items.octets + end * texts->width, sizeof narrow);
        size = narrow;
        if (texts->width == 8) memcpy(&size, texts->items.octets + end * 8, sizeof size);
    } else {
        texts->offset = 0; /* an empty array need not have offsets */
    }
    return size < 0 ? "its last offset is negative"
                    : import_buffer(texts->data, array->buffers[2], size);
}

/* A column of nulls has no buffers. One block of zeros is both its views and its validity bits. */
static const char *import_nulls(ImportedRows *imported, int64_t length) {
    Texts *texts = &imported->rows.texts;
    imported->nulls = block_new(length * VIEW);
    if (imported->nulls == NULL) return "";
    *texts = (Texts){.length = length, .width = VIEW};
    texts->items = (Buffer){imported->nulls->octets, length * VIEW};
    texts->validity = texts->items;
    return NULL;
}

static const char *import_texts(ImportedRows *imported, int width, const struct ArrowArray *array) {
    Texts *texts = &imported->rows.texts;
    const char *wrong;
    wrong = width == 0      ? check_counts(array, 0, MAX_ROWS)
            : width == VIEW ? check_counts(array, 3, MAX_ROWS)
                            : check_counts(array, 3, 3);
    if (wrong != NULL) return wrong;
    if (width == 0) return import_nulls(imported, array->length);
    *texts = (Texts){.length = array->length, .offset = array->offset, .width = width};
    wrong = import_validity(&texts->validity, array);
    if (wrong != NULL) return wrong;
    if (width != VIEW) return import_string_data(imported, array);
    wrong = import_buffer(&texts->items, array->buffers[1], (array->offset + array->length) * VIEW);
    return wrong != NULL ? wrong : import_view_data(imported, array);
}

static const char *import_keys(ImportedRows *imported, const ColumnType *type,
                               const struct ArrowArray *array) {
    Rows *rows = &imported->rows;
    int width = type->key_width < 0 ? -type->key_width : type->key_width;
    const char *wrong = check_counts(array, 2, 2);
    if (wrong != NULL) return wrong;
    if (array->dictionary == NULL) return "its dictionary is missing";
    rows->key_width = type->key_width;
    rows->key_offset = array->offset;
    wrong = import_validity(&rows->key_validity, array);
    return wrong != NULL ? wrong
                         : import_buffer(&rows->keys, array->buffers[1],
                                         (array->offset + array->length) * width);
}

const char *import_rows(ImportedRows *imported, const ColumnType *type,
                        const struct ArrowArray *array) {
    const char *wrong = NULL;
    memset(imported, 0, sizeof *imported);
    if (type->key_width) wrong = import_keys(imported, type, array);
    if (wrong == NULL)
        wrong = import_texts(imported, type->width, type->key_width ? array->dictionary : array);
    if (wrong != NULL) return wrong;
    imported->rows.length = array->length;
    return rows_fit(&imported->rows) ? NULL : "its buffers are too small";
}

void imported_drop(ImportedRows *imported) {
    free(imported->data);
    block_release(imported->nulls);
    memset(imported, 0, sizeof *imported);
}
