/* A chart of a text and the derivation in it, as `charts/engine.py` makes them; see there for the
   algorithm and its sources. The functions bear the names of those there. */

#include "engine.h"

#include <stdlib.h>

#define FEW 12 /* items of an offset that are searched one by one */
#define MANY 200 /* items of an offset of which lists are made by what they wait for */

typedef struct {
    uint32_t state, origin, rule, top_state, top_origin;
} Caller;

typedef struct {
    uint32_t places, links, round; /* of an offset, in the round of one rule */
} Reached;

typedef struct {
    uint32_t name, places, stop, next;
} Link;

typedef struct {
    Engine *engine;
    uint32_t rule, size;
    uint32_t *cells;
    int64_t items_left, work_left, steps_left;
    Vector state, origin, first;
    int accepted;
    uint32_t *slots; /* of the items at the last offset, where they are not few: one more than each */
    size_t slots_room;
    Map waiting;     /* by offset and rule: one more than the place in `waiter`; by offset: 1 */
    Vector waiter;   /* three numbers each: the state after the rule, the origin, the next one */
    Map callers;     /* by rule and begin: one more than the place in `caller`, or 0 for none */
    Vector caller;   /* five numbers each */
    uint32_t *sorted; /* by offset, where items are many: these in the order of their origins */
    uint8_t *is_sorted;
    Map chained;  /* by end, rule and begin: one more than the place in `chain` */
    Vector chain; /* three numbers each: rule, begin, next */
    Reached *reached;
    uint32_t round, best; /* of the rule that is derived: the call with which it begins at best */
    Vector links; /* four numbers each */
    Vector heap;
    Vector pending, found; /* steps, three numbers each */
    const uint8_t *kept;
    uint32_t kept_count;
    unsigned ticks;
} Chart;

static int refuse(Chart *chart, const char *what, uint32_t here) {
    PyObject *arguments = Py_BuildValue("sI", what, here);
    if (arguments != NULL) PyErr_SetObject(chart->engine->refusal, arguments);
    Py_XDECREF(arguments);
    return -1;
}

/* Let Ctrl-C be heard now and then. */
static int tick(Chart *chart) { return ++chart->ticks & 0xfffff ? 0 : PyErr_CheckSignals(); }

/* Reading */

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

/* Where the items of an offset end. That of the last one is open. */
static uint32_t end_of(const Chart *chart, uint32_t offset) {
    return offset + 1 < chart->first.count ? chart->first.data[offset + 1]
                                           : (uint32_t)chart->state.count;
}

static Row *row_of(Chart *chart, uint32_t item) {
    return row_at(chart->engine, chart->state.data[item] & STATE);
}

typedef struct {
    uint32_t after, origin, next;
} Waiter;

/* Make lists of what waits at an offset, by rule, each from its end: so they have its order. */
static int list_waiting(Chart *chart, uint32_t begin) {
    if (map_get(&chart->waiting, begin, 0, 0, 0) != NULL) return 0;
    for (uint32_t one = end_of(chart, begin); one-- > chart->first.data[begin];) {
        Row *row = row_of(chart, one);
        if (row == NULL || tick(chart) < 0) return -1;
        for (uint32_t at = row->count - row->count % 3; at > 0; at -= 3) {
            const uint32_t name = row->calls[at - 3];
            const uint32_t *next = map_get(&chart->waiting, begin, name, 1, 0);
            const Waiter waiter = {row->calls[at - 2], chart->origin.data[one], next ? *next : 0};
            if (vector_extend(&chart->waiter, &waiter, 3) < 0 ||
                map_put(&chart->waiting, begin, name, 1, 0, (uint32_t)chart->waiter.count - 2) < 0)
                return -1;
        }
    }
    return map_put(&chart->waiting, begin, 0, 0, 0, 1);
}

/* Give in `*found` what waits for a rule, one after the other, and return 0 after the last one.
   `*cursor` is 0 at the beginning. */
