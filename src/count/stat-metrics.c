/* SPDX-License-Identifier: MIT */
#include "count/stat-metrics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "event/event.h"

/* The meaning of an event for the rules below. */
enum meaning {
	OTHER,
	CLOCK,
	CYCLES,
	INSTRUCTIONS,
	STALLED_FRONTEND,
	STALLED_BACKEND,
	BRANCHES,
	BRANCH_MISSES,
	CACHE_REFERENCES,
	CACHE_MISSES,
	L1D_LOADS,
	L1D_MISSES,
	L1I_LOADS,
	L1I_MISSES,
	LLC_LOADS,
	LLC_MISSES,
	DTLB_LOADS,
	DTLB_MISSES,
	ITLB_LOADS,
	ITLB_MISSES,
	CYCLES_IN_TX,
	CYCLES_IN_TX_CP,
	TX_START,
	EL_START,
	SLOTS,
	SLOTS_ISSUED,
	SLOTS_RETIRED,
	FETCH_BUBBLES,
	RECOVERY_BUBBLES,
	SMI,
	APERF,
};

#define CACHE(c, result)                                                                           \
	(PERF_COUNT_HW_CACHE_##c | PERF_COUNT_HW_CACHE_OP_READ << 8 |                              \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

static const struct {
	uint32_t type;
	uint32_t config; /* without the PMU's type on hybrid machines */
	enum meaning meaning;
} generic[] = {
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, CLOCK },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, CLOCK },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, CYCLES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, INSTRUCTIONS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, STALLED_FRONTEND },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, STALLED_BACKEND },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, BRANCHES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, BRANCH_MISSES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, CACHE_REFERENCES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, CACHE_MISSES },
	{ PERF_TYPE_HW_CACHE, CACHE(L1D, ACCESS), L1D_LOADS },
	{ PERF_TYPE_HW_CACHE, CACHE(L1D, MISS), L1D_MISSES },
	{ PERF_TYPE_HW_CACHE, CACHE(L1I, ACCESS), L1I_LOADS },
	{ PERF_TYPE_HW_CACHE, CACHE(L1I, MISS), L1I_MISSES },
	{ PERF_TYPE_HW_CACHE, CACHE(LL, ACCESS), LLC_LOADS },
	{ PERF_TYPE_HW_CACHE, CACHE(LL, MISS), LLC_MISSES },
	{ PERF_TYPE_HW_CACHE, CACHE(DTLB, ACCESS), DTLB_LOADS },
	{ PERF_TYPE_HW_CACHE, CACHE(DTLB, MISS), DTLB_MISSES },
	{ PERF_TYPE_HW_CACHE, CACHE(ITLB, ACCESS), ITLB_LOADS },
	{ PERF_TYPE_HW_CACHE, CACHE(ITLB, MISS), ITLB_MISSES },
};

/* Events that only some PMUs have, by their names in sysfs. */
static const struct {
	const char *name;
	enum meaning meaning;
} named[] = {
	{ "cycles-t", CYCLES_IN_TX },
	{ "cycles-ct", CYCLES_IN_TX_CP },
	{ "tx-start", TX_START },
	{ "el-start", EL_START },
	{ "topdown-total-slots", SLOTS },
	{ "topdown-slots-issued", SLOTS_ISSUED },
	{ "topdown-slots-retired", SLOTS_RETIRED },
	{ "topdown-fetch-bubbles", FETCH_BUBBLES },
	{ "topdown-recovery-bubbles", RECOVERY_BUBBLES },
	{ "msr/smi/", SMI },
	{ "msr/aperf/", APERF },
};

/*
 * True if the event is called @name: "cpu/cycles-t/u" and "cycles-t:u" are "cycles-t"; a name with
 * its PMU must match including it.
 */
static bool stat_metrics_is_called(const struct event *e, const char *name)
{
	const char *at = e->name;
	size_t n = strlen(name);

	if (!strncmp(at, "cpu/", 4) && !strchr(name, '/'))
		at += 4;
	return !strncmp(at, name, n) && (name[n - 1] == '/' || strchr("/:", at[n]));
}

static enum meaning meaning_of(const struct event *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(generic); i++)
		if (e->attr.type == generic[i].type &&
		    (uint32_t)e->attr.config == generic[i].config && e->tool == EVENT_TOOL_NONE)
			return generic[i].meaning;
	if (!e->pmu)
		return OTHER;
	for (size_t i = 0; i < ARRAY_SIZE(named); i++)
		if (stat_metrics_is_called(e, named[i].name))
			return named[i].meaning;
	return OTHER;
}

