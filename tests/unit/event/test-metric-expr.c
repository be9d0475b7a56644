/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "event/metric-expr.h"

/* Counts: a is 6, b is 4, zero is 0, task-clock is 2; nothing else was counted. */
static bool count(void *arg, const char *event, double *ret)
{
	static const struct {
		const char *name;
		double value;
	} counts[] = { { "a", 6 },
		       { "b", 4 },
		       { "zero", 0 },
		       { "task-clock", 2 },
		       { "cpu/event=0x3c,umask=1/", 10 } };

	(void)arg;
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		if (!strcmp(counts[i].name, event)) {
			*ret = counts[i].value;
			return true;
		}
	return false;
}

static bool literal(void *arg, const char *name, double *ret)
{
	(void)arg;
	*ret = 8;
	return !strcmp(name, "num_cpus");
}

static bool value(const char *text, double *ret)
{
	const struct metric_inputs in = { count, literal, NULL };
	_cleanup_(metric_expr_freep) struct metric_expr *e = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (metric_expr_parse(text, &e, &diag) < 0)
		fail_msg("%s: %s", text, diag.message);
	return metric_expr_value(e, &in, ret);
}

static void assert_value(const char *text, double wanted)
{
	double got;

	if (!value(text, &got))
		fail_msg("%s: no value", text);
	if (got != wanted)
		fail_msg("%s: %g, not %g", text, got, wanted);
}

static void assert_no_value(const char *text)
{
	double got = 0;

	if (value(text, &got))
		fail_msg("%s: %g, not none", text, got);
}

static void assert_wrong(const char *text, size_t offset)
{
	struct metric_expr *e = (struct metric_expr *)1;
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(metric_expr_parse(text, &e, &diag), -EINVAL);
	assert_ptr_equal(e, (struct metric_expr *)1);
	assert_int_equal(diag.offset, offset);
}

static void operators_have_their_usual_strength(void **state)
{
	(void)state;
	assert_value("1 + 2 * 3", 7);
	assert_value("(1 + 2) * 3", 9);
	assert_value("10 - 2 - 3", 5);
	assert_value("2 * 3 % 4", 2);
	assert_value("1 + 1 < 3 & 1", 1);
	assert_value("6 ^ 3 | 8", 13);
	assert_value("-a + 10", 4);
	assert_value("- -3", 3);
}

static void events_and_literals_have_their_values(void **state)
{
	(void)state;
	assert_value("a / b", 1.5);
	assert_value("1e3 * task\\-clock", 2000);
	assert_value("cpu@event\\=0x3c\\,umask\\=1@ / 2", 5);
	assert_value("cpu@event=0x3c,umask=1@", 10);
	assert_value("#num_cpus + .5", 8.5);
	assert_no_value("#weather");
}

static void functions_take_two_values(void **state)
{
	(void)state;
	assert_value("min(a, b)", 4);
	assert_value("max(a, b + 3)", 7);
	assert_value("d_ratio(a, b)", 1.5);
	assert_value("min(max(1, 2), 3)", 2);
}

static void choices_are_made_from_the_inside(void **state)
{
	(void)state;
	assert_value("1 if a > b else 2", 1);
	assert_value("1 if a < b else 2 if b < a else 3", 2);
	assert_value("10 * (1 if zero else 2)", 20);
}

static void nothing_is_divided_by_zero_or_the_uncounted(void **state)
{
	(void)state;
	assert_no_value("a / zero");
	assert_no_value("a % zero");
	assert_no_value("a % .5");
	assert_no_value("a / ghost");
	assert_no_value("ghost");
	assert_no_value("1 + a / (b - 4)");
	assert_value("d_ratio(a, zero)", 0); /* the purpose of d_ratio() */
	assert_no_value("d_ratio(a, ghost)");
}

/* The branch that is not taken needs no counts. */
static void only_the_chosen_value_is_needed(void **state)
{
	(void)state;
	assert_value("a if 1 else ghost", 6);
	assert_no_value("a if ghost else b");
}

static void what_is_too_large_has_no_value(void **state)
{
	(void)state;
	assert_no_value("1e300 * 1e300");
	assert_value("1e300 & 1", 1);
}

static void names_that_begin_like_words_are_names(void **state)
{
	(void)state;
	assert_no_value("minimum + iffy");
	assert_no_value("max\\-x");
}

static void mistakes_are_marked(void **state)
{
	(void)state;
	assert_wrong("", 0);
	assert_wrong("a +", 3);
	assert_wrong("(a", 2);
	assert_wrong("a b", 2);
	assert_wrong("min(a)", 5);
	assert_wrong("min(a, b", 8);
	assert_wrong("1 if a", 6);
	assert_wrong("a ! b", 2);
	assert_wrong("a\\", 1);
	assert_wrong("1e999", 0);
	assert_wrong("@", 1);
	assert_wrong("cpu@event=1", 11);
}

static void deep_nesting_is_refused(void **state)
{
	char deep[2001], minus[2001];
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct metric_expr *e;

	(void)state;
	memset(deep, '(', 2000);
	memset(minus, '-', 2000);
	deep[2000] = minus[2000] = '\0';
	assert_int_equal(metric_expr_parse(deep, &e, &diag), -EINVAL);
	assert_int_equal(metric_expr_parse(minus, &e, &diag), -EINVAL);
}

static void events_are_listed_once_in_order(void **state)
{
	_cleanup_(metric_expr_freep) struct metric_expr *e = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	assert_int_equal(
		metric_expr_parse("b / (a + b) + cpu@x\\=1@ + ab if #smt_on else a", &e, &diag), 0);
	metric_expr_events(e, &t);
	assert_string_equal(t.chars, "b,a,cpu/x=1/,ab");
}

static bool smt_is_off(void *arg, const char *name, double *ret)
{
	(void)arg;
	*ret = 0;
	return !strcmp(name, "smt_on");
}

static void a_settled_choice_has_only_the_events_it_needs(void **state)
{
	_cleanup_(metric_expr_freep) struct metric_expr *e = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY, other = TEXT_EMPTY;

	(void)state;
	assert_int_equal(metric_expr_parse("a + (b if #smt_on > 0 else c) + (d if #other else e)",
					   &e, &diag),
			 0);
	metric_expr_events(e, &t);
	assert_string_equal(t.chars, "a,b,c,d,e");
	metric_expr_settle(e, smt_is_off, NULL);
	metric_expr_events(e, &other);
	assert_string_equal(other.chars, "a,c,d,e");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operators_have_their_usual_strength),
		cmocka_unit_test(events_and_literals_have_their_values),
		cmocka_unit_test(functions_take_two_values),
		cmocka_unit_test(choices_are_made_from_the_inside),
		cmocka_unit_test(nothing_is_divided_by_zero_or_the_uncounted),
		cmocka_unit_test(only_the_chosen_value_is_needed),
		cmocka_unit_test(what_is_too_large_has_no_value),
		cmocka_unit_test(names_that_begin_like_words_are_names),
		cmocka_unit_test(mistakes_are_marked),
		cmocka_unit_test(deep_nesting_is_refused),
		cmocka_unit_test(events_are_listed_once_in_order),
		cmocka_unit_test(a_settled_choice_has_only_the_events_it_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
