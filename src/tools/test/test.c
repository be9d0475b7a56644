/* SPDX-License-Identifier: MIT */
/* perf test: verifies that this perf works on this machine. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/output-stream.h"
#include "cli/command.h"
#include "cli/exec-path.h"
#include "tools/test/checks/checks.h"
#include "tools/test/plan-work.h"
#include "tools/test/process-work.h"
#include "tools/test/runner-work.h"
#include "tools/test/select-work.h"
#include "tools/test/selftest-view.h"
#include "tools/test/shell-work.h"
#include "tools/test/workload/workload.h"

/* `perf test -w NAME`: small programs for other perf commands to measure. */

/* Prints the names of the workloads. */
static int test_workload_list(const struct invocation *inv)
{
	for (const struct test_workload *const *w = test_workloads; *w; w++)
		fprintf(inv->out, "%s\n", (*w)->name);
	return EXIT_OK;
}

/* The FIFOs of `perf record --control`; this is the other end of them. */
struct test_control {
	int command, ack; /* -1: none */
};

static void control_close(struct test_control *c)
{
	closep(&c->command);
	closep(&c->ack);
}

static int test_workload_open_fifo(const char *path, int flags, struct diag *diag)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	diag_set(diag, -errno, "cannot open '%s': %s", path, strerror(errno));
	diag_hint(diag, "It is the FIFO of 'perf record -D -1 --control=fifo:%s', made by mkfifo.",
		  path);
	return -errno;
}

/* Opens the FIFOs of @text, which is fifo:COMMANDS[,ACKS]. */
static int control_open(struct test_control *c, const char *text, struct diag *diag)
{
	_cleanup_(freep) char *copy = NULL;
	char *acks, *commands;

	if (strncmp(text, "fifo:", 5) || !text[5])
		return diag_set(diag, -EINVAL, "'%s' is not fifo:ctl-fifo[,ack-fifo]", text);
	copy = xstrdup(text + 5);
	acks = copy;
	commands = strsep(&acks, ",");
	c->command = test_workload_open_fifo(commands, O_WRONLY, diag);
	if (c->command < 0)
		return c->command;
	if (acks)
		c->ack = test_workload_open_fifo(acks, O_RDONLY, diag);
	return c->ack < 0 && acks ? c->ack : 0;
}

static int control_say(const struct test_control *c, const char *word, struct diag *diag)
{
	char answer[16] = "";
	int r = c->command < 0 ? 0 : file_write(c->command, word, strlen(word));

	if (r < 0)
		return diag_set(diag, r, "cannot reach the recording: %s", strerror(-r));
	if (c->ack >= 0 &&
	    (read(c->ack, answer, sizeof(answer) - 1) < 3 || strncmp(answer, "ack", 3)))
		return diag_set(diag, -EPROTO, "the recording did not answer 'ack'");
	return 0;
}

static int tools_test_workload_run(const struct test_workload *w, const char *control,
				   const double *numbers, struct diag *diag)
{
	_cleanup_(control_close) struct test_control c = { .command = -1, .ack = -1 };
	int r = control ? control_open(&c, control, diag) : 0;

	if (r >= 0)
		r = control_say(&c, "enable\n", diag);
	if (r >= 0)
		r = w->run(numbers);
	return r < 0 ? r : control_say(&c, "disable\n", diag);
}

/* Parses a plain decimal: no exponent, no sign. */
static bool test_workload_parse_number(const char *text, const struct test_workload_number *n,
				       double *ret)
{
	size_t digits = strspn(text, n->is_whole ? "0123456789" : "0123456789.");
	char *end;

	if (!digits || text[digits])
		return false;
	*ret = strtod(text, &end);
	return !*end && *ret >= n->least && *ret <= n->most;
}

/* Takes the words after the name: at most as many numbers as the workload has. */
static int test_workload_take_numbers(const struct invocation *inv, const struct test_workload *w,
				      double *ret, struct diag *diag)
{
	for (size_t i = 0; i < WORKLOAD_NUMBERS_MAX; i++)
		ret[i] = w->numbers[i].usual;
	for (int i = 0; i < inv->argc; i++) {
		const struct test_workload_number *n =
			i < WORKLOAD_NUMBERS_MAX && w->numbers[i].what ? &w->numbers[i] : NULL;

		if (!n)
			return diag_set(diag, -EINVAL, "'%s' is too much for %s", inv->argv[i],
					w->name);
		if (test_workload_parse_number(inv->argv[i], n, &ret[i]))
			continue;
		diag_set(diag, -EINVAL, "'%s' is not a number of %s", inv->argv[i], n->what);
		diag_hint(diag, "A number from %.0f to %.0f.", n->least, n->most);
		return -EINVAL;
	}
	return 0;
}

