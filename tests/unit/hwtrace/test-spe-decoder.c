/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>
#include <cmocka.h>

#include "base/diag.h"
#include "hwtrace/decoder.h"

#define PMU 7

static bool ran(void *arg, uint32_t cpu, uint64_t time, struct aux_task *ret)
{
	(void)arg, (void)cpu, (void)time;
	*ret = (struct aux_task){ 10, 11 };
	return true;
}

static bool process(void *arg, uint32_t tid, uint64_t time, uint32_t *ret_pid)
{
	(void)arg, (void)time;
	*ret_pid = 10;
	return tid == 11;
}

static const struct aux_event recorded = {
	.attr = { .type = PMU,
		  .size = 128,
		  .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER },
	.id = 5,
};
static const uint64_t info[] = { PMU, 1 };

static struct aux_setup setup_of(const uint64_t *words, size_t n)
{
	return (struct aux_setup){
		.type = AUXTRACE_ARM_SPE,
		.words = { .bytes = (const uint8_t *)words, .n = n },
		.recorded = &recorded,
		.n_recorded = 1,
		.options = { .first_level = true, .memory = true },
		.time = { .shift = 10, .mult = 2048 },
		.host = { .running = ran, .process = process },
	};
}

/* A load that hit L1D, at tick 100. */
static const uint8_t load[] = { 0x42, 0x06, 0x49, 0, 0x71, 100, 0, 0, 0, 0, 0, 0, 0 };

static void a_record_becomes_samples_of_what_happened(void **state)
{
	struct aux_setup setup = setup_of(info, 2);
	struct aux_piece p = { .bytes = load, .size = sizeof(load) };
	struct aux_queue q = { .tid = AUX_NONE, .items = &p, .n = 1 };
	struct diag diag = { 0 };
	struct aux_decoder *d;
	struct aux_stream *s;
	struct aux_item item;
	uint64_t time;

	(void)state;
	assert_int_equal(aux_decoder_open(&setup, &d, &diag), 0);
	assert_int_equal(d->events.n, 3);
	assert_string_equal(d->events.items[1].name, "l1d-access");
	assert_int_equal(d->events.items[0].id, 1000000005);
	s = d->class->stream(d, &q);
	assert_true(d->class->peek(s, &time));
	assert_int_equal(time, 202); /* the first time of tick 101 */
	assert_true(d->class->peek(s, &time));
	d->class->take(s, &item);
	assert_int_equal(item.event, 1);
	assert_int_equal(item.sample.time, 200);
	assert_int_equal(item.sample.tid, 11);
	assert_int_equal(item.sample.pid, 10);
	assert_true(d->class->peek(s, &time));
	d->class->take(s, &item);
	assert_string_equal(d->events.items[item.event].name, "memory");
	assert_false(d->class->peek(s, &time));
	assert_non_null(strstr(d->class->remark(d), "CONTEXT packets not found"));
	d->class->stream_free(s);
	aux_decoder_free(d);
}

static void a_record_that_tells_its_thread_needs_no_remark(void **state)
{
	static const uint8_t bytes[] = { 0x64, 11, 0, 0, 0, 0x42, 0x06, 0x49, 0, 0x01 };
	struct aux_setup setup = setup_of(info, 2);
	struct aux_piece p = { .bytes = bytes, .size = sizeof(bytes) };
	struct aux_queue q = { .tid = AUX_NONE, .items = &p, .n = 1 };
	struct diag diag = { 0 };
	struct aux_decoder *d;
	struct aux_stream *s;
	uint64_t time;

	(void)state;
	assert_int_equal(aux_decoder_open(&setup, &d, &diag), 0);
	assert_null(d->class->remark(d));
	s = d->class->stream(d, &q);
	assert_true(d->class->peek(s, &time));
	assert_null(d->class->remark(d));
	d->class->stream_free(s);
	aux_decoder_free(d);
}

static void malformed_info_is_refused(void **state)
{
	static const uint64_t other[] = { PMU + 1, 1 };
	struct aux_setup cut = setup_of(info, 1), of_nobody = setup_of(other, 2);
	struct aux_decoder *d = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(aux_decoder_open(&cut, &d, &diag), -EBADMSG);
	assert_int_equal(aux_decoder_open(&of_nobody, &d, &diag), -EBADMSG);
	assert_null(d);
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_becomes_samples_of_what_happened),
		cmocka_unit_test(a_record_that_tells_its_thread_needs_no_remark),
		cmocka_unit_test(malformed_info_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
