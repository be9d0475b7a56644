/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/option-sift.h"
#include "cli/option.h"

struct opts {
	bool user, dump;
	const char *type;
};

static bool is_dwarf(const char *word)
{
	return !strcmp(word, "dwarf");
}

static const struct option own[] = {
	OPT_FLAG('U', "all-user", struct opts, user, "x"),
	OPT_STRING('t', "type", struct opts, type, "x", "x"),
	OPT_FLAG('D', "dump-raw", struct opts, dump, "x"),
	OPT_END,
};
static const struct option other[] = {
	OPT_FLAG('a', "all-cpus", struct opts, user, "x"),
	OPT_STRING('o', "output", struct opts, type, "x", "x"),
	OPT_STRING('D', "delay", struct opts, type, "x", "x"),
	OPT_STRING('g', "call-graph", struct opts, type, "x", "x", .flags = OPTION_OPTIONAL,
		   .takes = is_dwarf),
	OPT_FLAG(0, "stdio", struct opts, user, "x", .flags = OPTION_ONE_DASH),
	OPT_END,
};

static void join(char **words, struct text *t)
{
	for (; *words; words++)
		text_addf(t, "%s%s", t->length ? " " : "", *words);
}

#define WORDS_MAX 16

/* Checks that the words of @line, split at blanks, give "OWN | REST". */
static void check(const char *line, bool workload, const char *expected)
{
	char copy[128], *words[WORDS_MAX] = { NULL }, *rest = copy;
	_cleanup_(text_done) struct text mine = TEXT_EMPTY, others = TEXT_EMPTY, both = TEXT_EMPTY;
	struct sifted_words w;

	strcpy(copy, line);
	for (size_t n = 0; n + 1 < WORDS_MAX && (words[n] = strsep(&rest, " "));)
		n++;
	option_sift(own, other, words, workload, &w);
	join(w.own, &mine);
	join(w.rest, &others);
	text_addf(&both, "%s | %s", mine.length ? mine.chars : "",
		  others.length ? others.chars : "");
	assert_string_equal(both.chars, expected);
	sifted_words_done(&w);
}

static void each_word_goes_to_the_command_that_has_it(void **state)
{
	(void)state;
	check("-U -o file -t load -a", true, "-U -t load | -o file -a");
	check("--all-user --output=x --type=store --output y", true,
	      "--all-user --type=store | --output=x --output y");
}

static void our_meaning_of_a_letter_goes_first(void **state)
{
	(void)state;
	check("-D --delay 5", true, "-D | --delay 5");
}

static void letters_that_were_typed_together_are_split(void **state)
{
	(void)state;
	check("-aU -Uofile -tload", true, "-U -U -tload | -a -ofile");
	check("-ga", true, " | -g -a");
	check("-g dwarf -U", true, "-U | -g dwarf");
	check("-g -U", true, "-U | -g");
}

static void abbreviations_are_ours_unless_the_other_has_just_that_name(void **state)
{
	(void)state;
	check("--ty load --all-u --out x", true, "--ty load --all-u | --out x");
	check("--no-all-user --no-output x", true, "--no-all-user | --no-output x");
}

static void the_workload_keeps_its_words(void **state)
{
	(void)state;
	check("-U cat -U -t", true, "-U | cat -U -t");
	check("-U -- cat -U", true, "-U | -- cat -U");
	check("file -U", false, "-U | file");
}

static void what_nobody_knows_is_for_the_other_to_refuse(void **state)
{
	(void)state;
	check("-z --nonsense -stdio -", true, " | -z --nonsense -stdio -");
	check("-h --help", true, "-h --help | ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_word_goes_to_the_command_that_has_it),
		cmocka_unit_test(our_meaning_of_a_letter_goes_first),
		cmocka_unit_test(letters_that_were_typed_together_are_split),
		cmocka_unit_test(abbreviations_are_ours_unless_the_other_has_just_that_name),
		cmocka_unit_test(the_workload_keeps_its_words),
		cmocka_unit_test(what_nobody_knows_is_for_the_other_to_refuse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
