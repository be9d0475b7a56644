/* SPDX-License-Identifier: MIT */
/* Alone: it has the functions of its file. */
/* The kept images cannot be seen from outside, so the test includes the internal functions. */
#include "tools/top/world-work.c"

#include "example-top.h"

#include <errno.h>

#include "profile/shared-values.h"

/* The value in src/tools/top/world-work.c. */
#define NODES_MIN 4096

static void a_question_has_texts_of_its_own(void **state)
{
	char sort[] = "comm";
	struct top_question *q =
		top_question_new(&(struct browse_request){ .profile.plan.sort = sort });

	(void)state;
	memset(sort, 'x', 4);
	assert_string_equal(q->rq.profile.plan.sort, "comm");
	assert_int_equal(q->refs, 1);
	q->refs++;
	top_question_unref(q);
	assert_int_equal(q->refs, 1);
	assert_string_equal(q->rq.profile.plan.sort, "comm");
	top_question_unref(q);
	top_question_unref(NULL);
}

static void the_newest_world_is_the_first_of_the_list(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_world *first, *second, *third;

	(void)state;
	example_top_init(&e, "pid");
	first = e.t.world;
	assert_ptr_equal(e.t.worlds, first);
	assert_null(first->next);
	assert_int_equal(e.question->refs, 2);
	assert_int_equal(first->refs, 1);
	assert_int_equal(first->n_left, 0);
	assert_int_equal(first->profile.env.generation, 0);
	assert_int_equal(top_world_new(&e.t, e.question, first, &second, &e.diag), 0);
	assert_int_equal(top_world_new(&e.t, e.question, second, &third, &e.diag), 0);
	assert_int_equal(e.question->refs, 4);
	assert_int_equal(second->profile.env.generation, 1);
	assert_int_equal(third->profile.env.generation, 2);
	assert_ptr_equal(e.t.worlds, third);
	assert_ptr_equal(third->next, second);
	assert_ptr_equal(second->next, first);
	/* A world in the middle of the list is freed with its last reference. */
	second->refs++;
	top_world_unref(&e.t, second);
	assert_ptr_equal(third->next, second);
	top_world_unref(&e.t, second);
	assert_ptr_equal(third->next, first);
	assert_int_equal(e.question->refs, 3);
	top_world_unref(&e.t, third);
	assert_ptr_equal(e.t.worlds, first);
	top_world_unref(&e.t, NULL);
}

static void worlds_share_values_or_have_their_own(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_world *shares, *own;
	uint64_t text;

	(void)state;
	example_top_init(&e, "comm");
	text = shared_values_add_text(e.t.world->profile.env.values, "a text");
	assert_int_equal(top_world_new(&e.t, e.question, e.t.world, &shares, &e.diag), 0);
	assert_int_equal(shared_values_add_text(shares->profile.env.values, "a text"), text);
	assert_int_equal(top_world_new(&e.t, e.question, NULL, &own, &e.diag), 0);
	assert_int_equal(own->profile.env.generation, 0);
	assert_true(shared_values_add_text(own->profile.env.values, "a text") != text);
	top_world_unref(&e.t, shares);
	top_world_unref(&e.t, own);
}

static void a_wrong_question_makes_no_world(void **state)
{
	struct top_question *q =
		top_question_new(&(struct browse_request){ .profile.plan.sort = "colour" });
	_cleanup_(example_top_done) struct example_top e;
	struct top_world *w = NULL;

	(void)state;
	example_top_init(&e, "pid");
	assert_int_equal(top_world_new(&e.t, q, NULL, &w, &e.diag), -EINVAL);
	assert_non_null(strstr(e.diag.message, "colour"));
	assert_null(w);
	assert_ptr_equal(e.t.worlds, e.t.world);
	assert_int_equal(q->refs, 1);
	top_question_unref(q);
}

static void an_eighth_is_forgotten(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_world *w;

	(void)state;
	example_top_init(&e, "pid");
	w = e.t.world;
	example_top_samples_of(&e, 7, 8000);
	assert_int_equal(example_top_weight(&e), 8000);
	top_world_fade(&e.t);
	assert_in_range(example_top_weight(&e), 6990, 7010);
	top_world_fade(&e.t);
	assert_in_range(example_top_weight(&e), 6110, 6140);
	/* The world holds little, so it stays. */
	assert_ptr_equal(e.t.world, w);
}

static void with_zeroes_all_is_forgotten(void **state)
{
	_cleanup_(example_top_done) struct example_top e;

	(void)state;
	example_top_init(&e, "pid");
	example_top_samples_of(&e, 7, 8000);
	e.t.now.zeroes = true;
	top_world_fade(&e.t);
	assert_int_equal(example_top_weight(&e), 0);
}

