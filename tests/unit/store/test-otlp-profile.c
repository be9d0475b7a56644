/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/protobuf.h"
#include "profile/message-fields.h"
#include "store/data.h"
#include "store/otlp-profile.h"

/* The fields of opentelemetry-proto 1.10.0, under their original names. */
enum {
	Request_resource_profiles = 1,
	Request_dictionary = 2,
	ResourceProfiles_resource = 1,
	ResourceProfiles_scope_profiles = 2,
	Resource_attributes = 1,
	KeyValue_key = 1,
	KeyValue_value = 2,
	AnyValue_string_value = 1,
	ScopeProfiles_profiles = 2,
	Profile_sample_type = 1,
	Profile_samples = 2,
	Profile_time_unix_nano = 3,
	Profile_duration_nano = 4,
	Profile_profile_id = 7,
	ValueType_type_strindex = 1,
	Sample_stack_index = 1,
	Sample_values = 4,
	Dictionary_mapping_table = 1,
	Dictionary_location_table = 2,
	Dictionary_function_table = 3,
	Dictionary_link_table = 4,
	Dictionary_string_table = 5,
	Dictionary_attribute_table = 6,
	Dictionary_stack_table = 7,
	Stack_location_indices = 1,
};

#define MINUTE 1780000020

static void add_row(struct fleet_data *d, const char *host, int64_t stack, int64_t samples)
{
	const struct fleet_source source = { host, "web\xff", "", "comm" };

	fleet_add(d, FLEET_SAMPLE,
		  (union fleet_cell[N_SAMPLE_COLUMNS]){
			  [SAMPLE_MINUTE].number = MINUTE,
			  [SAMPLE_SOURCE].number = fleet_add_source(d, &source),
			  [SAMPLE_EVENT].number = fleet_add_event(d, "cycles", false),
			  [SAMPLE_STACK].number = stack,
			  [SAMPLE_SAMPLES].number = samples,
			  [SAMPLE_PERIOD].number = 10 * samples });
}

static struct message written(struct protobuf *p, const struct fleet_data *d)
{
	fleet_otlp_write(p, d);
	return (struct message){ .bytes = (const uint8_t *)p->out.data, .n = p->out.n };
}

static void a_host_is_a_resource_with_profiles_of_a_minute(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	_cleanup_(protobuf_done) struct protobuf p = { 0 };
	int64_t image = fleet_add_image(d, "abcd", "/bin/x", false), stack;
	struct message top, resource, attribute, profile, tables, sample;
	uint64_t value, places[2];

	(void)state;
	stack = fleet_add_stack(d, 0, fleet_add_function(d, image, "main", false));
	stack = fleet_add_stack(d, stack, fleet_add_address(d, image, 0x20));
	add_row(d, "h'1", stack, 3);
	fleet_make_batches(d, &(struct fleet_recording){ .host = "h'1" });
	top = written(&p, d);
	tables = the_field(top, Request_dictionary);
	resource = the_field(top, Request_resource_profiles);
	attribute = nth_field(the_field(resource, ResourceProfiles_resource), Resource_attributes,
			      0);
	assert_text(the_field(attribute, KeyValue_key), "host.name");
	assert_text(the_field(the_field(attribute, KeyValue_value), AnyValue_string_value), "h'1");
	attribute = nth_field(the_field(resource, ResourceProfiles_resource), Resource_attributes,
			      1);
	assert_text(the_field(the_field(attribute, KeyValue_value), AnyValue_string_value),
		    "web\\xff");
	resource = the_field(resource, ResourceProfiles_scope_profiles);
	assert_int_equal(count_fields(resource, ScopeProfiles_profiles), 2);
	profile = nth_field(resource, ScopeProfiles_profiles, 0);
	assert_int_equal(number_of(profile, Profile_time_unix_nano), MINUTE * UINT64_C(1000000000));
	assert_int_equal(number_of(profile, Profile_duration_nano), UINT64_C(60000000000));
	assert_int_equal(the_field(profile, Profile_profile_id).n, 16);
	assert_text(nth_field(tables, Dictionary_string_table,
			      number_of(the_field(profile, Profile_sample_type),
					ValueType_type_strindex)),
		    "cycles");
	sample = the_field(profile, Profile_samples);
	take_packed(the_field(sample, Sample_values), &value, 1);
	assert_int_equal(value, 30);
	/* Innermost first, behind the empty entry 0. */
	take_packed(the_field(nth_field(tables, Dictionary_stack_table,
					number_of(sample, Sample_stack_index)),
			      Stack_location_indices),
		    places, 2);
	assert_int_equal(places[0], 2);
	assert_int_equal(places[1], 1);
	assert_int_equal(nth_field(tables, Dictionary_location_table, 0).n, 0);
	sample = the_field(nth_field(resource, ScopeProfiles_profiles, 1), Profile_samples);
	take_packed(the_field(sample, Sample_values), &value, 1);
	assert_int_equal(value, 3);
}

