/* SPDX-License-Identifier: MIT */
/* Tests targets: programs, a vmlinux that does not run here, and files of modules. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "example-program.h"
#include "probe/probe-target.h"
#include "probe/trace-probe.h"
#include "skip.h"
#include "symbol/scratch.h"

static int try_open(const struct probe_target_options *o, struct probe_target **ret, char **message)
{
	struct diag d = { 0 };
	int r = probe_target_open(o, ret, &d);

	*message = d.message;
	free(d.excerpt);
	free(d.hint);
	return r;
}

static struct probe_target *open_target(const struct probe_target_options *o)
{
	struct probe_target *t = NULL;
	_cleanup_(freep) char *message = NULL;

	assert_int_equal(try_open(o, &t, &message), 0);
	return t;
}

static void assert_refused(const struct probe_target_options *o, int error, const char *words)
{
	struct probe_target *t = NULL;
	_cleanup_(freep) char *message = NULL;

	assert_int_equal(try_open(o, &t, &message), error);
	assert_null(t);
	assert_non_null(strstr(message, words));
}

static void what_is_no_program_says_what_it_is(void **state)
{
	const char *dir = *state;
	_cleanup_(freep) char *text = scratch_path(dir, "text");
	_cleanup_(freep) char *missing = scratch_path(dir, "missing");

	scratch_write(text, "#!/bin/sh\n");
	assert_refused(&(struct probe_target_options){ .program = text }, -ENOEXEC,
		       "not an ELF file");
	assert_refused(&(struct probe_target_options){ .program = dir }, -EISDIR, "is a directory");
	assert_refused(&(struct probe_target_options){ .program = missing }, -ENOENT, "no file");
	assert_refused(&(struct probe_target_options){ .program = "no-such-command-at-all" },
		       -ENOENT, "along $PATH");
}

static void a_program_goes_by_its_real_path(void **state)
{
	const char *dir = *state;
	_cleanup_(freep) char *path = scratch_path(dir, "program");
	_cleanup_(freep) char *link = scratch_path(dir, "link");

	assert_true(example_program(path, EM_X86_64));
	assert_int_equal(symlink(path, link), 0);

	struct probe_target *t = open_target(&(struct probe_target_options){ .program = link });

	assert_int_equal(probe_target_kind(t), PROBE_PROGRAM);
	assert_string_equal(probe_target_name(t), path);
	assert_ptr_equal(probe_target_arch(t), &arch_x86_64);
	assert_false(probe_target_is_offline(t));
	probe_target_free(t);
}

static void addresses_go_both_ways(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "program");
	struct target_point point;
	struct probe_symbol s;
	struct diag d = { 0 };
	uint64_t addr;

	unsigned text = example_program(path, EM_AARCH64);
	struct probe_target *t = open_target(&(struct probe_target_options){ .program = path });

	assert_int_equal(probe_target_point(t, BUILT_BASE + text + 16, true, &point, &d), 0);
	assert_int_equal(point.offset, text + 16);
	assert_null(point.symbol);

	struct trace_probe p = { .is_user = true, .offset = point.offset };

	assert_true(probe_target_address(t, &p, &addr));
	assert_int_equal(addr, BUILT_BASE + text + 16);
	assert_true(probe_target_symbol(t, addr + 4, &s));
	assert_string_equal(s.name, "second@@V_2");
	assert_int_equal(probe_target_point(t, 1, true, &point, &d), -EINVAL);
	diag_done(&d);
	probe_target_free(t);
}

static void without_debug_information_the_hint_says_what_to_do(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "program");
	struct debug_info *info;
	struct diag d = { 0 };

	assert_true(example_program(path, EM_AARCH64));

	struct probe_target *t = open_target(&(struct probe_target_options){ .program = path });

	assert_int_equal(probe_target_debug(t, &info, &d), -ENODATA);
	assert_non_null(strstr(d.message, "has no debug information"));
	assert_non_null(strstr(d.hint, "-g"));
	diag_done(&d);
	probe_target_free(t);
}

static void take_name(void *arg, const struct probe_symbol *s)
{
	const char **name = arg;

	*name = s->name;
}

/* The machine of the file decides, and only its .text can be probed. */
static void a_vmlinux_of_another_machine_is_read(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "vmlinux");
	const char *name = NULL;
	struct diag d = { 0 };

	assert_true(example_program(path, EM_X86_64));

	struct probe_target *t =
		open_target(&(struct probe_target_options){ .vmlinux = path, .offline = true });

	assert_int_equal(probe_target_kind(t), PROBE_KERNEL);
	assert_null(probe_target_name(t));
	assert_ptr_equal(probe_target_arch(t), &arch_x86_64);
	assert_true(probe_target_is_offline(t));
	assert_int_equal(probe_target_functions(t, "first", take_name, &name, &d), 1);
	assert_string_equal(name, "first");
	assert_int_equal(probe_target_functions(t, "number", take_name, &name, &d), 0);
	diag_done(&d);
	probe_target_free(t);
}

static void a_file_of_a_module_goes_by_its_name(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "dm-region-hash.ko.debug");
	struct target_point point;
	struct diag d = { 0 };

	unsigned text = example_program(path, EM_AARCH64);
	struct probe_target *t = open_target(&(struct probe_target_options){ .module = path });

	assert_int_equal(probe_target_kind(t), PROBE_MODULE);
	assert_string_equal(probe_target_name(t), "dm_region_hash");
	assert_int_equal(probe_target_functions(t, "first", take_name, &(const char *){ NULL }, &d),
			 1);
	assert_int_equal(probe_target_point(t, BUILT_BASE + text + 20, false, &point, &d), 0);
	assert_string_equal(point.symbol, "second@@V_2");
	assert_int_equal(point.offset, 4);
	diag_done(&d);
	probe_target_free(t);
}

static void a_module_that_is_not_there_is_named(void **state)
{
	(void)state;
	assert_refused(&(struct probe_target_options){ .module = "no_such_module" }, -ENOENT,
		       "'no_such_module'");
}

#define SCRATCH_TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRATCH_TEST(what_is_no_program_says_what_it_is),
		SCRATCH_TEST(a_program_goes_by_its_real_path),
		SCRATCH_TEST(addresses_go_both_ways),
		SCRATCH_TEST(without_debug_information_the_hint_says_what_to_do),
		SCRATCH_TEST(a_vmlinux_of_another_machine_is_read),
		SCRATCH_TEST(a_file_of_a_module_goes_by_its_name),
		cmocka_unit_test(a_module_that_is_not_there_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
