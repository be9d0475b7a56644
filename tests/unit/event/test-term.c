/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "event/ast.h"
#include "event/term.h"
#include "marked.h"

struct fixture {
	struct event event;
	struct diag diag;
	bool whole;
};

static int begin(void **state)
{
	static struct fixture f;

	f = (struct fixture){ 0 };
	*state = &f;
	return 0;
}

static int end(void **state)
{
	struct fixture *f = *state;

	diag_done(&f->diag);
	free(f->event.name);
	free(f->event.settings.call_graph);
	free(f->event.settings.driver_config);
	free(f->event.settings.metric_id);
	return 0;
}

static int apply(struct fixture *f, char *name, char *value, enum event_use use)
{
	const struct event_term term = { .name = name, .value = value };

	diag_done(&f->diag);
	return term_apply(&f->event, &term, use, &f->whole, &f->diag);
}

static void sample(struct fixture *f, char *name, char *value)
{
	if (apply(f, name, value, EVENT_USE_SAMPLING) != 0)
		fail_msg("%s=%s: %s", name, value, f->diag.message);
	assert_null(f->diag.message);
}

static void refuse(struct fixture *f, char *name, char *value, const char *words)
{
	if (apply(f, name, value, EVENT_USE_SAMPLING) != -EINVAL)
		fail_msg("%s=%s", name, value);
	assert_contains(f->diag.message, words);
}

static bool given(const struct fixture *f, enum event_setting setting)
{
	return f->event.settings.given == 1u << setting;
}

static void config_terms_are_words_of_the_attr(void **state)
{
	struct fixture *f = *state;

	sample(f, "config", "0xffffffffffffffff");
	sample(f, "config1", "010"); /* not octal */
	sample(f, "config2", "3");
	sample(f, "config3", NULL);
	assert_int_equal(f->event.attr.config, UINT64_MAX);
	assert_int_equal(f->event.attr.config1, 10);
	assert_int_equal(f->event.attr.config2, 3);
	assert_int_equal(f->event.attr.config3, 1);
	assert_int_equal(f->event.settings.given, 0);
	sample(f, "config", "2");
	assert_int_equal(f->event.attr.config, 2);
}

static void a_raw_code_is_the_config(void **state)
{
	struct fixture *f = *state;

	sample(f, "r1a8", NULL);
	assert_int_equal(f->event.attr.config, 0x1a8);
	assert_int_equal(apply(f, "r1a8", "1", EVENT_USE_SAMPLING), -ENOENT);
}

static void of_two_names_the_first_counts(void **state)
{
	struct fixture *f = *state;

	sample(f, "name", "one");
	sample(f, "name", "two");
	assert_string_equal(f->event.name, "one");
	assert_int_equal(f->event.settings.given, 0);
}

static void of_other_words_the_last_counts(void **state)
{
	struct fixture *f = *state;

	sample(f, "metric-id", "one");
	sample(f, "metric-id", "two");
	assert_string_equal(f->event.settings.metric_id, "two");
	assert_true(given(f, EVENT_SETTING_METRIC_ID));
}

static void of_period_and_freq_the_last_counts(void **state)
{
	struct fixture *f = *state;

	sample(f, "period", "1000");
	assert_true(given(f, EVENT_SETTING_PERIOD));
	assert_int_equal(f->event.settings.period, 1000);
	sample(f, "freq", "99");
	assert_true(given(f, EVENT_SETTING_FREQ));
	assert_int_equal(f->event.settings.freq, 99);
	sample(f, "period", NULL);
	assert_true(given(f, EVENT_SETTING_PERIOD));
	assert_int_equal(f->event.settings.period, 1);
}

static void numbers_go_to_their_settings(void **state)
{
	struct fixture *f = *state;
	const struct event_settings *s = &f->event.settings;

	sample(f, "max-stack", "65535");
	assert_int_equal(s->max_stack, 65535);
	sample(f, "stack-size", "4294967295");
	assert_int_equal(s->stack_size, UINT32_MAX);
	sample(f, "aux-sample-size", "4096");
	assert_int_equal(s->aux_sample_size, 4096);
	sample(f, "nr", "18446744073709551615");
	assert_int_equal(s->max_events, UINT64_MAX);
	assert_int_equal(s->given, 1u << EVENT_SETTING_MAX_STACK | 1u << EVENT_SETTING_STACK_SIZE |
					   1u << EVENT_SETTING_AUX_SAMPLE_SIZE |
					   1u << EVENT_SETTING_MAX_EVENTS);
}

