/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "tools/c2c/functions-model.h"
#include "tools/c2c/lines-model.h"

#define HITM  (2ULL | (uint64_t)(2 | 64) << 5 | 16ULL << 19)
#define STORE (4ULL | (uint64_t)(2 | 8) << 5)

static int no_node(void *arg, uint64_t addr)
{
	(void)arg, (void)addr;
	return -1;
}

static void take(struct c2c_lines *l, uint64_t addr, uint64_t ip, uint64_t data_src)
{
	c2c_lines_take(l, &(struct c2c_access_record){ .ip = ip,
						       .addr = addr,
						       .data_src = data_src,
						       .weight = 100,
						       .cpumode = 2,
						       .pid = 1,
						       .tid = 1 });
}

/* Makes two lines: 0x1000 with three HITMs and a store, 0x1040 with one. */
static void make(struct c2c_lines *l)
{
	const struct c2c_lines_options o = { .keys = { { C2C_BY_IADDR }, 1 },
					     .line_bytes = 64,
					     .node_of_memory = no_node };

	c2c_lines_init(l, &o);
	take(l, 0x1048, 0x10, HITM);
	take(l, 0x1008, 0x10, HITM);
	take(l, 0x1010, 0x14, HITM);
	take(l, 0x1008, 0x20, HITM);
	take(l, 0x1000, 0x30, STORE);
	take(l, 0x2000, 0x30, STORE);
	c2c_lines_settle(l);
	for (size_t i = 0; i < l->n; i++)
		for (struct c2c_entry *e = l->items[i]->entries; e; e = e->next)
			e->names = (struct c2c_names){ .function = e->iaddr < 0x20   ? "reader"
								   : e->iaddr < 0x30 ? "other"
										     : "writer",
						       .object = "prog" };
}

static void lines_are_ranked_by_hitms(void **state)
{
	_cleanup_(c2c_lines_done) struct c2c_lines l;

	(void)state;
	make(&l);
	assert_int_equal(l.n, 2);
	assert_int_equal(l.items[0]->addr, 0x1000);
	assert_int_equal(l.items[1]->addr, 0x1040);
	assert_int_equal(l.n_shared, 2);
	assert_int_equal(l.total.n[C2C_RECORDS], 6);
	assert_int_equal(l.items[0]->entries->offset, 0);
}

static void both_sides_of_a_line_are_told_apart(void **state)
{
	_cleanup_(c2c_functions_done) struct c2c_functions readers = { 0 }, writers = { 0 };
	_cleanup_(c2c_lines_done) struct c2c_lines l;

	(void)state;
	make(&l);
	c2c_readers(&l, l.items[0], &readers);
	c2c_writers(&l, l.items[0], &writers);
	assert_int_equal(readers.n, 2);
	assert_string_equal(readers.items[0].name, "reader");
	assert_int_equal(readers.items[0].rank, 2);
	assert_int_equal(readers.items[0].first_offset, 8);
	assert_int_equal(readers.items[0].last_offset, 16);
	assert_string_equal(readers.items[1].name, "other");
	assert_int_equal(writers.n, 1);
	assert_string_equal(writers.items[0].name, "writer");
}

static void functions_are_summed_over_lines(void **state)
{
	_cleanup_(c2c_functions_done) struct c2c_functions f = { 0 };
	_cleanup_(c2c_lines_done) struct c2c_lines l;

	(void)state;
	make(&l);
	c2c_functions_of_all(&l, &f);
	assert_int_equal(f.n, 3);
	assert_string_equal(f.items[0].name, "reader");
	assert_int_equal(f.items[0].rank, 3);
	assert_int_equal(f.items[0].n_lines, 2);
	assert_ptr_equal(f.items[0].top, l.items[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_ranked_by_hitms),
		cmocka_unit_test(both_sides_of_a_line_are_told_apart),
		cmocka_unit_test(functions_are_summed_over_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
