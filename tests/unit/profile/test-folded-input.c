/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "profile/folded-input.h"
#include "profile/folded.h"

/* Makes a file with @n bytes of @text. It has @path until @fd is closed. */
static int file_with(const char *text, size_t n, char path[32])
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, n), n);
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

static bool is_folded(const char *text, size_t n)
{
	char path[32];
	int fd = file_with(text, n, path);
	bool is = folded_input_is(path);

	close(fd);
	return is;
}

static void text_is_told_from_recordings_by_its_first_bytes(void **state)
{
	(void)state;
	assert_true(is_folded("sh;main 1\n", 10));
	assert_true(is_folded("caf\xc3\xa9;main\t1\r\n", 14));
	assert_true(is_folded("x\x01;\x1b[31m 1\n", 11)); /* names may hold any byte but NUL */
	assert_false(is_folded("PERFILE2", 8));
	assert_false(is_folded("2ELIFREP", 8));
	assert_false(is_folded("\x7f"
			       "ELF\1\0",
			       6));
	assert_false(is_folded("", 0));
	assert_false(folded_input_is("/nowhere"));
	assert_false(folded_input_is("/"));
}

static void a_stream_is_looked_at_and_still_complete(void **state)
{
	static const char text[] = "sh;main 1\n";
	_cleanup_(folded_reader_freep) struct folded_reader *r =
		folded_reader_new(flame_builder_new("all"), FLAME_AFTER, true, false);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct folded_facts facts;
	int ends[2], kept = dup(STDIN_FILENO);

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(write(ends[1], text, strlen(text)), strlen(text));
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	assert_true(folded_input_is("-"));
	assert_true(folded_input_is("-"));
	assert_int_equal(folded_input_read("-", r, &diag), 0);
	flame_builder_free(folded_reader_end(r, &facts));
	assert_int_equal(facts.n_lines, 1);
	dup2(kept, STDIN_FILENO);
	close(kept);
}

static void what_cannot_be_read_is_an_error(void **state)
{
	_cleanup_(folded_reader_freep) struct folded_reader *r =
		folded_reader_new(flame_builder_new("all"), FLAME_AFTER, true, false);
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(folded_input_read("/nowhere", r, &diag), -ENOENT);
	assert_string_equal(diag.message, "cannot read '/nowhere': No such file or directory");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_told_from_recordings_by_its_first_bytes),
		cmocka_unit_test(a_stream_is_looked_at_and_still_complete),
		cmocka_unit_test(what_cannot_be_read_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
