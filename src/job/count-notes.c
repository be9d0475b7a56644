/* SPDX-License-Identifier: MIT */
#include "job/count-notes.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/notes.h"
#include "capture/opened-events.h"
#include "kernel/explain.h"
#include "kernel/pmu.h"
#include "wire/attr.h"

static struct count sum_of(const struct opened_event *c)
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

void count_notes_raw(const struct opened_events *c, struct notes *notes)
{
	for (size_t i = 0; i < c->n; i++) {
		struct count sum = sum_of(&c->items[i]);

		if (c->items[i].state == OPENED)
			notes_add(notes, NOTE_DETAIL, "%s: %" PRIu64 " %" PRIu64 " %" PRIu64,
				  c->items[i].event->name, sum.value, sum.enabled, sum.running);
	}
}

static bool is_hardware(const struct opened_event *c)
{
	uint32_t type = c->event->attr.type;

	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW ||
	       (c->event->pmu != NULL);
}

/* An event that was open but never ran: others had the counters. */
static bool starved(const struct opened_event *c)
{
	struct count sum = sum_of(c);

	return c->state == OPENED && is_hardware(c) && sum.enabled && !sum.running;
}

static bool is_empty(const struct opened_event *c)
{
	return c->state == OPENED_UNSUPPORTED || (c->state == OPENED && !sum_of(c).running);
}

/* The PMU that counts the event, all kinds of cores' events being one; software goes with any. */
static uint32_t pmu_type(const struct opened_event *c)
{
	return c->event->pmu && !c->event->pmu->core ? c->event->attr.type : PERF_TYPE_HARDWARE;
}

/* The kernel schedules a group on one PMU. */
static bool is_mixed_group(const struct opened_events *c, size_t i)
{
	for (size_t j = 0; j < c->n; j++)
		if (c->items[j].event->leader == c->items[i].event->leader &&
		    is_hardware(&c->items[j]) && is_hardware(&c->items[i]) &&
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

/* One remark on why hardware rows are empty: the first reason there is. */
static void explain_unsupported(const struct opened_events *c, struct notes *notes)
{
	for (size_t i = 0; i < c->n; i++) {
		_cleanup_(diag_done) struct diag why = { 0 };

		if (c->items[i].state != OPENED_UNSUPPORTED || !is_hardware(&c->items[i]))
			continue;
		perf_event_explain(&c->items[i].event->attr, c->items[i].event->name,
				   c->items[i].error, &why);
		notes_take(notes, NOTE_REMARK, &why);
		return;
	}
}

void count_notes(const struct opened_events *c, bool around_command, const char *root,
		 struct notes *notes)
{
	bool any = false, mixed = false;

	for (size_t i = 0; i < c->n; i++) {
		any |= starved(&c->items[i]);
		mixed |= is_empty(&c->items[i]) && is_mixed_group(c, i);
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
			  "-a and -C count everything that ran meanwhile, not only the command.");
	explain_unsupported(c, notes);
}
