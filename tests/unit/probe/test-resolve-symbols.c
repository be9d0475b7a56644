/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/memory.h"
#include "dwarf/dwarf-elf.h"
#include "made-target.h"
#include "symbol/scratch.h"

#define FUNCTION(name_, addr_, size_)                                                              \
	{                                                                                          \
		.name = name_, .addr = addr_, .size = size_, .is_function = true                   \
	}
#define OF_MODULE(name_, addr_, module_)                                                           \
	{                                                                                          \
		.name = name_, .addr = addr_, .is_function = true, .module = module_ " rest",      \
		.module_length = sizeof(module_) - 1                                               \
	}
#define LABEL(name_, addr_)                                                                        \
	{                                                                                          \
		.name = name_, .addr = addr_, .is_label = true                                     \
	}

static const struct probe_symbol symbols[] = {
	FUNCTION("alpha", 0x1100, 16),
	FUNCTION("alpha_too", 0x1100, 16),
	FUNCTION("twin", 0x1120, 8),
	LABEL("label", 0x1130),
	LABEL("mixed_label", 0x1140),
	FUNCTION("mixed", 0x1140, 8),
	LABEL("mixed_end", 0x1140),
	FUNCTION("twin", 0x1150, 8),
	FUNCTION("endless", 0x1160, 0),
	{ .name = "number", .addr = 0x1170, .size = 8 },
	{ .name = "chosen", .addr = 0x1180, .size = 8, .is_function = true, .is_ifunc = true },
	FUNCTION("both", 0x1190, 8),
	FUNCTION("old@V_1", 0x11a0, 8),
	OF_MODULE("both", 0x9000, "first_module"),
	OF_MODULE("shared", 0x9010, "first_module"),
	OF_MODULE("alone", 0x9020, "absent_module"),
	OF_MODULE("alone", 0x9030, "absent_module"),
	OF_MODULE("shared", 0xa010, "second_one"),
	OF_MODULE("shared", 0xa020, "second_one"),
	OF_MODULE("shared", 0xa030, "third_one_"),
};

static void begin(struct made_resolving *m)
{
	resolving_begin(m, made_kernel(symbols, ARRAY_SIZE(symbols)));
}

static int resolve(struct made_resolving *m, const char *text)
{
	return resolve_by_symbols(resolving_of(m, text), &m->diag);
}

static void finds(const char *text, const char *expected)
{
	struct made_resolving m;

	begin(&m);
	if (resolve(&m, text) != 0)
		fail_msg("%s: %s", text, m.diag.message);
	assert_probes(&m, 0, expected);
	assert_null(m.diag.message);
	assert_string_equal(m.notes.chars, "");
	resolving_end(&m);
}

static void functions_are_found_by_name(void **state)
{
	(void)state;
	finds("alpha", "alpha _text+0x100 alpha");
	finds("alpha_too+4", "alpha_too _text+0x104 alpha_too+4");
	finds("twin", "twin _text+0x120 twin, twin _text+0x150 twin");
	finds("twin%return", "twin__return _text+0x120 twin%return, "
			     "twin__return _text+0x150 twin%return");
	finds("old\\@V_1", "old _text+0x1a0 old@V_1");
}

static void of_several_names_at_one_address_the_first_counts(void **state)
{
	(void)state;
	finds("alpha*", "alpha _text+0x100 alpha");
	finds("mixed*", "mixed _text+0x140 mixed");
	finds("ol?", "old _text+0x1a0 old");
}

static void labels_count_where_there_is_no_function(void **state)
{
	(void)state;
	finds("label", "label _text+0x130 label");
	finds("mixed_label", "mixed_label _text+0x140 mixed_label");
	finds("*_label", "mixed_label _text+0x140 mixed_label");
	finds("[lb]*", "both _text+0x190 both");
}

static void the_kernels_own_come_before_those_of_modules(void **state)
{
	(void)state;
	finds("both", "both _text+0x190 both");
}

static void a_function_of_several_modules_must_be_chosen(void **state)
{
	struct made_resolving m;

	(void)state;
	begin(&m);
	assert_int_equal(resolve(&m, "shared"), -EINVAL);
	assert_said(&m, "the kernel has no function 'shared', but several modules do", "");
	assert_string_equal(m.diag.hint,
			    "Choose one with -m: first_module, second_one, third_one_");
	assert_marked(&m, 0, 6);
	assert_int_equal(m.probes.n, 0);
	resolving_end(&m);
}

