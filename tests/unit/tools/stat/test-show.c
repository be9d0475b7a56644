/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/captured.h"
#include "cli/command.h"
#include "options/parse.h"
#include "tools/stat/opts.h"
#include "tools/stat/show.h"
#include "kernel/fake-tree.h"
#include "tools/stat/csv-view.h"
#include "tools/stat/json-view.h"
#include "tools/stat/text-view.h"
#include "skip.h"

extern const struct command cmd_stat;

/* An output, and the objects it was opened with. */
struct opened {
	struct stat_opts o;
	struct captured err;
	struct invocation inv;
	struct stat_output out;
	struct diag diag;
	int result;
};

static struct opened *open_words(bool has_cpus, char **words)
{
	struct opened *p = xcalloc(1, sizeof(*p));

	if (parse_words(cmd_stat.options, &p->o, words, OPTION_STOP_POSITIONAL) < 0)
		fail_msg("%s", parsed.said);
	captured_init(&p->err);
	p->inv = (struct invocation){ .err = p->err.file,
				      .out = p->err.file,
				      .argc = parsed.argc,
				      .argv = parsed.argv,
				      .colour_when = COLOUR_NEVER };
	p->result = stat_output_open(&p->out, &p->o, &p->inv, has_cpus, &p->diag);
	return p;
}

static int close_out(struct opened *p)
{
	return stat_output_done(&p->out);
}

static void opened_freep(struct opened **p)
{
	close_out(*p);
	captured_done(&(*p)->err);
	cmd_stat.done(&(*p)->o);
	diag_done(&(*p)->diag);
	free(*p);
}

#define OPEN(...)      open_words(false, (char *[]){ __VA_ARGS__, NULL })
#define OPEN_CPUS(...) open_words(true, (char *[]){ __VA_ARGS__, NULL })
#define LOCAL          _cleanup_(opened_freep) struct opened

static char *in_tree(void **state, const char *name)
{
	return xasprintf("%s/%s", (char *)*state, name);
}

static void assert_file(const char *path, const char *wanted)
{
	char got[1000];
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(got, wanted);
}

/* Checks the lines of a file that do not begin with "# started on". */
static void assert_lines(const char *path, const char *wanted, unsigned starts)
{
	_cleanup_(fclosep) FILE *f = fopen(path, "r");
	struct text t = TEXT_EMPTY;
	char line[200];
	unsigned seen = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, "# started on ", 13))
			seen++;
		else if (line[0] != '\n')
			text_add(&t, line);
	}
	assert_string_equal(t.chars, wanted);
	assert_int_equal(seen, starts);
	text_done(&t);
}

static void assert_title(const struct opened *p, enum stat_target target, const char *text)
{
	assert_int_equal(p->result, 0);
	assert_int_equal(p->out.view.title.target, target);
	if (text)
		assert_string_equal(p->out.view.title.text, text);
	else
		assert_null(p->out.view.title.text);
}

static void the_title_is_the_command(void **state)
{
	LOCAL *p = OPEN("-e", "cs", "ls", "-l", "a b");

	(void)state;
	assert_title(p, STAT_TARGET_COMMAND, "ls -l a b");
}

static void the_title_names_processes_and_threads(void **state)
{
	LOCAL *p = OPEN("-p", "1,23", "sleep", "1");
	LOCAL *t = OPEN("-t", "45");

	(void)state;
	assert_title(p, STAT_TARGET_PROCESSES, "1,23");
	assert_title(t, STAT_TARGET_THREADS, "45");
}

static void the_title_is_the_system_even_around_a_command(void **state)
{
	LOCAL *p = OPEN_CPUS("-a", "true");
	LOCAL *none = OPEN_CPUS("-e", "cs");

	(void)state;
	assert_title(p, STAT_TARGET_SYSTEM, NULL);
	assert_title(none, STAT_TARGET_SYSTEM, NULL);
}

static void the_title_names_the_cpus_as_typed(void **state)
{
	LOCAL *p = OPEN_CPUS("-C", "0,1", "true");

	(void)state;
	assert_title(p, STAT_TARGET_CPUS, "0,1");
}

static void the_format_is_text_unless_asked_for(void **state)
{
	LOCAL *text = OPEN("true");
	LOCAL *csv = OPEN("-x,", "true");
	LOCAL *json = OPEN("-j", "true");

	(void)state;
	assert_ptr_equal(text->out.print, stat_text_print);
	assert_ptr_equal(csv->out.print, stat_csv_print);
	assert_ptr_equal(json->out.print, stat_json_print);
}

static void a_separator_is_taken_as_it_is(void **state)
{
	LOCAL *comma = OPEN("-x,", "true");
	LOCAL *colon = OPEN("-x", ":", "true");
	LOCAL *words = OPEN("-x", " | ", "true");

	(void)state;
	assert_string_equal(comma->out.view.style.separator, ",");
	assert_string_equal(colon->out.view.style.separator, ":");
	assert_string_equal(words->out.view.style.separator, " | ");
}

static void backslash_t_is_a_tab(void **state)
{
	LOCAL *p = OPEN("-x", "\\t", "true");

	(void)state;
	assert_string_equal(p->out.view.style.separator, "\t");
}

static void digits_are_grouped_unless_forbidden(void **state)
{
	LOCAL *p = OPEN("true");
	LOCAL *no = OPEN("--no-big-num", "true");

	(void)state;
	assert_true(p->out.view.style.big_num);
	assert_false(no->out.view.style.big_num);
}

