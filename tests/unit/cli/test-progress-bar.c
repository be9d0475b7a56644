/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "captured.h"
#include "cli/progress-bar.h"
#include "skip.h"

static void assert_bar(uint64_t done, uint64_t total, size_t width, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	progress_bar_format(&t, "Reading", done, total, width);
	assert_string_equal(t.chars, expected);
}

static void a_bar_fills_its_width(void **state)
{
	(void)state;
	assert_bar(0, 100, 25, "Reading [          ]   0%");
	assert_bar(50, 100, 25, "Reading [====>     ]  50%");
	assert_bar(99, 100, 25, "Reading [========> ]  99%");
	assert_bar(100, 100, 25, "Reading [==========] 100%");
}

static void odd_numbers_do_no_harm(void **state)
{
	(void)state;
	assert_bar(0, 0, 25, "Reading [          ]   0%");
	assert_bar(200, 100, 25, "Reading [==========] 100%");
	assert_bar(UINT64_MAX / 2, UINT64_MAX, 25, "Reading [====>     ]  50%");
	assert_bar(1, 2, 3, "Reading []  50%");
}

/* A terminal delivers written bytes in pieces, and with a delay. */
static void read_all(int fd, char *to, size_t size)
{
	while (size) {
		ssize_t n = read(fd, to, size);

		assert_true(n > 0);
		to += n;
		size -= (size_t)n;
	}
}

/* A bar on a terminal of 26 columns, and a clock that the test sets. */
struct screen {
	struct progress_bar bar;
	FILE *out;
	int reader;
};

static uint64_t clock_ns;

static uint64_t read_clock(void)
{
	return clock_ns;
}

static int setup(void **state)
{
	struct winsize size = { .ws_row = 24, .ws_col = 26 };
	struct screen *s = test_calloc(1, sizeof(*s));
	int slave;

	*state = s;
	unsetenv("COLUMNS");
	if (openpty(&s->reader, &slave, NULL, NULL, &size) < 0)
		skip_because("there are no pseudo-terminals");
	s->out = fdopen(slave, "w");
	progress_bar_init(&s->bar, s->out);
	s->bar.now_ns = read_clock;
	clock_ns = 5000;
	return 0;
}

static int teardown(void **state)
{
	struct screen *s = *state;

	progress_bar_done(&s->bar);
	fclose(s->out);
	close(s->reader);
	test_free(s);
	return 0;
}

static void at(struct screen *s, unsigned ms, uint64_t done)
{
	clock_ns = 5000 + ms * UINT64_C(1000000);
	progress_update(&s->bar.progress, "Reading", done, 4);
}

static void assert_seen(struct screen *s, const char *expected)
{
	char seen[256] = "";

	fputc('.', s->out);
	fflush(s->out);
	read_all(s->reader, seen, strlen(expected) + 1);
	assert_memory_equal(seen, expected, strlen(expected));
	assert_int_equal(seen[strlen(expected)], '.');
}

static void quick_work_shows_nothing(void **state)
{
	at(*state, 0, 0);
	at(*state, 499, 3);
	progress_finish(&((struct screen *)*state)->bar.progress);
	assert_seen(*state, "");
}

static void long_work_is_seen_to_come_and_go(void **state)
{
	at(*state, 0, 0);
	at(*state, 500, 2);
	progress_finish(&((struct screen *)*state)->bar.progress);
	assert_seen(*state, "\rReading [====>     ]  50%\r\033[K");
}

static void it_is_drawn_ten_times_a_second(void **state)
{
	at(*state, 0, 0);
	at(*state, 600, 2);
	at(*state, 699, 3);
	at(*state, 700, 3);
	assert_seen(*state, "\rReading [====>     ]  50%\rReading [======>   ]  75%");
}

static void what_follows_is_given_its_time_again(void **state)
{
	at(*state, 0, 0);
	progress_finish(&((struct screen *)*state)->bar.progress);
	at(*state, 600, 1);
	at(*state, 1099, 2);
	assert_seen(*state, "");
	at(*state, 1100, 4);
	assert_seen(*state, "\rReading [==========] 100%");
}

static void a_long_title_is_cut_off(void **state)
{
	struct screen *s = *state;

	at(s, 0, 0);
	clock_ns += 500000000;
	progress_update(&s->bar.progress, "Reading what is much too long", 1, 2);
	assert_seen(s, "\rReading what is much too ");
}

static void nobody_needs_to_look(void **state)
{
	(void)state;
	progress_update(NULL, "Reading", 1, 2);
	progress_finish(NULL);
}

#define SCREEN_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bar_fills_its_width),
		cmocka_unit_test(odd_numbers_do_no_harm),
		SCREEN_TEST(quick_work_shows_nothing),
		SCREEN_TEST(long_work_is_seen_to_come_and_go),
		SCREEN_TEST(it_is_drawn_ten_times_a_second),
		SCREEN_TEST(what_follows_is_given_its_time_again),
		SCREEN_TEST(a_long_title_is_cut_off),
		cmocka_unit_test(nobody_needs_to_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
