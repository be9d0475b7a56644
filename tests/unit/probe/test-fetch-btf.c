/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include <unistd.h>

#include "made-target.h"
#include "made-types.h"

#define REFUSED "'count' is a variable, and there is no debug information to find it by"

struct fixture {
	struct made_fetch f;
};

/* Sets up the parameter "count" at the beginning of vfs_read(file, buf, count, pos). */
static void begin(struct fixture *x)
{
	made_begin(&x->f, EM_AARCH64);
	x->f.fetch.arch = arch_host();
	x->f.fetch.target = made_kernel(&(struct probe_symbol){ .name = "x" }, 1);
	x->f.arg.what = (char *)"count";
	x->f.def.point.function = (char *)"vfs_read";
}

static void end(struct fixture *x)
{
	probe_target_free(x->f.fetch.target);
	made_end(&x->f);
}

static void need_btf(void)
{
	if (access("/sys/kernel/btf/vmlinux", R_OK) < 0) {
		print_message("# this kernel has no BTF\n");
		skip();
	}
}

static void is_refused(struct fixture *x)
{
	assert_int_equal(fetch_btf_add(&x->f.fetch), -ENOENT);
	assert_int_equal(x->f.probe.n_args, 0);
	made_says(&x->f, 2, 4, REFUSED,
		  "without it, parameters of kernel functions can be had where these begin, by "
		  "BTF, and registers everywhere: NAME=%REG");
	end(x);
}

static void elsewhere_than_at_the_entry_nothing_is_known(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x);
	x.f.def.point.offset = 4;
	is_refused(&x);
	begin(&x);
	x.f.def.point.has_line = true;
	is_refused(&x);
	begin(&x);
	x.f.def.point.pattern = (char *)"*";
	is_refused(&x);
	begin(&x);
	x.f.def.point.is_return = true;
	is_refused(&x);
	begin(&x);
	x.f.def.point.has_address = true;
	is_refused(&x);
}

static void of_clones_patterns_and_strangers_nothing_is_known(void **state)
{
	static const char *const names[] = { "vfs_read.isra.0", "vfs_rea*", "vfs_rea?",
					     "vfs_rea[d]", "no_such_function_at_all" };
	struct fixture x;

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		begin(&x);
		x.f.def.point.function = (char *)names[i];
		is_refused(&x);
	}
	begin(&x);
	x.f.def.point.function = NULL;
	is_refused(&x);
}

static void programs_and_other_machines_have_no_btf(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x);
	x.f.fetch.target->kind = PROBE_PROGRAM;
	is_refused(&x);
	begin(&x);
	x.f.fetch.arch = arch_host() == &arch_x86_64 ? &arch_aarch64 : &arch_x86_64;
	is_refused(&x);
	begin(&x);
	x.f.fetch.target->name = xstrdup("no_such_module");
	is_refused(&x);
}

static void assert_arg(const struct fixture *x, size_t i, const char *name, unsigned n)
{
	static const char *const registers[][4] = { { "%di", "%si", "%dx", "%cx" },
						    { "%x0", "%x1", "%x2", "%x3" } };

	assert_string_equal(x->f.probe.args[i].name, name);
	assert_string_equal(x->f.probe.args[i].value, registers[arch_host() == &arch_aarch64][n]);
}

static void a_parameter_is_in_its_register(void **state)
{
	struct fixture x;

	(void)state;
	need_btf();
	begin(&x);
	assert_int_equal(fetch_btf_add(&x.f.fetch), 0);
	assert_int_equal(x.f.probe.n_args, 1);
	assert_arg(&x, 0, "count", 2);
	assert_string_equal(x.f.probe.args[0].type, "x64");
	/* The symbol that was found has priority over the typed name. */
	x.f.probe.symbol = (char *)"vfs_read";
	x.f.def.point.function = (char *)"vfs_*";
	assert_int_equal(fetch_btf_add(&x.f.fetch), 0);
	assert_arg(&x, 1, "count", 2);
	x.f.def.point.function = (char *)"vfs_read";
	x.f.probe.symbol = (char *)"_text";
	assert_int_equal(fetch_btf_add(&x.f.fetch), 0);
	x.f.probe.symbol = (char *)"_stext";
	assert_int_equal(fetch_btf_add(&x.f.fetch), 0);
	assert_int_equal(x.f.probe.n_args, 4);
	x.f.probe.symbol = NULL;
	end(&x);
}

static void members_are_followed(void **state)
{
	struct probe_field fields[] = { { .name = (char *)"f_flags", .is_arrow = true } };
	struct fixture x;

	(void)state;
	need_btf();
	begin(&x);
	x.f.arg.what = (char *)"file";
	x.f.arg.fields = fields;
	x.f.arg.n_fields = 1;
	assert_int_equal(fetch_btf_add(&x.f.fetch), 0);
	assert_string_equal(x.f.probe.args[0].name, "f_flags");
	assert_non_null(strstr(x.f.probe.args[0].value, "(%"));
	fields[0].name = (char *)"no_such_member";
	assert_int_equal(fetch_btf_add(&x.f.fetch), -EINVAL);
	assert_non_null(strstr(x.f.diag.message, "has no member 'no_such_member'"));
	end(&x);
}

static void all_parameters_are_added_in_their_order(void **state)
{
	struct fixture x;

	(void)state;
	need_btf();
	begin(&x);
	x.f.arg.what = (char *)"$params";
	x.f.arg.is_variable = false;
	assert_int_equal(fetch_btf_add(&x.f.fetch), 0);
	assert_int_equal(x.f.probe.n_args, 4);
	assert_arg(&x, 0, "file", 0);
	assert_arg(&x, 1, "buf", 1);
	assert_arg(&x, 2, "count", 2);
	assert_arg(&x, 3, "pos", 3);
	end(&x);
}

static void unknown_parameters_have_neighbours(void **state)
{
	struct fixture x;

	(void)state;
	need_btf();
	begin(&x);
	x.f.arg.what = (char *)"cuont";
	assert_int_equal(fetch_btf_add(&x.f.fetch), -ENOENT);
	made_says(&x.f, 2, 4, "the function has no parameter 'cuont'",
		  "did you mean 'count'?\nother variables, and places inside of functions, need "
		  "the kernel's debug information");
	x.f.arg.what = (char *)"zzzzzzzz";
	assert_int_equal(fetch_btf_add(&x.f.fetch), -ENOENT);
	made_says(&x.f, 2, 4, "the function has no parameter 'zzzzzzzz'",
		  "other variables, and places inside of functions, need the kernel's debug "
		  "information");
	end(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elsewhere_than_at_the_entry_nothing_is_known),
		cmocka_unit_test(of_clones_patterns_and_strangers_nothing_is_known),
		cmocka_unit_test(programs_and_other_machines_have_no_btf),
		cmocka_unit_test(a_parameter_is_in_its_register),
		cmocka_unit_test(members_are_followed),
		cmocka_unit_test(all_parameters_are_added_in_their_order),
		cmocka_unit_test(unknown_parameters_have_neighbours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
