/* SPDX-License-Identifier: MIT */
/* Alone: it has the functions of its file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include <unistd.h>

#include "elf/debug-link.h"
#include "probe/target-symbols.h"
#include "symbol/symbolizer.h"

/* The list of symbols of a running kernel; NULL: that of this machine. */
static const char *made_list;
static int made_error;

static int read_list_made(struct target_symbols *l, const char *path, const char *module)
{
	assert_string_equal(path, "/proc/kallsyms");
	return made_error ? made_error
			  : target_symbols_read_list(l, made_list ? made_list : path, module);
}

/* Count the searches for files with the symbols of a program. */
static unsigned n_debug, n_within;

static int open_debug_counted(struct image *im, struct elf_file **ret)
{
	n_debug++;
	return image_open_debug(im, ret);
}

static int debug_data_counted(struct elf_file *f, struct elf_file **ret)
{
	n_within++;
	return elf_debug_data(f, ret);
}

#define target_symbols_read_list read_list_made
#define image_open_debug         open_debug_counted
#define elf_debug_data           debug_data_counted
#include "probe/target-functions.c"
#undef target_symbols_read_list
#undef image_open_debug
#undef elf_debug_data

#include "elf/built-elf.h"
#include "made-target.h"
#include "symbol/scratch.h"

/*
 * Stores a file with .init.text with one function, .text with another and a local label, and .data.
 */
static void store(const char *path, uint16_t type, uint8_t id, bool has_symbols)
{
	uint8_t bytes[20];
	struct built_elf b;

	memset(bytes, id, sizeof(bytes));
	built_begin(&b);
	built_add(&b, ".init.text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "01234567", 8);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "01234567", 8);
	built_add(&b, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, "01234567", 8);
	built_add_note(&b, ".note.gnu.build-id", "GNU", NT_GNU_BUILD_ID, bytes, sizeof(bytes));

	uint64_t init = type == ET_REL ? 0 : b.sections[1].sh_addr;
	uint64_t text = type == ET_REL ? 0 : b.sections[2].sh_addr;
	const struct built_symbol symbols[] = {
		{ "start", init, 8, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "work", text + 4, 4, STB_GLOBAL, STT_FUNC, 2, 0 },
		{ ".Llocal", text, 0, STB_LOCAL, STT_NOTYPE, 2, 0 },
		{ "number", 0, 8, STB_GLOBAL, STT_OBJECT, 3, 0 },
	};

	if (has_symbols)
		built_add_symbols(&b, SHT_SYMTAB, symbols, ARRAY_SIZE(symbols));
	built_end(&b, EM_AARCH64, type);
	assert_true(built_store(&b, path));
}

static struct probe_target *opened(const struct probe_target_options *o)
{
	struct probe_target *t = NULL;
	struct diag diag = { 0 };

	if (probe_target_open(o, &t, &diag) != 0)
		fail_msg("%s", diag.message);
	return t;
}

static void add_name(void *arg, const struct probe_symbol *s)
{
	strcat(arg, " ");
	strcat(arg, s->name);
}

static void has_functions(struct probe_target *t, const char *expected)
{
	struct diag diag = { 0 };
	char got[200] = "";

	if (probe_target_functions(t, NULL, add_name, got, &diag) < 0)
		fail_msg("%s", diag.message);
	assert_string_equal(got, expected);
	assert_null(diag.message);
}

static void of_a_program_all_symbols_are_read(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "program");

	store(path, ET_DYN, 1, true);

	struct probe_target *t = opened(&(struct probe_target_options){ .program = path });

	has_functions(t, " number start .Llocal work");
	probe_target_free(t);
}

/* The other sections are gone once the kernel has started. */
static void of_a_vmlinux_only_text_is_read(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "vmlinux");

	store(path, ET_EXEC, 1, true);

	struct probe_target *t = opened(&(struct probe_target_options){ .vmlinux = path });

	has_functions(t, " .Llocal work");
	probe_target_free(t);
}

static void of_a_file_of_a_module_all_but_local_labels_is_read(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "some.ko");

	store(path, ET_REL, 1, true);

	struct probe_target *t = opened(&(struct probe_target_options){ .module = path });
	char unused[200] = "";
	struct diag diag = { 0 };

	/* Sections must not overlap. */
	assert_true(probe_target_functions(t, NULL, add_name, unused, &diag) > 0);
	for (size_t i = 0; i < t->functions.n; i++) {
		const struct probe_symbol *s = &t->functions.items[i];

		if (!strcmp(s->name, "start"))
			assert_true(s->addr == 1ull << 40);
		if (!strcmp(s->name, "work"))
			assert_true(s->addr == (2ull << 40) + 4);
		assert_string_not_equal(s->name, ".Llocal");
	}
	probe_target_free(t);
	store(path, ET_DYN, 1, true);
	t = opened(&(struct probe_target_options){ .module = path });
	has_functions(t, " number start work");
	assert_true(t->functions.items[2].addr < 1ull << 40);
	probe_target_free(t);
}

/* The file of a loaded module shows which functions are in .text, if it is the same build. */
static void of_a_loaded_module_its_text_is_read(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "some.ko");

	store(path, ET_DYN, 1, true);

	struct probe_target *t = opened(&(struct probe_target_options){ .module = path });

	t->is_loaded = true;
	has_functions(t, " .Llocal work");
	probe_target_free(t);
}

