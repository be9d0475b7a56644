/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/memory.h"
#include "dwarf/variables-elf.h"
#include "made-target.h"
#include "symbol/demangle.h"
#include "symbol/scratch.h"

struct fixture {
	struct made_resolving m;
	uint64_t text; /* offset of the code in the file */
	int result;
};

static void open_program(struct fixture *f, const char *dir, struct built_elf *b)
{
	_cleanup_(freep) char *path = scratch_path(dir, "program");
	_cleanup_(freep) char *readable = demangle("_ZN2ns3getEv");

	if (!readable) {
		print_message("# built without libiberty\n");
		skip();
	}
	f->text = b->sections[1].sh_offset;
	built_end(b, EM_AARCH64, ET_DYN);
	assert_true(built_store(b, path));
	resolving_begin(&f->m, NULL);
	assert_int_equal(probe_target_open(&(struct probe_target_options){ .program = path },
					   &f->m.target, &f->m.diag),
			 0);
}

static void begin(struct fixture *f, const char *dir)
{
	static const uint8_t code[64];
	struct built_elf b;

	*f = (struct fixture){ .text = 0 };
	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));

	uint64_t text = b.sections[1].sh_addr;
	const struct built_symbol symbols[] = {
		{ "_ZN2ns3getEv", text, 4, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "_ZN2ns3getEi", text + 4, 4, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "_ZN2ns3BoxC2Ev", text + 8, 4, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "_ZN2ns3BoxC1Ev", text + 8, 4, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "_ZN2ns3putEv@V_1", text + 12, 4, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "_ZN2ns4dataE", text + 16, 4, STB_GLOBAL, STT_OBJECT, 1, 0 },
		{ "plain", text + 20, 4, STB_GLOBAL, STT_FUNC, 1, 0 },
	};

	built_add_symbols(&b, SHT_SYMTAB, symbols, ARRAY_SIZE(symbols));
	open_program(f, dir, &b);
}

/* True if it is the name of a C++ function. The result is then stored. */
static bool resolve(struct fixture *f, const char *text)
{
	struct resolving *r = resolving_of(&f->m, text);

	f->result = 77;
	return resolve_qualified(r, &f->result, &f->m.diag);
}

static void finds(struct fixture *f, const char *text, const char *expected)
{
	assert_true(resolve(f, text));
	if (f->result)
		fail_msg("%s: %s", text, f->m.diag.message);
	assert_probes(&f->m, f->text, expected);
	assert_null(f->m.diag.message);
	assert_string_equal(f->m.notes.chars, "");
}

static void all_functions_of_the_name_are_probed(void **state)
{
	struct fixture f;

	begin(&f, *state);
	finds(&f, "ns::get", "ns_get +0x0 ns::get, ns_get +0x4 ns::get");
	finds(&f, "ns::get%return",
	      "ns_get__return +0x0 ns::get%return, ns_get__return +0x4 ns::get%return");
	finds(&f, "ns::get+2", "ns_get +0x2 ns::get+2, ns_get +0x6 ns::get+2");
	finds(&f, "own=ns::get", "own +0x0 ns::get, own +0x4 ns::get");
	resolving_end(&f.m);
}

static void parameters_choose_one(void **state)
{
	struct fixture f;

	begin(&f, *state);
	finds(&f, "ns::get(int)", "ns_get_int +0x4 ns::get(int)");
	finds(&f, "\"ns::get()\"", "ns_get +0x0 ns::get()");
	resolving_end(&f.m);
}

static void several_symbols_of_one_function_are_one(void **state)
{
	struct fixture f;

	begin(&f, *state);
	finds(&f, "ns::Box::Box", "ns_Box_Box +0x8 ns::Box::Box");
	resolving_end(&f.m);
}

static void versions_of_symbols_do_not_count(void **state)
{
	struct fixture f;

	begin(&f, *state);
	finds(&f, "ns::put", "ns_put +0xc ns::put");
	finds(&f, "ns::p*", "ns_put +0xc ns::put");
	resolving_end(&f.m);
}

static void other_names_are_left_to_others(void **state)
{
	static const char *const texts[] = {
		"plain", "get", "ns::none", "ns::data", "0x10", "a.c:3"
	};
	struct fixture f;

	begin(&f, *state);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		assert_false(resolve(&f, texts[i]));
		assert_int_equal(f.result, 77);
		assert_null(f.m.diag.message);
		assert_int_equal(f.m.probes.n, 0);
	}
	f.m.target->kind = PROBE_KERNEL;
	assert_false(resolve(&f, "ns::get"));
	resolving_end(&f.m);
}

