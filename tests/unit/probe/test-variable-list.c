/* SPDX-License-Identifier: MIT */
/* Alone: it has the functions of its file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include <unistd.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "dwarf/variables-elf.h"

#include "dwarf/debug-variables.h"

/* Ranges that no function of the tests has; NULL: those of the function are used. */
static const uint64_t (*made_ranges)[2];

static void ranges_made(struct debug_info *d, const struct debug_variable *v,
			void (*take_range)(void *arg, uint64_t start, uint64_t end), void *arg)
{
	if (made_ranges)
		for (const uint64_t(*r)[2] = made_ranges; (*r)[1]; r++)
			take_range(arg, (*r)[0], (*r)[1]);
	else
		debug_variable_ranges(d, v, take_range, arg);
}

#define debug_variable_ranges ranges_made
#include "probe/variable-list.c"
#undef debug_variable_ranges

static void some_variables_are_listed(void **state)
{
	const struct debug_place entry = { .addr = 8, .start = 8 },
				 inside = { .addr = 9, .start = 8 };

	(void)state;
	assert_false(variable_is_listed(&(struct debug_variable){ 0 }, &entry));
	assert_true(variable_is_listed(&(struct debug_variable){ .is_external = true }, &inside));
	assert_true(variable_is_listed(&(struct debug_variable){ .is_plain = true }, &inside));
	assert_true(variable_is_listed(
		&(struct debug_variable){ .is_elsewhere = true, .is_parameter = true }, &entry));
	assert_false(variable_is_listed(
		&(struct debug_variable){ .is_elsewhere = true, .is_parameter = true }, &inside));
	assert_false(variable_is_listed(&(struct debug_variable){ .is_elsewhere = true }, &entry));
	assert_false(variable_is_listed(&(struct debug_variable){ .is_parameter = true }, &entry));
}

static int order_of(const struct listed_range *a, size_t n_a, const struct listed_range *b,
		    size_t n_b)
{
	const struct listed_variable x = { .ranges = (struct listed_range *)a, .n_ranges = n_a };
	const struct listed_variable y = { .ranges = (struct listed_range *)b, .n_ranges = n_b };
	int r = compare_ranges(&x, &y), back = compare_ranges(&y, &x);

	assert_int_equal(r, -back);
	return r;
}

static void ranges_are_ordered_by_start_end_and_number(void **state)
{
	static const struct listed_range a[] = { { 0, 8 }, { 16, 24 } };
	static const struct listed_range b[] = { { 0, 8 }, { 16, 25 } };
	static const struct listed_range c[] = { { 0, 9 }, { 1, 2 } };
	static const struct listed_range d[] = { { 1, 8 }, { 16, 24 } };

	(void)state;
	assert_int_equal(order_of(a, 2, a, 2), 0);
	assert_int_equal(order_of(a, 0, a, 0), 0);
	assert_int_equal(order_of(a, 2, b, 2), -1);
	assert_int_equal(order_of(a, 1, b, 1), 0);
	assert_int_equal(order_of(b, 2, c, 2), -1);
	assert_int_equal(order_of(c, 2, d, 2), -1);
	assert_int_equal(order_of(a, 1, a, 2), -1);
	assert_int_equal(order_of(a, 0, a, 1), -1);
	assert_int_equal(order_of(a, 2, c, 1), -1);
}

/* The order is by state, then by type, then by name, then by ranges. */
static void variables_are_ordered_by_state_type_name_and_ranges(void **state)
{
	static struct listed_range early = { 0, 8 }, late = { 1, 8 };
	struct listed_variable in_order[] = {
		{ LISTED_EXTERN, (char *)"b", (char *)"b", &late, 1, 1 },
		{ LISTED_ELSEWHERE, (char *)"a", (char *)"b", &late, 1, 1 },
		{ LISTED_HERE, (char *)"a", (char *)"a", &late, 1, 1 },
		{ LISTED_HERE, (char *)"a", (char *)"b", &early, 1, 1 },
		{ LISTED_HERE, (char *)"a", (char *)"b", &late, 1, 1 },
		{ LISTED_HERE, (char *)"b", (char *)"a", &early, 1, 1 },
	};
	const size_t n = ARRAY_SIZE(in_order);

	(void)state;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			int r = variable_list_compare(&in_order[i], &in_order[j]);

			assert_int_equal((r > 0) - (r < 0), (i > j) - (i < j));
		}
	assert_int_equal(variable_list_compare_lines(&in_order[1], &in_order[3]), 0);
	assert_true(variable_list_compare_lines(&in_order[2], &in_order[1]) < 0);
	assert_true(variable_list_compare_lines(&in_order[0], &in_order[4]) > 0);
}

