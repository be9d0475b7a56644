/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "kernel/bpf-object.h"
#include "skip.h"

/* If the kernel or the user's rights do not suffice, there is an error and no descriptor. */
static void a_hash_keeps_what_is_put_into_it(void **state)
{
	int fd = bpf_hash_new("test", 8, 4, 16);
	struct bpf_map_facts facts;
	uint64_t key = 7, next = 0;
	uint32_t value = 42, got = 0;

	(void)state;
	if (fd < 0)
		skip_because("bpf() is not allowed here");
	assert_int_equal(bpf_map_put(fd, &key, &value), 0);
	assert_int_equal(bpf_map_get(fd, &key, &got), 0);
	assert_int_equal(got, 42);
	assert_int_equal(bpf_map_next(fd, NULL, &next), 0);
	assert_int_equal(next, 7);
	assert_true(bpf_map_next(fd, &key, &next) < 0);
	assert_int_equal(bpf_map_facts(fd, &facts), 0);
	assert_int_equal(facts.key_size, 8);
	assert_int_equal(facts.value_size, 4);
	assert_int_equal(bpf_map_remove(fd, &key), 0);
	assert_true(bpf_map_get(fd, &key, &got) < 0);
	close(fd);
}

static void what_is_not_there_is_an_error(void **state)
{
	uint32_t key = 0;

	(void)state;
	assert_true(bpf_object_open("/nonexistent/x", true) < 0);
	assert_true(bpf_object_pin(-1, "/nonexistent/x") < 0);
	assert_true(bpf_map_get(-1, &key, &key) < 0);
	assert_true(bpf_map_open_id(UINT32_MAX) < 0);
	assert_true(bpf_program_open_id(UINT32_MAX) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hash_keeps_what_is_put_into_it),
		cmocka_unit_test(what_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
