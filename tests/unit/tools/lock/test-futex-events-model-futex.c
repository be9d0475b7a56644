/* SPDX-License-Identifier: MIT */
#include "example-user-locks.h"

#include <linux/futex.h>

#include "tools/lock/contention-model.h"
#include "tools/lock/futex-events-model.h"
#include "config.h"

static const uint64_t mutex[] = { LIBC_INSIDE, MUTEX_LOCK, WORK };
static const uint64_t condition[] = { LIBC_INSIDE, COND_WAIT, WORK };

static bool find_symbol(void *arg, uint32_t pid, uint64_t addr, struct lock_symbol *ret)
{
	return user_locks_symbol(arg, pid, addr, ret);
}

static bool find_nothing(void *arg, const char *name, uint64_t *ret_addr)
{
	(void)arg, (void)name, (void)ret_addr;
	return false;
}

struct example {
	struct example_locks locks;
	struct user_locks *user;
	struct lock_filters filters;
	struct lock_filters none;
	struct lock_contention *model;
};

static void begin(struct example *x, const char *dir, enum lock_by by)
{
	*x = (struct example){ 0 };
	example_locks_begin(&x->locks, dir);
	example_locks_read(&x->locks);
	x->user = user_locks_new(x->locks.session);
	x->model = lock_contention_new(&(struct lock_contention_options){
		.by = by,
		.max_stack = 8,
		.stack_skip = 3,
		.filters = &x->none,
		.names = { .symbol = find_symbol, .find = find_nothing, .arg = x->user },
	});
}

static void end(struct example *x)
{
	lock_contention_free(x->model);
	user_locks_free(x->user);
	lock_filters_done(&x->filters);
	example_locks_end(&x->locks);
}

static uint64_t wait(struct example *x, uint32_t pid, uint64_t addr, const uint64_t *stack,
		     uint64_t ns)
{
	const struct futex_waits w = {
		.wait = { .pid = pid, .op = FUTEX_WAIT_BITSET, .stack = stack, .n_stack = 3 },
		.tid = pid + 1,
		.addr = addr,
		.contended = 2,
		.total_ns = ns,
		.max_ns = ns,
		.min_ns = 1,
	};

	return futex_waits_add(&w, x->user, &x->filters, x->model);
}

static size_t n_rows(struct example *x, const struct lock_row **ret)
{
	size_t n;

	*ret = lock_contention_sort(x->model, &(struct lock_sort){ .key = LOCK_FIELD_WAIT_TOTAL },
				    &n);
	return n;
}

static void rows_of_locks_have_the_name_of_their_variable(void **state)
{
	const struct lock_row *rows;
	struct example x;

	begin(&x, *state, LOCK_BY_ADDR);
	assert_int_equal(wait(&x, EXAMPLE_PID, EXAMPLE_LOCK, mutex, 100), 0);
	assert_int_equal(wait(&x, EXAMPLE_PID, EXAMPLE_LOCK, mutex, 50), 0);
	assert_int_equal(wait(&x, EXAMPLE_PID + 1, EXAMPLE_LOCK, mutex, 10), 0);
	/* The same address in another process is another lock. */
	assert_int_equal(n_rows(&x, &rows), 2);
	assert_string_equal(rows[0].name, "hot_lock");
	assert_int_equal(rows[0].total_ns, 150);
	assert_int_equal(rows[0].contended, 4);
	assert_int_equal(rows[1].total_ns, 10);
	assert_string_equal(rows[1].name, "");
	end(&x);
}

static void rows_of_callers_name_function_and_lock(void **state)
{
	const struct lock_row *rows;
	struct example x;

	begin(&x, *state, LOCK_BY_CALLER);
	wait(&x, EXAMPLE_PID, EXAMPLE_LOCK, mutex, 100);
	assert_int_equal(n_rows(&x, &rows), 1);
	assert_string_equal(rows[0].name, "work+0x4 (hot_lock)");
	end(&x);
}

static void conditions_are_left_out_unless_they_are_asked_for(void **state)
{
	const struct lock_row *rows;
	struct diag diag = { 0 };
	struct example x;

	begin(&x, *state, LOCK_BY_ADDR);
	assert_int_equal(wait(&x, EXAMPLE_PID, EXAMPLE_LOCK, condition, 100), 2);
	assert_int_equal(n_rows(&x, &rows), 0);
	assert_int_equal(lock_types_parse(&x.filters.types, "futex:cond", &diag), 0);
	assert_int_equal(wait(&x, EXAMPLE_PID, EXAMPLE_LOCK, condition, 100), 0);
	assert_int_equal(n_rows(&x, &rows), 1);
	assert_string_equal(lock_type_name(rows[0].flags), "futex:cond");
	end(&x);
}

static void a_lock_is_chosen_by_name_or_address(void **state)
{
	static const char *const words[] = { "hot_lock", "0x503000", "503000" };
	const struct lock_row *rows;

	for (size_t i = 0; i < 3; i++) {
		struct example x;

		begin(&x, *state, LOCK_BY_ADDR);
		x.filters.locks.items = xcalloc(1, sizeof(char *));
		x.filters.locks.items[0] = words[i];
		x.filters.locks.n = 1;
		wait(&x, EXAMPLE_PID, EXAMPLE_LOCK, mutex, 100);
		wait(&x, EXAMPLE_PID, HEAP_AT, mutex, 100);
		assert_int_equal(n_rows(&x, &rows), 1);
		assert_int_equal(rows[0].addr, EXAMPLE_LOCK);
		end(&x);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(rows_of_locks_have_the_name_of_their_variable),
		TEST(rows_of_callers_name_function_and_lock),
		TEST(conditions_are_left_out_unless_they_are_asked_for),
		TEST(a_lock_is_chosen_by_name_or_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
