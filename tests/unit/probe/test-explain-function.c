/* SPDX-License-Identifier: MIT */
/* Alone: it has the functions of its file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/file.h"
#include "kernel/tracefs.h"

/* A tracing directory and a list of exports made by the test; NULL: those of this machine. */
static const char *made_tracefs, *made_exports;

static int tracefs_open_made(const char *path, struct tracefs **ret, struct diag *diag)
{
	return tracefs_open(made_tracefs ? made_tracefs : path, ret, diag);
}

static int file_read_made(int dirfd, const char *path, size_t max, char **ret, size_t *ret_n)
{
	return file_read(dirfd, made_exports ? made_exports : path, max, ret, ret_n);
}

#define tracefs_open tracefs_open_made
#define file_read    file_read_made
#include "probe/explain-function.c"
#undef tracefs_open
#undef file_read

#include "made-target.h"
#include "symbol/scratch.h"

#define MODULE(name_, module_)                                                                     \
	{                                                                                          \
		.name = name_, .is_function = true, .module = module_ " rest",                     \
		.module_length = sizeof(module_) - 1                                               \
	}

static const struct probe_symbol symbols[] = {
	{ .name = "alpha_one", .is_function = true },
	{ .name = "alpha_two@V_1", .is_function = true },
	{ .name = "alpha_data" },
	MODULE("in_module", "some_module"),
	MODULE("in_module", "other_module"),
	MODULE("in_both", "some_module"),
	{ .name = "in_both", .is_function = true },
};

/* Checks the hint for the unknown function @name in a target of this kind. */
static void hints(enum probe_target_kind kind, const char *name, const char *expected)
{
	struct probe_target *t = made_kernel(symbols, ARRAY_SIZE(symbols));
	struct diag diag = { 0 };

	t->kind = kind;
	t->name = kind == PROBE_KERNEL ? NULL : xstrdup("target");
	explain_function(t, name, &diag);
	assert_string_equal(diag.hint ? diag.hint : "", expected);
	diag_done(&diag);
	probe_target_free(t);
}

static void similar_functions_are_named(void **state)
{
	(void)state;
	hints(PROBE_KERNEL, "alhpa_one", "Did you mean 'alpha_one'?");
	hints(PROBE_PROGRAM, "alhpa_one", "Did you mean 'alpha_one'?");
	hints(PROBE_MODULE, "alhpa_one", "Did you mean 'alpha_one'?");
}

static void else_it_says_how_to_list_them(void **state)
{
	(void)state;
	hints(PROBE_KERNEL, "zzzzzzzzzzzz", "perf probe -F lists the functions.");
	hints(PROBE_PROGRAM, "zzzzzzzzzzzz", "perf probe -F -x FILE lists the functions.");
	hints(PROBE_MODULE, "zzzzzzzzzzzz", "perf probe -F -m MODULE lists the functions.");
}

static void the_first_module_with_the_name_is_said(void **state)
{
	(void)state;
	hints(PROBE_KERNEL, "in_module", "The module some_module has it: -m some_module");
	hints(PROBE_KERNEL, "in_both", "The kernel itself has it: leave -m out");
	hints(PROBE_MODULE, "in_both", "The kernel itself has it: leave -m out");
}

/* Modules and tracepoints are those of the running kernel. */
static void a_kernel_that_does_not_run_has_only_names(void **state)
{
	struct probe_target *t = made_kernel(symbols, ARRAY_SIZE(symbols));
	struct diag diag = { 0 };

	(void)state;
	t->options.offline = true;
	t->options.vmlinux = "/vmlinux";
	explain_function(t, "in_module", &diag);
	assert_string_equal(diag.hint, "perf probe -F lists the functions.");
	diag_done(&diag);
	probe_target_free(t);
}

static void programs_have_no_modules(void **state)
{
	(void)state;
	hints(PROBE_PROGRAM, "in_module", "perf probe -F -x FILE lists the functions.");
}

static void a_name_that_is_wrong_replaces_the_error(void **state)
{
	struct probe_target *t = made_kernel(symbols, ARRAY_SIZE(symbols));
	struct diag diag = { 0 };

	(void)state;
	diag_set(&diag, -ENODATA, "no debug information");
	diag_hint(&diag, "install it");
	assert_true(explain_name(t, "alhpa_one", &diag));
	assert_string_equal(diag.message, "there is no function 'alhpa_one' in the kernel");
	assert_string_equal(diag.hint, "Did you mean 'alpha_one'?");
	t->kind = PROBE_MODULE;
	t->name = xstrdup("some_module");
	assert_true(explain_name(t, "alhpa_one", &diag));
	assert_string_equal(diag.message, "there is no function 'alhpa_one' in some_module");
	diag_done(&diag);
	probe_target_free(t);
}

