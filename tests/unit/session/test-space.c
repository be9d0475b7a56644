/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "session/jit-maps.h"
#include "session/machine.h"
#include "session/space.h"
#include "symbol/jit-code.h"
#include "symbol/jit-dumps.h"
#include "symbol/symbolizer.h"

static uint64_t turn;

static struct moment now(uint64_t time)
{
	return (struct moment){ time, ++turn };
}

/* Lays a map called @name, which stays until the arena is freed. */
static void lay(struct space *sp, struct arena *a, uint64_t start, uint64_t end, const char *name,
		uint64_t time)
{
	struct map *m = arena_alloc(a, sizeof(*m));

	*m = (struct map){ .start = start, .end = end, .name = name };
	space_lay(sp, a, start, end, m, now(time));
}

static const char *at(const struct space *sp, uint64_t addr, uint64_t time)
{
	const struct map *m = space_find(sp, addr, moment_after(time));

	return m ? m->name : "-";
}

static void a_map_holds_its_range_and_no_more(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *sp = space_new(&a);

	(void)state;
	assert_string_equal(at(sp, 0, 1), "-");
	lay(sp, &a, 0x1000, 0x2000, "a", 0);
	lay(sp, &a, 0x3000, 0x4000, "b", 0);
	assert_string_equal(at(sp, 0xfff, 1), "-");
	assert_string_equal(at(sp, 0x1000, 1), "a");
	assert_string_equal(at(sp, 0x1fff, 1), "a");
	assert_string_equal(at(sp, 0x2000, 1), "-");
	assert_string_equal(at(sp, 0x3000, 1), "b");
	assert_string_equal(at(sp, UINT64_MAX, 1), "-");
	space_done(sp);
}

static void a_later_map_hides_an_earlier_one_from_its_time_on(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *sp = space_new(&a);

	(void)state;
	lay(sp, &a, 0x1000, 0x2000, "a", 10);
	lay(sp, &a, 0x1000, 0x2000, "b", 20);
	assert_string_equal(at(sp, 0x1800, 9), "-");
	assert_string_equal(at(sp, 0x1800, 10), "a");
	assert_string_equal(at(sp, 0x1800, 19), "a");
	assert_string_equal(at(sp, 0x1800, 20), "b");
	assert_string_equal(at(sp, 0x1800, 0), "b");
	space_done(sp);
}

static void a_map_in_the_middle_leaves_both_ends(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *sp = space_new(&a);

	(void)state;
	lay(sp, &a, 0x1000, 0x9000, "a", 0);
	lay(sp, &a, 0x3000, 0x5000, "b", 10);
	assert_string_equal(at(sp, 0x2fff, 10), "a");
	assert_string_equal(at(sp, 0x3000, 10), "b");
	assert_string_equal(at(sp, 0x5000, 10), "a");
	assert_string_equal(at(sp, 0x4000, 9), "a");
	lay(sp, &a, 0x0000, 0x3800, "c", 20);
	assert_string_equal(at(sp, 0x3700, 20), "c");
	assert_string_equal(at(sp, 0x3800, 20), "b");
	assert_string_equal(at(sp, 0x3700, 19), "b");
	assert_string_equal(at(sp, 0x2000, 19), "a");
	assert_string_equal(at(sp, 0x0800, 19), "-");
	space_done(sp);
}

static void a_map_may_hide_several_and_the_holes_between(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *sp = space_new(&a);

	(void)state;
	lay(sp, &a, 0x1000, 0x2000, "a", 1);
	lay(sp, &a, 0x3000, 0x4000, "b", 2);
	lay(sp, &a, 0x5000, 0x6000, "c", 3);
	lay(sp, &a, 0x1800, 0x5800, "d", 10);
	assert_string_equal(at(sp, 0x1700, 10), "a");
	assert_string_equal(at(sp, 0x2800, 10), "d");
	assert_string_equal(at(sp, 0x2800, 9), "-");
	assert_string_equal(at(sp, 0x3800, 9), "b");
	assert_string_equal(at(sp, 0x5900, 10), "c");
	assert_string_equal(at(sp, 0x5700, 9), "c");
	assert_string_equal(at(sp, 0x5700, 2), "-");
	space_done(sp);
}

