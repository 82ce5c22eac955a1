/* What Polars finds by name in this library when an expression is a function of it. It calls from any
   of its threads, from several at once, and without Python's lock: two calls share nothing, since
   each brings its own tables. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "order.h"
#include "series.h"
#include "taking.h"
#include "views.h"

#define EXPORTED __attribute__((visibility("default")))
#define PLUGIN_VERSION 1 /* 0.1: the major number in the upper 16 bits */

static _Thread_local char message[256];

EXPORTED uint32_t _polars_plugin_get_version(void);
EXPORTED const char *_polars_plugin_get_last_error_message(void);

uint32_t _polars_plugin_get_version(void) { return PLUGIN_VERSION; }

const char *_polars_plugin_get_last_error_message(void) { return message; }

/* Say why nothing is handed out. */
static int refuse(const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    return 0;
}

static int no_memory(void) { return refuse("there is no memory left"); }

static int gone_through(int64_t done) {
    if (done == DONE) return 1;
    if (done == NO_MEMORY) return no_memory();
    if (done == NO_ROOM) return refuse("column: a text of it is longer than 2 GiB");
    if (done == WRONG_TABLES) return refuse("the tables tell what no text can have");
    return refuse("column: row %lld lies outside of its buffers", (long long)done);
}

/* An array of what was made: which rows are there, the values, and as many buffers more. */
static int give(struct ArrowArray *array, int64_t rows, const Made *made, int64_t more) {
    if (!array_make(array, rows, made->nulls, 2 + more, 0)) return no_memory();
    if (made->nulls) array_hold(array, 0, made->validity);
    array_hold(array, 1, made->values);
    return 1;
}

typedef int64_t (*Verdicts)(const Tables *, uint32_t, const Rows *, Made *);

static int give_fixed(const Order *order, const Rows *rows, struct ArrowArray *array,
                      int (*begin)(Made *, int64_t), Verdicts way) {
    Made made;
    int64_t done = NO_MEMORY;
    int given;
    if (begin(&made, rows->length)) done = way(&order->tables, order->start, rows, &made);
    given = gone_through(done) && give(array, rows->length, &made, 0);
    made_drop(&made);
    return given;
}

static int give_verdicts(const Order *order, const Rows *rows, struct ArrowArray *array) {
    return give_fixed(order, rows, array, made_bits, column_verdicts);
}

static int give_stops(const Order *order, const Rows *rows, struct ArrowArray *array) {
    return give_fixed(order, rows, array, made_numbers, column_stops);
}

/* An array of views: behind them the blocks that they point into, and how large these are. */
static int give_views(struct ArrowArray *array, int64_t rows, const Made *made, const Kept *kept,
                      int is_user) {
    int64_t blocks = is_user ? kept->count : 0;
    Block *sizes = block_new(blocks * (int64_t)sizeof(int64_t));
    int given = sizes != NULL ? give(array, rows, made, blocks + 1) : no_memory();
    for (int64_t number = 0; given && number < blocks; number++) {
        array_hold(array, 2 + number, kept->blocks[number]);
        memcpy(sizes->octets + number * 8, &kept->blocks[number]->size, 8);
    }
    if (given) array_hold(array, 2 + blocks, sizes);
    block_drop(sizes);
    return given;
}

/* What is wanted of each text: columns of a struct, or a column that stands alone. */
static int give_parts(const Order *order, const Rows *rows, struct ArrowArray *array, int is_struct) {
    Made whole, made[MOST_COLUMNS];
    Kept kept;
    int64_t done = NO_MEMORY, count = order->count;
    int ready, given;
    memset(made, 0, sizeof made);
    memset(&kept, 0, sizeof kept);
    ready = made_bits(&whole, rows->length);
    for (int64_t number = 0; number < count && ready; number++)
        ready = made_views(&made[number], rows->length);
    if (ready)
        done = column_views(&order->tables, order->start, rows, order->wanted, count, made, &whole,
                            &kept);
    given = gone_through(done);
    if (given && is_struct) {
        given = array_make(array, rows->length, whole.nulls, 1, count) || no_memory();
        if (given && whole.nulls) array_hold(array, 0, whole.validity);
    }
    for (int64_t number = 0; number < count && given; number++)
        given = give_views(is_struct ? array->children[number] : array, rows->length, &made[number],
                           &kept, kept.users >> number & 1);
    made_drop(&whole);
    for (int64_t number = 0; number < count; number++) made_drop(&made[number]);
    kept_drop(&kept);
    return given;
}

static int give_struct(const Order *order, const Rows *rows, struct ArrowArray *array) {
    return give_parts(order, rows, array, 1);
}

static int give_one(const Order *order, const Rows *rows, struct ArrowArray *array) {
    return give_parts(order, rows, array, 0);
}

/* A function: what it makes of a chunk of rows, and the type of that. */
typedef struct {
    const char *format;
    int64_t columns; /* that it takes in its order; -1 for as many as there are */
    int (*way)(const Order *order, const Rows *rows, struct ArrowArray *array);
} Function;

static const Function is_valid = {"b", 0, give_verdicts};
static const Function stop = {"l", 0, give_stops};
static const Function split = {"+s", -1, give_struct};
static const Function component = {"vu", 1, give_one};

static int ordered(Order *order, const Function *function, const uint8_t *arguments, size_t size) {
    const char *wrong = order_read(order, arguments, size);
    if (wrong != NULL) return refuse("%s", wrong);
    if (function->columns < 0 || function->columns == order->count) return 1;
    return refuse("the arguments are those of another function");
}

