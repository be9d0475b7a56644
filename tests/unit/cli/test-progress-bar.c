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

static void nothing_is_drawn_into_a_file(void **state)
{
	_cleanup_(fclosep) FILE *f = tmpfile();
	struct progress_bar b;

	(void)state;
	progress_bar_init(&b, "Reading", f);
	b.next_ns = 0;
	progress_update(&b.progress, 1, 2);
	progress_bar_done(&b);
	assert_int_equal(ftell(f), 0);
}

/* A terminal hands on what is written to it piece by piece, and in its own time. */
static void read_all(int fd, char *to, size_t size)
{
	while (size) {
		ssize_t n = read(fd, to, size);

		assert_true(n > 0);
		to += n;
		size -= (size_t)n;
	}
}

static void a_terminal_sees_it_come_and_go(void **state)
{
	struct winsize size = { .ws_row = 24, .ws_col = 26 };
	const char *expected = "\rReading [====>     ]  50%\r                         \r";
	char seen[256] = "";
	struct progress_bar b;
	int master, slave;

	(void)state;
	unsetenv("COLUMNS");
	if (openpty(&master, &slave, NULL, NULL, &size) < 0)
		skip();

	_cleanup_(closep) int reader = master;
	_cleanup_(fclosep) FILE *f = fdopen(slave, "w");

	progress_bar_init(&b, "Reading", f);
	progress_update(&b.progress, 1, 4); /* too early: quick work shows nothing */
	assert_false(b.drawn);
	b.next_ns = 0;
	progress_update(&b.progress, 2, 4);
	progress_update(&b.progress, 3, 4); /* too soon after the last */
	progress_bar_done(&b);
	fflush(f);
	read_all(reader, seen, strlen(expected));
	assert_string_equal(seen, expected);
}

static void nobody_needs_to_look(void **state)
{
	(void)state;
	progress_update(NULL, 1, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bar_fills_its_width),
		cmocka_unit_test(odd_numbers_do_no_harm),
		cmocka_unit_test(nothing_is_drawn_into_a_file),
		cmocka_unit_test(a_terminal_sees_it_come_and_go),
		cmocka_unit_test(nobody_needs_to_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
