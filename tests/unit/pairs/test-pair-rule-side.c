/* SPDX-License-Identifier: MIT */
#include "example-tracepoints.h"

#include "pairs/pair-rule.h"

#define SEED 12345

static enum pair_reading read_key(const struct pair_rule *rule, bool skips_zero,
				  const struct example_record *record, uint64_t *keys)
{
	struct tracepoint_format *format = example_format_new();
	struct session_event event = example_event(0, "a", "b", format);
	struct pair_spec spec = { .rules = rule, .n_rules = 1, .skips_zero = skips_zero };
	struct pair_side side = pair_side_bind(&spec, rule, &event, false);
	struct example_sample e;
	enum pair_reading r = pair_side_read(&side, example_sample(&e, &event, 1, 9, record), SEED,
					     keys);

	tracepoint_format_free(format);
	return r;
}

static void fields_come_before_what_the_sample_says(void **state)
{
	uint64_t keys[PAIR_KEYS_MAX];

	(void)state;
	assert_int_equal(read_key(&(struct pair_rule){ .keys = "pid,tid,cpu" }, false,
				  &(struct example_record){ .pid = 77 }, keys),
			 PAIR_READ);
	assert_int_equal(keys[0], 77); /* a field of the record */
	assert_int_equal(keys[1], 9);
	assert_int_equal(keys[2], 3);
	assert_int_equal(keys[3], 0);
}

static void texts_are_keys_too(void **state)
{
	uint64_t a[PAIR_KEYS_MAX], b[PAIR_KEYS_MAX], c[PAIR_KEYS_MAX];
	const struct pair_rule rule = { .keys = "rwbs" };

	(void)state;
	read_key(&rule, false, &(struct example_record){ .rwbs = "R" }, a);
	read_key(&rule, false, &(struct example_record){ .rwbs = "W" }, b);
	read_key(&rule, false, &(struct example_record){ .rwbs = "R" }, c);
	assert_int_equal(a[0], c[0]);
	assert_int_not_equal(a[0], b[0]);
}

static void a_field_that_is_not_there_is_never_read(void **state)
{
	uint64_t keys[PAIR_KEYS_MAX];

	(void)state;
	assert_int_equal(read_key(&(struct pair_rule){ .keys = "nothing" }, false,
				  &(struct example_record){ 0 }, keys),
			 PAIR_UNREADABLE);
}

static void a_condition_leaves_records_out(void **state)
{
	const struct pair_rule rule = {
		.keys = "pid", .when = "prev_state", .mask = 0xff, .value = 1
	};
	uint64_t keys[PAIR_KEYS_MAX];

	(void)state;
	assert_int_equal(
		read_key(&rule, false, &(struct example_record){ .prev_state = 0x101 }, keys),
		PAIR_READ);
	assert_int_equal(read_key(&rule, false, &(struct example_record){ .prev_state = 2 }, keys),
			 PAIR_NOT_MEANT);
}

static void a_first_key_of_zero_can_be_left_out(void **state)
{
	const struct pair_rule rule = { .keys = "pid" };
	uint64_t keys[PAIR_KEYS_MAX];

	(void)state;
	assert_int_equal(read_key(&rule, true, &(struct example_record){ 0 }, keys),
			 PAIR_NOT_MEANT);
	assert_int_equal(read_key(&rule, false, &(struct example_record){ 0 }, keys), PAIR_READ);
}

static void a_flush_has_the_same_key_whatever_its_sector(void **state)
{
	const struct pair_rule rule = { .role = PAIR_END, .keys = "dev,sector" };
	uint64_t a[PAIR_KEYS_MAX], b[PAIR_KEYS_MAX];

	(void)state;
	assert_int_equal(
		read_key(&rule, false, &(struct example_record){ .sector = 5, .rwbs = "FF" }, a),
		PAIR_READ_FLUSH);
	assert_int_equal(read_key(&rule, false, &(struct example_record){ .rwbs = "FF" }, b),
			 PAIR_READ_FLUSH);
	assert_memory_equal(a, b, sizeof(a));
}

static void only_completions_of_no_sectors_are_empty(void **state)
{
	struct pair_rule rule = { .role = PAIR_END, .keys = "dev,sector" };
	const struct example_record record = { .sector = 5, .rwbs = "WS" };
	uint64_t keys[PAIR_KEYS_MAX];

	(void)state;
	assert_int_equal(read_key(&rule, false, &record, keys), PAIR_EMPTY);
	rule.role = PAIR_BEGIN;
	assert_int_equal(read_key(&rule, false, &record, keys), PAIR_READ);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_come_before_what_the_sample_says),
		cmocka_unit_test(texts_are_keys_too),
		cmocka_unit_test(a_field_that_is_not_there_is_never_read),
		cmocka_unit_test(a_condition_leaves_records_out),
		cmocka_unit_test(a_first_key_of_zero_can_be_left_out),
		cmocka_unit_test(a_flush_has_the_same_key_whatever_its_sector),
		cmocka_unit_test(only_completions_of_no_sectors_are_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
