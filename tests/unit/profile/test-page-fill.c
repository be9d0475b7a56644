/* SPDX-License-Identifier: MIT */
#include "example-profile.h"

#include "base/memory.h"
#include "profile/page/fill.h"
#include "profile/page/page.h"
#include "profile/page/tree.h"

struct fixture {
	struct example_profile p;
	struct frames *places;
	struct sample_filter *filter;
	struct page page;
};

static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){ .places = frames_new_places() };
	example_profile_init(&f.p);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	page_done(&f->page);
	example_profile_done(&f->p);
	frames_free(f->places);
	sample_filter_free(f->filter);
	return 0;
}

static void fill(struct fixture *f)
{
	struct page_tree t;

	example_collect(&f->p, (struct collector_options){ .with_stacks = true,
							   .places = f->places,
							   .filter = f->filter });
	page_init(&f->page);
	page_tree_init(&t, &f->page);
	page_fill(&f->page, &t,
		  &(struct page_source){ .session = f->p.session,
					 .collector = f->p.collector,
					 .log = collector_log(f->p.collector),
					 .frames = f->p.env.frames,
					 .filter = f->filter });
	page_tree_done(&t);
}

/* Returns the name of a cell's innermost frame. */
static const char *name_of(const struct page *p, size_t cell)
{
	return p->names.items[p->nodes.items[p->cells.items[cell].node].name];
}

static void samples_become_cells_of_tasks_and_times(void **state)
{
	struct fixture *f = *state;
	const struct page *p = &f->page;

	EXAMPLE_STACK(&f->p, 20, 1000000, 5, 0x5010, 0x1010);
	EXAMPLE_STACK(&f->p, 10, 4500000, 7, 0x5010, 0x1010);
	EXAMPLE_STACK(&f->p, 10, 4600000, 9, 0x5010, 0x1010);
	EXAMPLE_STACK(&f->p, 10, 9000000, 9, 0x1010);
	fill(f);
	assert_int_equal(p->tasks.n, 2);
	assert_int_equal(p->tasks.items[0].pid, 10);
	assert_string_equal(p->tasks.items[1].comm, "two");
	assert_int_equal(p->cpus.n, 2);
	assert_int_equal(p->cgroups.n, 0);
	assert_true(p->has_times);
	assert_int_equal(p->start_ns, 1000000);
	assert_int_equal(p->n_bins, 9);
	assert_int_equal(p->cells.n, 3);
	assert_int_equal(p->cells.items[0].bin, 3);
	assert_int_equal(p->cells.items[0].samples, 2);
	assert_int_equal(p->cells.items[0].weight, 16);
	assert_string_equal(name_of(p, 0), "[lib]");
	assert_string_equal(name_of(p, 1), "[app]");
	assert_int_equal(p->cells.items[2].task, 1);
	assert_int_equal(p->wheres.items[p->cells.items[2].where].cpu, 1);
	assert_int_equal(p->events.n, 1);
	assert_int_equal(p->events.items[0].samples, 4);
	assert_int_equal(p->events.items[0].total, 30);
	assert_int_equal(p->events.items[0].period, 0);
}

static void a_period_that_all_have_is_said_once(void **state)
{
	struct fixture *f = *state;

	EXAMPLE_STACK(&f->p, 10, 100, 5, 0x1010);
	EXAMPLE_STACK(&f->p, 20, 110, 5, 0x1010);
	fill(f);
	assert_int_equal(f->page.events.items[0].period, 5);
}

static void what_filters_leave_out_is_not_in_the_page(void **state)
{
	static const struct sample_filter_request wanted = { .dsos = "lib" };
	struct fixture *f = *state;
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(sample_filter_new(&wanted, &f->filter, &diag), 0);
	EXAMPLE_STACK(&f->p, 10, 100, 5, 0x5010, 0x1010);
	EXAMPLE_STACK(&f->p, 20, 110, 7, 0x1010);
	fill(f);
	assert_int_equal(f->page.cells.n, 1);
	assert_int_equal(f->page.events.items[0].total, 5);
	assert_string_equal(name_of(&f->page, 0), "[lib]");
}

static void nothing_comes_of_no_samples(void **state)
{
	struct fixture *f = *state;

	fill(f);
	assert_int_equal(f->page.cells.n, 0);
	assert_int_equal(f->page.events.n, 0);
	assert_false(f->page.has_times);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(samples_become_cells_of_tasks_and_times, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_period_that_all_have_is_said_once, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_filters_leave_out_is_not_in_the_page, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(nothing_comes_of_no_samples, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
