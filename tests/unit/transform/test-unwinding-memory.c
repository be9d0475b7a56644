/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "transform/unwinding.h"

#define COPIED 4096
#define ABOVE  (64 << 10)

/*
 * A thread that waits, in a child. Its stack is in memory that is shared with the test, which can
 * see it and change it.
 */
struct fixture {
	uint8_t *stack; /* all of it */
	size_t size;
	uint8_t *base; /* a place in it; the thread waits below */
	uint8_t copy[COPIED];
	pid_t pid;
	struct process_memory m;
};

static int wait_for_ever(void *arg)
{
	(void)arg;
	for (;;)
		pause();
	return 0;
}

static void fixture_done(struct fixture *f)
{
	kill(f->pid, SIGKILL);
	waitpid(f->pid, NULL, 0);
	munmap(f->stack, f->size);
	process_memory_done(&f->m);
}

static bool waits(pid_t pid)
{
	char path[32], text[256] = "";
	_cleanup_(closep) int fd = -1;

	snprintf(path, sizeof(path), "/proc/%d/syscall", (int)pid);
	fd = open(path, O_RDONLY);
	return fd >= 0 && read(fd, text, sizeof(text) - 1) > 0 && strchr(text, ' ');
}

/*
 * Starts the thread. Its stack grows down from @base; the memory above looks as if others had
 * called it.
 */
static void thread_waits(struct fixture *f)
{
	f->size = (256 << 10) + COPIED + ABOVE;
	f->stack = mmap(NULL, f->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(f->stack, MAP_FAILED);
	f->base = f->stack + (256 << 10);
	for (size_t i = 0; i < COPIED + ABOVE; i++)
		f->base[i] = (uint8_t)(i ^ i >> 8);
	f->pid = clone(wait_for_ever, f->base, SIGCHLD, NULL);
	assert_true(f->pid > 0);
	while (!waits(f->pid))
		sched_yield();
	memcpy(f->copy, f->base, COPIED);
}

static uint64_t addr_of(const struct fixture *f, size_t at)
{
	return (uintptr_t)f->base + at;
}

static void copy_is_taken(struct fixture *f)
{
	thread_waits(f);
	process_memory_begin(&f->m, f->pid, addr_of(f, 0), f->copy, COPIED);
}

static int read_word(struct fixture *f, size_t at, uint64_t *ret)
{
	return process_memory_read(&f->m, addr_of(f, at), ret, sizeof(*ret));
}

static bool is_right(const struct fixture *f, size_t at, uint64_t word)
{
	return !memcmp(f->base + at, &word, sizeof(word));
}

static void what_lies_above_the_copy_is_read(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	uint64_t word;

	(void)state;
	copy_is_taken(&f);
	assert_false(f.m.was_used);
	assert_int_equal(read_word(&f, COPIED, &word), 0);
	assert_true(is_right(&f, COPIED, word));
	assert_true(f.m.was_used);
	/* Nearby, far away, and at the very end of the mapping. */
	assert_int_equal(read_word(&f, COPIED + 4000, &word), 0);
	assert_true(is_right(&f, COPIED + 4000, word));
	assert_int_equal(read_word(&f, COPIED + 40000, &word), 0);
	assert_true(is_right(&f, COPIED + 40000, word));
	assert_int_equal(read_word(&f, COPIED + ABOVE - 8, &word), 0);
	assert_true(is_right(&f, COPIED + ABOVE - 8, word));
}

static void a_stack_that_has_changed_is_not_believed(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	uint64_t word;

	(void)state;
	copy_is_taken(&f);
	f.base[COPIED - 1]++;
	assert_int_equal(read_word(&f, COPIED, &word), -ESTALE);
	/* It is not used for the rest of the sample either, even if it changes back. */
	f.base[COPIED - 1]--;
	assert_int_equal(read_word(&f, COPIED, &word), -ESTALE);
	assert_false(f.m.was_used);
}

static void what_is_not_in_use_any_more_proves_nothing(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	const size_t deeper = 64 << 10;
	uint64_t word;

	(void)state;
	thread_waits(&f);
	/* The copy was taken when the stack was deeper; its contents are still there. */
	memcpy(f.copy, f.base - deeper, COPIED);
	process_memory_begin(&f.m, f.pid, addr_of(&f, 0) - deeper, f.copy, COPIED);
	assert_int_equal(process_memory_read(&f.m, addr_of(&f, 0), &word, sizeof(word)), -ESTALE);
}

static void a_thread_that_is_elsewhere_proves_nothing(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	uint64_t word;

	(void)state;
	copy_is_taken(&f);
	/* This process has the same memory, and a stack of its own. */
	process_memory_begin(&f.m, getpid(), addr_of(&f, 0), f.copy, COPIED);
	assert_int_equal(read_word(&f, COPIED, &word), -ESTALE);
}

static void the_innermost_frames_may_have_changed(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	uint64_t word;

	(void)state;
	copy_is_taken(&f);
	memset(f.base, 0, COPIED / 2);
	assert_int_equal(read_word(&f, COPIED, &word), 0);
}

static void the_next_sample_is_asked_anew(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	uint64_t word;

	(void)state;
	copy_is_taken(&f);
	assert_int_equal(read_word(&f, COPIED, &word), 0);
	f.base[COPIED] ^= 0xff;
	process_memory_begin(&f.m, f.pid, addr_of(&f, 0), f.copy, COPIED);
	assert_false(f.m.was_used);
	assert_int_equal(read_word(&f, COPIED, &word), 0);
	assert_true(is_right(&f, COPIED, word));
}

static void nothing_far_away_is_read(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	uint64_t word;

	(void)state;
	copy_is_taken(&f);
	assert_int_equal(read_word(&f, 0, &word), -EFAULT);
	assert_int_equal(read_word(&f, COPIED + (2 << 20), &word), -EFAULT);
	assert_int_equal(process_memory_read(&f.m, UINT64_MAX - 3, &word, 8), -EFAULT);
}

static void a_process_that_is_gone_gives_nothing(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	uint64_t word;

	(void)state;
	copy_is_taken(&f);
	/* Process ids are at most 2^22. */
	process_memory_begin(&f.m, 0x7fffffff, addr_of(&f, 0), f.copy, COPIED);
	assert_int_equal(read_word(&f, COPIED, &word), -ESRCH);
}

static void an_empty_copy_proves_nothing(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	uint64_t word;

	(void)state;
	copy_is_taken(&f);
	process_memory_begin(&f.m, f.pid, addr_of(&f, 0), f.copy, 0);
	assert_int_equal(read_word(&f, 0, &word), -ESTALE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_lies_above_the_copy_is_read),
		cmocka_unit_test(a_stack_that_has_changed_is_not_believed),
		cmocka_unit_test(what_is_not_in_use_any_more_proves_nothing),
		cmocka_unit_test(a_thread_that_is_elsewhere_proves_nothing),
		cmocka_unit_test(the_innermost_frames_may_have_changed),
		cmocka_unit_test(the_next_sample_is_asked_anew),
		cmocka_unit_test(nothing_far_away_is_read),
		cmocka_unit_test(a_process_that_is_gone_gives_nothing),
		cmocka_unit_test(an_empty_copy_proves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
