/* SPDX-License-Identifier: MIT */
#include "capture/aux-plan.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "event/event.h"
#include "kernel/perf-event.h"
#include "kernel/pmu.h"

#define KIB ((size_t)1024)
#define MIB (1024 * KIB)

#define AREA_PRIVILEGED (4 * MIB)
#define AREA_USUAL      (128 * KIB)
#define AREA_LEAST      (8 * KIB)

/* A record has at most 64 KiB, and samples have other fields, too. */
#define SAMPLE_USUAL (4 * KIB)
#define SAMPLE_MOST  (60 * KIB)

#define SPE_INTERVAL_USUAL 4096

/*
 * The PMUs with an AUX area, for which Linux has drivers; sysfs does not show which PMUs have one.
 */
static const struct trace_pmu {
	const char *pattern;
	enum auxtrace_type type;
	const char *name;
	const char *one; /* name of its events in messages */
} trace_pmus[] = {
	{ "intel_pt", AUXTRACE_INTEL_PT, "Intel Processor Trace", "intel_pt" },
	{ "intel_bts", AUXTRACE_INTEL_BTS, "Intel BTS", "intel_bts" },
	{ "cs_etm", AUXTRACE_CS_ETM, "CoreSight ETM Trace", "cs_etm" },
	{ "arm_spe_*", AUXTRACE_ARM_SPE, "ARM SPE", "arm_spe_x" },
	{ "hisi_ptt*", AUXTRACE_HISI_PTT, "HiSilicon PTT", "hisi_ptt" },
};

static const struct trace_pmu *trace_pmu_of(const struct event *e)
{
	for (size_t i = 0; e->pmu && i < ARRAY_SIZE(trace_pmus); i++)
		if (glob_matches(trace_pmus[i].pattern, e->pmu->name))
			return &trace_pmus[i];
	return NULL;
}

const char *aux_plan_name(enum auxtrace_type type)
{
	for (size_t i = 0; i < ARRAY_SIZE(trace_pmus); i++)
		if (trace_pmus[i].type == type)
			return trace_pmus[i].name;
	return "hardware trace";
}

/*
 * Finds the only event that writes an AUX area and stores its index in *@ret; l->n: there is none.
 */
static int aux_plan_find_event(const struct event_list *l, size_t *ret, struct diag *diag)
{
	const struct trace_pmu *found = NULL;
	size_t at = l->n;

	for (size_t i = 0; i < l->n; i++) {
		const struct trace_pmu *t = trace_pmu_of(l->items[i]);

		if (!t)
			continue;
		if (t->type == AUXTRACE_HISI_PTT)
			return diag_set(diag, -EOPNOTSUPP,
					"traces of PCIe (%s) are not in this version",
					l->items[i]->pmu->name);
		if (found && found != t && found->type <= AUXTRACE_INTEL_BTS)
			return diag_set(diag, -EINVAL,
					"intel_pt and intel_bts may not be used together");
		if (found && found != t)
			return diag_set(diag, -EINVAL,
					"Concurrent AUX trace operation not currently supported");
		if (found)
			return diag_set(diag, -EINVAL, "There may be only one %s event", t->one);
		found = t;
		at = i;
	}
	*ret = at;
	return 0;
}

/* Puts the group of event @at before all others: a ring is mapped with its first event. */
static void move_to_front(struct event_list *l, size_t at)
{
	size_t first = l->items[at]->leader, n = 0, end = first;
	struct event **group;

	while (end < l->n && l->items[end]->leader == first)
		end++;
	n = end - first;
	group = xcalloc(n, sizeof(*group));
	memcpy(group, l->items + first, n * sizeof(*group));
	memmove(l->items + n, l->items, first * sizeof(*group));
	memcpy(l->items, group, n * sizeof(*group));
	free(group);
	for (size_t i = 0; i < end; i++) {
		size_t *leader = &l->items[i]->leader;

		*leader = i < n ? 0 : *leader + n;
	}
}

