/* SPDX-License-Identifier: MIT */
#include "tools/query/record-rows-work.h"

#include <errno.h>

#include "made-recording.h"

static struct made_recording two_events(void)
{
	struct made_recording m = made_recording(false);
	struct attr *attr = made_event(&m, PERF_TYPE_SOFTWARE, 0, MADE_STACKS);

	attr->freq = 1;
	attr->sample_period = 4000;
	made_tracepoint(&m, "sched", 314, made_switch_format, MADE_TRACED);
	m.events[1].attr.sample_period = 77;
	return m;
}

/* Asserts that table @name of @m has these rows. Releases @m. */
static void assert_records(struct made_recording *m, const char *name, const char *expected)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session *s = made_session(m);
	struct sample_table *t = NULL;
	struct query_tables c;

	query_tables_make(&c, s);
	assert_int_equal(record_rows(query_tables_find(&c, name), s, &t, &diag), 0);
	assert_int_equal(t->n_columns, query_tables_find(&c, name)->n_columns);
	assert_rows(t, expected);
	query_tables_done(&c);
	session_free(s);
	made_recording_done(m);
}

static void moment(struct made_recording *m, struct record r, uint64_t time, uint32_t cpu)
{
	r.id.cpu = cpu;
	made_record(m, r, time);
}

static void events_are_rows_with_a_period_or_a_frequency(void **state)
{
	struct made_recording m = two_events();
	struct session *s = made_session(&m);
	_cleanup_(text_done) struct text expected = TEXT_EMPTY;
	struct query_tables c;

	(void)state;
	text_addf(&expected, "0|'cpu-clock'|-|-|1|0|%llu|-|4000|0|''\n",
		  (unsigned long long)MADE_STACKS);
	text_addf(&expected, "1|'sched:sched_switch'|'sched'|'sched_switch'|2|314|%llu|77|-|1|''\n",
		  (unsigned long long)MADE_TRACED);
	query_tables_make(&c, s);
	assert_rows(event_rows(query_tables_find(&c, "events"), s), expected.chars);
	query_tables_done(&c);
	session_free(s);
	made_recording_done(&m);
}

static void comms_have_their_moment_and_whether_it_was_an_exec(void **state)
{
	struct made_recording m = two_events();
	struct record r = { .header.type = PERF_RECORD_COMM,
			    .comm = { .pid = 10, .tid = 11, .comm = "late" } };

	(void)state;
	moment(&m, r, 50, 3);
	r.comm.comm = "first";
	r.header.misc = PERF_RECORD_MISC_COMM_EXEC;
	r.comm.pid = UINT32_MAX;
	moment(&m, r, 40, 0);
	/* A comm without a time and without a CPU, and a record that is not a comm. */
	r = (struct record){ .header.type = PERF_RECORD_COMM,
			     .comm = { .pid = 1, .tid = 2, .comm = "" } };
	moment(&m, r, 0, UINT32_MAX);
	made_map(&m, 10, 0x1000, "/bin/app", 45);
	assert_records(&m, "comms",
		       "-|-|1|2|''|0\n"
		       "40|0|-1|11|'first'|1\n"
		       "50|3|10|11|'late'|0\n");
}

static void maps_have_a_build_id_or_a_device(void **state)
{
	struct made_recording m = two_events();
	struct record r = { .header.type = PERF_RECORD_MMAP2,
			    .mmap = { .pid = 10,
				      .tid = 11,
				      .addr = 0x1000,
				      .len = 0x2000,
				      .pgoff = 0x3000,
				      .filename = "/bin/a",
				      .maj = 8,
				      .min = 9,
				      .ino = 77,
				      .prot = 5,
				      .flags = 2 } };

	(void)state;
	m.events[0].attr.build_id = 1;
	m.events[1].attr.build_id = 1;
	moment(&m, r, 10, 1);
	r.header.misc = PERF_RECORD_MISC_MMAP_BUILD_ID;
	r.mmap.build_id = (struct build_id){ .bytes = { 0x0a, 0xff, 3 }, .size = 3 };
	moment(&m, r, 20, 1);
	r.header = (struct record_header){ .type = PERF_RECORD_MMAP };
	moment(&m, r, 30, 1);
	made_comm(&m, 1, 1, "x", 15);
	assert_records(&m, "mmaps",
		       "10|1|10|11|4096|8192|12288|5|2|'/bin/a'|-|8|9|77\n"
		       "20|1|10|11|4096|8192|12288|5|2|'/bin/a'|'0aff03'|-|-|-\n"
		       "30|1|10|11|4096|8192|12288|-|-|'/bin/a'|-|-|-|-\n");
}