/*
 * The data from which a metric is computed: its event, and the events by which it can be divided.
 */
struct stat_metrics_place {
	const struct stat_operand *operands;
	size_t n, i;
	double seconds;
};

static bool same_conditions(const struct stat_operand *x, const struct stat_operand *y)
{
	const struct attr *a = &x->event->attr, *b = &y->event->attr;

	return a->exclude_user == b->exclude_user && a->exclude_kernel == b->exclude_kernel &&
	       a->exclude_hv == b->exclude_hv && a->exclude_idle == b->exclude_idle &&
	       a->exclude_host == b->exclude_host && a->exclude_guest == b->exclude_guest;
}

/*
 * True if the operand can be used. A clock is the same in every mode; a PMU's counts are combined
 * with those of the same PMU.
 */
static bool stat_metrics_fits(const struct stat_metrics_place *p, const struct stat_operand *o,
			      enum meaning wanted)
{
	const struct stat_operand *self = &p->operands[p->i];

	if (o->state != STAT_COUNTED || meaning_of(o->event) != wanted ||
	    strcmp(self->cgroup, o->cgroup) != 0)
		return false;
	if (wanted == CLOCK)
		return true;
	return same_conditions(self, o) &&
	       (!self->event->pmu || !o->event->pmu || self->event->pmu == o->event->pmu);
}

/* Finds the count of the first matching event. False: none was counted. */
static bool stat_metrics_find(const struct stat_metrics_place *p, enum meaning wanted, double *ret)
{
	for (size_t i = 0; i < p->n; i++) {
		if (stat_metrics_fits(p, &p->operands[i], wanted)) {
			*ret = p->operands[i].count;
			return true;
		}
	}
	return false;
}

static double own_count(const struct stat_metrics_place *p)
{
	return p->operands[p->i].count;
}

static void stat_metrics_set(struct stat_metric *m, bool known, double value,
			     enum stat_format format, const char *unit)
{
	*m = (struct stat_metric){ .known = known, .value = known ? value : 0, .format = format };
	snprintf(m->unit, sizeof(m->unit), "%s", unit);
}

/* Shares of something: the rows of the table below. */
struct stat_metrics_share {
	enum meaning event, of;
	const char *unit;
	enum stat_format format;
	bool zero_is_zero; /* zero of zero is shown as 0 %, not left out */
	double levels[3];  /* limits above which it is worrying; 0: never */
};

#define MISSES                                                                                     \
	{                                                                                          \
		5, 10, 20                                                                          \
	}

static const struct stat_metrics_share shares[] = {
	{ BRANCH_MISSES, BRANCHES, "of all branches", STAT_FORMAT_PERCENT, true, MISSES },
	{ L1D_MISSES, L1D_LOADS, "of all L1-dcache accesses", STAT_FORMAT_PERCENT, true, MISSES },
	{ L1I_MISSES, L1I_LOADS, "of all L1-icache accesses", STAT_FORMAT_PERCENT, true, MISSES },
	{ DTLB_MISSES, DTLB_LOADS, "of all dTLB cache accesses", STAT_FORMAT_PERCENT, true,
	  MISSES },
	{ ITLB_MISSES, ITLB_LOADS, "of all iTLB cache accesses", STAT_FORMAT_PERCENT, true,
	  MISSES },
	{ LLC_MISSES, LLC_LOADS, "of all LL-cache accesses", STAT_FORMAT_PERCENT, true, MISSES },
	{ CACHE_MISSES, CACHE_REFERENCES, "of all cache refs", STAT_FORMAT_SHARE, true, { 0 } },
	{ STALLED_FRONTEND,
	  CYCLES,
	  "frontend cycles idle",
	  STAT_FORMAT_PERCENT,
	  false,
	  { 10, 30, 50 } },
	{ STALLED_BACKEND,
	  CYCLES,
	  "backend cycles idle",
	  STAT_FORMAT_PERCENT,
	  false,
	  { 20, 50, 75 } },
	{ CYCLES_IN_TX, CYCLES, "transactional cycles", STAT_FORMAT_PERCENT, false, { 0 } },
};

static enum stat_level stat_metrics_level_of(const struct stat_metrics_share *s, double value)
{
	enum stat_level level = STAT_LEVEL_NONE;

	for (size_t i = 0; i < ARRAY_SIZE(s->levels) && s->levels[i] > 0 && value > s->levels[i];
	     i++)
		level = (enum stat_level)(STAT_LEVEL_LOW + i);
	return level;
}