static size_t aux_plan_power_of_two(size_t n)
{
	size_t p = (size_t)sysconf(_SC_PAGESIZE);

	while (p < n)
		p *= 2;
	return p;
}

static bool is_privileged(void)
{
	return geteuid() == 0 || perf_event_paranoid() < 0;
}

/* Parses a number of bytes, also in hexadecimal or with a unit. */
static int read_size(const char *text, uint64_t *ret)
{
	char *end;

	*ret = strtoull(text, &end, 0);
	return end != text && !*end ? 0 : number_parse_size(text, ret);
}

/* Parses -S: 'e' and a size, each at most once. */
static int read_snapshot(const char *text, struct aux_plan *p, struct diag *diag)
{
	uint64_t bytes = 0;

	p->snapshots = true;
	p->at_exit = *text == 'e';
	text += p->at_exit;
	if (*text && (read_size(text, &bytes) < 0 || !bytes)) {
		diag_set(diag, -EINVAL, "'%s' is not a size of a snapshot", text);
		diag_hint(diag, "-S takes e (a last snapshot at exit) and a number of bytes: "
				"-Se0x100000");
		return -EINVAL;
	}
	p->snapshot_bytes = (size_t)bytes;
	return 0;
}

static int read_sample(const char *text, struct aux_plan *p, struct diag *diag)
{
	uint64_t bytes = SAMPLE_USUAL;

	if (*text && read_size(text, &bytes) < 0)
		return diag_set(diag, -EINVAL, "'%s' is not a size of a sample", text);
	if (!bytes || bytes > SAMPLE_MOST) {
		diag_set(diag, -EINVAL, "AUX area sample size %" PRIu64 " too %s, max. %zu", bytes,
			 bytes ? "big" : "small", SAMPLE_MOST);
		diag_hint(diag, "Records have at most 64 KiB: --aux-sample takes 1 to %zu.",
			  SAMPLE_MOST);
		return -EINVAL;
	}
	p->samples = true;
	p->sample_bytes = (uint32_t)bytes;
	return 0;
}

/* True if an event has a term aux-sample-size=. */
static bool has_own_samples(const struct event_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i]->settings.given & 1U << EVENT_SETTING_AUX_SAMPLE_SIZE)
			return true;
	return false;
}

static int check_size(const struct aux_plan *p, struct diag *diag)
{
	bool whole_pages = p->snapshots || p->samples || p->type == AUXTRACE_CS_ETM;
	size_t least = whole_pages && p->type != AUXTRACE_ARM_SPE ? (size_t)sysconf(_SC_PAGESIZE)
								  : AREA_LEAST;

	if (p->bytes < least)
		return diag_set(diag, -EINVAL,
				"Invalid mmap size for %s: must be at least %zuKiB and a power of "
				"2",
				aux_plan_name(p->type), least / KIB);
	if (p->snapshot_bytes > p->bytes)
		return diag_set(diag, -EINVAL,
				"Snapshot size %zu must not be greater than AUX area tracing mmap "
				"size %zu",
				p->snapshot_bytes, p->bytes);
	return 0;
}

static int choose_size(const struct aux_request *rq, struct aux_plan *p, struct diag *diag)
{
	if (rq->pages)
		p->bytes = aux_plan_power_of_two(rq->pages * (size_t)sysconf(_SC_PAGESIZE));
	else if (p->snapshot_bytes)
		p->bytes = aux_plan_power_of_two(p->snapshot_bytes);
	else if (p->samples)
		p->bytes = aux_plan_power_of_two(p->sample_bytes);
	else
		p->bytes = is_privileged() ? AREA_PRIVILEGED : AREA_USUAL;
	return check_size(p, diag);
}

static int refuse_without_event(const struct event_list *l, const struct aux_request *rq,
				struct diag *diag)
{
	if (!rq->snapshot && !rq->sample && !has_own_samples(l))
		return 0;
	diag_set(diag, -EINVAL,
		 rq->snapshot ? "No AUX area tracing to snapshot" : "No AUX area event to sample");
	diag_hint(diag, "-S and --aux-sample go with a hardware trace: -e intel_pt//, -e "
			"arm_spe_0// or -e cs_etm//, where `perf list` shows such a PMU.");
	return -EINVAL;
}

