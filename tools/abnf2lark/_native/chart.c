/* A chart of a text, as `charts/engine.py` makes them; see there for the
   algorithm and its sources. The functions bear the names of those there. */

#include "chart.h"

#define MANY 200 /* items of an offset of which lists are made by what they wait for */

int refuse(Chart *chart, const char *what, uint32_t here) {
    PyObject *arguments = Py_BuildValue("sI", what, here);
    if (arguments != NULL) PyErr_SetObject(chart->engine->refusal, arguments);
    Py_XDECREF(arguments);
    return -1;
}

static size_t slot_of(const Chart *chart, uint32_t state, uint32_t origin) {
    uint64_t mixed = ((uint64_t)state << 32 | origin) * 0x9E3779B97F4A7C15u;
    return (size_t)(mixed ^ (mixed >> 32)) & (chart->slots_room - 1);
}

/* Put an item into the slots. What is there of earlier offsets counts as empty. */
static int put_slot(Chart *chart, uint32_t item, uint32_t first) {
    uint32_t count = (uint32_t)chart->state.count - first;
    if (count * 2 >= chart->slots_room) {
        size_t room = chart->slots_room ? 2 * chart->slots_room : 256;
        while (room < (size_t)count * 4) room *= 2;
        uint32_t *slots = PyMem_Calloc(room, sizeof *slots);
        if (slots == NULL) return no_memory();
        PyMem_Free(chart->slots);
        chart->slots = slots;
        chart->slots_room = room;
        for (uint32_t one = first; one < item; one++)
            if (put_slot(chart, one, first) < 0) return -1;
    }
    size_t at = slot_of(chart, chart->state.data[item] & STATE, chart->origin.data[item]);
    while (chart->slots[at] > first) at = (at + 1) & (chart->slots_room - 1);
    chart->slots[at] = item + 1;
    return 0;
}

/* Add an item to the last offset, if it is not there; return its number, or -1. */
static int64_t add(Chart *chart, uint32_t state, uint32_t origin) {
    const uint32_t first = chart->first.data[chart->first.count - 1];
    const uint32_t count = (uint32_t)chart->state.count - first;
    if (count <= FEW) {
        for (uint32_t one = first; one < first + count; one++)
            if ((chart->state.data[one] & STATE) == state && chart->origin.data[one] == origin)
                return one;
    } else {
        for (size_t at = slot_of(chart, state, origin); chart->slots[at] > first;
             at = (at + 1) & (chart->slots_room - 1)) {
            uint32_t one = chart->slots[at] - 1;
            if ((chart->state.data[one] & STATE) == state && chart->origin.data[one] == origin)
                return one;
        }
    }
    if (chart->state.count >= MOST) return refuse(chart, "items", (uint32_t)chart->first.count - 1);
    if (vector_push(&chart->state, state) < 0 || vector_push(&chart->origin, origin) < 0) return -1;
    if (count == FEW) {
        for (uint32_t one = first; one <= first + count; one++)
            if (put_slot(chart, one, first) < 0) return -1;
    } else if (count > FEW && put_slot(chart, first + count, first) < 0) {
        return -1;
    }
    return first + count;
}

/* Add an item to the last offset, unless it leads nowhere: no text goes on from it with a character of
   the cell that follows. Of cell 0, which no character has, all is added. */
static int propose(Chart *chart, uint32_t state, uint32_t origin, uint32_t cell) {
    uint32_t live = 1;
    if (cell != 0 && ask_of_cell(chart->engine, LIVE, state, cell, &live) < 0) return -1;
    return live && add(chart, state, origin) < 0 ? -1 : 0;
}

/* Where the items of an offset end. That of the last one is open. */
static uint32_t end_of(const Chart *chart, uint32_t offset) {
    return offset + 1 < chart->first.count ? chart->first.data[offset + 1]
                                           : (uint32_t)chart->state.count;
}

typedef struct {
    uint32_t after, origin, next;
} Waiter;

static const Waiter *waiter_at(const Chart *chart, uint32_t place) {
    return (const Waiter *)(chart->waiter.data + place - 1);
}

