/* SPDX-License-Identifier: MIT */
/* Alone: it replaces what reads BTF. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * The tests use internal functions, because types made by hand cannot come from the kernel's file.
 */
#include "probe/btf-parameters.c"

#include "made-types.h"

static const struct made_type int_type = MADE_SIMPLE(C_INTEGER, "int", 4, true);
static const struct made_type long_type = MADE_SIMPLE(C_INTEGER, "long", 8, true);
static const struct made_type nine_type = MADE_SIMPLE(C_STRUCT, "nine", 9, false);
static const struct made_type pair_type = MADE_SIMPLE(C_STRUCT, "pair", 16, false);
static const struct made_type large_type = MADE_SIMPLE(C_STRUCT, "large", 17, false);
static const struct made_type empty_type = MADE_SIMPLE(C_STRUCT, "empty", 0, false);

/* Checks the places of parameters of these types: "r0", "r1:8+r2:1@8", "[sp+8]", "[r1+0]". */
static void passes(const struct arch *arch, const struct made_type *const *types, size_t n,
		   const char *expected)
{
	struct btf_parameters p = { .n = n };
	struct btf_parameter parameters[BTF_PARAMETERS_MAX];
	char got[500] = "";

	for (size_t i = 0; i < n; i++)
		parameters[i] = (struct btf_parameter){ .name = "a", .type = &types[i]->type };
	btf_parameters_place_all(&p, parameters, arch);
	for (size_t i = 0; i < n; i++) {
		const struct debug_variable *v = btf_parameter_get(&p, i);
		const struct variable_place *at = &v->place;
		size_t used = strlen(got);
		char *to = got + used;
		size_t room = sizeof(got) - used;

		assert_string_equal(v->name, "a");
		assert_ptr_equal(v->type, &types[i]->type);
		assert_true(v->is_parameter);
		assert_true(v->is_plain);
		if (v->n_pieces) {
			assert_int_equal(v->n_pieces, 2);
			assert_int_equal(v->pieces[0].where, VARIABLE_REGISTER);
			assert_int_equal(v->pieces[1].where, VARIABLE_REGISTER);
			assert_int_equal(v->pieces[0].offset, 0);
			snprintf(to, room, " r%u:%d+r%u:%d@%d", v->pieces[0].reg,
				 (int)v->pieces[0].size, v->pieces[1].reg, (int)v->pieces[1].size,
				 (int)v->pieces[1].offset);
		} else if (at->where == VARIABLE_REGISTER) {
			snprintf(to, room, " r%u", at->reg);
		} else if (at->where == VARIABLE_MEMORY && at->n_steps == 1) {
			snprintf(to, room, " [r%u+%d]", at->reg, (int)at->steps[0]);
		} else if (at->where == VARIABLE_MEMORY && at->n_steps == 2) {
			snprintf(to, room, " [[r%u+%d]+%d]", at->reg, (int)at->steps[0],
				 (int)at->steps[1]);
		}
	}
	assert_string_equal(got + (n > 0), expected);
	assert_null(btf_parameter_get(&p, n));
}

#define PASSES(arch, expected, ...)                                                                \
	passes(&arch, (const struct made_type *[]){ __VA_ARGS__ },                                 \
	       sizeof((const struct made_type *[]){ __VA_ARGS__ }) / sizeof(void *), expected)

static const struct made_type *const i = &int_type, *const l = &long_type, *const n = &nine_type,
				     *const p = &pair_type, *const b = &large_type,
				     *const e = &empty_type;

static void numbers_are_in_registers_and_then_on_the_stack(void **state)
{
	(void)state;
	PASSES(arch_aarch64, "r0 r1 r2 r3 r4 r5 r6 r7 [r31+0] [r31+8] [r31+16]", i, l, i, l, i, l,
	       i, l, i, l, i);
	/* The return address is first on the stack. */
	PASSES(arch_x86_64, "r5 r4 r1 r2 r8 r9 [r7+8] [r7+16]", i, l, i, l, i, l, i, l);
}