static void a_module_that_was_built_anew_is_looked_up_in_the_kernel(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "no-such-module.ko");
	struct diag diag = { 0 };
	char got[200] = "";

	store(path, ET_DYN, 1, true);

	struct probe_target *t = opened(&(struct probe_target_options){ .module = path });

	t->is_loaded = true;
	t->id.bytes[0] ^= 1;
	assert_true(probe_target_functions(t, NULL, add_name, got, &diag) < 0);
	assert_string_equal(got, "");
	assert_null(strstr(diag.message, "stripped"));
	t->id.size = 0;
	t->functions_state = NOT_TRIED;
	assert_true(probe_target_functions(t, NULL, add_name, got, &diag) < 0);
	diag_done(&diag);
	probe_target_free(t);
}

static void a_file_without_symbols_is_stripped(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "program");
	_cleanup_(freep) char *message = xasprintf("the file %s has no symbols: it is stripped",
						   path);
	struct diag diag = { 0 };

	store(path, ET_DYN, 1, false);

	struct probe_target *t = opened(&(struct probe_target_options){ .program = path });

	assert_true(probe_target_functions(t, NULL, add_name, NULL, &diag) < 0);
	assert_string_equal(diag.message, message);
	assert_string_equal(diag.hint, "Compile it with -g, and do not strip it");
	probe_target_free(t);
	diag_done(&diag);
	diag = (struct diag){ 0 };
	t = opened(&(struct probe_target_options){ .vmlinux = path });
	assert_true(probe_target_functions(t, NULL, add_name, NULL, &diag) < 0);
	assert_string_equal(diag.message, message);
	assert_null(diag.hint);
	probe_target_free(t);
	diag_done(&diag);
}

static void addresses_that_are_hidden_are_told(void **state)
{
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(explain_hidden(-EPERM, &diag), -EPERM);
	assert_string_equal(diag.message, "the kernel hides the addresses of its symbols");
	assert_string_equal(diag.hint, geteuid() ? "Run as root, or: sysctl kernel.kptr_restrict=0 "
						   "kernel.perf_event_paranoid=1"
						 : "sysctl kernel.kptr_restrict=1");
	diag_done(&diag);
	diag = (struct diag){ 0 };
	assert_int_equal(explain_hidden(-ENOENT, &diag), -ENOENT);
	assert_string_equal(diag.message, "cannot read /proc/kallsyms: No such file or directory");
	assert_null(diag.hint);
	diag_done(&diag);
}

/* A kernel without a file, and a module whose file is not the one that was loaded. */
static void what_runs_is_read_from_its_list(void **state)
{
	_cleanup_(freep) char *list = scratch_path(*state, "kallsyms");
	struct probe_target kernel = { .kind = PROBE_KERNEL };
	struct probe_target module = { .kind = PROBE_MODULE,
				       .is_loaded = true,
				       .name = (char *)"some" };
	_cleanup_(diag_done) struct diag diag = { 0 };

	scratch_write(list, "ffff800000001000 T one\nffff800000002000 t two\n"
			    "ffff800000003000 t three\t[some]\n");
	made_list = list;
	assert_int_equal(target_read_functions(&kernel, &diag), 0);
	assert_true(kernel.functions.n >= 2);
	assert_int_equal(target_read_functions(&module, &diag), 0);
	assert_int_equal(module.functions.n, 1);
	assert_string_equal(module.functions.items[0].name, "three");
	assert_null(diag.message);
	made_error = -EPERM;
	assert_int_equal(target_read_functions(&kernel, &diag), -EPERM);
	assert_non_null(strstr(diag.message, "hides"));
	made_error = 0;
	made_list = NULL;
	target_symbols_done(&kernel.functions);
	target_symbols_done(&module.functions);
}

/*
 * The symbols of a program that has them are not searched for elsewhere; those of a stripped one
 * are searched for in both places.
 */
static void only_symbols_that_are_missing_are_looked_for(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "program");
	struct diag diag = { 0 };

	for (int has = 0; has < 2; has++) {
		struct probe_target *t;

		store(path, ET_DYN, 1, has);
		t = opened(&(struct probe_target_options){ .program = path });
		n_debug = n_within = 0;
		probe_target_functions(t, NULL, add_name, (char[200]){ 0 }, &diag);
		assert_int_equal(n_debug, !has);
		assert_int_equal(n_within, !has);
		probe_target_free(t);
		diag_done(&diag);
		diag = (struct diag){ 0 };
	}
}

#define SCRATCH_TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRATCH_TEST(of_a_program_all_symbols_are_read),
		SCRATCH_TEST(of_a_vmlinux_only_text_is_read),
		SCRATCH_TEST(of_a_file_of_a_module_all_but_local_labels_is_read),
		SCRATCH_TEST(of_a_loaded_module_its_text_is_read),
		SCRATCH_TEST(a_module_that_was_built_anew_is_looked_up_in_the_kernel),
		SCRATCH_TEST(a_file_without_symbols_is_stripped),
		cmocka_unit_test(addresses_that_are_hidden_are_told),
		SCRATCH_TEST(what_runs_is_read_from_its_list),
		SCRATCH_TEST(only_symbols_that_are_missing_are_looked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
