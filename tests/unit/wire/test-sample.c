/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "bytes-of.h"
#include "wire/sample.h"

#define SAMPLE(swap, ...) bytes_of(swap, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, __VA_ARGS__)

static struct sample sample_of(const struct bytes *b, bool swap, const struct attr *attr)
{
	struct sample s;

	assert_int_equal(sample_decode(b->data, b->n, swap, attr, &s), 0);
	return s;
}

static void assert_refused(const struct bytes *b, const struct attr *attr)
{
	struct sample s;

	assert_int_equal(sample_decode(b->data, b->n, false, attr, &s), -EBADMSG);
}

/* Checks that a record that is cut at any byte is refused, and that the whole one is not. */
static void assert_needs_every_byte(const struct bytes *b, const struct attr *attr)
{
	for (size_t n = RECORD_HEADER_SIZE; n < b->n; n++) {
		_cleanup_(bytes_done) struct bytes cut = { 0 };
		uint16_t size = (uint16_t)n;

		bytes_add(&cut, b->data, n);
		memcpy(cut.data + 6, &size, sizeof(size));
		assert_refused(&cut, attr);
	}
	assert_int_equal(sample_of(b, false, attr).left_over, 0);
}

static void the_fixed_fields_come_in_the_kernels_order(void **state)
{
	(void)state;
	static const struct attr attr = {
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
			       PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
	};

	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = SAMPLE(swap, "qqwwqqqqwwq", 1UL, 2UL, 3, 4,
							      5UL, 6UL, 7UL, 8UL, 9, 0, 10UL);
		struct sample s = sample_of(&b, swap, &attr);

		assert_int_equal(s.misc, PERF_RECORD_MISC_USER);
		assert_int_equal(s.id, 1); /* IDENTIFIER, not ID */
		assert_int_equal(s.ip, 2);
		assert_int_equal(s.pid, 3);
		assert_int_equal(s.tid, 4);
		assert_int_equal(s.time, 5);
		assert_int_equal(s.addr, 6);
		assert_int_equal(s.stream_id, 8);
		assert_int_equal(s.cpu, 9);
		assert_int_equal(s.period, 10);
		if (!swap)
			assert_needs_every_byte(&b, &attr);
	}
}

static void what_was_not_asked_for_is_zero(void **state)
{
	(void)state;
	static const struct attr attr = { .sample_type = PERF_SAMPLE_IP };
	_cleanup_(bytes_done) struct bytes b = SAMPLE(false, "qqqqqqqqq", 1UL, 2UL, 3UL, 4UL, 5UL,
						      6UL, 7UL, 8UL, 9UL);
	struct sample s = sample_of(&b, false, &attr);

	assert_int_equal(s.ip, 1);
	assert_int_equal(s.id, 0);
	assert_int_equal(s.pid, 0);
	assert_int_equal(s.tid, 0);
	assert_int_equal(s.addr, 0);
	assert_int_equal(s.stream_id, 0);
	assert_int_equal(s.period, 0);
	assert_int_equal(s.left_over, 64);
	assert_int_equal(s.time, 0);
	assert_int_equal(s.cpu, UINT32_MAX);
	assert_int_equal(s.chain.n, 0);
	assert_true(s.branch_hw_index == UINT64_MAX);
}

static void a_record_larger_than_its_bytes_is_refused(void **state)
{
	(void)state;
	static const struct attr attr = { .sample_type = PERF_SAMPLE_IP };
	_cleanup_(bytes_done) struct bytes b = SAMPLE(false, "q", 1UL);

	b.n--;
	assert_refused(&b, &attr);
	b.n = 3;
	assert_refused(&b, &attr);
}

static void an_id_alone_serves_as_identifier(void **state)
{
	(void)state;
	static const struct attr attr = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ID };
	_cleanup_(bytes_done) struct bytes b = SAMPLE(false, "qq", 1UL, 2UL);

	assert_int_equal(sample_of(&b, false, &attr).id, 2);
}

