/* SPDX-License-Identifier: MIT */
#include "example-profile.h"

#include <errno.h>

#include "profile/flame-stacks.h"
#include "profile/keys.h"

struct fixture {
	struct example_profile p;
	struct keys keys;
	struct flame_roots roots;
	struct flame_stacks_options o;
	struct flame *flame;
};

/*
 * Sets up three stacks of process 10 ("one"), two of them the same, and one of process 20 ("two").
 */
static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){ .roots = { .n = 0 } };
	example_profile_init(&f.p);
	EXAMPLE_STACK(&f.p, 10, 100, 5, 0x5010, 0x1010);
	EXAMPLE_STACK(&f.p, 10, 110, 7, 0x5010, 0x1010);
	EXAMPLE_STACK(&f.p, 10, 120, 11, 0x1010);
	EXAMPLE_STACK(&f.p, 20, 130, 13, 0x9010, 0x5010, 0x1010);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	flame_free(f->flame);
	keys_done(&f->keys);
	example_profile_done(&f->p);
	return 0;
}

/* Collects by the keys of @roots, and makes the boxes. */
static void draw(struct fixture *f, const char *roots, struct collector_options c)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
	_cleanup_(freep) char *sort = NULL;
	const struct tally *t;
	size_t offset, length;

	assert_int_equal(flame_roots_parse(roots, &f->roots, &offset, &length), 0);
	sort = flame_roots_sort(&f->roots);
	for (char *key = strtok(sort, ","); key; key = strtok(NULL, ","))
		assert_true(keys_add(&f->keys, &(struct key_env){ 0 }, REPORT_NORMAL, key, &diag) >=
			    0);
	c.keys = f->keys.items;
	c.n_keys = f->keys.n;
	t = example_collect(&f->p, c);
	f->o.env = &f->p.env;
	f->o.keys = f->keys.items;
	f->o.n_keys = f->keys.n;
	f->o.roots = &f->roots;
	flame_add_stacks(b, &f->o, t);
	f->flame = flame_builder_finish(b, false);
}

/* Returns the box at the end of @path, names with '/' between them; NULL: there is none. */
static const struct flame_box *box_at(const struct fixture *f, const char *path)
{
	char copy[128];
	uint32_t at = 0;

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *name = strtok(copy, ">"); name; name = strtok(NULL, ">")) {
		uint32_t next = FLAME_NONE;

		for (uint32_t i = at + 1; i < f->flame->boxes[at].end; i = f->flame->boxes[i].end)
			if (!strcmp(f->flame->boxes[i].name, name))
				next = i;
		if (next == FLAME_NONE)
			return NULL;
		at = next;
	}
	return &f->flame->boxes[at];
}

static void check_box(const struct fixture *f, const char *path, uint64_t total, uint64_t self)
{
	const struct flame_box *b = box_at(f, path);

	assert_non_null(b);
	assert_int_equal(b->value[FLAME_AFTER].total, total);
	assert_int_equal(b->value[FLAME_AFTER].self, self);
}

static const struct collector_options with_stacks = { .with_stacks = true };

static void stacks_stand_on_their_commands(void **state)
{
	struct fixture *f = *state;

	draw(f, "comm", with_stacks);
	check_box(f, "", 4, 0);
	check_box(f, "one", 3, 0);
	check_box(f, "one>[app]", 3, 1);
	check_box(f, "one>[app]>[lib]", 2, 2);
	check_box(f, "two>[app]>[lib]>[unknown]", 1, 1);
	assert_int_equal(box_at(f, "one")->kind, FLAME_TASK);
	assert_int_equal(box_at(f, "one>[app]")->kind, FLAME_UNKNOWN);
	assert_string_equal(box_at(f, "one>[app]")->object, "app");
}

static void periods_are_weights_if_wanted(void **state)
{
	struct fixture *f = *state;

	f->o.by_period = true;
	draw(f, "comm", with_stacks);
	check_box(f, "one>[app]", 23, 11);
	check_box(f, "two", 13, 0);
}

