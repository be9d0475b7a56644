/* SPDX-License-Identifier: MIT */
#include "tools/list/event-description-view.h"

#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "event/catalog.h"
#include "tracepoint/format.h"

#define WIDTH_MIN 20

/* Returns the description of an entry that is not a single event. */
static const char *generic_text(const struct catalog_entry *e)
{
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

/* Appends @words broken into lines. All lines but the first begin with @indent blanks. */
static void list_event_description_add_wrapped(struct text *t, const char *words, unsigned width,
					       unsigned indent)
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

static void list_event_description_add_fact(struct text *t, const char *what, const char *value,
					    unsigned width)
{
	if (!value || !*value)
		return;
	text_addf(t, "%-12s", what);
	list_event_description_add_wrapped(t, value, width, 12);
}

static size_t widest_field(const struct tracepoint_format *f)
{
	size_t widest = 0;

	for (size_t i = 0; i < f->n_fields; i++)
		if (!f->fields[i].is_common && strlen(f->fields[i].name) > widest)
			widest = strlen(f->fields[i].name);
	return widest;
}

static void list_event_description_add_format(struct text *t, const struct tracepoint_format *f,
					      unsigned width)
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
	list_event_description_add_fact(t, "Printed as:", f->print_fmt, width);
}

static void list_event_description_add_title(struct text *t, const struct catalog_entry *e)
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

	list_event_description_add_title(t, e);
	if (what)
		list_event_description_add_wrapped(t, what, width, 0);
	list_event_description_add_fact(t, "Topic:", e->topic, width);
	list_event_description_add_fact(t, "PMU:", e->pmu, width);
	list_event_description_add_fact(t, "Unit:", e->scale_unit, width);
	list_event_description_add_fact(t, "Encoding:", e->encoding, width);
	list_event_description_add_fact(t, "Formula:", e->expression, width);
	list_event_description_add_fact(t, "Groups:", e->groups, width);
	list_event_description_add_fact(t, "Program:", e->image, width);
	list_event_description_add_fact(t, "Build id:", e->build_id, width);
	if (e->format)
		list_event_description_add_format(t, e->format, width);
}