/* A type in the words of Polars. */
static const char *type_name(const struct ArrowSchema *schema) {
    static const struct {
        const char *begins, *name;
    } known[] = {
        {"b", "Boolean"},       {"c", "Int8"},          {"C", "UInt8"},
        {"s", "Int16"},         {"S", "UInt16"},        {"i", "Int32"},
        {"I", "UInt32"},        {"l", "Int64"},         {"L", "UInt64"},
        {"_pli128", "Int128"},  {"_plu128", "UInt128"}, {"e", "Float16"},
        {"f", "Float32"},       {"g", "Float64"},       {"d:", "Decimal"},
        {"td", "Date"},         {"tt", "Time"},         {"ts", "Datetime"},
        {"tD", "Duration"},     {"+l", "List"},         {"+L", "List"},
        {"+w", "Array"},        {"+s", "Struct"},       {"w:", "Object"},
    };
    for (size_t number = 0; number < sizeof known / sizeof *known; number++)
        if (strncmp(schema->format, known[number].begins, strlen(known[number].begins)) == 0)
            return known[number].name;
    return schema->format;
}

/* The type that a function makes of a column of a type. */
static int give_type(const Function *function, const Order *order, const struct ArrowSchema *given,
                     Kind *kind, struct ArrowSchema *schema) {
    int64_t children = function->columns < 0 ? order->count : 0;
    if (given->release == NULL) return refuse("column: it has been released");
    if (!kind_of(kind, given))
        return refuse("column holds texts (String, Binary, Categorical or Enum), not %s",
                      type_name(given));
    if (!schema_make(schema, function->format, given->name == NULL ? "" : given->name, children))
        return no_memory();
    for (int64_t number = 0; number < children; number++)
        if (!schema_make(schema->children[number], "vu", order->names[number], 0))
            return no_memory();
    schema->private_data = schema->children; /* what has none is taken for no type */
    return 1;
}

static int give_rows(const Function *function, const Order *order, const Kind *kind,
                     const struct ArrowArray *given, struct ArrowArray *array) {
    Taken taken;
    const char *wrong = take_rows(&taken, kind, given);
    int done = wrong == NULL    ? function->way(order, &taken.rows, array)
               : *wrong == '\0' ? no_memory()
                                : refuse("column: %s", wrong);
    taken_drop(&taken);
    return done;
}

static int give_series(const Function *function, Order *order, const struct Series *given,
                       struct Series *series) {
    static const Rows none = {.texts.width = VIEW};
    const char *wrong = order_load(order);
    Kind kind;
    int done = 1;
    if (wrong != NULL)
        return *wrong == '\0' ? no_memory() : refuse("the arguments are damaged: %s", wrong);
    if (!give_type(function, order, given->schema, &kind, series->schema)) return 0;
    if (given->length == 0) return function->way(order, &none, series->arrays[0]);
    for (size_t number = 0; number < given->length && done; number++)
        done = give_rows(function, order, &kind, given->arrays[number], series->arrays[number]);
    return done;
}

/* What Polars calls: the series that are given become its own, and one is made, or nothing. */
static void call(const Function *function, const struct Series *given, size_t count,
                 const uint8_t *arguments, size_t size, struct Series *made) {
    struct Series series, own;
    Order order;
    if (count != 1)
        refuse("%zu columns are given to a function of one", count);
    else if (ordered(&order, function, arguments, size)) {
        if (!series_make(&series, given->length ? given->length : 1))
            no_memory();
        else if (give_series(function, &order, given, &series))
            *made = series;
        else
            series_drop(&series);
        order_drop(&order);
    }
    for (size_t number = 0; number < count; number++) {
        own = given[number];
        series_drop(&own);
    }
}

/* Same, for the type of what is made; what is given stays with Polars. */
static void call_for_type(const Function *function, const struct ArrowSchema *given, size_t count,
                          struct ArrowSchema *made, const uint8_t *arguments, size_t size) {
    struct ArrowSchema schema = {0};
    Order order;
    Kind kind;
    if (count != 1)
        refuse("%zu columns are given to a function of one", count);
    else if (ordered(&order, function, arguments, size)) {
        if (give_type(function, &order, given, &kind, &schema))
            *made = schema;
        else if (schema.release != NULL)
            schema.release(&schema);
    }
}

#define FUNCTION(name)                                                                             \
    EXPORTED void _polars_plugin_##name(const struct Series *, size_t, const uint8_t *, size_t,    \
                                        struct Series *, const void *);                            \
    EXPORTED void _polars_plugin_field_##name(const struct ArrowSchema *, size_t,                  \
                                              struct ArrowSchema *, const uint8_t *, size_t);      \
    void _polars_plugin_##name(const struct Series *given, size_t count, const uint8_t *arguments, \
                               size_t size, struct Series *made, const void *context) {            \
        (void)context;                                                                             \
        call(&name, given, count, arguments, size, made);                                          \
    }                                                                                              \
    void _polars_plugin_field_##name(const struct ArrowSchema *given, size_t count,                \
                                     struct ArrowSchema *made, const uint8_t *arguments,           \
                                     size_t size) {                                                \
        call_for_type(&name, given, count, made, arguments, size);                                 \
    }
FUNCTION(is_valid)
FUNCTION(stop)
FUNCTION(split)
FUNCTION(component)
