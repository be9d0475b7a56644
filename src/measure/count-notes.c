/* SPDX-License-Identifier: MIT */
#include "measure/count-notes.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/notes.h"
#include "capture/opened-events.h"
#include "kernel/explain.h"
#include "kernel/perf-event.h"
#include "kernel/pmu.h"
#include "wire/attr.h"

static struct count count_notes_sum_of(const struct opened_event *c)
{
	struct count sum = { 0 };

	for (size_t i = 0; i < opened_event_places(c); i++) {
		sum.value += c->counts[i].value;
		sum.enabled += c->counts[i].enabled;
		sum.running += c->counts[i].running;
	}
	return sum;
}

void count_notes_refused(const struct opened_events *c, struct notes *notes)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->items[i].state == OPENED_UNSUPPORTED)
			notes_add(notes, NOTE_DETAIL,
				  "Warning:\n%s event is not supported by the kernel.",
				  c->items[i].event->name);
}

static void note_place(const struct opened_event *e, size_t place, struct notes *notes)
{
	const struct count *c = &e->counts[place];

	notes_add(notes, NOTE_DETAIL, "%s: %d: %" PRIu64 " %" PRIu64 " %" PRIu64, e->event->name,
		  opened_event_cpu(e, place), c->value, c->enabled, c->running);
}

/* CPU by CPU, and on each all events. */
void count_notes_places(const struct opened_events *c, struct notes *notes)
{
	size_t most = 0;

	for (size_t i = 0; i < c->n; i++)
		most = c->items[i].n_cpus > most ? c->items[i].n_cpus : most;
	for (size_t cpu = 0; cpu < most; cpu++) {
		for (size_t i = 0; i < c->n; i++) {
			const struct opened_event *e = &c->items[i];
			bool there = e->state == OPENED && cpu < e->n_cpus;

			for (size_t task = 0; there && task < e->n_tasks; task++)
				note_place(e, cpu * e->n_tasks + task, notes);
		}
	}
}

void count_notes_raw(const struct opened_events *c, struct notes *notes)
{
	for (size_t i = 0; i < c->n; i++) {
		struct count sum = count_notes_sum_of(&c->items[i]);

		if (c->items[i].state == OPENED)
			notes_add(notes, NOTE_DETAIL, "%s: %" PRIu64 " %" PRIu64 " %" PRIu64,
				  c->items[i].event->name, sum.value, sum.enabled, sum.running);
	}
}

static bool count_notes_is_hardware(const struct opened_event *c)
{
	uint32_t type = c->event->attr.type;

	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW ||
	       (c->event->pmu != NULL);
}

/* True for an event that was open but never ran, because others had the counters. */
static bool count_notes_starved(const struct opened_event *c)
{
	struct count sum = count_notes_sum_of(c);

	return c->state == OPENED && count_notes_is_hardware(c) && sum.enabled && !sum.running;
}

static bool count_notes_is_empty(const struct opened_event *c)
{
	return c->state == OPENED_UNSUPPORTED ||
	       (c->state == OPENED && !count_notes_sum_of(c).running);
}

/*
 * Returns the PMU that counts the event; all kinds of cores count as one, and software events fit
 * any PMU.
 */
static uint32_t pmu_type(const struct opened_event *c)
{
	return c->event->pmu && !c->event->pmu->core ? c->event->attr.type : PERF_TYPE_HARDWARE;
}

/* True for a group with several PMUs: the kernel schedules a group on one PMU. */
static bool is_mixed_group(const struct opened_events *c, size_t i)
{
	for (size_t j = 0; j < c->n; j++)
		if (c->items[j].event->leader == c->items[i].event->leader &&
		    count_notes_is_hardware(&c->items[j]) &&
		    count_notes_is_hardware(&c->items[i]) &&
		    pmu_type(&c->items[j]) != pmu_type(&c->items[i]))
			return true;
	return false;
}

static bool watchdog_is_on(const char *root)
{
	_cleanup_(freep) char *path = xasprintf("%s/proc/sys/kernel/nmi_watchdog", root);
	_cleanup_(freep) char *line = NULL;

	return file_read_line(AT_FDCWD, path, &line) >= 0 && !strcmp(line, "1");
}

/* Adds one remark on why hardware rows are empty: the first reason that applies. */
static void count_notes_explain_unsupported(const struct opened_events *c, struct notes *notes)
{
	for (size_t i = 0; i < c->n; i++) {
		_cleanup_(diag_done) struct diag why = { 0 };

		if (c->items[i].state != OPENED_UNSUPPORTED ||
		    !count_notes_is_hardware(&c->items[i]))
			continue;
		perf_event_explain(&c->items[i].event->attr, c->items[i].event->name,
				   c->items[i].error, &why);
		notes_take(notes, NOTE_REMARK, &why);
		return;
	}
}

/*
 * True for switches and migrations of tasks, which the kernel makes: nothing of them would be
 * counted in user mode.
 */
static bool is_of_kernel_only(const struct attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE && (a->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
						 a->config == PERF_COUNT_SW_CPU_MIGRATIONS ||
						 a->config == PERF_COUNT_SW_CGROUP_SWITCHES);
}

static void explain_user_only(const struct opened_events *c, struct notes *notes)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct opened_event *e = &c->items[i];

		if (e->state != OPENED || !e->event->attr.exclude_kernel ||
		    !is_of_kernel_only(&e->event->attr) || count_notes_sum_of(e).value)
			continue;
		notes_add(
			notes, NOTE_REMARK,
			"%s is always 0: tasks are switched in the kernel, which :u leaves out. %s",
			e->event->name,
			geteuid() && perf_event_paranoid() > 1
				? "Ordinary users may count it after: sudo sysctl "
				  "kernel.perf_event_paranoid=1"
				: "Leave :u out.");
		return;
	}
}

void count_notes(const struct opened_events *c, bool around_command, const char *root,
		 struct notes *notes)
{
	bool any = false, mixed = false;

	for (size_t i = 0; i < c->n; i++) {
		any |= count_notes_starved(&c->items[i]);
		mixed |= count_notes_is_empty(&c->items[i]) && is_mixed_group(c, i);
	}
	if (any && watchdog_is_on(root))
		notes_add(notes, NOTE_HINT,
			  "Some events weren't counted. Try disabling the NMI watchdog:\n"
			  "\techo 0 > /proc/sys/kernel/nmi_watchdog\n"
			  "\tperf stat ...\n"
			  "\techo 1 > /proc/sys/kernel/nmi_watchdog");
	if (mixed)
		notes_add(notes, NOTE_HINT,
			  "The events in group usually have to be from the same PMU. "
			  "Try reorganizing the group.");
	if (around_command)
		notes_add(notes, NOTE_REMARK,
			  "-a and -C count everything that ran on the CPUs, not only the command.");
	explain_user_only(c, notes);
	count_notes_explain_unsupported(c, notes);
}