static void structures_of_up_to_16_bytes_take_two_registers(void **state)
{
	(void)state;
	PASSES(arch_aarch64, "r0:8+r1:8@8 r2 r3:8+r4:1@8 r5", p, i, n, i);
	PASSES(arch_x86_64, "r5:8+r4:8@8 r1 r2:8+r8:1@8 r9", p, i, n, i);
}

/* One free register is not enough for it, but a later parameter may still use the register. */
static void without_two_registers_it_is_on_the_stack(void **state)
{
	(void)state;
	PASSES(arch_x86_64, "r5 r4 r1 r2 r8 [r7+8] r9 [r7+24]", i, i, i, i, i, p, i, i);
	PASSES(arch_x86_64, "r5 r4 r1 r2 r8:8+r9:8@8 [r7+8]", i, i, i, i, p, i);
	PASSES(arch_x86_64, "r5 r4 r1 r2 r8 [r7+8] r9 [r7+24]", i, i, i, i, i, n, i, i);
}

static void larger_structures_are_on_the_stack_or_copied(void **state)
{
	(void)state;
	PASSES(arch_x86_64, "[r7+8] r5 [r7+32] r4", b, i, b, i);
	PASSES(arch_aarch64, "[r0+0] r1 [r2+0]", b, i, b);
	PASSES(arch_aarch64, "r0 r1 r2 r3 r4 r5 r6 r7 [[r31+0]+0] [r31+8]", i, i, i, i, i, i, i, i,
	       b, i);
}

static void what_has_no_size_takes_one_place(void **state)
{
	(void)state;
	PASSES(arch_aarch64, "r0 r1", e, i);
	PASSES(arch_x86_64, "r5 r4 r1 r2 r8 r9 [r7+8] [r7+16]", i, i, i, i, i, i, e, i);
}

static void machines_without_a_convention_are_refused(void **state)
{
	struct arch bare = arch_aarch64;
	struct btf_parameters *ret = NULL;

	(void)state;
	assert_int_equal(btf_parameters_read("vfs_read", NULL, NULL, &ret), -ENOTSUP);
	bare.probes = NULL;
	assert_int_equal(btf_parameters_read("vfs_read", NULL, &bare, &ret), -ENOTSUP);
	bare = arch_aarch64;
	bare.convention = NULL;
	assert_int_equal(btf_parameters_read("vfs_read", NULL, &bare, &ret), -ENOTSUP);
	assert_null(ret);
	btf_parameters_free(NULL);
}

static void the_kernels_own_functions_are_read(void **state)
{
	_cleanup_(btf_parameters_freep) struct btf_parameters *all = NULL, *none = NULL;

	(void)state;
	if (access(BTF_DIRECTORY "vmlinux", R_OK) < 0) {
		print_message("# this kernel has no BTF\n");
		skip();
	}
	assert_int_equal(btf_parameters_read("vfs_read", NULL, &arch_x86_64, &all), 0);
	assert_string_equal(btf_parameter_get(all, 0)->name, "file");
	assert_string_equal(btf_parameter_get(all, 2)->name, "count");
	assert_int_equal(btf_parameter_get(all, 2)->place.reg, 1);
	assert_null(btf_parameter_get(all, 4));
	assert_int_equal(btf_parameters_read("no_such_function", NULL, &arch_x86_64, &none),
			 -ENOENT);
	assert_int_equal(btf_parameters_read("vfs_read", "no_such_module", &arch_x86_64, &none),
			 -ENOENT);
	assert_null(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_in_registers_and_then_on_the_stack),
		cmocka_unit_test(structures_of_up_to_16_bytes_take_two_registers),
		cmocka_unit_test(without_two_registers_it_is_on_the_stack),
		cmocka_unit_test(larger_structures_are_on_the_stack_or_copied),
		cmocka_unit_test(what_has_no_size_takes_one_place),
		cmocka_unit_test(machines_without_a_convention_are_refused),
		cmocka_unit_test(the_kernels_own_functions_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