static void time_zero_holds_from_the_beginning(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *sp = space_new(&a);

	(void)state;
	lay(sp, &a, 0x1000, 0x2000, "a", 0);
	assert_string_equal(at(sp, 0x1000, 1), "a");
	space_done(sp);
}

static void of_equal_times_the_later_applied_wins(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *sp = space_new(&a);

	(void)state;
	lay(sp, &a, 0x1000, 0x2000, "a", 5);
	lay(sp, &a, 0x1000, 0x2000, "b", 5);
	assert_string_equal(at(sp, 0x1000, 5), "b");
	space_done(sp);
}

static void nothing_laid_over_a_map_ends_it(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *sp = space_new(&a);

	(void)state;
	lay(sp, &a, 0x1000, 0x2000, "a", 5);
	space_lay(sp, &a, 0x1000, 0x2000, NULL, now(8));
	assert_string_equal(at(sp, 0x1000, 7), "a");
	assert_string_equal(at(sp, 0x1000, 8), "-");
	space_done(sp);
}

static void the_same_map_again_adds_nothing(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *sp = space_new(&a);
	const char *name = "a";

	(void)state;
	lay(sp, &a, 0x1000, 0x2000, name, 5);
	const struct space_version *v = sp->top.leaves[0].slots[0].version;

	lay(sp, &a, 0x1000, 0x2000, name, 6);
	assert_ptr_equal(sp->top.leaves[0].slots[0].version, v);
	space_done(sp);
}

static void an_empty_or_backward_range_is_ignored(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *sp = space_new(&a);

	(void)state;
	lay(sp, &a, 0x1000, 0x1000, "a", 5);
	lay(sp, &a, 0x2000, 0x1000, "b", 5);
	assert_int_equal(sp->top.n, 0);
	space_done(sp);
}

static void a_fork_sees_its_parent_as_it_was_then(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *parent = space_new(&a), *child;

	(void)state;
	lay(parent, &a, 0x1000, 0x2000, "a", 1);
	child = space_fork(&a, parent, now(10));
	lay(parent, &a, 0x1000, 0x2000, "later", 20);
	lay(parent, &a, 0x5000, 0x6000, "own", 20);
	assert_string_equal(at(child, 0x1000, 30), "a");
	assert_string_equal(at(child, 0x5000, 30), "-");
	assert_string_equal(at(parent, 0x1000, 30), "later");
	lay(child, &a, 0x1800, 0x2800, "c", 25);
	assert_string_equal(at(child, 0x1800, 30), "c");
	assert_string_equal(at(child, 0x1800, 24), "a");
	assert_string_equal(at(child, 0x1000, 30), "a");
	assert_string_equal(at(parent, 0x2000, 30), "-");
	space_done(parent);
	space_done(child);
}

static void a_fork_at_the_same_time_sees_only_what_came_before_it(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *parent = space_new(&a), *child;

	(void)state;
	lay(parent, &a, 0x1000, 0x2000, "a", 10);
	child = space_fork(&a, parent, now(10));
	lay(parent, &a, 0x1000, 0x2000, "b", 10);
	assert_string_equal(at(child, 0x1000, 10), "a");
	assert_string_equal(at(parent, 0x1000, 10), "b");
	space_done(parent);
	space_done(child);
}

static void forks_of_forks_are_no_deeper_than_they_must(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *chain[40];

	(void)state;
	chain[0] = space_new(&a);
	lay(chain[0], &a, 0x1000, 0x2000, "a", 1);
	for (size_t i = 1; i < ARRAY_SIZE(chain); i++)
		chain[i] = space_fork(&a, chain[i - 1], now(10 + i));
	assert_int_equal(chain[39]->depth, 1);
	assert_string_equal(at(chain[39], 0x1000, 100), "a");
	for (size_t i = 0; i < ARRAY_SIZE(chain); i++)
		space_done(chain[i]);
}