/*
 * Runs the workload @name with the positional arguments as its own. @control is that of
 * --record-ctl, or NULL: the recording is enabled for the time that the workload runs. Returns the
 * exit status.
 */
static int test_workload_run(const struct invocation *inv, const char *name, const char *control)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct test_workload *w = test_workload_find(name);
	double numbers[WORKLOAD_NUMBERS_MAX];
	int r;

	if (!w) {
		diag_set(&diag, -ENOENT, "there is no workload '%s'", name);
		diag_hint(&diag, "'perf test --list-workloads' lists them.");
		return command_fail(inv, -ENOENT, &diag);
	}
	if (test_workload_take_numbers(inv, w, numbers, &diag) < 0)
		return command_usage(inv, &diag);
	r = tools_test_workload_run(w, control, numbers, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

/*
 * The time limits. No test takes longer than a few seconds; the rest is for slow and busy machines.
 */
#define LIMIT_SECONDS        60
#define SCRIPT_LIMIT_SECONDS 600
#define RUNS_MAX             10000

struct opts {
	const char *workload, *record_ctl;
	const char *skip, *junit, *dso, *objdump;
	unsigned verbose;
	uint64_t runs, snippet_lines;
	bool list, list_workloads, dont_fork, sequential, quiet, exit_code;
};

static const struct option options[] = {
	OPT_FLAG('F', "dont-fork", struct opts, dont_fork,
		 "run all tests in this process, one after the other"),
	OPT_STRING('j', "junit", struct opts, junit, "file",
		   "also write the results as JUnit XML (default: test.xml)", .missing = "test.xml",
		   .flags = OPTION_OPTIONAL),
	OPT_FLAG('l', "list", struct opts, list, "list the tests instead of running them"),
	OPT_NOTHING('p', "parallel", NULL, "run tests side by side", NULL),
	OPT_FLAG('q', "quiet", struct opts, quiet, "show only what fails, and the sum"),
	OPT_UINT('r', "runs-per-test", struct opts, runs, "n", "run each test n times"),
	OPT_FLAG('S', "sequential", struct opts, sequential, "run one test after the other"),
	OPT_STRING('s', "skip", struct opts, skip, "tests", "tests to skip, with commas between"),
	OPT_COUNT('v', "verbose", struct opts, verbose,
		  "show the output of tests that fail; -vv: of all"),
	OPT_STRING('w', "workload", struct opts, workload, "name",
		   "run a workload; numbers may follow: seconds, loops, threads"),
	OPT_STRING(0, "dso", struct opts, dso, "dso", "the file whose symbols are tested"),
	OPT_FLAG(0, "exit-code", struct opts, exit_code, "end with status 1 if a test fails"),
	OPT_UINT(0, "failure-snippet-lines", struct opts, snippet_lines, "n",
		 "lines of output shown of a test that fails (default: 10)"),
	OPT_FLAG(0, "list-workloads", struct opts, list_workloads, "list the workloads for -w"),
	OPT_STRING(0, "objdump", struct opts, objdump, "path",
		   "objdump that our disassembly is compared with"),
	OPT_STRING(0, "record-ctl", struct opts, record_ctl, "fifo:ctl-fifo[,ack-fifo]",
		   "enable a recording just before the workload runs, disable it after"),
	OPT_END,
};

static const struct opts defaults = { .runs = 1, .snippet_lines = 10 };

/* Set by Ctrl-C: running tests are ended, and the results so far are shown. */
static volatile sig_atomic_t stopped;

static void on_stop(int signal_number)
{
	(void)signal_number;
	stopped = 1;
}

static void test_catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_stop };

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &action, NULL);
}

/* Adds the scripts of the installation. */
static void test_add_scripts(const struct invocation *inv, struct selftest_plan *p)
{
	_cleanup_(freep) char *base = exec_path_find(inv->settings->exec_path);
	_cleanup_(freep) char *folder = xasprintf("%s/tests/shell", base);

	selftest_add_scripts(p, folder);
}

static void test_show_result(const struct selftest_row *row, const struct selftest_result *result,
			     void *arg)
{
	selftest_result_print(arg, row, result);
}

