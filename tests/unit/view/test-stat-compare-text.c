/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/compare.h"
#include "base/diag.h"
#include "printed.h"
#include "profile/threshold.h"
#include "view/stat/compare-text.h"

static const struct compare_text_style plain = { 0 };
static const char *const names[] = { "./old x", "./new\033", "./other" };

#define LEGEND                                                                                     \
	"\n"                                                                                       \
	"  ±: 95% confidence interval of a mean, in percent of it; of a difference, of A's "      \
	"mean.\n"                                                                                  \
	"  Welch's t-test: * p < 0.05, ** p < 0.01, *** p < 0.001; chance alone gives 1 row in "   \
	"20 a "                                                                                    \
	"*.\n"
#define EXACT "  exact: neither command varied between its runs.\n"

/* Adds a row of @n runs: the values of A, then those of B. */
static struct compare_row *add(struct compare *c, enum compare_kind kind, const char *name,
			       const char *unit, const double *values, size_t n)
{
	struct compare_row *row = compare_add_row(c, kind, name, unit);

	for (size_t i = 0; i < c->n_commands * n; i++)
		compare_add(c, row, i / n, values[i]);
	return row;
}

#define ADD(c, kind, name, unit, n, ...)                                                           \
	add(c, COMPARE_##kind, name, unit, (const double[]){ __VA_ARGS__ }, n)

static void assert_text(struct compare *c, const char *limits,
			const struct compare_text_style *style, const char *wanted)
{
	_cleanup_(thresholds_done) struct thresholds t = { 0 };
	_cleanup_(threshold_results_done) struct threshold_results r = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct printed p;

	if (*limits)
		assert_int_equal(thresholds_parse(&t, limits, &diag), 0);
	compare_finish(c);
	thresholds_evaluate(&t, c, &r);
	printed_open(&p);
	compare_text_print(c, &r, style, p.out);
	assert_printed(&p, wanted);
	compare_free(c);
}

static void a_row_has_both_means_their_difference_and_a_word(void **state)
{
	struct compare *c = compare_new(2, names);

	(void)state;
	ADD(c, ELAPSED, "time", "s", 5, 1.00, 1.01, 0.99, 1.01, 0.99, 0.90, 0.91, 0.89, 0.90, 0.90);
	ADD(c, COUNT, "cycles", "", 5, 4e9, 4.1e9, 3.9e9, 4e9, 4e9, 4e9, 4.1e9, 4e9, 4e9, 3.9e9);
	ADD(c, COUNT, "page-faults", "", 5, 45, 45, 45, 45, 45, 47, 47, 47, 47, 47);
	ADD(c, RATIO, "insn per cycle", "", 5, 1.2, 1.25, 1.2, 1.25, 1.2, 1.3, 1.3, 1.3, 1.35, 1.3);
	assert_text(c, "", &plain,
		    "  A  5 runs  ./old x\n"
		    "  B  5 runs  ./new\\x1b\n"
		    "\n"
		    "                        A                B          B - A\n"
		    "  time            1.000 s ±1.24%  900.0 ms ±0.98%  -10.0% ±1.29% *** faster\n"
		    "  cycles          4.000 G ±2.19%   4.000 G ±2.19%      0% ±2.58%     no "
		    "difference shown\n"
		    "  page-faults          45    ±0%        47    ±0%  +4.44%  exact     more\n"
		    "  insn per cycle    1.220 ±2.79%     1.310 ±2.12%  +7.38% ±3.01% *** "
		    "higher\n" LEGEND EXACT);
}

/* Checks the number alone, in rows that never vary. */
static void assert_number(const char *unit, double value, const char *wanted)
{
	_cleanup_(compare_freep) struct compare *c = compare_new(2, names);
	const struct threshold_results none = { 0 };
	char text[512], *at;
	FILE *out = fmemopen(text, sizeof(text), "w");

	ADD(c, COUNT, "x", unit, 1, value, value);
	compare_finish(c);
	compare_text_print(c, &none, &plain, out);
	fclose(out);
	at = strstr(text, "\n  x  ");
	assert_non_null(at);
	at += strspn(at, "\n x");
	if (strncmp(at, wanted, strlen(wanted)) || strncmp(at + strlen(wanted), "  ", 2))
		fail_msg("'%.20s' is not '%s'", at, wanted);
}

static void numbers_have_four_digits_and_a_prefix(void **state)
{
	(void)state;
	assert_number("", 0, "0");
	assert_number("", 7, "7");
	assert_number("", 9999, "9999");
	assert_number("", 1.5, "1.500");
	assert_number("", 0.01234, "0.01234");
	assert_number("", 1e-9, "0.000000");
	assert_number("", 9999.7, "10.00 k");
	assert_number("", 10000, "10.00 k");
	assert_number("", 123456, "123.5 k");
	assert_number("", 999949, "999.9 k");
	assert_number("", 999951, "1.000 M");
	assert_number("", 4.1e9, "4.100 G");
	assert_number("", 2e19, "20.00 E");
	assert_number("", -12345, "-12.35 k");
	assert_number("s", 0, "0 s");
	assert_number("s", 12.3456, "12.35 s");
	assert_number("s", 12345.6, "12346 s");
	assert_number("s", 0.99996, "1.000 s");
	assert_number("s", 0.0123456, "12.35 ms");
	assert_number("msec", 0.0123456, "12.35 µs");
	assert_number("ns", 12.3456, "12.35 ns");
	assert_number("ns", 0.0123456, "0.01235 ns");
}

static void what_is_missing_is_said(void **state)
{
	struct compare *c = compare_new(2, names);
	struct compare_row *row;

	(void)state;
	ADD(c, AMOUNT, "user", "s", 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
	row = compare_add_row(c, COMPARE_COUNT, "never", "");
	compare_add(c, row, 1, 5);
	compare_add(c, row, 1, 5);
	row = compare_add_row(c, COMPARE_COUNT, "once", "");
	compare_add(c, row, 0, 5);
	compare_add(c, row, 1, 6);
	row = compare_add_row(c, COMPARE_COUNT, "zero", "");
	for (int i = 0; i < 5; i++) {
		compare_add(c, row, 0, 0);
		compare_add(c, row, 1, 3);
	}
	assert_text(c, "", &plain,
		    "  A  5 runs  ./old x\n"
		    "  B  5 runs  ./new\\x1b\n"
		    "\n"
		    "               A            B       B - A\n"
		    "  user   1.000 s ±0%  1.000 s ±0%      0%           no difference shown\n"
		    "  never        -            5 ±0%                   not counted\n"
		    "  once         5            6      +20.0%           too few runs\n"
		    "  zero         0            3 ±0%      +3 exact     more\n" LEGEND EXACT
		    "  Note: once was counted in 1 of 5 runs of A.\n"
		    "  Note: never was counted in 2 of 5 runs of B.\n"
		    "  Note: once was counted in 1 of 5 runs of B.\n");
}

static void long_names_and_units_keep_the_table_narrow(void **state)
{
	struct compare *c = compare_new(2, names);

	(void)state;
	ADD(c, COUNT, "syscalls:sys_enter_openat", "", 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3);
	ADD(c, AMOUNT, "energy", "Joules", 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3);
	assert_text(c, "", &plain,
		    "  A  5 runs  ./old x\n"
		    "  B  5 runs  ./new\\x1b\n"
		    "\n"
		    "                   A      B      B - A\n"
		    "  syscalls:sys_enter_openat\n"
		    "                   3 ±0%  3 ±0%     0%     no difference shown\n"
		    "  energy (Joules)  3 ±0%  3 ±0%     0%     no difference shown\n" LEGEND);
	c = compare_new(2, names);
	ADD(c, COUNT, "syscalls:sys_enter_openat", "", 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3);
	assert_text(c, "", &plain,
		    "  A  5 runs  ./old x\n"
		    "  B  5 runs  ./new\\x1b\n"
		    "\n"
		    "     A      B      B - A\n"
		    "  syscalls:sys_enter_openat\n"
		    "     3 ±0%  3 ±0%     0%     no difference shown\n" LEGEND);
}

static void doubtful_figures_are_noted(void **state)
{
	struct compare *c = compare_new(2, names);

	(void)state;
	ADD(c, ELAPSED, "time", "s", 2, 1, 1.1, 2, 2.1);
	assert_text(c, "", &plain,
		    "  A  2 runs  ./old x\n"
		    "  B  2 runs  ./new\\x1b\n"
		    "\n"
		    "              A               B          B - A\n"
		    "  time  1.050 s ±60.5%  2.050 s ±31.0%  +95.2% ±29.0% **  slower\n" LEGEND
		    "  Note: A ran 2 times: more runs (-r 10) narrow the intervals.\n"
		    "  Note: B ran 2 times: more runs (-r 10) narrow the intervals.\n"
		    "  Note: A is noisy (time ±60.5%): more runs or a quieter machine help.\n"
		    "  Note: B is noisy (time ±31.0%): more runs or a quieter machine help.\n");
	c = compare_new(2, names);
	ADD(c, ELAPSED, "time", "s", 1, 1, 2);
	assert_text(c, "", &plain,
		    "  A  1 run   ./old x\n"
		    "  B  1 run   ./new\\x1b\n"
		    "\n"
		    "              A        B  B - A\n"
		    "  time  1.000 s  2.000 s  +100%     too few runs\n" LEGEND
		    "  Note: A ran once, which says nothing about noise: repeat it (-r 10).\n"
		    "  Note: B ran once, which says nothing about noise: repeat it (-r 10).\n");
}

/* Six rows whose first run is twice the others: a note names four. */
static void a_note_does_not_name_all_rows(void **state)
{
	static const char *const rows[] = { "a", "b", "c", "d", "e", "f" };
	struct compare *c = compare_new(2, names);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const struct threshold_results none = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		ADD(c, COUNT, rows[i], "", 5, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1);
	compare_finish(c);
	compare_text_print(c, &none, &plain, out);
	fclose(out);
	assert_non_null(strstr(text, "  Note: A is noisy (a ±46.3%, b ±46.3%, c ±46.3%, d ±46.3% "
				     "and 2 more): more runs or a quieter machine help.\n"));
	assert_non_null(strstr(text, "  Note: the first run of A differs (a, b, c, d and 2 more): "
				     "consider a warm-up run.\n"));
	assert_null(strstr(text, "of B differs"));
	free(text);
	compare_free(c);
}

static void each_further_command_has_a_table(void **state)
{
	struct compare *c = compare_new(3, names);

	(void)state;
	ADD(c, COUNT, "n", "", 5, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3);
	assert_text(c, "", &plain,
		    "  A  5 runs  ./old x\n"
		    "  B  5 runs  ./new\\x1b\n"
		    "  C  5 runs  ./other\n"
		    "\n"
		    "     A      B       B - A\n"
		    "  n  2 ±0%  1 ±0%  -50.0% exact     fewer\n"
		    "\n"
		    "     A      C       C - A\n"
		    "  n  2 ±0%  3 ±0%  +50.0% exact     more\n" LEGEND EXACT);
}

static void limits_come_last_with_their_reasons(void **state)
{
	struct compare *c = compare_new(2, names);

	(void)state;
	ADD(c, COUNT, "n", "", 5, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3);
	assert_text(c, "n > 10%, n > 1, m > 1", &plain,
		    "  A  5 runs  ./old x\n"
		    "  B  5 runs  ./new\\x1b\n"
		    "\n"
		    "     A      B       B - A\n"
		    "  n  2 ±0%  3 ±0%  +50.0% exact     more\n" LEGEND EXACT "\n"
		    "  Limit n > +10%: fail\n"
		    "    B differs from A by +50.00% (the same in every run), beyond the limit.\n"
		    "  Limit n > +1: pass\n"
		    "    B differs from A by +1 (the same in every run), within the limit.\n"
		    "  Limit m > +1: cannot tell\n"
		    "    It was not measured.\n");
}

static void colours_and_signs_can_be_chosen(void **state)
{
	const struct compare_text_style style = { .colour = true, .ascii = true };
	struct compare *c = compare_new(2, names);

	(void)state;
	ADD(c, ELAPSED, "time", "us", 5, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3);
	ADD(c, COUNT, "n", "", 5, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1);
	ADD(c, COUNT, "m", "", 5, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2);
	assert_text(
		c, "n < 0, m > 1", &style,
		"  A  5 runs  ./old x\n"
		"  B  5 runs  ./new\\x1b\n"
		"\n"
		"               A              B        B - A\n"
		"  time  2.000 us +-0%  3.000 us +-0%  +50.0% exact     \033[31mslower\033[m\n"
		"  n            2 +-0%         1 +-0%  -50.0% exact     \033[1mfewer\033[m\n"
		"  m            2 +-0%         2 +-0%      0%           no difference shown\n"
		"\n"
		"  +-: 95% confidence interval of a mean, in percent of it; of a difference, of "
		"A's mean.\n"
		"  Welch's t-test: * p < 0.05, ** p < 0.01, *** p < 0.001; chance alone gives 1 "
		"row in 20 a *.\n" EXACT "\n"
		"  Limit n < +0: \033[31mfail\033[m\n"
		"    B differs from A by -1 (the same in every run), beyond the limit.\n"
		"  Limit m > +1: pass\n"
		"    B differs from A by +0 (the same in every run), within the limit.\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_has_both_means_their_difference_and_a_word),
		cmocka_unit_test(numbers_have_four_digits_and_a_prefix),
		cmocka_unit_test(what_is_missing_is_said),
		cmocka_unit_test(long_names_and_units_keep_the_table_narrow),
		cmocka_unit_test(doubtful_figures_are_noted),
		cmocka_unit_test(a_note_does_not_name_all_rows),
		cmocka_unit_test(each_further_command_has_a_table),
		cmocka_unit_test(limits_come_last_with_their_reasons),
		cmocka_unit_test(colours_and_signs_can_be_chosen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
