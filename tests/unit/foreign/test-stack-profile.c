/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "foreign/stack-profile.h"

static void everything_is_there_once(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	const struct build_id id = { .bytes = { 1, 2 }, .size = 2 };
	uint32_t image = stack_profile_image(p, "/bin/a", NULL), frames[1000];

	(void)state;
	assert_int_equal(stack_profile_image(p, "/bin/a", NULL), image);
	assert_int_not_equal(stack_profile_image(p, "/bin/a", &id), image);
	assert_int_equal(p->images.n, 2);
	for (uint32_t i = 0; i < 1000; i++)
		frames[i] = stack_profile_address(p, image, i);
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(stack_profile_address(p, image, i), frames[i]);
	assert_int_equal(p->frames.n, 1000);
	assert_int_equal(stack_profile_function(p, image, "f", false),
			 stack_profile_function(p, image, "f", false));
	assert_int_not_equal(stack_profile_function(p, image, "f", false),
			     stack_profile_function(p, image, "f", true));
	assert_int_equal(stack_profile_task(p, 1, 2, "x"), stack_profile_task(p, 1, 2, "x"));
	assert_int_not_equal(stack_profile_task(p, 1, 2, "x"), stack_profile_task(p, 1, 2, "y"));
}

static void a_stack_is_a_frame_below_another(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	uint32_t a = stack_profile_stack(p, STACK_PROFILE_ROOT, 0);
	uint32_t b = stack_profile_stack(p, a, 0);

	(void)state;
	assert_int_not_equal(a, STACK_PROFILE_ROOT);
	assert_int_not_equal(a, b);
	assert_int_equal(stack_profile_stack(p, STACK_PROFILE_ROOT, 0), a);
	assert_int_equal(stack_profile_stack(p, a, 0), b);
	assert_int_equal(p->stacks.items[b].parent, a);
}

static bool is_kernel(const char *name)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	uint32_t image = stack_profile_image(p, name, NULL);

	return p->images.items[image].is_kernel;
}

static void names_tell_what_is_the_kernels(void **state)
{
	(void)state;
	assert_true(is_kernel("[kernel.kallsyms]"));
	assert_true(is_kernel("[kernel.vmlinux]"));
	assert_true(is_kernel("[nf_tables]"));
	assert_false(is_kernel("[vdso]"));
	assert_false(is_kernel("[heap]"));
	assert_false(is_kernel("/bin/a"));
	assert_false(is_kernel(""));
}

static void all_kernels_are_one(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	const struct build_id id = { .bytes = { 1, 2 }, .size = 2 };

	(void)state;
	assert_int_equal(stack_profile_image(p, "[kernel.kallsyms]", &id),
			 stack_profile_image(p, "[kernel]", NULL));
}

static void what_is_known_of_weights_is_noted(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();

	(void)state;
	stack_profile_add(p, (struct profile_weight){ .cpu = UINT32_MAX, .samples = 1 });
	assert_false(p->has_times || p->has_cpus);
	stack_profile_add(p, (struct profile_weight){ .cpu = 0, .time = 5, .samples = 1 });
	assert_true(p->has_times && p->has_cpus);
	assert_int_equal(p->weights.n, 2);
}

static void groups_are_known_by_their_names(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	char name[] = "web1";

	(void)state;
	for (uint32_t i = 1; i <= 3; i++)
		stack_profile_task(p, i, i, "work");
	stack_profile_set_group(p, 0, "web1");
	stack_profile_set_group(p, 1, "web2");
	stack_profile_set_group(p, 2, name);
	assert_int_equal(p->groups.n, 2);
	assert_int_equal(p->tasks.items[0].group, 1);
	assert_int_equal(p->tasks.items[1].group, 2);
	assert_int_equal(p->tasks.items[2].group, 1);
	assert_string_equal(p->groups.items[1], "web2");
}

/* Returns the number of weights of a profile that fit into the budget. */
static uint32_t fill(struct stack_profile *p)
{
	uint32_t n = 0;

	for (; !p->is_full; n++)
		stack_profile_add(p, (struct profile_weight){ .time = n, .samples = 1 });
	return n;
}

static void a_packed_file_pays_for_what_is_unpacked(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *plain = stack_profile_new();
	_cleanup_(stack_profile_freep) struct stack_profile *loose = stack_profile_new();
	_cleanup_(stack_profile_freep) struct stack_profile *tight = stack_profile_new();
	_cleanup_(stack_profile_freep) struct stack_profile *bomb = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	uint32_t most;

	(void)state;
	stack_profile_allow(plain, 4 << 20);
	stack_profile_allow_packed(loose, 1 << 20, 4 << 20);
	stack_profile_allow_packed(tight, 1 << 20, 40 << 20);
	stack_profile_allow_packed(bomb, 1 << 20, 400 << 20);
	most = fill(loose);
	assert_true(most < fill(plain));
	assert_true(fill(tight) < most);
	assert_int_equal(fill(bomb), 0);
	assert_int_equal(stack_profile_check(tight, &diag), -EFBIG);
	assert_non_null(strstr(diag.message, "gunzip"));
	diag_done(&diag);
	diag = (struct diag){ 0 };
	assert_int_equal(stack_profile_check(plain, &diag), -EFBIG);
	assert_null(strstr(diag.message, "gunzip"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_there_once),
		cmocka_unit_test(a_stack_is_a_frame_below_another),
		cmocka_unit_test(names_tell_what_is_the_kernels),
		cmocka_unit_test(all_kernels_are_one),
		cmocka_unit_test(what_is_known_of_weights_is_noted),
		cmocka_unit_test(groups_are_known_by_their_names),
		cmocka_unit_test(a_packed_file_pays_for_what_is_unpacked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
