/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "capture/synth-internal.h"
#include "kernel/fake-tree.h"
#include "records.h"

static const char kallsyms[] = "ffffffff81000000 T _stext\nffffffff81000000 T _text\n"
			       "ffffffff81800000 T _etext\n";
static const char modules[] = "tun 61440 0 - Live 0xffffffffc0002000\n";

struct paths {
	char kallsyms[4096], modules[4096];
};

static struct synth_guests guests_of(const char *root, struct paths *p)
{
	snprintf(p->kallsyms, sizeof(p->kallsyms), "%s/kallsyms", root);
	snprintf(p->modules, sizeof(p->modules), "%s/modules", root);
	return (struct synth_guests){ .kallsyms = p->kallsyms, .modules = p->modules };
}

static void copies_tell_where_a_guest_lies(void **state)
{
	struct paths paths;
	const struct synth_guests g = guests_of(*state, &paths);
	const struct synth_plan p = { .guests = &g };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	fake_file(*state, "kallsyms", kallsyms);
	fake_file(*state, "modules", modules);
	synth_guest_kernels(&p, &b);

	struct record r = record_at(&b, NULL, PERF_RECORD_MMAP, 0);
	assert_int_equal(r.header.misc, PERF_RECORD_MISC_GUEST_KERNEL);
	assert_string_equal(r.mmap.filename, "[tun]");
	assert_int_equal(r.mmap.len, 61440);
	r = record_at(&b, NULL, PERF_RECORD_MMAP, 1);
	assert_int_equal(r.header.misc, PERF_RECORD_MISC_GUEST_KERNEL);
	assert_int_equal(r.mmap.pid, 0);
	assert_int_equal(r.mmap.addr, 0xffffffff81000000);
	assert_int_equal(r.mmap.pgoff, 0xffffffff81000000);
	assert_int_equal(r.mmap.len, 0x800000);
	assert_string_equal(r.mmap.filename, "[guest.kernel.kallsyms]_text");
}

static void mounted_guests_have_their_pid(void **state)
{
	const struct synth_guests g = { .mount = *state };
	const struct synth_plan p = { .guests = &g };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	fake_file(*state, "4242/proc/kallsyms", kallsyms);
	fake_file(*state, "0/proc/kallsyms", kallsyms);
	fake_file(*state, "99999999999/proc/kallsyms", kallsyms);
	fake_file(*state, "other/proc/kallsyms", kallsyms);
	synth_guest_kernels(&p, &b);

	struct record r = record_at(&b, NULL, PERF_RECORD_MMAP, 0);
	assert_int_equal(r.mmap.pid, 4242);
	assert_string_equal(r.mmap.filename, "[guest.kernel.kallsyms.4242]_text");
	assert_int_equal(b.n, r.header.size);
}

static void what_cannot_be_read_is_not_there(void **state)
{
	struct paths paths;
	struct synth_guests g = guests_of(*state, &paths);
	const struct synth_plan none = { 0 }, p = { .guests = &g };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	g.mount = "/nonexistent";
	synth_guest_kernels(&none, &b);
	synth_guest_kernels(&p, &b);
	fake_file(*state, "kallsyms", "0000000000000000 T _text\n");
	fake_file(*state, "modules", "tun nothing\n\n");
	synth_guest_kernels(&p, &b);
	assert_int_equal(b.n, 0);
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		tree_test(copies_tell_where_a_guest_lies),
		tree_test(mounted_guests_have_their_pid),
		tree_test(what_cannot_be_read_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