static void task_moves(struct made_recording *m, uint32_t type, uint32_t pid, uint32_t tid,
		       uint32_t ppid, uint32_t ptid, uint64_t time)
{
	moment(m,
	       (struct record){ .header.type = type,
				.task = { .pid = pid, .ppid = ppid, .tid = tid, .ptid = ptid } },
	       time, 2);
}

static struct made_recording forking(void)
{
	struct made_recording m = two_events();

	made_comm(&m, 10, 10, "sh", 5);
	task_moves(&m, PERF_RECORD_FORK, 20, 21, 10, 10, 10);
	made_comm(&m, 20, 21, "ls", 15);
	task_moves(&m, PERF_RECORD_EXIT, 20, 21, 10, 10, 20);
	/* The number is used again, by a child of an unknown process. */
	task_moves(&m, PERF_RECORD_FORK, 40, 21, 30, 31, 30);
	/* Two forks without an end between them are two tasks. */
	task_moves(&m, PERF_RECORD_FORK, 40, 21, 10, 10, 40);
	/* The end of a task that never began. */
	task_moves(&m, PERF_RECORD_EXIT, 50, 51, 1, 1, 50);
	return m;
}

static void forks_and_exits_are_tables_of_their_own(void **state)
{
	struct made_recording m = forking();

	(void)state;
	assert_records(&m, "forks", "10|2|20|21|10|10\n30|2|40|21|30|31\n40|2|40|21|10|10\n");
	m = forking();
	assert_records(&m, "exits", "20|2|20|21|10|10\n50|2|50|51|1|1\n");
}

static void a_task_lives_from_its_fork_to_its_exit(void **state)
{
	struct made_recording m = forking();

	(void)state;
	assert_records(&m, "tasks",
		       "10|10|-|-|'sh'|-|-\n"
		       "21|20|10|10|'ls'|10|20\n"
		       "31|30|-|-|-|-|-\n"
		       "21|40|31|30|-|30|-\n"
		       "21|40|10|10|'sh'|40|-\n"
		       "51|50|-|-|-|-|50\n");
}

static void moments_that_are_not_known_are_no_times_of_tasks(void **state)
{
	struct made_recording m = two_events();

	(void)state;
	task_moves(&m, PERF_RECORD_FORK, 20, 20, 10, 10, 0);
	task_moves(&m, PERF_RECORD_EXIT, 20, 20, 10, 10, 0);
	assert_records(&m, "tasks", "10|10|-|-|-|-|-\n20|20|10|10|-|-|-\n");
}

static void lost_records_name_their_event(void **state)
{
	struct made_recording m = two_events();

	(void)state;
	moment(&m,
	       (struct record){ .header.type = PERF_RECORD_LOST, .lost = { .id = 2, .lost = 7 } },
	       10, 1);
	moment(&m,
	       (struct record){ .header.type = PERF_RECORD_LOST, .lost = { .id = 99, .lost = 8 } },
	       20, 1);
	moment(&m,
	       (struct record){ .header.type = PERF_RECORD_LOST_SAMPLES,
				.id = { .id = 1 },
				.lost = { .lost = 9 } },
	       30, 1);
	made_comm(&m, 1, 1, "x", 15);
	assert_records(&m, "lost",
		       "10|1|'sched:sched_switch'|7|'records'\n"
		       "20|1|-|8|'records'\n"
		       "30|1|'cpu-clock'|9|'samples'\n");
}