static size_t share_metric(const struct stat_metrics_place *p, const struct stat_metrics_share *s,
			   struct stat_metric *ret)
{
	double whole;
	bool there = stat_metrics_find(p, s->of, &whole);
	double value = there && whole > 0 ? 100 * own_count(p) / whole : 0;

	stat_metrics_set(ret, there && (whole > 0 || s->zero_is_zero), value, s->format, s->unit);
	ret->of_all = !strncmp(s->unit, "of all", 6);
	ret->level = stat_metrics_level_of(s, value);
	return 1;
}

static size_t clock_metric(const struct stat_metrics_place *p, struct stat_metric *ret)
{
	stat_metrics_set(ret, p->seconds > 0, own_count(p) / 1e9 / p->seconds, STAT_FORMAT_NUMBER,
			 "CPUs utilized");
	ret->rate = true;
	return 1;
}

static size_t cycles_metric(const struct stat_metrics_place *p, struct stat_metric *ret)
{
	double clock;
	bool there = stat_metrics_find(p, CLOCK, &clock) && clock > 0;

	stat_metrics_set(ret, there, there ? own_count(p) / clock : 0, STAT_FORMAT_NUMBER, "GHz");
	return 1;
}

/*
 * Computes the metrics of instructions. Of the two kinds of stalls, the larger one is the time for
 * which an instruction waits.
 */
static size_t instructions_metrics(const struct stat_metrics_place *p, struct stat_metric *ret)
{
	double cycles, frontend = 0, backend = 0;
	bool there = stat_metrics_find(p, CYCLES, &cycles) && cycles > 0;

	stat_metrics_set(&ret[0], there, there ? own_count(p) / cycles : 0, STAT_FORMAT_RATIO,
			 "insn per cycle");
	stat_metrics_find(p, STALLED_FRONTEND, &frontend);
	stat_metrics_find(p, STALLED_BACKEND, &backend);

	double stalls = fmax(frontend, backend);

	if (!(stalls > 0) || !(own_count(p) > 0))
		return 1;
	stat_metrics_set(&ret[1], true, stalls / own_count(p), STAT_FORMAT_RATIO,
			 "stalled cycles per insn");
	return 2;
}

static size_t aborted_metric(const struct stat_metrics_place *p, struct stat_metric *ret)
{
	double cycles, in_tx;
	bool there = stat_metrics_find(p, CYCLES, &cycles) &&
		     stat_metrics_find(p, CYCLES_IN_TX, &in_tx) && cycles > 0;

	stat_metrics_set(ret, there, there ? 100 * fmax(in_tx - own_count(p), 0) / cycles : 0,
			 STAT_FORMAT_PERCENT, "aborted cycles");
	return 1;
}

static size_t per_start_metric(const struct stat_metrics_place *p, const char *unit,
			       struct stat_metric *ret)
{
	double in_tx;
	bool there = stat_metrics_find(p, CYCLES_IN_TX, &in_tx) && own_count(p) > 0;

	stat_metrics_set(ret, there, there ? in_tx / own_count(p) : 0, STAT_FORMAT_WHOLE, unit);
	return 1;
}

static void mark_above(struct stat_metric *m, double limit, enum stat_level level)
{
	if (m->value > limit)
		m->level = level;
}

static size_t slots_metric(const struct stat_metrics_place *p, const char *unit,
			   struct stat_metric *ret)
{
	double slots;
	bool there = stat_metrics_find(p, SLOTS, &slots) && slots > 0;

	stat_metrics_set(ret, there, there ? 100 * own_count(p) / slots : 0, STAT_FORMAT_TOPDOWN,
			 unit);
	return 1;
}

static size_t frontend_bound_metric(const struct stat_metrics_place *p, struct stat_metric *ret)
{
	size_t n = slots_metric(p, "frontend bound", ret);

	mark_above(ret, 20, STAT_LEVEL_HIGH);
	return n;
}

static size_t retiring_metric(const struct stat_metrics_place *p, struct stat_metric *ret)
{
	size_t n = slots_metric(p, "retiring", ret);

	mark_above(ret, 70, STAT_LEVEL_GOOD);
	return n;
}

/*
 * Computes the slots issued but not retired, plus those lost while recovering from a wrong guess.
 */
