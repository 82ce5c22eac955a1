#include "arrow.h"

#include <errno.h>
#include <string.h>

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
