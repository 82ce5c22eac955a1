#include "series.h"

#include <string.h>

void series_drop(struct Series *series) {
    for (size_t number = 0; number < series->length; number++) {
        struct ArrowArray *array = series->arrays[number];
        if (array->release != NULL) array->release(array);
    }
    if (series->release != NULL) series->release(series);
}

/* What the arrays hold is not theirs any more: Polars has moved it elsewhere. */
static void let_go(struct Series *series) {
    if (series->schema->release != NULL) series->schema->release(series->schema);
    free(series->schema);
    free(series->private_data);
    free(series->arrays);
    series->release = NULL;
}

int series_make(struct Series *series, size_t arrays) {
    struct ArrowArray *own = calloc(arrays + 1, sizeof *own);
    struct ArrowArray **places = calloc(arrays + 1, sizeof *places);
    struct ArrowSchema *schema = calloc(1, sizeof *schema);
    if (own == NULL || places == NULL || schema == NULL) {
        free(own);
        free(places);
        free(schema);
        return 0;
    }
    for (size_t number = 0; number < arrays; number++) places[number] = &own[number];
    *series = (struct Series){schema, places, arrays, let_go, own};
    return 1;
}
