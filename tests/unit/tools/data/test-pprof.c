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
#include "elf/compressed.h"
#include "profile/folded-recording.h"
#include "profile/message-fields.h"
#include "tools/data/pprof.h"

/* The fields of profile.proto, under their original names. */
enum {
	Profile_sample_type = 1,
	Profile_sample = 2,
	Profile_mapping = 3,
	Profile_location = 4,
	Profile_function = 5,
	Profile_string_table = 6,
	Profile_default_sample_type = 14,
	ValueType_type = 1,
	ValueType_unit = 2,
	Sample_location_id = 1,
	Sample_value = 2,
	Sample_label = 3,
	Label_key = 1,
	Label_str = 2,
	Label_num = 3,
	Location_id = 1,
	Location_mapping_id = 2,
	Location_line = 4,
	Line_function_id = 1,
	Function_id = 1,
	Function_name = 2,
};

/* A profile, unpacked. */
struct example {
	char *bytes;
	struct message top;
};

static void example_init(struct example *e, unsigned labels, const char *lines, size_t n)
{
	size_t size;
	char *packed = export_folded(&export_pprof, labels, lines, n, &size);

	*e = (struct example){ .bytes = packed };
	if (compressed_is_gzip(packed, size)) {
		assert_int_equal(compressed_unpack(packed, size, SIZE_MAX, &e->bytes, &size), 0);
		free(packed);
	}
	e->top = (struct message){ .bytes = (const uint8_t *)e->bytes, .n = size };
}

static void example_done(struct example *e)
{
	free(e->bytes);
}

static struct message string_at(const struct example *e, uint64_t i)
{
	return nth_field(e->top, Profile_string_table, i);
}

/* Returns the function at place @i of @sample, innermost first. */
static struct message name_at(const struct example *e, struct message sample, size_t n, size_t i)
{
	uint64_t ids[8];
	struct message location, line, function;

	take_packed(the_field(sample, Sample_location_id), ids, n);
	location = nth_field(e->top, Profile_location, ids[i] - 1);
	assert_int_equal(number_of(location, Location_id), ids[i]);
	line = the_field(location, Location_line);
	function = nth_field(e->top, Profile_function, number_of(line, Line_function_id) - 1);
	assert_int_equal(number_of(function, Function_id), number_of(line, Line_function_id));
	return string_at(e, number_of(function, Function_name));
}

/* Returns the sample that represents @n samples. */
static struct message sample_of(const struct example *e, uint64_t n)
{
	struct message sample;
	uint64_t values[2];
	size_t i = 0;

	do {
		sample = nth_field(e->top, Profile_sample, i++);
		take_packed(the_field(sample, Sample_value), values, 2);
	} while (values[0] != n);
	return sample;
}

static void types_are_samples_and_periods(void **state)
{
	static const char lines[] = "prog;main;f 3\n";
	_cleanup_(example_done) struct example e;
	struct message type;

	(void)state;
	example_init(&e, 0, lines, sizeof(lines) - 1);
	assert_int_equal(string_at(&e, 0).n, 0);
	assert_int_equal(count_fields(e.top, Profile_sample_type), 2);
	type = nth_field(e.top, Profile_sample_type, 0);
	assert_text(string_at(&e, number_of(type, ValueType_type)), "samples");
	assert_text(string_at(&e, number_of(type, ValueType_unit)), "count");
	type = nth_field(e.top, Profile_sample_type, 1);
	assert_int_equal(number_of(type, ValueType_type),
			 number_of(e.top, Profile_default_sample_type));
}

static void a_stack_has_its_values_and_names_innermost_first(void **state)
{
	static const char lines[] = "prog;main;f 3\nprog;main 4\nprog;main;f 2\n";
	_cleanup_(example_done) struct example e;

	(void)state;
	example_init(&e, 0, lines, sizeof(lines) - 1);
	assert_int_equal(count_fields(e.top, Profile_sample), 2);
	assert_text(name_at(&e, sample_of(&e, 4), 1, 0), "main");
	assert_text(name_at(&e, sample_of(&e, 5), 2, 0), "f");
	assert_text(name_at(&e, sample_of(&e, 5), 2, 1), "main");
}

static void labels_tell_samples_apart(void **state)
{
	static const char lines[] = "one;f 3\nt'\"\\wo\xff;f 4\n";
	_cleanup_(example_done) struct example e;

	(void)state;
	example_init(&e, 1 << EXPORT_LABEL_COMM | 1 << EXPORT_LABEL_PID, lines, sizeof(lines) - 1);
	assert_int_equal(count_fields(e.top, Profile_sample), 2);
	for (size_t i = 0; i < 2; i++) {
		struct message sample = nth_field(e.top, Profile_sample, i);
		struct message label = nth_field(sample, Sample_label, 0);
		uint64_t values[2];

		take_packed(the_field(sample, Sample_value), values, 2);
		assert_text(string_at(&e, number_of(label, Label_key)), "comm");
		assert_text(string_at(&e, number_of(label, Label_str)),
			    values[0] == 3 ? "one" : "t'\"\\wo\\xff");
		label = nth_field(sample, Sample_label, 1);
		assert_text(string_at(&e, number_of(label, Label_key)), "pid");
		assert_int_equal(count_fields(label, Label_num), 1);
	}
}

static void names_may_be_long_and_hostile(void **state)
{
	_cleanup_(example_done) struct example e;
	static char lines[65536 + 32] = "x;y 1\nprog;a\"\\\x01\xff";
	size_t n = strlen(lines);
	struct message name;

	(void)state;
	memset(lines + n, 'n', 65536);
	memcpy(lines + n + 65536, " 7\n", 3);
	example_init(&e, 0, lines, n + 65536 + 3);
	name = name_at(&e, sample_of(&e, 7), 1, 0);
	assert_int_equal(name.n, 65536 + 4 + 4);
	assert_memory_equal(name.bytes, "a\"\\\x01\\xffnn", 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_are_samples_and_periods),
		cmocka_unit_test(a_stack_has_its_values_and_names_innermost_first),
		cmocka_unit_test(labels_tell_samples_apart),
		cmocka_unit_test(names_may_be_long_and_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
