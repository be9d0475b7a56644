/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/memory.h"
#include "dwarf/debug-places.h"
#include "dwarf/places-elf.h"
#include "made-target.h"
#include "symbol/scratch.h"

struct fixture {
	struct made_resolving m;
	uint64_t text; /* offset of the code in the file */
	struct debug_info *info;
	char *source;
};

static void open_program(struct fixture *f, const char *dir, struct built_elf *b)
{
	_cleanup_(freep) char *path = scratch_path(dir, "program");

	f->text = b->sections[1].sh_offset;
	built_end(b, EM_AARCH64, ET_DYN);
	assert_true(built_store(b, path));
	resolving_begin(&f->m, NULL);
	assert_int_equal(probe_target_open(&(struct probe_target_options){ .program = path },
					   &f->m.target, &f->m.diag),
			 0);
	assert_int_equal(probe_target_debug(f->m.target, &f->info, &f->m.diag), 0);
}

/*
 * Opens the program of dwarf/places-elf.h with symbols; two of them are not in the debug
 * information.
 */
static void begin(struct fixture *f, const char *dir)
{
	struct dwarf_bytes info = { .n = 0 }, lines = { .n = 0 };
	uint8_t code[0x70] = { 0 };
	struct built_elf b;

	*f = (struct fixture){ .text = 0 };
	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));

	uint64_t text = dwarf_text_addr(&b);
	const struct built_symbol symbols[] = {
		{ "outer", text, 0x40, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "other_name", text, 0x40, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "second", text + 0x40, 0x10, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "inner", text + 0x50, 0x10, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "assembly", text + 0x60, 0x10, STB_GLOBAL, STT_FUNC, 1, 0 },
	};

	places_info(&info, text);
	places_lines(&lines, text, 0);
	built_add(&b, ".debug_abbrev", SHT_PROGBITS, 0, places_abbrevs, sizeof(places_abbrevs));
	built_add(&b, ".debug_info", SHT_PROGBITS, 0, info.bytes, info.n);
	built_add(&b, ".debug_line", SHT_PROGBITS, 0, lines.bytes, lines.n);
	built_add_symbols(&b, SHT_SYMTAB, symbols, ARRAY_SIZE(symbols));
	open_program(f, dir, &b);
}

static void end(struct fixture *f)
{
	resolving_end(&f->m);
	free(f->source);
}

static int resolve(struct fixture *f, const char *text)
{
	return resolve_by_debug(resolving_of(&f->m, text), f->info, &f->m.diag);
}

static void finds(struct fixture *f, const char *text, const char *expected)
{
	if (resolve(f, text) != 0)
		fail_msg("%s: %s", text, f->m.diag.message);
	assert_probes(&f->m, f->text, expected);
}

static void functions_and_their_lines_are_found(void **state)
{
	struct fixture f;

	begin(&f, *state);
	finds(&f, "outer", "outer +0x0 outer");
	finds(&f, "outer:2", "outer_L2 +0x8 outer:2, outer_L2 +0x48 outer:2");
	finds(&f, "outer:6", "outer_L6 +0x30 outer:6");
	finds(&f, "outer+8", "outer +0x8 outer+8");
	finds(&f, "outer%return", "outer__return +0x0 outer%return");
	finds(&f, "outer@a.c", "outer +0x0 outer@a.c");
	assert_string_equal(f.m.notes.chars, "");
	assert_null(f.m.diag.message);
	end(&f);
}