static void bytes_behind_the_last_field_are_counted(void **state)
{
	(void)state;
	static const struct attr attr = { .sample_type = PERF_SAMPLE_IP };
	_cleanup_(bytes_done) struct bytes b = SAMPLE(false, "qqw", 1UL, 2UL, 3);

	assert_int_equal(sample_of(&b, false, &attr).left_over, 12);
}

static void a_call_chain_is_borrowed_not_copied(void **state)
{
	(void)state;
	static const struct attr attr = { .sample_type = PERF_SAMPLE_CALLCHAIN };

	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = SAMPLE(swap, "qqq", 2UL, PERF_CONTEXT_USER,
							      0x401000UL);
		struct sample s = sample_of(&b, swap, &attr);

		assert_int_equal(s.chain.n, 2);
		assert_ptr_equal(s.chain.bytes, b.data + 16);
		assert_true(words_get(&s.chain, 0) == PERF_CONTEXT_USER);
		assert_int_equal(words_get(&s.chain, 1), 0x401000);
		if (!swap)
			assert_needs_every_byte(&b, &attr);
	}
}

static void a_call_chain_longer_than_the_record_is_refused(void **state)
{
	(void)state;
	static const struct attr attr = { .sample_type = PERF_SAMPLE_CALLCHAIN };
	static const uint64_t counts[] = { 2, 0x2000000000000000, 0x2000000000000001, UINT64_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		_cleanup_(bytes_done) struct bytes b = SAMPLE(false, "qq", counts[i], 1UL);

		assert_refused(&b, &attr);
	}
}

static void raw_data_has_32_bits_of_length(void **state)
{
	(void)state;
	static const struct attr attr = { .sample_type = PERF_SAMPLE_RAW };

	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = SAMPLE(swap, "wbbbb", 4, 1, 2, 3, 4);
		struct sample s = sample_of(&b, swap, &attr);

		assert_int_equal(s.raw_size, 4);
		/* never swapped: only the tracepoint's format has the layout */
		assert_int_equal(s.raw[0], 1);
		if (!swap)
			assert_needs_every_byte(&b, &attr);
	}
}

static void counts_are_laid_out_by_the_read_format(void **state)
{
	(void)state;
	static const struct attr attr = {
		.sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID,
	};
	_cleanup_(bytes_done) struct bytes b = SAMPLE(false, "qqqqqqq", 2UL, 3UL, 4UL, 5UL, 6UL,
						      1UL, 9UL);
	struct sample s = sample_of(&b, false, &attr);

	assert_int_equal(s.read.n, 2);
	assert_int_equal(record_read_value(&s.read, 1).value, 5);
	assert_int_equal(words_get(&s.chain, 0), 9);
	assert_needs_every_byte(&b, &attr);
}

static void branches_are_three_words_each(void **state)
{
	(void)state;
	static const struct attr attr = {
		.sample_type = PERF_SAMPLE_BRANCH_STACK,
		.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX | PERF_SAMPLE_BRANCH_COUNTERS,
	};
	_cleanup_(bytes_done) struct bytes b = SAMPLE(false, "qqqqqqqqqq", 2UL, 5UL, 10UL, 11UL,
						      1UL, 20UL, 21UL, 2UL, 7UL, 8UL);
	struct sample s = sample_of(&b, false, &attr);

	assert_int_equal(s.branches.n, 6);
	assert_int_equal(s.branch_hw_index, 5);
	assert_int_equal(sample_branch(&s, 1).from, 20);
	assert_int_equal(sample_branch(&s, 1).to, 21);
	assert_int_equal(sample_branch(&s, 1).flags, 2);
	assert_int_equal(words_get(&s.branch_counters, 1), 8);
	assert_needs_every_byte(&b, &attr);
}

static void more_branches_than_there_are_is_refused(void **state)
{
	(void)state;
	static const struct attr attr = { .sample_type = PERF_SAMPLE_BRANCH_STACK };
	static const uint64_t counts[] = { 2, 0x5555555555555556, UINT64_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		_cleanup_(bytes_done) struct bytes b = SAMPLE(false, "qqqq", counts[i], 1UL, 2UL,
							      3UL);

		assert_refused(&b, &attr);
	}
}

