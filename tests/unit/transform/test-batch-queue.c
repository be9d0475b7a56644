/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/cleanup.h"
#include "transform/batch-queue.h"

/* Adds up the batches in the order of their arrival; keeps the last batch, as unwinding does. */
struct consumer {
	uint64_t sum, n;
	struct bytes kept;
	int answer;
	pthread_mutex_t gate; /* consumes only while it is open */
};

static void consumer_done(struct consumer *c)
{
	bytes_done(&c->kept);
	pthread_mutex_destroy(&c->gate);
}

static int consume(void *arg, struct bytes *batch)
{
	struct consumer *c = arg;
	struct bytes before = c->kept;

	pthread_mutex_lock(&c->gate);
	for (size_t i = 0; i < batch->n; i++)
		c->sum = c->sum * 3 + batch->data[i];
	c->n++;
	c->kept = *batch;
	*batch = before;
	pthread_mutex_unlock(&c->gate);
	return c->answer;
}

static void batches_come_in_order(void **state)
{
	_cleanup_(consumer_done) struct consumer c = { .gate = PTHREAD_MUTEX_INITIALIZER };
	_cleanup_(batch_queue_freep) struct batch_queue *q = batch_queue_new(consume, &c);
	_cleanup_(bytes_done) struct bytes b = { 0 };
	uint64_t sum = 0;

	(void)state;
	assert_non_null(q);
	for (unsigned i = 0; i < 1000; i++) {
		assert_int_equal(b.n, 0);
		bytes_u8(&b, (uint8_t)i);
		sum = sum * 3 + (uint8_t)i;
		assert_int_equal(batch_queue_add(q, &b), 0);
	}
	assert_int_equal(batch_queue_settle(q), 0);
	assert_int_equal(c.n, 1000);
	assert_int_equal(c.sum, sum);
}

static void an_error_is_told_and_the_rest_dropped(void **state)
{
	_cleanup_(consumer_done) struct consumer c = { .gate = PTHREAD_MUTEX_INITIALIZER,
						       .answer = -ENOSPC };
	_cleanup_(batch_queue_freep) struct batch_queue *q = batch_queue_new(consume, &c);
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	bytes_u8(&b, 1);
	batch_queue_add(q, &b);
	assert_int_equal(batch_queue_settle(q), -ENOSPC);
	bytes_u8(&b, 2);
	assert_int_equal(batch_queue_add(q, &b), -ENOSPC);
	assert_int_equal(batch_queue_settle(q), -ENOSPC);
	assert_int_equal(c.n, 1);
}

struct adder {
	struct batch_queue *q;
	atomic_uint added;
};

static void *add_twenty(void *arg)
{
	struct adder *a = arg;
	_cleanup_(bytes_done) struct bytes b = { 0 };

	for (unsigned i = 0; i < 20; i++) {
		bytes_u8(&b, 1);
		batch_queue_add(a->q, &b);
		atomic_fetch_add(&a->added, 1);
	}
	return NULL;
}

/*
 * While nothing is consumed, only a limited number of batches is accepted: one in work, and those
 * that wait.
 */
static void who_adds_waits_for_a_slow_consumer(void **state)
{
	_cleanup_(consumer_done) struct consumer c = { .gate = PTHREAD_MUTEX_INITIALIZER };
	struct adder a = { .q = batch_queue_new(consume, &c) };
	pthread_t thread;

	(void)state;
	pthread_mutex_lock(&c.gate);
	assert_int_equal(pthread_create(&thread, NULL, add_twenty, &a), 0);
	while (atomic_load(&a.added) < 8)
		sched_yield();
	assert_in_range(atomic_load(&a.added), 8, 9);
	pthread_mutex_unlock(&c.gate);
	pthread_join(thread, NULL);
	assert_int_equal(batch_queue_settle(a.q), 0);
	assert_int_equal(c.n, 20);
	batch_queue_free(a.q);
}

static void what_waits_is_consumed_before_the_end(void **state)
{
	_cleanup_(consumer_done) struct consumer c = { .gate = PTHREAD_MUTEX_INITIALIZER };
	struct batch_queue *q = batch_queue_new(consume, &c);
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	pthread_mutex_lock(&c.gate);
	for (unsigned i = 0; i < 3; i++) {
		bytes_u8(&b, 1);
		batch_queue_add(q, &b);
	}
	pthread_mutex_unlock(&c.gate);
	batch_queue_free(q);
	assert_int_equal(c.n, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(batches_come_in_order),
		cmocka_unit_test(an_error_is_told_and_the_rest_dropped),
		cmocka_unit_test(who_adds_waits_for_a_slow_consumer),
		cmocka_unit_test(what_waits_is_consumed_before_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
