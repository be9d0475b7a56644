/* SPDX-License-Identifier: MIT */
#include "tools/report/memory-words-model.h"

#include <string.h>

#include "base/memory.h"
#include "profile/collector.h"
#include "profile/keys.h"
#include "tools/report/data-source-words-model.h"
#include "wire/data-source.h"

/* Returns the part of the data source that @k shows; -1: another key. */
static int report_memory_words_part_of(const struct key *k)
{
	static const char *const names[DATA_SOURCE_PARTS] = {
		[DATA_SOURCE_PART_LEVEL] = "mem",       [DATA_SOURCE_PART_SNOOP] = "snoop",
		[DATA_SOURCE_PART_TLB] = "tlb",         [DATA_SOURCE_PART_LOCK] = "locked",
		[DATA_SOURCE_PART_BLOCKED] = "blocked",
	};

	for (int i = 0; i < DATA_SOURCE_PARTS; i++)
		if (!strcmp(k->type->name, names[i]))
			return i;
	return -1;
}

/*
 * True if the word is not shown: the distance of the data replaces the levels of the older field.
 */
static bool report_memory_words_is_hidden(const struct data_source_word *w, uint64_t value)
{
	bool is_level = w->part == DATA_SOURCE_PART_LEVEL && w->shift >= 5 && w->shift < 19;
	bool is_result = w->shift == 6 || w->shift == 7;

	return is_level && !is_result && value & DATA_SOURCE_HOPS;
}

static void report_memory_words_use(bool *used, int part, uint64_t value)
{
	size_t n;
	const struct data_source_word *words = data_source_words(&n);

	for (size_t i = 0; i < n; i++) {
		if ((int)words[i].part != part)
			continue;
		if (data_source_has_word(&words[i], value) &&
		    !report_memory_words_is_hidden(&words[i], value))
			used[i] = true;
		/* No bit at all is "N/A", the first word of its part. */
		if (!value && part != DATA_SOURCE_PART_LOCK) {
			used[i] = true;
			return;
		}
	}
}

static void use_column(bool *used, const struct contexts *c, size_t column, int part)
{
	for (uint32_t i = 0; i < c->n; i++)
		report_memory_words_use(used, part, contexts_get(c, i)[column]);
}

bool *memory_words_used(const struct collector *c, size_t n_events, const struct keys *keys)
{
	size_t n;
	bool *used;

	data_source_words(&n);
	used = xcalloc(n, sizeof(*used));
	for (size_t k = 0; k < keys->n; k++) {
		int part = report_memory_words_part_of(&keys->items[k]);

		for (size_t e = 0; part >= 0 && e < n_events; e++)
			use_column(used, &collector_tally(c, e)->contexts, k, part);
	}
	return used;
}
