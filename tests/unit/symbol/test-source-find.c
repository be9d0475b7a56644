/* SPDX-License-Identifier: MIT */
/* Tests the search for the debug information of an image. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf/dwarf-elf.h"
#include "scratch.h"
#include "symbol/source.h"
#include "symbol/symbolizer.h"

#define TEXT ((sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + 15) & ~(size_t)15)

enum parts {
	PARTS_CODE = 1 << 0,
	PARTS_DWARF = 1 << 1,
};

/* Stores a file of the build @id, three bytes, with @parts, and a symbol _text if @symbol. */
static void store(const char *dir, const char *name, const char *id, unsigned parts, bool symbol)
{
	_cleanup_(freep) char *path = scratch_path(dir, name);
	struct built_elf b;

	built_begin(&b);
	if (parts & PARTS_DWARF)
		dwarf_add(&b, &(struct dwarf_change){ .depth = 0 });
	else
		built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123456789abcdef",
			  16);
	if (!(parts & PARTS_CODE))
		b.sections[1].sh_type = SHT_NOBITS;
	built_add_note(&b, ".note.gnu.build-id", "GNU", NT_GNU_BUILD_ID, id, 3);
	if (symbol)
		built_add_symbols(&b, SHT_SYMTAB,
				  &(struct built_symbol){ "_text", b.sections[1].sh_addr, 0x80,
							  STB_GLOBAL, STT_FUNC, 1, 0 },
				  1);
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_true(built_store(&b, path));
}

static struct image *program(struct symbolizer *s)
{
	return symbolizer_image(s, &(struct image_key){ .kind = IMAGE_USER,
							.name = "/bin/program",
							.build_id = (const uint8_t *)"abc",
							.build_id_size = 3 });
}

static void assert_line(struct image *im, uint64_t addr, unsigned line)
{
	struct source_line l = { .line = 0 };

	assert_int_equal(image_source_line(im, addr, &l) ? l.line : 0, line);
}

static void the_debug_file_of_the_build_is_taken(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);

	store(*state, "bin/program", "abc", PARTS_CODE, false);
	store(*state, "usr/lib/debug/.build-id/61/6263.debug", "abc", PARTS_DWARF, false);
	assert_line(program(s), TEXT + 0x21, 8);
}

static void that_of_another_build_is_not(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);

	store(*state, "bin/program", "abc", PARTS_CODE, false);
	store(*state, "usr/lib/debug/bin/program.debug", "xyz", PARTS_DWARF, false);
	assert_line(program(s), TEXT + 0x21, 0);
}

/* Names come from the first file that has them, lines from the first that has those. */
static void names_and_lines_may_come_from_two_files(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);

	store(*state, "bin/program", "abc", PARTS_CODE, true);
	store(*state, "bin/.debug/program", "abc", PARTS_DWARF, false);
	assert_string_equal(image_symbol_find(program(s), TEXT + 4)->name, "_text");
	assert_line(program(s), TEXT + 0x21, 8);
}

static void the_cache_has_lines_too(void **state)
{
	_cleanup_(freep) char *cache = xasprintf("%s/cache", (char *)*state);
	const struct symbolizer_options o = { .symfs = *state, .buildid_dir = cache };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);

	store(*state, "cache/.build-id/61/6263/elf", "abc", PARTS_CODE | PARTS_DWARF, false);
	assert_line(program(s), TEXT + 0x21, 8);
}

static void a_kernel_has_the_lines_of_its_file_where_it_lay(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "vmlinux");
	const struct symbolizer_options o = { .vmlinux = path };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	const uint64_t lay = 0xffff800080000000;

	store(*state, "vmlinux", "abc", PARTS_CODE | PARTS_DWARF, true);
	symbolizer_kernel_reference(s, "_text", lay);

	struct image *im = symbolizer_image(
		s, &(struct image_key){ .kind = IMAGE_KERNEL, .name = "[kernel.kallsyms]" });

	assert_line(im, lay + 0x21, 8);
	assert_line(im, lay + 0x200, 0);
}

static void a_file_that_is_gone_has_no_lines(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct image *module = symbolizer_image(
		s, &(struct image_key){ .kind = IMAGE_MODULE, .name = "[nf_tables]" });
	struct image *vdso =
		symbolizer_image(s, &(struct image_key){ .kind = IMAGE_VDSO, .name = "[vdso]" });

	assert_line(program(s), TEXT, 0);
	assert_line(module, 0, 0);
	assert_line(vdso, 0, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_debug_file_of_the_build_is_taken),
		TEST(that_of_another_build_is_not),
		TEST(names_and_lines_may_come_from_two_files),
		TEST(the_cache_has_lines_too),
		TEST(a_kernel_has_the_lines_of_its_file_where_it_lay),
		TEST(a_file_that_is_gone_has_no_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
