/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include <fcntl.h>
#include <unistd.h>

#include "options/input.h"

static void a_profile_may_be_standard_input(void **state)
{
	(void)state;
	struct input_opts o = { 0 };

	assert_int_equal(PARSE(input_options, &o, "-i", "-", "-f"), 0);
	assert_string_equal(o.path, "-");
	assert_true(o.force);
}

static void the_header_may_come_alone(void **state)
{
	(void)state;
	struct input_opts o = { 0 };

	assert_int_equal(PARSE(input_options, &o, "--header"), 0);
	assert_true(o.header && !o.header_only);
	assert_int_equal(PARSE(input_options, &o, "--header-only", "-ID"), 0);
	assert_true(o.header_only && o.show_info && o.dump_raw);
}

static void without_a_name_it_is_perf_data_or_a_pipe(void **state)
{
	(void)state;
	int saved = dup(STDIN_FILENO), ends[2], null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	assert_string_equal(input_path("x"), "x");
	assert_int_equal(pipe(ends), 0);
	dup2(ends[0], STDIN_FILENO);
	assert_string_equal(input_path("x"), "x");
	assert_string_equal(input_path(NULL), "-");
	dup2(null, STDIN_FILENO);
	assert_string_equal(input_path(NULL), "perf.data");
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(null);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_profile_may_be_standard_input),
		cmocka_unit_test(the_header_may_come_alone),
		cmocka_unit_test(without_a_name_it_is_perf_data_or_a_pipe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
