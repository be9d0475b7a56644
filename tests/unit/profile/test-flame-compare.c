/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/flame-compare.h"

/* A stack "main;a;b", and its number of samples or its weight. */
struct stack {
	const char *names;
	uint64_t weight;
};

static void add(struct flame_builder *b, const struct stack *s, enum flame_side side)
{
	_cleanup_(freep) char *names = xstrdup(s->names);
	char *rest = names;
	uint32_t box = 0;

	for (char *name; (name = strsep(&rest, ";"));)
		box = flame_builder_box(b, box, flame_builder_text(b, name),
					flame_builder_text(b, "prog"), FLAME_USER);
	flame_builder_weigh(b, box, side, s->weight);
}

static struct flame *flame_of(const struct stack *stacks, size_t n)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");

	for (size_t i = 0; i < n; i++)
		add(b, &stacks[i], FLAME_AFTER);
	return flame_builder_finish(b, false);
}

#define FLAME(...)                                                                                 \
	flame_of((const struct stack[]){ __VA_ARGS__ },                                            \
		 sizeof((const struct stack[]){ __VA_ARGS__ }) / sizeof(struct stack))

/* Compares one recording of each side, by numbers of samples. */
static struct flame *compare(const struct flame *before, const struct flame *after)
{
	return flame_compare(
		(const struct flame_part[]){
			{ .side = FLAME_BEFORE, .weights = before },
			{ .side = FLAME_AFTER, .weights = after },
		},
		2);
}

/* Returns the only box of that name. */
static const struct flame_box *box_of(const struct flame *f, const char *name)
{
	const struct flame_box *found = NULL;

	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->boxes[i].name, name)) {
			assert_null(found);
			found = &f->boxes[i];
		}
	assert_non_null(found);
	return found;
}

static size_t count_changes(const struct flame *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		n += f->boxes[i].change != FLAME_NOISE;
	return n;
}

static void the_same_recording_twice_has_no_change(void **state)
{
	(void)state;
	_cleanup_(flame_freep) struct flame *one =
		FLAME({ "sh;main;read", 500 }, { "sh;main;write", 300 }, { "sh;main", 2 });
	_cleanup_(flame_freep) struct flame *f = compare(one, one);

	assert_true(f->is_comparison);
	assert_int_equal(f->n, one->n);
	assert_int_equal(count_changes(f), 0);
	assert_int_equal(box_of(f, "read")->value[FLAME_BEFORE].total, 500);
	assert_int_equal(box_of(f, "read")->value[FLAME_AFTER].total, 500);
}

static void a_shift_is_seen_where_it_is_and_nowhere_else(void **state)
{
	(void)state;
	_cleanup_(flame_freep) struct flame *before =
		FLAME({ "sh;main;parse", 400 }, { "sh;main;eval;get", 300 },
		      { "sh;main;eval;set", 100 }, { "sh;exit", 200 });
	_cleanup_(flame_freep) struct flame *after =
		FLAME({ "sh;main;parse", 400 }, { "sh;main;eval;get", 200 },
		      { "sh;main;eval;set", 205 }, { "sh;exit", 195 });
	_cleanup_(flame_freep) struct flame *f = compare(before, after);

	assert_int_equal(box_of(f, "all")->change, FLAME_NOISE);
	assert_int_equal(box_of(f, "sh")->change, FLAME_NOISE);
	assert_int_equal(box_of(f, "main")->change, FLAME_NOISE);
	assert_int_equal(box_of(f, "parse")->change, FLAME_NOISE);
	assert_int_equal(box_of(f, "eval")->change, FLAME_NOISE);
	assert_int_equal(box_of(f, "exit")->change, FLAME_NOISE);
	assert_int_equal(box_of(f, "get")->change, FLAME_LESS);
	assert_int_equal(box_of(f, "set")->change, FLAME_MORE);
}

