/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/sampling.h"
#include "cli/command.h"
#include "cmd/record-opts.h"
#include "cmd/record-sampling.h"
#include "kernel/perf-event.h"
#include "wire/abi.h"

static struct diag diag;

static int translate(const struct record_opts *o, struct sampling *ret)
{
	_cleanup_(fclosep) FILE *nowhere = fopen("/dev/null", "we");
	const struct invocation inv = { .err = nowhere };

	diag_done(&diag);
	return record_sampling(&inv, o, false, true, ret, &diag);
}

static struct sampling translated(const struct record_opts *o)
{
	struct sampling s = { 0 };

	assert_int_equal(translate(o, &s), 0);
	return s;
}

static void without_options_it_is_4000_a_second_with_children(void **state)
{
	(void)state;
	const struct record_opts o = { 0 };
	struct sampling s = translated(&o);

	assert_true(s.freq <= SAMPLING_FREQ_DEFAULT);
	assert_false(s.freq_given);
	assert_true(s.inherit);
	assert_true(s.command);
	assert_int_equal(s.fields, 0);
}

static void a_frequency_is_no_higher_than_the_kernel_s_limit(void **state)
{
	(void)state;
	struct record_opts o = { 0 };
	struct sampling s;

	if (!perf_event_max_sample_rate())
		skip();
	o.sampling.rate = (struct sampling_rate){ SAMPLING_FREQ, UINT32_MAX };
	s = translated(&o);
	assert_int_equal(s.freq, perf_event_max_sample_rate());
	assert_true(s.freq_given);
	o.sampling.strict_freq = true;
	assert_int_equal(translate(&o, &s), -EINVAL);
	o.sampling.rate.kind = SAMPLING_FREQ_MAX;
	s = translated(&o);
	assert_int_equal(s.freq, perf_event_max_sample_rate());
}

static void children_of_threads_are_not_followed(void **state)
{
	(void)state;
	struct record_opts o = { .target.tids.n = 1 };

	assert_false(translated(&o).inherit);
	o.no_inherit = CHOICE_NO;
	assert_true(translated(&o).inherit);
	o.target.per_thread = true;
	assert_false(translated(&o).inherit);
}

static void what_samples_carry_is_a_set_of_fields(void **state)
{
	(void)state;
	struct record_opts o = { 0 };

	o.sample.raw = true;
	o.sample.data_addr = true;

	struct sampling s = translated(&o);

	assert_int_equal(s.fields, PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
					   PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC);
	assert_true(s.data_maps);
}

static void registers_without_names_are_all(void **state)
{
	(void)state;
	struct record_opts o = { 0 };

	o.sample.user_regs = "";

	struct sampling s = translated(&o);

	assert_int_equal(s.user_regs, s.all_user_regs);
	o.sample.intr_regs = "xyzzy";
	assert_int_equal(translate(&o, &s), -EINVAL);
	assert_non_null(diag.message);
}

static void any_delay_holds_events_back(void **state)
{
	(void)state;
	struct record_opts o = { .control.delay.disabled = true };

	assert_true(translated(&o).delayed);
	o.control.delay.disabled = false;
	assert_false(translated(&o).delayed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_options_it_is_4000_a_second_with_children),
		cmocka_unit_test(a_frequency_is_no_higher_than_the_kernel_s_limit),
		cmocka_unit_test(children_of_threads_are_not_followed),
		cmocka_unit_test(what_samples_carry_is_a_set_of_fields),
		cmocka_unit_test(registers_without_names_are_all),
		cmocka_unit_test(any_delay_holds_events_back),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	diag_done(&diag);
	return failed;
}
