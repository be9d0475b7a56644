/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "bytes-of.h"
#include "wire/record.h"

static void a_kernel_symbol_has_a_place_and_a_name(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_KSYMBOL, 0,
								"qwhhs", 0xffff800000000000UL, 64,
								1, 1, "bpf_prog_x");
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.ksymbol.addr, 0xffff800000000000);
		assert_int_equal(r.ksymbol.len, 64);
		assert_int_equal(r.ksymbol.ksym_type, 1);
		assert_int_equal(r.ksymbol.flags, 1);
		assert_string_equal(r.ksymbol.name, "bpf_prog_x");
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, 8 + 16 + 11, NULL);
	}
}

static void a_bpf_program_has_an_id_and_a_tag(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_BPF_EVENT, 0,
								"hhwbbbbbbbb", 1, 2, 3, 1, 2, 3, 4,
								5, 6, 7, 8);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.bpf_event.type, 1);
		assert_int_equal(r.bpf_event.flags, 2);
		assert_int_equal(r.bpf_event.id, 3);
		assert_int_equal(r.bpf_event.tag[7], 8);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void a_text_poke_has_the_bytes_before_and_after(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_TEXT_POKE, 0,
								"qhhbbbbbbbbbbbb", 9UL, 2, 3, 1, 2,
								3, 4, 5, 0, 0, 0, 0, 0, 0, 0);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.text_poke.addr, 9);
		assert_int_equal(r.text_poke.old_len, 2);
		assert_int_equal(r.text_poke.new_len, 3);
		assert_int_equal(r.text_poke.old_bytes[1], 2);
		assert_int_equal(r.text_poke.new_bytes[2], 5);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, 8 + 12 + 5, NULL);
	}
}

static void a_late_call_chain_has_its_cookie(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(
			swap, PERF_RECORD_CALLCHAIN_DEFERRED, 0, "qqqq", 9UL, 2UL, 3UL, 4UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.callchain_deferred.cookie, 9);
		assert_int_equal(r.callchain_deferred.ips.n, 2);
		assert_int_equal(words_get(&r.callchain_deferred.ips, 1), 4);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void a_late_call_chain_beyond_the_record_is_refused(void **state)
{
	(void)state;
	static const uint64_t counts[] = { 2, 0x2000000000000001, UINT64_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		_cleanup_(bytes_done) struct bytes b = bytes_of(
			false, PERF_RECORD_CALLCHAIN_DEFERRED, 0, "qqq", 1UL, counts[i], 3UL);
		struct record r;

		assert_int_equal(record_decode(b.data, b.n, false, NULL, &r), -EBADMSG);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_symbol_has_a_place_and_a_name),
		cmocka_unit_test(a_bpf_program_has_an_id_and_a_tag),
		cmocka_unit_test(a_text_poke_has_the_bytes_before_and_after),
		cmocka_unit_test(a_late_call_chain_has_its_cookie),
		cmocka_unit_test(a_late_call_chain_beyond_the_record_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