static bool bad_speculation(const struct stat_metrics_place *p, double slots, double *ret)
{
	double issued, retired, recovery;

	if (!stat_metrics_find(p, SLOTS_ISSUED, &issued) ||
	    !stat_metrics_find(p, SLOTS_RETIRED, &retired) ||
	    !stat_metrics_find(p, RECOVERY_BUBBLES, &recovery))
		return false;
	*ret = (issued - retired + recovery) / slots;
	return true;
}

static size_t bad_speculation_metric(const struct stat_metrics_place *p, struct stat_metric *ret)
{
	double slots, bad = 0;
	bool there = stat_metrics_find(p, SLOTS, &slots) && slots > 0 &&
		     bad_speculation(p, slots, &bad);

	stat_metrics_set(ret, there, 100 * bad, STAT_FORMAT_TOPDOWN, "bad speculation");
	mark_above(ret, 10, STAT_LEVEL_HIGH);
	return 1;
}

/* Computes the backend's share: the rest of the slots. */
static size_t backend_bound_metric(const struct stat_metrics_place *p, struct stat_metric *ret)
{
	double slots, fetch = 0, retired = 0, bad = 0;
	bool there = stat_metrics_find(p, SLOTS, &slots) && slots > 0 &&
		     stat_metrics_find(p, FETCH_BUBBLES, &fetch) &&
		     stat_metrics_find(p, SLOTS_RETIRED, &retired) &&
		     bad_speculation(p, slots, &bad);

	stat_metrics_set(ret, there, there ? 100 * (1 - (fetch + retired) / slots - bad) : 0,
			 STAT_FORMAT_TOPDOWN, "backend bound");
	mark_above(ret, 20, STAT_LEVEL_HIGH);
	return 1;
}

/* Computes the rate of any other event, per second of the clock that is counted with it. */
static size_t rate_metric(const struct stat_metrics_place *p, struct stat_metric *ret)
{
	static const char *const units[] = { "/sec", "K/sec", "M/sec", "G/sec" };
	const struct event *e = p->operands[p->i].event;
	double clock, rate;
	size_t unit = 0;

	if (!stat_metrics_find(p, CLOCK, &clock))
		return 0;
	rate = clock > 0 ? own_count(p) * e->scale / (clock / 1e9) : 0;
	for (; rate > 1000 && unit + 1 < ARRAY_SIZE(units); unit++)
		rate /= 1000;
	stat_metrics_set(ret, true, rate, STAT_FORMAT_NUMBER, units[unit]);
	ret->rate = true;
	return 1;
}

/* Computes the metrics of SMIs. Without their operands, interrupts are events like others. */
static size_t smi_metrics(const struct stat_metrics_place *p, struct stat_metric *ret)
{
	double aperf, cycles;
	bool there = stat_metrics_find(p, APERF, &aperf) && stat_metrics_find(p, CYCLES, &cycles) &&
		     aperf > 0;

	if (!there)
		return rate_metric(p, ret);
	stat_metrics_set(&ret[0], true, 100 * (aperf - cycles) / aperf, STAT_FORMAT_TOPDOWN,
			 "SMI cycles%");
	mark_above(&ret[0], 10, STAT_LEVEL_HIGH);
	stat_metrics_set(&ret[1], true, own_count(p), STAT_FORMAT_SMALL, "SMI#");
	ret[1].same_line = true;
	return 2;
}

size_t stat_metrics_of(const struct stat_operand *operands, size_t n, size_t i, double seconds,
		       struct stat_metric *ret)
{
	const struct stat_metrics_place p = { operands, n, i, seconds };
	enum meaning meaning = meaning_of(operands[i].event);

	for (size_t j = 0; j < ARRAY_SIZE(shares); j++)
		if (shares[j].event == meaning)
			return share_metric(&p, &shares[j], ret);
	switch (meaning) {
	case CLOCK:
		return clock_metric(&p, ret);
	case CYCLES:
		return cycles_metric(&p, ret);
	case INSTRUCTIONS:
		return instructions_metrics(&p, ret);
	case CYCLES_IN_TX_CP:
		return aborted_metric(&p, ret);
	case TX_START:
		return per_start_metric(&p, "cycles / transaction", ret);
	case EL_START:
		return per_start_metric(&p, "cycles / elision", ret);
	case FETCH_BUBBLES:
		return frontend_bound_metric(&p, ret);
	case SLOTS_RETIRED:
		return retiring_metric(&p, ret);
	case RECOVERY_BUBBLES:
		return bad_speculation_metric(&p, ret);
	case SLOTS_ISSUED:
		return backend_bound_metric(&p, ret);
	case SMI:
		return smi_metrics(&p, ret);
	default:
		return rate_metric(&p, ret);
	}
}
