/* The plugin of Polars: the functions that Polars finds by name in this library.

   Polars calls them from any of its threads, from several at once, and without Python's lock. Two calls
   share nothing, since each brings its own tables in its order: no lock is needed. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "columns.h"

/* ---- Orders: what to make of a column. `uriparse.arrow.rules` writes them as octets, which travel with
   an expression to whatever process runs it; uriparse need not be imported there. */

#define MAX_COLUMNS 16
#define MAX_NAMES 32
#define LONGEST_NAME 31

typedef struct {
    uint32_t start;
    int64_t count; /* of the columns to make */
    Selection selection[MAX_COLUMNS];
    char names[MAX_COLUMNS][LONGEST_NAME + 1]; /* of these columns */
    Buffer constants[MAX_NAMES];               /* the names that `selection` points to */
    Buffer octets;                             /* of the tables; borrowed from the arguments */
    Tables tables;                             /* empty until they are loaded */
} Order;

/* The octets that are still to be read. */
typedef struct {
    const uint8_t *at, *end;
} Cursor;

static const uint8_t *take_octets(Cursor *cursor, size_t size) {
    const uint8_t *found = cursor->at;
    if ((size_t)(cursor->end - found) < size) return NULL;
    cursor->at += size;
    return found;
}

/* Read a number of so many octets, the lowest first; -1 if there are fewer, or it is too large. */
static int64_t read_number(Cursor *cursor, size_t width) {
    const uint8_t *octets = take_octets(cursor, width);
    uint64_t found = 0;
    if (octets == NULL) return -1;
    for (size_t n = 0; n < width; n++) found |= (uint64_t)octets[n] << 8 * n;
    return found > INT64_MAX ? -1 : (int64_t)found;
}

/* Read octets that follow their number. */
static int read_sized(Cursor *cursor, size_t width, Buffer *found) {
    int64_t size = read_number(cursor, width);
    if (size < 0 || (uint64_t)size > SIZE_MAX) return 0;
    *found = (Buffer){take_octets(cursor, (size_t)size), size};
    return found->octets != NULL;
}

/* Polars pickles the arguments of a plugin: a dictionary with one entry, whose value is octets. Only
   the opcodes that Python writes for that are read, in protocols 4 and 5; all else is refused, since
   a pickle may ask for any code to be run. */
enum { PROTOCOL = 0x80, TEXT = 0x8C, MEMOIZE = 0x94, FRAME = 0x95, LARGE = 0x8E };
enum { SMALL = 'C', MIDDLE = 'B', DICTIONARY = '}', ENTRY = 's', STOP = '.' };
#define ENTRY_NAME "order"

/* Skip opcodes that only serve reading in chunks and sharing: frames and memo entries. */
static int64_t next_opcode(Cursor *cursor) {
    for (;;) {
        int64_t found = read_number(cursor, 1);
        if (found == FRAME && take_octets(cursor, 8) == NULL) return -1;
        if (found != FRAME && found != MEMOIZE) return found;
    }
}

static int unpickle(Cursor *cursor, Buffer *value) {
    Buffer name;
    int64_t width;
    if (next_opcode(cursor) != PROTOCOL || read_number(cursor, 1) < 0) return 0;
    if (next_opcode(cursor) != DICTIONARY) return 0;
    if (next_opcode(cursor) != TEXT || !read_sized(cursor, 1, &name)) return 0;
    if (name.size != sizeof ENTRY_NAME - 1 ||
        memcmp(name.octets, ENTRY_NAME, sizeof ENTRY_NAME - 1))
        return 0;
    width = next_opcode(cursor);
    width = width == SMALL ? 1 : width == MIDDLE ? 4 : width == LARGE ? 8 : 0;
    if (width == 0 || !read_sized(cursor, (size_t)width, value)) return 0;
    return next_opcode(cursor) == ENTRY && next_opcode(cursor) == STOP && cursor->at == cursor->end;
}