/*
 * Checks that there are events that get pieces of the trace: those of its group, or all that have
 * the term.
 */
static int check_samples(struct event_list *l, const struct aux_plan *p, struct diag *diag)
{
	bool any = has_own_samples(l);

	for (size_t i = 1; i < l->n && p->samples; i++)
		any |= l->items[i]->leader == 0;
	if (p->type != AUXTRACE_INTEL_PT || !any)
		return diag_set(diag, -EINVAL,
				"AUX area sampling requires an AUX area event group leader plus "
				"other events to which to add samples");
	/* The kernel requires them in one group; the term implies it. */
	for (size_t i = 1; i < l->n; i++)
		if (l->items[i]->settings.given & 1U << EVENT_SETTING_AUX_SAMPLE_SIZE)
			l->items[i]->leader = 0;
	return 0;
}

int aux_plan_make(struct event_list *l, const struct aux_request *rq, struct aux_plan *ret,
		  struct diag *diag)
{
	struct aux_plan p = { 0 };
	size_t at = 0;
	int r = aux_plan_find_event(l, &at, diag);

	if (r >= 0 && at == l->n)
		r = refuse_without_event(l, rq, diag);
	if (r < 0 || at == l->n) {
		*ret = p;
		return r;
	}
	move_to_front(l, at);
	l->items[0]->traces = true;
	p.type = trace_pmu_of(l->items[0])->type;
	if (rq->snapshot)
		r = read_snapshot(rq->snapshot, &p, diag);
	if (r >= 0 && (rq->sample || has_own_samples(l)))
		r = read_sample(rq->sample ? rq->sample : "", &p, diag);
	if (r >= 0 && p.snapshots && p.samples)
		r = diag_set(diag, -EINVAL,
			     "Snapshot mode (%s PMU) and sample trace cannot be used together",
			     l->items[0]->pmu->name);
	if (r >= 0 && p.samples)
		r = check_samples(l, &p, diag);
	if (r >= 0)
		r = choose_size(rq, &p, diag);
	if (r >= 0)
		*ret = p;
	return r;
}

static bool aux_plan_read_attribute(const char *devices, const char *pmu, const char *file,
				    int base, uint64_t *ret)
{
	_cleanup_(text_done) struct text path = TEXT_EMPTY;
	_cleanup_(freep) char *line = NULL;
	char *end;

	text_addf(&path, "%s/%s/%s", devices, pmu, file);
	if (file_read_line(AT_FDCWD, path.chars, &line) < 0)
		return false;
	*ret = strtoull(line, &end, base);
	return end != line;
}

static bool aux_plan_has_bit(const struct event *e, const char *format)
{
	const struct pmu_format *f = pmu_format_find(e->pmu, format);

	return f && f->word == PMU_CONFIG && (e->attr.config & f->mask);
}

static void set_bit(struct event *e, const char *format)
{
	const struct pmu_format *f = pmu_format_find(e->pmu, format);

	if (f && f->word == PMU_CONFIG)
		e->attr.config |= f->mask;
}

static void prepare_spe(struct event *e, const struct aux_target *t)
{
	uint64_t interval = SPE_INTERVAL_USUAL;

	aux_plan_read_attribute(t->devices, e->pmu->name, "caps/min_interval", 10, &interval);
	e->attr.sample_period = interval;
	/* Events on different CPUs can be ordered only by their times. */
	if (t->per_cpu)
		set_bit(e, "ts_enable");
}

