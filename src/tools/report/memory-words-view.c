/* SPDX-License-Identifier: MIT */
#include "tools/report/memory-words-view.h"

#include <string.h>

#include "tools/report/data-source-words-model.h"

/* The titles of the columns. */
static const char *const titles[DATA_SOURCE_PARTS] = {
	[DATA_SOURCE_PART_LEVEL] = "Memory access", [DATA_SOURCE_PART_SNOOP] = "Snoop",
	[DATA_SOURCE_PART_TLB] = "TLB access",      [DATA_SOURCE_PART_LOCK] = "Locked",
	[DATA_SOURCE_PART_BLOCKED] = "Blocked",
};

/* Whether word @i was printed before: two fields of the hardware have words in common. */
static bool report_memory_words_is_repeated(const struct data_source_word *words, const bool *used,
					    size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (used[j] && words[j].part == words[i].part &&
		    !strcmp(words[j].word, words[i].word))
			return true;
	return false;
}

void memory_words_print(const bool *used, FILE *out)
{
	size_t n, printed = 0;
	const struct data_source_word *words = data_source_words(&n);
	int last = -1;

	for (size_t i = 0; i < n; i++) {
		if (!used[i] || report_memory_words_is_repeated(words, used, i))
			continue;
		if (!printed++)
			fprintf(out, "#\n# The words of the columns:\n");
		fprintf(out, "#   %-14s  %-22s %s\n",
			(int)words[i].part == last ? "" : titles[words[i].part], words[i].word,
			words[i].means);
		last = (int)words[i].part;
	}
}
