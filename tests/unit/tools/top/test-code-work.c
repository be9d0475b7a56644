/* SPDX-License-Identifier: MIT */
#include "example-top.h"

#include <errno.h>

#include "profile/annotate.h"
#include "profile/code-functions.h"
#include "symbol/example-code.h"

#define MAP 0x40000000ull

static const struct annotate_request how;

/* Process 7 with the example's program, and a snapshot of it. */
struct fixture {
	void *dir;
	struct symbolizer *names;
	struct example_top e;
	struct top_snapshot *s;
};

static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){ 0 };
	if (scratch_make(&f.dir) < 0)
		return -1;
	example_store(f.dir, "bin/made", EM_AARCH64, ET_DYN);
	f.names = symbolizer_new(&(struct symbolizer_options){ .symfs = f.dir });
	example_top_init_with(&f.e, "pid", f.names);
	mmaps(&f.e.rec, 7, MAP, 0x1000, EXAMPLE_NAME, 1);
	example_top_pass(&f.e);
	f.s = top_snapshot_new(&f.e.t);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	top_snapshot_unref(&f->e.t, f->s);
	example_top_done(&f->e);
	symbolizer_free(f->names);
	return scratch_remove(&f->dir);
}

static struct code_functions *look(struct fixture *f)
{
	struct code_functions *c = NULL;

	assert_int_equal(top_code(&f->e.t.browse, &f->s->base, &how, 0, 1, &c, &f->e.diag), 0);
	assert_non_null(c);
	return c;
}

static void sample_first(struct fixture *f, size_t n)
{
	static uint64_t time = 100;

	for (size_t i = 0; i < n; i++)
		example_top_sample(&f->e, PERF_RECORD_MISC_USER, 7, MAP + EXAMPLE_TEXT, ++time);
	example_top_pass(&f->e);
}

/* Returns the weight of the newest set. */
static uint64_t weight_of(struct code_functions *c)
{
	const struct code_samples *s = code_functions_take(c, NULL);
	uint64_t n;

	assert_non_null(s);
	n = s->totals[0].samples;
	if (n)
		assert_non_null(code_samples_find(s, NULL, "first", 0));
	code_samples_release(s);
	return n;
}

static void it_is_shown_from_the_first_look_to_the_last(void **state)
{
	struct fixture *f = *state;
	struct code_functions *a, *b;

	assert_false(top_code_is_shown(&f->e.t));
	a = look(f);
	assert_true(top_code_is_shown(&f->e.t));
	b = look(f);
	code_functions_free(a);
	assert_true(top_code_is_shown(&f->e.t));
	code_functions_free(b);
	assert_false(top_code_is_shown(&f->e.t));
}

static void they_go_in_any_order(void **state)
{
	struct fixture *f = *state;
	struct code_functions *c[3];

	for (size_t i = 0; i < 3; i++)
		c[i] = look(f);
	code_functions_free(c[1]);
	sample_first(f, 3);
	top_code_refresh(&f->e.t, 1, 1);
	assert_int_equal(weight_of(c[0]), 3);
	assert_int_equal(weight_of(c[2]), 3);
	code_functions_free(c[2]);
	code_functions_free(c[0]);
	assert_null(f->e.t.codes);
}

static void samples_count_from_the_moment_that_somebody_looks(void **state)
{
	struct fixture *f = *state;
	struct code_functions *c;

	sample_first(f, 5);
	c = look(f);
	assert_null(code_functions_take(c, NULL));
	sample_first(f, 3);
	assert_null(code_functions_take(c, NULL));
	top_code_refresh(&f->e.t, 1, 1);
	assert_int_equal(weight_of(c), 3);
	assert_true(code_functions_is_live(c));
	code_functions_free(c);
}

static void it_fades_behind_what_was_published(void **state)
{
	struct fixture *f = *state;
	struct code_functions *c = look(f);

	sample_first(f, 8000);
	top_code_refresh(&f->e.t, 7, 8);
	assert_int_equal(weight_of(c), 8000);
	top_code_refresh(&f->e.t, 0, 8);
	assert_in_range(weight_of(c), 6900, 7100);
	top_code_refresh(&f->e.t, 0, 8);
	assert_int_equal(weight_of(c), 0);
	code_functions_free(c);
}

static void the_filters_of_the_question_hold(void **state)
{
	struct fixture *f = *state;
	struct browse_request rq = f->s->world->question->rq;
	struct browse_snapshot s = f->s->base;
	struct code_functions *c;

	rq.profile.filter.comms = "idle";
	s.request = &rq;
	assert_int_equal(top_code(&f->e.t.browse, &s, &how, 0, 1, &c, &f->e.diag), 0);
	sample_first(f, 3);
	top_code_refresh(&f->e.t, 1, 1);
	assert_int_equal(weight_of(c), 0);
	code_functions_free(c);
}

static void a_wrong_filter_is_refused(void **state)
{
	struct fixture *f = *state;
	struct browse_request rq = f->s->world->question->rq;
	struct browse_snapshot s = f->s->base;
	struct code_functions *c = NULL;

	rq.profile.filter.comms = "file:///no/such/file";
	s.request = &rq;
	assert_int_equal(top_code(&f->e.t.browse, &s, &how, 0, 1, &c, &f->e.diag), -ENOENT);
	assert_non_null(strstr(f->e.diag.message, "/no/such/file"));
	assert_null(c);
	assert_false(top_code_is_shown(&f->e.t));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(it_is_shown_from_the_first_look_to_the_last, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(they_go_in_any_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(samples_count_from_the_moment_that_somebody_looks,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(it_fades_behind_what_was_published, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(the_filters_of_the_question_hold, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_wrong_filter_is_refused, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