static int write_junit(const struct invocation *inv, const struct selftest_plan *p,
		       const char *path)
{
	struct output_stream file = { .file = OUTPUT_FILE_NONE };
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r = output_stream_begin(&file, path, &diag);

	if (r >= 0) {
		selftest_junit_print(p, file.out);
		r = output_stream_commit(&file, NULL, &diag);
	}
	output_stream_done(&file);
	if (r < 0)
		return command_fail(inv, r, &diag);
	fprintf(inv->out, "Wrote junit XML output to %s\n", path);
	return EXIT_OK;
}

static int run_tests(struct invocation *inv, struct selftest_plan *p)
{
	const struct opts *o = inv->opts;
	_cleanup_(freep) char *perf = realpath("/proc/self/exe", NULL);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct selftest_text view = { .out = inv->out,
				      .plan = p,
				      .verbose = o->verbose + inv->settings->verbose,
				      .snippet_lines = (unsigned)o->snippet_lines,
				      .quiet = o->quiet,
				      .colour = inv->colour };
	struct selftest_options run = { .perf = perf ? perf : "perf",
					.objdump = o->objdump,
					.dso = o->dso,
					.jobs = o->sequential ? 1
						: cpus > 1    ? (unsigned)cpus
							      : 2,
					.in_process = o->dont_fork,
					.limit_seconds = LIMIT_SECONDS,
					.script_limit_seconds = SCRIPT_LIMIT_SECONDS,
					.stop = &stopped,
					.progress = command_progress(inv, o->quiet, false),
					.finished = test_show_result,
					.arg = &view };
	int r, status = EXIT_OK;

	selftest_plan_set_runs(p, (unsigned)o->runs);
	selftest_text_init(&view);
	test_catch_signals();
	r = selftest_run_plan(p, &run);
	selftest_summary_print(&view);
	if (o->junit)
		status = write_junit(inv, p, o->junit);
	if (status == EXIT_OK && (r < 0 || (o->exit_code && selftest_plan_totals(p).failed)))
		status = EXIT_FAILED;
	return status;
}

/* Checks that there is a place to write, because otherwise every test would fail. */
static int check_scratch(const struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *path = NULL;
	int r = selftest_scratch_make(&path);

	selftest_scratch_remove(path);
	if (r >= 0)
		return EXIT_OK;
	diag_set(&diag, r, "tests have no place to write: %s", strerror(-r));
	diag_hint(&diag, "Set TMPDIR to a directory that you may write to.");
	return command_fail(inv, r, &diag);
}

static int check_numbers(const struct invocation *inv, const struct opts *o)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (o->runs >= 1 && o->runs <= RUNS_MAX && o->snippet_lines <= RUNS_MAX)
		return EXIT_OK;
	diag_set(&diag, -ERANGE, "a test runs 1 to %d times, and shows up to %d lines", RUNS_MAX,
		 RUNS_MAX);
	return command_usage(inv, &diag);
}

static int test_run_or_list(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(selftest_plan_done) struct selftest_plan p = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	bool list = o->list || (inv->argc && !strcmp(inv->argv[0], "list"));
	char **words = inv->argv + (inv->argc && !strcmp(inv->argv[0], "list"));
	int r;

	selftest_plan_add(&p, all_checks);
	test_add_scripts(inv, &p);
	r = selftest_select(&p, words, &diag);
	if (r >= 0 && o->skip)
		r = selftest_pass_over(&p, o->skip, &diag);
	if (r < 0)
		return command_fail(inv, r, &diag);
	if (!list && check_scratch(inv) != EXIT_OK)
		return EXIT_FAILED;
	if (!list)
		return run_tests(inv, &p);
	selftest_list_print(&p, o->verbose > 0, inv->out);
	return EXIT_OK;
}

static int test_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;

	if (o->list_workloads)
		return test_workload_list(inv);
	if (o->workload)
		return test_workload_run(inv, o->workload, o->record_ctl);
	if (o->record_ctl)
		return command_failf(inv, "--record-ctl is for a workload (-w)");
	if (check_numbers(inv, o) != EXIT_OK)
		return EXIT_USAGE;
	return test_run_or_list(inv);
}

static const char *const usage[] = { "[<options>] [{list <test-name-fragment>|"
				     "[<test-name-fragments>|<test-numbers>]}]",
				     "-w <name> [<number>...]", "--list-workloads", NULL };

const struct command cmd_test = {
	.name = "test",
	.summary = "verify that perf works on this machine",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.run = test_run,
};
