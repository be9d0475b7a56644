/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/otlp.h"
#include "base/protobuf.h"
#include "profile/message-fields.h"

/* The fields of opentelemetry-proto 1.10.0, under their original names. */
enum {
	ProfilesData_dictionary = 2,
	ProfilesDictionary_function_table = 3,
	ProfilesDictionary_string_table = 5,
	ProfilesDictionary_attribute_table = 6,
	ProfilesDictionary_stack_table = 7,
	Stack_location_indices = 1,
	KeyValueAndUnit_value = 2,
	AnyValue_string_value = 1,
	AnyValue_int_value = 3,
};

static void two_locations(void *arg, uint64_t key, struct otlp_list *ret)
{
	(void)arg;
	*ARRAY_ADD(ret) = key;
	*ARRAY_ADD(ret) = 1;
}

static struct message the_dictionary(struct otlp *o, struct protobuf *p)
{
	otlp_begin_dictionary(o);
	otlp_begin_location(o, 0, 0x10);
	otlp_add_line(o, "f", NULL, 0);
	otlp_add_line(o, "f", "f.c", 3);
	otlp_end_location(o);
	otlp_begin_location(o, 0, 0x20);
	otlp_add_line(o, "f", NULL, 0);
	otlp_end_location(o);
	otlp_end_dictionary(o, two_locations, NULL);
	return the_field((struct message){ .bytes = (const uint8_t *)p->out.data, .n = p->out.n },
			 ProfilesData_dictionary);
}

static void a_function_is_there_once_for_each_file(void **state)
{
	_cleanup_(protobuf_done) struct protobuf p = { 0 };
	_cleanup_(otlp_done) struct otlp o;

	(void)state;
	otlp_init(&o, &p);
	assert_int_equal(count_fields(the_dictionary(&o, &p), ProfilesDictionary_function_table),
			 3);
}

static void a_stack_has_one_index_and_0_stands_for_none(void **state)
{
	_cleanup_(protobuf_done) struct protobuf p = { 0 };
	_cleanup_(otlp_done) struct otlp o;
	struct message tables;
	uint64_t places[2];

	(void)state;
	otlp_init(&o, &p);
	assert_int_equal(otlp_stack(&o, 0), 0);
	assert_int_equal(otlp_stack(&o, 7), 1);
	assert_int_equal(otlp_stack(&o, 9), 2);
	assert_int_equal(otlp_stack(&o, 7), 1);
	tables = the_dictionary(&o, &p);
	assert_int_equal(count_fields(tables, ProfilesDictionary_stack_table), 3);
	take_packed(the_field(nth_field(tables, ProfilesDictionary_stack_table, 2),
			      Stack_location_indices),
		    places, 2);
	assert_int_equal(places[0], 9);
}

static void an_attribute_is_a_text_or_a_number(void **state)
{
	_cleanup_(protobuf_done) struct protobuf p = { 0 };
	_cleanup_(otlp_done) struct otlp o;
	struct message tables, value;

	(void)state;
	otlp_init(&o, &p);
	assert_int_equal(otlp_attribute(&o, "k", "", 0), 1);
	assert_int_equal(otlp_attribute(&o, "k", NULL, 0), 2);
	assert_int_equal(otlp_attribute(&o, "k", "", 0), 1);
	tables = the_dictionary(&o, &p);
	value = the_field(nth_field(tables, ProfilesDictionary_attribute_table, 1),
			  KeyValueAndUnit_value);
	assert_text(the_field(value, AnyValue_string_value), "");
	value = the_field(nth_field(tables, ProfilesDictionary_attribute_table, 2),
			  KeyValueAndUnit_value);
	assert_int_equal(the_field(value, AnyValue_int_value).number, 0);
}

static void keys_of_attributes_come_first_or_last(void **state)
{
	(void)state;
	for (int first = 0; first < 2; first++) {
		_cleanup_(protobuf_done) struct protobuf p = { 0 };
		_cleanup_(otlp_done) struct otlp o;
		struct message tables;

		otlp_init(&o, &p);
		o.keys_first = first;
		otlp_attribute(&o, "k", "v", 0);
		tables = the_dictionary(&o, &p);
		assert_int_equal(count_fields(tables, ProfilesDictionary_string_table), 4);
		assert_text(nth_field(tables, ProfilesDictionary_string_table, first ? 1 : 3), "k");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_is_there_once_for_each_file),
		cmocka_unit_test(a_stack_has_one_index_and_0_stands_for_none),
		cmocka_unit_test(an_attribute_is_a_text_or_a_number),
		cmocka_unit_test(keys_of_attributes_come_first_or_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