/* The running kernel has other addresses than its file, and forbids one of three places. */
static void places_of_the_kernel_are_those_of_its_file(void **state)
{
	static const struct probe_symbol symbol = { .name = "_text", .addr = 0x1000 };
	struct made_resolving m;
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	resolving_begin(&m, made_kernel(&symbol, 1));
	m.target->debug = p.info;
	m.target->debug_state = 0;
	m.target->text.link = p.text;
	kernel_forbidden_parse(&m.target->forbidden, "0x1010-0x1018\tinner\n");
	assert_int_equal(resolve_by_debug(resolving_of(&m, "inner v=%x0"), p.info, &m.diag), 0);
	assert_probes(&m, 0, "inner _text+0x4c inner, inner _text+0x50 inner");
	assert_string_equal(m.notes.chars, "inner is blacklisted function, skip it.\n");
	assert_int_equal(m.probes.items[0].n_args, 1);
	kernel_forbidden_parse(&m.target->forbidden, "0x1000-0x1100\tall\n");
	assert_int_equal(resolve_by_debug(resolving_of(&m, "second v=%x0"), p.info, &m.diag),
			 -EINVAL);
	assert_said(&m, "second is blacklisted function, skip it.", NULL);
	assert_int_equal(m.probes.n, 0);
	diag_done(&p.diag);
	resolving_end(&m);
}

static void inlined_copies_are_places_of_a_function(void **state)
{
	struct fixture f;

	begin(&f, *state);
	finds(&f, "inner", "inner +0x10 inner, inner +0x4c inner, inner +0x50 inner");
	f.m.options.no_inlines = true;
	finds(&f, "inner", "inner +0x50 inner");
	f.m.options.no_inlines = false;
	finds(&f, "inner%return", "inner__return +0x50 inner%return");
	end(&f);
}

/* Events for lines of files and for globs are named after the function that contains them. */
static void events_are_called_after_the_function_they_are_in(void **state)
{
	struct fixture f;

	begin(&f, *state);
	finds(&f, "a.c:12", "outer +0x8 @a.c:12, second +0x48 @a.c:12");
	finds(&f, "h.h:5", "inner +0x18 @h.h:5");
	finds(&f, "se*", "second +0x40 second");
	end(&f);
}

static void offsets_stay_in_the_function(void **state)
{
	struct fixture f;

	begin(&f, *state);
	finds(&f, "outer+60", "outer +0x3c outer+60");
	assert_int_equal(resolve(&f, "outer+64"), -EINVAL);
	assert_said(&f.m, "offset 64 is past the end of outer, which has 64 bytes", NULL);
	assert_int_equal(resolve(&f, "outer+64@a.c"), -ENOENT);
	assert_said(&f.m, "outer+64 is outside of 'outer'", NULL);
	assert_marked(&f.m, 0, 12);
	assert_int_equal(f.m.probes.n, 0);
	end(&f);
}

static void what_has_no_debug_information_goes_by_symbols(void **state)
{
	struct fixture f;

	begin(&f, *state);
	finds(&f, "assembly", "assembly +0x60 assembly");
	assert_null(f.m.diag.excerpt);
	finds(&f, "assembly+4 v=%x0", "assembly +0x64 assembly+4");
	assert_int_equal(resolve(&f, "assembly+16"), -EINVAL);
	assert_said(&f.m, "offset 16 is past the end of assembly", NULL);
	/* The function cannot have lines or variables. */
	assert_int_equal(resolve(&f, "assembly:1"), -ENOENT);
	assert_said(&f.m, "there is no function 'assembly' in the debug information", "");
	assert_marked(&f.m, 0, 10);
	assert_int_equal(resolve(&f, "assembly v"), -ENOENT);
	assert_int_equal(resolve(&f, "assembly@a.c"), -ENOENT);
	end(&f);
}

static void a_symbol_at_a_function_is_another_name_of_it(void **state)
{
	struct fixture f;

	begin(&f, *state);
	finds(&f, "other_name", "other_name +0x0 other_name");
	finds(&f, "other_name:6", "other_name_L6 +0x30 other_name:6");
	finds(&f, "other_name+4 %x0", "other_name +0x4 other_name+4");
	end(&f);
}

static void what_is_missing_is_explained(void **state)
{
	struct fixture f;

	begin(&f, *state);
	assert_int_equal(resolve(&f, "v=outre"), -ENOENT);
	assert_said(&f.m, "there is no function 'outre' in the debug information",
		    "Did you mean 'outer'");
	assert_marked(&f.m, 2, 5);
	assert_int_equal(resolve(&f, "outer:3"), -ENOENT);
	assert_said(&f.m, "line 3 of 'outer' has no code of its own", "");
	assert_null(strstr(f.m.diag.hint, "Did you mean"));
	assert_marked(&f.m, 0, 7);
	assert_int_equal(resolve(&f, "b.c:3"), -ENOENT);
	assert_said(&f.m, "there is no source file 'b.c' in the debug information", NULL);
	assert_marked(&f.m, 0, 5);
	end(&f);
}

