/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "arch/syscall/syscall.h"
#include "arch/syscall/values.h"
#include "base/cleanup.h"

static const struct syscall_desc *call(enum syscall_abi abi, const char *name)
{
	const struct syscall_desc *d = syscall_find(abi, syscall_number(abi, name));

	assert_non_null(d);
	return d;
}

static void a_number_means_something_else_for_each_abi(void **state)
{
	(void)state;
	assert_string_equal(syscall_find(SYSCALL_ABI_X86_64, 0)->name, "read");
	assert_string_equal(syscall_find(SYSCALL_ABI_I386, 3)->name, "read");
	assert_string_equal(syscall_find(SYSCALL_ABI_AARCH64, 63)->name, "read");
	assert_string_equal(syscall_find(SYSCALL_ABI_ARM, 3)->name, "read");
}

static void unknown_numbers_and_names_are_not_found(void **state)
{
	(void)state;
	assert_null(syscall_find(SYSCALL_ABI_X86_64, 400));
	assert_null(syscall_find(SYSCALL_ABI_X86_64, syscall_count(SYSCALL_ABI_X86_64)));
	assert_null(syscall_find(SYSCALL_ABI_X86_64, UINT32_MAX));
	assert_null(syscall_find(SYSCALL_ABI_NONE, 0));
	assert_null(syscall_find(SYSCALL_N_ABIS, 0));
	assert_int_equal(syscall_number(SYSCALL_ABI_X86_64, "nonsense"), -ENOENT);
	assert_int_equal(syscall_number(SYSCALL_ABI_X86_64, ""), -ENOENT);
	assert_int_equal(syscall_number(SYSCALL_ABI_NONE, "read"), -ENOENT);
	assert_int_equal(syscall_number(SYSCALL_N_ABIS, "read"), -ENOENT);
}

static void every_call_is_found_by_its_name(void **state)
{
	(void)state;
	for (int abi = SYSCALL_ABI_X86_64; abi < SYSCALL_N_ABIS; abi++)
		for (unsigned nr = 0; nr < syscall_count(abi); nr++)
			if (syscall_find(abi, nr))
				assert_int_equal(syscall_number(abi, syscall_find(abi, nr)->name),
						 nr);
}

static void other_names_of_a_call_are_found(void **state)
{
	(void)state;
	assert_string_equal(call(SYSCALL_ABI_AARCH64, "fstatat")->name, "newfstatat");
	assert_string_equal(call(SYSCALL_ABI_X86_64, "pread")->name, "pread64");
	assert_string_equal(call(SYSCALL_ABI_X86_64, "newstat")->name, "stat");
	assert_string_equal(call(SYSCALL_ABI_AARCH64, "umount")->name, "umount2");
	assert_string_equal(call(SYSCALL_ABI_I386, "umount")->name, "umount");
	assert_string_equal(call(SYSCALL_ABI_AARCH64, "sendfile64")->name, "sendfile");
}

static void groups_have_the_names_of_strace(void **state)
{
	(void)state;
	assert_int_equal(syscall_group_of("file"), GROUP_FILE | GROUP_READ_WRITE);
	assert_int_equal(syscall_group_of("%file"), GROUP_FILE);
	assert_int_equal(syscall_group_of("desc"), syscall_group_of("%desc"));
	assert_int_equal(syscall_group_of("%%stat"), GROUP_STAT);
	assert_int_equal(syscall_group_of("stat"), 0);
	assert_int_equal(syscall_group_of("%net"), GROUP_NETWORK);
	assert_int_equal(syscall_group_of("files"), 0);
	assert_int_equal(syscall_group_of("%"), 0);
	assert_true(call(SYSCALL_ABI_AARCH64, "openat")->groups & GROUP_FILE);
	assert_true(call(SYSCALL_ABI_AARCH64, "openat")->groups & GROUP_DESC);
	assert_int_equal(call(SYSCALL_ABI_AARCH64, "sendto")->groups, GROUP_NETWORK);
	assert_false(call(SYSCALL_ABI_AARCH64, "getpid")->groups);
}

