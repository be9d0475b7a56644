/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <unistd.h>

#include "arch/access.h"
#include "arch/arch.h"
#include "runtime/thread-key.h"
#include "skip.h"

static const char *banner = "Engine v1";
static uint64_t first = 1, second = 2;
static __thread uint64_t *variable;

static const char *get_banner(void)
{
	return banner;
}

static unsigned get_kind(void)
{
	return 4;
}

static uint64_t get_sum(void)
{
	return first + second;
}

static uint64_t get_member(void)
{
	return variable[3];
}

static uint64_t address_of(const void *function)
{
	return (uintptr_t)function;
}

static void a_result_is_followed(void **state)
{
	uint64_t result;

	(void)state;
	if (!code_access_knows(arch_host()))
		skip_because("no decoder for this machine");
	assert_int_equal(thread_result_find(getpid(), address_of(get_banner), 0, &result), 0);
	assert_int_equal(result, (uintptr_t)banner);
	assert_int_equal(thread_result_find(getpid(), address_of(get_kind), 0, &result), 0);
	assert_int_equal(result, get_kind());
	assert_true(thread_result_find(getpid(), address_of(get_sum), 0, &result) < 0 ||
		    result == get_sum());
	assert_int_equal(thread_result_find(getpid(), 16, 0, &result), -EFAULT);
}

static void loads_of_variables_are_listed(void **state)
{
	uint64_t loads[4];
	size_t n;

	(void)state;
	if (!code_access_knows(arch_host()))
		skip_because("no decoder for this machine");
	n = thread_loads_find(getpid(), address_of(get_sum), 0, loads, 4);
	assert_int_equal(n, 2);
	assert_int_equal(loads[0] + loads[1], (uintptr_t)&first + (uintptr_t)&second);
	assert_int_equal(thread_loads_find(getpid(), address_of(get_sum), 0, loads, 1), 1);
}

static void the_first_variable_of_a_thread_is_found(void **state)
{
	uint64_t words[4] = { 0, 0, 0, 7 };
	struct runtime_path path = { 0 };

	(void)state;
	if (!code_access_knows(arch_host()))
		skip_because("no decoder for this machine");
	variable = words;
	assert_int_equal(get_member(), 7);
	assert_int_equal(thread_first_variable_path(getpid(), address_of(get_member), 0, &path), 0);
	assert_true(path.n == 1 || path.n == 3);
	if (path.n == 1)
		assert_int_equal(path.offsets[0], (int64_t)((uintptr_t)&variable -
							    (uintptr_t)__builtin_thread_pointer()));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_result_is_followed),
		cmocka_unit_test(loads_of_variables_are_listed),
		cmocka_unit_test(the_first_variable_of_a_thread_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