static void a_box_that_holds_all_of_its_parent_changes_with_it(void **state)
{
	(void)state;
	_cleanup_(flame_freep) struct flame *before = FLAME({ "a;b;c", 100 }, { "x", 900 });
	_cleanup_(flame_freep) struct flame *after = FLAME({ "a;b;c", 300 }, { "x", 700 });
	_cleanup_(flame_freep) struct flame *f = compare(before, after);

	assert_int_equal(box_of(f, "a")->change, FLAME_MORE);
	assert_int_equal(box_of(f, "b")->change, FLAME_MORE);
	assert_int_equal(box_of(f, "c")->change, FLAME_MORE);
	assert_int_equal(box_of(f, "x")->change, FLAME_LESS);
}

static void a_box_that_one_side_lacks_is_there(void **state)
{
	(void)state;
	_cleanup_(flame_freep) struct flame *before =
		FLAME({ "main;old;in", 80 }, { "main;rest", 900 }, { "main;rare", 1 });
	_cleanup_(flame_freep) struct flame *after = FLAME({ "main;new;in", 80 },
							   { "main;rest", 900 });
	_cleanup_(flame_freep) struct flame *f = compare(before, after);

	assert_int_equal(f->n, 8);
	assert_int_equal(box_of(f, "old")->change, FLAME_LESS);
	assert_int_equal(box_of(f, "old")->value[FLAME_BEFORE].total, 80);
	assert_int_equal(box_of(f, "old")->value[FLAME_AFTER].total, 0);
	assert_int_equal(box_of(f, "new")->change, FLAME_MORE);
	assert_int_equal(box_of(f, "new")->value[FLAME_BEFORE].total, 0);
	assert_int_equal(box_of(f, "rare")->change, FLAME_NOISE);
	assert_int_equal(box_of(f, "rest")->change, FLAME_NOISE);
}

static void shares_are_compared_and_not_counts(void **state)
{
	(void)state;
	_cleanup_(flame_freep) struct flame *before = FLAME({ "main;a", 500 }, { "main;b", 300 },
							    { "main;c", 200 });
	_cleanup_(flame_freep) struct flame *same = FLAME({ "main;a", 5000 }, { "main;b", 3000 },
							  { "main;c", 2000 });
	_cleanup_(flame_freep) struct flame *other = FLAME({ "main;a", 5000 }, { "main;b", 1000 },
							   { "main;c", 4000 });
	_cleanup_(flame_freep) struct flame *f = compare(before, same);
	_cleanup_(flame_freep) struct flame *g = compare(before, other);

	assert_int_equal(count_changes(f), 0);
	assert_int_equal(box_of(g, "a")->change, FLAME_NOISE);
	assert_int_equal(box_of(g, "b")->change, FLAME_LESS);
	assert_int_equal(box_of(g, "c")->change, FLAME_MORE);
}

/* 5% and 10% of 2,000 samples differ; of 20 samples that weigh 100 each they do not. */
static void weights_do_not_count_as_samples(void **state)
{
	(void)state;
	_cleanup_(flame_freep) struct flame *before = FLAME({ "a", 100 }, { "b", 1900 });
	_cleanup_(flame_freep) struct flame *after = FLAME({ "a", 200 }, { "b", 1800 });
	_cleanup_(flame_freep) struct flame *before_samples = FLAME({ "a", 1 }, { "b", 19 });
	_cleanup_(flame_freep) struct flame *after_samples = FLAME({ "a", 2 }, { "b", 18 });
	_cleanup_(flame_freep) struct flame *counts = compare(before, after);
	_cleanup_(flame_freep) struct flame *weights = flame_compare(
		(const struct flame_part[]){
			{ FLAME_BEFORE, before, before_samples },
			{ FLAME_AFTER, after, after_samples },
		},
		2);

	assert_int_equal(box_of(counts, "a")->change, FLAME_MORE);
	assert_int_equal(box_of(weights, "a")->change, FLAME_NOISE);
	assert_int_equal(box_of(weights, "a")->value[FLAME_AFTER].total, 200);
}