static void a_name_that_is_there_or_a_glob_leaves_the_error(void **state)
{
	struct probe_target *t = made_kernel(symbols, ARRAY_SIZE(symbols));
	struct diag diag = { 0 };

	(void)state;
	diag_set(&diag, -ENODATA, "no debug information");
	assert_false(explain_name(t, "alpha_one", &diag));
	assert_false(explain_name(t, "zz*", &diag));
	assert_false(explain_name(t, NULL, &diag));
	/* If symbols cannot be read, no names are known. */
	t->kind = PROBE_PROGRAM;
	assert_false(explain_name(t, "alpha_two", &diag));
	assert_string_equal(diag.message, "no debug information");
	diag_done(&diag);
	probe_target_free(t);
}

static void make_event(const char *dir, const char *group, const char *name)
{
	_cleanup_(freep) char *command =
		xasprintf("mkdir -p %s/events/%s/%s && echo 7 >%s/events/%s/%s/id", dir, group,
			  name, dir, group, name);

	assert_int_equal(system(command), 0);
}

static void tracepoints_need_no_probe(void **state)
{
	_cleanup_(freep) char *none = xasprintf("%s/none", (char *)*state);
	static const char hint[] =
		"early_point is a tracepoint, which needs no probe: perf record -e "
		"bbb:early_point ...";

	make_event(*state, "aaa", "other");
	make_event(*state, "bbb", "early_point");
	make_event(*state, "ddd", "last");
	made_exports = none;
	made_tracefs = *state;
	hints(PROBE_KERNEL, "early_point", hint);
	hints(PROBE_MODULE, "early_point", hint);
	hints(PROBE_KERNEL, "late_point", "perf probe -F lists the functions.");
	hints(PROBE_PROGRAM, "early_point", "perf probe -F -x FILE lists the functions.");
	made_tracefs = none;
	hints(PROBE_KERNEL, "early_point", "perf probe -F lists the functions.");
	made_exports = made_tracefs = NULL;
}

static void modules_that_are_not_loaded_export_functions(void **state)
{
	_cleanup_(freep) char *exports = scratch_path(*state, "modules.symbols");

	scratch_write(exports, "# Aliases for symbols\nalias symbol:dm_hash dm_region_hash\n"
			       "alias symbol:dm_hash_destroy other_module\nalias symbol:last end");
	made_exports = exports;
	made_tracefs = *state;
	hints(PROBE_KERNEL, "dm_hash",
	      "The module dm_region_hash has it, which is not loaded: modprobe dm_region_hash");
	hints(PROBE_MODULE, "dm_hash_destroy",
	      "The module other_module has it, which is not loaded: modprobe other_module");
	hints(PROBE_KERNEL, "last", "The module end has it, which is not loaded: modprobe end");
	hints(PROBE_KERNEL, "dm_has", "perf probe -F lists the functions.");
	/* A module that is loaded is named, whatever the file of exports says. */
	scratch_write(exports, "alias symbol:in_module elsewhere\n");
	hints(PROBE_KERNEL, "in_module", "The module some_module has it: -m some_module");
	made_exports = made_tracefs = NULL;
}

static void exports_are_whole_lines(void **state)
{
	char *got = module_in_exports("alias symbol:ab one\nalias symbol:a two\n", "a");

	(void)state;
	assert_string_equal(got, "two");
	free(got);
	assert_null(module_in_exports("alias symbol:ab one\n", "a"));
	assert_null(module_in_exports("", "a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(similar_functions_are_named),
		cmocka_unit_test(else_it_says_how_to_list_them),
		cmocka_unit_test(the_first_module_with_the_name_is_said),
		cmocka_unit_test(a_kernel_that_does_not_run_has_only_names),
		cmocka_unit_test(programs_have_no_modules),
		cmocka_unit_test(a_name_that_is_wrong_replaces_the_error),
		cmocka_unit_test(a_name_that_is_there_or_a_glob_leaves_the_error),
		cmocka_unit_test_setup_teardown(tracepoints_need_no_probe, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(modules_that_are_not_loaded_export_functions,
						scratch_make, scratch_remove),
		cmocka_unit_test(exports_are_whole_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