static int next_waiting(Chart *chart, uint32_t rule, uint32_t begin, uint64_t *cursor,
                        Waiter *found) {
    const uint32_t first = chart->first.data[begin], end = end_of(chart, begin);
    if (end - first < MANY) {
        uint32_t one = first + (uint32_t)(*cursor >> 32), at = (uint32_t)*cursor;
        for (; one < end; one++, at = 0) {
            Row *row = row_of(chart, one);
            if (row == NULL) return -1;
            for (; at < row->count; at += 3)
                if (row->calls[at] == rule) {
                    *found = (Waiter){row->calls[at + 1], chart->origin.data[one], 0};
                    *cursor = (uint64_t)(one - first) << 32 | (at + 3);
                    return 1;
                }
        }
        return 0;
    }
    uint32_t place = found->next;
    if (*cursor == 0) {
        if (list_waiting(chart, begin) < 0) return -1;
        const uint32_t *known = map_get(&chart->waiting, begin, rule, 1, 0);
        place = known == NULL ? 0 : *known;
        *cursor = 1;
    }
    if (place == 0) return 0;
    memcpy(found, chart->waiter.data + place - 1, sizeof *found);
    return 1;
}

/* Count what waits for a rule, as far as two; and return the one if it is alone. */
static int only_waiting(Chart *chart, uint32_t rule, uint32_t begin, uint32_t *after,
                        uint32_t *origin) {
    uint64_t cursor = 0;
    Waiter one = {0, 0, 0};
    int count = next_waiting(chart, rule, begin, &cursor, &one);
    if (count <= 0) return count;
    *after = one.after;
    *origin = one.origin;
    int more = next_waiting(chart, rule, begin, &cursor, &one);
    return more < 0 ? -1 : 1 + more;
}

/* What alone waits for a rule, if it ends with it, in `*found`; 1 if there is one. */
static int caller_of(Chart *chart, uint32_t rule, uint32_t begin, Caller *found) {
    const uint32_t wanted_rule = rule, wanted_begin = begin;
    const size_t base = chart->caller.count;
    uint32_t top_state = 0, top_origin = 0;
    int has_top = 0;
    Vector keys = {NULL, 0, 0};
    int result = -1;
    const uint32_t *known;
    while ((known = map_get(&chart->callers, rule, begin, 0, 0)) == NULL) {
        uint32_t after = 0, origin = 0, cyclic = 0;
        int count = only_waiting(chart, rule, begin, &after, &origin);
        Row *row = count == 1 ? row_at(chart->engine, after) : NULL;
        if (count < 0 || (count == 1 && row == NULL) || tick(chart) < 0) goto done;
        if (row == NULL || !row->last) {
            if (map_put(&chart->callers, rule, begin, 0, 0, 0) < 0) goto done;
            break;
        }
        const Caller one = {after, origin, row->rule, 0, 0};
        const uint32_t key[] = {rule, begin};
        if (vector_extend(&chart->caller, &one, 5) < 0 || vector_extend(&keys, key, 2) < 0) goto done;
        if (row->rule == chart->rule && origin == 0) break;
        if (ask(chart->engine, CYCLIC, row->rule, row->rule, 0, &cyclic) < 0) goto done;
        if (cyclic) break;
        rule = row->rule;
        begin = origin;
    }
    if (known != NULL && *known != 0) {
        Caller *one = (Caller *)(chart->caller.data + *known - 1);
        top_state = one->top_state;
        top_origin = one->top_origin;
        has_top = 1;
    }
    for (size_t at = keys.count; at > 0; at -= 2) {
        size_t place = base + (at / 2 - 1) * 5;
        Caller *one = (Caller *)(chart->caller.data + place);
        if (!has_top) {
            top_state = one->state;
            top_origin = one->origin;
            has_top = 1;
        }
        one->top_state = top_state;
        one->top_origin = top_origin;
        if (map_put(&chart->callers, keys.data[at - 2], keys.data[at - 1], 0, 0,
                    (uint32_t)place + 1) < 0)
            goto done;
    }
    known = map_get(&chart->callers, wanted_rule, wanted_begin, 0, 0);
    result = known != NULL && *known != 0;
    if (result) memcpy(found, chart->caller.data + *known - 1, sizeof *found);
done:
    PyMem_Free(keys.data);
    return result;
}