static int set_sink(struct event *e, const struct aux_target *t, struct diag *diag)
{
	_cleanup_(text_done) struct text file = TEXT_EMPTY;
	const char *sink = e->settings.driver_config;
	uint64_t id = 0;

	if (!(e->settings.given & 1U << EVENT_SETTING_DRIVER_CONFIG))
		return 0;
	text_addf(&file, "sinks/%s", sink);
	if (strchr(sink, '/') ||
	    !aux_plan_read_attribute(t->devices, e->pmu->name, file.chars, 16, &id)) {
		diag_set(diag, -ENOENT, "failed to set sink \"%s\" on event %s with %d (%s)", sink,
			 e->name, ENOENT, strerror(ENOENT));
		diag_hint(diag, "This machine's sinks: ls %s/%s/sinks", t->devices, e->pmu->name);
		return -ENOENT;
	}
	e->attr.config2 = (e->attr.config2 & ~0xffffffffULL) | (id & 0xffffffff);
	return 0;
}

static int prepare_etm(struct event *e, const struct aux_target *t, struct diag *diag)
{
	e->attr.sample_period = 1;
	if (t->per_cpu) {
		set_bit(e, pmu_format_find(e->pmu, "contextid") ? "contextid" : "contextid1");
		set_bit(e, "timestamp");
	}
	return set_sink(e, t, diag);
}

/* Checks a term whose valid values the CPU lists as bits of a number. */
static int check_value(const struct event *e, const struct aux_target *t, const char *format,
		       const char *caps, struct diag *diag)
{
	const struct pmu_format *f = pmu_format_find(e->pmu, format);
	_cleanup_(text_done) struct text list = TEXT_EMPTY;
	uint64_t valid = 0, value;

	if (!f || f->word != PMU_CONFIG)
		return 0;
	value = (e->attr.config & f->mask) >> __builtin_ctzll(f->mask);
	aux_plan_read_attribute(t->devices, e->pmu->name, caps, 16, &valid);
	valid |= 1;
	if (value < 64 && valid >> value & 1)
		return 0;
	for (unsigned i = 0, last; i < 64; i = last + 1) {
		last = i;
		if (!(valid >> i & 1))
			continue;
		while (last < 63 && valid >> (last + 1) & 1)
			last++;
		text_addf(&list, last > i ? "%s%u-%u" : "%s%u", list.length ? "," : "", i, last);
	}
	return diag_set(diag, -EINVAL, "Invalid %s for %s. Valid values are: %s", format,
			e->pmu->name, list.chars);
}

static int prepare_pt(const struct aux_plan *p, struct event *e, const struct aux_target *t,
		      struct diag *diag)
{
	const struct pmu_format *psb = pmu_format_find(e->pmu, "psb_period");
	int r = check_value(e, t, "psb_period", "caps/psb_periods", diag);

	if (r >= 0)
		r = check_value(e, t, "mtc_period", "caps/mtc_periods", diag);
	if (r >= 0)
		r = check_value(e, t, "cyc_thresh", "caps/cycle_thresholds", diag);
	if (r < 0)
		return r;
	e->attr.sample_period = 1;
	e->attr.exclude_guest = 0;
	/* A sample is short, so it should contain a place where decoding can begin. */
	if (p->samples && psb && psb->word == PMU_CONFIG && !strstr(e->name, "psb_period"))
		e->attr.config &= ~psb->mask;
	if (!p->snapshots && !p->samples)
		e->attr.aux_watermark = (uint32_t)(p->bytes / 4);
	return 0;
}

/* Rejects per-CPU recording: the branches of a CPU's tasks would be one sequence, without times. */
static int refuse_per_cpu(const struct event *e, struct diag *diag)
{
	diag_set(diag, -EINVAL, "%s does not support per-cpu recording", e->pmu->name);
	diag_hint(diag, "Add --per-thread.");
	return -EINVAL;
}

int aux_plan_prepare(const struct aux_plan *p, struct event_list *l, const struct aux_target *t,
		     struct diag *diag)
{
	struct event *e = l->items[0];

	switch (p->type) {
	case AUXTRACE_INTEL_PT:
		return prepare_pt(p, e, t, diag);
	case AUXTRACE_CS_ETM:
		return prepare_etm(e, t, diag);
	case AUXTRACE_ARM_SPE:
		prepare_spe(e, t);
		return 0;
	default:
		e->attr.sample_period = 1;
		return t->per_cpu ? refuse_per_cpu(e, diag) : 0;
	}
}