/* Read a name of printable ASCII, which is valid UTF-8 wherever it is shown. */
static int read_name(Cursor *cursor, Buffer *name) {
    if (!read_sized(cursor, 1, name)) return 0;
    for (int64_t at = 0; at < name->size; at++)
        if (name->octets[at] < 0x20 || name->octets[at] > 0x7E) return 0;
    return 1;
}

/* Read a column: its name and its fields; or no fields, a constant and the names of its values. */
static int read_column(Order *order, Cursor *cursor, Selection *selection, char *name) {
    Buffer text;
    int64_t constant, values;
    if (!read_name(cursor, &text) || text.size > LONGEST_NAME) return 0;
    memcpy(name, text.octets, (size_t)text.size);
    if (!read_sized(cursor, 1, &text) || text.size > MAX_POSITIONS / 2) return 0;
    memcpy(selection->fields, text.octets, (size_t)text.size);
    selection->count = text.size;
    if (selection->count) return 1;
    constant = read_number(cursor, 1);
    values = read_number(cursor, 1);
    if (constant < 0 || values < 0) return 0;
    selection->constant = (uint8_t)constant;
    selection->names = order->constants;
    for (; selection->name_count < values; selection->name_count++)
        if (selection->name_count == MAX_NAMES ||
            !read_name(cursor, &order->constants[selection->name_count]))
            return 0;
    return 1;
}

/* Read an order, but not its tables. Returns NULL, or what is wrong; nothing needs releasing. */
static const char *order_read(Order *order, const uint8_t *pickled, size_t size) {
    Cursor cursor = {pickled, pickled + size};
    Buffer value;
    const uint8_t *mark;
    int64_t start, constants = 0;
    memset(order, 0, sizeof *order);
    if (pickled == NULL || !unpickle(&cursor, &value))
        return "the arguments are not those that uriparse.extra.polars passes";
    cursor = (Cursor){value.octets, value.octets + value.size};
    mark = take_octets(&cursor, 4);
    if (mark == NULL || memcmp(mark, "ASKS", 4) != 0 || read_number(&cursor, 2) != ORDER_FORMAT)
        return "the arguments are those of another version of uriparse";
    start = read_number(&cursor, 2);
    order->count = read_number(&cursor, 1);
    if (start < 0 || order->count < 0 || order->count > MAX_COLUMNS)
        return "the arguments are damaged";
    order->start = (uint32_t)start;
    for (int64_t column = 0; column < order->count; column++) {
        Selection *selection = &order->selection[column];
        if (!read_column(order, &cursor, selection, order->names[column]))
            return "the arguments are damaged";
        constants += selection->names != NULL;
    }
    if (constants > 1) return "the arguments are damaged"; /* `constants` has room for one list */
    order->octets = (Buffer){cursor.at, cursor.end - cursor.at};
    return NULL;
}

/* Load its tables. Apart from reading, since Polars asks for the type of a column without them.
   "" if memory has run out; `order_release` is needed in any case. */
static const char *order_load(Order *order) {
    const char *wrong =
        tables_load(&order->tables, order->octets.octets, (size_t)order->octets.size);
    const Tables *tables = &order->tables;
    if (wrong != NULL) return wrong;
    if (order->start >= tables->states) return "the tables have no such state";
    for (int64_t column = 0; column < order->count; column++) {
        const Selection *selection = &order->selection[column];
        if (selection->names != NULL && selection->constant >= tables->constants)
            return "the tables do not have the requested component";
        for (int64_t field = 0; field < selection->count; field++)
            if (selection->fields[field] >= tables->positions / 2)
                return "the tables do not have the requested component";
    }
    return NULL;
}

static void order_release(Order *order) { tables_free(&order->tables); }

/* ---- Series, as Polars passes and expects them (crate polars-ffi, version 0.1): the arrays of a
   column and its type. */

struct Series {
    struct ArrowSchema *schema;
    struct ArrowArray **arrays;
    size_t length;
    void (*release)(struct Series *); /* frees all but what the arrays own */
    void *private_data;               /* NULL for "no series" */
};

