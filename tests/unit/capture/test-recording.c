/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "capture/control.h"
#include "capture/opened-events.h"
#include "capture/record-file.h"
#include "capture/record-rings.h"
#include "capture/recording.h"
#include "capture/rotation.h"
#include "capture/signals.h"
#include "capture/workload.h"
#include "datafile/features.h"
#include "events.h"
#include "skip.h"

/* A recording of the page faults of a command in user mode, which every user may make. */
struct fixture {
	char dir[32];
	char *path;
	struct event_list l;
	struct signals signals;
	struct workload workload;
	struct opened_events events;
	struct record_rings rings;
	struct record_drain drain;
	struct file_event file_event;
	struct features early;
	struct record_file file;
	struct rotation rotation;
	struct notes notes;
	struct recording recording;
	struct diag diag;
	unsigned enabled, disabled, dumped;
	char said[128];
};

static void on_note(void *arg, const struct note *note)
{
	struct fixture *f = arg;
	const char *text = note->what.message;

	f->enabled += !strcmp(text, "Events enabled");
	f->disabled += !strcmp(text, "Events disabled");
	f->dumped += strstr(text, "Dump ") != NULL;
	snprintf(f->said, sizeof(f->said), "%s", text);
}

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	strcpy(f->dir, "/tmp/recording-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	f->path = xasprintf("%s/p.data", f->dir);
	f->signals = (struct signals)SIGNALS_NONE;
	f->workload = (struct workload)WORKLOAD_NONE;
	f->drain = (struct record_drain)RECORD_DRAIN_NONE;
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	_cleanup_(freep) char *remove = xasprintf("rm -rf %s", f->dir);

	workload_done(&f->workload);
	writer_free(f->recording.writer);
	record_drain_done(&f->drain);
	record_rings_unmap(&f->rings);
	opened_events_close(&f->events);
	rotation_done(&f->rotation);
	signals_close(&f->signals);
	event_list_done(&f->l);
	diag_done(&f->diag);
	assert_int_equal(system(remove), 0);
	free(f->path);
	free(f);
	return 0;
}

static void open_events(struct fixture *f)
{
	struct event *e = add_faults(&f->l);
	struct target_task child = { .tid = f->workload.pid };
	const struct task_list tasks = { &child, 1, 0 };
	const struct cpu_list cpus = { 0 };
	const struct open_request rq = { .events = &f->l,
					 .tasks = &tasks,
					 .cpus = &cpus,
					 .any_cpu = true,
					 .use = EVENT_USE_SAMPLING };

	e->attr.exclude_kernel = e->attr.exclude_hv = 1;
	e->attr.disabled = e->attr.enable_on_exec = 1;
	e->attr.sample_period = 1;
	e->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	e->attr.read_format = PERF_FORMAT_ID;

	int r = opened_events_open(&rq, &f->events, &f->diag);

	if (r == -EACCES || r == -EPERM || r == -ENOSYS)
		skip_because("events cannot be opened here");
	assert_int_equal(r, 0);
}

/* Prepares everything to record @argv. */
static void prepare(struct fixture *f, char **argv)
{
	assert_int_equal(signals_open_for_recording(&f->signals), 0);
	assert_int_equal(workload_fork(argv, &f->signals, &f->workload), 0);
	open_events(f);
	assert_int_equal(record_rings_map(&f->events, 65536, &f->rings, &f->diag), 0);
	*ARRAY_ADD(&f->drain) = &f->rings.items[0];
	f->drain.rounds = true;
	f->drain.least_bytes = 1;
	f->file_event.attr = f->l.items[0]->attr;
	f->file_event.ids = f->events.items[0].ids;
	f->file_event.n_ids = 1;
	f->file = (struct record_file){
		.path = f->path, .events = &f->file_event, .n_events = 1, .early = &f->early
	};
	f->notes = (struct notes){ .listener = on_note, .arg = f };
	f->recording = (struct recording){
		.loop = {
			.events = &f->events,
			.workload = &f->workload,
			.signals = &f->signals,
			.notes = &f->notes,
		},
		.drains = &f->drain,
		.n_drains = 1,
		.file = &f->file,
	};
}

