/* SPDX-License-Identifier: MIT */
/* Tests the choice of the vmlinux that has the debug information of a kernel. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "dwarf/dwarf-elf.h"
#include "elf/build-id.h"
#include "elf/file.h"
#include "scratch.h"
#include "skip.h"
#include "symbol/kernel-debug.h"
#include "symbol/kernel-symbols.h"

static void store(const char *dir, const char *name, const char *id, bool with_dwarf)
{
	_cleanup_(freep) char *path = scratch_path(dir, name);
	struct built_elf b;

	built_begin(&b);
	if (with_dwarf)
		dwarf_add(&b, &(struct dwarf_change){ .depth = 0 });
	else
		built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123456789abcdef",
			  16);
	built_add_note(&b, ".note.gnu.build-id", "GNU", NT_GNU_BUILD_ID, id, 3);
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_true(built_store(&b, path));
}

/* Finds the vmlinux below @symfs for the build "abc". The caller frees its path. */
static int find(const char *symfs, const char *vmlinux, char **ret)
{
	struct symbolizer_options o = { .symfs = symfs, .vmlinux = vmlinux };
	struct kernel_request r = { .options = &o,
				    .release = "6.1.0",
				    .build_id = build_id_make("abc", 3) };
	struct elf_file *f = NULL;
	int e = kernel_debug_find(&r, &f, ret);

	elf_file_free(f);
	return e;
}

static void assert_found(const char *dir, const char *expected)
{
	_cleanup_(freep) char *path = NULL;

	assert_int_equal(find(dir, NULL, &path), 0);
	assert_string_equal(path + strlen(dir) + strspn(path + strlen(dir), "/"), expected);
}

static void the_first_with_debug_information_of_that_build_counts(void **state)
{
	const char *dir = *state;
	char *path;

	assert_int_equal(find(dir, NULL, &path), -ENODATA);
	store(dir, "boot/vmlinux-6.1.0", "abc", false);
	store(dir, "lib/modules/6.1.0/build/vmlinux", "xyz", true);
	assert_int_equal(find(dir, NULL, &path), -ENODATA);
	store(dir, "usr/lib/debug/.build-id/61/6263.debug", "abc", true);
	assert_found(dir, "usr/lib/debug/.build-id/61/6263.debug");
	store(dir, "usr/lib/debug/boot/vmlinux-6.1.0", "abc", true);
	assert_found(dir, "usr/lib/debug/boot/vmlinux-6.1.0");
}

static void the_one_that_the_user_names_is_not_questioned(void **state)
{
	const char *dir = *state;
	_cleanup_(freep) char *mine = scratch_path(dir, "mine");
	_cleanup_(freep) char *found = NULL;

	assert_int_equal(find(dir, mine, &found), -ENOENT);
	store(dir, "mine", "xyz", false);
	assert_int_equal(find(dir, mine, &found), -ENODATA);
	store(dir, "mine", "xyz", true);
	assert_int_equal(find(dir, mine, &found), 0);
	assert_string_equal(found, mine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			the_first_with_debug_information_of_that_build_counts, scratch_make,
			scratch_remove),
		cmocka_unit_test_setup_teardown(the_one_that_the_user_names_is_not_questioned,
						scratch_make, scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
