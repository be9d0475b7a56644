/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "profile/folded-recording.h"
#include "profile/message-fields.h"
#include "tools/data/otlp.h"

/* The fields of opentelemetry-proto 1.10.0, under their original names. */
enum {
	ProfilesData_resource_profiles = 1,
	ProfilesData_dictionary = 2,
	ResourceProfiles_scope_profiles = 2,
	ScopeProfiles_profiles = 2,
	Profile_sample_type = 1,
	Profile_samples = 2,
	ValueType_type_strindex = 1,
	ValueType_unit_strindex = 2,
	Sample_stack_index = 1,
	Sample_attribute_indices = 2,
	Sample_values = 4,
	ProfilesDictionary_mapping_table = 1,
	ProfilesDictionary_location_table = 2,
	ProfilesDictionary_function_table = 3,
	ProfilesDictionary_link_table = 4,
	ProfilesDictionary_string_table = 5,
	ProfilesDictionary_attribute_table = 6,
	ProfilesDictionary_stack_table = 7,
	Stack_location_indices = 1,
	Location_lines = 3,
	Line_function_index = 1,
	Function_name_strindex = 1,
	KeyValueAndUnit_key_strindex = 1,
	KeyValueAndUnit_value = 2,
	AnyValue_string_value = 1,
};

struct example {
	char *bytes;
	struct message top, tables, scope;
};

static void example_init(struct example *e, unsigned labels, const char *lines, size_t n)
{
	size_t size;

	e->bytes = export_folded(&export_otlp, labels, lines, n, &size);
	e->top = (struct message){ .bytes = (const uint8_t *)e->bytes, .n = size };
	e->tables = the_field(e->top, ProfilesData_dictionary);
	e->scope = the_field(the_field(e->top, ProfilesData_resource_profiles),
			     ResourceProfiles_scope_profiles);
}

static void example_done(struct example *e)
{
	free(e->bytes);
}

static struct message string_at(const struct example *e, uint64_t i)
{
	return nth_field(e->tables, ProfilesDictionary_string_table, i);
}

/* Returns the function at place @i of the @n of @sample, innermost first. */
static struct message name_at(const struct example *e, struct message sample, size_t n, size_t i)
{
	uint64_t places[8];
	struct message stack = nth_field(e->tables, ProfilesDictionary_stack_table,
					 number_of(sample, Sample_stack_index));
	struct message location, line, function;

	take_packed(the_field(stack, Stack_location_indices), places, n);
	location = nth_field(e->tables, ProfilesDictionary_location_table, places[i]);
	line = the_field(location, Location_lines);
	function = nth_field(e->tables, ProfilesDictionary_function_table,
			     number_of(line, Line_function_index));
	return string_at(e, number_of(function, Function_name_strindex));
}

static uint64_t value_of(struct message sample)
{
	uint64_t value;

	take_packed(the_field(sample, Sample_values), &value, 1);
	return value;
}

static void every_table_begins_with_an_empty_entry(void **state)
{
	static const char lines[] = "prog;main;f 3\n";
	_cleanup_(example_done) struct example e;

	(void)state;
	example_init(&e, 0, lines, sizeof(lines) - 1);
	for (unsigned t = ProfilesDictionary_mapping_table; t <= ProfilesDictionary_stack_table;
	     t++)
		assert_int_equal(nth_field(e.tables, t, 0).n, 0);
}

static void an_event_is_a_profile_of_periods_and_one_of_samples(void **state)
{
	static const char lines[] = "prog;main;f 3\nprog;main;f 2\n";
	_cleanup_(example_done) struct example e;
	struct message p, sample;

	(void)state;
	example_init(&e, 0, lines, sizeof(lines) - 1);
	assert_int_equal(count_fields(e.scope, ScopeProfiles_profiles), 2);
	for (size_t i = 0; i < 2; i++) {
		p = nth_field(e.scope, ScopeProfiles_profiles, i);
		sample = the_field(p, Profile_samples);
		assert_int_equal(value_of(sample), 5);
		assert_text(name_at(&e, sample, 2, 0), "f");
		assert_text(name_at(&e, sample, 2, 1), "main");
		p = the_field(p, Profile_sample_type);
		assert_text(string_at(&e, number_of(p, ValueType_unit_strindex)), "count");
	}
	assert_text(string_at(&e, number_of(p, ValueType_type_strindex)), "samples");
}

static void labels_are_attributes(void **state)
{
	static const char lines[] = "one;f 3\nt'\"\\wo\xff;f 4\n";
	_cleanup_(example_done) struct example e;
	struct message p;

	(void)state;
	example_init(&e, 1 << EXPORT_LABEL_COMM, lines, sizeof(lines) - 1);
	p = nth_field(e.scope, ScopeProfiles_profiles, 0);
	assert_int_equal(count_fields(p, Profile_samples), 2);
	for (size_t i = 0; i < 2; i++) {
		struct message sample = nth_field(p, Profile_samples, i), attribute;
		uint64_t place;

		take_packed(the_field(sample, Sample_attribute_indices), &place, 1);
		attribute = nth_field(e.tables, ProfilesDictionary_attribute_table, place);
		assert_text(string_at(&e, number_of(attribute, KeyValueAndUnit_key_strindex)),
			    "thread.name");
		assert_text(the_field(the_field(attribute, KeyValueAndUnit_value),
				      AnyValue_string_value),
			    value_of(sample) == 3 ? "one" : "t'\"\\wo\\xff");
	}
}

static void names_may_be_long_and_hostile(void **state)
{
	_cleanup_(example_done) struct example e;
	static char lines[65536 + 32] = "x;y 1\nprog;a\"\\\x01\xff";
	size_t n = strlen(lines);
	struct message profile, sample, name;

	(void)state;
	memset(lines + n, 'n', 65536);
	memcpy(lines + n + 65536, " 7\n", 3);
	example_init(&e, 0, lines, n + 65536 + 3);
	profile = nth_field(e.scope, ScopeProfiles_profiles, 0);
	sample = nth_field(profile, Profile_samples, 0);
	if (value_of(sample) != 7)
		sample = nth_field(profile, Profile_samples, 1);
	name = name_at(&e, sample, 1, 0);
	assert_int_equal(name.n, 65536 + 4 + 4);
	assert_memory_equal(name.bytes, "a\"\\\x01\\xffnn", 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_table_begins_with_an_empty_entry),
		cmocka_unit_test(an_event_is_a_profile_of_periods_and_one_of_samples),
		cmocka_unit_test(labels_are_attributes),
		cmocka_unit_test(names_may_be_long_and_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