/* Release a series and its arrays: an argument, or a result that Polars does not get. */
static void series_drop(struct Series *series) {
    for (size_t number = 0; number < series->length; number++) {
        struct ArrowArray *array = series->arrays[number];
        if (array->release != NULL) array->release(array);
    }
    if (series->release != NULL) series->release(series);
}

/* The `release` of our series: Polars has moved the arrays out by then, so they stay. */
static void free_series(struct Series *series) {
    if (series->schema->release != NULL) series->schema->release(series->schema);
    free(series->schema);
    free(series->private_data);
    free(series->arrays);
    series->release = NULL;
}

/* Make a series whose schema and arrays are zeros; 0 if memory has run out. */
static int series_make(struct Series *series, size_t arrays) {
    struct ArrowArray *own = calloc(arrays + 1, sizeof *own);
    struct ArrowArray **pointers = calloc(arrays + 1, sizeof *pointers);
    struct ArrowSchema *schema = calloc(1, sizeof *schema);
    if (own == NULL || pointers == NULL || schema == NULL) {
        free(own);
        free(pointers);
        free(schema);
        return 0;
    }
    for (size_t number = 0; number < arrays; number++) pointers[number] = &own[number];
    *series = (struct Series){schema, pointers, arrays, free_series, own};
    return 1;
}

/* ---- Errors. */

#ifdef _MSC_VER
#define EXPORTED __declspec(dllexport)
#define PER_THREAD __declspec(thread)
#else
#define EXPORTED __attribute__((visibility("default")))
#define PER_THREAD _Thread_local
#endif
#define PLUGIN_VERSION 1 /* 0.1: the major number in the upper 16 bits */

/* Of the last error: Polars asks for it in the thread that has made the call. */
static PER_THREAD char message[256];

EXPORTED uint32_t _polars_plugin_get_version(void);
EXPORTED const char *_polars_plugin_get_last_error_message(void);

uint32_t _polars_plugin_get_version(void) { return PLUGIN_VERSION; }

const char *_polars_plugin_get_last_error_message(void) { return message; }

/* Set the message and return 0, for "failed". */
static int fail(const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    return 0;
}

static int no_memory(void) { return fail("out of memory"); }

static int check_done(int64_t done) {
    if (done == DONE) return 1;
    if (done == NO_MEMORY) return no_memory();
    if (done == TOO_LARGE) return fail("column: a text of it is longer than 2 GiB");
    if (done == INCONSISTENT_TABLES) return fail("the tables report what no text can have");
    return fail("column: row %lld lies outside of its buffers", (long long)done);
}

/* ---- Results. */

/* Export a column: validity, values, and room for more buffers. */
static int export_array(struct ArrowArray *array, int64_t rows, const Column *out, int64_t more) {
    if (!array_make(array, rows, out->nulls, 2 + more, 0)) return no_memory();
    if (out->nulls) array_set_buffer(array, 0, out->validity);
    array_set_buffer(array, 1, out->values);
    return 1;
}

typedef int64_t (*Pass)(const Tables *, uint32_t, const Rows *, Column *);

static int export_fixed(const Order *order, const Rows *rows, struct ArrowArray *array,
                        int (*begin)(Column *, int64_t), Pass pass) {
    Column out;
    int64_t done = NO_MEMORY;
    int ok;
    if (begin(&out, rows->length)) done = pass(&order->tables, order->start, rows, &out);
    ok = check_done(done) && export_array(array, rows->length, &out, 0);
    column_drop(&out);
    return ok;
}

static int export_verdicts(const Order *order, const Rows *rows, struct ArrowArray *array) {
    return export_fixed(order, rows, array, new_bits, column_verdicts);
}

static int export_stops(const Order *order, const Rows *rows, struct ArrowArray *array) {
    return export_fixed(order, rows, array, new_numbers, column_stops);
}

/* Export a column of views, then the blocks that they point into, then the sizes of these. A column
   of short texts points nowhere: without the blocks it does not keep them alive. */
