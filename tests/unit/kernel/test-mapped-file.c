/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "kernel/mapped-file.h"
#include "real-files.h"
#include "skip.h"

static struct mapping mapping_of(const struct real_process *p, const char *path, struct file_id id)
{
	uint64_t start = (uintptr_t)p->map;

	return (struct mapping){
		.pid = p->pid, .path = path, .start = start, .end = start + 4096, .file = id
	};
}

static void a_file_at_its_path_is_taken(void **state)
{
	_cleanup_(freep) char *path = real_file(*state, "x", "one"), *found = NULL;
	const struct mapping m = { .path = path, .file = real_id(path) };

	assert_true(real_begins(mapped_file_open(&m, &found), "one"));
	assert_string_equal(found, path);
}

static void another_file_at_the_path_is_not_taken(void **state)
{
	_cleanup_(freep) char *kept = real_file(*state, "kept", "one");
	_cleanup_(freep) char *path = real_file(*state, "x", "two");
	const struct mapping m = { .path = path, .file = real_id(kept) };

	assert_int_equal(mapped_file_open(&m, NULL), -ESTALE);
}

static void the_same_number_on_another_device_is_another_file(void **state)
{
	_cleanup_(freep) char *path = real_file(*state, "x", "one");
	struct mapping m = { .path = path, .file = real_id(path) };
	_cleanup_(closep) int fd = open(path, O_RDONLY);

	m.file.min++;
	/* On some file systems the device number does not identify the file. */
	if (file_match(fd, &m.file) == FILE_MATCH_OTHER)
		assert_int_equal(mapped_file_open(&m, NULL), -ESTALE);
}

static void a_path_that_leads_nowhere_is_no_file(void **state)
{
	const struct mapping gone = { .path = "/nowhere/x", .file = { 8, 1, 6, 0 } };
	const struct mapping relative = { .path = "anon_inode:x", .file = { 8, 1, 6, 0 } };

	(void)state;
	assert_int_equal(mapped_file_open(&gone, NULL), -ENOENT);
	assert_int_equal(mapped_file_open(&relative, NULL), -ENOENT);
}

static void a_device_is_not_opened(void **state)
{
	const struct mapping m = { .path = "/dev/null" };

	(void)state;
	assert_int_equal(mapped_file_open(&m, NULL), -EINVAL);
}

static void what_is_not_known_of_a_file_is_not_compared(void **state)
{
	_cleanup_(freep) char *path = real_file(*state, "x", "one");
	const struct mapping m = { .path = path };

	assert_true(real_begins(mapped_file_open(&m, NULL), "one"));
}

static void a_replaced_file_is_found_through_its_process(void **state)
{
	_cleanup_(freep) char *path = real_file(*state, "x", "one");
	struct file_id id = real_id(path);
	struct real_process p = real_process_begin(path, NULL, NULL);
	struct mapping m = mapping_of(&p, path, id);
	_cleanup_(freep) char *again = real_file(*state, "x", "two");
	/* Only root may follow the links in map_files. */
	bool found = real_begins(mapped_file_open(&m, NULL), "one");

	real_process_end(&p);
	if (geteuid() == 0)
		assert_true(found);
	assert_int_equal(mapped_file_open(&m, NULL), -ESTALE);
}

static void a_file_in_a_container_is_found_through_its_process(void **state)
{
	const char *dir = *state;
	_cleanup_(freep) char *inside = xasprintf("%s/in", dir), *over = xasprintf("%s/on", dir);

	mkdir(inside, 0755);
	mkdir(over, 0755);

	_cleanup_(freep) char *there = real_file(inside, "x", "inside");
	_cleanup_(freep) char *path = real_file(over, "x", "outside"), *found = NULL;
	struct real_process p = real_process_begin(path, inside, over);
	struct mapping m = mapping_of(&p, path, real_id(there));

	if (!p.map) {
		real_process_end(&p);
		skip_because("processes have no maps here");
	}
	m.end = 0; /* without its map, by the path that the process sees */
	assert_true(real_begins(mapped_file_open(&m, &found), "inside"));
	assert_non_null(strstr(found, "/root/"));
	real_process_end(&p);
	assert_int_equal(mapped_file_open(&m, NULL), -ESTALE);
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		tree_test(a_file_at_its_path_is_taken),
		tree_test(another_file_at_the_path_is_not_taken),
		tree_test(the_same_number_on_another_device_is_another_file),
		tree_test(a_path_that_leads_nowhere_is_no_file),
		tree_test(a_device_is_not_opened),
		tree_test(what_is_not_known_of_a_file_is_not_compared),
		tree_test(a_replaced_file_is_found_through_its_process),
		tree_test(a_file_in_a_container_is_found_through_its_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
