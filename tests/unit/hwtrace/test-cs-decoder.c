/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>
#include <cmocka.h>

#include <config.h>

#include "base/diag.h"
#include "hwtrace/cs-info.h"
#include "hwtrace/decoder.h"
#include "skip.h"

#define PMU 8

static const struct aux_event recorded = {
	.attr = { .type = PMU,
		  .size = 128,
		  .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_IDENTIFIER },
	.id = 5,
};
static const uint64_t info[] = { 1,          (uint64_t)PMU << 32 | 1,
				 0,          CS_ETM_4_MAGIC,
				 3,          7,
				 0x40,       0x10,
				 0x28000ea1, 0x4100f424,
				 0x20001088, 0,
				 0xcc };

/* Supplies the code NOP, B . at 0x1000. */
static size_t code(void *arg, uint32_t pid, uint64_t time, uint64_t addr, uint8_t *bytes, size_t n)
{
	static const uint8_t text[] = { 0x1f, 0x20, 0x03, 0xd5, 0, 0, 0, 0x14 };

	(void)arg, (void)pid, (void)time;
	if (addr < 0x1000 || addr - 0x1000 >= sizeof(text))
		return 0;
	if (n > sizeof(text) - (addr - 0x1000))
		n = sizeof(text) - (addr - 0x1000);
	memcpy(bytes, text + (addr - 0x1000), n);
	return n;
}

static const struct aux_write *writes(void *arg, size_t *ret_n)
{
	*ret_n = 2;
	return arg;
}

static struct aux_setup setup_of(const uint64_t *words, size_t n)
{
	return (struct aux_setup){
		.type = AUXTRACE_CS_ETM,
		.words = { .bytes = (const uint8_t *)words, .n = n },
		.recorded = &recorded,
		.n_recorded = 1,
		.options = { .branches = true, .instructions = true, .period = 1 },
		.host = { .code = code },
	};
}

/* A-sync, trace info, trace on, address and context (thread 7), one branch that is taken. */
static const uint8_t trace[] = {
	0,    0, 0,   0, 0, 0, 0, 0, 0, 0,    0, 0x80, 0x01, 0x01, 0x00, 4,
	0x85, 0, 0x8, 0, 0, 0, 0, 0, 0, 0xb0, 7, 0,    0,    0,    0xf7, 0xf7,
};

static void needs_library(void)
{
	if (!HAVE_LIBOPENCSD)
		skip_because("built without libopencsd");
}

static void a_raw_trace_becomes_samples(void **state)
{
	/* The second AUX record has the same contents. */
	struct aux_write written[] = { { .size = sizeof(trace), .flags = 0x100, .cpu = 3 },
				       { .size = sizeof(trace), .flags = 0x100, .cpu = 3 } };
	struct aux_setup setup = setup_of(info, 13);
	struct aux_piece p = { .bytes = trace, .size = sizeof(trace), .cpu = 3 };
	struct aux_queue q = { .cpu = 3, .tid = AUX_NONE, .items = &p, .n = 1 };
	size_t n[2] = { 0 };
	struct diag diag = { 0 };
	struct aux_decoder *d;
	struct aux_stream *s;
	struct aux_item item;
	uint64_t time;

	(void)state;
	needs_library();
	setup.host.writes = writes;
	setup.host.arg = written;
	assert_int_equal(aux_decoder_open(&setup, &d, &diag), 0);
	assert_int_equal(d->events.n, 2);
	assert_true(d->timeless);
	s = d->class->stream(d, &q);
	while (d->class->peek(s, &time)) {
		d->class->take(s, &item);
		assert_int_equal(item.sample.tid, 7);
		assert_int_equal(item.sample.cpu, 3);
		n[item.event]++;
	}
	/* Two ranges: NOP and B, then B again. */
	assert_int_equal(n[0], 2);
	assert_int_equal(n[1], 3);
	d->class->stream_free(s);
	assert_null(d->class->remark(d));
	aux_decoder_free(d);
}

#define MANY 1000

/* Reads streams at the same time. Returns the number of streams that gave samples. */
static size_t read_together(struct aux_decoder *d, const struct aux_queue *q)
{
	struct aux_stream *streams[MANY];
	size_t n = 0;
	uint64_t time;

	for (size_t i = 0; i < MANY; i++) {
		streams[i] = d->class->stream(d, q);
		n += d->class->peek(streams[i], &time);
	}
	for (size_t i = 0; i < MANY; i++)
		d->class->stream_free(streams[i]);
	return n;
}

static void streams_beyond_the_budget_are_left_out(void **state)
{
	struct aux_write written[] = { { .size = sizeof(trace), .flags = 0x100, .cpu = 3 },
				       { .size = sizeof(trace), .flags = 0x100, .cpu = 3 } };
	struct aux_setup setup = setup_of(info, 13);
	struct aux_piece p = { .bytes = trace, .size = sizeof(trace), .cpu = 3 };
	struct aux_queue q = { .cpu = 3, .tid = AUX_NONE, .items = &p, .n = 1 };
	struct diag diag = { 0 };
	struct aux_decoder *d;
	size_t n;

	(void)state;
	needs_library();
	setup.host.writes = writes;
	setup.host.arg = written;
	assert_int_equal(aux_decoder_open(&setup, &d, &diag), 0);
	n = read_together(d, &q);
	assert_in_range(n, 1, MANY - 1);
	assert_non_null(strstr(d->class->remark(d), "left out"));
	/* The budget that the streams used is returned. */
	assert_in_range(read_together(d, &q), n / 2, MANY - 1);
	aux_decoder_free(d);
}

static void malformed_info_is_refused(void **state)
{
	static const uint64_t other[] = { 1, (uint64_t)(PMU + 1) << 32, 0 };
	struct aux_setup cut = setup_of(info, 5), of_nobody = setup_of(other, 3);
	struct aux_decoder *d = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(aux_decoder_open(&cut, &d, &diag), -EBADMSG);
	assert_int_equal(aux_decoder_open(&of_nobody, &d, &diag), -EBADMSG);
	assert_null(d);
	diag_done(&diag);
}

#if !HAVE_LIBOPENCSD
static void without_the_library_that_is_said(void **state)
{
	struct aux_setup setup = setup_of(info, 13);
	struct aux_decoder *d = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(aux_decoder_open(&setup, &d, &diag), -EOPNOTSUPP);
	assert_non_null(strstr(diag.message, "libopencsd"));
	diag_done(&diag);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_raw_trace_becomes_samples),
		cmocka_unit_test(streams_beyond_the_budget_are_left_out),
		cmocka_unit_test(malformed_info_is_refused),
#if !HAVE_LIBOPENCSD
		cmocka_unit_test(without_the_library_that_is_said),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
