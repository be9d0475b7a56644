/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/record-drain.h"
#include "capture/record-rings.h"
#include "capture/record-threads.h"

/* A drain whose only ring overwrites, so that its thread writes nothing and only watches. */
struct watched {
	int ends[2];
	struct record_ring ring;
	struct record_drain drain;
};

static void open_one(struct watched *w)
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, w->ends), 0);
	w->ring = (struct record_ring){ .ring.backward = true, .fds = &w->ends[0], .n = 1 };
	w->drain = (struct record_drain)RECORD_DRAIN_NONE;
	*ARRAY_ADD(&w->drain) = &w->ring;
	assert_int_equal(record_drain_watch(&w->drain), 0);
}

static void close_one(struct watched *w)
{
	close(w->ends[0]);
	if (w->ends[1] >= 0)
		close(w->ends[1]);
	record_drain_done(&w->drain);
}

static void threads_end_when_they_are_told(void **state)
{
	(void)state;
	struct record_threads t = RECORD_THREADS_NONE;
	struct watched w;
	size_t sources;

	open_one(&w);
	assert_int_equal(record_threads_start(&t, &w.drain, 1), 0);
	assert_int_equal(record_threads_look(&t, &sources), 0);
	assert_int_equal(sources, 1);
	assert_int_equal(record_threads_stop(&t), 0);
	assert_int_equal(t.n, 0);
	close_one(&w);
}

static void the_end_of_a_source_is_news(void **state)
{
	(void)state;
	struct record_threads t = RECORD_THREADS_NONE;
	struct watched w;
	size_t sources = 1;

	open_one(&w);
	assert_int_equal(record_threads_start(&t, &w.drain, 1), 0);
	close(w.ends[1]);
	w.ends[1] = -1;
	while (sources) {
		struct pollfd p = { .fd = t.news_fd, .events = POLLIN };

		assert_int_equal(poll(&p, 1, 5000), 1);
		assert_int_equal(record_threads_look(&t, &sources), 0);
	}
	record_threads_stop(&t);
	close_one(&w);
}

static void stopping_what_was_never_started_is_fine(void **state)
{
	(void)state;
	struct record_threads t = RECORD_THREADS_NONE;

	assert_int_equal(record_threads_stop(&t), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_end_when_they_are_told),
		cmocka_unit_test(the_end_of_a_source_is_news),
		cmocka_unit_test(stopping_what_was_never_started_is_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