/* Find the number of a rule that begins at an offset. */
static int begun_at(Chart *chart, uint32_t rule, uint32_t begin, uint32_t *number) {
    const uint32_t *known = map_get(&chart->begun_of, rule, begin, 0, 0);
    *number = known != NULL ? *known : (uint32_t)chart->begun.count;
    if (known != NULL) return 0;
    if (vector_extend(&chart->begun, (uint32_t[]){UNKNOWN, UNKNOWN}, 2) < 0) return -1;
    return map_put(&chart->begun_of, rule, begin, 0, 0, *number);
}

/* Find the first of what waits for a rule at an offset: one more than its number, or 0. It is listed
   when it is asked for, since most of what waits is not; all at once where many items wait, since
   they would be searched for each rule. Lists grow from their ends: so they have the items' order. */
static int first_waiting(Chart *chart, uint32_t rule, uint32_t begin, uint32_t number,
                         uint32_t *found) {
    const uint32_t first = chart->first.data[begin], end = end_of(chart, begin);
    const int all = end - first >= MANY;
    *found = chart->begun.data[number];
    if (*found != UNKNOWN) return 0;
    const int is_listed = all && map_get(&chart->begun_of, begin, 0, 1, 0) != NULL;
    for (uint32_t one = end; !is_listed && one-- > first;) {
        Row *row = row_of(chart, one);
        if (row == NULL || tick(chart) < 0) return -1;
        if (!all && !(row->called & bit_of(rule))) continue;
        for (uint32_t at = row->count; at > 0; at -= 3) {
            uint32_t own = number;
            if (!all && row->calls[at - 3] != rule) continue;
            if (all && begun_at(chart, row->calls[at - 3], begin, &own) < 0) return -1;
            const uint32_t next = chart->begun.data[own];
            const Waiter waiter = {row->calls[at - 2], chart->origin.data[one],
                                   next != UNKNOWN ? next : 0};
            if (vector_extend(&chart->waiter, &waiter, 3) < 0) return -1;
            chart->begun.data[own] = (uint32_t)chart->waiter.count - 2;
        }
    }
    if (all && !is_listed && map_put(&chart->begun_of, begin, 0, 1, 0, 1) < 0) return -1;
    if (chart->begun.data[number] == UNKNOWN) chart->begun.data[number] = 0;
    *found = chart->begun.data[number];
    return 0;
}

/* What alone waits for a rule, if it ends with it, in `*found`; 1 if there is one. */
static int caller_of(Chart *chart, uint32_t rule, uint32_t begin, uint32_t number, Caller *found) {
    const uint32_t wanted = number + 1;
    uint32_t known;
    int result = -1;
    Vector chain = {NULL, 0, 0}; /* of rules that have begun, whose callers are the last ones */
    while ((known = chart->begun.data[number + 1]) == UNKNOWN) {
        uint32_t head, cyclic = 0;
        if (first_waiting(chart, rule, begin, number, &head) < 0 || tick(chart) < 0) goto done;
        const Waiter waiter = head == 0 ? (Waiter){0, 0, 1} : *waiter_at(chart, head);
        Row *row = waiter.next == 0 ? row_at(chart->engine, waiter.after) : NULL;
        if (row == NULL && waiter.next == 0) goto done;
        if (row == NULL || !row->last) {
            chart->begun.data[number + 1] = known = 0;
            break;
        }
        const Caller one = {waiter.after, waiter.origin, row->rule, 0, 0};
        if (vector_extend(&chart->caller, &one, 5) < 0 || vector_push(&chain, number) < 0) goto done;
        if (row->rule == chart->rule && waiter.origin == 0) break;
        if (ask(chart->engine, CYCLIC, row->rule, row->rule, 0, &cyclic) < 0) goto done;
        if (cyclic) break;
        rule = row->rule;
        begin = waiter.origin;
        if (begun_at(chart, rule, begin, &number) < 0) goto done;
    }
    const Caller *above = NULL;
    if (known != UNKNOWN && known != 0) above = (const Caller *)(chart->caller.data + known - 1);
    for (size_t at = chain.count, last = chart->caller.count; at-- > 0;) {
        Caller *one = (Caller *)(chart->caller.data + (last -= 5));
        one->top_state = above != NULL ? above->top_state : one->state;
        one->top_origin = above != NULL ? above->top_origin : one->origin;
        above = one;
        chart->begun.data[chain.data[at] + 1] = (uint32_t)last + 1;
    }
    known = chart->begun.data[wanted];
    result = known != 0;
    if (result) memcpy(found, chart->caller.data + known - 1, sizeof *found);
done:
    PyMem_Free(chain.data);
    return result;
}