/* inner() of dwarf/dwarf-elf.h is inlined at every call. */
static void without_inlines_such_a_function_has_no_code(void **state)
{
	struct built_elf b;
	struct fixture f = { .text = 0 };

	built_begin(&b);
	dwarf_add(&b, &(struct dwarf_change){ .depth = 0 });

	const struct built_symbol s = { "outer", dwarf_text_addr(&b), 0x80, STB_GLOBAL, STT_FUNC, 1,
					0 };

	built_add_symbols(&b, SHT_SYMTAB, &s, 1);
	open_program(&f, *state, &b);
	finds(&f, "inner", "inner +0x10 inner");
	f.m.options.no_inlines = true;
	assert_int_equal(resolve(&f, "inner"), -ENOENT);
	assert_string_equal(f.m.diag.message,
			    "'inner' has no code of its own: it is inlined wherever it is called");
	assert_string_equal(f.m.diag.hint, "Leave --no-inlines out to probe those places");
	assert_marked(&f.m, 0, 5);
	assert_int_equal(resolve(&f, "innxr"), -ENOENT);
	assert_said(&f.m, "there is no function 'innxr'", "");
	end(&f);
}

static void of_too_many_places_those_of_symbols_are_left(void **state)
{
	struct fixture f;

	begin(&f, *state);
	f.m.options.max_probes = 3;
	finds(&f, "inner", "inner +0x10 inner, inner +0x4c inner, inner +0x50 inner");
	f.m.options.max_probes = 2;
	finds(&f, "inner", "inner +0x50 inner");
	assert_string_equal(f.m.notes.chars,
			    "Too many( > 2) probe point found.\n"
			    "Inlined copies are left out; with them there are 3: --max-probes 3\n");
	f.m.options.max_probes = 1;
	assert_int_equal(resolve(&f, "a.c:12"), -E2BIG);
	assert_said(&f.m, "this would be 2 probes, and 1 are the most", "--max-probes 2");
	assert_int_equal(f.m.probes.n, 0);
	end(&f);
}

static void a_pattern_needs_the_source(void **state)
{
	struct fixture f;

	begin(&f, *state);
	assert_int_equal(resolve(&f, "outer;*x*"), -ENOENT);
	assert_said(&f.m, "the source file '/src/a.c', in which the text of lines is, is not here",
		    "-s DIR says where the sources are");
	assert_marked(&f.m, 0, 9);
	end(&f);
}