/* Adds processes, each of which is a context with a node below it. */
static void many_processes(struct example_top *e, uint32_t from, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		sampled(&e->rec, 1, from + i, 1000);
	example_top_pass(e);
}

static size_t nodes_of(const struct example_top *e)
{
	return collector_tally(e->t.world->profile.collector, 0)->stacks.n;
}

static void what_has_faded_is_left_behind_when_it_is_much(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_world *w;
	size_t each;

	(void)state;
	example_top_init(&e, "pid");
	e.t.now.zeroes = true;
	many_processes(&e, 1000, 1);
	each = nodes_of(&e);
	many_processes(&e, 1001, (uint32_t)(NODES_MIN / each) - 1);
	assert_int_equal(nodes_of(&e), NODES_MIN);
	w = e.t.world;
	top_world_fade(&e.t);
	assert_ptr_equal(e.t.world, w);
	many_processes(&e, 900000, 1);
	top_world_fade(&e.t);
	assert_ptr_not_equal(e.t.world, w);
	assert_ptr_equal(e.t.worlds, e.t.world);
	assert_null(e.t.world->next);
	assert_int_equal(e.t.world->profile.env.generation, 1);
	assert_int_equal(e.t.world->n_left, 0);
	assert_int_equal(nodes_of(&e), 0);
	example_top_samples_of(&e, 7, 3);
	assert_int_equal(example_top_weight(&e), 3);
}

static void what_still_weighs_goes_on_in_the_next_world(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct tally *t;
	struct top_world *w;

	(void)state;
	example_top_init(&e, "pid");
	example_top_samples_of(&e, 7, 80000);
	many_processes(&e, 1000, 3 * NODES_MIN);
	w = e.t.world;
	/* None of the other contexts has a weight left. */
	t = (struct tally *)collector_tally(w->profile.collector, 0);
	for (size_t i = 0; i < t->stacks.n; i++)
		if (t->stacks.weights[i].self.samples == 1)
			t->stacks.weights[i].self = (struct weight){ 0 };
	top_world_fade(&e.t);
	assert_ptr_not_equal(e.t.world, w);
	assert_int_equal(e.t.world->n_left, 1);
	assert_in_range(example_top_weight(&e), 69900, 70100);
	assert_in_range(nodes_of(&e), 1, 2);
}

static void a_world_of_which_most_is_left_stays(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_world *w;

	(void)state;
	example_top_init(&e, "pid");
	for (int i = 0; i < 8; i++)
		many_processes(&e, 1000, 2 * NODES_MIN);
	w = e.t.world;
	top_world_fade(&e.t);
	assert_ptr_equal(e.t.world, w);
	/* The number that was left when the world was made counts as well. */
	e.t.now.zeroes = true;
	assert_int_equal((nodes_of(&e) - NODES_MIN) % 4, 0);
	w->n_left = (nodes_of(&e) - NODES_MIN) / 4;
	top_world_fade(&e.t);
	assert_ptr_equal(e.t.world, w);
	w->n_left--;
	top_world_fade(&e.t);
	assert_ptr_not_equal(e.t.world, w);
}

/*
 * True if the world is renewed when only @kept of 100 processes that were sampled once still have a
 * weight.
 */
static bool is_renewed_with(unsigned kept)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_world *w;
	struct tally *t;
	unsigned n = 0;

	example_top_init(&e, "pid");
	for (int i = 0; i < 100; i++)
		many_processes(&e, 1000, 2 * NODES_MIN);
	w = e.t.world;
	t = (struct tally *)collector_tally(w->profile.collector, 0);
	for (size_t i = 0; i < t->stacks.n; i++)
		if (t->stacks.weights[i].self.samples && n++ % 100 >= kept)
			t->stacks.weights[i].self = (struct weight){ 0 };
	top_world_fade(&e.t);
	return e.t.world != w;
}

static void one_of_which_half_is_left_stays_too(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	unsigned half;

	(void)state;
	/* The limit is half of the nodes, which are counted here for 100 processes. */
	example_top_init(&e, "pid");
	many_processes(&e, 1000, 100);
	half = (unsigned)nodes_of(&e) / 2;
	assert_false(is_renewed_with(half + 2 < 100 ? half + 2 : 100));
	assert_true(is_renewed_with(half - 10));
}