static void only_so_many_are_made_at_once(void **state)
{
	struct fixture f;

	begin(&f, *state);
	f.m.options.max_probes = 2;
	finds(&f, "ns::get", "ns_get +0x0 ns::get, ns_get +0x4 ns::get");
	f.m.options.max_probes = 1;
	assert_true(resolve(&f, "ns::get"));
	assert_int_equal(f.result, -E2BIG);
	assert_said(&f.m, "this would be 2 probes", "--max-probes 2");
	assert_int_equal(f.m.probes.n, 0);
	resolving_end(&f.m);
}

static void an_error_that_all_share_ends_it(void **state)
{
	struct fixture f;

	begin(&f, *state);
	assert_true(resolve(&f, "ns::get v=%rax"));
	assert_int_equal(f.result, -EINVAL);
	assert_said(&f.m, "there is no register '%rax'", "");
	assert_int_equal(f.m.probes.n, 0);
	assert_string_equal(f.m.notes.chars, "");
	resolving_end(&f.m);
}

static void what_none_of_them_has_is_told_of_each(void **state)
{
	struct fixture f;

	begin(&f, *state);
	assert_true(resolve(&f, "ns::get v"));
	assert_int_equal(f.result, -ENODATA);
	assert_int_equal(f.m.probes.n, 0);
	assert_non_null(strstr(f.m.diag.message, "has no debug information"));

	const char *first = strstr(f.m.notes.chars, "ns::get: ");

	assert_ptr_equal(first, f.m.notes.chars);
	assert_non_null(strstr(first + 1, "\nns::get: "));
	assert_non_null(strstr(first, "has no debug information, skip it.\n"));
	/* For a single function the error is enough. */
	assert_true(resolve(&f, "ns::put v"));
	assert_int_equal(f.result, -ENODATA);
	assert_string_equal(f.m.notes.chars, "");
	resolving_end(&f.m);
}

/*
 * Opens a program with two functions. The debug information of dwarf/variables-elf.h has only one
 * of them and its variables; the other is at @other.
 */
static void begin_mixed(struct fixture *f, const char *dir, int other)
{
	struct opened_variables o;

	*f = (struct fixture){ .text = 0 };
	variables_open(&o, NULL, 0);

	uint64_t text = o.elf.sections[1].sh_addr;
	const struct built_symbol symbols[] = {
		{ "_ZN2ns1fEv", text, 0x20, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "_ZN2ns1fEi", text + (uint64_t)other, 4, STB_GLOBAL, STT_FUNC, 1, 0 },
	};

	debug_info_free(o.info);
	built_add_symbols(&o.elf, SHT_SYMTAB, symbols, ARRAY_SIZE(symbols));
	open_program(f, dir, &o.elf);
}

static void one_that_has_it_is_enough(void **state)
{
	static const int others[] = { 0x10, -0x10 };

	for (size_t i = 0; i < 2; i++) {
		struct fixture f;

		begin_mixed(&f, *state, others[i]);
		assert_true(resolve(&f, "ns::f n"));
		if (f.result)
			fail_msg("%s", f.m.diag.message);
		assert_int_equal(f.m.probes.n, 1);
		assert_string_equal(f.m.probes.items[0].event, "ns_f");
		assert_string_equal(f.m.probes.items[0].where, "ns::f");
		assert_string_equal(f.m.probes.items[0].args[0].value, "+16(%sp)");
		assert_null(f.m.diag.message);
		assert_non_null(strstr(f.m.notes.chars, "ns::f: there is no function "));
		assert_non_null(strstr(f.m.notes.chars, ", skip it.\n"));
		resolving_end(&f.m);
	}
}

/* Both functions are large enough for the first offset, but only one is for the other. */
static void what_was_made_before_an_error_does_not_stay(void **state)
{
	struct fixture f;

	begin_mixed(&f, *state, 0x10);
	assert_true(resolve(&f, "ns::f+2"));
	assert_int_equal(f.result, 0);
	assert_probes(&f.m, f.text, "ns_f +0x2 ns::f+2, ns_f +0x12 ns::f+2");
	assert_true(resolve(&f, "ns::f+4"));
	assert_int_equal(f.result, -EINVAL);
	assert_said(&f.m, "offset 4 is past the end of ", NULL);
	assert_int_equal(f.m.probes.n, 0);
	resolving_end(&f.m);
}

#define SCRATCH_TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRATCH_TEST(all_functions_of_the_name_are_probed),
		SCRATCH_TEST(parameters_choose_one),
		SCRATCH_TEST(several_symbols_of_one_function_are_one),
		SCRATCH_TEST(versions_of_symbols_do_not_count),
		SCRATCH_TEST(other_names_are_left_to_others),
		SCRATCH_TEST(only_so_many_are_made_at_once),
		SCRATCH_TEST(an_error_that_all_share_ends_it),
		SCRATCH_TEST(what_none_of_them_has_is_told_of_each),
		SCRATCH_TEST(one_that_has_it_is_enough),
		SCRATCH_TEST(what_was_made_before_an_error_does_not_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