static void periods_may_have_samples_beside_them(void **state)
{
	struct fixture *f = *state;

	f->o.by_period = f->o.with_samples = true;
	draw(f, "comm", with_stacks);
	check_box(f, "one>[app]", 23, 11);
	assert_int_equal(box_at(f, "one>[app]")->value[FLAME_BEFORE].total, 3);
	assert_int_equal(box_at(f, "one>[app]")->value[FLAME_BEFORE].self, 1);
}

static void roots_may_be_others_or_several_or_none(void **state)
{
	struct fixture *f = *state;

	draw(f, "cpu,thread", with_stacks);
	check_box(f, "CPU 1>one-10/10>[app]", 3, 1);
	check_box(f, "CPU 2>two-20/20", 1, 0);
}

static void processes_have_the_name_of_their_main_thread(void **state)
{
	struct fixture *f = *state;

	draw(f, "process", with_stacks);
	check_box(f, "one-10>[app]", 3, 1);
	check_box(f, "two-20", 1, 0);
}

static void without_roots_all_commands_are_one(void **state)
{
	struct fixture *f = *state;

	draw(f, "none", with_stacks);
	check_box(f, "[app]", 4, 1);
	check_box(f, "[app]>[lib]", 3, 2);
}

static void reversed_stacks_begin_with_what_was_sampled(void **state)
{
	struct fixture *f = *state;

	f->o.reverse = true;
	draw(f, "cpu,comm", with_stacks);
	check_box(f, "[lib]>[app]>one>CPU 1", 2, 2);
	check_box(f, "[app]>one", 1, 0);
	check_box(f, "[unknown]>[lib]>[app]>two", 1, 0);
}

static void without_stacks_the_sampled_function_is_shown(void **state)
{
	struct fixture *f = *state;

	draw(f, "comm", (struct collector_options){ .with_stacks = false });
	check_box(f, "one>[lib]", 2, 2);
	check_box(f, "two>[unknown]", 1, 1);
	assert_null(box_at(f, "one>[app]>[lib]"));
}

static void filters_by_task_and_place_leave_out_samples(void **state)
{
	struct fixture *f = *state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(sample_filter_freep) struct sample_filter *filter = NULL;
	const struct sample_filter_request rq = { .comms = "one", .dsos = "lib" };
	struct collector_options c = with_stacks;

	assert_int_equal(sample_filter_new(&rq, &filter, &diag), 0);
	c.filter = f->o.filter = filter;
	draw(f, "comm", c);
	check_box(f, "", 2, 0);
	check_box(f, "one>[app]>[lib]", 2, 2);
	assert_null(box_at(f, "two"));
}

static void names_for_lines_have_no_semicolons(void **state)
{
	struct fixture *f = *state;

	comm(&f->p.recording, 10, 10, "a;b c", 2);
	f->o.folded_names = true;
	draw(f, "comm", with_stacks);
	check_box(f, "a:b_c", 3, 0);
}

static void words_that_are_no_roots_are_refused(void **state)
{
	struct flame_roots r = { .n = 0 };
	size_t offset = 0, length = 0;

	(void)state;
	assert_int_equal(flame_roots_parse("comm,node", &r, &offset, &length), -EINVAL);
	assert_int_equal(offset, 5);
	assert_int_equal(length, 4);
	assert_int_equal(flame_roots_parse("cpu,cpu", &r, &offset, &length), -EINVAL);
	assert_int_equal(flame_roots_parse("", &r, &offset, &length), -EINVAL);
	assert_int_equal(r.n, 0);
	assert_int_equal(flame_roots_parse("cgroup", &r, &offset, &length), 0);
	assert_true(flame_roots_sample_types(&r) & PERF_SAMPLE_CGROUP);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(stacks_stand_on_their_commands),
		TEST(periods_are_weights_if_wanted),
		TEST(periods_may_have_samples_beside_them),
		TEST(roots_may_be_others_or_several_or_none),
		TEST(processes_have_the_name_of_their_main_thread),
		TEST(without_roots_all_commands_are_one),
		TEST(reversed_stacks_begin_with_what_was_sampled),
		TEST(without_stacks_the_sampled_function_is_shown),
		TEST(filters_by_task_and_place_leave_out_samples),
		TEST(names_for_lines_have_no_semicolons),
		cmocka_unit_test(words_that_are_no_roots_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