/* The module is not loaded here, so the lookup fails. */
static void a_function_of_one_module_is_looked_for_there(void **state)
{
	struct made_resolving m;

	(void)state;
	begin(&m);
	assert_int_equal(resolve(&m, "alone"), -ENOENT);
	assert_said(&m, "no module 'absent_module' is loaded", "modprobe absent_module");
	assert_string_equal(m.notes.chars, "");
	assert_int_equal(m.probes.n, 0);
	resolving_end(&m);
}

/* In a module itself, no function counts as one of another module. */
static void in_a_module_all_functions_are_its_own(void **state)
{
	struct made_resolving m;

	(void)state;
	begin(&m);
	m.target->kind = PROBE_MODULE;
	m.target->name = xstrdup("first_module");
	assert_int_equal(resolve(&m, "both"), 0);
	assert_probes(&m, 0, "both both+0x0 both, both both+0x0 both");
	assert_string_equal(m.probes.items[0].module, "first_module");
	assert_string_equal(m.probes.items[0].group, "probe");
	resolving_end(&m);
}

static void offsets_are_inside_of_the_function(void **state)
{
	struct made_resolving m;

	(void)state;
	finds("alpha+15", "alpha _text+0x10f alpha+15");
	finds("endless+4096", "endless _text+0x1160 endless+4096");
	begin(&m);
	assert_int_equal(resolve(&m, "v=alpha+16"), -EINVAL);
	assert_said(&m, "offset 16 is past the end of alpha, which has 16 bytes", NULL);
	assert_marked(&m, 2, 8);
	assert_int_equal(m.probes.n, 0);
	resolving_end(&m);
}

static void who_probes_what_only_chooses_is_told(void **state)
{
	struct made_resolving m;

	(void)state;
	begin(&m);
	assert_int_equal(resolve(&m, "chosen"), 0);
	assert_probes(&m, 0, "chosen _text+0x180 chosen");
	assert_string_equal(m.notes.chars,
			    "chosen only chooses, when the program starts, the function that is "
			    "then called: probe that one to see calls.\n");
	resolving_end(&m);
}

static void arguments_are_added_to_each(void **state)
{
	struct made_resolving m;

	(void)state;
	begin(&m);
	assert_int_equal(resolve(&m, "twin v=%x1:u8"), 0);
	assert_int_equal(m.probes.n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(m.probes.items[i].n_args, 1);
		assert_string_equal(m.probes.items[i].args[0].value, "%x1");
	}
	assert_int_equal(resolve(&m, "twin v=%rax"), -EINVAL);
	assert_said(&m, "there is no register '%rax'", "%x0 to %x29");
	resolving_end(&m);
}

static void only_so_many_are_made_at_once(void **state)
{
	struct made_resolving m;

	(void)state;
	begin(&m);
	m.options.max_probes = 2;
	assert_int_equal(resolve(&m, "twin"), 0);
	m.options.max_probes = 1;
	assert_int_equal(resolve(&m, "twin"), -E2BIG);
	assert_said(&m, "this would be 2 probes, and 1 are the most", "--max-probes 2");
	assert_int_equal(m.probes.n, 0);
	resolving_end(&m);
}

static void forbid(struct made_resolving *m, const char *ranges)
{
	m->target->forbidden.n = 0;
	kernel_forbidden_parse(&m->target->forbidden, ranges);
	m->target->forbidden.is_read = true;
}

static void what_the_kernel_forbids_is_left_out(void **state)
{
	struct made_resolving m;

	(void)state;
	begin(&m);
	forbid(&m, "0x1120-0x1128\ttwin\n");
	assert_int_equal(resolve(&m, "twin %x0"), 0);
	assert_probes(&m, 0, "twin _text+0x150 twin");
	assert_string_equal(m.notes.chars, "twin is blacklisted function, skip it.\n");
	forbid(&m, "0x1100-0x1200\ttwin\n");
	assert_int_equal(resolve(&m, "twin"), -EINVAL);
	assert_said(&m, "twin is blacklisted function, skip it.", NULL);
	assert_int_equal(m.probes.n, 0);
	resolving_end(&m);
}

