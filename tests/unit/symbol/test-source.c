/* SPDX-License-Identifier: MIT */
/* Tests lines and inlined functions of an image. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <pthread.h>

#include "dwarf/dwarf-elf.h"
#include "scratch.h"
#include "symbol/source.h"
#include "symbol/symbolizer.h"

#define TEXT ((sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + 15) & ~(size_t)15)

/* Stores /bin/program below @dir, with or without a symbol table. */
static void store_sized(const char *dir, const char *symbol, uint64_t size)
{
	_cleanup_(freep) char *path = scratch_path(dir, "bin/program");
	struct built_elf b;

	built_begin(&b);
	dwarf_add(&b, &(struct dwarf_change){ .depth = 0 });
	if (symbol)
		built_add_symbols(&b, SHT_SYMTAB,
				  &(struct built_symbol){ symbol, dwarf_text_addr(&b), size,
							  STB_GLOBAL, STT_FUNC, 1, 0 },
				  1);
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_true(built_store(&b, path));
}

static void store_program(const char *dir, const char *symbol)
{
	store_sized(dir, symbol, 0x80);
}

static struct image *program(struct symbolizer *s)
{
	return symbolizer_image(s,
				&(struct image_key){ .kind = IMAGE_USER, .name = "/bin/program" });
}

static void frames_have_names_and_lines(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);

	store_program(*state, "outer_as_linked");

	struct image *im = program(s);
	struct source_frames f = image_code_frames(im, TEXT + 0x24);

	assert_int_equal(f.n, 3);
	assert_string_equal(f.items[0].sym->name, "innermost");
	assert_string_equal(f.items[0].at.file, "/src/include/h.h");
	assert_int_equal(f.items[0].at.line, 8);
	assert_true(f.items[0].is_inlined && f.items[0].sym->is_inlined);
	assert_string_equal(f.items[1].sym->name, "inner");
	assert_int_equal(f.items[1].at.line, 5);
	assert_ptr_equal(f.items[2].sym, image_symbol_find(im, TEXT + 0x24));
	assert_string_equal(f.items[2].sym->name, "outer_as_linked");
	assert_string_equal(f.items[2].at.file, "/src/a.c");
	assert_int_equal(f.items[2].at.line, 12);
	assert_false(f.items[2].is_inlined);
}

static void an_inlined_function_is_one_symbol_wherever_it_is(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);

	store_program(*state, "outer");

	struct source_frames a = image_code_frames(program(s), TEXT + 0x10),
			     b = image_code_frames(program(s), TEXT + 0x20);

	assert_int_equal(a.n, 2);
	assert_ptr_equal(a.items[0].sym, b.items[1].sym);
}

static void what_was_asked_once_is_remembered(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);

	store_program(*state, "outer");

	struct source_frames a = image_code_frames(program(s), TEXT + 0x20);

	assert_ptr_equal(image_code_frames(program(s), TEXT + 0x20).items, a.items);
	assert_int_equal(image_code_frames(program(s), TEXT + 0xf0).n, 0);
	assert_int_equal(image_code_frames(program(s), TEXT + 0xf0).n, 0);
}

static void dwarf_names_what_the_symbol_table_does_not(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);

	store_program(*state, NULL);

	struct source_frames f = image_code_frames(program(s), TEXT + 0x84);

	assert_int_equal(f.n, 1);
	assert_string_equal(f.items[0].sym->name,
			    HAVE_LIBIBERTY ? "ns::second" : "_ZN2ns6secondEv");
	assert_int_equal(f.items[0].sym->start, TEXT + 0x80);
	assert_int_equal(f.items[0].sym->end, TEXT + 0x90);
	assert_ptr_equal(image_code_frames(program(s), TEXT + 0x88).items[0].sym, f.items[0].sym);
}

static void a_function_that_only_dwarf_knows_is_found_as_a_symbol(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	const char *second = HAVE_LIBIBERTY ? "ns::second" : "_ZN2ns6secondEv";

	store_program(*state, "outer");

	struct image *im = program(s);

	assert_string_equal(image_symbol_find(im, TEXT)->name, "outer");
	assert_string_equal(image_symbol_find(im, TEXT + 0x84)->name, second);
	assert_ptr_equal(image_symbol_find(im, TEXT + 0x8c), image_symbol_find(im, TEXT + 0x84));
	assert_null(image_symbol_find(im, TEXT + 0xf0));
}