size_t aux_plan_too_sparse(const struct aux_plan *p, const struct event_list *l)
{
	const struct event *e = l->items[0];
	const struct pmu_format *f = e->pmu ? pmu_format_find(e->pmu, "psb_period") : NULL;
	size_t kept = p->samples ? p->sample_bytes : p->snapshot_bytes, period;

	if (p->type != AUXTRACE_INTEL_PT || !kept || !f || f->word != PMU_CONFIG)
		return 0;
	period = (size_t)1 << (11 + ((e->attr.config & f->mask) >> __builtin_ctzll(f->mask)));
	return kept <= period + 256 ? period : 0;
}

struct aux_dummies aux_plan_dummies(const struct aux_plan *p, const struct event_list *l,
				    const struct aux_target *t)
{
	bool is_pt = p->type == AUXTRACE_INTEL_PT;

	return (struct aux_dummies){
		.switches = is_pt && t->per_cpu && !t->system && t->may_watch &&
			    aux_plan_has_bit(l->items[0], "tsc"),
		.pokes = is_pt && t->may_watch && !l->items[0]->attr.exclude_kernel,
	};
}

/*
 * True if the side-band event must report context switches, because tasks on a CPU take turns in
 * one trace.
 */
static bool tracks_switches(const struct aux_plan *p, const struct event_list *l,
			    const struct aux_target *t)
{
	switch (p->type) {
	case AUXTRACE_INTEL_PT:
		return t->per_cpu && aux_plan_has_bit(l->items[0], "tsc") &&
		       !aux_plan_dummies(p, l, t).switches;
	case AUXTRACE_CS_ETM:
		return true;
	case AUXTRACE_ARM_SPE:
		return t->per_cpu;
	default:
		return false;
	}
}

static void aux_plan_add_samples(const struct aux_plan *p, struct event_list *l)
{
	for (size_t i = 1; i < l->n && p->samples; i++) {
		struct event *e = l->items[i];
		bool own = e->settings.given & 1U << EVENT_SETTING_AUX_SAMPLE_SIZE;

		if (e->leader != 0)
			continue;
		e->attr.sample_type |= PERF_SAMPLE_AUX;
		e->attr.aux_sample_size = own ? e->settings.aux_sample_size : p->sample_bytes;
	}
}

static void aux_plan_forget_stack(struct attr *a)
{
	a->sample_type &= ~(uint64_t)(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
				      PERF_SAMPLE_STACK_USER);
	a->sample_regs_user = 0;
	a->sample_stack_user = 0;
	a->sample_max_stack = 0;
	a->exclude_callchain_user = a->exclude_callchain_kernel = 0;
}

void aux_plan_finish(const struct aux_plan *p, struct event_list *l, const struct aux_target *t,
		     size_t tracking)
{
	struct attr *traced = &l->items[0]->attr, *side = &l->items[tracking]->attr;
	bool with_cpu = p->type == AUXTRACE_ARM_SPE || p->type == AUXTRACE_INTEL_PT;

	if (t->per_cpu) {
		traced->sample_type |= PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
		side->sample_type |= PERF_SAMPLE_TIME | (with_cpu ? PERF_SAMPLE_CPU : 0);
	}
	if (p->type == AUXTRACE_ARM_SPE) {
		traced->sample_type |= PERF_SAMPLE_DATA_SRC;
		if (aux_plan_has_bit(l->items[0], "pa_enable"))
			traced->sample_type |= PERF_SAMPLE_PHYS_ADDR;
	}
	/* If a trace has all calls, its reader reconstructs the stacks. */
	for (size_t i = 0; i < l->n && p->type == AUXTRACE_INTEL_PT; i++)
		if (i == 0 || i >= tracking || l->items[i]->whole_cpus)
			aux_plan_forget_stack(&l->items[i]->attr);
	side->context_switch |= tracks_switches(p, l, t);
	aux_plan_add_samples(p, l);
}