static void what_is_missing_is_explained(void **state)
{
	struct made_resolving m;

	(void)state;
	begin(&m);
	assert_int_equal(resolve(&m, "v=alhpa %x0"), -ENOENT);
	assert_said(&m, "there is no function 'alhpa' in the kernel", "Did you mean 'alpha'?");
	assert_marked(&m, 2, 5);
	assert_int_equal(resolve(&m, "number"), -ENOENT);
	assert_int_equal(resolve(&m, "alhpa%return"), -ENOENT);
	assert_said(&m, "there is no function 'alhpa' in the kernel", "Did you mean 'alpha'?");
	m.target->kind = PROBE_MODULE;
	m.target->name = xstrdup("first_module");
	assert_int_equal(resolve(&m, "alhpa"), -ENOENT);
	assert_said(&m, "there is no function 'alhpa' in first_module", "'alpha'");
	resolving_end(&m);
}

static void without_symbols_nothing_is_found(void **state)
{
	struct made_resolving m;
	_cleanup_(freep) char *path = scratch_path(*state, "program");
	struct built_elf b;

	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123", 4);
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_true(built_store(&b, path));
	resolving_begin(&m, NULL);
	assert_int_equal(probe_target_open(&(struct probe_target_options){ .program = path },
					   &m.target, &m.diag),
			 0);
	assert_true(resolve(&m, "alpha") < 0);
	assert_said(&m, "has no symbols: it is stripped", "-g");
	resolving_end(&m);
}

static void addresses_are_taken_as_they_are(void **state)
{
	struct made_resolving m;

	(void)state;
	begin(&m);
	assert_int_equal(resolve_address(resolving_of(&m, "0x1104 v=%x2"), &m.diag), 0);
	assert_probes(&m, 0, "abs_1104 _text+0x104 0x1104");
	assert_string_equal(m.probes.items[0].args[0].value, "%x2");
	forbid(&m, "0x1100-0x1200\tx\n");
	assert_int_equal(resolve_address(resolving_of(&m, "0x1104"), &m.diag), -EINVAL);
	assert_said(&m, "this address is blacklisted function", NULL);
	assert_int_equal(resolve_address(resolving_of(&m, "e=0x10"), &m.diag), -EINVAL);
	assert_said(&m, "there is no code at this address", NULL);
	assert_marked(&m, 2, 4);
	assert_int_equal(m.probes.n, 0);
	resolving_end(&m);
}

/* inner() is in the debug information, but only as inlined. */
static void what_is_inlined_everywhere_does_not_return(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "program");
	struct made_resolving m;
	struct built_elf b;

	built_begin(&b);
	dwarf_add(&b, &(struct dwarf_change){ .depth = 0 });
	built_add_symbols(&b, SHT_SYMTAB,
			  (struct built_symbol[]){ { "outer", dwarf_text_addr(&b), 0x80, STB_GLOBAL,
						     STT_FUNC, 1, 0 } },
			  1);
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_true(built_store(&b, path));
	resolving_begin(&m, NULL);
	assert_int_equal(probe_target_open(&(struct probe_target_options){ .program = path },
					   &m.target, &m.diag),
			 0);
	assert_int_equal(resolve(&m, "inner%return"), -ENOENT);
	assert_said(&m,
		    "'inner' has no code of its own: it is inlined wherever it is called, so it "
		    "does not return",
		    "Probe where it begins ('inner'), or one of its lines (perf probe -L inner)");
	assert_marked(&m, 0, 12);
	assert_int_equal(resolve(&m, "inner"), -ENOENT);
	assert_said(&m, "there is no function 'inner' in ", "");
	assert_int_equal(resolve(&m, "innre%return"), -ENOENT);
	assert_said(&m, "there is no function 'innre' in ", "");
	resolving_end(&m);
}

#define SCRATCH_TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_found_by_name),
		cmocka_unit_test(of_several_names_at_one_address_the_first_counts),
		cmocka_unit_test(labels_count_where_there_is_no_function),
		cmocka_unit_test(the_kernels_own_come_before_those_of_modules),
		cmocka_unit_test(a_function_of_several_modules_must_be_chosen),
		cmocka_unit_test(a_function_of_one_module_is_looked_for_there),
		cmocka_unit_test(in_a_module_all_functions_are_its_own),
		cmocka_unit_test(offsets_are_inside_of_the_function),
		cmocka_unit_test(who_probes_what_only_chooses_is_told),
		cmocka_unit_test(arguments_are_added_to_each),
		cmocka_unit_test(only_so_many_are_made_at_once),
		cmocka_unit_test(what_the_kernel_forbids_is_left_out),
		cmocka_unit_test(what_is_missing_is_explained),
		SCRATCH_TEST(without_symbols_nothing_is_found),
		cmocka_unit_test(addresses_are_taken_as_they_are),
		SCRATCH_TEST(what_is_inlined_everywhere_does_not_return),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
