/* SPDX-License-Identifier: MIT */
#include "options/memory-line.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "cli/command.h"
#include "kernel/pmu.h"
#include "options/record-line.h"

int memory_latency_set(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	struct memory_line_opts *m = field;

	(void)o, (void)negated;
	if (number_parse(value, &m->latency) < 0 || m->latency > UINT32_MAX)
		return diag_set(diag, -EINVAL, "--ldlat takes a number of cycles, not '%s'", value);
	m->has_latency = true;
	return 0;
}

static bool options_memory_line_is_list(const struct memory_line_opts *o)
{
	return o->event && !strcmp(o->event, "list");
}

static void options_memory_line_find(struct memory_events *e, const struct memory_line_opts *o)
{
	struct pmu_list *pmus = pmu_list_open(PMU_DEVICES);

	memory_events_find(e, pmus, o->has_latency ? &o->latency : NULL);
	pmu_list_free(pmus);
}

/* Lists the events as Linux's perf does: on standard error, one line for each name. */
static int options_memory_line_list(const struct invocation *inv, const struct memory_line_opts *o)
{
	_cleanup_(memory_events_done) struct memory_events e = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	options_memory_line_find(&e, o);
	if (!e.n)
		return command_fail(inv, memory_events_explain_none(&diag), &diag);
	for (size_t i = 0; i < e.n; i++)
		if (o->verbose)
			fprintf(command_err(inv), "%-13s%-25s: available\n", e.items[i].tag,
				e.items[i].words);
		else if (!i || strcmp(e.items[i].tag, e.items[i - 1].tag) != 0)
			fprintf(command_err(inv), "%-13s: available\n", e.items[i].tag);
	return EXIT_OK;
}

static int pick_named(const struct memory_events *e, const char *text, bool **ret,
		      struct diag *diag)
{
	_cleanup_(freep) bool *picked = xcalloc(e->n + 1, sizeof(*picked));
	_cleanup_(freep) char *words = xstrdup(text);
	char *rest = words, *word;

	if (!e->n)
		return memory_events_explain_none(diag);
	while ((word = strsep(&rest, ","))) {
		int r = memory_events_pick_named(e, word, picked, diag);

		if (r < 0)
			return r;
	}
	*ret = TAKE(picked);
	return 0;
}

/*
 * Checks the latency. AMD's hardware can filter by latencies of 128 to 2048 cycles; many processors
 * cannot filter at all.
 */
static int check_latency(const struct memory_line_opts *o, const struct memory_event *e,
			 struct diag *diag)
{
	if (!o->has_latency || strncmp(e->words, "ibs_op/", 7) != 0)
		return 0;
	if (!strstr(e->words, "ldlat="))
		return diag_set(diag, -EOPNOTSUPP,
				"this processor cannot choose loads by their latency: leave "
				"--ldlat out");
	if (o->latency && (o->latency < 128 || o->latency > 2048))
		return diag_set(diag, -EINVAL,
				"AMD's processors know latencies of 128 to 2048 cycles, not of "
				"%llu",
				(unsigned long long)o->latency);
	return 0;
}

static void options_memory_line_add_flags(struct record_line *l, const struct memory_line_opts *o,
					  bool loads)
{
	if (loads)
		record_line_add(l, "-W");
	record_line_add(l, "-d");
	if (o->all_user)
		record_line_add(l, "--all-user");
	if (o->all_kernel)
		record_line_add(l, "--all-kernel");
	for (unsigned i = 0; i < o->verbose; i++)
		record_line_add(l, "-v");
}

/* Appends -d, -W if loads are among the events, and the events, whose texts belong to @events. */
static int options_memory_line_add_events(struct record_line *l, const struct memory_line_opts *o,
					  unsigned accesses, struct memory_events *events,
					  struct diag *diag)
{
	_cleanup_(freep) bool *picked = NULL;
	unsigned found = 0;
	int r;

	options_memory_line_find(events, o);
	r = o->event ? pick_named(events, o->event, &picked, diag)
		     : memory_events_pick(events, accesses, &picked, diag);
	for (size_t i = 0; r >= 0 && i < events->n; i++) {
		if (!picked[i])
			continue;
		found |= events->items[i].accesses;
		r = check_latency(o, &events->items[i], diag);
	}
	if (r < 0)
		return r;
	options_memory_line_add_flags(l, o, found & MEMORY_LOADS);
	for (size_t i = 0; i < events->n; i++) {
		if (!picked[i])
			continue;
		record_line_add(l, "-e");
		record_line_add(l, events->items[i].words);
	}
	return 0;
}

int memory_line_run(struct invocation *inv, const struct memory_line_opts *o, unsigned accesses,
		    const char *const *more)
{
	_cleanup_(memory_events_done) struct memory_events events = { 0 };
	_cleanup_(record_line_done) struct record_line l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r;

	if (options_memory_line_is_list(o))
		return options_memory_line_list(inv, o);
	r = options_memory_line_add_events(&l, o, accesses, &events, &diag);
	if (r < 0)
		return command_fail(inv, r, &diag);
	for (; *more; more++)
		record_line_add(&l, *more);
	return record_line_run(&l, inv, "record");
}
