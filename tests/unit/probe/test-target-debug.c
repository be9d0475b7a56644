/* SPDX-License-Identifier: MIT */
/* Alone: it has the functions of its file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include <sys/utsname.h>

#include "base/memory.h"
#include "symbol/buildid/debug-package.h"
#include "symbol/kernel-debug.h"
#include "symbol/kernel-symbols.h"
#include "symbol/source-find.h"
#include "symbol/symbolizer.h"

/* The results of the functions that this test replaces, and the arguments they were called with. */
static bool is_made;
static int made_result;
static const char *made_server, *made_command;
static struct kernel_request asked;
static struct symbolizer_options asked_options;

static int kernel_found(const struct kernel_request *r, struct elf_file **ret, char **ret_path)
{
	if (!is_made)
		return kernel_debug_find(r, ret, ret_path);
	asked = *r;
	asked_options = *r->options;
	*ret_path = made_result < 0 ? NULL : (char *)"/found/vmlinux";
	return made_result;
}

static int parts_found(struct image *im, struct source_parts *ret)
{
	if (!is_made)
		return source_parts_find(im, ret);
	*ret = (struct source_parts){ .path = (char *)"/found/file" };
	return 0;
}

static char *command_of(const char *path)
{
	return is_made ? (made_command ? xstrdup(made_command) : NULL)
		       : debug_package_command(path);
}

static const char *server_of(void)
{
	return is_made ? made_server : debug_package_server();
}

#define kernel_debug_find     kernel_found
#define source_parts_find     parts_found
#define debug_package_command command_of
#define debug_package_server  server_of
#include "probe/target-debug.c"
#undef kernel_debug_find
#undef source_parts_find
#undef debug_package_command
#undef debug_package_server

#include "elf/built-elf.h"
#include "made-target.h"
#include "symbol/scratch.h"

static struct probe_target *opened(const char *dir, const char *name, bool has_symbols)
{
	_cleanup_(freep) char *path = scratch_path(dir, name);
	struct probe_target *t = NULL;
	struct diag diag = { 0 };
	struct built_elf b;

	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123", 4);
	if (has_symbols)
		built_add_symbols(&b, SHT_SYMTAB,
				  (struct built_symbol[]){ { "f", b.sections[1].sh_addr, 4,
							     STB_GLOBAL, STT_FUNC, 1, 0 } },
				  1);
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_true(built_store(&b, path));
	if (probe_target_open(&(struct probe_target_options){ .program = path }, &t, &diag) != 0)
		fail_msg("%s", diag.message);
	return t;
}

static void explains(struct probe_target *t, const char *message, const char *hint)
{
	struct diag diag = { 0 };

	assert_int_equal(target_explain_no_debug(t, &diag), -ENODATA);
	assert_string_equal(diag.message, message);
	if (!hint)
		assert_null(diag.hint);
	else
		assert_non_null(strstr(diag.hint, hint));
	diag_done(&diag);
}

static void the_kernel_says_which_package_has_it(void **state)
{
	struct probe_target *t = made_kernel(&(struct probe_symbol){ .name = "x" }, 1);
	struct utsname host;

	(void)state;
	assert_int_equal(uname(&host), 0);

	_cleanup_(freep) char *hint =
		xasprintf("Install it: apt install linux-image-%s-dbg, or dnf debuginfo-install "
			  "kernel",
			  host.release);

	explains(t, "there is no debug information for this kernel", hint);
	explains(t, "there is no debug information for this kernel",
		 "Or name a vmlinux of this kernel: perf probe -k /path/to/vmlinux ...");
	t->kind = PROBE_MODULE;
	t->name = xstrdup("ext4");
	explains(t, "there is no debug information for the module ext4", hint);
	t->kind = PROBE_KERNEL;
	t->options.vmlinux = "/vmlinux";
	t->file = xstrdup("/vmlinux");
	explains(t, "the file /vmlinux has no debug information", NULL);
	probe_target_free(t);
}

static void a_program_of_no_package_is_to_be_compiled_anew(void **state)
{
	struct probe_target *t = opened(*state, "program", true);
	_cleanup_(freep) char *message = xasprintf("the file %s has no debug information", t->name);

	explains(t, message, "Compile it with -g, and do not strip it");
	probe_target_free(t);
}

