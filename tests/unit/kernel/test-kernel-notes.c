/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "elf/build-id.h"
#include "kernel/kernel-notes.h"
#include "skip.h"

static void a_module_name_leads_nowhere_else(void **state)
{
	struct build_id id;

	(void)state;
	assert_int_equal(build_id_of_module("../../kernel", &id), -EINVAL);
}

/* /sys/kernel/notes is readable by all users, and every distribution's kernel has a build-id. */
static void the_running_kernel_has_one(void **state)
{
	struct build_id id;
	int r = build_id_of_kernel(&id);

	(void)state;
	if (r == -ENOENT || r == -EACCES)
		skip_because("the kernel shows no notes");
	assert_true(r == -ENODATA || (r == 0 && id.size > 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_module_name_leads_nowhere_else),
		cmocka_unit_test(the_running_kernel_has_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
