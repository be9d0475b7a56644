/* SPDX-License-Identifier: MIT */
/* Alone: it has the functions of its file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "bpf/unwind-internal.h"

/* The pid namespace that this program seems to be in; 0: its real one. */
static uint64_t made_inode;
static int made_error;

static int stat_made(const char *path, struct stat *ret)
{
	int r = stat(path, ret);

	if (made_inode) {
		ret->st_ino = made_inode;
		ret->st_dev = 77;
	}
	return made_error ? made_error : r;
}

#define stat(path, ret) stat_made(path, ret)
#include "bpf/unwind-host.c"
#undef stat

static void registers_are_where_the_kernel_keeps_them(void **state)
{
	struct unwind_host h = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(unwind_host_find(&arch_aarch64, &h, &diag), 0);
	assert_int_equal(h.pc, 256);
	assert_int_equal(h.sp, 248);
	assert_int_equal(h.fp, 232);
	assert_int_equal(h.lr, 240);
	assert_int_equal(h.mode, 264);
	assert_int_equal(h.user_mask, 0xf);
	assert_int_equal(h.user_value, 0);
	assert_int_equal(h.native_mask, 0x1f);
	assert_int_equal(h.native_value, 0);
	assert_int_equal(h.signal_fp, 312 + 29 * 8);
	assert_int_equal(h.signal_lr, 312 + 30 * 8);
	assert_int_equal(h.signal_sp, 312 + 31 * 8);
	assert_int_equal(h.signal_pc, 312 + 32 * 8);
	/* Our stack is below the end of the address space, and above its middle. */
	assert_true(((uintptr_t)&h & ~h.address_mask) == 0);
	assert_true(h.address_mask / 2 < (uintptr_t)&h);
	assert_true((h.address_mask & (h.address_mask + 1)) == 0);
	assert_true(h.address_mask >= UINT64_MAX >> (64 - 39));
	assert_int_equal(unwind_host_find(&arch_x86_64, &h, &diag), 0);
	assert_int_equal(h.pc, 128);
	assert_int_equal(h.sp, 152);
	assert_int_equal(h.fp, 32);
	assert_int_equal(h.lr, 0);
	assert_int_equal(h.mode, 136);
	assert_int_equal(h.user_mask, 3);
	assert_int_equal(h.user_value, 3);
	assert_int_equal(h.native_mask, 0xffff);
	assert_int_equal(h.native_value, 0x33);
	assert_int_equal(h.signal_fp, 120);
	assert_int_equal(h.signal_sp, 160);
	assert_int_equal(h.signal_pc, 168);
	assert_int_equal(h.signal_lr, 0);
	assert_true(h.address_mask == UINT64_MAX);
}

static void an_unknown_machine_is_refused(void **state)
{
	struct unwind_host h = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(unwind_host_find(NULL, &h, &diag), -EOPNOTSUPP);
	assert_string_equal(diag.message, "stacks cannot be unwound in the kernel of this machine");
	diag_done(&diag);
}

/* Pids of the initial namespace need no translation. */
static void the_namespace_is_told_unless_it_is_the_first(void **state)
{
	struct unwind_host h = { 0 };
	struct stat st;
	bool is_first;

	(void)state;
	assert_int_equal(stat("/proc/self/ns/pid", &st), 0);
	is_first = st.st_ino == 0xeffffffc;
	assert_int_equal(unwind_host_find(&arch_x86_64, &h, NULL), 0);
	assert_int_equal(h.pid_ns_inode, is_first ? 0 : st.st_ino);
	assert_int_equal(h.pid_ns_device, is_first ? 0 : st.st_dev);
}

static void any_other_namespace_is_told(void **state)
{
	struct unwind_host h = { 0 };

	(void)state;
	made_inode = 0xeffffffc;
	assert_int_equal(unwind_host_find(&arch_x86_64, &h, NULL), 0);
	assert_int_equal(h.pid_ns_inode, 0);
	assert_int_equal(h.pid_ns_device, 0);
	made_inode = 0xeffffffd;
	assert_int_equal(unwind_host_find(&arch_x86_64, &h, NULL), 0);
	assert_int_equal(h.pid_ns_inode, 0xeffffffd);
	assert_int_equal(h.pid_ns_device, 77);
	made_error = -1;
	assert_int_equal(unwind_host_find(&arch_x86_64, &h, NULL), 0);
	assert_int_equal(h.pid_ns_inode, 0);
	made_inode = 0;
	made_error = 0;
}

static void registers_that_are_not_saved_are_at_0(void **state)
{
	(void)state;
	assert_int_equal(saved_at(arch_x86_64.convention, 200), 0);
	assert_int_equal(saved_at(arch_aarch64.convention, arch_aarch64.convention->pc),
			 312 + 32 * 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_are_where_the_kernel_keeps_them),
		cmocka_unit_test(an_unknown_machine_is_refused),
		cmocka_unit_test(the_namespace_is_told_unless_it_is_the_first),
		cmocka_unit_test(any_other_namespace_is_told),
		cmocka_unit_test(registers_that_are_not_saved_are_at_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
