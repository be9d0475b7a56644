/* SPDX-License-Identifier: MIT */
#include "example-keys.h"

/* Checks the text of the key called @name for @sample, in a row of two samples. */
static void assert_cell(struct example_keys *m, const char *name, const struct sample *sample,
			const char *expected)
{
	struct key_sample s = { .sample = sample, .time = sample->time };
	const struct key *k = example_key(m, REPORT_NORMAL, name);

	assert_string_equal(example_text(m, k, example_value(m, k, &s), 2), expected);
}

static void a_cpu_that_is_not_known_is_minus_one(void **state)
{
	struct example_keys m;

	(void)state;
	example_keys_init(&m, false);
	assert_cell(&m, "cpu", &(struct sample){ .cpu = 7 }, "7");
	assert_cell(&m, "cpu", &(struct sample){ .cpu = 12345 }, "12345");
	assert_cell(&m, "cpu", &(struct sample){ .cpu = UINT32_MAX }, "-1");
	example_keys_done(&m);
}

static void sockets_are_not_known_without_a_topology(void **state)
{
	struct example_keys m;

	(void)state;
	example_keys_init(&m, false);
	assert_cell(&m, "socket", &(struct sample){ .cpu = 0 }, "-1");
	example_keys_done(&m);
}

static void simd_is_the_predicate_and_the_extension(void **state)
{
	struct example_keys m;

	(void)state;
	example_keys_init(&m, false);
	assert_cell(&m, "simd", &(struct sample){ .simd = SIMD_SVE | SIMD_FULL }, "[f] SVE");
	assert_cell(&m, "simd", &(struct sample){ .simd = SIMD_SVE | SIMD_UNPREDICATED },
		    "[d] SVE");
	assert_cell(&m, "simd", &(struct sample){ .simd = SIMD_SME | SIMD_EMPTY }, "[e] SME");
	assert_cell(&m, "simd", &(struct sample){ .simd = SIMD_ASE | SIMD_PARTIAL }, "[p] ASE");
	assert_cell(&m, "simd", &(struct sample){ .simd = SIMD_ASE }, "[.] ASE");
	example_keys_done(&m);
}

static void times_are_cut_down_to_the_quantum(void **state)
{
	struct sample s = { .time = 123456789012 };
	struct example_keys m;

	(void)state;
	example_keys_init(&m, false);
	m.env.time_quantum_ns = 100000000;
	assert_cell(&m, "time", &s, "123.400000000");
	m.env.time_quantum_ns = 1;
	assert_cell(&m, "time", &s, "123.456789012");
	example_keys_done(&m);
}

static void weights_are_of_one_sample_or_of_the_row(void **state)
{
	struct sample s = { .weight = 21, .ins_latency = 3 };
	struct example_keys m;
	const struct key *k;

	(void)state;
	example_keys_init(&m, false);
	assert_cell(&m, "local_weight", &s, "21");
	assert_cell(&m, "weight", &s, "42");
	assert_cell(&m, "local_ins_lat", &s, "3");
	assert_cell(&m, "ins_lat", &s, "6");
	k = &m.keys.items[0];
	assert_above(&m, k, 9, 8);
	example_keys_done(&m);
}

static void pages_have_units(void **state)
{
	struct example_keys m;

	(void)state;
	example_keys_init(&m, false);
	assert_cell(&m, "code_page_size", &(struct sample){ .code_page_size = 65536 }, "64K");
	assert_cell(&m, "code_page_size", &(struct sample){ 0 }, "");
	example_keys_done(&m);
}

static void transactions_tell_why_they_ended(void **state)
{
	struct example_keys m;

	(void)state;
	example_keys_init(&m, false);
	assert_cell(&m, "transaction", &(struct sample){ 0 }, "");
	assert_cell(&m, "transaction", &(struct sample){ .transaction = 1 }, "EL NEITHER");
	assert_cell(&m, "transaction", &(struct sample){ .transaction = 0x45 },
		    "EL SYNC CAP-WRITE");
	assert_cell(&m, "transaction", &(struct sample){ .transaction = 2 | 5ULL << 32 },
		    "TX NEITHER:5");
	example_keys_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cpu_that_is_not_known_is_minus_one),
		cmocka_unit_test(sockets_are_not_known_without_a_topology),
		cmocka_unit_test(simd_is_the_predicate_and_the_extension),
		cmocka_unit_test(times_are_cut_down_to_the_quantum),
		cmocka_unit_test(weights_are_of_one_sample_or_of_the_row),
		cmocka_unit_test(pages_have_units),
		cmocka_unit_test(transactions_tell_why_they_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