/* Go on with what waits for a rule that has ended. */
static int finish(Chart *chart, uint32_t rule, uint32_t begin, uint32_t cell) {
    uint32_t number, head;
    if (begun_at(chart, rule, begin, &number) < 0) return -1;
    if (first_waiting(chart, rule, begin, number, &head) < 0) return -1;
    if (head != 0 && waiter_at(chart, head)->next == 0) {
        const Waiter one = *waiter_at(chart, head);
        Row *row = row_at(chart->engine, one.after);
        if (row == NULL) return -1;
        if (row->last) {
            Caller caller;
            int alone = caller_of(chart, rule, begin, number, &caller);
            if (alone < 0) return -1;
            if (alone && (caller.top_state != one.after || caller.top_origin != one.origin)) {
                int64_t item = add(chart, caller.top_state, caller.top_origin);
                if (item < 0) return -1;
                chart->state.data[item] |= LEAPT;
                return 0;
            }
        }
    }
    while (head != 0) {
        const Waiter one = *waiter_at(chart, head);
        if (tick(chart) < 0 || propose(chart, one.after, one.origin, cell) < 0) return -1;
        head = one.next;
    }
    return 0;
}

static int complete(Chart *chart, uint32_t here, uint32_t cell) {
    const uint32_t first = chart->first.data[here];
    chart->accepted = 0;
    for (uint32_t one = first; one < chart->state.count; one++) {
        const uint32_t origin = chart->origin.data[one];
        Row *row = row_of(chart, one);
        if (row == NULL || tick(chart) < 0) return -1;
        for (uint32_t at = 0; at < row->count; at += 3) {
            uint32_t start;
            if (ask(chart->engine, START, row->calls[at], 0, 0, &start) < 0) return -1;
            if (propose(chart, start, here, cell) < 0) return -1;
            if (row->calls[at + 2] && propose(chart, row->calls[at + 1], origin, cell) < 0)
                return -1;
        }
        if (row->ends) {
            if (vector_push(&chart->ended, one) < 0) return -1;
            if (origin == 0 && row->rule == chart->rule) chart->accepted = 1;
            if (origin < here && (look_at(chart, origin, "work", here) < 0 ||
                                  finish(chart, row->rule, origin, cell) < 0))
                return -1;
        }
        if ((int64_t)(chart->state.count - first) > chart->items_left)
            return refuse(chart, "items", here);
    }
    chart->items_left -= (int64_t)(chart->state.count - first);
    return vector_push(&chart->first_ended, (uint32_t)chart->ended.count);
}

/* Drop the last items that were added, down to a number of them. */
static int drop(Chart *chart, uint32_t count) {
    chart->first.count--;
    chart->state.count = chart->origin.count = count;
    chart->ended.count = chart->first_ended.data[--chart->first_ended.count - 1];
    if (chart->slots != NULL) memset(chart->slots, 0, chart->slots_room * sizeof *chart->slots);
    const uint32_t first = chart->first.data[chart->first.count - 1];
    for (uint32_t one = first; count - first > FEW && one < count; one++)
        if (put_slot(chart, one, first) < 0) return -1;
    return 0;
}

/* Read as much as the rule goes on with; return where that ends, or -1. */
static int64_t read_text(Chart *chart) {
    uint32_t start, after;
    if (vector_push(&chart->first, 0) < 0 || vector_push(&chart->first_ended, 0) < 0) return -1;
    if (ask(chart->engine, START, chart->rule, 0, 0, &start) < 0) return -1;
    if (add(chart, start, 0) < 0) return -1;
    for (uint32_t offset = 0;; offset++) {
        const uint32_t cell = offset < chart->size ? chart->cells[offset] : 0;
        const uint32_t count = (uint32_t)chart->state.count;
        if (complete(chart, offset, cell) < 0) return -1;
        const uint32_t end = (uint32_t)chart->state.count;
        if (vector_push(&chart->first, end) < 0) return -1;
        for (uint32_t one = chart->first.data[offset]; cell && one < end; one++) {
            if (ask_of_cell(chart->engine, STEP, chart->state.data[one] & STATE, cell, &after) < 0)
                return -1;
            if (after && add(chart, after, chart->origin.data[one]) < 0) return -1;
        }
        if (chart->state.count > end) continue;
        /* What could have followed is told by all items. */
        if (cell && (drop(chart, count) < 0 || complete(chart, offset, 0) < 0 ||
                     vector_push(&chart->first, (uint32_t)chart->state.count) < 0))
            return -1;
        return offset;
    }
}

