/* SPDX-License-Identifier: MIT */
#include "example-user-locks.h"

#include <errno.h>
#include <linux/futex.h>

#include "tools/lock/contention-model.h"
#include "tools/lock/futex-events-model.h"
#include "tools/lock/user-locks-model.h"
#include "tracepoint/format.h"
#include "config.h"

/* The records of both events. */
struct example_raw {
	uint64_t addr, op, value, ret;
};

#define HEAD "name: any\nID: 1\nformat:\n"
#define TAIL "\nprint fmt: \"\"\n"
static const char enter_format[] = HEAD "\tfield:u32 * uaddr;\toffset:0;\tsize:8;\tsigned:0;\n"
					"\tfield:int op;\toffset:8;\tsize:8;\tsigned:0;\n"
					"\tfield:u32 val;\toffset:16;\tsize:8;\tsigned:0;\n" TAIL;
static const char exit_format[] = HEAD "\tfield:long ret;\toffset:24;\tsize:8;\tsigned:1;\n" TAIL;

struct example {
	struct example_locks locks;
	struct tracepoint_format *formats[2];
	struct futex_events *futexes;
	struct user_locks *user;
	struct lock_filters filters;
	struct lock_contention *model;
	struct futex_events_rest rest;
};

static bool find_symbol(void *arg, uint32_t pid, uint64_t addr, struct lock_symbol *ret)
{
	return user_locks_symbol(arg, pid, addr, ret);
}

static bool find_nothing(void *arg, const char *name, uint64_t *ret_addr)
{
	(void)arg, (void)name, (void)ret_addr;
	return false;
}

static void name_event(struct example *x, size_t i, const char *tracepoint, const char *format)
{
	struct session_event *e = (struct session_event *)session_event(x->locks.session, i);
	struct diag diag = { 0 };

	assert_int_equal(tracepoint_format_parse(format, &x->formats[i], &diag), 0);
	e->system = "syscalls";
	e->tracepoint = tracepoint;
	e->format = x->formats[i];
}

static void begin(struct example *x, const char *dir)
{
	*x = (struct example){ 0 };
	example_locks_begin(&x->locks, dir);
	example_locks_read(&x->locks);
	name_event(x, 0, "sys_enter_futex", enter_format);
	name_event(x, 1, "sys_exit_futex", exit_format);
	x->user = user_locks_new(x->locks.session);
	x->futexes = futex_events_new(&(struct futex_events_options){ .max_stack = 8 });
	futex_events_bind(x->futexes, x->locks.session);
	x->model = lock_contention_new(&(struct lock_contention_options){
		.by = LOCK_BY_ADDR,
		.max_stack = 8,
		.filters = &x->filters,
		.names = { .symbol = find_symbol, .find = find_nothing, .arg = x->user },
	});
}

static void end(struct example *x)
{
	lock_contention_free(x->model);
	futex_events_free(x->futexes);
	user_locks_free(x->user);
	example_locks_end(&x->locks);
	tracepoint_format_free(x->formats[0]);
	tracepoint_format_free(x->formats[1]);
}

static void take(struct example *x, size_t event, uint32_t tid, uint64_t time,
		 const struct example_raw *raw, size_t size)
{
	const struct sample sample = {
		.pid = EXAMPLE_PID, .tid = tid, .raw = (const uint8_t *)raw, .raw_size = size
	};
	const struct session_sample s = { .event = session_event(x->locks.session, event),
					  .sample = &sample,
					  .time = time };

	futex_events_take(x->futexes, &s);
}

static void enters(struct example *x, uint32_t tid, uint64_t time, uint64_t op)
{
	const struct example_raw raw = { .addr = EXAMPLE_LOCK, .op = op, .value = 2 };

	take(x, 0, tid, time, &raw, sizeof(raw));
}

static void leaves(struct example *x, uint32_t tid, uint64_t time, int64_t result)
{
	const struct example_raw raw = { .ret = (uint64_t)result };

	take(x, 1, tid, time, &raw, sizeof(raw));
}

static const struct lock_row *rows_of(struct example *x, size_t *ret_n)
{
	x->rest = futex_events_finish(x->futexes, x->user, &x->filters, x->model);
	return lock_contention_sort(x->model, &(struct lock_sort){ .key = LOCK_FIELD_WAIT_TOTAL },
				    ret_n);
}

static void waits_of_threads_are_added_up_by_lock(void **state)
{
	const struct lock_row *rows;
	struct example x;
	size_t n;

	begin(&x, *state);
	assert_true(futex_events_there(x.futexes));
	assert_true(futex_events_want(x.futexes, session_event(x.locks.session, 0)));
	enters(&x, 1, 100, FUTEX_WAIT_PRIVATE);
	enters(&x, 2, 110, FUTEX_WAIT_PRIVATE);
	leaves(&x, 2, 150, 0);
	leaves(&x, 1, 200, 0);
	rows = rows_of(&x, &n);
	assert_int_equal(n, 1);
	assert_string_equal(rows[0].name, "hot_lock");
	assert_int_equal(rows[0].contended, 2);
	assert_int_equal(rows[0].total_ns, 140);
	assert_int_equal(rows[0].max_ns, 100);
	assert_int_equal(rows[0].min_ns, 40);
	end(&x);
}

static void what_did_not_wait_is_not_counted(void **state)
{
	struct example x;
	size_t n;

	begin(&x, *state);
	enters(&x, 1, 100, FUTEX_WAKE_PRIVATE);
	leaves(&x, 1, 200, 1);
	enters(&x, 1, 300, FUTEX_WAIT_PRIVATE);
	leaves(&x, 1, 400, -EAGAIN);
	leaves(&x, 3, 400, 0);                  /* began before the recording */
	enters(&x, 4, 500, FUTEX_WAIT_PRIVATE); /* does not end */
	rows_of(&x, &n);
	assert_int_equal(n, 0);
	assert_int_equal(x.rest.unended, 1);
	end(&x);
}

static void a_call_whose_end_was_lost_gives_way_to_the_next(void **state)
{
	const struct lock_row *rows;
	struct example x;
	size_t n;

	begin(&x, *state);
	enters(&x, 1, 100, FUTEX_WAIT_PRIVATE);
	enters(&x, 1, 1000, FUTEX_WAIT_PRIVATE);
	leaves(&x, 1, 1010, -ETIMEDOUT);
	/* Times that go backwards give a wait of 0. */
	enters(&x, 1, 2000, FUTEX_WAIT_PRIVATE);
	leaves(&x, 1, 1500, 0);
	rows = rows_of(&x, &n);
	assert_int_equal(n, 1);
	assert_int_equal(rows[0].contended, 2);
	assert_int_equal(rows[0].total_ns, 10);
	assert_int_equal(x.rest.unended, 0);
	end(&x);
}

static void short_records_say_nothing(void **state)
{
	const struct example_raw raw = { .addr = EXAMPLE_LOCK };
	struct example x;
	size_t n;

	begin(&x, *state);
	for (size_t size = 0; size < 16; size++) {
		take(&x, 0, 1, 100, &raw, size);
		take(&x, 1, 1, 200, &raw, size);
	}
	rows_of(&x, &n);
	assert_int_equal(n, 0);
	end(&x);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(waits_of_threads_are_added_up_by_lock),
		TEST(what_did_not_wait_is_not_counted),
		TEST(a_call_whose_end_was_lost_gives_way_to_the_next),
		TEST(short_records_say_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