static void calls_that_make_tasks(void **state)
{
	static const char *const names[] = { "clone", "clone3", "fork", "vfork" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_true(syscall_makes_task(call(SYSCALL_ABI_X86_64, names[i])));
	assert_true(syscall_makes_task(call(SYSCALL_ABI_AARCH64, "clone3")));
	assert_false(syscall_makes_task(call(SYSCALL_ABI_X86_64, "execve")));
	assert_false(syscall_makes_task(NULL));
}

static void clone_takes_tls_elsewhere_on_each_machine(void **state)
{
	(void)state;
	assert_string_equal(call(SYSCALL_ABI_X86_64, "clone")->args[4].name, "tls");
	assert_string_equal(call(SYSCALL_ABI_AARCH64, "clone")->args[3].name, "tls");
}

static void a_64_bit_argument_is_two_registers_of_a_32_bit_program(void **state)
{
	(void)state;
	const struct syscall_desc *d = call(SYSCALL_ABI_X86_64, "pread64");

	assert_int_equal(d->n_args, 4);
	d = call(SYSCALL_ABI_I386, "pread64");
	assert_int_equal(d->n_args, 5);
	assert_string_equal(d->args[3].name, "pos_low");
	d = call(SYSCALL_ABI_ARM, "pread64");
	assert_int_equal(d->n_args, 6);
	assert_true(d->args[3].is_hidden);
	assert_string_equal(d->args[4].name, "pos_low");
}

static void what_a_call_reads_and_writes_is_said(void **state)
{
	(void)state;
	const struct syscall_arg *a = &call(SYSCALL_ABI_AARCH64, "write")->args[1];

	assert_int_equal(a->kind, ARG_BUFFER);
	assert_int_equal(a->copy, COPY_BYTES);
	assert_int_equal(a->when, COPY_AT_ENTER);
	assert_int_equal(a->length, LENGTH_ARG);
	assert_int_equal(a->length_arg, 2);
	a = &call(SYSCALL_ABI_AARCH64, "epoll_pwait")->args[1];
	assert_int_equal(a->length, LENGTH_RESULT);
	assert_int_equal(a->element_bytes, 16);
	assert_int_equal(call(SYSCALL_ABI_X86_64, "epoll_pwait")->args[1].element_bytes, 12);
}

static void what_an_argument_is_may_depend_on_a_command(void **state)
{
	(void)state;
	const struct syscall_desc *d = call(SYSCALL_ABI_AARCH64, "fcntl");
	const struct syscall_arg *a = syscall_arg_of(d, 2, (uint64_t[6]){ 3, 4 /* F_SETFL */ });

	assert_int_equal(a->kind, ARG_FLAGS);
	assert_string_equal(a->values->name, "open_flags");
	a = syscall_arg_of(d, 2, (uint64_t[6]){ 3, 0xffffffff00000005 /* F_GETLK */ });
	assert_string_equal(a->layout->name, "flock");
	assert_int_equal(a->when, COPY_AT_ENTER | COPY_AT_EXIT);
	assert_ptr_equal(syscall_arg_of(d, 2, (uint64_t[6]){ 3, 77 }), &d->args[2]);
	assert_ptr_equal(syscall_arg_of(d, 1, (uint64_t[6]){ 3, 4 }), &d->args[1]);
	d = call(SYSCALL_ABI_I386, "fcntl64");
	a = syscall_arg_of(d, 2, (uint64_t[6]){ 3, 12 /* F_GETLK64 */ });
	assert_string_equal(a->layout->name, "flock64");
	d = call(SYSCALL_ABI_X86_64, "setsockopt");
	a = syscall_arg_of(d, 2, (uint64_t[6]){ 3, 6 /* SOL_TCP */, 1 });
	assert_string_equal(value_table_name(a->values, 1), "NODELAY");
	d = call(SYSCALL_ABI_X86_64, "read");
	assert_ptr_equal(syscall_arg_of(d, 2, (uint64_t[6]){ 0 }), &d->args[2]);
}

static bool has_values(uint8_t kind)
{
	return kind == ARG_ENUM || kind == ARG_FLAGS || kind == ARG_CLONE || kind == ARG_IOCTL;
}

static void check_argument(const struct syscall_desc *d, const struct syscall_arg *a)
{
	assert_true(a->name && *a->name);
	assert_true(a->kind < ARG_N_KINDS);
	assert_true(a->bytes == 4 || a->bytes == 8);
	assert_true(!a->values || has_values(a->kind));
	assert_true(a->length_arg < d->n_args);
	assert_true((a->copy == COPY_NONE) == (a->when == 0));
	if (a->kind == ARG_STRUCT || a->kind == ARG_STRUCTS)
		assert_non_null(a->layout);
	if (a->copy != COPY_NONE && a->length == LENGTH_FIXED && a->copy != COPY_STRING &&
	    a->copy != COPY_STRINGS)
		assert_true(a->size > 0);
	if (a->copy == COPY_BYTES || a->copy == COPY_IOVEC || a->copy == COPY_MMSGHDR)
		assert_true(a->element_bytes > 0);
	if (a->kind == ARG_NUMBERS)
		assert_true(a->element_bytes == 8 || a->element_bytes == 4 ||
			    a->element_bytes == 2);
	if (a->length == LENGTH_RESULT)
		assert_int_equal(a->when, COPY_AT_EXIT);
}

static void every_argument_makes_sense(void **state)
{
	(void)state;
	for (int abi = SYSCALL_ABI_X86_64; abi < SYSCALL_N_ABIS; abi++)
		for (unsigned nr = 0; nr < syscall_count(abi); nr++) {
			const struct syscall_desc *d = syscall_find(abi, nr);

			for (unsigned i = 0; d && i < d->n_args; i++)
				check_argument(d, &d->args[i]);
			for (unsigned i = 0; d && i < d->n_variants; i++) {
				check_argument(d, &d->variants[i].arg);
				assert_true(!i ||
					    d->variants[i - 1].command < d->variants[i].command);
			}
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_means_something_else_for_each_abi),
		cmocka_unit_test(unknown_numbers_and_names_are_not_found),
		cmocka_unit_test(every_call_is_found_by_its_name),
		cmocka_unit_test(other_names_of_a_call_are_found),
		cmocka_unit_test(groups_have_the_names_of_strace),
		cmocka_unit_test(calls_that_make_tasks),
		cmocka_unit_test(clone_takes_tls_elsewhere_on_each_machine),
		cmocka_unit_test(a_64_bit_argument_is_two_registers_of_a_32_bit_program),
		cmocka_unit_test(what_a_call_reads_and_writes_is_said),
		cmocka_unit_test(what_an_argument_is_may_depend_on_a_command),
		cmocka_unit_test(every_argument_makes_sense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
