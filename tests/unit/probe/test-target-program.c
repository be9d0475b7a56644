/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "target-opening.h"

static void a_program_is_opened_by_its_path(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "program");

	small_elf(path, EM_X86_64, ET_DYN, NULL, 0);

	struct probe_target *t = opened((struct probe_target_options){ .program = path });

	assert_int_equal(t->kind, PROBE_PROGRAM);
	assert_string_equal(t->name, path);
	assert_string_equal(t->file, path);
	assert_ptr_equal(t->arch, &arch_x86_64);
	assert_int_equal(t->id.size, 20);
	assert_non_null(t->image);
	probe_target_free(t);
}

/* Empty parts of $PATH are skipped, and the first directory that has the program counts. */
static void a_bare_name_is_looked_for_along_the_path(void **state)
{
	const char *dir = *state;
	_cleanup_(freep) char *first = scratch_path(dir, "one/probed-command");
	_cleanup_(freep) char *second = scratch_path(dir, "two/probed-command");
	_cleanup_(freep) char *only = scratch_path(dir, "two/only-there");
	_cleanup_(freep) char *path = xasprintf(":%s/none::%s/one:%s/two", dir, dir, dir);
	_cleanup_(freep) char *before = xstrdup(getenv("PATH"));
	struct probe_target *t;

	small_elf(first, EM_AARCH64, ET_EXEC, NULL, 0);
	small_elf(second, EM_AARCH64, ET_EXEC, NULL, 0);
	small_elf(only, EM_AARCH64, ET_EXEC, NULL, 0);
	setenv("PATH", path, 1);
	t = opened((struct probe_target_options){ .program = "probed-command" });
	assert_string_equal(t->name, first);
	probe_target_free(t);
	t = opened((struct probe_target_options){ .program = "only-there" });
	assert_string_equal(t->name, only);
	probe_target_free(t);
	not_opened((struct probe_target_options){ .program = "no-such-thing" }, -ENOENT,
		   "no file 'no-such-thing', here or along $PATH", NULL);
	unsetenv("PATH");
	not_opened((struct probe_target_options){ .program = "no-such-thing" }, -ENOENT,
		   "no file 'no-such-thing', here or along $PATH", NULL);
	setenv("PATH", before, 1);
}

/* The kernel itself follows the path, in the other namespace. */
static void a_path_of_a_process_stays_as_it_is(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "program");
	_cleanup_(freep) char *link = scratch_path(*state, "link");
	_cleanup_(freep) char *other = xasprintf("/proc/%d/root%s", getpid(), link);

	small_elf(path, EM_AARCH64, ET_DYN, NULL, 0);
	assert_int_equal(symlink(path, link), 0);

	struct probe_target *t = opened((struct probe_target_options){ .program = other });

	assert_string_equal(t->name, other);
	probe_target_free(t);
}

static void what_never_runs_is_refused(void **state)
{
	_cleanup_(freep) char *object = scratch_path(*state, "a.o");
	_cleanup_(freep) char *core = scratch_path(*state, "core");
	_cleanup_(freep) char *says_object = xasprintf("'%s' is an object file, which never runs",
						       object);
	_cleanup_(freep) char *says_core = xasprintf("'%s' is a core dump, which never runs", core);

	small_elf(object, EM_AARCH64, ET_REL, NULL, 0);
	small_elf(core, EM_AARCH64, ET_CORE, NULL, 0);
	not_opened((struct probe_target_options){ .program = object }, -ENOEXEC, says_object, NULL);
	not_opened((struct probe_target_options){ .program = core }, -ENOEXEC, says_core, NULL);
}

static void what_is_no_program_is_refused(void **state)
{
	const char *dir = *state;
	_cleanup_(freep) char *text = scratch_path(dir, "text");
	_cleanup_(freep) char *missing = scratch_path(dir, "missing");
	_cleanup_(freep) char *no_elf =
		xasprintf("'%s' is not a program or library: it is not an ELF file", text);
	_cleanup_(freep) char *no_file = xasprintf("no file '%s'", missing);
	_cleanup_(freep) char *folder = xasprintf("'%s' is a directory, not a program or library",
						  dir);
	_cleanup_(freep) char *below = xasprintf("%s/x", text);
	_cleanup_(freep) char *not_below = xasprintf("cannot read '%s': Not a directory", below);

	scratch_write(text, "#!/bin/sh\n");
	not_opened((struct probe_target_options){ .program = text }, -ENOEXEC, no_elf, NULL);
	not_opened((struct probe_target_options){ .program = missing }, -ENOENT, no_file, NULL);
	not_opened((struct probe_target_options){ .program = dir }, -EISDIR, folder, NULL);
	not_opened((struct probe_target_options){ .program = below }, -ENOTDIR, not_below, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRATCH_TEST(a_program_is_opened_by_its_path),
		SCRATCH_TEST(a_bare_name_is_looked_for_along_the_path),
		SCRATCH_TEST(a_path_of_a_process_stays_as_it_is),
		SCRATCH_TEST(what_never_runs_is_refused),
		SCRATCH_TEST(what_is_no_program_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
