/* SPDX-License-Identifier: MIT */
/* Tests the sources of a program's symbols, and the messages if there are none. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <errno.h>
#if HAVE_LZMA
#include <lzma.h>
#endif

#include "elf/built-elf.h"
#include "elf/file.h"
#include "scratch.h"
#include "skip.h"
#include "symbol/symbolizer.h"

/* The parts of a program beside its code. */
struct parts {
	const char *id;                 /* three bytes, or NULL */
	const char *function;           /* in .symtab, or NULL */
	const char *visible;            /* in .dynsym, or NULL */
	const void *link;               /* .gnu_debuglink, or NULL */
	const struct built_elf *packed; /* in .gnu_debugdata, or NULL */
};

static void add_function(struct built_elf *b, uint32_t type, const char *name)
{
	built_add_symbols(b, type,
			  &(struct built_symbol){ name, b->sections[1].sh_addr, 16, STB_GLOBAL,
						  STT_FUNC, 1, STV_DEFAULT },
			  1);
}

static void add_packed(struct built_elf *b, const struct built_elf *inner)
{
#if HAVE_LZMA
	static uint8_t out[16 << 10];
	size_t size = 0;

	assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, inner->bytes,
						 inner->size, out, &size, sizeof(out)),
			 LZMA_OK);
	built_add(b, ".gnu_debugdata", SHT_PROGBITS, 0, out, size);
#else
	(void)b, (void)inner;
#endif
}

static void build(struct built_elf *b, const struct parts *p)
{
	built_begin(b);
	built_add(b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123456789abcdef", 16);
	if (p->id)
		built_add_note(b, ".note.gnu.build-id", "GNU", NT_GNU_BUILD_ID, p->id, 3);
	if (p->link)
		built_add(b, ".gnu_debuglink", SHT_PROGBITS, 0, p->link, 12);
	if (p->function)
		add_function(b, SHT_SYMTAB, p->function);
	if (p->visible)
		add_function(b, SHT_DYNSYM, p->visible);
	if (p->packed)
		add_packed(b, p->packed);
	built_end(b, EM_AARCH64, ET_DYN);
}

static void store(const char *dir, const char *name, const struct parts *p)
{
	_cleanup_(freep) char *path = scratch_path(dir, name);
	struct built_elf b;

	build(&b, p);
	assert_true(built_store(&b, path));
}

/* Code begins at the first multiple of 16 behind the headers. */
#define TEXT ((sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + 15) & ~(size_t)15)

static struct image *program(struct symbolizer *s, const char *id)
{
	return symbolizer_image(s, &(struct image_key){ .kind = IMAGE_USER,
							.name = "/bin/program",
							.build_id = (const uint8_t *)id,
							.build_id_size = id ? 3 : 0 });
}

static void assert_finds(struct image *im, const char *name)
{
	const struct symbol *s = image_symbol_find(im, TEXT + 4);

	assert_string_equal(s ? s->name : "-", name);
}

static void a_linked_debug_file_of_the_same_id_is_taken(void **state)
{
	static const char *const places[] = { "bin/x.debug", "bin/.debug/x.debug",
					      "usr/lib/debug/bin/x.debug" };
	const struct symbolizer_options o = { .symfs = *state };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
		_cleanup_(freep) char *debug = scratch_path(*state, places[i]);

		store(*state, "bin/program",
		      &(struct parts){ .id = "abc", .link = "x.debug\0\1\2\3" });
		store(*state, places[i], &(struct parts){ .id = "abc", .function = "linked" });
		assert_finds(program(s, NULL), "linked");
		unlink(debug);
	}
}

static void a_linked_debug_file_of_another_build_is_not_taken(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);

	store(*state, "bin/program", &(struct parts){ .id = "abc", .link = "x.debug\0\1\2\3" });
	store(*state, "bin/x.debug", &(struct parts){ .id = "xyz", .function = "wrong" });
	assert_finds(program(s, NULL), "-");
	assert_int_equal(image_missing_reason(program(s, NULL)), IMAGE_STRIPPED);
}

/* Without ids the checksum in the link decides. */
static void a_linked_debug_file_without_an_id_needs_its_checksum(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);

	store(*state, "bin/program", &(struct parts){ .link = "x.debug\0\1\2\3" });
	store(*state, "bin/x.debug", &(struct parts){ .function = "unsure" });
	assert_finds(program(s, NULL), "-");
}

static void packed_symbols_add_to_the_visible_ones(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct built_elf inner;

	if (!HAVE_LZMA)
		skip_because("built without liblzma");
	build(&inner, &(struct parts){ .function = "hidden" });
	store(*state, "bin/program", &(struct parts){ .id = "abc", .packed = &inner });
	assert_finds(program(s, NULL), "hidden");
	assert_int_equal(image_unnamed_reason(program(s, NULL)), IMAGE_LOADED);
}

