/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "bpf/hist-types.h"
#include "bpf/image.h"
#include "bpf/module.h"

#if HAVE_BPF

/* Returns an opened object. Opening needs no rights; loading does. */
static struct bpf_module *opened(void)
{
	struct bpf_module *m = NULL;
	struct diag diag = { 0 };

	assert_true(bpf_is_built_in());
	assert_int_equal(bpf_module_open(&bpf_image_hist, &m, &diag), 0);
	return m;
}

static void constants_are_as_large_as_both_sides_say(void **state)
{
	struct bpf_module *m = opened();

	(void)state;
	assert_non_null(bpf_module_constants(m, sizeof(struct hist_constants)));
	assert_null(bpf_module_constants(m, sizeof(struct hist_constants) + 8));
	bpf_module_free(m);
}

static void programs_and_maps_are_known_by_name(void **state)
{
	static const char *const programs[] = { "count_field", "count_pair", "on_fork",
						"on_exec",     "on_exit",    "forget_task" };
	static const char *const maps[] = { "counts", "losses", "begins",
					    "tasks",  "cgroup", "tasks_lost" };
	struct bpf_module *m = opened();

	(void)state;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		assert_int_equal(bpf_module_want(m, programs[i]), 0);
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		assert_int_equal(bpf_module_size(m, maps[i], 10), 0);
	assert_int_equal(bpf_module_want(m, "nothing"), -ENOENT);
	assert_int_equal(bpf_module_size(m, "nothing", 10), -ENOENT);
	assert_int_equal(bpf_module_key_size(m, "begins", 16), 0);
	assert_int_equal(bpf_module_key_size(m, "nothing", 16), -ENOENT);
	bpf_module_free(m);
}

static void a_broken_object_is_refused(void **state)
{
	static const char bytes[64] __attribute__((aligned(8))) = "no ELF file";
	const struct bpf_image broken = { "broken", bytes, sizeof(bytes) };
	struct bpf_module *m = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_true(bpf_module_open(&broken, &m, &diag) < 0);
	assert_null(m);
	assert_non_null(strstr(diag.message, "broken"));
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constants_are_as_large_as_both_sides_say),
		cmocka_unit_test(programs_and_maps_are_known_by_name),
		cmocka_unit_test(a_broken_object_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void a_build_without_bpf_says_so(void **state)
{
	struct bpf_module *m = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_false(bpf_is_built_in());
	assert_int_equal(bpf_module_open(&bpf_image_hist, &m, &diag), -EOPNOTSUPP);
	assert_non_null(strstr(diag.message, "without BPF"));
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_build_without_bpf_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
