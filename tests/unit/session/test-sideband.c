/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "session/machine.h"
#include "session/sideband.h"
#include "session/space.h"
#include "symbol/symbolizer.h"
#include "wire/record.h"

static struct machine machine;

static int set_up(void **state)
{
	(void)state;
	machine_init(&machine, NULL);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	machine_done(&machine);
	return 0;
}

static struct record mmap_of(uint32_t type, uint16_t misc, uint32_t pid, const char *name)
{
	return (struct record){ .header = { .type = type, .misc = misc },
				.mmap = { .pid = pid,
					  .tid = pid,
					  .addr = 0x10000,
					  .len = 0x1000,
					  .pgoff = 0x2000,
					  .prot = 5,
					  .flags = 2,
					  .filename = name } };
}

static const struct map *user_map(uint32_t pid)
{
	struct moment at = moment_after(0);

	return space_find(tasks_space(&machine.tasks, pid, at, NULL), 0x10000, at);
}

static void only_what_changes_the_machine_matters(void **state)
{
	(void)state;
	assert_true(sideband_matters(PERF_RECORD_MMAP));
	assert_true(sideband_matters(PERF_RECORD_MMAP2));
	assert_true(sideband_matters(PERF_RECORD_COMM));
	assert_true(sideband_matters(PERF_RECORD_FORK));
	assert_true(sideband_matters(PERF_RECORD_KSYMBOL));
	assert_true(sideband_matters(PERF_RECORD_CGROUP));
	assert_false(sideband_matters(PERF_RECORD_SAMPLE));
	assert_false(sideband_matters(PERF_RECORD_EXIT));
	assert_false(sideband_matters(0));
	assert_false(sideband_matters(UINT32_MAX));
}

static void other_records_are_ignored(void **state)
{
	struct record r = { .header.type = PERF_RECORD_EXIT, .task = { .pid = 7, .tid = 7 } };

	(void)state;
	sideband_apply(&machine, &r, 5);
	assert_null(tasks_comm(&machine.tasks, 7, moment_after(0), NULL));
	assert_int_equal(machine.turn, 0);
}

static struct image *image_of_file(uint32_t pid, uint64_t ino, uint64_t generation)
{
	struct record r = mmap_of(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, pid, "/bin/x");

	r.mmap.maj = 8;
	r.mmap.ino = ino;
	r.mmap.ino_generation = generation;
	sideband_apply(&machine, &r, 0);
	return user_map(pid)->image;
}

static void two_files_of_one_path_are_two_images(void **state)
{
	struct image *first = image_of_file(7, 100, 0);

	(void)state;
	assert_ptr_equal(image_of_file(8, 100, 55), first);
	assert_ptr_not_equal(image_of_file(9, 200, 0), first);
	assert_int_equal(image_file_id(first)->ino, 100);
}

static void a_file_that_inject_made_is_known_by_its_path_alone(void **state)
{
	(void)state;
	assert_int_equal(image_file_id(image_of_file(7, 100, 1))->ino, 0);
}

static void a_map_has_what_its_record_says(void **state)
{
	struct record r = mmap_of(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 7, "/bin/x");
	const struct map *m;

	(void)state;
	r.mmap.build_id = (struct build_id){ .bytes = { 0xab }, .size = 20 };
	sideband_apply(&machine, &r, 5);
	m = user_map(7);
	assert_int_equal(m->start, 0x10000);
	assert_int_equal(m->end, 0x11000);
	assert_int_equal(m->pgoff, 0x2000);
	assert_int_equal(m->prot, 5);
	assert_int_equal(m->flags, 2);
	assert_string_equal(m->name, "/bin/x");
	assert_int_equal(image_build_id(m->image)->bytes[0], 0xab);
	assert_int_equal(image_kind(m->image), IMAGE_USER);
}

static void code_made_at_run_time_belongs_to_its_process(void **state)
{
	struct record r = mmap_of(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 7, "//anon");

	(void)state;
	sideband_apply(&machine, &r, 5);
	r.mmap.pid = 8;
	sideband_apply(&machine, &r, 5);
	assert_ptr_not_equal(user_map(7)->image, user_map(8)->image);
	assert_int_equal(image_kind(user_map(7)->image), IMAGE_JIT);
}

/* Old recorders gave the kernel's map no mode, only the pid -1. */
static void the_kernel_is_told_by_mode_or_pid(void **state)
{
	static const uint16_t modes[] = { PERF_RECORD_MISC_KERNEL, 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		struct record r = mmap_of(PERF_RECORD_MMAP, modes[i], UINT32_MAX,
					  i ? "[kernel.kallsyms]_stext" : "[kernel.kallsyms]");

		sideband_apply(&machine, &r, 0);
		assert_string_equal(machine.host.text->name, r.mmap.filename);
		assert_string_equal(image_name(machine.host.text->image), "[kernel.kallsyms]");
	}
	assert_null(tasks_space(&machine.tasks, UINT32_MAX, moment_after(0), NULL));
}

static void a_module_whose_place_is_hidden_is_left_out(void **state)
{
	struct record r = mmap_of(PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, UINT32_MAX, "[m]");

	(void)state;
	r.mmap.addr = 0;
	sideband_apply(&machine, &r, 0);
	assert_int_equal(machine.host.modules->top.n, 0);
	r.mmap.addr = 0x10000;
	sideband_apply(&machine, &r, 0);
	assert_int_equal(machine.host.modules->top.n, 1);
}

static void a_thread_shares_its_process_s_maps(void **state)
{
	struct record r = mmap_of(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 7, "/bin/x");
	struct record fork = { .header.type = PERF_RECORD_FORK,
			       .task = { .pid = 7, .ppid = 7, .tid = 8, .ptid = 7 } };

	(void)state;
	sideband_apply(&machine, &fork, 1);
	sideband_apply(&machine, &r, 2);
	assert_non_null(user_map(7));
	assert_null(tasks_space(&machine.tasks, 8, moment_after(0), NULL));
}

#define MACHINE_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_changes_the_machine_matters),
		MACHINE_TEST(other_records_are_ignored),
		MACHINE_TEST(a_file_that_inject_made_is_known_by_its_path_alone),
		MACHINE_TEST(two_files_of_one_path_are_two_images),
		MACHINE_TEST(a_map_has_what_its_record_says),
		MACHINE_TEST(code_made_at_run_time_belongs_to_its_process),
		MACHINE_TEST(the_kernel_is_told_by_mode_or_pid),
		MACHINE_TEST(a_module_whose_place_is_hidden_is_left_out),
		MACHINE_TEST(a_thread_shares_its_process_s_maps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
