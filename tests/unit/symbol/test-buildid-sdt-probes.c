/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>

#include "base/cleanup.h"
#include "elf/built-elf.h"
#include "scratch.h"
#include "symbol/buildid/sdt-probes.h"

/*
 * Stores a program with two probes of one name, and one whose name is not a word. Returns the
 * offset of the first.
 */
static uint64_t store_program(const char *path)
{
	static const char *const strings[] = { "prov\0name\0008@x0", "prov\0name\0008@x1",
					       "prov\0na me\000" };
	static const size_t sizes[] = { 15, 15, 12 };
	struct built_elf b;

	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123456789abcdef", 16);
	built_add_markers(&b, strings, sizes, 3);
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_true(built_store(&b, path));
	return b.sections[1].sh_offset;
}

/* Returns the contents of the file `probes` in @dir. The caller frees them. */
static char *stored(const char *dir)
{
	_cleanup_(freep) char *path = xasprintf("%s/probes", dir);
	char *text = NULL;

	assert_int_equal(file_read(AT_FDCWD, path, 1 << 20, &text, NULL), 0);
	return text;
}

static void places_of_one_name_are_together(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "program");
	unsigned at = (unsigned)store_program(path);
	_cleanup_(freep) char *expected = xasprintf("%%sdt_prov:name=name\n"
						    "p:sdt_prov/name /bin/x:0x%x arg1=%%x0:u64\n"
						    "p:sdt_prov/name /bin/x:0x%x arg1=%%x1:u64\n",
						    at, at + 4);

	assert_int_equal(sdt_probes_store(*state, "/bin/x", path), 0);

	_cleanup_(freep) char *text = stored(*state);

	assert_string_equal(text, expected);
}

static void a_copy_under_another_path_has_places_of_its_own(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "program");
	_cleanup_(freep) char *probes = scratch_path(*state, "probes");
	unsigned at = (unsigned)store_program(path);
	_cleanup_(freep) char *expected = xasprintf("#mine\n"
						    "p:probe_x/mine /bin/x:0x8\n"
						    "%%sdt_prov:name=name\n"
						    "p:sdt_prov/name /bin/x:0x%x arg1=%%x0:u64\n"
						    "p:sdt_prov/name /bin/x:0x%x arg1=%%x1:u64\n"
						    "p:sdt_prov/name /bin/y:0x%x arg1=%%x0:u64\n"
						    "p:sdt_prov/name /bin/y:0x%x arg1=%%x1:u64\n",
						    at, at + 4, at, at + 4);

	scratch_write(probes, "lost\n#mine\np:probe_x/mine /bin/x:0x8");
	assert_int_equal(sdt_probes_store(*state, "/bin/x", path), 0);
	assert_int_equal(sdt_probes_store(*state, "/bin/y", path), 0);
	assert_int_equal(sdt_probes_store(*state, "/bin/x", path), 0);

	_cleanup_(freep) char *text = stored(*state);

	assert_string_equal(text, expected);
}

static void a_file_without_probes_has_an_empty_list(void **state)
{
	assert_int_equal(sdt_probes_store(*state, "[vdso]", NULL), 0);

	_cleanup_(freep) char *text = stored(*state);

	assert_string_equal(text, "");
}

static void a_path_that_the_kernel_cannot_read_gives_none(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "program");

	store_program(path);
	assert_int_equal(sdt_probes_store(*state, "/bin/with blank", path), 0);

	_cleanup_(freep) char *text = stored(*state);

	assert_string_equal(text, "");
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(places_of_one_name_are_together),
		IN_SCRATCH(a_copy_under_another_path_has_places_of_its_own),
		IN_SCRATCH(a_file_without_probes_has_an_empty_list),
		IN_SCRATCH(a_path_that_the_kernel_cannot_read_gives_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
