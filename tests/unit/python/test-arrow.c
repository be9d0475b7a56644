/* SPDX-License-Identifier: MIT */
#include "profile/example-table.h"

#include "python/arrow.h"

static struct sample_table *table_of_two(struct example_profile *p)
{
	example_profile_init(p);
	EXAMPLE_STACK(p, 10, 100, 5, 0x1100, 0x5200);
	EXAMPLE_STACK(p, 20, 200, 7, 0x1200);
	return EXAMPLE_TABLE(p, NULL, false, "time", "comm", "callchain", "callchain_symbol");
}

static void a_schema_names_the_columns(void **state)
{
	struct example_profile p;
	struct sample_table *t = table_of_two(&p);
	struct arrow_schema s;

	(void)state;
	arrow_export_table_schema(t, &s);
	assert_string_equal(s.format, "+s");
	assert_int_equal(s.n_children, 4);
	assert_string_equal(s.children[0]->name, "time");
	assert_string_equal(s.children[0]->format, "L");
	assert_string_equal(s.children[1]->format, "i");
	assert_string_equal(s.children[1]->dictionary->format, "u");
	assert_string_equal(s.children[2]->format, "+L");
	assert_string_equal(s.children[2]->children[0]->format, "L");
	assert_string_equal(s.children[3]->children[0]->dictionary->format, "u");
	s.release(&s);
	assert_null(s.release);
	sample_table_unref(t);
	example_profile_done(&p);
}

static void arrays_outlive_the_table(void **state)
{
	struct example_profile p;
	struct sample_table *t = table_of_two(&p);
	struct arrow_array a, time;

	(void)state;
	arrow_export_table(t, &a);
	sample_table_unref(t);
	example_profile_done(&p);
	assert_int_equal(a.length, 2);
	assert_int_equal(((const uint64_t *)a.children[0]->buffers[1])[1], 200);
	assert_int_equal(a.children[1]->dictionary->length, 2);
	assert_int_equal(((const int64_t *)a.children[2]->buffers[1])[1], 2);
	assert_int_equal(a.children[2]->children[0]->length, 3);
	assert_int_equal(a.children[3]->children[0]->null_count, 3);

	/* A child may be moved out, and then outlives its parent. */
	time = *a.children[0];
	a.children[0]->release = NULL;
	a.release(&a);
	assert_int_equal(((const uint64_t *)time.buffers[1])[0], 100);
	time.release(&time);
}

static void a_stream_has_one_batch(void **state)
{
	struct example_profile p;
	struct sample_table *t = table_of_two(&p);
	struct arrow_stream s;
	struct arrow_schema schema;
	struct arrow_array a;

	(void)state;
	arrow_export_stream(t, &s);
	sample_table_unref(t);
	assert_int_equal(s.get_schema(&s, &schema), 0);
	assert_int_equal(s.get_next(&s, &a), 0);
	assert_int_equal(a.n_children, 4);
	a.release(&a);
	assert_int_equal(s.get_next(&s, &a), 0);
	assert_null(a.release);
	assert_null(s.get_last_error(&s));
	s.release(&s);
	schema.release(&schema);
	example_profile_done(&p);
}

static void a_column_can_be_exported_alone(void **state)
{
	struct example_profile p;
	struct sample_table *t = table_of_two(&p);
	struct arrow_schema schema;
	struct arrow_array a;

	(void)state;
	arrow_export_column_schema(t, &t->columns[1], &schema);
	arrow_export_column(t, &t->columns[1], &a);
	assert_string_equal(schema.name, "comm");
	assert_int_equal(a.length, 2);
	assert_int_equal(((const int32_t *)a.buffers[1])[1], 1);
	a.release(&a);
	schema.release(&schema);
	sample_table_unref(t);
	example_profile_done(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_schema_names_the_columns),
		cmocka_unit_test(arrays_outlive_the_table),
		cmocka_unit_test(a_stream_has_one_batch),
		cmocka_unit_test(a_column_can_be_exported_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