static void release(Chart *chart) {
    Vector *vectors[] = {&chart->state,  &chart->origin, &chart->first,   &chart->ended,
                         &chart->caller, &chart->waiter, &chart->begun,   &chart->first_ended,
                         &chart->chain,  &chart->links,  &chart->pending, &chart->found,
                         &chart->heap};
    void *others[] = {chart->cells,           chart->slots,  chart->begun_of.entries,
                      chart->chained.entries, chart->sorted, chart->is_sorted,
                      chart->reached};
    for (size_t at = 0; at < sizeof vectors / sizeof *vectors; at++) PyMem_Free(vectors[at]->data);
    for (size_t at = 0; at < sizeof others / sizeof *others; at++) PyMem_Free(others[at]);
}

/* The items of the last offset, as a list of pairs. */
static PyObject *items_at_end(const Chart *chart, uint32_t offset) {
    PyObject *found = PyList_New(0);
    for (uint32_t one = chart->first.data[offset]; found && one < end_of(chart, offset); one++) {
        PyObject *pair = Py_BuildValue("II", chart->state.data[one] & STATE, chart->origin.data[one]);
        if (pair == NULL || PyList_Append(found, pair) < 0) Py_CLEAR(found);
        Py_XDECREF(pair);
    }
    return found;
}

/* Engine.read(rule, text, kept, (items, work, steps)) */
PyObject *engine_read(PyObject *self, PyObject *args) {
    Engine *engine = (Engine *)self;
    Chart chart = {.engine = engine};
    PyObject *text, *items = NULL, *nodes = NULL, *found = NULL;
    const char *kept;
    Py_ssize_t kept_count, size;
    long long items_left, work_left, steps_left;
    Vector derivation = {NULL, 0, 0};
    int64_t offset;
    if (!PyArg_ParseTuple(args, "IUz#(LLL):read", &chart.rule, &text, &kept, &kept_count, &items_left,
                          &work_left, &steps_left))
        return NULL;
    size = PyUnicode_GetLength(text);
    if (size < 0) return NULL;
    if ((size_t)size >= MOST || kept_count > (Py_ssize_t)MOST) {
        refuse(&chart, "items", 0);
        return NULL;
    }
    chart.size = (uint32_t)size;
    chart.items_left = items_left;
    chart.work_left = work_left;
    chart.steps_left = steps_left;
    chart.kept = (const uint8_t *)kept;
    chart.kept_count = (uint32_t)kept_count;
    chart.cells = PyMem_Calloc((size_t)size + 1, sizeof *chart.cells);
    if (chart.cells == NULL) return PyErr_NoMemory();
    if (PyUnicode_AsUCS4(text, chart.cells, size + 1, 1) == NULL) goto done;
    for (uint32_t at = 0; at < chart.size; at++) chart.cells[at] = cell_of(engine, chart.cells[at]);
    offset = read_text(&chart);
    if (offset < 0) goto done;
    const int matches = offset == size && chart.accepted;
    if (matches && kept != NULL) {
        if (derived(&chart, &derivation) < 0) goto done;
        nodes = PyBytes_FromStringAndSize((const char *)derivation.data,
                                          (Py_ssize_t)(derivation.count * sizeof(uint32_t)));
    } else {
        nodes = Py_NewRef(Py_None);
    }
    items = matches && kept != NULL ? PyList_New(0) : items_at_end(&chart, (uint32_t)offset);
    if (nodes != NULL && items != NULL)
        found = Py_BuildValue("NnNOO", PyBool_FromLong(matches), (Py_ssize_t)offset,
                              PyBool_FromLong(chart.accepted), items, nodes);
done:
    release(&chart);
    PyMem_Free(derivation.data);
    Py_XDECREF(items);
    Py_XDECREF(nodes);
    return found;
}
