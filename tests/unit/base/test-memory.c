/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory-gone.h"
#include "base/memory.h"

static void sizes_of_nothing_are_still_something(void **state)
{
	_cleanup_(freep) void *a = xmalloc(0), *b = xcalloc(0, 0), *c = xrealloc(NULL, 0);

	(void)state;
	assert_non_null(a);
	assert_non_null(b);
	assert_non_null(c);
}

static void copies_are_copies(void **state)
{
	char word[] = "word";
	_cleanup_(freep) char *all = xstrdup(word), *part = xstrndup(word, 2),
			      *more = xstrndup(word, 9);

	(void)state;
	word[0] = '-';
	assert_string_equal(all, "word");
	assert_string_equal(part, "wo");
	assert_string_equal(more, "word");
}

static void text_is_formatted_to_any_length(void **state)
{
	_cleanup_(freep) char *s = xasprintf("%0500d|%s", 7, "x");

	(void)state;
	assert_int_equal(strlen(s), 502);
	assert_string_equal(s + 499, "7|x");
}

struct numbers {
	unsigned *items;
	size_t n, room;
};

static void an_array_grows_and_keeps_what_it_has(void **state)
{
	struct numbers a = { 0 };

	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		*ARRAY_ADD(&a) = i;
	assert_int_equal(a.n, 1000);
	assert_true(a.room >= 1000 && a.room < 4000);
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(a.items[i], i);
	free(a.items);
}

static void a_new_item_is_zero(void **state)
{
	struct numbers a = { 0 };

	(void)state;
	a.items = array_reserve(NULL, &a.room, 4, sizeof(a.items[0]));
	memset(a.items, 0xff, 4 * sizeof(a.items[0]));
	assert_int_equal(*ARRAY_ADD(&a), 0);
	free(a.items);
}

static void room_that_is_there_is_not_made_again(void **state)
{
	size_t room = 0;
	void *items = array_reserve(NULL, &room, 20, 8);

	(void)state;
	assert_int_equal(room, 20);
	assert_ptr_equal(array_reserve(items, &room, 20, 8), items);
	free(items);
}

/* Returns the status of a process that allocates more memory than there is, and its message. */
static int status_without_memory(char *said, size_t size)
{
	int ends[2], status;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		dup2(ends[1], STDERR_FILENO);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
		/* The sanitizer ends a process that allocates too much. */
		memory_gone(SIZE_MAX);
#else
		/* More than any machine has. */
		free(xcalloc((size_t)1 << 24, (size_t)1 << 40));
#endif
		_exit(0);
	}
	close(ends[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);

	ssize_t n = read(ends[0], said, size - 1);

	said[n > 0 ? n : 0] = '\0';
	close(ends[0]);
	return status;
}

static void who_has_no_memory_says_so_and_ends_with_a_status(void **state)
{
	char said[256];
	int status = status_without_memory(said, sizeof(said));

	(void)state;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), MEMORY_GONE_STATUS);
	assert_non_null(strstr(said, "perf: out of memory: 18446744073709551615 more bytes"));
}

static void say_first(void *arg)
{
	if (write(STDERR_FILENO, arg, strlen(arg)) < 0)
		_exit(2);
}

static void what_is_to_be_undone_is_undone_first(void **state)
{
	char said[256], first[] = "first ";

	(void)state;
	memory_gone_first(say_first, first);
	status_without_memory(said, sizeof(said));
	assert_int_equal(strncmp(said, "first perf: out of memory", 25), 0);
	memory_gone_first(NULL, NULL);
	status_without_memory(said, sizeof(said));
	assert_int_equal(strncmp(said, "perf: out of memory", 19), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_of_nothing_are_still_something),
		cmocka_unit_test(copies_are_copies),
		cmocka_unit_test(text_is_formatted_to_any_length),
		cmocka_unit_test(an_array_grows_and_keeps_what_it_has),
		cmocka_unit_test(a_new_item_is_zero),
		cmocka_unit_test(room_that_is_there_is_not_made_again),
		cmocka_unit_test(who_has_no_memory_says_so_and_ends_with_a_status),
		cmocka_unit_test(what_is_to_be_undone_is_undone_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
