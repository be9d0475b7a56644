/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "symbol/scratch.h"
#include "symbol/symbol-request.h"
#include "tools/lock/live-names-work.h"

static const char kernel[] = "ffff800080000000 T _text\n"
			     "ffff800080001000 t bpf_trace_run2\n"
			     "ffff800080002000 t __bpf_trace_contention_begin\n"
			     "ffff800080003000 T __traceiter_contention_begin\n"
			     "ffff800080004000 T rwsem_down_write_slowpath\n"
			     "ffff800080005000 D tasklist_lock\n"
			     "ffff800080006000 T _etext\n"
			     "ffff800090001000 t in_module\t[nf_tables]\n"
			     "ffff800090002000 t behind\t[nf_tables]\n";

static struct lock_live_names *example(const char *dir)
{
	_cleanup_(freep) char *path = scratch_path(dir, "kallsyms");
	const struct symbol_request rq = { .kallsyms = path };
	struct lock_live_names *n = NULL;
	struct diag diag = { 0 };

	scratch_write(path, kernel);
	assert_int_equal(lock_live_names_new(&rq, false, &n, &diag), 0);
	return n;
}

static void functions_locks_and_modules_have_symbols(void **state)
{
	_cleanup_(lock_live_names_freep) struct lock_live_names *n = example(*state);
	struct lock_names names = lock_live_names(n);
	struct lock_symbol sym;
	uint64_t addr;

	assert_true(names.symbol(names.arg, 0, 0xffff800080004010, &sym));
	assert_string_equal(sym.name, "rwsem_down_write_slowpath");
	assert_int_equal(sym.offset, 0x10);
	assert_true(names.symbol(names.arg, 0, 0xffff800090001008, &sym));
	assert_string_equal(sym.name, "in_module");
	assert_true(names.find(names.arg, "tasklist_lock", &addr));
	assert_true(addr == 0xffff800080005000);
	assert_true(names.find(names.arg, "in_module", &addr));
	assert_false(names.find(names.arg, "no_such_lock", &addr));
	/* Addresses of user space have no names here. */
	assert_false(names.symbol(names.arg, 1, 0x5000, &sym));
}

static void a_lock_without_a_symbol_has_the_name_that_it_was_given(void **state)
{
	_cleanup_(lock_live_names_freep) struct lock_live_names *n = example(*state);
	struct lock_names names = lock_live_names(n);
	struct lock_symbol sym;

	lock_live_names_lock(n, 0xffff0000806c6f28, "mmap_lock");
	lock_live_names_lock(n, 0xffff800080005000, "&some_cache");
	assert_true(names.symbol(names.arg, 0, 0xffff0000806c6f28, &sym));
	assert_string_equal(sym.name, "mmap_lock");
	assert_true(names.symbol(names.arg, 0, 0xffff800080005000, &sym));
	assert_string_equal(sym.name, "tasklist_lock");
}

static void tasks_that_have_ended_keep_their_name(void **state)
{
	_cleanup_(lock_live_names_freep) struct lock_live_names *n = example(*state);
	struct lock_names names = lock_live_names(n);

	lock_live_names_comm(n, 1, 1 << 23, "ended");
	lock_live_names_comm(n, 1, (1 << 23) + 1, "");
	lock_live_names_comm(n, 0, UINT32_MAX, "Unknown");
	lock_live_names_comm(n, (uint32_t)getpid(), (uint32_t)getpid(), "old");
	assert_string_equal(names.comm(names.arg, 1 << 23), "ended");
	assert_null(names.comm(names.arg, (1 << 23) + 1));
	assert_null(names.comm(names.arg, 12345));
	assert_string_equal(names.comm(names.arg, UINT32_MAX), "Unknown");
	/* This process runs, so /proc knows its name. */
	assert_string_not_equal(names.comm(names.arg, (uint32_t)getpid()), "old");
	assert_null(names.cgroup(names.arg, 1));
}

static void frames_of_bpf_programs_are_passed_over(void **state)
{
	const uint64_t stack[] = { 0xffff800081f0dd00, 0xffff800080001010, 0xffff800080002010,
				   0xffff800080003010, 0xffff800080004010 };
	_cleanup_(lock_live_names_freep) struct lock_live_names *n = example(*state);

	assert_int_equal(lock_live_names_skip(n, stack, 5), 3);
	assert_int_equal(lock_live_names_skip(n, stack + 3, 2), 0);
	assert_int_equal(lock_live_names_skip(n, stack, 0), 0);
}

static void a_file_that_was_asked_for_must_be_there(void **state)
{
	const struct symbol_request kallsyms = { .kallsyms = "/no/such/file" };
	const struct symbol_request vmlinux = { .vmlinux = "/no/such/file" };
	struct lock_live_names *n = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_true(lock_live_names_new(&kallsyms, false, &n, &diag) < 0);
	assert_non_null(diag.message);
	diag_done(&diag);
	diag = (struct diag){ 0 };
	assert_true(lock_live_names_new(&vmlinux, false, &n, &diag) < 0);
	assert_non_null(diag.message);
	diag_done(&diag);
	assert_null(n);
	lock_live_names_free(NULL);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(functions_locks_and_modules_have_symbols),
		TEST(a_lock_without_a_symbol_has_the_name_that_it_was_given),
		TEST(tasks_that_have_ended_keep_their_name),
		TEST(frames_of_bpf_programs_are_passed_over),
		cmocka_unit_test(a_file_that_was_asked_for_must_be_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