static void options_reach_the_style(void **state)
{
	LOCAL *p = OPEN("--metric-only", "-n", "--interval-clear", "-I", "100", "-r", "3",
			"--table", "--no-csv-summary", "true");

	(void)state;
	assert_true(p->out.view.style.metric_only);
	assert_true(p->out.view.style.null_run);
	assert_true(p->out.view.style.clear);
	assert_true(p->out.view.style.list_runs);
	assert_false(p->out.view.style.csv_summary);
}

static void counts_go_to_stderr(void **state)
{
	LOCAL *p = OPEN("true");

	(void)state;
	assert_ptr_equal(p->out.file, p->err.file);
	assert_false(p->out.notes); /* nobody is looking */
	assert_int_equal(close_out(p), 0);
	assert_string_equal(captured_text(&p->err), "");
}

static void a_dash_is_stderr_too(void **state)
{
	LOCAL *p = OPEN("-o", "-", "true");

	(void)state;
	assert_ptr_equal(p->out.file, p->err.file);
}

static void quiet_goes_nowhere(void **state)
{
	LOCAL *p = OPEN("--quiet", "true");

	(void)state;
	assert_null(p->out.file);
	assert_int_equal(close_out(p), 0);
}

static void a_file_begins_with_its_time(void **state)
{
	_cleanup_(freep) char *path = in_tree(state, "counts");
	LOCAL *p = OPEN("-o", path, "true");

	assert_int_equal(p->result, 0);
	fputs("rows\n", p->out.file);
	assert_int_equal(close_out(p), 0);
	assert_lines(path, "rows\n", 1);
	assert_string_equal(captured_text(&p->err), "");
}

static void a_file_is_written_anew(void **state)
{
	_cleanup_(freep) char *path = in_tree(state, "counts");

	fake_file(*state, "counts", "old\n");

	LOCAL *p = OPEN("-o", path, "true");

	assert_int_equal(close_out(p), 0);
	assert_lines(path, "", 1);
}

static void append_keeps_what_was_there(void **state)
{
	_cleanup_(freep) char *path = in_tree(state, "counts");

	fake_file(*state, "counts", "old\n");

	LOCAL *p = OPEN("-o", path, "--append", "true");

	fputs("new\n", p->out.file);
	assert_int_equal(close_out(p), 0);
	assert_lines(path, "old\nnew\n", 1);
}

static void append_without_a_file_means_nothing(void **state)
{
	LOCAL *p = OPEN("--append", "true");

	(void)state;
	assert_int_equal(p->result, 0);
	assert_ptr_equal(p->out.file, p->err.file);
}

static void a_file_that_cannot_be_made_is_named(void **state)
{
	_cleanup_(freep) char *path = in_tree(state, "no/such/dir");
	LOCAL *p = OPEN("-o", path, "true");

	assert_int_equal(p->result, -ENOENT);
	assert_non_null(strstr(p->diag.message, path));
	assert_non_null(strstr(p->diag.message, "there is no folder"));
}

static void an_open_descriptor_is_written_to_and_stays_open(void **state)
{
	_cleanup_(freep) char *path = in_tree(state, "log");
	_cleanup_(closep) int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	char number[20];

	snprintf(number, sizeof(number), "%d", fd);

	LOCAL *p = OPEN("--log-fd", number, "true");

	assert_int_equal(p->result, 0);
	fputs("rows\n", p->out.file);
	assert_int_equal(close_out(p), 0);
	assert_file(path, "rows\n"); /* no time: the owner of the descriptor knows it */
	assert_true(fcntl(fd, F_GETFD) >= 0);
}

static void a_descriptor_that_is_not_open_is_named(void **state)
{
	LOCAL *p = OPEN("--log-fd", "777", "true");

	(void)state;
	assert_int_equal(p->result, -EBADF);
	assert_non_null(strstr(p->diag.message, "777"));
}

static void a_full_device_is_noticed(void **state)
{
	(void)state;
	if (access("/dev/full", W_OK) < 0)
		skip_because("there is no /dev/full");

	LOCAL *p = OPEN("-o", "/dev/full", "true");

	assert_int_equal(p->result, 0);
	assert_int_equal(close_out(p), -ENOSPC);
}

#define IN_TREE(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_title_is_the_command),
		cmocka_unit_test(the_title_names_processes_and_threads),
		cmocka_unit_test(the_title_is_the_system_even_around_a_command),
		cmocka_unit_test(the_title_names_the_cpus_as_typed),
		cmocka_unit_test(the_format_is_text_unless_asked_for),
		cmocka_unit_test(a_separator_is_taken_as_it_is),
		cmocka_unit_test(backslash_t_is_a_tab),
		cmocka_unit_test(digits_are_grouped_unless_forbidden),
		cmocka_unit_test(options_reach_the_style),
		cmocka_unit_test(counts_go_to_stderr),
		cmocka_unit_test(a_dash_is_stderr_too),
		cmocka_unit_test(quiet_goes_nowhere),
		IN_TREE(a_file_begins_with_its_time),
		IN_TREE(a_file_is_written_anew),
		IN_TREE(append_keeps_what_was_there),
		cmocka_unit_test(append_without_a_file_means_nothing),
		IN_TREE(a_file_that_cannot_be_made_is_named),
		IN_TREE(an_open_descriptor_is_written_to_and_stays_open),
		cmocka_unit_test(a_descriptor_that_is_not_open_is_named),
		cmocka_unit_test(a_full_device_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