static void hosts_are_resources_of_their_own(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	_cleanup_(protobuf_done) struct protobuf p = { 0 };
	struct message top;

	(void)state;
	add_row(d, "h1", 0, 1);
	add_row(d, "h2", 0, 2);
	fleet_make_batches(d, &(struct fleet_recording){ .host = "h1" });
	top = written(&p, d);
	assert_int_equal(count_fields(top, Request_resource_profiles), 2);
}

static void entries_are_there_once_and_behind_an_empty_one(void **state)
{
	static const unsigned tables[] = { Dictionary_mapping_table,  Dictionary_location_table,
					   Dictionary_function_table, Dictionary_link_table,
					   Dictionary_string_table,   Dictionary_attribute_table,
					   Dictionary_stack_table };
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	_cleanup_(protobuf_done) struct protobuf p = { 0 };
	int64_t a = fleet_add_image(d, "abcd", "/bin/x", false);
	int64_t b = fleet_add_image(d, "", "/bin/y", false), stack;
	struct message dictionary;

	(void)state;
	stack = fleet_add_stack(d, 0, fleet_add_function(d, a, "main", false));
	stack = fleet_add_stack(d, stack, fleet_add_function(d, b, "main", false));
	stack = fleet_add_stack(d, stack, fleet_add_address(d, b, 0x20));
	add_row(d, "h1", stack, 1);
	add_row(d, "h2", stack, 2);
	fleet_make_batches(d, &(struct fleet_recording){ .host = "h1" });
	dictionary = the_field(written(&p, d), Request_dictionary);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		assert_int_equal(nth_field(dictionary, tables[i], 0).n, 0);
	assert_int_equal(count_fields(dictionary, Dictionary_mapping_table), 3);
	assert_int_equal(count_fields(dictionary, Dictionary_location_table), 4);
	assert_int_equal(count_fields(dictionary, Dictionary_function_table), 2);
	assert_int_equal(count_fields(dictionary, Dictionary_link_table), 1);
	/* A build-id, and the name of a thread. */
	assert_int_equal(count_fields(dictionary, Dictionary_attribute_table), 3);
	assert_int_equal(count_fields(dictionary, Dictionary_stack_table), 2);
}

static void nothing_is_an_empty_dictionary(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	_cleanup_(protobuf_done) struct protobuf p = { 0 };
	struct message top;

	(void)state;
	top = written(&p, d);
	assert_int_equal(count_fields(top, Request_resource_profiles), 0);
	assert_int_equal(count_fields(the_field(top, Request_dictionary), Dictionary_stack_table),
			 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_is_a_resource_with_profiles_of_a_minute),
		cmocka_unit_test(hosts_are_resources_of_their_own),
		cmocka_unit_test(entries_are_there_once_and_behind_an_empty_one),
		cmocka_unit_test(nothing_is_an_empty_dictionary),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