static void a_long_line_of_forks_with_maps_stays_shallow_and_right(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *chain[40];

	(void)state;
	chain[0] = space_new(&a);
	lay(chain[0], &a, 0x1000, 0x9000, "a", 1);
	lay(chain[0], &a, 0x2000, 0x3000, "old", 2);
	for (size_t i = 1; i < ARRAY_SIZE(chain); i++) {
		chain[i] = space_fork(&a, chain[i - 1], now(10 * i));
		lay(chain[i], &a, 0x100000 * i, 0x100000 * i + 0x1000, "own", 10 * i + 1);
		lay(chain[i], &a, 0x4000, 0x5000, i % 2 ? "odd" : "even", 10 * i + 2);
		/* The map comes after the next fork, which must not see it. */
		lay(chain[i], &a, 0x6000, 0x7000, "late", 10 * i + 15);
		assert_true(chain[i]->depth <= 9);
	}
	for (size_t i = 1; i < ARRAY_SIZE(chain); i++)
		assert_string_equal(at(chain[39], 0x100000 * i, 1000), "own");
	assert_string_equal(at(chain[39], 0x1000, 1000), "a");
	assert_string_equal(at(chain[39], 0x2000, 1000), "old");
	assert_string_equal(at(chain[39], 0x4000, 1000), "odd");
	assert_string_equal(at(chain[38], 0x4000, 1000), "even");
	assert_string_equal(at(chain[39], 0x6000, 390 + 14), "a");
	assert_string_equal(at(chain[39], 0x6000, 390 + 15), "late");
	for (size_t i = 0; i < ARRAY_SIZE(chain); i++)
		space_done(chain[i]);
}

/* Compares with an array of the contents of each of 64 pages at each of 200 times. */
static void any_history_is_remembered(void **state)
{
	static const char *history[201][64];
	static const char names[200][1];
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *sp = space_new(&a);

	(void)state;
	srand(2);
	for (uint64_t t = 1; t <= 200; t++) {
		uint64_t start = (uint64_t)rand() % 64, end = start + 1 + (uint64_t)rand() % 20;

		memcpy(history[t], history[t - 1], sizeof(history[t]));
		end = end > 64 ? 64 : end;
		for (uint64_t p = start; p < end; p++)
			history[t][p] = names[t - 1];
		lay(sp, &a, start << 12, end << 12, names[t - 1], t);
	}
	for (uint64_t t = 1; t <= 200; t++)
		for (uint64_t p = 0; p < 64; p++) {
			const struct map *m = space_find(sp, (p << 12) + 5, moment_after(t));

			assert_ptr_equal(m ? m->name : NULL, history[t][p]);
		}
	space_done(sp);
}

#define MANY 200000

/* The order in which @MANY maps are laid. */
typedef uint32_t place_fn(uint32_t i);

static uint32_t ascending(uint32_t i)
{
	return i;
}

static uint32_t descending(uint32_t i)
{
	return MANY - 1 - i;
}

/* Returns each number once, because the factor and MANY have no common divisor. */
static uint32_t scattered(uint32_t i)
{
	return (uint32_t)((uint64_t)i * 123457 % MANY);
}

/* Map number @i has the first half of page @i, and its name is its place in @names. */
static void many_maps_are_found_again(void **state)
{
	static place_fn *const orders[] = { ascending, descending, scattered };
	static char names[MANY];

	(void)state;
	for (size_t o = 0; o < ARRAY_SIZE(orders); o++) {
		_cleanup_(arena_done) struct arena a = { 0 };
		struct space *sp = space_new(&a);

		for (uint32_t i = 0; i < MANY; i++) {
			uint64_t start = (uint64_t)orders[o](i) << 12;

			lay(sp, &a, start, start + 0x800, &names[orders[o](i)], i + 1);
		}
		for (uint32_t i = 0; i < MANY; i++) {
			uint64_t start = (uint64_t)i << 12;

			assert_ptr_equal(at(sp, start + 0x7ff, 0), &names[i]);
			assert_string_equal(at(sp, start + 0x800, 0), "-");
		}
		/* The last one did not exist a moment before. */
		assert_string_equal(at(sp, (uint64_t)orders[o](MANY - 1) << 12, MANY - 1), "-");
		space_done(sp);
	}
}

