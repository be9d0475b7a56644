/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options/callgraph.h"

static void a_bare_g_means_frame_pointers(void **state)
{
	(void)state;
	struct callgraph_request o = { 0 };

	assert_int_equal(PARSE(callgraph_options, &o, "-g", "sleep", "1"), 0);
	assert_int_equal(o.choice.mode, CALLGRAPH_FP);
	assert_int_equal(parsed.argc, 2);
}

static void the_old_spelling_takes_a_mode(void **state)
{
	(void)state;
	struct callgraph_request o = { 0 };

	assert_int_equal(PARSE(callgraph_options, &o, "-g", "dwarf", "sleep", "1"), 0);
	assert_int_equal(o.choice.mode, CALLGRAPH_DWARF);
	assert_int_equal(o.choice.stack_bytes, 8192);
	assert_false(o.choice.stack_given);
	assert_int_equal(parsed.argc, 2);
	assert_int_equal(PARSE(callgraph_options, &o, "-gdwarf,100", "sleep"), 0);
	assert_int_equal(o.choice.stack_bytes, 104); /* a multiple of 8 */
	assert_true(o.choice.stack_given);
}

static void a_program_of_that_name_is_the_command(void **state)
{
	(void)state;
	char dir[] = "/tmp/test-callgraph-XXXXXX", file[64];
	_cleanup_(freep) char *path = strdup(getenv("PATH"));
	struct callgraph_request o = { 0 };

	assert_non_null(mkdtemp(dir));
	snprintf(file, sizeof(file), "%s/dwarf", dir);
	assert_int_equal(symlink("/bin/sh", file), 0);
	setenv("PATH", dir, 1);

	int r = PARSE(callgraph_options, &o, "-g", "dwarf", "--once");

	setenv("PATH", path, 1);
	unlink(file);
	rmdir(dir);
	assert_int_equal(r, 0);
	assert_int_equal(o.choice.mode, CALLGRAPH_FP);
	assert_int_equal(parsed.argc, 2);
}

static void g_and_call_graph_go_together_in_either_order(void **state)
{
	(void)state;
	struct callgraph_request a = { 0 }, b = { 0 };

	assert_int_equal(PARSE(callgraph_options, &a, "-g", "--call-graph", "dwarf"), 0);
	assert_int_equal(a.choice.mode, CALLGRAPH_DWARF);
	assert_int_equal(PARSE(callgraph_options, &b, "--call-graph", "lbr", "-g"), 0);
	assert_int_equal(b.choice.mode, CALLGRAPH_LBR);
}

static void a_depth_goes_with_frame_pointers(void **state)
{
	(void)state;
	struct callgraph_request o = { 0 };

	assert_int_equal(PARSE(callgraph_options, &o, "--call-graph=fp,32"), 0);
	assert_int_equal(o.choice.depth, 32);
	assert_int_equal(PARSE(callgraph_options, &o, "--call-graph=fp,"), 0);
	assert_int_equal(o.choice.depth, 0);
	assert_int_equal(PARSE(callgraph_options, &o, "--call-graph=fp,65536"), -EINVAL);
}

static void what_the_kernel_cannot_copy_is_refused(void **state)
{
	(void)state;
	struct callgraph_request o = { 0 };

	assert_int_equal(PARSE(callgraph_options, &o, "--call-graph=dwarf,65528"), 0);
	assert_int_equal(o.choice.stack_bytes, CALLGRAPH_STACK_MAX);
	assert_int_equal(PARSE(callgraph_options, &o, "--call-graph=dwarf,65529"), -EINVAL);
	assert_true(says("65528"));
	assert_int_equal(PARSE(callgraph_options, &o, "--call-graph=dwarf,0"), -EINVAL);
	assert_int_equal(o.choice.stack_bytes, CALLGRAPH_STACK_MAX);
}

static void a_wrong_mode_is_told_with_the_right_ones(void **state)
{
	(void)state;
	struct callgraph_request o = { 0 };

	assert_int_equal(PARSE(callgraph_options, &o, "--call-graph", "bad"), -EINVAL);
	assert_true(says("there is no call-graph mode 'bad'"));
	assert_true(says("fp[,depth]"));
	assert_int_equal(PARSE(callgraph_options, &o, "--call-graph", "lbr,3"), -EINVAL);
	assert_int_equal(PARSE(callgraph_options, &o, "--call-graph", "dwarf,4k"), -EINVAL);
	assert_true(says("'4k' is not a number\ndwarf,4k"));
	assert_int_equal(PARSE(callgraph_options, &o, "--call-graph", ""), -EINVAL);
	assert_int_equal(o.choice.mode, CALLGRAPH_NONE);
}

static void stacks_can_be_switched_off_again(void **state)
{
	(void)state;
	struct callgraph_request o = { 0 };

	assert_int_equal(PARSE(callgraph_options, &o, "-g", "--no-call-graph"), 0);
	assert_int_equal(o.choice.mode, CALLGRAPH_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bare_g_means_frame_pointers),
		cmocka_unit_test(the_old_spelling_takes_a_mode),
		cmocka_unit_test(a_program_of_that_name_is_the_command),
		cmocka_unit_test(g_and_call_graph_go_together_in_either_order),
		cmocka_unit_test(a_depth_goes_with_frame_pointers),
		cmocka_unit_test(what_the_kernel_cannot_copy_is_refused),
		cmocka_unit_test(a_wrong_mode_is_told_with_the_right_ones),
		cmocka_unit_test(stacks_can_be_switched_off_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