/* mispred, 0x1234 cycles, type 5: a big-endian machine fills the word from the top. */
static void the_flags_of_a_branch_are_mirrored_on_the_other_order(void **state)
{
	(void)state;
	static const struct attr attr = { .sample_type = PERF_SAMPLE_BRANCH_STACK };
	_cleanup_(bytes_done) struct bytes b = SAMPLE(true, "qqqq", 1UL, 2UL, 3UL,
						      1UL << 63 | 0x1234UL << 44 | 5UL << 40);
	struct sample s = sample_of(&b, true, &attr);

	assert_int_equal(sample_branch(&s, 0).from, 2);
	assert_int_equal(sample_branch(&s, 0).flags, 1 | 0x1234 << 4 | 5 << 20);
}

static void registers_are_found_by_their_number(void **state)
{
	(void)state;
	static const struct attr attr = {
		.sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR,
		.sample_regs_user = 1ULL << 2 | 1ULL << 30 | 1ULL << 63,
		.sample_regs_intr = 1,
	};

	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = SAMPLE(swap, "qqqqqq", 2UL, 10UL, 11UL, 12UL,
							      1UL, 13UL);
		struct sample s = sample_of(&b, swap, &attr);
		uint64_t v = 0;

		assert_int_equal(s.user_regs.abi, 2);
		assert_true(sample_reg(&s.user_regs, 2, &v) && v == 10);
		assert_true(sample_reg(&s.user_regs, 30, &v) && v == 11);
		assert_true(sample_reg(&s.user_regs, 63, &v) && v == 12);
		assert_false(sample_reg(&s.user_regs, 3, &v));
		assert_false(sample_reg(&s.user_regs, 64, &v));
		assert_true(sample_reg(&s.intr_regs, 0, &v) && v == 13);
		if (!swap)
			assert_needs_every_byte(&b, &attr);
	}
}

/* The counts are four u16: two vectors of two words, three predicates of two. */
static void vector_registers_behind_the_others_are_passed_over(void **state)
{
	(void)state;
	static const struct attr attr = {
		.sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
		.sample_regs_user = 1 << 2,
	};
	const uint64_t counts = 0x0002000300020002UL;
	_cleanup_(bytes_done) struct bytes b = SAMPLE(false, "qqqqqqqqqqqqqq", 6UL, 10UL, counts,
						      1UL, 2UL, 3UL, 4UL, 5UL, 6UL, 7UL, 8UL, 9UL,
						      10UL, 0UL);
	struct sample s = sample_of(&b, false, &attr);
	_cleanup_(bytes_done) struct bytes out = { 0 };
	uint64_t v = 0;

	assert_true(sample_regs_are_64(&s.user_regs));
	assert_true(sample_reg(&s.user_regs, 2, &v) && v == 10);
	assert_int_equal(s.user_regs.simd.vectors, 2);
	assert_int_equal(s.user_regs.simd.vector_words, 2);
	assert_int_equal(s.user_regs.simd.predicates, 3);
	assert_int_equal(s.user_regs.simd.predicate_words, 2);
	assert_int_equal(s.user_regs.simd.values.n, 10);
	assert_int_equal(s.stack_size, 0);
	assert_int_equal(s.left_over, 0);
	assert_needs_every_byte(&b, &attr);
	assert_int_equal(sample_encode(&s, &attr, &out), 0);
	assert_int_equal(out.n, b.n);
	assert_memory_equal(out.data, b.data, b.n);
}

static void a_thread_of_the_kernel_has_no_user_registers(void **state)
{
	(void)state;
	static const struct attr attr = {
		.sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
		.sample_regs_user = 7,
	};
	_cleanup_(bytes_done) struct bytes b = SAMPLE(false, "qq", 0UL, 0UL);
	struct sample s = sample_of(&b, false, &attr);
	uint64_t v;

	assert_false(sample_reg(&s.user_regs, 0, &v));
	assert_int_equal(s.stack_size, 0);
	assert_needs_every_byte(&b, &attr);
}

