/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "captured.h"
#include "cli/option.h"

struct opts {
	bool flag;
	const char *string;
};

static const struct option more[] = {
	OPT_HEADING("More:"),
	OPT_FLAG(0, "exactly-14-lon", struct opts, flag, "just fits"),
	OPT_FLAG(0, "exactly-15-long", struct opts, flag, "too long"),
	OPT_FLAG(0, "exactly-17-longer", struct opts, flag, "does not fit"),
	OPT_END,
};

static const struct option table[] = {
	OPT_FLAG('v', "verbose", struct opts, flag, "print more"),
	OPT_FLAG('X', NULL, struct opts, flag, "only a letter"),
	OPT_STRING('F', "freq", struct opts, string, "freq or 'max'", "a frequency"),
	OPT_STRING('g', "call-graph", struct opts, string, "mode", "stacks",
		   .flags = OPTION_OPTIONAL),
	OPT_STRING('I', NULL, struct opts, string, "ms", "every so often",
		   .flags = OPTION_OPTIONAL),
	OPT_FLAG(0, "secret", struct opts, flag, "hidden", .flags = OPTION_HIDDEN),
	{ .kind = OPTION_SET, .sub = more },
	OPT_END,
};

static void assert_help(char *const *words, const char *expected)
{
	_cleanup_(captured_done) struct captured c;

	captured_init(&c);
	option_print_help(table, words, 0, c.file);
	assert_string_equal(captured_text(&c), expected);
}

static void what_has_no_effect_says_so(void **state)
{
	static const struct option idle[] = {
		OPT_NOTHING(0, "objdump", "path", "a program", "another does it"),
		OPT_NOTHING('m', "modules", NULL, "modules too", NULL),
		OPT_END,
	};
	_cleanup_(captured_done) struct captured help, dump;

	(void)state;
	captured_init(&help);
	captured_init(&dump);
	option_print_help(idle, NULL, 0, help.file);
	assert_string_equal(captured_text(&help),
			    "        --objdump <path>  a program\n"
			    "                          (no effect: another does it)\n"
			    "    -m, --modules         modules too (always so)\n");
	option_print_dump(idle, dump.file);
	assert_string_equal(captured_text(&dump),
			    "option\t--objdump\t--objdump <path>\ta program\tanother does it\t\n"
			    "option\t--modules\t-m, --modules\tmodules too (always so)\t\t\n");
}

static void rows_are_aligned_as_perf_aligns_them(void **state)
{
	(void)state;
	assert_help(NULL, "    -v, --verbose         print more\n"
			  "    -X                    only a letter\n"
			  "    -F, --freq <freq or 'max'>\n"
			  "                          a frequency\n"
			  "    -g, --call-graph[=<mode>]\n"
			  "                          stacks\n"
			  "    -I[<ms>]              every so often\n"
			  "\n More:\n"
			  "        --exactly-14-lon  just fits\n"
			  "        --exactly-15-long\n"
			  "                          too long\n"
			  "        --exactly-17-longer\n"
			  "                          does not fit\n");
}

static void words_select_rows_by_name_and_text(void **state)
{
	char *freq[] = { "FREQ", NULL }, *fits[] = { "does not", NULL };
	char *none[] = { "zzz", NULL }, *empty[] = { NULL };

	(void)state;
	assert_help(freq, "    -F, --freq <freq or 'max'>\n"
			  "                          a frequency\n");
	assert_help(fits, "        --exactly-17-longer\n"
			  "                          does not fit\n");
	assert_help(none, "");
	assert_true(empty[0] == NULL);
}

static void a_word_with_dashes_is_one_option(void **state)
{
	char *verbose[] = { "--verbose", NULL }, *letter[] = { "-X", NULL },
	     *part[] = { "--verb", NULL };

	(void)state;
	assert_help(verbose, "    -v, --verbose         print more\n");
	assert_help(letter, "    -X                    only a letter\n");
	assert_help(part, "");
}

static void names_are_listed_for_completion(void **state)
{
	_cleanup_(captured_done) struct captured c;

	(void)state;
	captured_init(&c);
	option_print_names(table, c.file);
	assert_string_equal(captured_text(&c),
			    "--verbose --freq --call-graph --exactly-14-lon --exactly-15-long "
			    "--exactly-17-longer ");
}

static void the_manual_is_told_everything(void **state)
{
	_cleanup_(captured_done) struct captured c;

	(void)state;
	captured_init(&c);
	option_print_dump(table, c.file);
	assert_string_equal(captured_text(&c),
			    "option\t--verbose\t-v, --verbose\tprint more\t\t\n"
			    "option\t-X\t-X\tonly a letter\t\t\n"
			    "option\t--freq\t-F, --freq <freq or 'max'>\ta frequency\t\t\n"
			    "option\t--call-graph\t-g, --call-graph[=<mode>]\tstacks\t\t\n"
			    "option\t-I\t-I[<ms>]\tevery so often\t\t\n"
			    "heading\tMore:\n"
			    "option\t--exactly-14-lon\t--exactly-14-lon\tjust fits\t\t\n"
			    "option\t--exactly-15-long\t--exactly-15-long\ttoo long\t\t\n"
			    "option\t--exactly-17-longer\t--exactly-17-longer\tdoes not fit\t\t\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_has_no_effect_says_so),
		cmocka_unit_test(rows_are_aligned_as_perf_aligns_them),
		cmocka_unit_test(words_select_rows_by_name_and_text),
		cmocka_unit_test(a_word_with_dashes_is_one_option),
		cmocka_unit_test(names_are_listed_for_completion),
		cmocka_unit_test(the_manual_is_told_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
