/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>
#include <cmocka.h>

#include "base/diag.h"
#include "hwtrace/bts-decoder.h"

static const uint64_t info[] = { 7, 10, 642, 0, 1, 0 };
static const struct aux_event recorded = {
	.attr = { .type = 7, .exclude_kernel = 1, .exclude_hv = 1 }, .id = 3
};

/* Supplies code with a call at 0x1000. */
static size_t code(void *arg, uint32_t pid, uint64_t time, uint64_t addr, uint8_t *bytes,
		   size_t size)
{
	static const uint8_t call[] = { 0xe8, 1, 2, 3, 4 };

	(void)arg, (void)pid, (void)time, (void)size;
	if (addr != 0x1000)
		return 0;
	memcpy(bytes, call, sizeof(call));
	return sizeof(call);
}

static struct aux_decoder *decoder(const struct itrace *options, size_t n_words, int expected)
{
	const struct aux_setup setup = {
		.type = AUXTRACE_INTEL_BTS,
		.words = { .bytes = (const uint8_t *)info, .n = n_words },
		.recorded = &recorded,
		.n_recorded = 1,
		.options = *options,
		.host = { .code = code },
	};
	struct aux_decoder *d = NULL;
	struct diag diag = { 0 };

	assert_int_equal(bts_class.open(&setup, &d, &diag), expected);
	diag_done(&diag);
	return d;
}

static void each_record_is_a_branch(void **state)
{
	(void)state;
	static const uint64_t words[] = { 0, 0x1000, 0, 0x1000, 0x2000, 0, 0x2000, 0x3000, 0 };
	const struct itrace all = { .branches = true, .errors = true };
	struct aux_piece piece = { .bytes = (const uint8_t *)words, .size = sizeof(words) };
	const struct aux_queue q = { .cpu = AUX_NONE, .tid = 7, .items = &piece, .n = 1 };
	struct aux_decoder *d = decoder(&all, 6, 0);
	struct aux_stream *s = bts_class.stream(d, &q);
	struct aux_item item;
	uint64_t time;

	assert_string_equal(d->events.items[0].name, "branches:u");
	assert_true(bts_class.peek(s, &time));
	bts_class.take(s, &item);
	assert_int_equal(item.facts.flags, AUX_FLAG_BRANCH | AUX_FLAG_TRACE_BEGIN);
	assert_true(bts_class.peek(s, &time));
	bts_class.take(s, &item);
	assert_int_equal(item.facts.flags, AUX_FLAG_BRANCH | AUX_FLAG_CALL);
	assert_int_equal(item.facts.insn_length, 5);
	assert_int_equal(item.sample.ip, 0x1000);
	assert_int_equal(item.sample.addr, 0x2000);
	/* Unknown code gives an error, and a branch. */
	assert_true(bts_class.peek(s, &time));
	bts_class.take(s, &item);
	assert_int_equal(item.kind, AUX_ERROR);
	assert_int_equal(item.error.ip, 0x2000);
	assert_true(bts_class.peek(s, &time));
	bts_class.take(s, &item);
	assert_int_equal(item.kind, AUX_SAMPLE);
	assert_int_equal(item.facts.flags, 0);
	assert_false(bts_class.peek(s, &time));
	bts_class.stream_free(s);
	aux_decoder_free(d);
}

static void a_record_that_is_cut_off_is_none(void **state)
{
	(void)state;
	static const uint64_t words[] = { 0, 0x1000, 0 };
	const struct itrace all = { .branches = true };
	struct aux_piece piece = { .bytes = (const uint8_t *)words, .size = sizeof(words) - 1 };
	const struct aux_queue q = { .cpu = AUX_NONE, .tid = 7, .items = &piece, .n = 1 };
	struct aux_decoder *d = decoder(&all, 6, 0);
	struct aux_stream *s = bts_class.stream(d, &q);
	uint64_t time;

	assert_false(bts_class.peek(s, &time));
	bts_class.stream_free(s);
	aux_decoder_free(d);
}

static void too_few_words_are_refused(void **state)
{
	(void)state;
	const struct itrace all = { .branches = true };

	assert_null(decoder(&all, 5, -EBADMSG));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_record_is_a_branch),
		cmocka_unit_test(a_record_that_is_cut_off_is_none),
		cmocka_unit_test(too_few_words_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