static const char *span_at(const struct space *sp, uint64_t addr, uint64_t time, struct span *ret)
{
	const struct map *m;

	*ret = SPAN_ALWAYS;
	m = space_find_span(sp, addr, moment_after(time), ret);
	assert_true(span_has(ret, time));
	return m ? m->name : "-";
}

static void an_answer_holds_until_the_next_map_over_its_address(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *sp = space_new(&a);
	struct span span;

	(void)state;
	lay(sp, &a, 0x1000, 0x3000, "a", 10);
	lay(sp, &a, 0x2000, 0x3000, "b", 20);
	assert_string_equal(span_at(sp, 0x2000, 5, &span), "-");
	assert_int_equal(span.from, 0);
	assert_int_equal(span.until, 10);
	assert_string_equal(span_at(sp, 0x2000, 15, &span), "a");
	assert_int_equal(span.from, 10);
	assert_int_equal(span.until, 20);
	assert_string_equal(span_at(sp, 0x2000, 0, &span), "b");
	assert_int_equal(span.from, 20);
	assert_true(span.until == UINT64_MAX);
	/* A map that was laid beside it does not matter. */
	assert_string_equal(span_at(sp, 0x1000, 15, &span), "a");
	assert_true(span.until == UINT64_MAX);
	space_done(sp);
}

static void an_answer_from_below_holds_as_long_as_nothing_is_laid_over_it(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *parent = space_new(&a);
	struct space *child;
	struct span span;

	(void)state;
	lay(parent, &a, 0x1000, 0x2000, "a", 10);
	child = space_fork(&a, parent, now(20));
	lay(parent, &a, 0x1000, 0x2000, "parent's", 25);
	lay(child, &a, 0x1000, 0x2000, "child's", 30);
	assert_string_equal(span_at(child, 0x1000, 26, &span), "a");
	assert_int_equal(span.from, 0);
	assert_int_equal(span.until, 30);
	space_done(parent);
	space_done(child);
}

static const struct space *seen(const struct space *sp, uint64_t time, struct span *ret)
{
	*ret = SPAN_ALWAYS;
	return space_seen(sp, moment_after(time), ret);
}

/* Copies a map without a change. */
static const struct map *same(void *arg, const struct map *m)
{
	(void)arg;
	return m;
}

static const struct jit_maps *same_jit(void *arg, const struct jit_maps *j)
{
	(void)arg;
	return j;
}

static struct space_copying copying_from(struct arena *a, uint64_t time)
{
	return (struct space_copying){
		.arena = a, .from = moment_after(time), .map = same, .jit = same_jit
	};
}

static void finish_copies(void *arg, uint64_t original, void *copy)
{
	(void)arg, (void)original;
	space_done(copy);
}

static void copies_done(struct space_copying *c)
{
	u64_map_for_each(&c->done, finish_copies, NULL);
	u64_map_done(&c->done);
}

