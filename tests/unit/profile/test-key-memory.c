/* SPDX-License-Identifier: MIT */
#include "example-keys.h"

static const struct symbol f = { .start = 0x100, .end = 0x110, .name = "f" };
static const struct symbol table = { .start = 0x2010, .end = 0x3000, .name = "table" };

/* A load that hit the L1 cache and the second-level TLB, without a lock. */
#define L1_HIT (2ULL | 0xaULL << 5 | 2ULL << 19 | 0x12ULL << 26)

static void assert_cell(struct example_keys *m, const char *name, uint64_t data_src,
			const char *expected)
{
	struct sample sample = { .data_src = data_src,
				 .phys_addr = 0x1000,
				 .data_page_size = 4096 };
	struct key_sample s = { .sample = &sample };
	const struct key *k = example_key(m, REPORT_MEMORY, name);

	assert_string_equal(example_text(m, k, example_value(m, k, &s), 1), expected);
}

static void each_part_of_the_source_is_a_key(void **state)
{
	struct example_keys m;

	(void)state;
	example_keys_init(&m, false);
	assert_cell(&m, "mem", L1_HIT, "L1 hit");
	assert_cell(&m, "snoop", L1_HIT, "None");
	assert_cell(&m, "tlb", L1_HIT, "L2 hit");
	assert_cell(&m, "locked", L1_HIT, "No");
	assert_cell(&m, "locked", 2ULL << 24, "Yes");
	assert_cell(&m, "blocked", L1_HIT, "N/A");
	assert_cell(&m, "blocked", 6ULL << 40, "Data Addr");
	assert_cell(&m, "phys_daddr", 0, "0x1000");
	assert_cell(&m, "data_page_size", 0, "4K");
	example_keys_done(&m);
}

static void every_address_of_data_is_a_row(void **state)
{
	struct example_keys m;
	const struct key *k;
	struct map code, data;
	struct key_sample s, t, u;

	(void)state;
	example_keys_init(&m, true);
	code = data = example_map(&m, "/x/prog", 0x10000);
	data.prot = 3;
	s = (struct key_sample){ .data = example_frame(&m, &data, &table, 0x2010) };
	t = (struct key_sample){ .data = example_frame(&m, &data, &table, 0x2048) };
	u = (struct key_sample){ .data = example_frame(&m, &code, &f, 0x104) };
	k = example_key(&m, REPORT_MEMORY, "symbol_daddr");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &s), 1), "table:user:0");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &t), 1), "table:user:56");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &u), 1), "f:user");
	assert_above(&m, k, example_value(&m, k, &u), example_value(&m, k, &s));
	assert_above(&m, k, example_value(&m, k, &s), example_value(&m, k, &t));
	example_keys_done(&m);
}

static void what_shares_a_line_is_one_row(void **state)
{
	struct sample in[] = { { .addr = 0x12044 }, { .addr = 0x12078 }, { .addr = 0x12080 } };
	uint64_t values[ARRAY_SIZE(in)];
	struct example_keys m;
	const struct key *k;
	struct map data;

	(void)state;
	example_keys_init(&m, true);
	data = example_map(&m, "/x/prog", 0x10000);
	data.prot = 3;
	k = example_key(&m, REPORT_MEMORY, "dcacheline");
	for (size_t i = 0; i < ARRAY_SIZE(in); i++) {
		struct key_sample s = {
			.sample = &in[i],
			.data = example_frame(&m, &data, &table, in[i].addr - data.start),
		};

		values[i] = example_value(&m, k, &s);
	}
	assert_int_equal(values[0], values[1]);
	assert_above(&m, k, values[1], values[2]);
	assert_string_equal(example_text(&m, k, values[0], 1), "table:user:48");
	example_keys_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_part_of_the_source_is_a_key),
		cmocka_unit_test(every_address_of_data_is_a_row),
		cmocka_unit_test(what_shares_a_line_is_one_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
