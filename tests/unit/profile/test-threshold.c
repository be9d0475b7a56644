/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <locale.h>
#include <math.h>

#include "base/compare.h"
#include "base/diag.h"
#include "base/text.h"
#include "event/marked.h"
#include "profile/threshold.h"

/*
 * Checks that @text is accepted and written as @wanted, which means the same when it is parsed
 * again.
 */
static void assert_reads(const char *text, const char *wanted)
{
	_cleanup_(thresholds_done) struct thresholds t = { 0 };
	_cleanup_(text_done) struct text printed = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (thresholds_parse(&t, text, &diag) < 0)
		fail_msg("%s: %s", text, diag.message);
	for (size_t i = 0; i < t.n; i++) {
		text_add(&printed, i ? "," : "");
		threshold_print(&t.items[i], &printed);
	}
	assert_string_equal(printed.chars, wanted);
	if (strcmp(text, wanted))
		assert_reads(wanted, wanted);
}

static void assert_refused(const char *text, const char *mark, const char *words)
{
	_cleanup_(thresholds_done) struct thresholds t = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(thresholds_parse(&t, text, &diag), -EINVAL);
	assert_marked(&diag, text, mark, words);
	assert_int_equal(t.n, 0);
}

static void a_limit_is_a_name_an_operator_and_a_value(void **state)
{
	(void)state;
	assert_reads("time > +2%", "time > +2%");
	assert_reads("instructions>1%", "instructions > +1%");
	assert_reads("cycles >= 5 %", "cycles >= +5%");
	assert_reads("page-faults > +100", "page-faults > +100");
	assert_reads("  time\t<   -10%  ", "time < -10%");
	assert_reads("user <= -.5", "user <= -0.5");
	assert_reads("cycles > 1.5e6", "cycles > +1500000");
	assert_reads("cycles > -0", "cycles > +0");
	assert_reads("insn per cycle < -1%", "insn per cycle < -1%");
}

static void limits_of_time_may_have_its_units(void **state)
{
	(void)state;
	assert_reads("time > 5ms", "time > +5ms");
	assert_reads("time > +1.5 s", "time > +1.5s");
	assert_reads("task-clock > 20us", "task-clock > +20us");
	assert_reads("time > -1e-999ns", "time > +0ns");
	assert_reads("time > 2\u00b5s", "time > +2\u00b5s");
}

static void names_of_events_are_taken_as_they_are(void **state)
{
	(void)state;
	assert_reads("sched:sched_switch > 3", "sched:sched_switch > +3");
	assert_reads("cpu/event=0x3c,umask=1/u>3,cycles:u>4",
		     "cpu/event=0x3c,umask=1/u > +3,cycles:u > +4");
	assert_reads("mem:0x1000/8:rw > 1%, time > 2%", "mem:0x1000/8:rw > +1%,time > +2%");
	assert_reads("cpu/name='a b'/ > 1", "cpu/name='a b'/ > +1");
}

static void quotes_hold_any_name(void **state)
{
	(void)state;
	assert_reads("'time' > 1", "time > +1");
	assert_reads("\"a > b\" > 1", "'a > b' > +1");
	assert_reads("'it\\'s, \\\\' > 1", "'it\\'s, \\\\' > +1");
	assert_reads("' a' > 1,\"'\" > 2", "' a' > +1,'\\'' > +2");
	assert_reads("'a=b' > 1", "'a=b' > +1");
}

static void lists_add_up(void **state)
{
	_cleanup_(thresholds_done) struct thresholds t = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(thresholds_parse(&t, "time > 2%, user > 3%", &diag), 0);
	assert_int_equal(thresholds_parse(&t, "cs > 1", &diag), 0);
	assert_int_equal(t.n, 3);
	assert_int_equal(thresholds_parse(&t, "cs > 1, a > b", &diag), -EINVAL);
	assert_int_equal(t.n, 3);
	assert_string_equal(t.items[2].name, "cs");
	assert_int_equal(t.items[2].op, THRESHOLD_ABOVE);
	assert_string_equal(t.items[2].unit, "");
}

