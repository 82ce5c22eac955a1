#include "order.h"

#include <string.h>

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
