/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <unistd.h>

#include "kernel/kept-jit-maps.h"
#include "real-files.h"
#include "skip.h"

#define OTHER 65533
#define MANY  65

/* Starts a process whose /tmp is @dir; skips the test where there are no mount namespaces. */
static struct real_process contained(const char *dir)
{
	struct real_process p = real_process_begin("/proc/self/exe", dir, "/tmp");

	if (!p.map) {
		real_process_end(&p);
		skip_because("processes have no maps here");
	}
	return p;
}

static char *write_map(const char *dir, const struct real_process *p)
{
	_cleanup_(freep) char *name = xasprintf("perf-%d.map", (int)p->pid);

	return real_file(dir, name, "1000 10 f\n");
}

static bool keeps(struct kept_jit_maps *m, const struct real_process *p)
{
	int fd = kept_jit_maps_find(m, p->pid);

	return fd >= 0 && real_begins(dup(fd), "1000 10 f\n");
}

static void the_map_outlives_its_process_and_its_name(void **state)
{
	_cleanup_(kept_jit_maps_freep) struct kept_jit_maps *m = kept_jit_maps_new();
	struct real_process p = contained(*state);
	_cleanup_(freep) char *path = write_map(*state, &p);

	kept_jit_maps_see(m, p.pid, 0);
	unlink(path);
	real_process_end(&p);
	kept_jit_maps_exited(m, p.pid);
	assert_true(keeps(m, &p));
	assert_int_equal(kept_jit_maps_let_go(m), 0);
}

static void a_map_that_is_written_later_is_found(void **state)
{
	_cleanup_(kept_jit_maps_freep) struct kept_jit_maps *m = kept_jit_maps_new();
	struct real_process p = contained(*state);
	_cleanup_(freep) char *path = NULL;

	kept_jit_maps_see(m, p.pid, 0);
	assert_false(keeps(m, &p));
	path = write_map(*state, &p);
	/* The interval is long over. */
	kept_jit_maps_look(m, UINT64_MAX / 2);
	unlink(path);
	real_process_end(&p);
	assert_true(keeps(m, &p));
}

static void a_map_that_is_written_at_the_end_is_found(void **state)
{
	_cleanup_(kept_jit_maps_freep) struct kept_jit_maps *m = kept_jit_maps_new();
	struct real_process p = contained(*state);
	_cleanup_(freep) char *path = NULL;

	kept_jit_maps_see(m, p.pid, 0);
	path = write_map(*state, &p);
	real_process_end(&p);
	kept_jit_maps_exited(m, p.pid);
	unlink(path);
	assert_true(keeps(m, &p));
}

static void a_process_that_ended_without_a_map_is_forgotten(void **state)
{
	_cleanup_(kept_jit_maps_freep) struct kept_jit_maps *m = kept_jit_maps_new();
	struct real_process p = contained(*state);
	_cleanup_(freep) char *path = NULL;

	kept_jit_maps_see(m, p.pid, 0);
	real_process_end(&p);
	kept_jit_maps_exited(m, p.pid);
	path = write_map(*state, &p);
	assert_int_equal(kept_jit_maps_find(m, p.pid), -ENOENT);
}

static void processes_that_share_our_files_are_left_alone(void **state)
{
	_cleanup_(kept_jit_maps_freep) struct kept_jit_maps *m = kept_jit_maps_new();

	(void)state;
	kept_jit_maps_see(m, getpid(), 0);
	kept_jit_maps_see(m, getpid(), 1);
	kept_jit_maps_forked(m, getpid());
	kept_jit_maps_see(m, getpid(), 2);
	kept_jit_maps_see(m, 0, 0);
	kept_jit_maps_see(m, -1, 0);
	kept_jit_maps_see(m, INT32_MAX, 0);
	assert_int_equal(kept_jit_maps_find(m, getpid()), -ENOENT);
	assert_int_equal(kept_jit_maps_find(m, INT32_MAX), -ENOENT);
}

static void only_a_regular_file_of_a_trusted_user_is_kept(void **state)
{
	_cleanup_(kept_jit_maps_freep) struct kept_jit_maps *m = kept_jit_maps_new();
	struct real_process p = contained(*state);
	_cleanup_(freep) char *path = write_map(*state, &p);
	_cleanup_(freep) char *goal = real_file(*state, "goal", "1000 10 f\n");

	kept_jit_maps_see(m, INT32_MAX, 0);
	unlink(path);
	assert_int_equal(symlink("/tmp/goal", path), 0);
	kept_jit_maps_see(m, p.pid, 0);
	assert_int_equal(kept_jit_maps_find(m, p.pid), -ENOENT);
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(kept_jit_maps_find(m, p.pid), -ENOENT);
	unlink(path);
	free(TAKE(path));
	path = write_map(*state, &p);
	assert_int_equal(chown(path, OTHER, OTHER), 0);
	assert_int_equal(kept_jit_maps_find(m, p.pid), -ENOENT);
	assert_int_equal(chown(path, geteuid(), getegid()), 0);
	assert_true(keeps(m, &p));
	real_process_end(&p);
}

static void the_oldest_is_let_go(void **state)
{
	_cleanup_(kept_jit_maps_freep) struct kept_jit_maps *m = kept_jit_maps_new();
	struct real_process all[MANY];

	for (size_t i = 0; i < MANY; i++) {
		all[i] = contained(*state);
		free(write_map(*state, &all[i]));
		kept_jit_maps_see(m, all[i].pid, 0);
	}
	assert_int_equal(kept_jit_maps_let_go(m), 1);
	assert_int_equal(kept_jit_maps_find(m, all[0].pid), -ENOENT);
	for (size_t i = 1; i < MANY; i++)
		assert_true(keeps(m, &all[i]));
	/* Each process has inherited the inputs of those before it. */
	for (size_t i = MANY; i > 0; i--)
		real_process_end(&all[i - 1]);
}

static void freeing_nothing_is_fine(void **state)
{
	(void)state;
	kept_jit_maps_free(NULL);
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		tree_test(the_map_outlives_its_process_and_its_name),
		tree_test(a_map_that_is_written_later_is_found),
		tree_test(a_map_that_is_written_at_the_end_is_found),
		tree_test(a_process_that_ended_without_a_map_is_forgotten),
		cmocka_unit_test(processes_that_share_our_files_are_left_alone),
		tree_test(only_a_regular_file_of_a_trusted_user_is_kept),
		tree_test(the_oldest_is_let_go),
		cmocka_unit_test(freeing_nothing_is_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