/* Each of the three heavy samples is a tenth of everything: one more or less may be chance. */
static void a_few_heavy_samples_are_no_proof(void **state)
{
	(void)state;
	_cleanup_(flame_freep) struct flame *before = FLAME({ "big", 100 }, { "small", 700 });
	_cleanup_(flame_freep) struct flame *after = FLAME({ "big", 300 }, { "small", 700 });
	_cleanup_(flame_freep) struct flame *before_samples = FLAME({ "big", 1 }, { "small", 700 });
	_cleanup_(flame_freep) struct flame *after_samples = FLAME({ "big", 3 }, { "small", 700 });
	_cleanup_(flame_freep) struct flame *f = flame_compare(
		(const struct flame_part[]){
			{ FLAME_BEFORE, before, before_samples },
			{ FLAME_AFTER, after, after_samples },
		},
		2);

	assert_int_equal(count_changes(f), 0);
}

static void an_empty_side_shows_no_change(void **state)
{
	(void)state;
	_cleanup_(flame_freep) struct flame *empty = flame_of(NULL, 0);
	_cleanup_(flame_freep) struct flame *after = FLAME({ "main", 1000 });
	_cleanup_(flame_freep) struct flame *f = compare(empty, after);
	_cleanup_(flame_freep) struct flame *g = compare(after, empty);
	_cleanup_(flame_freep) struct flame *nothing = flame_compare(NULL, 0);

	assert_int_equal(count_changes(f), 0);
	assert_int_equal(count_changes(g), 0);
	assert_int_equal(box_of(g, "main")->value[FLAME_BEFORE].total, 1000);
	assert_int_equal(nothing->n, 1);
}

static void several_recordings_tell_how_much_a_share_varies(void **state)
{
	(void)state;
	/* "wild" varies from 10% to 30% on both sides, "calm" is 50% and then 52%. */
	const uint64_t wild[] = { 1000, 3000, 2000, 2100, 3100, 1200 };
	const uint64_t calm[] = { 5000, 5010, 4990, 5200, 5190, 5210 };
	struct flame_part parts[6] = { 0 };

	for (size_t i = 0; i < 6; i++) {
		parts[i].side = i < 3 ? FLAME_BEFORE : FLAME_AFTER;
		parts[i].weights = FLAME({ "main;wild", wild[i] }, { "main;calm", calm[i] },
					 { "main;rest", 10000 - wild[i] - calm[i] });
	}
	_cleanup_(flame_freep) struct flame *repeated = flame_compare(parts, 6);
	_cleanup_(flame_freep) struct flame *single = compare(parts[0].weights, parts[3].weights);

	assert_int_equal(box_of(repeated, "wild")->change, FLAME_NOISE);
	assert_int_equal(box_of(repeated, "calm")->change, FLAME_MORE);
	assert_int_equal(box_of(repeated, "main")->change, FLAME_NOISE);
	assert_int_equal(box_of(repeated, "wild")->value[FLAME_BEFORE].total, 6000);
	assert_int_equal(box_of(repeated, "wild")->value[FLAME_AFTER].total, 6400);
	/* One recording of each side cannot show that. */
	assert_int_equal(box_of(single, "wild")->change, FLAME_MORE);
	for (size_t i = 0; i < 6; i++)
		flame_free((struct flame *)parts[i].weights);
}

/* The mean of the shares grows from 51% to 58%; the share of the sums shrinks from 55% to 53%. */
static void a_change_that_the_picture_contradicts_is_not_claimed(void **state)
{
	(void)state;
	const uint64_t percent[] = { 50, 50, 50, 55, 60, 60, 60, 53 };
	struct flame_part parts[8] = { 0 };
	_cleanup_(flame_freep) struct flame *equal = NULL, *contradicted = NULL;

	for (size_t i = 0; i < 8; i++) {
		parts[i].side = i < 4 ? FLAME_BEFORE : FLAME_AFTER;
		parts[i].weights = FLAME({ "a", percent[i] * 100 },
					 { "b", 10000 - percent[i] * 100 });
	}
	equal = flame_compare(parts, 8);
	for (size_t i = 3; i < 8; i += 4) {
		flame_free((struct flame *)parts[i].weights);
		parts[i].weights = FLAME({ "a", percent[i] * 100000 },
					 { "b", 10000000 - percent[i] * 100000 });
	}
	contradicted = flame_compare(parts, 8);
	assert_int_equal(box_of(equal, "a")->change, FLAME_MORE);
	assert_int_equal(box_of(contradicted, "a")->change, FLAME_NOISE);
	for (size_t i = 0; i < 8; i++)
		flame_free((struct flame *)parts[i].weights);
}

