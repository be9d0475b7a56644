/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include "session/sched-event.h"
#include "tracepoint/format.h"

/* The record of all events here: the task that it is about, another task, and numbers. */
struct example_raw {
	uint32_t pid, other_pid;
	char comm[16], other_comm[16];
	int32_t prio, other_prio;
	uint64_t state;
	uint32_t from, to;
	uint64_t ns;
};

#define TASK(pid, comm, prio)                                                                      \
	"\tfield:pid_t " pid ";\toffset:0;\tsize:4;\tsigned:1;\n"                                  \
	"\tfield:char " comm "[16];\toffset:8;\tsize:16;\tsigned:0;\n"                             \
	"\tfield:int " prio ";\toffset:40;\tsize:4;\tsigned:1;\n"
#define OTHER(pid, comm)                                                                           \
	"\tfield:pid_t " pid ";\toffset:4;\tsize:4;\tsigned:1;\n"                                  \
	"\tfield:char " comm "[16];\toffset:24;\tsize:16;\tsigned:0;\n"
#define HEAD "name: any\nID: 1\nformat:\n"
#define TAIL "\nprint fmt: \"\"\n"

static const char switch_format[] = HEAD TASK("prev_pid", "prev_comm", "prev_prio") OTHER(
	"next_pid", "next_comm") "\tfield:int next_prio;\toffset:44;\tsize:4;\tsigned:1;\n"
				 "\tfield:long prev_state;\toffset:48;\tsize:8;\tsigned:1;\n" TAIL;
static const char wakeup_format[] = HEAD TASK(
	"pid", "comm", "prio") "\tfield:int target_cpu;\toffset:60;\tsize:4;\tsigned:1;\n" TAIL;
static const char migrate_format[] = HEAD TASK(
	"pid", "comm", "prio") "\tfield:int orig_cpu;\toffset:56;\tsize:4;\tsigned:1;\n"
			       "\tfield:int dest_cpu;\toffset:60;\tsize:4;\tsigned:1;\n" TAIL;
static const char runtime_format[] = HEAD TASK(
	"pid", "comm", "prio") "\tfield:u64 runtime;\toffset:64;\tsize:8;\tsigned:0;\n" TAIL;
static const char fork_format[] = HEAD TASK("child_pid", "child_comm", "none")
	OTHER("parent_pid", "parent_comm") TAIL;

/* A session whose first event is a tracepoint of the test's choice. */
struct example {
	struct recording recording;
	struct session *session;
	struct tracepoint_format *format;
	struct sched_events events;
	struct example_raw raw;
	struct sample sample;
	struct session_sample s;
};

static void begin(struct example *e, const char *tracepoint, const char *format)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session_event *event;

	*e = (struct example){ .recording = recording_new() };
	assert_int_equal(tracepoint_format_parse(format, &e->format, &diag), 0);
	e->session = opened(&e->recording, false);
	event = (struct session_event *)session_event(e->session, 0);
	event->system = "sched";
	event->tracepoint = tracepoint;
	event->format = e->format;
	sched_events_bind(&e->events, e->session, 0);
	e->raw = (struct example_raw){ .pid = 10,
				       .other_pid = 20,
				       .comm = "one",
				       .other_comm = "two",
				       .prio = -1,
				       .other_prio = 120,
				       .state = 1,
				       .from = 3,
				       .to = 4,
				       .ns = 5000 };
	e->sample = (struct sample){ .pid = 8,
				     .tid = 9,
				     .cpu = 7,
				     .raw = (const uint8_t *)&e->raw,
				     .raw_size = sizeof(e->raw) };
	e->s = (struct session_sample){ .event = event, .sample = &e->sample, .time = 1000 };
}

static void end(struct example *e)
{
	sched_events_done(&e->events);
	session_free(e->session);
	tracepoint_format_free(e->format);
	recording_done(&e->recording);
}

static struct sched_event read_event(struct example *e)
{
	struct sched_event event;

	assert_true(sched_event_read(&e->events, &e->s, &event));
	assert_int_equal(event.time, 1000);
	assert_int_equal(event.cpu, 7);
	assert_int_equal(event.current_pid, 8);
	assert_int_equal(event.current_tid, 9);
	assert_int_equal(event.tid, 10);
	assert_int_equal(sched_comm_length(event.comm), 3);
	assert_memory_equal(event.comm.chars, "one", 3);
	return event;
}

static void a_switch_tells_who_leaves_and_who_comes(void **state)
{
	_cleanup_(end) struct example e;
	struct sched_event event;

	(void)state;
	begin(&e, "sched_switch", switch_format);
	event = read_event(&e);
	assert_int_equal(event.kind, SCHED_SWITCH);
	assert_true(e.events.has[SCHED_SWITCH]);
	assert_false(e.events.has[SCHED_WAKEUP]);
	assert_int_equal(event.prio, -1);
	assert_int_equal(event.prev_state, 1);
	assert_int_equal(event.state, TASK_STATE_SLEEPING);
	assert_int_equal(event.next_tid, 20);
	assert_int_equal(event.next_prio, 120);
	assert_memory_equal(event.next_comm.chars, "two", sched_comm_length(event.next_comm));
}

