/* A chart of a text: chart.c fills it, deriving.c finds the derivation in it. */

#ifndef ABNF2LARK_CHART_H
#define ABNF2LARK_CHART_H

#include "engine.h"

#define FEW 12  /* items of an offset that are searched one by one, while they grow */
#define SOME 64 /* the same, when they are complete */
#define UNKNOWN 0xffffffffu

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
    Vector ended, first_ended; /* items with which a rule ends, by offset */
    int accepted;
    uint32_t *slots; /* of the items at the last offset, where they are not few: one more than each */
    size_t slots_room;
    Map begun_of;    /* by rule and begin: its place in `begun`; by offset: whether all is listed */
    Vector begun;    /* two numbers each: one more than that of the first waiter, and of the caller */
    Vector waiter;   /* three numbers each: the state after the rule, the origin, the next one */
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

int refuse(Chart *chart, const char *what, uint32_t here);

/* Let Ctrl-C be heard now and then. */
static inline int tick(Chart *chart) {
    return ++chart->ticks & 0xfffff ? 0 : PyErr_CheckSignals();
}

static inline Row *row_of(Chart *chart, uint32_t item) {
    return row_at(chart->engine, chart->state.data[item] & STATE);
}

/* Count the items of an offset as work, which grows with the cube in an ambiguous text. */
static inline int look_at(Chart *chart, uint32_t offset, const char *what, uint32_t here) {
    chart->work_left -= (int64_t)(chart->first.data[offset + 1] - chart->first.data[offset]);
    return chart->work_left < 0 ? refuse(chart, what, here) : 0;
}

int derived(Chart *chart, Vector *nodes); /* of deriving.c */

#endif