static void copies_lie_over_a_copy_of_their_parent(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *parent = space_new(&a);
	struct space *one, *two;
	_cleanup_(copies_done) struct space_copying c = copying_from(&a, 40);
	struct span span;

	(void)state;
	lay(parent, &a, 0x1000, 0x3000, "a", 10);
	one = space_fork(&a, parent, now(20));
	two = space_fork(&a, parent, now(20));
	lay(one, &a, 0x1000, 0x2000, "b", 30);
	lay(one, &a, 0x2000, 0x3000, "late", 50);

	const struct space *new_one = space_copy(&c, one), *new_two = space_copy(&c, two);

	assert_ptr_equal(new_one->below, new_two->below);
	assert_ptr_equal(space_copy(&c, parent), new_two->below);
	assert_ptr_equal(seen(new_two, 45, &span), new_two->below);
	assert_string_equal(at(new_one, 0x1000, 45), "b");
	assert_string_equal(at(new_one, 0x2000, 45), "a");
	assert_string_equal(at(new_one, 0x2000, 55), "late");
	assert_string_equal(at(new_two, 0x1000, 45), "a");
	space_done(parent);
	space_done(one);
	space_done(two);
}

static void a_copy_has_what_its_parent_had_before_it_changed(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *parent = space_new(&a);
	struct space *child;
	_cleanup_(copies_done) struct space_copying c = copying_from(&a, 40);

	(void)state;
	lay(parent, &a, 0x1000, 0x3000, "a", 10);
	/* The dump is only a pointer here: it is copied, and never read. */
	jit_history_add(&parent->jit, &a, (const struct jit_maps *)&c, now(15));
	child = space_fork(&a, parent, now(20));
	for (uint64_t t = 21; t < 40; t++)
		lay(parent, &a, 0x1000, 0x2000, t % 2 ? "b" : "c", t);
	jit_history_exec(&parent->jit, &a, now(35));

	const struct space *copy = space_copy(&c, child);

	assert_string_equal(at(copy, 0x1000, 45), "a");
	assert_string_equal(at(copy, 0x2000, 45), "a");
	assert_int_equal(copy->top.n, 2); /* in two parts, as in the parent */
	assert_null(copy->below);
	assert_int_equal(copy->jit_below->top.n, 0);
	assert_true(copy->jit_below->jit.has_dumps);
	assert_false(jit_history_has_executed(&copy->jit_below->jit, copy->jit_below_at));
	assert_int_equal(copy->jit_below_at.time, 20);
	space_done(parent);
	space_done(child);
}

static void a_fork_is_its_parent_until_one_of_them_maps_something(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *parent = space_new(&a);
	struct space *child;
	struct span span;

	(void)state;
	lay(parent, &a, 0x1000, 0x2000, "a", 10);
	child = space_fork(&a, parent, now(20));
	assert_ptr_equal(seen(parent, 0, &span), parent);
	assert_ptr_equal(seen(child, 0, &span), parent);
	assert_true(span.until == UINT64_MAX);
	lay(child, &a, 0x1000, 0x2000, "b", 30);
	assert_ptr_equal(seen(child, 29, &span), parent);
	assert_int_equal(span.until, 30);
	assert_ptr_equal(seen(child, 30, &span), child);
	assert_int_equal(span.from, 30);
	lay(parent, &a, 0x5000, 0x6000, "c", 25);
	assert_ptr_equal(seen(child, 29, &span), child);
	space_done(parent);
	space_done(child);
}

static void a_fork_is_not_a_parent_that_mapped_more_at_the_same_time(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *parent = space_new(&a);
	struct space *child;
	struct span span;

	(void)state;
	lay(parent, &a, 0x1000, 0x2000, "a", 10);
	child = space_fork(&a, parent, now(20));
	lay(parent, &a, 0x1000, 0x2000, "b", 20);
	assert_ptr_equal(seen(child, 20, &span), child);
	space_done(parent);
	space_done(child);
}

static void the_next_map_above_is_found(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *sp = space_new(&a);

	(void)state;
	assert_int_equal(space_next_start(sp, 0, 9), 9);
	lay(sp, &a, 0x1000, 0x2000, "a", 0);
	lay(sp, &a, 0x3000, 0x4000, "b", 0);
	assert_int_equal(space_next_start(sp, 0, 9), 0x1000);
	assert_int_equal(space_next_start(sp, 0x1000, 9), 0x3000);
	assert_int_equal(space_next_start(sp, 0x2500, 9), 0x3000);
	assert_int_equal(space_next_start(sp, 0x3000, 9), 9);
	space_done(sp);
}