static void flags_may_be_switched_off_by_a_zero(void **state)
{
	static const struct {
		char *name, *value;
		enum event_setting setting;
		bool want;
	} cases[] = {
		{ "inherit", NULL, EVENT_SETTING_INHERIT, true },
		{ "inherit", "0", EVENT_SETTING_INHERIT, false },
		{ "inherit", "2", EVENT_SETTING_INHERIT, true },
		{ "no-inherit", NULL, EVENT_SETTING_INHERIT, false },
		{ "no-inherit", "0", EVENT_SETTING_INHERIT, true },
		{ "overwrite", NULL, EVENT_SETTING_OVERWRITE, true },
		{ "no-overwrite", NULL, EVENT_SETTING_OVERWRITE, false },
		{ "no-overwrite", "0", EVENT_SETTING_OVERWRITE, true },
		{ "aux-output", NULL, EVENT_SETTING_AUX_OUTPUT, true },
		{ "time", "0", EVENT_SETTING_TIME, false },
		{ "time", NULL, EVENT_SETTING_TIME, true },
		{ "percore", "1", EVENT_SETTING_PERCORE, true },
	};
	struct fixture *f = *state;
	const struct event_settings *s = &f->event.settings;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const bool *const fields[] = {
			[EVENT_SETTING_INHERIT] = &s->inherit,
			[EVENT_SETTING_OVERWRITE] = &s->overwrite,
			[EVENT_SETTING_AUX_OUTPUT] = &s->aux_output,
			[EVENT_SETTING_TIME] = &s->time,
			[EVENT_SETTING_PERCORE] = &s->percore,
		};

		f->event.settings = (struct event_settings){ 0 };
		sample(f, cases[i].name, cases[i].value);
		assert_true(given(f, cases[i].setting));
		assert_int_equal(*fields[cases[i].setting], cases[i].want);
	}
}

static void call_graph_is_one_of_four_modes(void **state)
{
	static char *const modes[] = { "fp", "dwarf", "lbr", "no" };
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		sample(f, "call-graph", modes[i]);
		assert_string_equal(f->event.settings.call_graph, modes[i]);
	}
	refuse(f, "call-graph", "foo", "call-graph is one of fp, dwarf, lbr and no");
	assert_string_equal(f->event.settings.call_graph, "no");
}

static void branch_type_is_read_as_names(void **state)
{
	struct fixture *f = *state;

	sample(f, "branch_type", "any_call,u");
	assert_true(given(f, EVENT_SETTING_BRANCH_TYPE));
	assert_int_equal(f->event.settings.branch_type,
			 PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_USER);
	refuse(f, "branch_type", "foo", "there is no branch filter 'foo'");
}

static void the_driver_gets_what_follows_the_at_sign(void **state)
{
	struct fixture *f = *state;

	sample(f, "@tmc_etr0", NULL);
	assert_string_equal(f->event.settings.driver_config, "tmc_etr0");
	sample(f, "@sink", "tmc_etf0");
	assert_string_equal(f->event.settings.driver_config, "sink=tmc_etf0");
	assert_true(given(f, EVENT_SETTING_DRIVER_CONFIG));
}

static void what_a_pmu_defines_is_not_general(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(apply(f, "event", "1", EVENT_USE_SAMPLING), -ENOENT);
	assert_int_equal(apply(f, "Config", "1", EVENT_USE_SAMPLING), -ENOENT);
	assert_int_equal(apply(f, "config4", "1", EVENT_USE_SAMPLING), -ENOENT);
	assert_null(f->diag.message);
	assert_false(term_is_general(&(struct event_term){ .name = "umask" }));
}

static void every_listed_term_is_general(void **state)
{
	size_t n = 0;

	(void)state;
	for (; term_name(n); n++)
		assert_true(term_is_general(&(struct event_term){ .name = (char *)term_name(n) }));
	assert_int_equal(n, 21);
	assert_true(term_is_general(&(struct event_term){ .name = "@x" }));
	assert_true(term_is_general(&(struct event_term){ .name = "r1a8" }));
}