/* Go on with what waits for a rule that has ended. */
static int finish(Chart *chart, uint32_t rule, uint32_t begin) {
    uint32_t after = 0, origin = 0;
    int count = only_waiting(chart, rule, begin, &after, &origin);
    if (count < 0) return -1;
    if (count == 1) {
        Row *row = row_at(chart->engine, after);
        if (row == NULL) return -1;
        if (row->last) {
            Caller caller;
            int alone = caller_of(chart, rule, begin, &caller);
            if (alone < 0) return -1;
            if (alone && (caller.top_state != after || caller.top_origin != origin)) {
                int64_t item = add(chart, caller.top_state, caller.top_origin);
                if (item < 0) return -1;
                chart->state.data[item] |= LEAPT;
                return 0;
            }
        }
        return add(chart, after, origin) < 0 ? -1 : 0;
    }
    uint64_t cursor = 0;
    Waiter waiter = {0, 0, 0};
    while ((count = next_waiting(chart, rule, begin, &cursor, &waiter)) > 0)
        if (tick(chart) < 0 || add(chart, waiter.after, waiter.origin) < 0) return -1;
    return count;
}

/* Count the items of an offset as work, which grows with the cube in an ambiguous text. */
static int look_at(Chart *chart, uint32_t offset, const char *what, uint32_t here) {
    chart->work_left -= (int64_t)(chart->first.data[offset + 1] - chart->first.data[offset]);
    return chart->work_left < 0 ? refuse(chart, what, here) : 0;
}

static int complete(Chart *chart, uint32_t here) {
    const uint32_t first = chart->first.data[here];
    chart->accepted = 0;
    for (uint32_t one = first; one < chart->state.count; one++) {
        const uint32_t origin = chart->origin.data[one];
        Row *row = row_of(chart, one);
        if (row == NULL || tick(chart) < 0) return -1;
        for (uint32_t at = 0; at < row->count; at += 3) {
            uint32_t start;
            if (ask(chart->engine, START, row->calls[at], 0, 0, &start) < 0) return -1;
            if (add(chart, start, here) < 0) return -1;
            if (row->calls[at + 2] && add(chart, row->calls[at + 1], origin) < 0) return -1;
        }
        if (row->ends) {
            if (origin == 0 && row->rule == chart->rule) chart->accepted = 1;
            if (origin < here && (look_at(chart, origin, "work", here) < 0 ||
                                  finish(chart, row->rule, origin) < 0))
                return -1;
        }
        if ((int64_t)(chart->state.count - first) > chart->items_left)
            return refuse(chart, "items", here);
    }
    chart->items_left -= (int64_t)(chart->state.count - first);
    return 0;
}

/* Read as much as the rule goes on with; return where that ends, or -1. */
static int64_t read_text(Chart *chart) {
    uint32_t start, after, offset;
    if (vector_push(&chart->first, 0) < 0) return -1;
    if (ask(chart->engine, START, chart->rule, 0, 0, &start) < 0) return -1;
    if (add(chart, start, 0) < 0) return -1;
    for (offset = 0; offset < chart->size; offset++) {
        const uint32_t cell = chart->cells[offset];
        if (complete(chart, offset) < 0) return -1;
        if (vector_push(&chart->first, (uint32_t)chart->state.count) < 0) return -1;
        const uint32_t end = chart->first.data[offset + 1];
        for (uint32_t one = chart->first.data[offset]; cell && one < end; one++) {
            if (state_after(chart->engine, chart->state.data[one] & STATE, cell, &after) < 0) return -1;
            if (after && add(chart, after, chart->origin.data[one]) < 0) return -1;
        }
        if (chart->state.count == end) return offset;
    }
    if (complete(chart, offset) < 0) return -1;
    return vector_push(&chart->first, (uint32_t)chart->state.count) < 0 ? -1 : (int64_t)offset;
}

/* Deriving */

