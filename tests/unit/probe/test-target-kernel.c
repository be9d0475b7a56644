/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "target-opening.h"

static void the_running_kernel_needs_no_file(void **state)
{
	struct probe_target *t = opened((struct probe_target_options){ 0 });

	(void)state;
	assert_int_equal(t->kind, PROBE_KERNEL);
	assert_ptr_equal(t->arch, arch_host());
	assert_null(t->file);
	assert_null(t->name);
	assert_null(t->elf);
	assert_true(probe_target_is_running(t));
	probe_target_free(t);
}

static void a_vmlinux_says_what_it_is(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "vmlinux");

	small_elf(path, EM_X86_64, ET_EXEC, NULL, 0);

	struct probe_target *t = opened((struct probe_target_options){ .vmlinux = path });

	assert_int_equal(t->kind, PROBE_KERNEL);
	assert_ptr_equal(t->arch, &arch_x86_64);
	assert_string_equal(t->file, path);
	assert_int_equal(t->id.size, 20);
	assert_int_equal(t->id.bytes[19], 1);
	assert_non_null(t->elf);
	probe_target_free(t);
}

static void what_is_no_vmlinux_is_refused(void **state)
{
	_cleanup_(freep) char *text = scratch_path(*state, "text");
	_cleanup_(freep) char *missing = scratch_path(*state, "missing");
	_cleanup_(freep) char *no_elf = xasprintf("'%s' is not a vmlinux: it is not an ELF file",
						  text);
	_cleanup_(freep) char *no_file =
		xasprintf("cannot read the vmlinux '%s': No such file or directory", missing);

	scratch_write(text, "no ELF file, but long enough to have its header, if it had one: "
			    "1234567890");
	not_opened((struct probe_target_options){ .vmlinux = text }, -ENOEXEC, no_elf, NULL);
	not_opened((struct probe_target_options){ .vmlinux = missing }, -ENOENT, no_file, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_running_kernel_needs_no_file),
		SCRATCH_TEST(a_vmlinux_says_what_it_is),
		SCRATCH_TEST(what_is_no_vmlinux_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
