/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/output-file.h"
#include "cli/option.h"
#include "scratch-folder.h"

struct opts {
	const char *output;
	struct inner {
		const char *input;
	} inner;
};

static const struct option inner_options[] = { OPT_STRING('i', "input", struct inner, input, "file",
							  "read", .flags = OPTION_READS_USUAL),
					       OPT_END };

static const struct option options[] = { OPT_SET(struct opts, inner, inner_options),
					 OPT_STRING('o', "output", struct opts, output, "file",
						    "write", .flags = OPTION_WRITES),
					 OPT_END };

static int check(const char *input, const char *output, char *word)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	const struct opts o = { .output = output, .inner.input = input };
	char *words[] = { word, NULL };
	int r = option_check_files(options, &o, words, &d);

	assert_int_equal(r < 0, d.message != NULL);
	return r;
}

static void what_is_read_is_not_written(void **state)
{
	(void)state;
	assert_int_equal(output_file_replace("a", "a", 1, 0600), 0);
	assert_int_equal(output_file_replace("b", "b", 1, 0600), 0);
	assert_int_equal(link("a", "same"), 0);
	assert_int_equal(symlink("a", "link"), 0);
	assert_int_equal(check("a", "a", NULL), -EEXIST);
	assert_int_equal(check("a", "./a", NULL), -EEXIST);
	assert_int_equal(check("a", "same", NULL), -EEXIST);
	assert_int_equal(check("link", "a", NULL), -EEXIST);
	assert_int_equal(check("b", "a", "a"), -EEXIST);
}

/* -i reads the stores of perf push too; "-" may be a file that the shell opened. */
static void files_that_have_no_plain_name_are_not_written(void **state)
{
	int before = dup(STDIN_FILENO), fd;

	(void)state;
	assert_int_equal(output_file_replace("store.db", "a", 1, 0600), 0);
	assert_int_equal(check("sqlite:store.db", "store.db", NULL), -EEXIST);
	assert_int_equal(check("sqlite:./store.db?since=1h&host=x", "store.db", NULL), -EEXIST);
	assert_int_equal(check("sqlite:other.db", "store.db", NULL), 0);
	fd = open("store.db", O_RDONLY);
	assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	assert_int_equal(check("-", "store.db", NULL), -EEXIST);
	assert_int_equal(dup2(before, STDIN_FILENO), STDIN_FILENO);
	close(before);
	close(fd);
}

static void other_files_are(void **state)
{
	(void)state;
	assert_int_equal(check("a", "b", NULL), 0);
	assert_int_equal(check("a", "new", NULL), 0);
	assert_int_equal(check("a", NULL, "a"), 0);
	assert_int_equal(check("/dev/null", "/dev/null", NULL), 0);
	assert_int_equal(check("-", "-", "none"), 0);
}

static void the_usual_recording_is_read_without_a_word(void **state)
{
	(void)state;
	assert_int_equal(output_file_replace("perf.data", "x", 1, 0600), 0);
	assert_int_equal(check(NULL, "perf.data", NULL), -EEXIST);
	assert_int_equal(check("a", "perf.data", NULL), 0);
}

static void parts_of_a_folder_are_read_too(void **state)
{
	(void)state;
	assert_int_equal(mkdir("dir", 0700), 0);
	assert_int_equal(output_file_replace("dir/data", "x", 1, 0600), 0);
	assert_int_equal(check("dir", "dir/data", NULL), -EEXIST);
	assert_int_equal(check("dir", "dir/new.svg", NULL), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read_is_not_written),
		cmocka_unit_test(files_that_have_no_plain_name_are_not_written),
		cmocka_unit_test(other_files_are),
		cmocka_unit_test(the_usual_recording_is_read_without_a_word),
		cmocka_unit_test(parts_of_a_folder_are_read_too),
	};

	return cmocka_run_group_tests(tests, enter_scratch_folder, leave_scratch_folder);
}