static int by_number(const void *left, const void *right) {
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Sort the items of an offset by origin, for searches; 0, or -1. */
static int sort_items(Chart *chart, uint32_t here) {
    const uint32_t first = chart->first.data[here], count = chart->first.data[here + 1] - first;
    if (chart->sorted == NULL) chart->sorted = PyMem_Calloc(chart->state.count, sizeof(uint32_t));
    if (chart->is_sorted == NULL) chart->is_sorted = PyMem_Calloc((size_t)chart->size + 1, 1);
    uint64_t *pairs = PyMem_Calloc(count, sizeof *pairs);
    if (chart->sorted == NULL || chart->is_sorted == NULL || pairs == NULL) {
        PyMem_Free(pairs);
        return no_memory();
    }
    for (uint32_t at = 0; at < count; at++)
        pairs[at] = (uint64_t)chart->origin.data[first + at] << 32 | (first + at);
    qsort(pairs, count, sizeof *pairs, by_number);
    for (uint32_t at = 0; at < count; at++) chart->sorted[first + at] = (uint32_t)pairs[at];
    chart->is_sorted[here] = 1;
    PyMem_Free(pairs);
    return 0;
}

/* Items at an offset of rules that begin at another one: `next_item` steps through them. */
typedef struct {
    uint32_t origin, at, end;
    int sorted;
} Items;

static int items_at(Chart *chart, uint32_t origin, uint32_t here, Items *items) {
    uint32_t low = chart->first.data[here], end = chart->first.data[here + 1];
    *items = (Items){origin, low, end, end - low > FEW};
    if (!items->sorted) return 0;
    if ((chart->is_sorted == NULL || !chart->is_sorted[here]) && sort_items(chart, here) < 0)
        return -1;
    for (uint32_t high = end; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (chart->origin.data[chart->sorted[middle]] < origin)
            low = middle + 1;
        else
            high = middle;
    }
    items->at = low;
    return 0;
}

static int next_item(const Chart *chart, Items *items, uint32_t *item) {
    while (items->at < items->end) {
        *item = items->sorted ? chart->sorted[items->at] : items->at;
        items->at++;
        if (chart->origin.data[*item] == items->origin) return 1;
        if (items->sorted) return 0;
    }
    return 0;
}

/* The number of the item with which a rule ends first. */
static int order_of(Chart *chart, uint32_t rule, uint32_t begin, uint32_t end, uint32_t *order) {
    Items items;
    if (items_at(chart, begin, end, &items) < 0) return -1;
    while (next_item(chart, &items, order)) {
        Row *row = row_of(chart, *order);
        if (row == NULL) return -1;
        if (row->ends && row->rule == rule) return 0;
    }
    *order = MOST;
    return 0;
}

static int reach(Chart *chart, uint32_t offset, uint32_t places) {
    Reached *one = &chart->reached[offset];
    if (one->round != chart->round) {
        Vector *heap = &chart->heap;
        if (vector_push(heap, offset) < 0) return -1;
        for (size_t at = heap->count - 1; at > 0 && heap->data[(at - 1) / 2] < offset;) {
            heap->data[at] = heap->data[(at - 1) / 2];
            at = (at - 1) / 2;
            heap->data[at] = offset;
        }
        *one = (Reached){places, 0, chart->round};
        return 1;
    }
    uint32_t both;
    if (ask(chart->engine, JOIN, one->places, places, 0, &both) < 0) return -1;
    int more = both != one->places;
    one->places = both;
    return more;
}

static uint32_t pop_farthest(Vector *heap) {
    const uint32_t top = heap->data[0], last = heap->data[--heap->count];
    size_t at = 0;
    for (size_t child = 1; child < heap->count; child = 2 * at + 1) {
        if (child + 1 < heap->count && heap->data[child + 1] > heap->data[child]) child++;
        if (heap->data[child] <= last) break;
        heap->data[at] = heap->data[child];
        at = child;
    }
    if (heap->count > 0) heap->data[at] = last;
    return top;
}

/* Note the rules that were passed over when one ended whose last item is `top`. */
static int expand(Chart *chart, uint32_t top, uint32_t end) {
    const uint32_t top_state = chart->state.data[top] & STATE;
    const uint32_t top_origin = chart->origin.data[top];
    for (uint32_t one = chart->first.data[end]; one < chart->first.data[end + 1]; one++) {
        Row *row = row_of(chart, one);
        if (row == NULL) return -1;
        if (!row->ends) continue;
        uint32_t rule = row->rule, begin = chart->origin.data[one];
        const uint32_t *known;
        while ((known = map_get(&chart->callers, rule, begin, 0, 0)) != NULL && *known != 0) {
            const Caller caller = *(Caller *)(chart->caller.data + *known - 1);
            if (caller.top_state != top_state || caller.top_origin != top_origin) break;
            const uint32_t *head = map_get(&chart->chained, end, caller.rule, caller.origin, 0);
            uint32_t at = head == NULL ? 0 : *head;
            const uint32_t next = at;
            while (at != 0 && (chart->chain.data[at - 1] != rule || chart->chain.data[at] != begin))
                at = chart->chain.data[at + 1];
            if (at != 0) break;
            at = (uint32_t)chart->chain.count + 1;
            if (vector_extend(&chart->chain, (uint32_t[]){rule, begin, next}, 3) < 0) return -1;
            if (map_put(&chart->chained, end, caller.rule, caller.origin, 0, at) < 0) return -1;
            if (caller.state == top_state && caller.origin == top_origin) break;
            rule = caller.rule;
            begin = caller.origin;
            if (tick(chart) < 0) return -1;
        }
    }
    return 0;
}

/* The first of the rules that were passed over inside of one; one more than its place, or 0. */
static int chain_of(Chart *chart, uint32_t rule, uint32_t begin, uint32_t end, uint32_t *found) {
    Items items;
    uint32_t item;
    if (items_at(chart, begin, end, &items) < 0) return -1;
    while (next_item(chart, &items, &item)) {
        if ((chart->state.data[item] & (LEAPT | EXPANDED)) != LEAPT) continue;
        Row *row = row_of(chart, item);
        if (row == NULL) return -1;
        if (row->rule != rule) continue;
        chart->state.data[item] |= EXPANDED;
        if (expand(chart, item, end) < 0) return -1;
    }
    const uint32_t *head = map_get(&chart->chained, end, rule, begin, 0);
    *found = head == NULL ? 0 : *head;
    return 0;
}

/* Reach, from where a rule that has ended leads to the goal, the offset at which it begins; 1 if
   nothing else needs to be known. */
static int back_over(Chart *chart, uint32_t rule, uint32_t begin, uint32_t here, uint32_t goal,
                     uint32_t name, uint32_t start) {
    Items items;
    uint32_t item, waits, found;
    if (start < begin || start >= here) return 0;
    if (ask(chart->engine, WAITS, goal, name, 0, &waits) < 0) return -1;
    if (!waits) return 0;
    if (items_at(chart, begin, start, &items) < 0) return -1;
    while (next_item(chart, &items, &item)) {
        Row *row = row_of(chart, item);
        if (row == NULL) return -1;
        if (row->rule != rule) continue;
        if (ask(chart->engine, CALL, chart->state.data[item] & STATE, name, goal, &found) < 0)
            return -1;
        if (found == 0) continue;
        int more = reach(chart, start, found);
        if (more < 0) return -1;
        if (more) {
            uint32_t *head = &chart->reached[start].links;
            if (chart->links.count >= MOST) return refuse(chart, "steps", start);
            const Link link = {name, found, here, *head};
            if (vector_extend(&chart->links, &link, 4) < 0) return -1;
            *head = (uint32_t)chart->links.count - 3;
            uint32_t has = 0; /* then nothing that is nearer is preferred to it */
            if (start == begin && chart->best &&
                ask(chart->engine, HAS, chart->reached[begin].places, chart->best, 0, &has) < 0)
                return -1;
            if (has) return 1;
        }
    }
    return 0;
}

static int back(Chart *chart, uint32_t rule, uint32_t begin, uint32_t end) {
    uint32_t goal, cyclic, item, found, own, whole = 0;
    chart->round++;
    chart->links.count = chart->heap.count = 0;
    if (chain_of(chart, rule, begin, end, &own) < 0) return -1;
    if (ask(chart->engine, CYCLIC, rule, rule, 0, &cyclic) < 0) return -1;
    if (cyclic && order_of(chart, rule, begin, end, &whole) < 0) return -1;
    if (ask(chart->engine, LAST, rule, 0, 0, &goal) < 0 || reach(chart, end, goal) < 0) return -1;
    if (ask(chart->engine, BEST, rule, chart->cells[begin], 0, &chart->best) < 0) return -1;
    while (chart->heap.count > 0) {
        const uint32_t here = pop_farthest(&chart->heap);
        goal = chart->reached[here].places;
        if (look_at(chart, here, "steps", 0) < 0) return -1;
        if (here > begin) {
            Items items;
            if (items_at(chart, begin, here - 1, &items) < 0) return -1;
            while (next_item(chart, &items, &item)) {
                Row *row = row_of(chart, item);
                if (row == NULL) return -1;
                if (row->rule != rule) continue;
                if (ask(chart->engine, READ, chart->state.data[item] & STATE,
                        chart->cells[here - 1], goal, &found) < 0)
                    return -1;
                if (found && reach(chart, here - 1, found) < 0) return -1;
            }
        }
        for (uint32_t one = chart->first.data[here]; one < chart->first.data[here + 1]; one++) {
            Row *row = row_of(chart, one);
            const uint32_t start = chart->origin.data[one];
            if (row == NULL || tick(chart) < 0) return -1;
            if (!row->ends) continue;
            if (cyclic && start == begin && here == end) {
                uint32_t alike, order;
                if (ask(chart->engine, CYCLIC, rule, row->rule, 0, &alike) < 0) return -1;
                if (order_of(chart, row->rule, begin, end, &order) < 0) return -1;
                if (alike && order >= whole) continue;
            }
            const int done = back_over(chart, rule, begin, here, goal, row->rule, start);
            if (done) return done;
        }
        for (uint32_t at = here == end ? own : 0; at != 0; at = chart->chain.data[at + 1]) {
            const int done = back_over(chart, rule, begin, here, goal, chart->chain.data[at - 1],
                                       chart->chain.data[at]);
            if (done) return done;
        }
    }
    return 0;
}

static int is_kept(const Chart *chart, uint32_t rule) {
    return rule < chart->kept_count && chart->kept[rule];
}

static int note(Chart *chart, uint32_t step, uint32_t here, uint32_t end) {
    if ((step & 3) <= LEAVE && !is_kept(chart, step >> 2)) return 0;
    return vector_extend(&chart->found, (uint32_t[]){step, here, end}, 3);
}

/* Note in `found` the first way of a rule between two offsets. */
static int steps_of(Chart *chart, uint32_t rule, uint32_t begin, uint32_t end) {
    Engine *engine = chart->engine;
    uint32_t here = begin, position, number, has;
    chart->found.count = 0;
    if (begin == end) {
        if (ask(engine, EMPTY, rule, 0, 0, &number) < 0) return -1;
        Way *way = way_at(engine, number);
        if (way == NULL) return -1;
        for (uint32_t at = 0; at < way->count; at++)
            if (note(chart, way->steps[at], begin, begin) < 0) return -1;
        return 0;
    }
    if (back(chart, rule, begin, end) < 0) return -1;
    if (ask(engine, FIRST, rule, 0, 0, &position) < 0) return -1;
    for (;;) {
        const Reached *reached = &chart->reached[here];
        if (reached->round != chart->round) break;
        if (ask(engine, WAY, position, reached->places, 0, &number) < 0) return -1;
        Way *way = way_at(engine, number);
        if (way == NULL) return -1;
        for (uint32_t at = 0; at < way->count; at++)
            if (note(chart, way->steps[at], here, here) < 0) return -1;
        position = way->following;
        if (way->kind == END && here == end) return 0;
        if (way->kind == CHARACTER && here < end) {
            here++;
        } else if (way->kind == RULE) {
            uint32_t stop = 0; /* the link that was noted first is the last in the list */
            for (uint32_t at = reached->links; at != 0;) {
                const Link *link = (const Link *)(chart->links.data + at - 1);
                at = link->next;
                if (link->name != way->rule) continue;
                const uint32_t farther = link->stop;
                if (ask(engine, HAS, link->places, way->position, 0, &has) < 0) return -1;
                if (has) stop = farther;
            }
            if (stop <= here || stop > end) break;
            if (note(chart, 4 * way->rule + CALLED, here, stop) < 0) return -1;
            here = stop;
        } else {
            break;
        }
    }
    PyErr_SetString(PyExc_SystemError, "the tables do not lead to the end of a rule");
    return -1;
}

/* Put what was noted onto the pending steps, last one first. */
static int push(Chart *chart) {
    Vector *from = &chart->found, *to = &chart->pending;
    chart->steps_left -= (int64_t)(from->count / 3) + 1;
    if (chart->steps_left < 0) return refuse(chart, "steps", 0);
    if (vector_reserve(to, from->count) < 0) return -1;
    for (size_t at = from->count; at > 0; at -= 3) vector_extend(to, from->data + at - 3, 3);
    return 0;
}

/* The nodes of the whole text, four numbers each. */
static int derived(Chart *chart, Vector *nodes) {
    Vector opened = {NULL, 0, 0};
    int result = -1;
    chart->reached = PyMem_Calloc((size_t)chart->size + 1, sizeof *chart->reached);
    if (chart->reached == NULL) return no_memory();
    if (vector_extend(nodes, (uint32_t[]){chart->rule, 0, chart->size, 0}, 4) < 0) goto done;
    if (steps_of(chart, chart->rule, 0, chart->size) < 0 || push(chart) < 0) goto done;
    while (chart->pending.count > 0) {
        const uint32_t *top = chart->pending.data + (chart->pending.count -= 3);
        const uint32_t rule = top[0] >> 2, what = top[0] & 3, here = top[1], end = top[2];
        if (tick(chart) < 0) goto done;
        if (what == LEAVE) {
            if (!is_kept(chart, rule) || opened.count == 0) continue;
            uint32_t *node = nodes->data + opened.data[--opened.count];
            node[2] = here;
            node[3] = (uint32_t)(nodes->count / 4);
            continue;
        }
        if (is_kept(chart, rule)) {
            if (nodes->count >= MOST) {
                refuse(chart, "steps", here);
                goto done;
            }
            if (vector_push(&opened, (uint32_t)nodes->count) < 0) goto done;
            if (vector_extend(nodes, (uint32_t[]){rule, here, 0, 0}, 4) < 0) goto done;
        }
        if (what == ENTER) continue;
        chart->found.count = 0;
        if (is_kept(chart, rule) && /* below what is pushed next */
            vector_extend(&chart->pending, (uint32_t[]){4 * rule + LEAVE, end, end}, 3) < 0)
            goto done;
        if (steps_of(chart, rule, here, what == INSIDE ? here : end) < 0 || push(chart) < 0)
            goto done;
    }
    nodes->data[3] = (uint32_t)(nodes->count / 4);
    result = 0;
done:
    PyMem_Free(opened.data);
    return result;
}

static void release(Chart *chart) {
    Vector *vectors[] = {&chart->state, &chart->origin, &chart->first,   &chart->caller,
                         &chart->chain, &chart->links,  &chart->heap,    &chart->pending,
                         &chart->found};
    for (size_t at = 0; at < sizeof vectors / sizeof *vectors; at++) PyMem_Free(vectors[at]->data);
    PyMem_Free(chart->cells);
    PyMem_Free(chart->slots);
    PyMem_Free(chart->waiting.entries);
    PyMem_Free(chart->waiter.data);
    PyMem_Free(chart->callers.entries);
    PyMem_Free(chart->chained.entries);
    PyMem_Free(chart->sorted);
    PyMem_Free(chart->is_sorted);
    PyMem_Free(chart->reached);
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