static void assert_span(struct span s, uint64_t from, uint64_t until, uint64_t start, uint64_t end)
{
	assert_int_equal(s.from, from);
	assert_int_equal(s.until, until);
	assert_int_equal(s.start, start);
	assert_int_equal(s.end, end);
}

static void an_answer_holds_for_the_addresses_around(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *sp = space_new(&a), *child;
	struct span s;

	(void)state;
	lay(sp, &a, 0x1000, 0x2000, "a", 10);
	lay(sp, &a, 0x5000, 0x6000, "c", 10);
	assert_string_equal(span_at(sp, 0x1fff, 15, &s), "a");
	assert_span(s, 10, UINT64_MAX, 0x1000, 0x2000);
	assert_string_equal(span_at(sp, 0x3000, 15, &s), "-");
	assert_span(s, 0, UINT64_MAX, 0x2000, 0x5000);
	lay(sp, &a, 0x500, 0x8000, "d", 20);
	assert_string_equal(span_at(sp, 0x3000, 15, &s), "-");
	assert_span(s, 0, 20, 0x2000, 0x5000);
	assert_string_equal(span_at(sp, 0x700, 15, &s), "-");
	assert_span(s, 0, 20, 0x500, 0x1000);
	assert_string_equal(span_at(sp, 0x7000, 15, &s), "-");
	assert_span(s, 0, 20, 0x6000, 0x8000);
	assert_string_equal(span_at(sp, 0x5000, 15, &s), "c");
	assert_span(s, 10, 20, 0x5000, 0x6000);
	child = space_fork(&a, sp, now(15));
	lay(child, &a, 0x5800, 0x7000, "e", 30);
	assert_string_equal(span_at(child, 0x5000, 40, &s), "c");
	assert_span(s, 0, UINT64_MAX, 0x5000, 0x5800);
	assert_string_equal(span_at(child, 0x6800, 20, &s), "-");
	assert_span(s, 0, 30, 0x6000, 0x7000);
	space_done(sp);
	space_done(child);
}

static void write_range(void *arg, uint64_t start, uint64_t end, const struct map *map)
{
	struct text *t = arg;

	text_addf(t, "%s%x-%x%s", t->length ? " " : "", (unsigned)start, (unsigned)end, map->name);
}

static void assert_shows(const struct space *sp, uint64_t time, const char *ranges)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	space_for_each(sp, moment_after(time), write_range, &t);
	assert_string_equal(t.chars, ranges);
}

static void all_that_is_visible_at_a_time_is_visited(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *sp = space_new(&a);

	(void)state;
	assert_shows(sp, 1, "");
	lay(sp, &a, 0x1000, 0x9000, "a", 1);
	lay(sp, &a, 0x3000, 0x5000, "b", 10);
	lay(sp, &a, 0x2000, 0x4000, "c", 20);
	assert_shows(sp, 20, "1000-2000a 2000-4000c 4000-5000b 5000-9000a");
	assert_shows(sp, 15, "1000-2000a 2000-3000a 3000-4000b 4000-5000b 5000-9000a");
	/*
	 * A later map over one half of a map that was cut in two does not show in the other half.
	 */
	lay(sp, &a, 0x3000, 0x3500, "d", 30);
	assert_shows(sp, 15, "1000-2000a 2000-3000a 3000-3500b 3500-4000b 4000-5000b 5000-9000a");
	assert_shows(sp, 30, "1000-2000a 2000-3000c 3000-3500d 3500-4000c 4000-5000b 5000-9000a");
	space_lay(sp, &a, 0x1800, 0x8000, NULL, now(40));
	assert_shows(sp, 40, "1000-1800a 8000-9000a");
	assert_shows(sp, 5,
		     "1000-1800a 1800-2000a 2000-3000a 3000-3500a 3500-4000a 4000-5000a "
		     "5000-8000a 8000-9000a");
	space_done(sp);
}

