/* SPDX-License-Identifier: MIT */
#include "example-page.h"
#include "profile/page/columns.h"

/*
 * Returns the numbers of a column, which are decoded once more here; NULL: there is no such column.
 */
static const uint64_t *column(const struct page_columns *c, const char *name, uint64_t *room)
{
	size_t at = 0;

	for (size_t i = 0; i < c->n; at += c->items[i++].bytes) {
		const uint8_t *p = c->data.data + at;

		if (strcmp(c->items[i].name, name) != 0)
			continue;
		for (size_t k = 0; k < c->items[i].n; k++) {
			room[k] = 0;
			for (unsigned shift = 0;; shift += 7) {
				room[k] |= (uint64_t)(*p & 0x7f) << shift;
				if (!(*p++ & 0x80))
					break;
			}
		}
		assert_ptr_equal(p, c->data.data + at + c->items[i].bytes);
		return room;
	}
	return NULL;
}

static void stacks_and_cells_can_be_read_back(void **state)
{
	_cleanup_(page_done) struct page p;
	struct page_columns c;
	struct page_tree t;
	uint64_t n[8];

	(void)state;
	example_page_init(&p, 3);
	page_tree_init(&t, &p);
	example_page_cell(&p, 0, 5, example_page_stack(&t, "a;b"));
	example_page_cell(&p, 0, 300, example_page_stack(&t, "a;c"));
	example_page_cell(&p, 2, 7, example_page_stack(&t, "a"));
	p.cells.items[1].weight = UINT64_MAX;
	page_tree_done(&t);
	page_columns_make(&p, &c);
	assert_memory_equal(column(&c, "node.parent", n), ((uint64_t[]){ 1, 1, 2 }), 24);
	assert_memory_equal(column(&c, "node.name", n), ((uint64_t[]){ 0, 1, 2 }), 24);
	assert_memory_equal(column(&c, "node.object", n), ((uint64_t[]){ 1, 1, 1 }), 24);
	assert_memory_equal(column(&c, "task.cells", n), ((uint64_t[]){ 2, 0, 1 }), 24);
	assert_memory_equal(column(&c, "cell.bin", n), ((uint64_t[]){ 5, 295, 7 }), 24);
	assert_memory_equal(column(&c, "cell.node", n), ((uint64_t[]){ 2, 3, 1 }), 24);
	assert_memory_equal(column(&c, "cell.weight", n), ((uint64_t[]){ 10, UINT64_MAX, 10 }), 24);
	page_columns_done(&c);
}

static void columns_that_say_nothing_are_left_out(void **state)
{
	_cleanup_(page_done) struct page p;
	struct page_columns c;
	uint64_t n[8];

	(void)state;
	example_page_init(&p, 1);
	example_page_cell(&p, 0, 0, 0);
	p.events.items[0].period = 10;
	page_columns_make(&p, &c);
	assert_null(column(&c, "cell.cpu", n));
	assert_null(column(&c, "cell.place", n));
	assert_null(column(&c, "cell.weight", n));
	assert_null(column(&c, "node.change", n));
	assert_null(column(&c, "heat.row", n));
	page_columns_done(&c);
}

static void comparisons_have_sides_and_changes(void **state)
{
	_cleanup_(page_done) struct page p;
	struct page_columns c;
	uint64_t n[8];

	(void)state;
	example_page_init(&p, 1);
	p.is_comparison = true;
	*ARRAY_ADD(&p.nodes) = (struct page_node){ .parent = 0, .change = FLAME_LESS };
	*ARRAY_ADD(&p.wheres) = (struct page_where){ .side = 1 };
	example_page_cell(&p, 0, 0, 1);
	example_page_cell(&p, 0, 0, 1);
	p.cells.items[1].where = 1;
	page_columns_make(&p, &c);
	assert_memory_equal(column(&c, "node.change", n), ((uint64_t[]){ FLAME_LESS }), 8);
	assert_memory_equal(column(&c, "cell.side", n), ((uint64_t[]){ 0, 1 }), 16);
	page_columns_done(&c);
}

static void heat_maps_go_by_column(void **state)
{
	_cleanup_(page_done) struct page p;
	static const struct page_heat_cell cells[] = { { 3, 1, 10 }, { 0, 4, 20 }, { 2, 4, 30 } };
	struct page_columns c;
	uint64_t n[8];

	(void)state;
	example_page_init(&p, 0);
	p.heat = xcalloc(1, sizeof(*p.heat));
	p.heat->cells = xmalloc(sizeof(cells));
	memcpy(p.heat->cells, cells, sizeof(cells));
	p.heat->n = 3;
	page_columns_make(&p, &c);
	assert_memory_equal(column(&c, "heat.row", n), ((uint64_t[]){ 3, 0, 2 }), 24);
	assert_memory_equal(column(&c, "heat.x", n), ((uint64_t[]){ 1, 3, 0 }), 24);
	assert_memory_equal(column(&c, "heat.count", n), ((uint64_t[]){ 10, 20, 30 }), 24);
	page_columns_done(&c);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_and_cells_can_be_read_back),
		cmocka_unit_test(columns_that_say_nothing_are_left_out),
		cmocka_unit_test(comparisons_have_sides_and_changes),
		cmocka_unit_test(heat_maps_go_by_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
