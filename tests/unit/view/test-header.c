/* SPDX-License-Identifier: MIT */
#include "session/recording.h"
#include "feature-text.h"

static void long_features_are_hinted_at_unless_asked_for(void **state)
{
	(void)state;
	struct features f = { .caches.version = 1 };
	struct printed p;

	features_mark(&f, FEATURE_CACHE);
	printed_open(&p);
	header_print_feature(&f, FEATURE_CACHE, false, p.out);
	header_print_feature(&f, FEATURE_CACHE, true, p.out);
	assert_printed(&p, "# CACHE info available, use -I to display\n# CPU cache info:\n");
}

static void features_that_are_not_there_or_have_no_text_print_nothing(void **state)
{
	(void)state;
	struct features f = { 0 };
	struct printed p;

	features_mark(&f, FEATURE_BUILD_ID);
	features_mark(&f, 200);
	printed_open(&p);
	header_print_feature(&f, FEATURE_HOSTNAME, true, p.out);
	header_print_feature(&f, FEATURE_BUILD_ID, true, p.out);
	header_print_feature(&f, 200, true, p.out);
	header_print_feature(&f, 1000, true, p.out);
	assert_printed(&p, "");
}

static void a_file_begins_with_its_numbers_and_ends_with_what_it_lacks(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	_cleanup_(freep) char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	header_print(session_datafile(s), false, out);
	fclose(out);
	assert_non_null(strstr(text, "# ========\n# captured on    : "));
	assert_non_null(strstr(text, "\n# header version : 1\n# data offset    : 408\n"
				     "# data size      : 0\n"));
	assert_non_null(strstr(text, "\n# missing features: TRACING_DATA BUILD_ID HOSTNAME "));
	assert_non_null(strstr(text, " HYBRID_TOPOLOGY PMU_CAPS \n# ========\n#\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_features_are_hinted_at_unless_asked_for),
		cmocka_unit_test(features_that_are_not_there_or_have_no_text_print_nothing),
		cmocka_unit_test(a_file_begins_with_its_numbers_and_ends_with_what_it_lacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
