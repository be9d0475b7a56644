/* SPDX-License-Identifier: MIT */
/* Alone: it replaces what reads lines (fake-source.h). */
#include "fake-source.h"
#include "example-profile.h"

#include "profile/cell-log.h"
#include "symbol/symbol.h"

#define PYTHON 0x9000
#define JAVA   0xb000

static void choice_init(struct example_profile *p)
{
	example_profile_init(p);
	mmaps(&p->recording, 10, PYTHON, 0x1000, "/interpreted/python", 1);
	mmaps(&p->recording, 10, JAVA, 0x1000, "/interpreted/java", 1);
}

static const struct tally *choice_collect(struct example_profile *p, enum frame_choice frames)
{
	return example_collect(p,
			       (struct collector_options){ .with_stacks = true, .frames = frames });
}

/* Returns the only node with samples of its own. */
static uint32_t choice_leaf(const struct tally *t)
{
	uint32_t found = STACK_NONE;

	for (uint32_t i = 0; i < t->stacks.n; i++)
		if (t->stacks.weights[i].self.samples) {
			assert_int_equal(found, STACK_NONE);
			found = i;
		}
	assert_int_not_equal(found, STACK_NONE);
	return found;
}

/* Checks that the stack of the only node with samples has @n frames at @ips, the innermost first.
 */
static void assert_choice(const struct example_profile *p, const struct tally *t,
			  const uint64_t *ips, size_t n)
{
	uint32_t node = choice_leaf(t);

	for (size_t i = 0; i < n; i++, node = t->stacks.nodes[node].parent)
		assert_int_equal(frames_get(p->env.frames, t->stacks.nodes[node].frame)->ip,
				 ips[i]);
	assert_true(stacks_is_root(&t->stacks, node));
}

static void native_frames_count_for_the_interpreted_one_that_runs_them(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;

	(void)state;
	choice_init(&p);
	for (uint64_t i = 0; i < 4; i++)
		EXAMPLE_STACK(&p, 10, 100 + i, 5, 0x5010, 0x1020, PYTHON + 8, 0x1030, PYTHON + 4,
			      0x1010);
	t = choice_collect(&p, FRAME_CHOICE_INTERPRETED);
	assert_choice(&p, t, (const uint64_t[]){ PYTHON + 8, PYTHON + 4 }, 2);
	assert_int_equal(t->stacks.weights[choice_leaf(t)].self.period, 20);
}

static void a_sampled_interpreted_frame_stays(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;

	(void)state;
	choice_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 5, JAVA + 8, PYTHON + 4, 0x1010);
	assert_choice(&p, choice_collect(&p, FRAME_CHOICE_INTERPRETED),
		      /* Without a name, the sampled address is beside its entry. */
		      (const uint64_t[]){ JAVA + 8, JAVA + 8, PYTHON + 4 }, 3);
}

static void interpreted_frames_count_for_the_native_one_below(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;

	(void)state;
	choice_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 5, JAVA + 8, PYTHON + 4, 0x1020, PYTHON, 0x1010);
	assert_choice(&p, choice_collect(&p, FRAME_CHOICE_NATIVE),
		      (const uint64_t[]){ 0x1020, 0x1010 }, 2);
}

static void assert_rest(struct example_profile *p, enum frame_choice frames, const char *name)
{
	const struct tally *t = choice_collect(p, frames);
	uint32_t node = choice_leaf(t);
	const struct frame *f = frames_get(p->env.frames, t->stacks.nodes[node].frame);

	assert_string_equal(f->sym->name, name);
	assert_null(f->image);
	assert_true(stacks_is_root(&t->stacks, t->stacks.nodes[node].parent));
}

static void a_stack_without_such_frames_has_one_that_stands_for_it(void **state)
{
	_cleanup_(example_profile_done) struct example_profile native, interpreted;

	(void)state;
	choice_init(&native);
	EXAMPLE_STACK(&native, 10, 100, 5, 0x5010, 0x1010);
	EXAMPLE_STACK(&native, 10, 101, 5, 0x1020, 0x1010);
	EXAMPLE_STACK(&native, 10, 102, 5, 0x1020);
	assert_rest(&native, FRAME_CHOICE_INTERPRETED, "[native]");
	choice_init(&interpreted);
	EXAMPLE_STACK(&interpreted, 10, 100, 5, PYTHON + 4, PYTHON + 8);
	assert_rest(&interpreted, FRAME_CHOICE_NATIVE, "[interpreted]");
}

static void all_frames_stay_without_a_choice(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;

	(void)state;
	choice_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 5, PYTHON + 4, 0x1010);
	assert_int_equal(choice_collect(&p, FRAME_CHOICE_ALL)->stacks.n, 4);
}

static void the_place_of_a_sample_is_that_of_its_frame(void **state)
{
	_cleanup_(frames_freep) struct frames *places = frames_new_places();
	_cleanup_(example_profile_done) struct example_profile p;
	const struct cell_log *log;

	(void)state;
	choice_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 5, 0x5010, PYTHON + 8, 0x1010);
	example_collect(&p, (struct collector_options){ .with_stacks = true,
							.frames = FRAME_CHOICE_INTERPRETED,
							.places = places });
	log = collector_log(p.collector);
	assert_int_equal(log->n, 1);
	assert_int_equal(frames_get(places, cell_log_get(log, 0)->place)->addr, 8);
}

static void choices_have_words(void **state)
{
	(void)state;
	for (int i = 0; i < N_FRAME_CHOICES; i++)
		assert_int_equal(frame_choice_find(frame_choice_name((enum frame_choice)i)), i);
	assert_true(frame_choice_find("python") < 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(native_frames_count_for_the_interpreted_one_that_runs_them),
		cmocka_unit_test(a_sampled_interpreted_frame_stays),
		cmocka_unit_test(interpreted_frames_count_for_the_native_one_below),
		cmocka_unit_test(a_stack_without_such_frames_has_one_that_stands_for_it),
		cmocka_unit_test(all_frames_stay_without_a_choice),
		cmocka_unit_test(the_place_of_a_sample_is_that_of_its_frame),
		cmocka_unit_test(choices_have_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
