/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "dwarf/variables-elf.h"
#include "made-target.h"
#include "symbol/scratch.h"

static struct trace_probe *add_probe(struct made_resolving *m)
{
	struct trace_probe *p = trace_probes_add(&m->probes);

	p->is_user = true;
	p->offset = 0x80;
	return p;
}

static void begin(struct made_resolving *m, const char *text)
{
	resolving_begin(m, made_kernel(&(struct probe_symbol){ .name = "x" }, 1));
	resolving_of(m, text);
	add_probe(m);
}

static void without_a_place_the_first_error_ends_it(void **state)
{
	struct made_resolving m;

	(void)state;
	begin(&m, "f %x0 v=%rax b=%x1");
	assert_int_equal(resolving_args(&m.r, NULL, NULL, &m.diag), -EINVAL);
	assert_said(&m, "there is no register '%rax'", "");
	assert_int_equal(m.probes.items[0].n_args, 1);
	assert_int_equal(m.r.gaps.n, 0);
	/* The same holds for a variable that could be a gap elsewhere. */
	resolving_of(&m, "f+4 v");
	add_probe(&m);
	assert_int_equal(resolving_args(&m.r, NULL, NULL, &m.diag), -ENOENT);
	assert_said(&m, "'v' is a variable, and there is no debug information", "");
	assert_int_equal(m.r.gaps.n, 0);
	assert_string_equal(m.notes.chars, "");
	resolving_end(&m);
}

static void all_arguments_are_added_to_the_last_probe(void **state)
{
	struct made_resolving m;

	(void)state;
	begin(&m, "f a=%x0 b=%x1:u8");
	add_probe(&m);
	assert_int_equal(resolving_args(&m.r, NULL, NULL, &m.diag), 0);
	assert_int_equal(m.probes.items[0].n_args, 0);
	assert_int_equal(m.probes.items[1].n_args, 2);
	assert_string_equal(m.probes.items[1].args[1].name, "b");
	assert_string_equal(m.probes.items[1].args[1].type, "u8");
	resolving_end(&m);
}

/* Adds a gap of probe @probe at @slot. */
static void add_gap(struct made_resolving *m, size_t probe, size_t slot)
{
	struct resolve_gap *g = ARRAY_ADD(&m->r.gaps);

	*g = (struct resolve_gap){ .probe = probe, .slot = slot, .error = -ENODATA };
	diag_set(&g->why, -ENODATA, "no place of %zu.%zu", probe, slot);
}

static void add_arg(struct made_resolving *m, size_t probe, const char *name, const char *type)
{
	struct trace_arg *a = trace_probe_add_arg(&m->probes.items[probe]);

	a->name = name ? xstrdup(name) : NULL;
	a->value = xstrdup("%x0");
	a->type = type ? xstrdup(type) : NULL;
}

static void gaps_take_name_and_type_of_another_place(void **state)
{
	struct made_resolving m;

	(void)state;
	begin(&m, "f a b");
	add_probe(&m);
	add_probe(&m);
	add_arg(&m, 0, NULL, NULL);
	add_arg(&m, 1, NULL, NULL);
	add_arg(&m, 2, "a", "s32");
	add_arg(&m, 0, "b", NULL);
	add_arg(&m, 1, NULL, NULL);
	add_gap(&m, 0, 0);
	add_gap(&m, 1, 0);
	add_gap(&m, 1, 1);
	assert_int_equal(resolving_fill_gaps(&m.r, &m.diag), 0);
	assert_string_equal(m.probes.items[0].args[0].name, "a");
	assert_string_equal(m.probes.items[0].args[0].type, "s32");
	assert_string_equal(m.probes.items[1].args[0].name, "a");
	assert_string_equal(m.probes.items[1].args[1].name, "b");
	assert_null(m.probes.items[1].args[1].type);
	assert_null(m.diag.message);
	resolving_end(&m);
}

static void a_gap_at_all_places_is_an_error(void **state)
{
	struct made_resolving m;

	(void)state;
	begin(&m, "f a b");
	add_probe(&m);
	add_arg(&m, 0, NULL, NULL);
	add_arg(&m, 1, NULL, NULL);
	add_gap(&m, 0, 0);
	add_gap(&m, 1, 0);
	assert_int_equal(resolving_fill_gaps(&m.r, &m.diag), -ENODATA);
	assert_said(&m, "no place of 0.0", NULL);
	resolving_end(&m);
}

/* The probes of another definition come before the first one. */
static void probes_of_other_definitions_give_nothing(void **state)
{
	struct made_resolving m;

	(void)state;
	begin(&m, "f a");
	add_probe(&m);
	add_arg(&m, 0, "other", NULL);
	add_arg(&m, 1, NULL, NULL);
	m.r.first = 1;
	add_gap(&m, 1, 0);
	assert_int_equal(resolving_fill_gaps(&m.r, &m.diag), -ENODATA);
	assert_said(&m, "no place of 1.0", NULL);
	resolving_end(&m);
}

static void what_has_no_place_is_a_gap(void **state)
{
	struct made_resolving m;
	struct opened_variables o;

	(void)state;
	variables_open(&o, NULL, 0);
	begin(&m, "f n late missing p");
	assert_int_equal(resolving_args(&m.r, o.info, &o.place, &m.diag), 0);
	assert_int_equal(m.probes.items[0].n_args, 4);
	assert_string_equal(m.probes.items[0].args[0].value, "+16(%sp)");
	assert_string_equal(m.probes.items[0].args[1].value, "\\0xdeade12d");
	assert_string_equal(m.probes.items[0].args[2].value, "\\0xdeade12d");
	assert_string_equal(m.probes.items[0].args[3].value, "%x0");
	assert_null(m.probes.items[0].args[1].name);
	assert_int_equal(m.r.gaps.n, 2);
	assert_int_equal(m.r.gaps.items[0].probe, 0);
	assert_int_equal(m.r.gaps.items[0].slot, 1);
	assert_int_equal(m.r.gaps.items[0].error, -ENODATA);
	assert_int_equal(m.r.gaps.items[1].slot, 2);
	assert_int_equal(m.r.gaps.items[1].error, -ENOENT);
	assert_non_null(strstr(m.r.gaps.items[1].why.message, "'missing'"));
	assert_non_null(strstr(m.notes.chars,
			       "it is optimised out there; 0xdeade12d is recorded for it\n"));
	assert_null(m.diag.message);
	/* A wrong use of a variable is wrong at every place. */
	resolving_of(&m, "f p.first");
	add_probe(&m);
	assert_int_equal(resolving_args(&m.r, o.info, &o.place, &m.diag), -EINVAL);
	assert_said(&m, "write '->first'", NULL);
	debug_info_free(o.info);
	resolving_end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_place_the_first_error_ends_it),
		cmocka_unit_test(all_arguments_are_added_to_the_last_probe),
		cmocka_unit_test(gaps_take_name_and_type_of_another_place),
		cmocka_unit_test(a_gap_at_all_places_is_an_error),
		cmocka_unit_test(probes_of_other_definitions_give_nothing),
		cmocka_unit_test(what_has_no_place_is_a_gap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
