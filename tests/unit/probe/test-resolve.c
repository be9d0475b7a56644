/* SPDX-License-Identifier: MIT */
/* Tests the way from definitions to probes, in a program that has only symbols. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/diag.h"
#include "base/text.h"
#include "example-program.h"
#include "probe/probe-def.h"
#include "probe/probe-target.h"
#include "probe/resolve.h"
#include "probe/trace-probe.h"
#include "skip.h"
#include "symbol/scratch.h"

struct fixture {
	char *path;
	unsigned text; /* offset of the code in the file */
	struct probe_target *target;
	struct probe_def def;
	struct trace_probes probes;
	struct text notes;
	struct diag diag;
	size_t max_probes;
};

static void begin(struct fixture *f, const char *dir, uint16_t machine)
{
	*f = (struct fixture){ .path = scratch_path(dir, "program"), .notes = TEXT_EMPTY };
	f->text = example_program(f->path, machine);
	assert_true(f->text);
	assert_int_equal(probe_target_open(&(struct probe_target_options){ .program = f->path },
					   &f->target, &f->diag),
			 0);
}

static void end(struct fixture *f)
{
	probe_def_done(&f->def);
	trace_probes_done(&f->probes);
	text_done(&f->notes);
	diag_done(&f->diag);
	probe_target_free(f->target);
	free(f->path);
}

static int resolve(struct fixture *f, const char *text)
{
	struct resolve_options o = { .max_probes = f->max_probes };

	probe_def_done(&f->def);
	trace_probes_done(&f->probes);
	f->probes = (struct trace_probes){ 0 };
	text_clear(&f->notes);
	assert_int_equal(probe_def_parse(text, &f->def, &f->diag), 0);
	return probe_resolve(&f->def, f->target, &o, &f->probes, &f->notes, &f->diag);
}

/* Checks that probe @i is @at bytes from the beginning of the code, and is called @event. */
static void assert_probe(const struct fixture *f, size_t i, const char *event, unsigned at)
{
	const struct trace_probe *p = &f->probes.items[i];

	assert_true(i < f->probes.n);
	assert_string_equal(p->event, event);
	assert_string_equal(p->group, "probe_program");
	assert_string_equal(p->path, f->path);
	assert_null(p->symbol);
	assert_int_equal(p->offset, f->text + at);
}

static void a_function_is_its_offset_in_the_file(void **state)
{
	struct fixture f;

	begin(&f, *state, EM_AARCH64);
	assert_int_equal(resolve(&f, "first"), 0);
	assert_int_equal(f.probes.n, 1);
	assert_probe(&f, 0, "first", 0);
	assert_string_equal(f.probes.items[0].where, "first");
	end(&f);
}

static void other_names_of_a_function_are_as_good(void **state)
{
	struct fixture f;

	begin(&f, *state, EM_AARCH64);
	assert_int_equal(resolve(&f, "first_again+8"), 0);
	assert_int_equal(f.probes.n, 1);
	assert_probe(&f, 0, "first_again", 8);
	end(&f);
}

static void a_name_without_a_version_is_all_versions(void **state)
{
	struct fixture f;

	begin(&f, *state, EM_X86_64);
	assert_int_equal(resolve(&f, "second"), 0);
	assert_int_equal(f.probes.n, 2);
	assert_probe(&f, 0, "second", 16);
	assert_probe(&f, 1, "second", 32);
	assert_int_equal(resolve(&f, "second\\@V_1"), 0);
	assert_int_equal(f.probes.n, 1);
	assert_probe(&f, 0, "second", 32);
	end(&f);
}

static void a_pattern_takes_one_name_of_each_address(void **state)
{
	struct fixture f;

	begin(&f, *state, EM_AARCH64);
	assert_int_equal(resolve(&f, "*irst*"), 0);
	assert_int_equal(f.probes.n, 1);
	assert_probe(&f, 0, "first", 0);
	assert_string_equal(f.probes.items[0].where, "first");
	end(&f);
}

static void functions_of_one_name_get_a_probe_each(void **state)
{
	struct fixture f;

	begin(&f, *state, EM_AARCH64);
	assert_int_equal(resolve(&f, "twin%return"), 0);
	assert_int_equal(f.probes.n, 2);
	assert_true(f.probes.items[0].is_return);
	assert_probe(&f, 0, "twin__return", 48);
	assert_probe(&f, 1, "twin__return", 52);
	end(&f);
}

