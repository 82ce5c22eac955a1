/* The derivation of a text whose chart is complete, as `charts/engine.py` finds it. */

#include "chart.h"

#include <stdlib.h>

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
    *items = (Items){origin, low, end, end - low > SOME};
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
    const uint32_t *range = chart->first_ended.data + end;
    for (uint32_t number = range[0]; number < range[1]; number++) {
        const uint32_t one = chart->ended.data[number];
        Row *row = row_of(chart, one);
        if (row == NULL) return -1;
        uint32_t rule = row->rule, begin = chart->origin.data[one];
        const uint32_t *begun;
        while ((begun = map_get(&chart->begun_of, rule, begin, 0, 0)) != NULL) {
            const uint32_t known = chart->begun.data[*begun + 1];
            if (known == 0 || known == UNKNOWN) break;
            const Caller caller = *(Caller *)(chart->caller.data + known - 1);
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
        const uint32_t *range = chart->first_ended.data + here;
        for (uint32_t number = range[0]; number < range[1]; number++) {
            const uint32_t one = chart->ended.data[number], start = chart->origin.data[one];
            Row *row = row_of(chart, one);
            if (row == NULL || tick(chart) < 0) return -1;
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
int derived(Chart *chart, Vector *nodes) {
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