static void a_recording_lasts_as_long_as_the_command(void **state)
{
	struct fixture *f = *state;

	prepare(f, (char *[]){ "sh", "-c", "exit 3", NULL });
	assert_int_equal(recording_run(&f->recording, &f->diag), 0);
	assert_int_equal(f->recording.loop.end, LOOP_END_WORKLOAD);
	assert_int_equal(WEXITSTATUS(f->recording.loop.wait_status), 3);
	assert_true(recording_tally(&f->recording).samples > 0);
	assert_true(f->recording.data_bytes > 0);
}

static void a_command_that_cannot_be_run_is_an_error(void **state)
{
	struct fixture *f = *state;

	prepare(f, (char *[]){ "/nonexistent", NULL });
	assert_int_equal(recording_run(&f->recording, &f->diag), -ENOENT);
	assert_non_null(f->diag.message);
	assert_int_equal(f->recording.data_bytes, 0);
}

static void a_signal_ends_the_recording_and_the_command(void **state)
{
	struct fixture *f = *state;

	prepare(f, (char *[]){ "sleep", "60", NULL });
	kill(getpid(), SIGTERM); /* held back until the loop takes it */
	assert_int_equal(recording_run(&f->recording, &f->diag), 0);
	assert_int_equal(f->recording.loop.end, LOOP_END_SIGNAL);
	assert_int_equal(f->recording.loop.signal, SIGTERM);
	assert_true(f->recording.loop.reaped);
	assert_int_equal(WTERMSIG(f->recording.loop.wait_status), SIGTERM);
}

static void control_steers_it(void **state)
{
	struct fixture *f = *state;
	static const char commands[] = "disable\nenable\nenable nothing\nnonsense\nstop\n";
	int ends[2];

	prepare(f, (char *[]){ "sleep", "60", NULL });
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(write(ends[1], commands, sizeof(commands) - 1), sizeof(commands) - 1);
	assert_int_equal(control_open_fds(ends[0], -1, &f->recording.loop.control, &f->diag), 0);
	assert_int_equal(recording_run(&f->recording, &f->diag), 0);
	assert_int_equal(f->recording.loop.end, LOOP_END_STOPPED);
	assert_int_equal(f->enabled, 1);
	assert_int_equal(f->disabled, 1);
	assert_non_null(strstr(f->said, "'nonsense' is not a command"));
	control_free(f->recording.loop.control);
	close(ends[0]);
	close(ends[1]);
}

static void events_take_turns_and_the_last_ends_it(void **state)
{
	struct fixture *f = *state;

	prepare(f, (char *[]){ "sleep", "60", NULL });
	f->recording.loop.held_back = true;
	f->recording.loop.turns_ms = (const uint64_t[]){ 1, 2, 3, 4 };
	f->recording.loop.n_turns = 4;
	assert_int_equal(recording_run(&f->recording, &f->diag), 0);
	assert_int_equal(f->recording.loop.end, LOOP_END_STOPPED);
	assert_int_equal(f->enabled, 2);
	assert_int_equal(f->disabled, 3); /* the first because events do not start on their own */
}

static void a_limit_of_size_ends_it(void **state)
{
	struct fixture *f = *state;

	prepare(f, (char *[]){ "sh", "-c", "while :; do true & wait; done", NULL });
	f->drain.eager = true;
	f->recording.max_bytes = 1;
	assert_int_equal(recording_run(&f->recording, &f->diag), 0);
	assert_int_equal(f->recording.loop.end, LOOP_END_SIZE);
}

static void files_follow_each_other(void **state)
{
	struct fixture *f = *state;

	prepare(f, (char *[]){ "sleep", "60", NULL });
	f->recording.rotation = &f->rotation;
	f->recording.by_signal = true;
	kill(getpid(), SIGUSR2);
	f->recording.loop.turns_ms = (const uint64_t[]){ 20, 40 };
	f->recording.loop.n_turns = 2;
	assert_int_equal(recording_run(&f->recording, &f->diag), 0);
	assert_int_equal(f->dumped, 2); /* by the signal, and at the end */
	assert_int_equal(f->rotation.n, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_recording_lasts_as_long_as_the_command),
		TEST(a_command_that_cannot_be_run_is_an_error),
		TEST(a_signal_ends_the_recording_and_the_command),
		TEST(control_steers_it),
		TEST(events_take_turns_and_the_last_ends_it),
		TEST(a_limit_of_size_ends_it),
		TEST(files_follow_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
