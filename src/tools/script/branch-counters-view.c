/* SPDX-License-Identifier: MIT */
/*
 * Prints the increments of counters from one branch to the next: `-F brcntr`.
 *
 * Each branch has a word, in which every event of the sample's group that requested it has a few
 * bits; the leader has the lowest ones. Their number is a capability of the PMU. A counter that is
 * full stays at its largest value.
 */
#include "tools/script/writer-view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "datafile/features.h"
#include "session/session.h"

#define LETTERS   26
#define WIDTH_MAX 8 /* one letter for each count; more would fill the screen */

static uint64_t script_branch_counters_capability(const struct pmu_caps *c, const char *name)
{
	for (size_t i = 0; i < c->caps.n; i++)
		if (!strcmp(c->caps.items[i].name, name))
			return strtoull(c->caps.items[i].value, NULL, 10);
	return 0;
}

unsigned branch_counter_width(const struct features *f)
{
	uint64_t width = script_branch_counters_capability(&f->cpu_pmu_caps,
							   "branch_counter_width");

	for (size_t i = 0; i < f->pmu_caps.n && !width; i++)
		width = script_branch_counters_capability(&f->pmu_caps.items[i],
							  "branch_counter_width");
	return width <= WIDTH_MAX ? (unsigned)width : 0;
}

static bool script_branch_counters_is_counted(const struct session_event *e)
{
	return e->attr.branch_sample_type & PERF_SAMPLE_BRANCH_COUNTERS;
}

/* Returns the letter of an event: A, B, ... in their order. */
static char script_branch_counters_letter_of(const struct session *s, const struct session_event *e)
{
	size_t n = 0;

	for (size_t i = 0; i < e->index; i++)
		n += script_branch_counters_is_counted(session_event(s, i));
	return n < LETTERS ? (char)('A' + n) : '?';
}

void script_write_counter_names(struct script_writer *p)
{
	const struct session *s = p->setup->session;

	if (p->setup->counter_names)
		return;
	text_add(&p->out, "# Branch counter abbr list:\n");
	for (size_t i = 0; i < session_event_count(s); i++) {
		const struct session_event *e = session_event(s, i);

		if (!script_branch_counters_is_counted(e))
			continue;
		text_add(&p->out, "# ");
		script_write_foreign(p, e->name, strlen(e->name));
		text_addf(&p->out, " = %c\n", script_branch_counters_letter_of(s, e));
	}
	text_add(&p->out, "# '-' No event occurs\n"
			  "# '+' Event occurrences may be lost due to branch counter saturated\n");
}

/* Appends "AAA+", or with -v "cycles 3+ ". True if the event occurred. */
static bool script_branch_counters_add_count(struct script_writer *p, const struct session_event *e,
					     uint64_t count, bool is_full)
{
	if (p->setup->counter_names) {
		script_write_foreign(p, e->name, strlen(e->name));
		text_addf(&p->out, " %" PRIu64 "%s ", count, is_full ? "+" : "");
		return true;
	}
	for (uint64_t i = 0; i < count; i++)
		text_add_char(&p->out, script_branch_counters_letter_of(p->setup->session, e));
	text_add(&p->out, is_full ? "+" : "");
	return count;
}

void script_write_counters(struct script_writer *p, const struct script_head *h, uint64_t word)
{
	const struct session *s = p->setup->session;
	const struct session_event *leader = session_event(s, h->event->event->leader);
	unsigned width = p->setup->counter_width, at = 0;
	uint64_t full = (UINT64_C(1) << width) - 1;
	bool any = false;

	text_add(&p->out, "\t# br_cntr: ");
	for (size_t i = 0; width && i < leader->n_members && at + width <= 64; i++) {
		const struct session_event *e = session_event(s, leader->index + i);

		if (!script_branch_counters_is_counted(e))
			continue;
		any |= script_branch_counters_add_count(p, e, word >> at & full,
							(word >> at & full) == full);
		at += width;
	}
	/* Without the width, the counters in the word cannot be separated. */
	if (!width)
		text_addf(&p->out, "0x%" PRIx64, word);
	else if (!any)
		text_add_char(&p->out, '-');
	text_add_char(&p->out, ' ');
}