static int export_views(struct ArrowArray *array, int64_t rows, const Column *out,
                        const ViewData *shared, int is_user) {
    int64_t blocks = is_user ? shared->count : 0;
    Block *sizes = block_new(blocks * (int64_t)sizeof(int64_t));
    int ok = sizes != NULL ? export_array(array, rows, out, blocks + 1) : no_memory();
    for (int64_t number = 0; ok && number < blocks; number++) {
        array_set_buffer(array, 2 + number, shared->blocks[number]);
        memcpy(sizes->octets + number * 8, &shared->blocks[number]->size, 8);
    }
    if (ok) array_set_buffer(array, 2 + blocks, sizes);
    block_release(sizes);
    return ok;
}

/* Export the selected components: as the columns of a struct, or one as a column of its own. */
static int export_components(const Order *order, const Rows *rows, struct ArrowArray *array,
                             int is_struct) {
    Column whole, out[MAX_COLUMNS];
    ViewData shared;
    int64_t done = NO_MEMORY, count = order->count;
    int ready, ok;
    memset(out, 0, sizeof out);
    memset(&shared, 0, sizeof shared);
    ready = new_bits(&whole, rows->length);
    for (int64_t number = 0; number < count && ready; number++)
        ready = new_views(&out[number], rows->length);
    if (ready)
        done = column_views(&order->tables, order->start, rows, order->selection, count, out,
                            &whole, &shared);
    ok = check_done(done);
    if (ok && is_struct) {
        ok = array_make(array, rows->length, whole.nulls, 1, count) || no_memory();
        if (ok && whole.nulls) array_set_buffer(array, 0, whole.validity);
    }
    for (int64_t number = 0; number < count && ok; number++)
        ok = export_views(is_struct ? array->children[number] : array, rows->length, &out[number],
                          &shared, shared.users >> number & 1);
    column_drop(&whole);
    for (int64_t number = 0; number < count; number++) column_drop(&out[number]);
    view_data_drop(&shared);
    return ok;
}

static int export_struct(const Order *order, const Rows *rows, struct ArrowArray *array) {
    return export_components(order, rows, array, 1);
}

static int export_component(const Order *order, const Rows *rows, struct ArrowArray *array) {
    return export_components(order, rows, array, 0);
}

/* A function of the plugin: the type of its result, and how a chunk of rows becomes it. */
typedef struct {
    const char *format;
    int64_t columns; /* how many columns its order has; -1 for any number */
    int (*run)(const Order *order, const Rows *rows, struct ArrowArray *array);
} Function;

static const Function is_valid = {"b", 0, export_verdicts};
static const Function stop = {"l", 0, export_stops};
static const Function split = {"+s", -1, export_struct};
static const Function component = {"vu", 1, export_component};

static int read_order(Order *order, const Function *function, const uint8_t *arguments,
                      size_t size) {
    const char *wrong = order_read(order, arguments, size);
    if (wrong != NULL) return fail("%s", wrong);
    if (function->columns < 0 || function->columns == order->count) return 1;
    return fail("the arguments are those of another function");
}

/* Return the name that Polars has for a type. */
static const char *type_name(const struct ArrowSchema *schema) {
    static const struct {
        const char *begins, *name;
    } known[] = {
        {"b", "Boolean"}, {"c", "Int8"},         {"C", "UInt8"},         {"s", "Int16"},
        {"S", "UInt16"},  {"i", "Int32"},        {"I", "UInt32"},        {"l", "Int64"},
        {"L", "UInt64"},  {"_pli128", "Int128"}, {"_plu128", "UInt128"}, {"e", "Float16"},
        {"f", "Float32"}, {"g", "Float64"},      {"d:", "Decimal"},      {"td", "Date"},
        {"tt", "Time"},   {"ts", "Datetime"},    {"tD", "Duration"},     {"+l", "List"},
        {"+L", "List"},   {"+w", "Array"},       {"+s", "Struct"},       {"w:", "Object"},
    };
    for (size_t number = 0; number < sizeof known / sizeof *known; number++)
        if (strncmp(schema->format, known[number].begins, strlen(known[number].begins)) == 0)
            return known[number].name;
    return schema->format;
}