static void a_pattern_matches_the_text_of_lines(void **state)
{
	static const char text[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\nint outer() {\n\televen = x;\n"
				   "\ttwelve = y;\n13\nfourteen = inner();\n15\nsixteen = x;\n"
				   "seventeen\n18\n19\nsecond\ntwenty one\n";
	_cleanup_(freep) char *path = scratch_path(*state, "sources/a.c");
	_cleanup_(freep) char *header = scratch_path(*state, "sources/include/h.h");
	struct fixture f;

	scratch_write(path, text);
	scratch_write(header, "1\n2\n3\nfour = x\nfive\n6\n7\n");
	begin(&f, *state);
	f.source = xasprintf("%s/sources", (const char *)*state);
	f.m.options.source = f.source;
	finds(&f, "outer;twelve*y;", "outer +0x8 outer");
	finds(&f, "outer;*teen*x*", "outer +0x30 outer");
	finds(&f, "h.h;five", "inner +0x18 @h.h");
	assert_int_equal(resolve(&f, "outer;*zzz*"), -ENOENT);
	assert_said(&f.m, "no line of 'outer' that has code matches this pattern",
		    "It has to match the whole line");
	assert_marked(&f.m, 0, 11);
	end(&f);
}

/* The unit does not record how it was compiled, so it counts as not optimised. */
static void variables_are_looked_for_behind_the_prologue(void **state)
{
	struct fixture f;
	char note[200];

	begin(&f, *state);
	assert_int_equal(resolve(&f, "outer v"), 0);
	snprintf(note, sizeof(note),
		 "Target program is compiled without optimization. Skipping prologue.\n"
		 "Probe on address %#llx to force probing at the function entry.\n\n",
		 (unsigned long long)(BUILT_BASE + f.text));
	assert_int_equal(strncmp(f.m.notes.chars, note, strlen(note)), 0);
	assert_probes(&f.m, f.text, "outer +0x8 outer");
	assert_int_equal(f.m.r.gaps.n, 1);
	/* An offset is used as it is. */
	assert_int_equal(resolve(&f, "outer+4 v"), 0);
	assert_probes(&f.m, f.text, "outer +0x4 outer+4");
	assert_null(strstr(f.m.notes.chars, "prologue"));
	end(&f);
}

static void arguments_that_are_wrong_everywhere_are_refused(void **state)
{
	struct fixture f;

	begin(&f, *state);
	assert_int_equal(resolve(&f, "inner v=%rax"), -EINVAL);
	assert_said(&f.m, "there is no register '%rax'", "");
	assert_int_equal(resolve(&f, "second v=%x3"), 0);
	assert_string_equal(f.m.probes.items[0].args[0].value, "%x3");
	end(&f);
}

static void places_can_be_had_without_probes(void **state)
{
	struct fixture f;
	struct debug_places l = { 0 };

	begin(&f, *state);
	resolving_of(&f.m, "outer+8");
	assert_int_equal(probe_places(&f.m.def, f.m.target, f.info, &f.m.options, &l, &f.m.diag),
			 0);
	assert_int_equal(l.n, 1);
	assert_int_equal(l.items[0].addr, BUILT_BASE + f.text + 8);
	assert_int_equal(l.items[0].start, BUILT_BASE + f.text);
	/* Places that are there already are not moved. */
	resolving_of(&f.m, "second+4");
	assert_int_equal(probe_places(&f.m.def, f.m.target, f.info, &f.m.options, &l, &f.m.diag),
			 0);
	assert_int_equal(l.n, 2);
	assert_int_equal(l.items[0].addr, BUILT_BASE + f.text + 8);
	assert_int_equal(l.items[1].addr, BUILT_BASE + f.text + 0x44);
	resolving_of(&f.m, "outre");
	assert_int_equal(probe_places(&f.m.def, f.m.target, f.info, &f.m.options, &l, &f.m.diag),
			 -ENOENT);
	assert_said(&f.m, "there is no function 'outre'", "'outer'");
	assert_marked(&f.m, 0, 5);
	debug_places_done(&l);
	end(&f);
}

#define SCRATCH_TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRATCH_TEST(functions_and_their_lines_are_found),
		cmocka_unit_test(places_of_the_kernel_are_those_of_its_file),
		SCRATCH_TEST(inlined_copies_are_places_of_a_function),
		SCRATCH_TEST(events_are_called_after_the_function_they_are_in),
		SCRATCH_TEST(offsets_stay_in_the_function),
		SCRATCH_TEST(what_has_no_debug_information_goes_by_symbols),
		SCRATCH_TEST(a_symbol_at_a_function_is_another_name_of_it),
		SCRATCH_TEST(what_is_missing_is_explained),
		SCRATCH_TEST(without_inlines_such_a_function_has_no_code),
		SCRATCH_TEST(of_too_many_places_those_of_symbols_are_left),
		SCRATCH_TEST(a_pattern_needs_the_source),
		SCRATCH_TEST(a_pattern_matches_the_text_of_lines),
		SCRATCH_TEST(variables_are_looked_for_behind_the_prologue),
		SCRATCH_TEST(arguments_that_are_wrong_everywhere_are_refused),
		SCRATCH_TEST(places_can_be_had_without_probes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