static void what_the_parent_had_is_visited_too(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *parent = space_new(&a), *child;

	(void)state;
	lay(parent, &a, 0x1000, 0x9000, "a", 1);
	child = space_fork(&a, parent, now(10));
	lay(parent, &a, 0x1000, 0x2000, "later", 12);
	assert_shows(child, 20, "1000-2000a 2000-9000a");
	lay(child, &a, 0x3000, 0x5000, "b", 20);
	space_lay(child, &a, 0x6000, 0x7000, NULL, now(20));
	assert_shows(child, 20, "1000-2000a 2000-3000a 3000-5000b 5000-6000a 7000-9000a");
	assert_shows(child, 15,
		     "1000-2000a 2000-3000a 3000-5000a 5000-6000a 6000-7000a 7000-9000a");
	space_done(parent);
	space_done(child);
}

static void add_length(void *arg, uint64_t start, uint64_t end, const struct map *map)
{
	uint64_t *sum = arg;

	(void)map;
	*sum += (end - start) + (start << 32);
}

static void each_of_many_maps_is_visited_once(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *sp = space_new(&a);
	uint64_t sum = 0, expected = 0;

	(void)state;
	for (uint64_t i = 1; i <= 5000; i++) {
		lay(sp, &a, i << 8, (i << 8) + i % 256 + 1, "m", i);
		expected += i % 256 + 1 + (i << 40);
	}
	assert_true(sp->top.n_leaves > 1);
	space_for_each(sp, moment_after(0), add_length, &sum);
	assert_int_equal(sum, expected);
	for (uint64_t i = 1; i < 5000; i++)
		assert_int_equal(space_next_start(sp, i << 8, 9), (i + 1) << 8);
	assert_int_equal(space_next_start(sp, 5000 << 8, 9), 9);
	space_done(sp);
}

/* A dump with the function "f" at 0x1000 since time 1. */
struct dump {
	struct symbolizer *names;
	struct arena arena;
	struct jit_code *code;
	const struct jit_maps *maps;
};

static void dump_init(struct dump *d)
{
	struct jit_draft draft = {
		.start = 0x1000, .end = 0x1010, .since = 1, .name = "f", .name_length = 1
	};
	struct jit_drafts drafts = { .items = &draft, .n = 1 };
	const struct jit_request r = { .path = "f", .pid = 7 };

	*d = (struct dump){ .names = symbolizer_new(&(struct symbolizer_options){ 0 }) };
	d->code = jit_code_new(d->names, &r, &drafts, NULL);
	d->maps = jit_maps_new(&d->arena, d->code, "f");
}

static void dump_done(struct dump *d)
{
	symbolizer_free(d->names);
	jit_code_free(d->code);
	arena_done(&d->arena);
}

static const char *code_at(const struct space *sp, uint64_t addr, uint64_t time, struct span *ret)
{
	const struct map *m;

	*ret = SPAN_ALWAYS;
	m = space_find_jit(sp, addr, moment_after(time), ret);
	return m ? m->name : "-";
}

static void code_is_that_of_the_parents_until_an_exec(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *parent = space_new(&a), *child, *grandchild;
	_cleanup_(dump_done) struct dump d;
	struct span s;

	(void)state;
	dump_init(&d);
	assert_string_equal(code_at(parent, 0x1000, 50, &s), "-");
	jit_history_add(&parent->jit, &a, d.maps, now(15));
	child = space_fork(&a, parent, now(20));
	grandchild = space_fork(&a, child, now(25));
	jit_history_exec(&child->jit, &a, now(30));
	assert_ptr_equal(grandchild->jit_below, parent);
	assert_int_equal(grandchild->jit_below_at.time, 20);
	assert_string_equal(code_at(parent, 0x1000, 50, &s), "f");
	assert_string_equal(code_at(child, 0x1000, 29, &s), "f");
	assert_int_equal(s.until, 30);
	assert_int_equal(s.start, 0x1000);
	assert_string_equal(code_at(child, 0x1010, 29, &s), "-");
	assert_string_equal(code_at(child, 0x1000, 30, &s), "-");
	assert_int_equal(s.from, 30);
	assert_string_equal(code_at(grandchild, 0x1000, 50, &s), "f");
	space_done(parent);
	space_done(child);
	space_done(grandchild);
}

