/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "profile/example-code.h"
#include "session/consumer.h"
#include "session/session.h"
#include "tools/data/sql-rows.h"
#include "wire/sample.h"

#define ROWS_MAX 16

struct row {
	enum export_table table;
	int64_t numbers[EXPORT_COLUMNS_MAX];
	size_t n;
};

struct fixture {
	struct frames *frames;
	struct stacks stacks;
	struct timeline t;
	struct timeline_task tasks[2];
	struct sql_rows rows;
	struct row items[ROWS_MAX];
	size_t n;
};

static void note_row(void *arg, enum export_table table, const struct export_value *values,
		     size_t n)
{
	struct fixture *f = arg;
	struct row *r = &f->items[f->n++];

	assert_true(f->n <= ROWS_MAX);
	r->table = table;
	r->n = n;
	for (size_t i = 0; i < n; i++)
		r->numbers[i] = values[i].number;
}

static void fixture_init(struct fixture *f)
{
	*f = (struct fixture){ .frames = frames_new(false),
			       .tasks = { { .pid = 7, .tid = 7, .comm = "a" },
					  { .pid = 7, .tid = 8, .comm = "a" } } };
	stack_table_init(&f->t.stacks, f->frames, false);
	f->t.tasks.items = f->tasks;
	f->t.tasks.n = 2;
	sql_rows_init(&f->rows, &f->t);
	f->rows.row = note_row;
	f->rows.arg = f;
}

static void fixture_done(struct fixture *f)
{
	sql_rows_done(&f->rows);
	stack_table_done(&f->t.stacks);
	stacks_done(&f->stacks);
	frames_free(f->frames);
}

static void take_sample(struct fixture *f, uint32_t task, uint32_t stack)
{
	static const struct session_event event = { .name = "cycles", .index = 2 };
	const struct sample record = { .ip = UINT64_MAX, .addr = 5, .weight = 9 };
	const struct session_sample sample = { .event = &event, .sample = &record };

	sql_rows_sample(&f->rows, &(struct timeline_sample){
					  .event = &event,
					  .sample = &sample,
					  .time = 100,
					  .period = 11,
					  .task = task,
					  .stack = stack,
					  .cpu = -1,
					  .place = { .image = 3, .function = 4, .offset = 6 },
					  .target = { .image = CODE_NONE, .function = CODE_NONE },
				  });
}

static uint32_t add_call(struct fixture *f)
{
	uint32_t caller = stacks_child(&f->stacks, stacks_root(&f->stacks, 0),
				       add_frame(f->frames, PROGRAM, 0x1110, &main_function));
	uint32_t node = stacks_child(&f->stacks, caller,
				     add_frame(f->frames, LIBRARY, 0x500, NULL));

	return stack_table_add(&f->t.stacks, 0, &f->stacks, node);
}

static void call_paths_come_before_the_sample_that_has_them(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	uint32_t stack;

	(void)state;
	fixture_init(&f);
	stack = add_call(&f);
	take_sample(&f, 0, stack);
	take_sample(&f, 0, stack);
	assert_int_equal(f.n, 4);
	assert_int_equal(f.items[0].table, EXPORT_CALL_PATH);
	assert_int_equal(f.items[0].numbers[1], 0);
	assert_int_equal(f.items[0].numbers[2], 1); /* main(), so no address is needed */
	assert_int_equal(f.items[0].numbers[3], 0);
	assert_int_equal(f.items[1].numbers[1], 1);
	assert_int_equal(f.items[1].numbers[2], 0); /* no name, so the address */
	assert_int_equal(f.items[1].numbers[3], 0x90500);
	assert_int_equal(f.items[2].table, EXPORT_SAMPLE);
	assert_int_equal(f.items[2].numbers[21], 2);
	assert_int_equal(f.items[3].table, EXPORT_SAMPLE);
}

static void a_sample_has_ids_of_what_it_refers_to(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	const int64_t *row;

	(void)state;
	fixture_init(&f);
	take_sample(&f, 0, CODE_NONE);
	take_sample(&f, 1, CODE_NONE);
	row = f.items[1].numbers;
	assert_int_equal(row[0], 2); /* itself, event, machine, thread, command */
	assert_int_equal(row[1], 3);
	assert_int_equal(row[2], 1);
	assert_int_equal(row[3], 2);
	assert_int_equal(row[4], 1); /* shared by both threads */
	assert_int_equal(row[5], 4); /* image, function, offset */
	assert_int_equal(row[6], 5);
	assert_int_equal(row[7], 6);
	assert_int_equal(row[8], -1); /* an address beyond the range of SQL: its bits */
	assert_int_equal(row[9], 100);
	assert_int_equal(row[11], 0); /* nothing at the target */
	assert_int_equal(row[12], 0);
	assert_int_equal(row[14], 5);
	assert_int_equal(row[15], 11);
	assert_int_equal(row[16], 9);
	assert_int_equal(row[21], 0);
	assert_int_equal(f.items[1].n, sql_table_columns(EXPORT_SAMPLE));
}

static void a_switch_has_who_leaves_or_who_comes(void **state)
{
	_cleanup_(fixture_done) struct fixture f;

	(void)state;
	fixture_init(&f);
	sql_rows_switch(&f.rows, &(struct timeline_switch){ .time = 1, .task = 0, .state = 'R' });
	sql_rows_switch(&f.rows, &(struct timeline_switch){ .time = 2, .task = 1, .comes = true });
	assert_int_equal(f.items[0].n, sql_table_columns(EXPORT_CONTEXT_SWITCH));
	assert_int_equal(f.items[0].numbers[4], 1);
	assert_int_equal(f.items[0].numbers[6], 0);
	assert_int_equal(f.items[0].numbers[8], 3); /* it was ready to run on */
	assert_int_equal(f.items[1].numbers[4], 0);
	assert_int_equal(f.items[1].numbers[6], 2);
	assert_int_equal(f.items[1].numbers[8], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(call_paths_come_before_the_sample_that_has_them),
		cmocka_unit_test(a_sample_has_ids_of_what_it_refers_to),
		cmocka_unit_test(a_switch_has_who_leaves_or_who_comes),
	};

	return cmocka_run_group_tests(tests, make_code, release_code);
}
