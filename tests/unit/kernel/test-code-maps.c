/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "fake-tree.h"
#include "kernel/code-maps.h"
#include "kernel/proc-task.h"

/* Takes the next executable map of the text; false: there is none. */
static bool next_code(const char **text, size_t *length, struct proc_map *ret)
{
	while (proc_maps_next(text, length, ret))
		if (ret->prot & PROT_EXEC)
			return true;
	return false;
}

static void assert_equal_maps(const struct proc_map *a, const struct proc_map *b)
{
	assert_int_equal(a->start, b->start);
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->pgoff, b->pgoff);
	assert_int_equal(a->prot, b->prot);
	assert_int_equal(a->flags, b->flags);
	assert_int_equal(a->maj, b->maj);
	assert_int_equal(a->min, b->min);
	assert_int_equal(a->ino, b->ino);
	assert_int_equal(a->name_length, b->name_length);
	assert_memory_equal(a->name, b->name, a->name_length);
}

/* Before Linux 6.11 the first answer is an error, and the text is read instead. */
static void the_kernel_answers_what_its_text_says(void **state)
{
	_cleanup_(code_maps_close) struct code_maps maps = { .fd = -1 };
	_cleanup_(proc_done) struct proc p;
	struct proc_map gate, of_text, asked;
	bool has_gate;
	const char *text;
	size_t length;
	int r;

	(void)state;
	proc_init(&p, "");
	has_gate = code_maps_gate(&p, &gate);
	assert_int_equal(code_maps_open(&p, getpid(), &maps), 0);
	assert_int_equal(proc_maps_read(&p, getpid(), &text, &length), 0);
	while ((r = code_maps_next(&maps, has_gate ? &gate : NULL, &asked)) > 0) {
		assert_true(next_code(&text, &length, &of_text));
		assert_equal_maps(&asked, &of_text);
	}
	if (r == 0)
		assert_false(next_code(&text, &length, &of_text));
	else
		assert_true(r == -ENOTTY || r == -ENOSYS);
}

static void a_file_cannot_be_asked(void **state)
{
	_cleanup_(code_maps_close) struct code_maps maps = { .fd = -1 };
	_cleanup_(proc_done) struct proc p;
	struct proc_map m;

	fake_file(*state, "proc/40/maps", "1000-2000 r-xp 00000000 00:00 7 /program\n");
	proc_init(&p, *state);
	assert_int_equal(code_maps_open(&p, 41, &maps), -ENOENT);
	assert_int_equal(code_maps_open(&p, 40, &maps), 0);
	int r = code_maps_next(&maps, NULL, &m);

	assert_true(r == -ENOTTY || r == -ENOSYS);
	assert_int_equal(maps.from, 0);
}

static void the_map_of_no_process_is_at_the_top(void **state)
{
	_cleanup_(proc_done) struct proc p;
	char path[64];
	struct proc_map m;

	snprintf(path, sizeof(path), "proc/%d/maps", (int)getpid());
	fake_file(*state, path, "1000-2000 r-xp 00000000 00:00 0 [vsyscall]\n");
	proc_init(&p, *state);
	assert_false(code_maps_gate(&p, &m));
	fake_file(*state, path,
		  "1000-2000 r-xp 00000000 00:00 0 [vdso]\n"
		  "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]\n");
	assert_true(code_maps_gate(&p, &m));
	assert_int_equal(m.start, 0xffffffffff600000);
	assert_string_equal(m.name, "[vsyscall]");
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernel_answers_what_its_text_says),
		IN_TREE(a_file_cannot_be_asked),
		IN_TREE(the_map_of_no_process_is_at_the_top),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
