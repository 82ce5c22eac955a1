#include "taking.h"

#include <string.h>

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