static void a_stack_tells_how_much_of_it_is_real(void **state)
{
	(void)state;
	static const struct attr attr = { .sample_type = PERF_SAMPLE_STACK_USER };
	_cleanup_(bytes_done) struct bytes b = SAMPLE(false, "qqqq", 16UL, 1UL, 2UL, 8UL);
	struct sample s = sample_of(&b, false, &attr);

	assert_int_equal(s.stack_size, 16);
	assert_int_equal(s.stack_dyn_size, 8);
	assert_ptr_equal(s.stack, b.data + 16);
	assert_needs_every_byte(&b, &attr);
}

static void a_stack_with_more_real_bytes_than_bytes_is_refused(void **state)
{
	(void)state;
	static const struct attr attr = { .sample_type = PERF_SAMPLE_STACK_USER };
	_cleanup_(bytes_done) struct bytes b = SAMPLE(false, "qqq", 8UL, 1UL, 9UL);
	_cleanup_(bytes_done) struct bytes huge = SAMPLE(false, "qqq", UINT64_MAX, 1UL, 9UL);

	assert_refused(&b, &attr);
	assert_refused(&huge, &attr);
}

static void a_weight_is_a_word_or_three_parts_of_it(void **state)
{
	(void)state;
	static const struct attr word = { .sample_type = PERF_SAMPLE_WEIGHT };
	static const struct attr parts = { .sample_type = PERF_SAMPLE_WEIGHT_STRUCT };

	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = SAMPLE(swap, "q", 0x0003000200000001UL);
		struct sample s = sample_of(&b, swap, &word);

		assert_int_equal(s.weight, 0x0003000200000001);
		s = sample_of(&b, swap, &parts);
		assert_int_equal(s.weight, 1);
		assert_int_equal(s.ins_latency, 2);
		assert_int_equal(s.p_stage_cyc, 3);
	}
}

static void the_fields_at_the_end_come_in_the_kernels_order(void **state)
{
	(void)state;
	static const struct attr attr = {
		.sample_type = PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |
			       PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_AUX | PERF_SAMPLE_CGROUP |
			       PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE,
	};
	_cleanup_(bytes_done) struct bytes b = SAMPLE(false, "qqqqqqqbb", 1UL, 2UL, 3UL, 4UL, 5UL,
						      6UL, 2UL, 8, 9);
	struct sample s = sample_of(&b, false, &attr);

	assert_int_equal(s.data_src, 1);
	assert_int_equal(s.transaction, 2);
	assert_int_equal(s.phys_addr, 3);
	assert_int_equal(s.cgroup, 4);
	assert_int_equal(s.data_page_size, 5);
	assert_int_equal(s.code_page_size, 6);
	assert_int_equal(s.aux_size, 2);
	assert_int_equal(s.aux[1], 9);
	assert_needs_every_byte(&b, &attr);
}

static void time_and_id_lie_at_the_same_place_in_every_sample(void **state)
{
	(void)state;
	static const struct attr neither = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CPU };
	static const struct attr time = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME };
	static const struct attr both = {
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_ID,
	};
	static const struct attr id = {
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
			       PERF_SAMPLE_ID,
	};

	assert_int_equal(sample_time_offset(&neither), -1);
	assert_int_equal(sample_id_offset(&neither), -1);
	assert_int_equal(sample_time_offset(&time), 16);
	assert_int_equal(sample_time_offset(&both), 32);
	assert_int_equal(sample_id_offset(&both), 8);
	assert_int_equal(sample_id_offset(&id), 32);
}

