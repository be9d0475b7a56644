/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <errno.h>
#include <cmocka.h>

#include "base/diag.h"
#include "hwtrace/pt-decoder.h"
#include "hwtrace/pt-flow.h"

/* The words of AUXTRACE_INFO, in the byte order of this machine. */
static uint64_t info[] = { 6, 10, 642, 0, 1, 0x400, 0x800, 3, 0, 1 };

static struct aux_event recorded = {
	.attr = { .type = 6,
		  .config = 0x400,
		  .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME,
		  .exclude_kernel = 1,
		  .exclude_hv = 1 },
	.name = "intel_pt//u",
	.id = 11,
};

static struct aux_setup setup_of(size_t n_words)
{
	return (struct aux_setup){
		.type = AUXTRACE_INTEL_PT,
		.words = { .bytes = (const uint8_t *)info, .n = n_words },
		.recorded = &recorded,
		.n_recorded = 1,
		.options = itrace_default(false),
	};
}

/* True if libipt is installed. */
static bool can_decode(void)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	return pt_flow_check(&diag) >= 0;
}

static void without_the_library_it_is_named(void **state)
{
	(void)state;
	struct aux_setup setup = setup_of(10);
	struct diag diag = { 0 };
	struct aux_decoder *d = NULL;

	assert_int_equal(pt_class.open(&setup, &d, &diag), -EOPNOTSUPP);
	assert_non_null(strstr(diag.message, "libipt"));
	assert_non_null(strstr(diag.message, "-D"));
	diag_done(&diag);
}

static void events_are_called_as_the_kernels(void **state)
{
	(void)state;
	struct aux_setup setup = setup_of(10);
	struct diag diag = { 0 };
	struct aux_decoder *d = NULL;

	assert_int_equal(pt_class.open(&setup, &d, &diag), 0);
	assert_string_equal(d->events.items[0].name, "branches:u");
	assert_int_equal(d->events.items[0].id, 1000000011);
	assert_string_equal(d->events.items[1].name, "instructions:u");
	/* 100 us of this clock */
	assert_int_equal(d->events.items[1].attr.sample_period, 159501);
	assert_false(d->timeless);
	aux_decoder_free(d);
}

static void damaged_words_are_refused(void **state)
{
	(void)state;
	struct aux_setup setup = setup_of(3);
	struct diag diag = { 0 };
	struct aux_decoder *d = NULL;

	assert_int_equal(pt_class.open(&setup, &d, &diag), -EBADMSG);
	diag_done(&diag);
}

static void traces_of_no_recorded_event_are_refused(void **state)
{
	(void)state;
	struct aux_setup setup = setup_of(10);
	struct diag diag = { 0 };
	struct aux_decoder *d = NULL;

	setup.n_recorded = 0;
	assert_int_equal(pt_class.open(&setup, &d, &diag), -EBADMSG);
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest without[] = {
		cmocka_unit_test(without_the_library_it_is_named),
	};
	const struct CMUnitTest with[] = {
		cmocka_unit_test(events_are_called_as_the_kernels),
		cmocka_unit_test(damaged_words_are_refused),
		cmocka_unit_test(traces_of_no_recorded_event_are_refused),
	};

	return can_decode() ? cmocka_run_group_tests(with, NULL, NULL)
			    : cmocka_run_group_tests(without, NULL, NULL);
}
