#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "columns.h"

/* What is to be made of columns, in octets that travel with an expression to wherever it is run: they
   are written by `uriparse.arrow.rows`. Nothing here knows Python. */

#define MOST_COLUMNS 16
#define MOST_NAMES 32
#define LONGEST_NAME 31

typedef struct {
    uint32_t start;
    int64_t count; /* of columns that are wanted of a text */
    Wanted wanted[MOST_COLUMNS];
    char names[MOST_COLUMNS][LONGEST_NAME + 1]; /* of these columns */
    Buffer constants[MOST_NAMES];               /* what `wanted` points into */
    Buffer octets;                              /* of the tables */
    Tables tables;                              /* empty until they are loaded */
} Order;

/* From the arguments that Polars hands on: a dictionary of one entry, "order", as Python pickles it.
   NULL, or what is wrong; nothing is to be dropped. */
const char *order_read(Order *order, const uint8_t *pickled, size_t size);

/* Take its tables over, checked; "" where memory has run out. */
const char *order_load(Order *order);
void order_drop(Order *order);

/* Octets that are still to be read. */
typedef struct {
    const uint8_t *at, *end;
} Reading;

static const uint8_t *next(Reading *reading, size_t size) {
    const uint8_t *found = reading->at;
    if ((size_t)(reading->end - found) < size) return NULL;
    reading->at += size;
    return found;
}

/* A number of so many octets, the lowest first; -1 where there are not so many, or it is too large. */
static int64_t number(Reading *reading, size_t width) {
    const uint8_t *octets = next(reading, width);
    uint64_t found = 0;
    if (octets == NULL) return -1;
    for (size_t place = 0; place < width; place++) found |= (uint64_t)octets[place] << 8 * place;
    return found > INT64_MAX ? -1 : (int64_t)found;
}

/* Octets behind their number. */
static int counted(Reading *reading, size_t width, Buffer *found) {
    int64_t size = number(reading, width);
    if (size < 0 || (uint64_t)size > SIZE_MAX) return 0;
    *found = (Buffer){next(reading, (size_t)size), size};
    return found->octets != NULL;
}

/* What pickle writes of a dictionary of one entry whose value is octets (protocols 4 and 5). */
enum { PROTOCOL = 0x80, TEXT = 0x8C, MEMOIZE = 0x94, FRAME = 0x95, LARGE = 0x8E };
enum { SMALL = 'C', MIDDLE = 'B', DICTIONARY = '}', ENTRY = 's', STOP = '.' };
#define ENTRY_NAME "order"

/* The next operation but for those that only concern how a pickle is read and kept. */
static int64_t operation(Reading *reading) {
    for (;;) {
        int64_t found = number(reading, 1);
        if (found == FRAME && next(reading, 8) == NULL) return -1;
        if (found != FRAME && found != MEMOIZE) return found;
    }
}

static int unpickled(Reading *reading, Buffer *value) {
    Buffer name;
    int64_t width;
    if (operation(reading) != PROTOCOL || number(reading, 1) < 0) return 0;
    if (operation(reading) != DICTIONARY) return 0;
    if (operation(reading) != TEXT || !counted(reading, 1, &name)) return 0;
    if (name.size != sizeof ENTRY_NAME - 1 || memcmp(name.octets, ENTRY_NAME, sizeof ENTRY_NAME - 1))
        return 0;
    width = operation(reading);
    width = width == SMALL ? 1 : width == MIDDLE ? 4 : width == LARGE ? 8 : 0;
    if (width == 0 || !counted(reading, (size_t)width, value)) return 0;
    return operation(reading) == ENTRY && operation(reading) == STOP && reading->at == reading->end;
}

/* A name, in letters that are a text in any case. */
static int named(Reading *reading, Buffer *name) {
    if (!counted(reading, 1, name)) return 0;
    for (int64_t at = 0; at < name->size; at++)
        if (name->octets[at] < 0x20 || name->octets[at] > 0x7E) return 0;
    return 1;
}

