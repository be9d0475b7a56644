/* SPDX-License-Identifier: MIT */
/* Tests arguments in the notation of the kernel, for the program of dwarf/variables-elf.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/memory.h"
#include "dwarf/variables-elf.h"
#include "probe/fetch-arg.h"
#include "probe/probe-def.h"
#include "probe/probe-target.h"
#include "probe/trace-probe.h"
#include "symbol/scratch.h"

struct asked {
	struct opened_variables o;
	struct probe_target *target;
	struct trace_probe probe;
	struct diag diag;
};

static void asked_open(struct asked *a, const char *dir, const struct place_expression *extra,
		       size_t n)
{
	struct probe_target_options options = { 0 };
	char path[256];

	*a = (struct asked){ .probe = { .n_args = 0 } };
	variables_open(&a->o, extra, n);
	snprintf(path, sizeof(path), "%s/program", dir);
	assert_true(built_store(&a->o.elf, path));
	options.program = path;
	assert_int_equal(probe_target_open(&options, &a->target, &a->diag), 0);
}

static void asked_done(struct asked *a)
{
	debug_info_free(a->o.info);
	probe_target_free(a->target);
	trace_probe_done(&a->probe);
	diag_done(&a->diag);
}

/* Translates all arguments of @text. Returns 0, or the first error. */
static int ask(struct asked *a, const char *text)
{
	struct probe_def d;
	int r = 0;

	trace_probe_done(&a->probe);
	a->probe = (struct trace_probe){ .is_user = true, .offset = 0x80 };
	assert_int_equal(probe_def_parse(text, &d, &a->diag), 0);
	for (size_t i = 0; i < d.n_args && r >= 0; i++)
		r = fetch_arg_add(&d, i, a->target, a->o.info, &a->o.place, &a->probe, &a->diag);
	probe_def_done(&d);
	return r;
}

static void check(struct asked *a, const char *arg, const char *expected)
{
	char text[128], got[256] = "";

	snprintf(text, sizeof(text), "f %s", arg);
	assert_int_equal(ask(a, text), 0);
	for (size_t i = 0; i < a->probe.n_args; i++) {
		const struct trace_arg *t = &a->probe.args[i];
		size_t at = strlen(got);

		snprintf(got + at, sizeof(got) - at, "%s%s=%s%s%s", i ? " " : "",
			 t->name ? t->name : "", t->value, t->type ? ":" : "",
			 t->type ? t->type : "");
	}
	assert_string_equal(got, expected);
}

static void refused(struct asked *a, const char *arg, int error, const char *message)
{
	char text[128];

	snprintf(text, sizeof(text), "f %s", arg);
	assert_int_equal(ask(a, text), error);
	assert_non_null(strstr(a->diag.message, message));
	assert_int_equal(a->diag.offset >= 2, 1);
}

static void variables_have_their_types(void **state)
{
	struct asked a;

	asked_open(&a, *state, NULL, 0);
	check(&a, "p", "p=%x0:x64");
	check(&a, "n", "n=+16(%sp):s32");
	check(&a, "fixed", "fixed=\\-3:s32");
	check(&a, "s", "s=+32(%sp):x64");
	asked_done(&a);
}

static void members_are_followed(void **state)
{
	struct asked a;

	asked_open(&a, *state, NULL, 0);
	check(&a, "p->first", "first=+0(%x0):s32");
	check(&a, "p->next->number", "number=+8(+24(%x0)):s64");
	check(&a, "s.next->first", "first=+0(+56(%sp)):s32");
	check(&a, "p->low", "low=+4(%x0):b3@0/32");
	check(&a, "p->high", "high=+4(%x0):b5@3/32");
	check(&a, "p->name[1][2]", "name=+22(%x0):x8");
	check(&a, "p[2].first", "first=+64(%x0):s32");
	asked_done(&a);
}

static void types_and_names_are_as_asked_for(void **state)
{
	struct asked a;

	asked_open(&a, *state, NULL, 0);
	check(&a, "m=n:u", "m=+16(%sp):u32");
	check(&a, "n:x8", "n_x8=+16(%sp):x8");
	check(&a, "p->name:string", "name=+16(%x0):string");
	check(&a, "p->next->first@user", "first=+u0(+u24(%x0)):s32");
	check(&a, "p->name:u8[4]", "name=+16(%x0):u8[4]");
	asked_done(&a);
}

static void lists_leave_out_what_is_not_there(void **state)
{
	struct asked a;

	asked_open(&a, *state, NULL, 0);
	check(&a, "$vars", "p=%x0:x64 n=+16(%sp):s32 s=+32(%sp):x64 fixed=\\-3:s32");
	check(&a, "$params", "p=%x0:x64");
	check(&a, "p $vars", "p=%x0:x64 n=+16(%sp):s32 s=+32(%sp):x64 fixed=\\-3:s32");
	asked_done(&a);
}

static void what_is_the_kernels_own_stays(void **state)
{
	struct asked a;

	asked_open(&a, *state, NULL, 0);
	check(&a, "v=%x3:u32", "v=%x3:u32");
	check(&a, "v=+8(%sp):u64", "v=+8(%sp):u64");
	/* In programs the kernel does not support it. */
	check(&a, "v=$arg2", "v=%x1");
	asked_done(&a);
}

static void places_that_are_static_or_computed_are_told_apart(void **state)
{
	static const struct place_expression extra[] = {
		{ "sum", { DW_OP_breg0, 8, DW_OP_stack_value }, 3, OF_LONG },
		{ "global", { DW_OP_addr, 0, 0, 0x41 }, 9, OF_LONG },
		{ "vector", { DW_OP_regx, 64 }, 2, OF_LONG },
	};
	struct asked a;

	asked_open(&a, *state, extra, 3);
	/* The distance from the probe is the same in memory and in the file. */
	a.o.place.addr = a.o.place.start = 0x400080;
	check(&a, "global", "global=@+0x10000:s64");
	refused(&a, "sum", -ENODATA, "(%x0 +8)");
	refused(&a, "vector", -ENODATA, "a register here that probes cannot read");
	asked_done(&a);
}

static void mistakes_are_explained(void **state)
{
	struct asked a;

	asked_open(&a, *state, NULL, 0);
	refused(&a, "fixd", -ENOENT, "there is no variable 'fixd'");
	assert_non_null(strstr(a.diag.hint, "'fixed'"));
	refused(&a, "late", -ENODATA, "'late' has no place at f+0");
	assert_non_null(strstr(a.diag.hint, "+8 to +16"));
	refused(&a, "p.first", -EINVAL, "write '->first'");
	refused(&a, "s->first", -EINVAL, "write '.first'");
	refused(&a, "p->frist", -EINVAL, "'struct pair' has no member 'frist'");
	refused(&a, "n->first", -EINVAL, "which has no members");
	refused(&a, "n[1]", -EINVAL, "not an array or pointer");
	refused(&a, "n:string", -EINVAL, "not a pointer or an array");
	refused(&a, "p:string", -EINVAL, "not a string");
	refused(&a, "elsewhere", -ENODATA, "lies in another file");
	refused(&a, "v=%rax", -EINVAL, "there is no register '%rax'");
	refused(&a, "p->next->next->next->next->next->next->first", -EINVAL, "so many pointers");
	asked_done(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(variables_have_their_types, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(members_are_followed, scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(types_and_names_are_as_asked_for, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(lists_leave_out_what_is_not_there, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(what_is_the_kernels_own_stays, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(places_that_are_static_or_computed_are_told_apart,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(mistakes_are_explained, scratch_make,
						scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