static void mistakes_are_marked(void **state)
{
	(void)state;
	assert_refused("", "", "the name of what is limited is missing");
	assert_refused("time > 2%,", "          ", "the name of what is limited is missing");
	assert_refused("> 2%", "", "the name of what is limited is missing");
	assert_refused("'' > 2%", "^^", "the name of what is limited is missing");
	assert_refused("'time > 2%", "^", "this quote is not closed");
	assert_refused("'time\\", "^", "this quote is not closed");
	assert_refused("time", "    ", "'>', '>=', '<' or '<=' is missing");
	assert_refused("time = 2%", "     ", "'>', '>=', '<' or '<=' is missing");
	assert_refused("time, user > 2", "    ", "'>', '>=', '<' or '<=' is missing");
	assert_refused("time > ", "       ", "a number is missing");
	assert_refused("time > %", "       ", "a number is missing");
	assert_refused("time > + 2%", "        ", "a number is missing");
	assert_refused("time > .", "       ", "a number is missing");
	assert_refused("time >> 2", "      ", "a number is missing");
	assert_refused("time > nan", "       ", "a number is missing");
	assert_refused("time > 1e999", "       ^^^^^", "too large");
	assert_refused("time > 0x10", "        ^^^", "a unit of time");
	assert_refused("time > 1e", "        ^", "a unit of time");
	assert_refused("time > 2min", "        ^^^", "a unit of time");
	assert_refused("time > 2% user > 3%", "          ", "',' is missing");
	assert_refused("time > 2%%", "        ^^", "a unit of time");
}

static const char *const names[] = { "old", "new" };

static void fill(struct compare *c, struct compare_row *row, size_t command, double a, double b,
		 double d)
{
	compare_add(c, row, command, a);
	compare_add(c, row, command, b);
	compare_add(c, row, command, d);
}

/*
 * Returns a comparison. The means of A and B: time 100, 103 and user 100, 103 with much more noise,
 * in seconds; cpu-clock 100, 103 in milliseconds; faults 45 and 47 in all runs; zero 0 and 2; same
 * 7 and 7; one run of `once`.
 */
static struct compare *measured(void)
{
	struct compare *c = compare_new(2, names);
	struct compare_row *time = compare_add_row(c, COMPARE_ELAPSED, "time", "s");
	struct compare_row *user = compare_add_row(c, COMPARE_AMOUNT, "user", "s");
	struct compare_row *clock = compare_add_row(c, COMPARE_AMOUNT, "cpu-clock:u", "msec");
	struct compare_row *faults = compare_add_row(c, COMPARE_COUNT, "faults", "");
	struct compare_row *zero = compare_add_row(c, COMPARE_COUNT, "zero", "");
	struct compare_row *none = compare_add_row(c, COMPARE_COUNT, "none", "");
	struct compare_row *once = compare_add_row(c, COMPARE_COUNT, "once", "");
	struct compare_row *never = compare_add_row(c, COMPARE_COUNT, "never", "");

	fill(c, time, 0, 99.9, 100, 100.1);
	fill(c, time, 1, 102.9, 103, 103.1);
	fill(c, user, 0, 90, 100, 110);
	fill(c, user, 1, 93, 103, 113);
	fill(c, clock, 0, 99.9, 100, 100.1);
	fill(c, clock, 1, 102.9, 103, 103.1);
	fill(c, faults, 0, 45, 45, 45);
	fill(c, faults, 1, 47, 47, 47);
	fill(c, zero, 0, 0, 0, 0);
	fill(c, zero, 1, 1, 2, 3);
	fill(c, none, 0, 0, 0, 0);
	fill(c, none, 1, 0, 0, 0);
	compare_add(c, once, 0, 1);
	fill(c, once, 1, 1, 2, 3);
	fill(c, never, 0, 1, 2, 3);
	compare_finish(c);
	return c;
}

static void assert_outcome(const char *text, enum threshold_outcome outcome, const char *reason)
{
	_cleanup_(compare_freep) struct compare *c = measured();
	_cleanup_(thresholds_done) struct thresholds t = { 0 };
	_cleanup_(threshold_results_done) struct threshold_results r = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(thresholds_parse(&t, text, &diag), 0);
	thresholds_evaluate(&t, c, &r);
	assert_int_equal(r.n, 1);
	assert_int_equal(r.items[0].command, 1);
	if (r.items[0].outcome != outcome)
		fail_msg("%s: %s: %s", text, threshold_outcome_word(r.items[0].outcome),
			 r.items[0].reason);
	if (reason)
		assert_string_equal(r.items[0].reason, reason);
	assert_int_equal(r.n_failed, outcome == THRESHOLD_FAIL);
	assert_int_equal(r.n_unknown, outcome == THRESHOLD_UNKNOWN);
}

/* t = 3 / sqrt(0.02 / 3) = 36.7, df = 4; the half width is 2.776445 * 0.0816497 = 0.226696. */
static void beyond_the_limit_and_significant_fails(void **state)
{
	(void)state;
	assert_outcome("time > +2%", THRESHOLD_FAIL,
		       "B differs from A by +3.00% (95% interval +2.77% to +3.23%; p < 0.0001), "
		       "beyond the limit");
	assert_outcome("time > 2.9", THRESHOLD_FAIL,
		       "B differs from A by +3 s (95% interval +2.773 s to +3.227 s; p < 0.0001), "
		       "beyond the limit");
	assert_outcome("time >= 2900ms", THRESHOLD_FAIL, NULL);
	assert_outcome("cpu-clock > 2.9", THRESHOLD_FAIL, NULL);
	assert_outcome("cpu-clock > 2900us", THRESHOLD_FAIL, NULL);
	assert_outcome("zero > 1", THRESHOLD_PASS, NULL); /* 2 +- 2.48 */
}

