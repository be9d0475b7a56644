/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "fake-tree.h"
#include "kernel/probe-refusal.h"
#include "kernel/tracefs.h"

#define KALLSYMS                                                                                   \
	"ffff800008000000 T _text\n"                                                               \
	"ffff800008010000 T _stext\n"                                                              \
	"ffff800008010100 t notify_die\n"                                                          \
	"ffff800008010200 T vfs_read\n"                                                            \
	"ffff800008010200 D a_table\n"                                                             \
	"ffff800008010300 T rcu_nmi_enter\n"                                                       \
	"ffff800008020000 T _etext\n"                                                              \
	"ffff800008030000 T start_kernel\n"                                                        \
	"ffff800001230000 t lo_ioctl\t[loop]\n"                                                    \
	"ffff800001230000 t lo_ioctl\n"

static struct probe_refusal gather(void **state, const char *line)
{
	struct diag d = { 0 };
	_cleanup_(tracefs_freep) struct tracefs *t = NULL;
	_cleanup_(freep) char *tracing = xasprintf("%s/tracing", (char *)*state);
	_cleanup_(refusal_texts_done) struct refusal_texts texts = { 0 };
	struct probe_refusal r = { .line = line };

	fake_file(*state, "tracing/events/x/y/id", "1\n");
	fake_file(*state, "tracing/error_log", "some text\n");
	fake_file(*state, "tracing/available_filter_functions",
		  "vfs_readv\nvfs_read\nnotify_die\nstart_kernel\nlo_ioctl [loop]\n");
	fake_file(*state, "proc/kallsyms", KALLSYMS);
	fake_file(*state, "sys/kernel/debug/kprobes/blacklist",
		  "0xffff800008010100-0xffff800008010180\tnotify_die\nnonsense\n");
	fake_file(*state, "sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	assert_int_equal(tracefs_open(tracing, &t, &d), 0);
	probe_refusal_gather(t, *state, &texts, &r);
	return r;
}

static void a_place_far_behind_a_symbol_is_in_a_function(void **state)
{
	_cleanup_(probe_refusal_done) struct probe_refusal r = gather(state,
								      "p:probe/x _stext+520 a=%x0");

	assert_string_equal(r.function, "vfs_read");
	assert_int_equal(r.offset, 8);
	assert_true(r.is_code);
	assert_false(r.is_untraced);
	assert_null(r.blacklisted);
	assert_false(r.is_locked_down);
	assert_string_equal(r.log, "some text\n");
}

static void the_blacklist_is_by_address(void **state)
{
	_cleanup_(probe_refusal_done) struct probe_refusal r = gather(state,
								      "p:probe/x _text+65888");

	assert_string_equal(r.blacklisted, "notify_die");
}

static void what_the_function_tracer_lacks_is_known(void **state)
{
	_cleanup_(probe_refusal_done) struct probe_refusal r = gather(state, "p:k/a rcu_nmi_enter");

	assert_string_equal(r.function, "rcu_nmi_enter");
	assert_true(r.is_untraced);
}

static void code_of_the_start_is_no_longer_there(void **state)
{
	_cleanup_(probe_refusal_done) struct probe_refusal r = gather(state,
								      "p:k/a start_kernel+4");

	assert_string_equal(r.function, "start_kernel");
	assert_false(r.is_code);
}

static void modules_and_addresses_are_found(void **state)
{
	_cleanup_(probe_refusal_done) struct probe_refusal module =
		gather(state, "r:k/a loop:lo_ioctl+0 $retval");
	_cleanup_(probe_refusal_done) struct probe_refusal addr =
		gather(state, "p:k/a 0xffff800008010204");

	assert_string_equal(module.function, "lo_ioctl");
	assert_true(module.is_code);
	assert_string_equal(addr.function, "vfs_read");
	assert_int_equal(addr.offset, 4);
}

static void what_is_not_found_keeps_its_name(void **state)
{
	_cleanup_(probe_refusal_done) struct probe_refusal r = gather(state, "p:k/a nosuch+4");
	_cleanup_(probe_refusal_done) struct probe_refusal bare = gather(state, "p:k/a");

	assert_string_equal(r.function, "nosuch");
	assert_int_equal(r.offset, 4);
	assert_true(r.is_code);
	assert_string_equal(bare.function, "");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_place_far_behind_a_symbol_is_in_a_function),
		TEST(the_blacklist_is_by_address),
		TEST(what_the_function_tracer_lacks_is_known),
		TEST(code_of_the_start_is_no_longer_there),
		TEST(modules_and_addresses_are_found),
		TEST(what_is_not_found_keeps_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