static void wakeups_tell_where_the_task_will_run(void **state)
{
	static const struct {
		const char *name;
		enum sched_kind kind;
	} rows[] = { { "sched_waking", SCHED_WAKING },
		     { "sched_wakeup", SCHED_WAKEUP },
		     { "sched_wakeup_new", SCHED_WAKEUP_NEW } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		_cleanup_(end) struct example e;
		struct sched_event event;

		begin(&e, rows[i].name, wakeup_format);
		event = read_event(&e);
		assert_int_equal(event.kind, rows[i].kind);
		assert_int_equal(event.target_cpu, 4);
		assert_int_equal(event.from_cpu, 0);
	}
}

static void migrations_times_and_forks_tell_their_own(void **state)
{
	struct example e;
	struct sched_event event;

	(void)state;
	begin(&e, "sched_migrate_task", migrate_format);
	event = read_event(&e);
	assert_int_equal(event.kind, SCHED_MIGRATE);
	assert_int_equal(event.from_cpu, 3);
	assert_int_equal(event.target_cpu, 4);
	end(&e);
	begin(&e, "sched_stat_runtime", runtime_format);
	event = read_event(&e);
	assert_int_equal(event.kind, SCHED_RUNTIME);
	assert_int_equal(event.ns, 5000);
	end(&e);
	begin(&e, "sched_process_fork", fork_format);
	event = read_event(&e);
	assert_int_equal(event.kind, SCHED_FORK);
	assert_int_equal(event.parent_tid, 20);
	assert_memory_equal(event.parent_comm.chars, "two", sched_comm_length(event.parent_comm));
	end(&e);
}

static void other_events_and_other_systems_are_of_no_interest(void **state)
{
	_cleanup_(end) struct example e;
	struct session_event *event;
	struct sched_event ret;

	(void)state;
	begin(&e, "sched_process_hang", wakeup_format);
	assert_false(sched_event_read(&e.events, &e.s, &ret));
	assert_int_equal(sched_event_kind(&e.events, e.s.event), SCHED_NONE);
	event = (struct session_event *)e.s.event;
	event->tracepoint = "sched_wakeup";
	event->system = "other";
	sched_events_done(&e.events);
	sched_events_bind(&e.events, e.session, 0);
	assert_false(sched_event_read(&e.events, &e.s, &ret));
}

static void an_event_that_was_not_there_when_bound_is_refused(void **state)
{
	_cleanup_(end) struct example e;
	struct session_event later = { .index = 9 };
	struct sched_event ret;

	(void)state;
	begin(&e, "sched_wakeup", wakeup_format);
	e.s.event = &later;
	assert_false(sched_event_read(&e.events, &e.s, &ret));
	assert_int_equal(sched_event_kind(&e.events, &later), SCHED_NONE);
}

static void short_records_have_no_task_or_lack_what_is_behind_their_end(void **state)
{
	_cleanup_(end) struct example e;
	struct sched_event ret;

	(void)state;
	begin(&e, "sched_switch", switch_format);
	e.sample.raw_size = 3;
	assert_false(sched_event_read(&e.events, &e.s, &ret));
	e.sample.raw_size = 10;
	assert_true(sched_event_read(&e.events, &e.s, &ret));
	assert_int_equal(ret.tid, 10);
	assert_int_equal(sched_comm_length(ret.comm), 2);
	assert_int_equal(ret.next_tid, 20);
	assert_int_equal(sched_comm_length(ret.next_comm), 0);
	assert_int_equal(ret.prev_state, 0);
}

/* All 16 bytes are characters: the bytes behind them do not belong to the name. */
static void names_need_no_end(void **state)
{
	_cleanup_(end) struct example e;
	struct sched_event ret;

	(void)state;
	begin(&e, "sched_switch", switch_format);
	memset(e.raw.comm, 'x', sizeof(e.raw.comm));
	assert_true(sched_event_read(&e.events, &e.s, &ret));
	assert_int_equal(sched_comm_length(ret.comm), 16);
}

static void what_a_kind_does_not_have_and_what_nobody_needs_is_0(void **state)
{
	_cleanup_(end) struct example e;
	struct sched_event ret;

	(void)state;
	begin(&e, "sched_switch", switch_format);
	sched_events_done(&e.events);
	sched_events_bind(&e.events, e.session, SCHED_NAMES | SCHED_PRIOS | SCHED_WAKER);
	memset(&ret, 0xff, sizeof(ret));
	assert_true(sched_event_read(&e.events, &e.s, &ret));
	assert_int_equal(ret.tid, 10);
	assert_int_equal(ret.next_tid, 20);
	assert_int_equal(sched_comm_length(ret.comm), 0);
	assert_int_equal(sched_comm_length(ret.next_comm), 0);
	assert_int_equal(sched_comm_length(ret.parent_comm), 0);
	assert_int_equal(ret.prio, 0);
	assert_int_equal(ret.next_prio, 0);
	assert_int_equal(ret.machine_tid, 0);
	assert_false(ret.in_interrupt);
	assert_int_equal(ret.from_cpu, 0);
	assert_int_equal(ret.target_cpu, 0);
	assert_int_equal(ret.parent_tid, 0);
	assert_int_equal(ret.ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_switch_tells_who_leaves_and_who_comes),
		cmocka_unit_test(wakeups_tell_where_the_task_will_run),
		cmocka_unit_test(migrations_times_and_forks_tell_their_own),
		cmocka_unit_test(other_events_and_other_systems_are_of_no_interest),
		cmocka_unit_test(an_event_that_was_not_there_when_bound_is_refused),
		cmocka_unit_test(short_records_have_no_task_or_lack_what_is_behind_their_end),
		cmocka_unit_test(names_need_no_end),
		cmocka_unit_test(what_a_kind_does_not_have_and_what_nobody_needs_is_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