static void switches_tell_the_way_and_the_other_task(void **state)
{
	struct made_recording m = two_events();
	struct record r = { .header.type = PERF_RECORD_SWITCH,
			    .id = { .pid = 10, .tid = 11 },
			    .context_switch = { .next_prev_pid = 20, .next_prev_tid = 21 } };

	(void)state;
	moment(&m, r, 10, 1);
	r.header.misc = PERF_RECORD_MISC_SWITCH_OUT;
	moment(&m, r, 20, 1);
	r.header.type = PERF_RECORD_SWITCH_CPU_WIDE;
	r.header.misc = PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	moment(&m, r, 30, 1);
	assert_records(&m, "switches",
		       "10|1|10|11|0|0|-|-\n"
		       "20|1|10|11|1|0|-|-\n"
		       "30|1|10|11|1|1|20|21\n");
}

static void throttles_begin_and_end(void **state)
{
	struct made_recording m = two_events();
	struct record r = { .header.type = PERF_RECORD_THROTTLE,
			    .id = { .id = 1 },
			    .throttle = { .id = 2 } };

	(void)state;
	moment(&m, r, 10, 1);
	r.header.type = PERF_RECORD_UNTHROTTLE;
	moment(&m, r, 20, 1);
	r.throttle.id = 0;
	moment(&m, r, 30, 1);
	assert_records(&m, "throttles",
		       "10|1|'sched:sched_switch'|'throttle'\n"
		       "20|1|'sched:sched_switch'|'unthrottle'\n"
		       "30|1|'cpu-clock'|'unthrottle'\n");
}

static void records_that_are_malformed_make_no_row(void **state)
{
	struct made_recording m = two_events();
	const uint8_t stump[] = { PERF_RECORD_COMM, 0, 0, 0, 0, 0, 56, 0 };

	(void)state;
	made_comm(&m, 1, 1, "x", 15);
	/* The name has no NUL behind it. */
	bytes_add(&m.records, stump, sizeof(stump));
	bytes_u64(&m.records, 1);
	for (unsigned i = 0; i < 5; i++)
		bytes_u64(&m.records, i == 4 ? 1 : UINT64_MAX);
	assert_records(&m, "comms", "15|0|1|1|'x'|0\n");
}

static void nothing_makes_no_rows(void **state)
{
	struct made_recording m = two_events();

	(void)state;
	assert_records(&m, "tasks", "");
}

static void what_cannot_be_read_is_an_error_and_no_table(void **state)
{
	struct made_recording m = two_events();
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct sample_table *t = NULL;
	struct session *s = NULL;
	struct query_tables c;
	char path[32];
	const atomic_bool stop = true;

	(void)state;
	made_comm(&m, 1, 1, "x", 15);
	made_write(&m);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", m.fd);
	assert_int_equal(
		session_open(&(struct session_options){ .path = path, .stop = &stop }, &s, &diag),
		0);
	query_tables_make(&c, s);
	assert_int_equal(record_rows(query_tables_find(&c, "comms"), s, &t, &diag), -ECANCELED);
	assert_null(t);
	query_tables_done(&c);
	session_free(s);
	made_recording_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_are_rows_with_a_period_or_a_frequency),
		cmocka_unit_test(comms_have_their_moment_and_whether_it_was_an_exec),
		cmocka_unit_test(maps_have_a_build_id_or_a_device),
		cmocka_unit_test(forks_and_exits_are_tables_of_their_own),
		cmocka_unit_test(a_task_lives_from_its_fork_to_its_exit),
		cmocka_unit_test(moments_that_are_not_known_are_no_times_of_tasks),
		cmocka_unit_test(lost_records_name_their_event),
		cmocka_unit_test(switches_tell_the_way_and_the_other_task),
		cmocka_unit_test(throttles_begin_and_end),
		cmocka_unit_test(records_that_are_malformed_make_no_row),
		cmocka_unit_test(nothing_makes_no_rows),
		cmocka_unit_test(what_cannot_be_read_is_an_error_and_no_table),
	};

	return cmocka_run_group_tests_name("query/record-rows", tests, NULL, NULL);
}
