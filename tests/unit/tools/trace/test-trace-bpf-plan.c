/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "arch/syscall/event.h"
#include "tools/trace/trace-bpf.h"

static void words_are_not_copied(void **state)
{
	const struct syscall_desc close = {
		.name = "close",
		.n_args = 1,
		.args = { { .name = "fd", .kind = ARG_FD, .bytes = 4 } },
	};
	struct trace_plan plan = trace_plan_of(&close, 32);

	(void)state;
	assert_int_equal(plan.n_copies, 0);
	assert_int_equal(plan.copies_at, 0);
}

static void unknown_calls_have_an_empty_plan(void **state)
{
	static const struct trace_plan nothing;
	struct trace_plan plan = trace_plan_of(NULL, 32);

	(void)state;
	assert_memory_equal(&plan, &nothing, sizeof(plan));
}

static void buffers_have_the_length_of_an_argument(void **state)
{
	const struct syscall_desc write = {
		.name = "write",
		.n_args = 3,
		.args = { { .name = "fd", .kind = ARG_FD, .bytes = 4 },
			  { .name = "buf",
			    .kind = ARG_BUFFER,
			    .copy = COPY_BYTES,
			    .when = COPY_AT_ENTER,
			    .length = LENGTH_ARG,
			    .length_arg = 2,
			    .element_bytes = 1 },
			  { .name = "count", .kind = ARG_UNSIGNED, .bytes = 8 } },
	};
	struct trace_plan plan = trace_plan_of(&write, 40);

	(void)state;
	assert_int_equal(plan.n_copies, 1);
	assert_int_equal(plan.copies_at, COPY_AT_ENTER);
	assert_int_equal(plan.copies[0].arg, 1);
	assert_int_equal(plan.copies[0].length, LENGTH_ARG);
	assert_int_equal(plan.copies[0].length_arg, 2);
	assert_false(plan.copies[0].length_is_32bit);
	assert_int_equal(plan.copies[0].limit, 40);
	assert_int_equal(trace_plan_of(&write, UINT32_MAX).copies[0].limit, TRACE_PIECE_MAX);
}

static void names_are_whole_whatever_the_limit(void **state)
{
	const struct syscall_desc execve = {
		.name = "execve",
		.n_args = 2,
		.args = { { .name = "filename",
			    .kind = ARG_PATH,
			    .copy = COPY_STRING,
			    .when = COPY_AT_ENTER },
			  { .name = "argv",
			    .kind = ARG_STRINGS,
			    .copy = COPY_STRINGS,
			    .when = COPY_AT_ENTER } },
	};
	struct trace_plan plan = trace_plan_of(&execve, 1);

	(void)state;
	assert_int_equal(plan.n_copies, 2);
	assert_true(plan.is_exec);
	assert_int_equal(plan.copies[0].limit, TRACE_PIECE_MAX);
	assert_int_equal(plan.copies[1].limit, 256);
}

static void members_of_an_iovec_are_counted(void **state)
{
	const struct syscall_desc readv = {
		.name = "readv",
		.n_args = 2,
		.args = { { .name = "vec",
			    .kind = ARG_IOVEC,
			    .copy = COPY_IOVEC,
			    .when = COPY_AT_EXIT,
			    .length = LENGTH_ARG,
			    .length_arg = 1,
			    .element_bytes = 16 },
			  { .name = "vlen", .kind = ARG_UNSIGNED, .bytes = 4 } },
	};
	struct trace_plan plan = trace_plan_of(&readv, 32);

	(void)state;
	assert_int_equal(plan.copies_at, COPY_AT_EXIT);
	assert_int_equal(plan.copies[0].element_bytes, 1);
	assert_true(plan.copies[0].length_is_32bit);
}

static void plans_of_an_abi_are_found_by_number(void **state)
{
	static struct trace_plan plans[TRACE_CALLS_MAX];
	int exit_group = syscall_number(SYSCALL_ABI_X86_64, "exit_group");
	int openat = syscall_number(SYSCALL_ABI_X86_64, "openat");

	(void)state;
	trace_plans_fill(SYSCALL_ABI_X86_64, 32, plans);
	assert_true(plans[exit_group].no_return);
	assert_true(plans[openat].returns_fd);
	assert_int_equal(plans[openat].copies[0].arg, 1);
	assert_int_equal(plans[openat].copies[0].copy, COPY_STRING);
	assert_false(plans[openat].has_fd_pair);
}

static void pairs_of_descriptors_are_known(void **state)
{
	int pipe2 = syscall_number(SYSCALL_ABI_AARCH64, "pipe2");
	int socketpair = syscall_number(SYSCALL_ABI_AARCH64, "socketpair");
	struct trace_plan plan;

	(void)state;
	plan = trace_plan_of(syscall_find(SYSCALL_ABI_AARCH64, (unsigned)pipe2), 32);
	assert_true(plan.has_fd_pair);
	assert_int_equal(plan.fd_pair_arg, 0);
	plan = trace_plan_of(syscall_find(SYSCALL_ABI_AARCH64, (unsigned)socketpair), 32);
	assert_true(plan.has_fd_pair);
	assert_int_equal(plan.fd_pair_arg, 3);
}

/* The elements of a map begin at multiples of 8, which both sides have to find. */
static void plans_lie_as_the_kernel_has_them(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct trace_plan) % 8, 0);
	assert_int_equal(TRACE_PIECES_MAX, CALL_DATA_MAX);
	assert_true(sizeof(struct trace_call_record) + TRACE_PIECES_SIZE <= TRACE_RECORD_MAX);
}

static int count_flocks(void *arg, const struct trace_variant *v)
{
	unsigned *n = arg;

	if (v->key.plan == (uint32_t)syscall_number(SYSCALL_ABI_AARCH64, "fcntl") &&
	    v->key.command == 5 /* F_GETLK */) {
		assert_int_equal(v->copy.arg, 2);
		assert_int_equal(v->copy.copy, COPY_BYTES);
		assert_int_equal(v->copy.size, 32);
		++*n;
	}
	assert_true(v->copy.when);
	n[1]++;
	return 0;
}

static void commands_say_what_is_copied(void **state)
{
	unsigned n[2] = { 0 };
	struct trace_plan plan =
		trace_plan_of(syscall_find(SYSCALL_ABI_AARCH64,
					   (unsigned)syscall_number(SYSCALL_ABI_AARCH64, "fcntl")),
			      32);

	(void)state;
	assert_int_equal(plan.n_copies, 0);
	assert_int_equal(plan.command_arg, 1 + 1);
	assert_int_equal(plan.copies_at, COPY_AT_ENTER | COPY_AT_EXIT);
	assert_int_equal(trace_variants_each(SYSCALL_ABI_AARCH64, 32, count_flocks, n), 0);
	assert_int_equal(n[0], 1);
	assert_true(n[1] > 20 && n[1] < TRACE_VARIANTS_MAX / TRACE_N_ABIS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_not_copied),
		cmocka_unit_test(unknown_calls_have_an_empty_plan),
		cmocka_unit_test(buffers_have_the_length_of_an_argument),
		cmocka_unit_test(names_are_whole_whatever_the_limit),
		cmocka_unit_test(members_of_an_iovec_are_counted),
		cmocka_unit_test(plans_of_an_abi_are_found_by_number),
		cmocka_unit_test(pairs_of_descriptors_are_known),
		cmocka_unit_test(plans_lie_as_the_kernel_has_them),
		cmocka_unit_test(commands_say_what_is_copied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
