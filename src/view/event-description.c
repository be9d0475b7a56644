/* SPDX-License-Identifier: MIT */
#include "view/event-description.h"

#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "event/catalog.h"
#include "tracepoint/format.h"

#define WIDTH_MIN 20

/* The kernel's generic events have no text anywhere but in perf_event_open(2). */
static const struct {
	const char *name, *text;
} generic[] = {
	{ "cycles", "Clock cycles of the processor while it was not halted. Their number changes "
		    "with the frequency." },
	{ "cpu-cycles", "Clock cycles of the processor while it was not halted. Their number "
			"changes with the frequency." },
	{ "instructions", "Instructions that were retired: carried out, and not only tried." },
	{ "cache-references", "Accesses to the cache, usually that of the last level." },
	{ "cache-misses", "Accesses to the cache, usually that of the last level, that had to go "
			  "to memory." },
	{ "branch-instructions", "Branches that were retired." },
	{ "branches", "Branches that were retired." },
	{ "branch-misses", "Branches that the processor had predicted wrongly." },
	{ "bus-cycles", "Clock cycles of the bus." },
	{ "stalled-cycles-frontend",
	  "Cycles in which no instruction could be issued, as none had been fetched and decoded." },
	{ "stalled-cycles-backend",
	  "Cycles in which no instruction could be issued, as units or data were not ready." },
	{ "ref-cycles", "Clock cycles at a fixed frequency, while the processor was not halted." },
	{ "cpu-clock", "Time of each CPU, by a timer of high resolution." },
	{ "task-clock", "Time that tasks were running on a CPU." },
	{ "page-faults", "Accesses to pages of memory that were not mapped." },
	{ "minor-faults", "Page faults that needed no input or output." },
	{ "major-faults", "Page faults for which a page had to be read from a device." },
	{ "context-switches", "Changes from one task to another on a CPU." },
	{ "cpu-migrations", "How often a task went on on another CPU." },
	{ "alignment-faults", "Accesses to addresses that are not aligned, where the kernel had to "
			      "help." },
	{ "emulation-faults", "Instructions that the kernel carried out for the processor." },
	{ "dummy", "Counts nothing. It carries records of tasks and mappings." },
	{ "bpf-output", "What BPF programs write." },
	{ "cgroup-switches", "Changes to a task of another cgroup on a CPU." },
	{ "duration_time", "Time from the beginning to the end, in nanoseconds." },
	{ "user_time", "Time in user space, in nanoseconds." },
	{ "system_time", "Time in the kernel, in nanoseconds." },
};

static const char *generic_text(const struct catalog_entry *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(generic); i++)
		if (!strcmp(generic[i].name, e->name))
			return generic[i].text;
	switch (e->kind) {
	case CATALOG_CACHE:
		return "What the processor counts at one of its caches: accesses, or those that "
		       "were misses.";
	case CATALOG_RAW:
		return "Not an event, but a way to write one: put the code of the processor's "
		       "manual, or terms of the PMU, in the place of the letters.";
	case CATALOG_BREAKPOINT:
		return "Not an event, but a way to write one: accesses to an address in memory.";
	case CATALOG_METRIC_GROUP:
		return "All metrics of this group.";
	default:
		return NULL;
	}
}

/* @words broken into lines, of which all but the first begin with @indent blanks. */
static void add_wrapped(struct text *t, const char *words, unsigned width, unsigned indent)
{
	size_t line = t->length, limit = width > WIDTH_MIN ? width : WIDTH_MIN;

	while (line && t->chars[line - 1] != '\n')
		line--;
	for (const char *word = words; *word;) {
		size_t n = strcspn(word, " \n"), blanks = strspn(word + n, " \n");

		if (t->length > line + indent && t->length - line + n > limit) {
			while (t->chars[t->length - 1] == ' ')
				t->length--;
			text_addf(t, "\n%*s", (int)indent, "");
			line = t->length - indent;
		}
		text_add_bytes(t, word, n);
		if (blanks)
			text_add_char(t, ' ');
		word += n + blanks;
	}
	text_add_char(t, '\n');
}

static void add_fact(struct text *t, const char *what, const char *value, unsigned width)
{
	if (!value || !*value)
		return;
	text_addf(t, "%-12s", what);
	add_wrapped(t, value, width, 12);
}

static size_t widest_field(const struct tracepoint_format *f)
{
	size_t widest = 0;

	for (size_t i = 0; i < f->n_fields; i++)
		if (!f->fields[i].is_common && strlen(f->fields[i].name) > widest)
			widest = strlen(f->fields[i].name);
	return widest;
}

static void add_format(struct text *t, const struct tracepoint_format *f, unsigned width)
{
	size_t widest = widest_field(f);
	const char *what = "Fields:";

	for (size_t i = 0; i < f->n_fields; i++) {
		const struct tracepoint_field *field = &f->fields[i];

		if (field->is_common)
			continue;
		text_addf(t, "%-12s%-*s  %s\n", what, (int)widest, field->name, field->type);
		what = "";
	}
	add_fact(t, "Printed as:", f->print_fmt, width);
}

static void add_title(struct text *t, const struct catalog_entry *e)
{
	text_add(t, e->name);
	if (e->alias)
		text_addf(t, " OR %s", e->alias);
	text_addf(t, "  [%s]%s\n", catalog_kind_label(e->kind),
		  e->deprecated ? " (deprecated: it has a newer name)" : "");
}

void event_describe(const struct catalog_entry *e, unsigned width, struct text *t)
{
	const char *what = e->description ? e->description : e->brief ? e->brief : generic_text(e);

	add_title(t, e);
	if (what)
		add_wrapped(t, what, width, 0);
	add_fact(t, "Topic:", e->topic, width);
	add_fact(t, "PMU:", e->pmu, width);
	add_fact(t, "Unit:", e->scale_unit, width);
	add_fact(t, "Encoding:", e->encoding, width);
	add_fact(t, "Formula:", e->expression, width);
	add_fact(t, "Groups:", e->groups, width);
	add_fact(t, "Program:", e->image, width);
	add_fact(t, "Build id:", e->build_id, width);
	if (e->format)
		add_format(t, e->format, width);
}
