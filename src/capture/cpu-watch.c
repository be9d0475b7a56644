/* SPDX-License-Identifier: MIT */
#include "capture/cpu-watch.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "kernel/topology.h"

/* A CPU that is away for less is not noticed. Each look wakes who sleeps. */
#define EACH_NS 500000000

void cpu_watch_begin(struct cpu_watch *w, const char *system)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };

	*w = (struct cpu_watch){ .system = system };
	(void)topology_online(system, &w->before, &ignored);
}

void cpu_watch_done(struct cpu_watch *w)
{
	cpu_list_done(&w->before);
	cpu_list_done(&w->came);
	cpu_list_done(&w->went);
}

static int compare_cpus(const void *a, const void *b)
{
	const unsigned *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Adds those of @some that @others have not. Lists are in order. */
static void add_missing(struct cpu_list *to, const struct cpu_list *some,
			const struct cpu_list *others)
{
	for (size_t i = 0; i < some->n; i++) {
		unsigned cpu = some->items[i];

		if (cpu_list_contains(others, cpu) || cpu_list_contains(to, cpu))
			continue;
		*ARRAY_ADD(to) = cpu;
		qsort(to->items, to->n, sizeof(to->items[0]), compare_cpus);
	}
}

void cpu_watch_look(struct cpu_watch *w, uint64_t now_ns)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	_cleanup_(cpu_list_done) struct cpu_list now = { 0 };

	if (now_ns < w->next_ns || !w->before.n)
		return;
	w->next_ns = now_ns == UINT64_MAX ? 0 : now_ns + EACH_NS;
	if (topology_online(w->system, &now, &ignored) < 0)
		return;
	add_missing(&w->came, &now, &w->before);
	add_missing(&w->went, &w->before, &now);
}

uint64_t cpu_watch_next_ns(const struct cpu_watch *w)
{
	return w->before.n ? w->next_ns : UINT64_MAX;
}

static void cpu_watch_tell_list(const struct cpu_list *l, const char *what, struct notes *notes)
{
	_cleanup_(freep) char *text = l->n ? cpu_list_format(l) : NULL;
	struct diag d = { 0 };

	if (!text)
		return;
	diag_set(&d, 0, "CPU%s %s %s", l->n > 1 ? "s" : "", text, what);
	diag_hint(&d, "Begin anew to measure all CPUs that are online now.");
	notes_take(notes, NOTE_WARNING, &d);
}

void cpu_watch_tell(const struct cpu_watch *w, struct notes *notes)
{
	cpu_watch_tell_list(&w->came, "came online meanwhile, and what ran there was not measured",
			    notes);
	cpu_watch_tell_list(&w->went, "went offline meanwhile, and was not measured from then on",
			    notes);
}
