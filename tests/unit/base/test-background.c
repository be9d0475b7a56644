/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>

#include "base/background.h"
#include "base/clock.h"

#define ROUNDS 1000

static bool has_news(const struct background *b, int wait_ms)
{
	struct pollfd fd = { .fd = b->fd, .events = POLLIN };

	return poll(&fd, 1, wait_ms) == 1;
}

static bool background_seems_over(struct background *b)
{
	bool is_over;

	pthread_mutex_lock(&b->lock);
	is_over = b->is_over;
	pthread_mutex_unlock(&b->lock);
	return is_over;
}

static void count_rounds(void *arg)
{
	struct background *b = arg;

	for (uint64_t i = 1; i <= ROUNDS; i++)
		progress_update(&b->progress, i < ROUNDS ? "begin" : "end", i, ROUNDS);
	progress_finish(&b->progress);
}

static void progress_and_the_end_are_told(void **state)
{
	struct background b;
	const char *title = "";
	uint64_t done, total;

	(void)state;
	background_init(&b);
	background_progress(&b, &title, &done, &total);
	assert_null(title);
	assert_int_equal(done, 0);
	assert_int_equal(total, 0);
	assert_false(has_news(&b, 0));
	assert_int_equal(background_start(&b, count_rounds, &b), 0);
	while (!background_seems_over(&b)) {
		assert_true(has_news(&b, 30000));
		background_hear(&b);
		background_progress(&b, NULL, &done, &total);
		assert_true(done <= total);
	}
	background_progress(&b, &title, &done, &total);
	assert_string_equal(title, "end");
	assert_int_equal(done, ROUNDS);
	assert_int_equal(total, ROUNDS);
	background_done(&b);
}

static void progress_that_comes_often_is_told_once(void **state)
{
	struct background b;
	bool was_at_once = false;

	(void)state;
	background_init(&b);
	/* On a busy machine the second one may come late. */
	for (int i = 0; i < 1000 && !was_at_once; i++) {
		const uint64_t before = clock_ns(CLOCK_MONOTONIC);

		b.told_ns = 0;
		background_report(&b, "work", 1, 3);
		assert_true(has_news(&b, 0));
		background_hear(&b);
		assert_false(has_news(&b, 0));
		background_report(&b, "work", 2, 3);
		was_at_once = clock_ns(CLOCK_MONOTONIC) - before < 50000000;
		assert_true(!was_at_once || !has_news(&b, 0));
		background_hear(&b);
	}
	assert_true(was_at_once);
	background_done(&b);
}

static void wait_for_stop(void *arg)
{
	struct background *b = arg;

	pthread_mutex_lock(&b->lock);
	while (!atomic_load(&b->stop))
		pthread_cond_wait(&b->changed, &b->lock);
	pthread_mutex_unlock(&b->lock);
}

static void what_waits_is_ended(void **state)
{
	struct background b;

	(void)state;
	background_init(&b);
	assert_int_equal(background_start(&b, wait_for_stop, &b), 0);
	assert_false(background_seems_over(&b));
	background_end(&b);
	assert_true(b.is_over);
	assert_true(has_news(&b, 0));
	background_end(&b);
	background_done(&b);
}

static void what_was_not_started_is_only_released(void **state)
{
	struct background b;

	(void)state;
	background_init(&b);
	background_end(&b);
	assert_false(b.is_over);
	background_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(progress_and_the_end_are_told),
		cmocka_unit_test(progress_that_comes_often_is_told_once),
		cmocka_unit_test(what_waits_is_ended),
		cmocka_unit_test(what_was_not_started_is_only_released),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