static void within_the_limit_passes(void **state)
{
	(void)state;
	assert_outcome("time > +3.5%", THRESHOLD_PASS,
		       "B differs from A by +3.00% (95% interval +2.77% to +3.23%; p < 0.0001), "
		       "within the limit");
	assert_outcome("time < -1%", THRESHOLD_PASS, NULL);
	assert_outcome("cpu-clock > 1s", THRESHOLD_PASS, NULL);
}

/* t = 3 / sqrt(200 / 3) = 0.3674, df = 4: p = 0.7319 */
static void beyond_the_limit_by_noise_passes(void **state)
{
	(void)state;
	assert_outcome("user > +2%", THRESHOLD_PASS,
		       "B differs from A by +3.00% (95% interval -19.67% to +25.67%; p = 0.7319), "
		       "beyond the limit, but noise may be why");
}

static void operators_take_or_leave_the_limit_itself(void **state)
{
	(void)state;
	assert_outcome("faults > 2", THRESHOLD_PASS, NULL);
	assert_outcome("faults >= 2", THRESHOLD_FAIL,
		       "B differs from A by +2 (the same in every run), beyond the limit");
	/* exactly at the limit, on the far side */
	assert_outcome("faults <= 2", THRESHOLD_PASS, NULL);
	assert_outcome("faults < 2", THRESHOLD_PASS, NULL);
	assert_outcome("faults < 3", THRESHOLD_FAIL, NULL);
	assert_outcome("none >= 0", THRESHOLD_PASS, NULL);
}

/* 'time > -5%' requires 5 % less, and fails if that is clearly missed. */
static void a_limit_on_the_far_side_of_zero_asks_for_a_change(void **state)
{
	(void)state;
	assert_outcome("time > -5%", THRESHOLD_FAIL, NULL);
	assert_outcome("user > -5%", THRESHOLD_PASS, NULL);
	assert_outcome("time < 5%", THRESHOLD_FAIL, NULL);
	assert_outcome("time < 3.1%", THRESHOLD_PASS, NULL); /* 3 +- 0.23 */
}

static void what_cannot_be_told_is_neither(void **state)
{
	(void)state;
	assert_outcome("once > 1", THRESHOLD_UNKNOWN,
		       "A has a single value, which says nothing about noise");
	assert_outcome("never > 1", THRESHOLD_UNKNOWN, "It was not counted in any run of B");
	assert_outcome("zero > 1%", THRESHOLD_UNKNOWN,
		       "The mean of A is 0, so that there is no percentage");
	assert_outcome("faults > 1ms", THRESHOLD_UNKNOWN, "It is not a time, but the limit is one");
	assert_outcome("what > 1", THRESHOLD_UNKNOWN, "It was not measured");
}

static void nothing_instead_of_nothing_is_no_change(void **state)
{
	(void)state;
	assert_outcome("none > 1%", THRESHOLD_PASS,
		       "B differs from A by +0.00% (the same in every run), within the limit");
}

static void every_command_has_a_result_for_every_limit(void **state)
{
	static const char *const three[] = { "a", "b", "c" };
	_cleanup_(compare_freep) struct compare *c = compare_new(3, three);
	_cleanup_(thresholds_done) struct thresholds t = { 0 };
	_cleanup_(threshold_results_done) struct threshold_results r = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct compare_row *row = compare_add_row(c, COMPARE_COUNT, "n", "");

	(void)state;
	for (size_t i = 0; i < 3; i++)
		fill(c, row, i, 1 + (double)i, 1 + (double)i, 1 + (double)i);
	compare_finish(c);
	assert_int_equal(thresholds_parse(&t, "n > 1, n > 0, m > 0", &diag), 0);
	thresholds_evaluate(&t, c, &r);
	assert_int_equal(r.n, 6);
	assert_int_equal(r.items[0].outcome, THRESHOLD_PASS);
	assert_int_equal(r.items[1].outcome, THRESHOLD_FAIL);
	assert_int_equal(r.items[1].command, 2);
	assert_ptr_equal(r.items[1].threshold, &t.items[0]);
	assert_int_equal(r.n_failed, 3);
	assert_int_equal(r.n_unknown, 2);
}

static void a_name_that_is_not_measured_is_refused_before_the_runs(void **state)
{
	_cleanup_(compare_freep) struct compare *c = measured();
	_cleanup_(thresholds_done) struct thresholds t = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(thresholds_parse(&t, "time > 1, cpu-clock > 2", &diag), 0);
	assert_int_equal(thresholds_check(&t, c, &diag), 0);
	assert_int_equal(thresholds_parse(&t, "fault > 2", &diag), 0);
	assert_int_equal(thresholds_check(&t, c, &diag), -ENOENT);
	assert_string_equal(diag.message, "'fault' is limited, but not measured");
	assert_string_equal(diag.hint, "Did you mean 'faults'?");
}