static void a_program_with_visible_symbols_only_is_known_to_lack_others(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);

	store(*state, "bin/program", &(struct parts){ .visible = "visible" });
	assert_finds(program(s, NULL), "visible");
	assert_int_equal(image_missing_reason(program(s, NULL)), IMAGE_LOADED);
	assert_int_equal(image_unnamed_reason(program(s, NULL)), IMAGE_ONLY_PUBLIC);
}

/* The program itself is stripped, unless the names come from it. */
static void where_names_come_from_is_told(void **state)
{
	static const struct {
		const char *path;
		enum image_origin origin;
	} rows[] = {
		{ "bin/program", ORIGIN_FILE },
		{ "bin/x.debug", ORIGIN_DEBUG_LINK },
		{ "bin/.debug/program", ORIGIN_DEBUG_BESIDE },
		{ "usr/lib/debug/bin/program.debug", ORIGIN_DEBUG_TREE },
		{ "usr/lib/debug/bin/program", ORIGIN_DEBUG_TREE_BARE },
		{ "usr/lib/debug/.build-id/61/6263.debug", ORIGIN_BUILD_ID },
	};
	const struct symbolizer_options o = { .symfs = *state };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
		_cleanup_(freep) char *path = scratch_path(*state, rows[i].path);

		store(*state, "bin/program",
		      &(struct parts){ .id = "abc", .link = "x.debug\0\1\2\3" });
		store(*state, rows[i].path, &(struct parts){ .id = "abc", .function = "f" });
		assert_int_equal(image_origin(program(s, "abc")), ORIGIN_NOTHING);
		assert_finds(program(s, "abc"), "f");
		assert_int_equal(image_origin(program(s, "abc")), rows[i].origin);
		unlink(path);
	}
}

static void a_program_without_names_comes_from_its_file_all_the_same(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);

	store(*state, "bin/program", &(struct parts){ .id = "abc" });
	assert_finds(program(s, "abc"), "-");
	assert_int_equal(image_origin(program(s, "abc")), ORIGIN_FILE);
}

static void an_image_stays_the_same_when_its_id_becomes_known(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct image *im = program(s, NULL);

	store(*state, "bin/program", &(struct parts){ .id = "abc", .function = "f" });
	assert_finds(im, "f");
	assert_int_equal(image_build_id(im)->size, 3);
	assert_ptr_equal(program(s, NULL), im);
}

static void a_file_that_is_gone_is_told_by_how_it_went(void **state)
{
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	const struct {
		struct image_key key;
		enum image_missing reason;
	} rows[] = {
		{ { .kind = IMAGE_USER, .name = "/bin/gone" }, IMAGE_NO_FILE },
		{ { .kind = IMAGE_USER, .name = "/bin/gone (deleted)" }, IMAGE_DELETED },
		{ { .kind = IMAGE_USER, .name = "/bin/gone", .mount_ns = 5 }, IMAGE_ELSEWHERE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct image *im = symbolizer_image(s, &rows[i].key);

		assert_finds(im, "-");
		assert_int_equal(image_missing_reason(im), rows[i].reason);
	}
}

/* The file was removed, but the process itself still has it. */
static void a_program_that_runs_is_read_from_there(void **state)
{
	const struct symbolizer_options o = { .buildid_dir = NULL };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct build_id id;

	(void)state;
	if (elf_build_id_read("/proc/self/exe", &id) < 0)
		skip_because("this program has no build-id");

	struct image *im = symbolizer_image(s, &(struct image_key){ .kind = IMAGE_USER,
								    .name = "/no/such/program",
								    .pid = getpid(),
								    .build_id = id.bytes,
								    .build_id_size = id.size });

	image_symbol_find(im, 0);
	assert_int_equal(image_missing_reason(im), IMAGE_LOADED);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(a_linked_debug_file_of_the_same_id_is_taken),
		IN_SCRATCH(a_linked_debug_file_of_another_build_is_not_taken),
		IN_SCRATCH(a_linked_debug_file_without_an_id_needs_its_checksum),
		IN_SCRATCH(packed_symbols_add_to_the_visible_ones),
		IN_SCRATCH(a_program_with_visible_symbols_only_is_known_to_lack_others),
		IN_SCRATCH(where_names_come_from_is_told),
		IN_SCRATCH(a_program_without_names_comes_from_its_file_all_the_same),
		IN_SCRATCH(an_image_stays_the_same_when_its_id_becomes_known),
		IN_SCRATCH(a_file_that_is_gone_is_told_by_how_it_went),
		cmocka_unit_test(a_program_that_runs_is_read_from_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
