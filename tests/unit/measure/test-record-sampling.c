/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "capture/sampling.h"
#include "kernel/perf-event.h"
#include "measure/record-request.h"
#include "measure/record-sampling.h"
#include "skip.h"

static struct diag diag;
static struct notes notes;

static int translate(const struct record_request *rq, struct sampling *ret)
{
	diag_done(&diag);
	notes_done(&notes);
	return record_sampling(rq, true, &notes, ret, &diag);
}

static struct sampling translated(const struct record_request *rq)
{
	struct sampling s = { 0 };

	assert_int_equal(translate(rq, &s), 0);
	return s;
}

static void without_options_it_is_4000_a_second_with_children(void **state)
{
	(void)state;
	const struct record_request rq = { 0 };
	struct sampling s = translated(&rq);

	assert_true(s.freq <= SAMPLING_FREQ_DEFAULT);
	assert_false(s.freq_given);
	assert_true(s.inherit);
	assert_true(s.command);
}

static void a_frequency_is_no_higher_than_the_kernel_s_limit(void **state)
{
	(void)state;
	struct record_request rq = { 0 };
	struct sampling s;

	if (!perf_event_max_sample_rate())
		skip_because("the kernel has no perf_event_open()");
	rq.sampling.rate = (struct sampling_rate){ SAMPLING_FREQ, UINT32_MAX };
	s = translated(&rq);
	assert_int_equal(s.freq, perf_event_max_sample_rate());
	assert_true(s.freq_given);
	assert_int_equal(notes.n, 1);
	assert_non_null(strstr(notes.items[0].what.message, "Maximum frequency rate"));
	rq.sampling.strict_freq = true;
	assert_int_equal(translate(&rq, &s), -EINVAL);
	rq.sampling.rate.kind = SAMPLING_FREQ_MAX;
	s = translated(&rq);
	assert_int_equal(s.freq, perf_event_max_sample_rate());
}

static void children_of_threads_are_not_followed(void **state)
{
	(void)state;
	struct record_request rq = { .target.tids.n = 1 };

	assert_false(translated(&rq).inherit);
	rq.no_inherit = CHOICE_NO;
	assert_true(translated(&rq).inherit);
	rq.target.per_thread = true;
	assert_false(translated(&rq).inherit);
}

static void registers_without_names_are_all(void **state)
{
	(void)state;
	struct record_request rq = { 0 };

	rq.sampling.sample.user_regs = "";

	struct sampling s = translated(&rq);

	assert_int_equal(s.user_regs, s.all_user_regs);
	rq.sampling.sample.intr_regs = "xyzzy";
	assert_int_equal(translate(&rq, &s), -EINVAL);
	assert_non_null(diag.message);
}

static void any_delay_holds_events_back(void **state)
{
	(void)state;
	struct record_request rq = { .control.delay.disabled = true };

	assert_true(translated(&rq).delayed);
	rq.control.delay.disabled = false;
	assert_false(translated(&rq).delayed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_options_it_is_4000_a_second_with_children),
		cmocka_unit_test(a_frequency_is_no_higher_than_the_kernel_s_limit),
		cmocka_unit_test(children_of_threads_are_not_followed),
		cmocka_unit_test(registers_without_names_are_all),
		cmocka_unit_test(any_delay_holds_events_back),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	diag_done(&diag);
	notes_done(&notes);
	return failed;
}
