/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tools/report/data-source-words-model.h"
#include "tools/report/job.h"
#include "view/printed.h"

static void words_are_explained_once(void **state)
{
	size_t n;
	const struct data_source_word *words = data_source_words(&n);
	bool used[128] = { false };
	struct printed p;

	(void)state;
	assert_true(n <= 128);
	for (size_t i = 0; i < n; i++)
		used[i] = !strcmp(words[i].word, "L1") || !strcmp(words[i].word, "HitM");
	printed_open(&p);
	memory_words_print(used, p.out);
	assert_printed(&p,
		       "#\n# The words of the columns:\n"
		       "#   Memory access   L1                     the first-level cache, private "
		       "to the core\n"
		       "#   Snoop           HitM                   another cache had the line, "
		       "modified: it was written there shortly before\n"
		       "#   TLB access      L1                     the first table of translated "
		       "addresses\n");
}

static void nothing_is_said_of_nothing(void **state)
{
	bool used[128] = { false };
	struct printed p;

	(void)state;
	printed_open(&p);
	memory_words_print(used, p.out);
	assert_printed(&p, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_explained_once),
		cmocka_unit_test(nothing_is_said_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