/* Returns the state of @v with ranges; -1: it is not shown. */
static int chooses(struct debug_variable v, bool with_ranges)
{
	static const struct debug_place place = { .addr = 0x109, .start = 0x100 };
	const struct variable_list_options o = { .ranges = with_ranges };
	const struct variable_list_reading r = { .place = &place, .options = &o };
	struct listed_variable out = { 0 };
	bool shown = choose_state(&r, &v, &out);

	if (shown && with_ranges && !v.is_extern) {
		assert_int_equal(out.n_ranges, 1);
		assert_int_equal(out.ranges[0].start, 8);
		assert_int_equal(out.ranges[0].end, made_ranges[0][1] - 0x100);
	}
	listed_done(&out);
	return shown ? (int)out.state : -1;
}

static void what_has_a_place_elsewhere_is_shown_with_ranges(void **state)
{
	static const uint64_t some[][2] = { { 0x108, 0x110 }, { 0, 0 } };
	static const uint64_t empty[][2] = { { 0x108, 0x108 }, { 0, 0 } };
	const struct debug_variable plain = { .is_plain = true },
				    elsewhere = { .is_elsewhere = true }, nowhere = { 0 },
				    external = { .is_extern = true };

	(void)state;
	made_ranges = some;
	assert_int_equal(chooses(plain, true), LISTED_HERE);
	assert_int_equal(chooses(elsewhere, true), LISTED_ELSEWHERE);
	assert_int_equal(chooses(elsewhere, false), -1);
	assert_int_equal(chooses(nowhere, true), -1);
	assert_int_equal(chooses(external, true), -1);
	made_ranges = empty;
	assert_int_equal(chooses(plain, true), LISTED_HERE);
	assert_int_equal(chooses(elsewhere, true), -1);
	assert_int_equal(chooses(nowhere, true), -1);
	made_ranges = some;
	assert_int_equal(chooses((struct debug_variable){ .is_plain = true,
							  .place.where = VARIABLE_CONSTANT },
				 true),
			 -1);
	assert_int_equal(
		chooses((struct debug_variable){ .is_external = true, .is_extern = true }, true),
		LISTED_EXTERN);
	made_ranges = NULL;
}

/* Checks the list, "STATE TYPE NAME START-END..., ..." */
static void lists(struct opened_variables *o, struct variable_list_options options,
		  const char *expected)
{
	static const char *const states[] = { "extern", "elsewhere", "here" };
	struct variable_list l = { 0 };
	char got[1000] = "";

	variable_list_read(o->info, &o->place, &options, &l);
	for (size_t i = 0; i < l.n; i++) {
		const struct listed_variable *v = &l.items[i];
		size_t n = strlen(got);

		snprintf(got + n, sizeof(got) - n, "%s%s %s %s", i ? ", " : "", states[v->state],
			 v->type, v->name);
		for (size_t r = 0; r < v->n_ranges; r++) {
			n = strlen(got);
			snprintf(got + n, sizeof(got) - n, " %d-%d", (int)v->ranges[r].start,
				 (int)v->ranges[r].end);
		}
	}
	assert_string_equal(got, expected);
	variable_list_done(&l);
}

static void variables_are_sorted_by_type_and_name(void **state)
{
	struct opened_variables o;

	(void)state;
	variables_open(&o, NULL, 0);
	lists(&o, (struct variable_list_options){ 0 },
	      "here int fixed, here int n, here struct pair s, here struct pair* p");
	lists(&o, (struct variable_list_options){ .externs = true },
	      "extern int elsewhere, here int fixed, here int n, here struct pair s, "
	      "here struct pair* p");
	debug_info_free(o.info);
}

static void inner_variables_are_listed_beside_outer_ones(void **state)
{
	struct opened_variables o;

	(void)state;
	variables_open(&o, NULL, 0);
	o.place.addr += 0x10;
	lists(&o, (struct variable_list_options){ 0 },
	      "here int fixed, here int n, here long int n, here struct pair s, "
	      "here struct pair* p");
	debug_info_free(o.info);
}