/* These have a decoder of their own in our byte order, and the general one in the other. */
static void samples_of_tracepoints_have_their_fields_and_bounds(void **state)
{
	(void)state;
	static const struct attr with_identifier = {
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
			       PERF_SAMPLE_RAW
	};
	static const struct attr with_id = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							    PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
							    PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
							    PERF_SAMPLE_RAW };

	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes a = SAMPLE(swap, "qqwwqwwqww", 1UL, 2UL, 3, 4,
							      5UL, 6, 0, 7UL, 4, 8);
		_cleanup_(bytes_done) struct bytes b = SAMPLE(swap, "qwwqqwwqww", 2UL, 3, 4, 5UL,
							      1UL, 6, 0, 7UL, 4, 8);

		for (int i = 0; i < 2; i++) {
			struct sample s = sample_of(i ? &b : &a, swap,
						    i ? &with_id : &with_identifier);

			assert_int_equal(s.misc, PERF_RECORD_MISC_USER);
			assert_int_equal(s.id, 1);
			assert_int_equal(s.ip, 2);
			assert_int_equal(s.pid, 3);
			assert_int_equal(s.tid, 4);
			assert_int_equal(s.time, 5);
			assert_int_equal(s.cpu, 6);
			assert_int_equal(s.period, 7);
			assert_int_equal(s.raw_size, 4);
			assert_ptr_equal(s.raw, (i ? b : a).data + 60);
			assert_int_equal(s.left_over, 0);
		}
		if (!swap) {
			assert_needs_every_byte(&a, &with_identifier);
			assert_needs_every_byte(&b, &with_id);
		}
	}
}

static void a_plain_sample_is_decoded_over_another(void **state)
{
	static const struct attr plain = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_RAW };
	static const struct attr chains = { .sample_type = PERF_SAMPLE_CALLCHAIN };
	static const struct attr not_plain = { .sample_type = PERF_SAMPLE_REGS_USER };
	_cleanup_(bytes_done) struct bytes first = SAMPLE(false, "qww", 1UL, 4, 0x01020304);
	_cleanup_(bytes_done) struct bytes second = SAMPLE(false, "qwww", 2UL, 8, 5, 6);
	struct sample s = sample_of(&first, false, &plain);

	(void)state;
	assert_true(sample_is_plain(&plain));
	assert_true(sample_is_plain(&chains));
	assert_false(sample_is_plain(&not_plain));
	assert_int_equal(sample_decode_again(second.data, second.n, false, &plain, &s), 0);
	assert_int_equal(s.ip, 2);
	assert_int_equal(s.raw_size, 8);
	assert_int_equal(s.cpu, UINT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fixed_fields_come_in_the_kernels_order),
		cmocka_unit_test(what_was_not_asked_for_is_zero),
		cmocka_unit_test(a_record_larger_than_its_bytes_is_refused),
		cmocka_unit_test(an_id_alone_serves_as_identifier),
		cmocka_unit_test(bytes_behind_the_last_field_are_counted),
		cmocka_unit_test(a_call_chain_is_borrowed_not_copied),
		cmocka_unit_test(a_call_chain_longer_than_the_record_is_refused),
		cmocka_unit_test(raw_data_has_32_bits_of_length),
		cmocka_unit_test(counts_are_laid_out_by_the_read_format),
		cmocka_unit_test(branches_are_three_words_each),
		cmocka_unit_test(more_branches_than_there_are_is_refused),
		cmocka_unit_test(the_flags_of_a_branch_are_mirrored_on_the_other_order),
		cmocka_unit_test(registers_are_found_by_their_number),
		cmocka_unit_test(vector_registers_behind_the_others_are_passed_over),
		cmocka_unit_test(a_thread_of_the_kernel_has_no_user_registers),
		cmocka_unit_test(a_stack_tells_how_much_of_it_is_real),
		cmocka_unit_test(a_stack_with_more_real_bytes_than_bytes_is_refused),
		cmocka_unit_test(a_weight_is_a_word_or_three_parts_of_it),
		cmocka_unit_test(the_fields_at_the_end_come_in_the_kernels_order),
		cmocka_unit_test(time_and_id_lie_at_the_same_place_in_every_sample),
		cmocka_unit_test(samples_of_tracepoints_have_their_fields_and_bounds),
		cmocka_unit_test(a_plain_sample_is_decoded_over_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
