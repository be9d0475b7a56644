/* SPDX-License-Identifier: MIT */
/* Alone: it starts itself. */
/*
 * The workload is this program itself: test-live spin N, or test-live fork N.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "measure/live.h"
#include "session/internal.h"
#include "session/machine.h"
#include "skip.h"
#include "symbol/symbolizer.h"
#include "words.h"

#define SPINS "300000000"
#define FORKS 20000

static volatile uint64_t counter;

__attribute__((noinline)) static void spin_here(uint64_t n)
{
	while (n--)
		counter++;
}

static void fork_often(uint64_t n)
{
	while (n--) {
		pid_t child = vfork();

		if (!child)
			_exit(0);
		waitpid(child, NULL, 0);
	}
}

/* The things that a consumer has seen. */
struct seen {
	struct session *session;
	uint64_t samples, named, exits;
	uint64_t last_time;
	uint64_t tasks, forgotten; /* that are known now; number of times that they became fewer */
	size_t batches, intervals, ends;
	size_t stop_after; /* samples; 0: never */
	bool out_of_order;
};

static int on_begin(void *arg, struct consumer *c)
{
	struct seen *seen = arg;

	seen->session = c->session;
	return 0;
}

static bool is_in_spin(const struct seen *seen, const struct session_sample *s)
{
	struct location at;

	return machine_resolve(seen->session, s->sample->pid, address_mode_of(s->sample->misc),
			       s->sample->ip, s->time, &at) &&
	       at.sym && !strcmp(at.sym->name, "spin_here");
}

static int on_samples(void *arg, const struct sample_batch *b)
{
	struct seen *seen = arg;

	for (size_t i = 0; i < b->n; i++) {
		const struct session_sample *s = &b->items[i];
		const char *comm = machine_comm(seen->session, s->sample->pid, s->sample->tid,
						s->time);

		seen->out_of_order |= s->time < seen->last_time;
		seen->last_time = s->time;
		seen->named += !strncmp(comm, program_invocation_short_name, 13) &&
			       is_in_spin(seen, s);
	}
	seen->samples += b->n;
	return seen->stop_after && seen->samples >= seen->stop_after;
}

static int on_records(void *arg, const struct record_batch *b)
{
	struct seen *seen = arg;
	uint64_t tasks = seen->session->machine.lineage.tasks.n;

	seen->exits += b->n;
	seen->batches++;
	seen->forgotten += tasks < seen->tasks;
	seen->tasks = tasks;
	return 0;
}

static int on_interval(void *arg)
{
	struct seen *seen = arg;

	seen->intervals++;
	return 0;
}

static int on_end(void *arg)
{
	struct seen *seen = arg;

	seen->ends++;
	return 0;
}

struct run {
	struct seen seen;
	struct record_result result;
};

static void run(struct live_request rq, char *kind, char *number, struct run *ret)
{
	_cleanup_(freep) char *self = realpath("/proc/self/exe", NULL);
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	char *const argv[] = { self, kind, number, NULL };
	int r;

	rq.what.argv = argv;
	rq.consumer.begin = on_begin;
	rq.consumer.arg = &ret->seen;
	rq.on_interval = on_interval;
	rq.on_end = on_end;
	r = live_run(&rq, &notes, &ret->result, &diag);
	if (r == -EACCES || r == -EPERM || r == -ENOSYS)
		skip_because("events cannot be opened here");
	if (r < 0)
		fail_msg("%s", diag.message);
}

static const struct record_request clock_samples = {
	.events = WORDS(E("cpu-clock:u")),
	.sampling.rate = { SAMPLING_FREQ, 1000 },
};

static void samples_have_names_while_it_runs(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *names =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	struct run r = { 0 };

	(void)state;
	run((struct live_request){ .what = clock_samples,
				   .consumer = { .samples = on_samples },
				   .symbolizer = names,
				   .interval_ms = 10 },
	    "spin", SPINS, &r);
	assert_true(r.result.reaped);
	assert_int_equal(WEXITSTATUS(r.result.wait_status), 0);
	assert_int_equal(r.result.end, LOOP_END_WORKLOAD);
	assert_true(r.seen.samples > 20);
	assert_true(r.seen.named > r.seen.samples / 2);
	assert_false(r.seen.out_of_order);
	assert_true(r.seen.intervals > 0);
	assert_int_equal(r.seen.ends, 1);
}

static void a_consumer_may_stop(void **state)
{
	struct run r = { .seen.stop_after = 10 };

	(void)state;
	run((struct live_request){ .what = clock_samples, .consumer = { .samples = on_samples } },
	    "spin", "100000000000", &r);
	assert_int_equal(r.result.end, LOOP_END_STOPPED);
	assert_in_range(r.seen.samples, 10, 1000);
}

/* Every record wakes the reader, so that there are as many passes as processes. */
static void processes_that_ended_are_forgotten(void **state)
{
	_cleanup_(freep) char *forks = xasprintf("%u", FORKS);
	struct live_request rq = {
		.what = clock_samples,
		.consumer = { .types = RECORD_TYPE_BIT(PERF_RECORD_EXIT), .records = on_records },
	};
	struct run r = { 0 };

	(void)state;
	rq.what.buffer.no_buffering = true;
	run(rq, "fork", forks, &r);
	assert_true(r.seen.exits >= FORKS);
	assert_true(r.seen.batches > 1000);
	assert_true(r.seen.forgotten > 0);
	assert_true(r.seen.tasks < FORKS);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_have_names_while_it_runs),
		cmocka_unit_test(a_consumer_may_stop),
		cmocka_unit_test(processes_that_ended_are_forgotten),
	};

	if (argc > 2) {
		uint64_t n = strtoull(argv[2], NULL, 10);

		!strcmp(argv[1], "spin") ? spin_here(n) : fork_often(n);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