static void a_symbol_without_size_has_no_code_of_functions_that_dwarf_knows(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	const char *second = HAVE_LIBIBERTY ? "ns::second" : "_ZN2ns6secondEv";

	store_sized(*state, "sizeless", 0);

	struct image *im = program(s);

	assert_string_equal(image_symbol_find(im, TEXT + 4)->name, "outer");
	assert_string_equal(image_symbol_find(im, TEXT + 0x84)->name, second);
	assert_string_equal(image_symbol_find(im, TEXT + 0xf0)->name, "sizeless");
}

static void a_line_can_be_had_alone(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct source_line l = { .line = 7 };

	store_program(*state, "outer");
	assert_true(image_source_line(program(s), TEXT + 0x20, &l));
	assert_string_equal(l.file, "/src/include/h.h");
	assert_int_equal(l.line, 8);
	l.line = 7;
	assert_false(image_source_line(program(s), TEXT + 0xf0, &l));
	assert_int_equal(l.line, 7);
}

static void rows_are_in_the_addresses_of_the_image(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	const struct line_row *rows = NULL;

	store_program(*state, "outer");
	assert_int_equal(image_line_rows(program(s), TEXT + 0x14, TEXT + 0x42, &rows), 4);
	assert_int_equal(rows[0].addr, TEXT + 0x14);
	assert_int_equal(rows[0].line, 4);
	assert_int_equal(rows[1].addr, TEXT + 0x20);
	assert_int_equal(rows[3].addr, TEXT + 0x40);
	assert_string_equal(rows[3].file, "/src/a.c");
	assert_int_equal(image_line_rows(program(s), TEXT + 0x42, TEXT + 0x42, &rows), 0);
	assert_int_equal(image_line_rows(program(s), TEXT + 0xf0, TEXT + 0xf8, &rows), 0);
}

static void an_image_without_a_file_knows_nothing(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct image *heap = symbolizer_image(
		s, &(struct image_key){ .kind = IMAGE_UNKNOWN, .name = "[stack]" });
	const struct line_row *rows = NULL;
	struct source_line l;

	assert_int_equal(image_code_frames(program(s), TEXT).n, 0);
	assert_false(image_source_line(heap, 0, &l));
	assert_int_equal(image_line_rows(heap, 0, 100, &rows), 0);
}

struct asker {
	struct image *image;
	const struct symbol *seen[0x100];
};

static void *ask_all(void *arg)
{
	struct asker *a = arg;

	for (size_t i = 0; i < 0x100; i++) {
		struct source_frames f = image_code_frames(a->image, TEXT + i);

		a->seen[i] = f.n ? f.items[0].sym : NULL;
	}
	return NULL;
}

static void any_thread_may_ask(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct asker askers[4];
	pthread_t threads[4];

	store_program(*state, "outer");
	for (size_t i = 0; i < 4; i++) {
		askers[i].image = program(s);
		assert_int_equal(pthread_create(&threads[i], NULL, ask_all, &askers[i]), 0);
	}
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 1; i < 4; i++)
		assert_memory_equal(askers[i].seen, askers[0].seen, sizeof(askers[0].seen));
	assert_non_null(askers[0].seen[0x20]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(frames_have_names_and_lines),
		TEST(an_inlined_function_is_one_symbol_wherever_it_is),
		TEST(what_was_asked_once_is_remembered),
		TEST(dwarf_names_what_the_symbol_table_does_not),
		TEST(a_function_that_only_dwarf_knows_is_found_as_a_symbol),
		TEST(a_symbol_without_size_has_no_code_of_functions_that_dwarf_knows),
		TEST(a_line_can_be_had_alone),
		TEST(rows_are_in_the_addresses_of_the_image),
		TEST(an_image_without_a_file_knows_nothing),
		TEST(any_thread_may_ask),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