/*
 * True if a grandchild is represented by its parent, which executed a program at @exec. The forks
 * are at 20 and 40.
 */
static bool grandchild_is_seen_as_child(uint64_t exec, bool with_dump)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	struct space *parent = space_new(&a), *child, *grandchild;
	_cleanup_(dump_done) struct dump d;
	const struct space *is;
	struct span s;

	dump_init(&d);
	lay(parent, &a, 0x1000, 0x2000, "a", 10);
	if (with_dump)
		jit_history_add(&parent->jit, &a, d.maps, now(15));
	child = space_fork(&a, parent, now(20));
	lay(child, &a, 0x1000, 0x2000, "b", 25);
	jit_history_exec(&child->jit, &a, now(exec));
	grandchild = space_fork(&a, child, now(40));
	assert_ptr_equal(grandchild->below, child);
	is = seen(grandchild, 60, &s);
	assert_true(is == child || is == grandchild);
	space_done(parent);
	space_done(child);
	space_done(grandchild);
	return is == child;
}

static void a_fork_is_not_its_parent_if_it_may_show_code_of_another(void **state)
{
	(void)state;
	assert_true(grandchild_is_seen_as_child(30, true));
	assert_false(grandchild_is_seen_as_child(50, true));
	assert_true(grandchild_is_seen_as_child(30, false));
	assert_true(grandchild_is_seen_as_child(50, false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_map_holds_its_range_and_no_more),
		cmocka_unit_test(a_later_map_hides_an_earlier_one_from_its_time_on),
		cmocka_unit_test(a_map_in_the_middle_leaves_both_ends),
		cmocka_unit_test(a_map_may_hide_several_and_the_holes_between),
		cmocka_unit_test(time_zero_holds_from_the_beginning),
		cmocka_unit_test(of_equal_times_the_later_applied_wins),
		cmocka_unit_test(nothing_laid_over_a_map_ends_it),
		cmocka_unit_test(the_same_map_again_adds_nothing),
		cmocka_unit_test(an_empty_or_backward_range_is_ignored),
		cmocka_unit_test(a_fork_sees_its_parent_as_it_was_then),
		cmocka_unit_test(a_fork_at_the_same_time_sees_only_what_came_before_it),
		cmocka_unit_test(forks_of_forks_are_no_deeper_than_they_must),
		cmocka_unit_test(a_long_line_of_forks_with_maps_stays_shallow_and_right),
		cmocka_unit_test(any_history_is_remembered),
		cmocka_unit_test(copies_lie_over_a_copy_of_their_parent),
		cmocka_unit_test(a_copy_has_what_its_parent_had_before_it_changed),
		cmocka_unit_test(many_maps_are_found_again),
		cmocka_unit_test(an_answer_holds_until_the_next_map_over_its_address),
		cmocka_unit_test(an_answer_from_below_holds_as_long_as_nothing_is_laid_over_it),
		cmocka_unit_test(a_fork_is_its_parent_until_one_of_them_maps_something),
		cmocka_unit_test(a_fork_is_not_a_parent_that_mapped_more_at_the_same_time),
		cmocka_unit_test(the_next_map_above_is_found),
		cmocka_unit_test(an_answer_holds_for_the_addresses_around),
		cmocka_unit_test(all_that_is_visible_at_a_time_is_visited),
		cmocka_unit_test(what_the_parent_had_is_visited_too),
		cmocka_unit_test(each_of_many_maps_is_visited_once),
		cmocka_unit_test(code_is_that_of_the_parents_until_an_exec),
		cmocka_unit_test(a_fork_is_not_its_parent_if_it_may_show_code_of_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
