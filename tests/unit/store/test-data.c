/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "store/data.h"

static int64_t stack_of(struct fleet_data *d, const char *const *functions, size_t n)
{
	int64_t image = fleet_add_image(d, "abcd", "/bin/x", false), stack = 0;

	for (size_t i = 0; i < n; i++)
		stack = fleet_add_stack(d, stack,
					fleet_add_function(d, image, functions[i], false));
	return stack;
}

static void add_sample(struct fleet_data *d, int64_t minute, const char *host, int64_t stack,
		       int64_t samples)
{
	const struct fleet_source source = { host, "s", "", "c" };

	fleet_add(d, FLEET_SAMPLE,
		  (union fleet_cell[N_SAMPLE_COLUMNS]){
			  [SAMPLE_MINUTE].number = minute,
			  [SAMPLE_SOURCE].number = fleet_add_source(d, &source),
			  [SAMPLE_EVENT].number = fleet_add_event(d, "cycles", false),
			  [SAMPLE_STACK].number = stack,
			  [SAMPLE_SAMPLES].number = samples,
			  [SAMPLE_PERIOD].number = 10 * samples });
}

static void equal_things_have_equal_ids(void **state)
{
	static const char *const names[] = { "main", "f", "g" }, *const others[] = { "main", "g",
										     "f" };
	_cleanup_(fleet_data_freep) struct fleet_data *a = fleet_data_new();
	_cleanup_(fleet_data_freep) struct fleet_data *b = fleet_data_new();

	(void)state;
	assert_int_not_equal(stack_of(b, others, 3), stack_of(b, names, 3));
	assert_int_equal(stack_of(a, names, 3), stack_of(b, names, 3));
	assert_int_equal(a->tables[FLEET_STACK].n, 3);
	assert_int_equal(b->tables[FLEET_STACK].n, 5);
	stack_of(a, names, 3);
	assert_int_equal(a->tables[FLEET_STACK].n, 3);
	assert_int_equal(a->tables[FLEET_FRAME].n, 3);
	assert_int_not_equal(fleet_add_function(a, 1, "f", false),
			     fleet_add_function(a, 1, "f", true));
	assert_int_not_equal(fleet_add_address(a, 1, 16), fleet_add_address(a, 1, 32));
}

static void texts_are_utf8(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	int64_t id = fleet_add_image(d, "", "a\xff\xc3\xa4'\n", false);

	(void)state;
	assert_string_equal(fleet_find(d, FLEET_IMAGE, id)[IMAGE_NAME].text, "a\\xff\xc3\xa4'\n");
}

static void sources_are_part_of_all_hosts(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	const struct fleet_source one = { "h1", "s", "k", "c" }, two = { "h2", "s", "", "c" },
				  all = { "", "s", "", "c" };
	int64_t whole = fleet_add_source(d, &all);

	(void)state;
	assert_int_equal(fleet_find(d, FLEET_SOURCE, whole)[FLEET_SOURCE_ROLLUP].number, 0);
	assert_int_equal(
		fleet_find(d, FLEET_SOURCE, fleet_add_source(d, &one))[FLEET_SOURCE_ROLLUP].number,
		whole);
	assert_int_equal(
		fleet_find(d, FLEET_SOURCE, fleet_add_source(d, &two))[FLEET_SOURCE_ROLLUP].number,
		whole);
}

static void a_minute_is_a_batch(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();

	(void)state;
	add_sample(d, 120, "h", 7, 1);
	add_sample(d, 60, "h", 7, 2);
	add_sample(d, 120, "h", 7, 4);
	add_sample(d, 120, "h", 3, 8);
	fleet_make_batches(d, &(struct fleet_recording){ .host = "h" });
	assert_int_equal(d->tables[FLEET_BATCH].n, 2);
	assert_int_equal(d->tables[FLEET_SAMPLE].n, 3);
	assert_int_equal(fleet_row(d, FLEET_BATCH, 1)[BATCH_MINUTE].number, 120);
	assert_int_equal(fleet_row(d, FLEET_SAMPLE, 2)[SAMPLE_STACK].number, 7);
	assert_int_equal(fleet_row(d, FLEET_SAMPLE, 2)[SAMPLE_SAMPLES].number, 5);
	assert_int_equal(fleet_row(d, FLEET_SAMPLE, 2)[SAMPLE_PERIOD].number, 50);
	assert_int_equal(fleet_row(d, FLEET_SAMPLE, 2)[SAMPLE_BATCH].number,
			 fleet_row(d, FLEET_BATCH, 1)[BATCH_ID].number);
}

static int64_t batch_of(int64_t minute, const char *host, int64_t samples, int64_t base,
			uint64_t origin)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();

	add_sample(d, minute, host, 7, samples);
	fleet_make_batches(
		d, &(struct fleet_recording){ .host = host, .base = base, .origin = origin });
	return fleet_row(d, FLEET_BATCH, 0)[BATCH_ID].number;
}

static void batches_are_known_by_host_recording_and_minute(void **state)
{
	int64_t id = batch_of(60, "h", 1, 0, 3);

	(void)state;
	assert_int_equal(batch_of(60, "h", 1, 0, 3), id);
	/* The same samples are read again, with other names or more of them. */
	assert_int_equal(batch_of(60, "h", 2, 0, 3), id);
	assert_int_not_equal(batch_of(60, "h", 1, 0, 4), id);
	assert_int_not_equal(batch_of(120, "h", 1, 0, 3), id);
	assert_int_not_equal(batch_of(60, "i", 1, 0, 3), id);
	/* A copy of a file has another time. */
	assert_int_equal(batch_of(600, "h", 1, 600, 5), batch_of(60, "h", 1, 60, 5));
	assert_int_not_equal(batch_of(600, "h", 1, 600, 5), batch_of(600, "h", 1, 600, 6));
}

static void a_recording_without_samples_has_no_batch(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();

	(void)state;
	fleet_make_batches(d, &(struct fleet_recording){ .host = "h" });
	assert_int_equal(d->tables[FLEET_BATCH].n, 0);
}

static void what_is_missing_is_listed_once(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	size_t n;
	int64_t *ids;

	(void)state;
	add_sample(d, 0, "h", 7, 1);
	add_sample(d, 0, "h", 7, 1);
	add_sample(d, 0, "h", 0, 1);
	ids = fleet_missing(d, FLEET_STACK, &n);
	assert_int_equal(n, 1);
	assert_int_equal(ids[0], 7);
	free(ids);
	fleet_add(d, FLEET_STACK, (union fleet_cell[N_STACK_COLUMNS]){ { 7 }, { 9 }, { 11 } });
	ids = fleet_missing(d, FLEET_STACK, &n);
	assert_int_equal(n, 1);
	assert_int_equal(ids[0], 9);
	free(ids);
	ids = fleet_missing(d, FLEET_EVENT, &n);
	assert_int_equal(n, 0);
	free(ids);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_things_have_equal_ids),
		cmocka_unit_test(texts_are_utf8),
		cmocka_unit_test(sources_are_part_of_all_hosts),
		cmocka_unit_test(a_minute_is_a_batch),
		cmocka_unit_test(batches_are_known_by_host_recording_and_minute),
		cmocka_unit_test(a_recording_without_samples_has_no_batch),
		cmocka_unit_test(what_is_missing_is_listed_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