/* Constants have no ranges. Variables that are elsewhere come before those that are here. */
static void ranges_are_offsets_in_the_function(void **state)
{
	struct opened_variables o;

	(void)state;
	variables_open(&o, NULL, 0);
	lists(&o, (struct variable_list_options){ .ranges = true },
	      "elsewhere int late 8-16, here int n 0-32, here struct pair s 0-32, "
	      "here struct pair* p 0-32");
	o.place.addr += 8;
	lists(&o, (struct variable_list_options){ .ranges = true, .externs = true },
	      "extern int elsewhere, here int late 8-16, here int n 0-32, "
	      "here struct pair s 0-32, here struct pair* p 0-32");
	debug_info_free(o.info);
}

static void the_same_variable_is_listed_once(void **state)
{
	static const struct place_expression extra[] = {
		{ "again", { DW_OP_reg3 }, 1, OF_LONG },
		{ "again", { DW_OP_reg4 }, 1, OF_LONG },
		{ "again", { DW_OP_reg4 }, 1, OF_PAIR },
	};
	struct opened_variables o;

	(void)state;
	variables_open(&o, extra, 3);
	lists(&o, (struct variable_list_options){ 0 },
	      "here int fixed, here int n, here long int again, here struct pair again, "
	      "here struct pair s, here struct pair* p");
	debug_info_free(o.info);
}

/*
 * With ranges each place of a variable counts. A computed variable has no place that could be read.
 */
static void variables_with_other_ranges_are_others(void **state)
{
	static const struct place_expression extra[] = {
		{ "n", { DW_OP_reg3 }, 1, OF_LONG },
		{ "again", { DW_OP_reg3 }, 1, OF_LONG },
		{ "again", { DW_OP_reg4 }, 1, OF_LONG },
		{ "sum", { DW_OP_lit1, DW_OP_stack_value }, 2, OF_LONG },
	};
	struct opened_variables o;

	(void)state;
	variables_open(&o, extra, 4);
	o.place.addr += 0x10;
	lists(&o, (struct variable_list_options){ .ranges = true },
	      "elsewhere int late 8-16, here int n 0-32, here long int again 0-32, "
	      "here long int n 0-32, here long int n 16-24, here struct pair s 0-32, "
	      "here struct pair* p 0-32");
	debug_info_free(o.info);
}

static void a_filter_chooses_names(void **state)
{
	struct opened_variables o;
	struct name_filter *f = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(name_filter_parse("[ps]", &f, &diag), 0);
	variables_open(&o, NULL, 0);
	lists(&o, (struct variable_list_options){ .filter = f },
	      "here struct pair s, here struct pair* p");
	debug_info_free(o.info);
	name_filter_free(f);
}

static void parameters_of_btf_are_sorted_too(void **state)
{
	_cleanup_(btf_parameters_freep) struct btf_parameters *all = NULL;
	static const char *const names[] = { "buf", "pos", "count", "file" };
	struct variable_list l = { 0 };

	(void)state;
	if (access("/sys/kernel/btf/vmlinux", R_OK) < 0) {
		print_message("# this kernel has no BTF\n");
		skip();
	}
	assert_int_equal(btf_parameters_read("vfs_read", NULL, arch_host(), &all), 0);
	variable_list_read_btf(all, &(struct variable_list_options){ 0 }, &l);
	assert_int_equal(l.n, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(l.items[i].name, names[i]);
		assert_int_equal(l.items[i].state, LISTED_HERE);
	}
	assert_string_equal(l.items[0].type, "char*");
	variable_list_done(&l);

	struct name_filter *f = NULL;
	struct diag diag = { 0 };

	l = (struct variable_list){ 0 };
	assert_int_equal(name_filter_parse("*o*", &f, &diag), 0);
	variable_list_read_btf(all, &(struct variable_list_options){ .filter = f }, &l);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.items[0].name, "pos");
	assert_string_equal(l.items[1].name, "count");
	variable_list_done(&l);
	name_filter_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(some_variables_are_listed),
		cmocka_unit_test(what_has_a_place_elsewhere_is_shown_with_ranges),
		cmocka_unit_test(ranges_are_ordered_by_start_end_and_number),
		cmocka_unit_test(variables_are_ordered_by_state_type_name_and_ranges),
		cmocka_unit_test(variables_are_sorted_by_type_and_name),
		cmocka_unit_test(inner_variables_are_listed_beside_outer_ones),
		cmocka_unit_test(ranges_are_offsets_in_the_function),
		cmocka_unit_test(the_same_variable_is_listed_once),
		cmocka_unit_test(variables_with_other_ranges_are_others),
		cmocka_unit_test(a_filter_chooses_names),
		cmocka_unit_test(parameters_of_btf_are_sorted_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
