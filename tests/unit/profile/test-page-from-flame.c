/* SPDX-License-Identifier: MIT */
#include "example-page.h"
#include "profile/flame.h"
#include "profile/page/from-flame.h"

static uint32_t box(struct flame_builder *b, uint32_t parent, const char *name,
		    enum flame_kind kind)
{
	return flame_builder_box(b, parent, flame_builder_text(b, name),
				 flame_builder_text(b, "prog"), kind);
}

static void tasks_on_the_ground_are_the_tasks_of_the_page(void **state)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
	_cleanup_(flame_freep) struct flame *f = NULL;
	_cleanup_(page_done) struct page p;
	uint32_t sh = box(b, 0, "sh", FLAME_TASK), ls = box(b, 0, "ls", FLAME_TASK);

	(void)state;
	flame_builder_weigh(b, box(b, box(b, sh, "main", FLAME_USER), "read", FLAME_USER),
			    FLAME_AFTER, 5);
	flame_builder_weigh(b, ls, FLAME_AFTER, 7);
	f = flame_builder_finish(b, false);
	page_init(&p);
	page_add_flame(&p, &(struct page_boxes){ f, NULL, "cycles", "samples" });
	assert_int_equal(p.tasks.n, 2);
	assert_string_equal(p.tasks.items[0].comm, "ls");
	assert_int_equal(p.tasks.items[0].pid, PAGE_NONE);
	assert_int_equal(p.cells.n, 2);
	assert_int_equal(p.cells.items[0].node, 0);
	assert_int_equal(p.cells.items[0].samples, 7);
	assert_int_equal(example_page_samples(&p, "main;read"), 5);
	assert_int_equal(p.events.items[0].total, 12);
	assert_false(p.has_times);
	assert_null(p.start);
}

static void boxes_of_other_kinds_stand_on_nothing(void **state)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
	_cleanup_(flame_freep) struct flame *f = NULL;
	_cleanup_(page_done) struct page p;

	(void)state;
	flame_builder_weigh(b, box(b, 0, "sh", FLAME_TASK), FLAME_AFTER, 1);
	flame_builder_weigh(b, box(b, 0, "read", FLAME_USER), FLAME_AFTER, 2);
	f = flame_builder_finish(b, false);
	page_init(&p);
	page_add_flame(&p, &(struct page_boxes){ f, NULL, "", "samples" });
	assert_int_equal(p.tasks.n, 1);
	assert_string_equal(p.start, "root=none");
	assert_int_equal(example_page_samples(&p, "sh"), 1);
	assert_int_equal(example_page_samples(&p, "read"), 2);
}

static void comparisons_have_two_sides(void **state)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
	_cleanup_(flame_freep) struct flame *f = NULL;
	_cleanup_(page_done) struct page p;
	uint32_t read = box(b, 0, "read", FLAME_USER);

	(void)state;
	flame_builder_weigh(b, read, FLAME_BEFORE, 3);
	flame_builder_weigh(b, read, FLAME_AFTER, 4);
	f = flame_builder_finish(b, true);
	f->boxes[1].change = FLAME_MORE;
	page_init(&p);
	page_add_flame(&p, &(struct page_boxes){ f, NULL, "cycles", "samples" });
	assert_true(p.is_comparison);
	assert_int_equal(p.cells.n, 2);
	assert_int_equal(p.wheres.items[p.cells.items[0].where].side, 0);
	assert_int_equal(p.cells.items[0].samples, 3);
	assert_int_equal(p.cells.items[1].samples, 4);
	assert_int_equal(p.nodes.items[1].change, FLAME_MORE);
}

/* Two graphs of waiting: one has the times and the other the numbers of waits. */
static void weights_and_numbers_of_samples_are_brought_together(void **state)
{
	struct flame *flames[2];
	_cleanup_(page_done) struct page p;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
		uint32_t sh = box(b, 0, "sh", FLAME_TASK);

		flame_builder_weigh(b, box(b, sh, "read", FLAME_KERNEL), FLAME_AFTER,
				    i ? 3 : 9000000000);
		flames[i] = flame_builder_finish(b, false);
	}
	page_init(&p);
	page_add_flame(&p, &(struct page_boxes){ flames[0], flames[1], "waiting", "ns" });
	assert_int_equal(p.tasks.n, 1);
	assert_int_equal(p.cells.n, 1);
	assert_int_equal(p.cells.items[0].samples, 3);
	assert_int_equal(p.cells.items[0].weight, 9000000000);
	assert_int_equal(p.events.items[0].samples, 3);
	assert_int_equal(p.events.items[0].period, 0);
	assert_string_equal(p.events.items[0].unit, "ns");
	flame_free(flames[0]);
	flame_free(flames[1]);
}

static void an_empty_flame_graph_is_an_empty_page(void **state)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
	_cleanup_(flame_freep) struct flame *f = flame_builder_finish(b, false);
	_cleanup_(page_done) struct page p;

	(void)state;
	page_init(&p);
	page_add_flame(&p, &(struct page_boxes){ f, NULL, "", "samples" });
	assert_int_equal(p.cells.n, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_on_the_ground_are_the_tasks_of_the_page),
		cmocka_unit_test(boxes_of_other_kinds_stand_on_nothing),
		cmocka_unit_test(comparisons_have_two_sides),
		cmocka_unit_test(weights_and_numbers_of_samples_are_brought_together),
		cmocka_unit_test(an_empty_flame_graph_is_an_empty_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