static void values_of_the_wrong_kind_are_refused(void **state)
{
	static const struct {
		char *name, *value;
		const char *words;
	} cases[] = {
		{ "config", "x", "'config' takes a number" },
		{ "period", "1k", "'period' takes a number" },
		{ "nr", "-1", "'nr' takes a number" },
		{ "inherit", "yes", "'inherit' takes a number" },
		{ "config", "0x10000000000000000", "does not fit 64 bits" },
		{ "max-stack", "65536", "'max-stack' is at most 65535" },
		{ "stack-size", "4294967296", "'stack-size' is at most 4294967295" },
		{ "aux-sample-size", "4294967296", "'aux-sample-size' is at most 4294967295" },
		{ "time", "2", "'time' is 0 or 1" },
		{ "percore", "2", "'percore' is 0 or 1" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		refuse(f, cases[i].name, cases[i].value, cases[i].words);
		assert_false(f->whole); /* only the value is wrong */
		assert_int_equal(f->event.settings.given, 0);
		assert_int_equal(f->event.attr.config, 0);
	}
}

static void words_must_be_there(void **state)
{
	static char *const names[] = { "name", "metric-id", "call-graph", "branch_type" };
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		refuse(f, names[i], NULL, "needs a value");
		assert_true(f->whole);
		assert_int_equal(f->event.settings.given, 0);
	}
}

static void terms_about_samples_are_refused_for_counting(void **state)
{
	static char *const counting[] = { "config", "config1", "config2", "config3",
					  "name",   "period",  "percore", "metric-id" };
	struct fixture *f = *state;

	for (size_t i = 0; term_name(i); i++) {
		char *name = (char *)term_name(i);
		bool counts = false;

		for (size_t j = 0; j < ARRAY_SIZE(counting); j++)
			counts = counts || !strcmp(counting[j], name);
		if (counts) {
			assert_int_equal(apply(f, name, "1", EVENT_USE_COUNTING), 0);
			continue;
		}
		assert_int_equal(apply(f, name, "1", EVENT_USE_COUNTING), -EINVAL);
		assert_contains(f->diag.message, "is about samples");
		assert_contains(f->diag.message, name);
		assert_true(f->whole);
	}
}

static void a_flag_is_one_as_a_number(void **state)
{
	struct fixture *f = *state;
	uint64_t n = 0;

	assert_int_equal(term_number(&(struct event_term){ .name = "inv" }, &n, &f->diag), 0);
	assert_int_equal(n, 1);
	assert_int_equal(
		term_number(&(struct event_term){ .name = "inv", .value = "0x20" }, &n, &f->diag),
		0);
	assert_int_equal(n, 0x20);
}

static void what_is_no_number_leaves_the_result_alone(void **state)
{
	struct fixture *f = *state;
	uint64_t n = 7;

	assert_int_equal(
		term_number(&(struct event_term){ .name = "inv", .value = "x" }, &n, &f->diag),
		-EINVAL);
	assert_contains(f->diag.message, "'inv' takes a number");
	assert_int_equal(
		term_number(&(struct event_term){ .name = "inv", .value = "18446744073709551616" },
			    &n, &f->diag),
		-EINVAL);
	assert_contains(f->diag.message, "'18446744073709551616' does not fit 64 bits");
	assert_int_equal(n, 7);
}

#define test(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(config_terms_are_words_of_the_attr),
		test(a_raw_code_is_the_config),
		test(of_two_names_the_first_counts),
		test(of_other_words_the_last_counts),
		test(of_period_and_freq_the_last_counts),
		test(numbers_go_to_their_settings),
		test(flags_may_be_switched_off_by_a_zero),
		test(call_graph_is_one_of_four_modes),
		test(branch_type_is_read_as_names),
		test(the_driver_gets_what_follows_the_at_sign),
		test(what_a_pmu_defines_is_not_general),
		test(every_listed_term_is_general),
		test(values_of_the_wrong_kind_are_refused),
		test(words_must_be_there),
		test(terms_about_samples_are_refused_for_counting),
		test(a_flag_is_one_as_a_number),
		test(what_is_no_number_leaves_the_result_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