/* Export the type of the result for a column of a type. */
static int export_type(const Function *function, const Order *order,
                       const struct ArrowSchema *given, ColumnType *type,
                       struct ArrowSchema *schema) {
    int64_t children = function->columns < 0 ? order->count : 0;
    if (given->release == NULL) return fail("column: it has been released");
    if (!column_type(type, given))
        return fail("column holds texts (String, Binary, Categorical or Enum), not %s",
                    type_name(given));
    if (!schema_make(schema, function->format, given->name == NULL ? "" : given->name, children))
        return no_memory();
    for (int64_t number = 0; number < children; number++)
        if (!schema_make(schema->children[number], "vu", order->names[number], 0))
            return no_memory();
    schema->private_data = schema->children; /* Polars takes a NULL here for a missing schema */
    return 1;
}

static int export_chunk(const Function *function, const Order *order, const ColumnType *type,
                        const struct ArrowArray *given, struct ArrowArray *array) {
    ImportedRows imported;
    const char *wrong = import_rows(&imported, type, given);
    int done = wrong == NULL    ? function->run(order, &imported.rows, array)
               : *wrong == '\0' ? no_memory()
                                : fail("column: %s", wrong);
    imported_drop(&imported);
    return done;
}

static int export_series(const Function *function, Order *order, const struct Series *given,
                         struct Series *series) {
    static const Rows none = {.texts.width = VIEW};
    const char *wrong = order_load(order);
    ColumnType type;
    int done = 1;
    if (wrong != NULL)
        return *wrong == '\0' ? no_memory() : fail("the arguments are damaged: %s", wrong);
    if (!export_type(function, order, given->schema, &type, series->schema)) return 0;
    if (given->length == 0) return function->run(order, &none, series->arrays[0]);
    for (size_t number = 0; number < given->length && done; number++)
        done = export_chunk(function, order, &type, given->arrays[number], series->arrays[number]);
    return done;
}

/* Run a function. The arguments are ours from here on and are released in any case; the result stays
   as it is, which Polars reads as an error, unless it is complete. */
static void call(const Function *function, const struct Series *given, size_t count,
                 const uint8_t *arguments, size_t size, struct Series *out) {
    struct Series series, own;
    Order order;
    if (count != 1)
        fail("%zu columns are given to a function of one", count);
    else if (read_order(&order, function, arguments, size)) {
        if (!series_make(&series, given->length ? given->length : 1))
            no_memory();
        else if (export_series(function, &order, given, &series))
            *out = series;
        else
            series_drop(&series);
        order_release(&order);
    }
    for (size_t number = 0; number < count; number++) {
        own = given[number];
        series_drop(&own);
    }
}

/* Report the type of the result. The arguments stay the property of Polars. */
static void call_for_type(const Function *function, const struct ArrowSchema *given, size_t count,
                          struct ArrowSchema *out, const uint8_t *arguments, size_t size) {
    struct ArrowSchema schema = {0};
    Order order;
    ColumnType type;
    if (count != 1)
        fail("%zu columns are given to a function of one", count);
    else if (read_order(&order, function, arguments, size)) {
        if (export_type(function, &order, given, &type, &schema))
            *out = schema;
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
                               size_t size, struct Series *out, const void *context) {             \
        (void)context;                                                                             \
        call(&name, given, count, arguments, size, out);                                           \
    }                                                                                              \
    void _polars_plugin_field_##name(const struct ArrowSchema *given, size_t count,                \
                                     struct ArrowSchema *out, const uint8_t *arguments,            \
                                     size_t size) {                                                \
        call_for_type(&name, given, count, out, arguments, size);                                  \
    }
FUNCTION(is_valid)
FUNCTION(stop)
FUNCTION(split)
FUNCTION(component)