static void only_stripped_programs_say_that_they_are(void **state)
{
	struct probe_target *t = opened(*state, "stripped", false);
	struct diag diag = { 0 };
	_cleanup_(freep) char *hint =
		xasprintf("%s is stripped: only its exported functions have names\nCompile it with "
			  "-g, and do not strip it",
			  t->name);

	probe_target_hint_stripped(t, &diag);
	assert_string_equal(diag.hint, hint);
	diag_done(&diag);
	diag = (struct diag){ 0 };
	/* A target with debug information has all names. */
	t->debug_state = 0;
	probe_target_hint_stripped(t, &diag);
	assert_null(diag.hint);
	t->debug_state = -ENODATA;
	t->kind = PROBE_MODULE;
	probe_target_hint_stripped(t, &diag);
	assert_null(diag.hint);
	probe_target_free(t);
	t = opened(*state, "program", true);
	probe_target_hint_stripped(t, &diag);
	assert_null(diag.hint);
	probe_target_free(t);
}

#define SCRATCH_TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

static void files_are_looked_for_by_kind(void **state)
{
	struct probe_target t = {
		.kind = PROBE_KERNEL,
		.id = { .size = 20, .bytes = { 9 } },
		.options = { .symfs = "/fs", .buildid_dir = "/ids", .vmlinux = "/vm" }
	};
	struct source_parts parts = { .path = (char *)"before" };
	struct utsname host;

	(void)state;
	is_made = true;
	made_result = 0;
	assert_int_equal(uname(&host), 0);
	assert_int_equal(target_find_debug(&t, &parts), 0);
	assert_string_equal(parts.path, "/found/vmlinux");
	assert_string_equal(asked_options.symfs, "/fs");
	assert_string_equal(asked_options.buildid_dir, "/ids");
	assert_string_equal(asked_options.vmlinux, "/vm");
	assert_int_equal(asked.build_id.size, 20);
	assert_int_equal(asked.build_id.bytes[0], 9);
	assert_non_null(asked.release);
	/* If no file is found, nothing changes. */
	parts.path = (char *)"before";
	made_result = -ENODATA;
	assert_int_equal(target_find_debug(&t, &parts), -ENODATA);
	assert_string_equal(parts.path, "before");
	t.kind = PROBE_MODULE;
	assert_int_equal(target_find_debug(&t, &parts), 0);
	assert_string_equal(parts.path, "/found/file");
	t.kind = PROBE_PROGRAM;
	parts.path = NULL;
	assert_int_equal(target_find_debug(&t, &parts), 0);
	assert_string_equal(parts.path, "/found/file");
	is_made = false;
}

static void packages_and_servers_are_named(void **state)
{
	static const struct {
		const char *command, *server, *hint;
	} all[] = {
		{ NULL, NULL, "Compile it with -g, and do not strip it" },
		{ NULL, "https://x", "Compile it with -g, and do not strip it" },
		{ "get it", NULL, "Its debug symbols: get it" },
		{ "get it", "https://x",
		  "Its debug symbols: get it\nOr set DEBUGINFOD_URLS=https://x to fetch them" },
	};

	(void)state;
	is_made = true;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };

		made_command = all[i].command;
		made_server = all[i].server;
		target_hint_package("/bin/x", &diag);
		assert_string_equal(diag.hint, all[i].hint);
	}
	for (int has = 0; has < 2; has++) {
		_cleanup_(diag_done) struct diag diag = { 0 };

		made_server = has ? "https://x" : NULL;
		hint_kernel(&diag);
		assert_int_equal(strstr(diag.hint,
					"\nOr set DEBUGINFOD_URLS=https://x to fetch it\n") != NULL,
				 has);
		assert_non_null(strstr(diag.hint, "Install it: apt install linux-image-"));
		assert_non_null(strstr(diag.hint,
				       "\nOr name a vmlinux of this kernel: perf probe -k "
				       "/path/to/vmlinux ..."));
	}
	is_made = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_looked_for_by_kind),
		cmocka_unit_test(packages_and_servers_are_named),
		cmocka_unit_test(the_kernel_says_which_package_has_it),
		SCRATCH_TEST(a_program_of_no_package_is_to_be_compiled_anew),
		SCRATCH_TEST(only_stripped_programs_say_that_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
