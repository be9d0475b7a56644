/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <sys/utsname.h>

#include "base/cleanup.h"
#include "capture/recorded-event.h"
#include "capture/synth-internal.h"
#include "kernel/fake-tree.h"
#include "records.h"

static const struct recorded_event both = { .name = "cycles" };
static const struct recorded_event user_only = { .attr.exclude_kernel = 1, .name = "cycles:u" };

static void the_kernel_map_names_its_reference_symbol(void **state)
{
	const struct synth_plan p = { .events = &both, .n_events = 1, .root = *state };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	fake_file(*state, "proc/kallsyms", "ffff800080010000 T _stext\n");
	synth_kernel(&p, &b);

	struct record r = record_at(&b, NULL, PERF_RECORD_MMAP, 0);
	assert_int_equal(r.header.misc, PERF_RECORD_MISC_KERNEL);
	assert_int_equal(r.mmap.pid, UINT32_MAX);
	assert_int_equal(r.mmap.tid, 0);
	assert_int_equal(r.mmap.addr, 0xffff800080010000);
	assert_int_equal(r.mmap.pgoff, 0xffff800080010000);
	assert_int_equal(r.mmap.len, UINT64_MAX - 0xffff800080010000);
	assert_string_equal(r.mmap.filename, "[kernel.kallsyms]_stext");
}

static void modules_follow_and_end_the_kernel_below_them(void **state)
{
	const struct synth_plan p = { .events = &both, .n_events = 1, .root = *state };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct utsname uts;
	char path[256];

	uname(&uts);
	snprintf(path, sizeof(path), "lib/modules/%s/modules.dep", uts.release);
	fake_file(*state, "proc/kallsyms", "ffffffff81000000 T _stext\n");
	fake_file(*state, "proc/modules",
		  "tun 61440 0 - Live 0xffffffffc0002000\nown 4096 0 - Live 0xffffffffc0001000\n");
	fake_file(*state, path, "kernel/net/tun.ko:\n");
	synth_kernel(&p, &b);

	struct record r = record_at(&b, NULL, PERF_RECORD_MMAP, 0);
	assert_int_equal(r.mmap.addr + r.mmap.len, 0xffffffffc0001000);
	r = record_at(&b, NULL, PERF_RECORD_MMAP, 1);
	assert_string_equal(r.mmap.filename, "[own]");
	assert_int_equal(r.mmap.pgoff, 0);
	r = record_at(&b, NULL, PERF_RECORD_MMAP, 2);
	assert_int_equal(r.mmap.len, 61440);
	snprintf(path, sizeof(path), "/lib/modules/%s/kernel/net/tun.ko", uts.release);
	assert_string_equal(r.mmap.filename, path);
}

static void with_build_ids_maps_are_of_the_second_kind(void **state)
{
	const struct synth_plan p = {
		.events = &both, .n_events = 1, .root = *state, .kernel_build_ids = true
	};
	_cleanup_(bytes_done) struct bytes b = { 0 };

	fake_file(*state, "proc/kallsyms", "ffff800080010000 T _stext\n");
	synth_kernel(&p, &b);

	struct record r = record_at(&b, NULL, PERF_RECORD_MMAP2, 0);
	assert_int_equal(r.mmap.prot, 0);
	if (r.header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		assert_int_equal(r.mmap.build_id.size, 20);
}

static void events_that_stay_in_user_space_need_no_kernel(void **state)
{
	const struct synth_plan p = { .events = &user_only, .n_events = 1, .root = *state };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	fake_file(*state, "proc/kallsyms", "ffff800080010000 T _stext\n");
	synth_kernel(&p, &b);
	assert_int_equal(b.n, 0);
}

static void a_kernel_that_hides_has_no_map(void **state)
{
	const struct synth_plan p = { .events = &both, .n_events = 1, .root = *state };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	fake_file(*state, "proc/kallsyms", "0000000000000000 T _stext\n");
	synth_kernel(&p, &b);
	assert_int_equal(b.n, 0);
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		tree_test(the_kernel_map_names_its_reference_symbol),
		tree_test(modules_follow_and_end_the_kernel_below_them),
		tree_test(with_build_ids_maps_are_of_the_second_kind),
		tree_test(events_that_stay_in_user_space_need_no_kernel),
		tree_test(a_kernel_that_hides_has_no_map),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