static void two_columns_of_counts_are_judged_in_place(void **state)
{
	(void)state;
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
	_cleanup_(flame_freep) struct flame *f = NULL;

	add(b, &(struct stack){ "main;a", 500 }, FLAME_BEFORE);
	add(b, &(struct stack){ "main;a", 300 }, FLAME_AFTER);
	add(b, &(struct stack){ "main;b", 500 }, FLAME_BEFORE);
	add(b, &(struct stack){ "main;b", 700 }, FLAME_AFTER);
	f = flame_builder_finish(b, true);
	flame_compare_counts(f);
	assert_int_equal(box_of(f, "a")->change, FLAME_LESS);
	assert_int_equal(box_of(f, "b")->change, FLAME_MORE);
	assert_int_equal(box_of(f, "main")->change, FLAME_NOISE);
}

/* Marsaglia's xorshift: the same numbers on every machine. */
static uint64_t random_number(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Returns @n samples of a program with 64 stacks, from frequent ones to rare ones. */
static struct flame *random_flame(uint64_t *seed, size_t n)
{
	struct stack stacks[64];
	char names[64][32];

	for (unsigned i = 0; i < 64; i++) {
		snprintf(names[i], sizeof(names[i]), "main;f%u;g%u;h%u", i / 16, i / 4, i);
		stacks[i] = (struct stack){ names[i], 0 };
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t a = random_number(seed) % 64, b = random_number(seed) % 64;

		stacks[a < b ? a : b].weight++;
	}
	return flame_of(stacks, 64);
}

/*
 * Returns the number of comparisons, out of @pairs recordings of the same program, that show any
 * change.
 */
static size_t count_false_alarms(size_t pairs, size_t repeats)
{
	uint64_t seed = 88172645463325252u;
	struct flame_part parts[16] = { 0 };
	size_t alarms = 0;

	for (size_t i = 0; i < pairs; i++) {
		struct flame *f;

		for (size_t k = 0; k < 2 * repeats; k++) {
			parts[k].side = k < repeats ? FLAME_BEFORE : FLAME_AFTER;
			parts[k].weights = random_flame(&seed, k < repeats ? 2000 : 1000);
		}
		f = flame_compare(parts, 2 * repeats);
		alarms += count_changes(f) > 0;
		flame_free(f);
		for (size_t k = 0; k < 2 * repeats; k++)
			flame_free((struct flame *)parts[k].weights);
	}
	return alarms;
}

/*
 * 5% of the comparisons may show a change; 80 boxes tested without correction would show one in
 * almost all.
 */
static void recordings_of_the_same_program_rarely_show_a_change(void **state)
{
	(void)state;
	assert_in_range(count_false_alarms(200, 1), 0, 14);
	assert_in_range(count_false_alarms(100, 4), 0, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_recording_twice_has_no_change),
		cmocka_unit_test(a_shift_is_seen_where_it_is_and_nowhere_else),
		cmocka_unit_test(a_box_that_holds_all_of_its_parent_changes_with_it),
		cmocka_unit_test(a_box_that_one_side_lacks_is_there),
		cmocka_unit_test(shares_are_compared_and_not_counts),
		cmocka_unit_test(weights_do_not_count_as_samples),
		cmocka_unit_test(a_few_heavy_samples_are_no_proof),
		cmocka_unit_test(an_empty_side_shows_no_change),
		cmocka_unit_test(several_recordings_tell_how_much_a_share_varies),
		cmocka_unit_test(a_change_that_the_picture_contradicts_is_not_claimed),
		cmocka_unit_test(two_columns_of_counts_are_judged_in_place),
		cmocka_unit_test(recordings_of_the_same_program_rarely_show_a_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