static void a_label_of_assembly_can_be_probed(void **state)
{
	struct fixture f;

	begin(&f, *state, EM_AARCH64);
	assert_int_equal(resolve(&f, "label"), 0);
	assert_probe(&f, 0, "label", 40);
	end(&f);
}

static void who_probes_an_ifunc_is_told(void **state)
{
	struct fixture f;

	begin(&f, *state, EM_AARCH64);
	assert_int_equal(resolve(&f, "chosen"), 0);
	assert_non_null(strstr(f.notes.chars, "chosen only chooses"));
	end(&f);
}

static void an_address_is_the_linkers(void **state)
{
	struct fixture f;
	char text[64];

	begin(&f, *state, EM_AARCH64);
	snprintf(text, sizeof(text), "%#x", BUILT_BASE + f.text + 4);
	assert_int_equal(resolve(&f, text), 0);
	assert_int_equal(f.probes.items[0].offset, f.text + 4);
	end(&f);
}

static void an_address_without_code_is_refused(void **state)
{
	struct fixture f;

	begin(&f, *state, EM_AARCH64);
	assert_int_equal(resolve(&f, "0x400000"), -EINVAL);
	assert_non_null(strstr(f.diag.message, "no code at this address"));
	assert_int_equal(f.probes.n, 0);
	end(&f);
}

static void an_offset_behind_the_function_is_refused(void **state)
{
	struct fixture f;

	begin(&f, *state, EM_AARCH64);
	assert_int_equal(resolve(&f, "first+16"), -EINVAL);
	assert_non_null(strstr(f.diag.message, "which has 16 bytes"));
	assert_string_equal(f.diag.excerpt, "first+16");
	end(&f);
}

static void an_unknown_function_names_similar_ones(void **state)
{
	struct fixture f;

	begin(&f, *state, EM_AARCH64);
	assert_int_equal(resolve(&f, "frist"), -ENOENT);
	assert_non_null(strstr(f.diag.hint, "'first'"));
	assert_int_equal(resolve(&f, "number"), -ENOENT);
	end(&f);
}

/* The error says that debug information is needed, and where to get it. */
static void lines_and_variables_need_debug_information(void **state)
{
	struct fixture f;

	begin(&f, *state, EM_AARCH64);
	assert_int_equal(resolve(&f, "first:3"), -ENODATA);
	assert_non_null(strstr(f.diag.message, "has no debug information"));
	assert_non_null(strstr(f.diag.hint, "It is needed for lines"));
	assert_int_equal(resolve(&f, "first count"), -ENODATA);
	assert_non_null(strstr(f.diag.hint, "It is needed for variables"));
	assert_int_equal(resolve(&f, "first %x0"), 0);
	assert_string_equal(f.probes.items[0].args[0].value, "%x0");
	end(&f);
}

static void more_places_than_allowed_are_counted(void **state)
{
	struct fixture f;

	begin(&f, *state, EM_AARCH64);
	f.max_probes = 1;
	assert_int_equal(resolve(&f, "twin"), -E2BIG);
	assert_non_null(strstr(f.diag.message, "2 probes"));
	assert_non_null(strstr(f.diag.hint, "--max-probes 2"));
	assert_int_equal(f.probes.n, 0);
	end(&f);
}

#define SCRATCH_TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRATCH_TEST(a_function_is_its_offset_in_the_file),
		SCRATCH_TEST(other_names_of_a_function_are_as_good),
		SCRATCH_TEST(a_name_without_a_version_is_all_versions),
		SCRATCH_TEST(a_pattern_takes_one_name_of_each_address),
		SCRATCH_TEST(functions_of_one_name_get_a_probe_each),
		SCRATCH_TEST(a_label_of_assembly_can_be_probed),
		SCRATCH_TEST(who_probes_an_ifunc_is_told),
		SCRATCH_TEST(an_address_is_the_linkers),
		SCRATCH_TEST(an_address_without_code_is_refused),
		SCRATCH_TEST(an_offset_behind_the_function_is_refused),
		SCRATCH_TEST(an_unknown_function_names_similar_ones),
		SCRATCH_TEST(lines_and_variables_need_debug_information),
		SCRATCH_TEST(more_places_than_allowed_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