static void too_many_texts_are_forgotten_with_all_there_is(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_world *w;
	char text[1024];

	(void)state;
	example_top_init(&e, "comm");
	example_top_samples_of(&e, 7, 8000);
	w = e.t.world;
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	for (unsigned i = 0; shared_values_bytes(w->profile.env.values) < (size_t)32 << 20; i++) {
		top_world_fade(&e.t);
		assert_ptr_equal(e.t.world, w);
		for (unsigned k = 0; k < 1000; k++) {
			snprintf(text, 16, "%u.%u", i, k);
			text[strlen(text)] = 'b';
			shared_values_add_text(w->profile.env.values, text);
			if (shared_values_bytes(w->profile.env.values) >= (size_t)32 << 20)
				break;
		}
	}
	top_world_fade(&e.t);
	assert_ptr_not_equal(e.t.world, w);
	assert_int_equal(e.t.world->profile.env.generation, 0);
	assert_int_equal(e.t.world->n_left, 0);
	assert_int_equal(example_top_weight(&e), 0);
	assert_true(shared_values_bytes(e.t.world->profile.env.values) < 1 << 20);
}

/* Adds processes that map a program, are sampled and end. */
static void come_and_go(struct example_top *e, uint32_t n)
{
	static uint64_t time = 1000000;

	for (uint32_t pid = 100; pid < 100 + n; pid++) {
		struct record end = { .header.type = PERF_RECORD_EXIT,
				      .task = { .pid = pid, .ppid = 7, .tid = pid, .ptid = 7 } };

		forks(&e->rec, 7, pid, ++time);
		mmaps(&e->rec, pid, 0x1000, 0x1000, "/bin/a", ++time);
		example_top_sample(e, PERF_RECORD_MISC_USER, pid, 0x1010, ++time);
		add(&e->rec, end, ++time);
		if (pid % 100 == 0)
			example_top_pass(e);
	}
	example_top_pass(e);
}

static void what_is_past_is_forgotten_when_it_is_time(void **state)
{
	_cleanup_(example_top_done) struct example_top e;

	(void)state;
	example_top_init(&e, "pid");
	come_and_go(&e, 10);
	assert_false(session_live_forget_is_due(e.session));
	top_world_forget(&e.t);
	come_and_go(&e, 20000);
	assert_true(session_live_forget_is_due(e.session));
	top_world_forget(&e.t);
	assert_false(session_live_forget_is_due(e.session));
	assert_int_equal(example_top_weight(&e), 20010);
}

static void count_image(void *arg, uint64_t key, void *value)
{
	assert_int_equal(key, (uintptr_t)value);
	(*(size_t *)arg)++;
}

/* Two images with samples, and one without. */
static void images_of_frames_are_kept(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct kept_images kept = { 0 };
	const struct frames *f;
	const struct image *im = NULL;
	size_t n = 0, n_frames = 0;

	(void)state;
	example_top_init(&e, "dso");
	mmaps(&e.rec, 7, 0x1000, 0x1000, "/bin/a", 10);
	mmaps(&e.rec, 7, 0x3000, 0x1000, "/bin/b", 11);
	mmaps(&e.rec, 7, 0x5000, 0x1000, "/bin/c", 12);
	example_top_sample(&e, PERF_RECORD_MISC_USER, 7, 0x1010, 20);
	example_top_sample(&e, PERF_RECORD_MISC_USER, 7, 0x3010, 21);
	example_top_sample(&e, PERF_RECORD_MISC_USER, 7, 0x1020, 22);
	example_top_sample(&e, PERF_RECORD_MISC_USER, 7, 0x9010, 23);
	example_top_pass(&e);
	f = e.t.world->profile.env.frames;
	collect_images(f, &kept.images);
	u64_map_for_each(&kept.images, count_image, &n);
	assert_int_equal(n, 2);
	for (uint32_t i = 0; i < frames_count(f); i++) {
		if (!frames_get(f, i)->image)
			continue;
		n_frames++;
		im = frames_get(f, i)->image;
		assert_true(is_referred_to(&kept, im));
	}
	assert_true(n_frames >= 2);
	/* Another address is not referred to; if listings are shown, all are. */
	assert_false(is_referred_to(&kept, (const struct image *)((const char *)im + 1)));
	kept.all = true;
	assert_true(is_referred_to(&kept, (const struct image *)((const char *)im + 1)));
	u64_map_done(&kept.images);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_question_has_texts_of_its_own),
		cmocka_unit_test(the_newest_world_is_the_first_of_the_list),
		cmocka_unit_test(worlds_share_values_or_have_their_own),
		cmocka_unit_test(a_wrong_question_makes_no_world),
		cmocka_unit_test(an_eighth_is_forgotten),
		cmocka_unit_test(with_zeroes_all_is_forgotten),
		cmocka_unit_test(what_has_faded_is_left_behind_when_it_is_much),
		cmocka_unit_test(what_still_weighs_goes_on_in_the_next_world),
		cmocka_unit_test(a_world_of_which_most_is_left_stays),
		cmocka_unit_test(one_of_which_half_is_left_stays_too),
		cmocka_unit_test(too_many_texts_are_forgotten_with_all_there_is),
		cmocka_unit_test(what_is_past_is_forgotten_when_it_is_time),
		cmocka_unit_test(images_of_frames_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