static void of_a_share_percentages_are_points(void **state)
{
	_cleanup_(compare_freep) struct compare *c = compare_new(2,
								 (const char *const[]){ "a", "b" });
	struct compare_row *row = compare_add_row(c, COMPARE_RATIO, "main", "%");
	_cleanup_(thresholds_done) struct thresholds t = { 0 };
	_cleanup_(threshold_results_done) struct threshold_results r = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		compare_add(c, row, 0, 10 + (double)i / 100);
		compare_add(c, row, 1, 13 + (double)i / 100);
	}
	compare_finish(c);
	assert_int_equal(thresholds_parse(&t, "main > +2%, main > +4%, main > 2", &diag), 0);
	thresholds_evaluate(&t, c, &r);
	assert_int_equal(r.items[0].outcome, THRESHOLD_FAIL); /* 3 points, not 30 % */
	assert_int_equal(r.items[1].outcome, THRESHOLD_PASS);
	assert_int_equal(r.items[2].outcome, THRESHOLD_FAIL);
}

static void a_number_may_have_an_exponent(void **state)
{
	(void)state;
	assert_reads("cycles > 1e+3", "cycles > +1000");
	assert_reads("cycles > 1E3", "cycles > +1000");
	assert_reads("cycles > 5.e1", "cycles > +50");
	assert_reads("cycles > 25e-2%", "cycles > +0.25%");
	assert_refused("cycles > 1e+", "          ^^", "a unit of time");
	assert_refused("cycles > e3", "         ", "a number is missing");
}

static void an_escaped_quote_does_not_close(void **state)
{
	(void)state;
	assert_refused("'a\\'", "^", "this quote is not closed");
	assert_reads("'a\\'' > 1", "a' > +1");
	assert_reads("\"a'b\" > 1", "a'b > +1");
}

static void two_values_say_something_about_noise(void **state)
{
	_cleanup_(compare_freep) struct compare *c = compare_new(2, names);
	struct compare_row *two = compare_add_row(c, COMPARE_COUNT, "two", "");
	struct compare_row *one = compare_add_row(c, COMPARE_COUNT, "one", "");
	struct compare_row *none = compare_add_row(c, COMPARE_COUNT, "none", "");
	_cleanup_(thresholds_done) struct thresholds t = { 0 };
	_cleanup_(threshold_results_done) struct threshold_results r = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	for (size_t command = 0; command < 2; command++) {
		compare_add(c, two, command, 5);
		compare_add(c, two, command, 5);
	}
	compare_add(c, one, 0, 5);
	compare_add(c, one, 0, 5);
	compare_add(c, one, 1, 5);
	compare_add(c, none, 1, 5);
	compare_finish(c);
	assert_int_equal(thresholds_parse(&t, "two > 1, one > 1, none > 1", &diag), 0);
	thresholds_evaluate(&t, c, &r);
	assert_int_equal(r.items[0].outcome, THRESHOLD_PASS);
	assert_int_equal(r.items[1].outcome, THRESHOLD_UNKNOWN);
	assert_string_equal(r.items[1].reason,
			    "B has a single value, which says nothing about noise");
	assert_string_equal(r.items[2].reason, "It was not counted in any run of A");
	assert_string_equal(threshold_outcome_word(THRESHOLD_UNKNOWN), "cannot tell");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_limit_is_a_name_an_operator_and_a_value),
		cmocka_unit_test(limits_of_time_may_have_its_units),
		cmocka_unit_test(names_of_events_are_taken_as_they_are),
		cmocka_unit_test(quotes_hold_any_name),
		cmocka_unit_test(lists_add_up),
		cmocka_unit_test(mistakes_are_marked),
		cmocka_unit_test(beyond_the_limit_and_significant_fails),
		cmocka_unit_test(within_the_limit_passes),
		cmocka_unit_test(beyond_the_limit_by_noise_passes),
		cmocka_unit_test(operators_take_or_leave_the_limit_itself),
		cmocka_unit_test(a_limit_on_the_far_side_of_zero_asks_for_a_change),
		cmocka_unit_test(what_cannot_be_told_is_neither),
		cmocka_unit_test(nothing_instead_of_nothing_is_no_change),
		cmocka_unit_test(every_command_has_a_result_for_every_limit),
		cmocka_unit_test(a_name_that_is_not_measured_is_refused_before_the_runs),
		cmocka_unit_test(of_a_share_percentages_are_points),
		cmocka_unit_test(a_number_may_have_an_exponent),
		cmocka_unit_test(an_escaped_quote_does_not_close),
		cmocka_unit_test(two_values_say_something_about_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