/* A column: its name, and its fields; or no fields, a constant and the names of its values. */
static int read_column(Order *order, Reading *reading, Wanted *wanted, char *name) {
    Buffer text;
    int64_t constant, values;
    if (!named(reading, &text) || text.size > LONGEST_NAME) return 0;
    memcpy(name, text.octets, (size_t)text.size);
    if (!counted(reading, 1, &text) || text.size > MOST_PLACES / 2) return 0;
    memcpy(wanted->fields, text.octets, (size_t)text.size);
    wanted->count = text.size;
    if (wanted->count) return 1;
    constant = number(reading, 1);
    values = number(reading, 1);
    if (constant < 0 || values < 0) return 0;
    wanted->constant = (uint8_t)constant;
    wanted->names = order->constants;
    for (; wanted->named < values; wanted->named++)
        if (wanted->named == MOST_NAMES || !named(reading, &order->constants[wanted->named]))
            return 0;
    return 1;
}

const char *order_read(Order *order, const uint8_t *pickled, size_t size) {
    Reading reading = {pickled, pickled + size};
    Buffer value;
    const uint8_t *mark;
    int64_t start, constants = 0;
    memset(order, 0, sizeof *order);
    if (pickled == NULL || !unpickled(&reading, &value))
        return "the arguments are not those that uriparse.polars gives";
    reading = (Reading){value.octets, value.octets + value.size};
    mark = next(&reading, 4);
    if (mark == NULL || memcmp(mark, "ASKS", 4) != 0 || number(&reading, 2) != ORDER_FORMAT)
        return "the arguments are those of another version of uriparse";
    start = number(&reading, 2);
    order->count = number(&reading, 1);
    if (start < 0 || order->count < 0 || order->count > MOST_COLUMNS)
        return "the arguments are damaged";
    order->start = (uint32_t)start;
    for (int64_t column = 0; column < order->count; column++) {
        Wanted *wanted = &order->wanted[column];
        if (!read_column(order, &reading, wanted, order->names[column]))
            return "the arguments are damaged";
        constants += wanted->names != NULL;
    }
    if (constants > 1) return "the arguments are damaged"; /* there is room for the names of one */
    order->octets = (Buffer){reading.at, reading.end - reading.at};
    return NULL;
}

const char *order_load(Order *order) {
    const char *wrong =
        tables_load(&order->tables, order->octets.octets, (size_t)order->octets.size);
    const Tables *tables = &order->tables;
    if (wrong != NULL) return wrong;
    if (order->start >= tables->states) return "the tables have no such state";
    for (int64_t column = 0; column < order->count; column++) {
        const Wanted *wanted = &order->wanted[column];
        if (wanted->names != NULL && wanted->constant >= tables->constants)
            return "the tables do not tell what is wanted";
        for (int64_t field = 0; field < wanted->count; field++)
            if (wanted->fields[field] >= tables->places / 2)
                return "the tables do not tell what is wanted";
    }
    return NULL;
}

void order_drop(Order *order) { tables_free(&order->tables); }

/* Series as Polars hands them to functions of its plugins and takes them back (version 0.1, of the
   crate polars-ffi): the arrays of a column, and its type. Nothing here knows Python. */

struct Series {
    struct ArrowSchema *schema;
    struct ArrowArray **arrays;
    size_t length;
    void (*release)(struct Series *); /* lets go of all but what the arrays hold */
    void *private_data;               /* NULL for a series that there is none of */
};

/* Make a series of so many arrays, whose schema and arrays are all zeros yet; 0 where memory has run
   out. */
int series_make(struct Series *series, size_t arrays);

/* Let go of a series and of its arrays: one that was handed in, or that is not handed out. */
void series_drop(struct Series *series);

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

/* What Polars finds by name in this library when an expression is a function of it. It calls from any
   of its threads, from several at once, and without Python's lock: two calls share nothing, since
   each brings its own tables. */

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
