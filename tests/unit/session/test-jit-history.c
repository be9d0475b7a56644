/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "session/jit-maps.h"
#include "session/machine.h"
#include "session/jit-history.h"
#include "session/span.h"
#include "symbol/jit-code.h"
#include "symbol/jit-dumps.h"
#include "symbol/symbolizer.h"

#define CODE 0x1000

struct example {
	struct symbolizer *names;
	struct arena arena;
	struct jit_code *codes[2];
	const struct jit_maps *a, *b; /* dumps with a function at CODE: since 100, and since 200 */
	struct jit_history jit;
};

static const struct jit_maps *dump(struct example *e, size_t i, const char *path, uint64_t since)
{
	struct jit_draft draft = {
		.start = CODE, .end = CODE + 16, .since = since, .name = path, .name_length = 1
	};
	struct jit_drafts drafts = { .items = &draft, .n = 1 };
	const struct jit_request r = { .path = path, .pid = 7 };

	e->codes[i] = jit_code_new(e->names, &r, &drafts, NULL);
	return jit_maps_new(&e->arena, e->codes[i], path);
}

static int set_up(void **state)
{
	static struct example e;

	e = (struct example){ .names = symbolizer_new(&(struct symbolizer_options){ 0 }) };
	e.a = dump(&e, 0, "a", 100);
	e.b = dump(&e, 1, "b", 200);
	*state = &e;
	return 0;
}

static int tear_down(void **state)
{
	struct example *e = *state;

	symbolizer_free(e->names);
	jit_code_free(e->codes[0]);
	jit_code_free(e->codes[1]);
	arena_done(&e->arena);
	return 0;
}

static struct moment at(uint64_t time)
{
	return (struct moment){ time, time };
}

/*
 * Returns the dump whose function is at CODE at @time; "exec" if the program of that time generated
 * nothing.
 */
static const char *found(const struct example *e, uint64_t time, struct span *span)
{
	bool executed;
	const struct map *map;

	*span = SPAN_ALWAYS;
	map = jit_history_find(&e->jit, CODE, moment_after(time), span, &executed);
	assert_int_equal(executed, jit_history_has_executed(&e->jit, moment_after(time)));
	return map ? map->name : executed ? "exec" : "-";
}

static void nothing_was_made(void **state)
{
	struct example *e = *state;
	struct span span;

	assert_string_equal(found(e, 150, &span), "-");
	assert_int_equal(span.until, UINT64_MAX);
	assert_false(e->jit.has_dumps);
}

static void code_counts_between_two_execs(void **state)
{
	struct example *e = *state;
	struct span span;

	/* The calls are not in the order of time. */
	jit_history_exec(&e->jit, &e->arena, at(150));
	jit_history_add(&e->jit, &e->arena, e->a, at(60));
	jit_history_exec(&e->jit, &e->arena, at(50));
	assert_true(e->jit.has_dumps);
	assert_string_equal(found(e, 40, &span), "-");
	assert_int_equal(span.until, 50);
	assert_string_equal(found(e, 70, &span), "exec"); /* not made yet */
	assert_int_equal(span.from, 50);
	assert_int_equal(span.until, 100);
	assert_string_equal(found(e, 120, &span), "a");
	assert_int_equal(span.from, 100);
	assert_int_equal(span.until, 150);
	assert_int_equal(span.start, CODE);
	assert_int_equal(span.end, CODE + 1);
	assert_string_equal(found(e, 160, &span), "exec");
	assert_int_equal(span.from, 150);
	assert_int_equal(span.end, UINT64_MAX);
}

static void each_program_has_its_own_dump(void **state)
{
	struct example *e = *state;
	struct span span;

	jit_history_add(&e->jit, &e->arena, e->a, at(60));
	jit_history_exec(&e->jit, &e->arena, at(150));
	jit_history_add(&e->jit, &e->arena, e->b, at(160));
	assert_string_equal(found(e, 120, &span), "a");
	assert_string_equal(found(e, 170, &span), "exec");
	assert_string_equal(found(e, 0, &span), "b");
}

static void a_program_may_have_two(void **state)
{
	struct example *e = *state;
	struct span span;

	jit_history_add(&e->jit, &e->arena, e->b, at(60));
	jit_history_add(&e->jit, &e->arena, e->a, at(50));
	jit_history_add(&e->jit, &e->arena, e->a, at(70)); /* again */
	assert_string_equal(found(e, 120, &span), "a");
	assert_string_equal(found(e, 220, &span), "b");
}

static const struct jit_maps *same(void *arg, const struct jit_maps *j)
{
	(void)arg;
	return j;
}

static void a_copy_has_the_program_that_ran_and_those_after_it(void **state)
{
	struct example *e = *state;
	struct span span;

	jit_history_add(&e->jit, &e->arena, e->a, at(60));
	jit_history_exec(&e->jit, &e->arena, at(150));
	jit_history_add(&e->jit, &e->arena, e->b, at(160));
	e->jit = jit_history_copy(&e->jit, moment_after(155), &e->arena, same, NULL);
	assert_true(e->jit.has_dumps);
	assert_string_equal(found(e, 120, &span), "-"); /* forgotten */
	assert_string_equal(found(e, 170, &span), "exec");
	assert_string_equal(found(e, 220, &span), "b");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(nothing_was_made),
		TEST(code_counts_between_two_execs),
		TEST(each_program_has_its_own_dump),
		TEST(a_program_may_have_two),
		TEST(a_copy_has_the_program_that_ran_and_those_after_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
