/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>

#include "base/notes.h"
#include "profile/recorded.h"
#include "tools/sched/read-work.h"
#include "tracepoint/format.h"

static const char format_text[] = "name: any\nID: 1\nformat:\n"
				  "\tfield:pid_t prev_pid;\toffset:0;\tsize:4;\tsigned:1;\n"
				  "\tfield:pid_t pid;\toffset:0;\tsize:4;\tsigned:1;\n"
				  "\tfield:pid_t next_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
				  "\nprint fmt: \"\"\n";

/* The events that the reader delivered, as a text. */
struct told {
	char text[256];
	size_t n;
};

static void take(void *arg, const struct sched_event *e)
{
	struct told *t = arg;

	t->n += (size_t)snprintf(t->text + t->n, sizeof(t->text) - t->n, "%d:%u@%d ", (int)e->kind,
				 e->tid, (int)e->time);
}

static void take_record(void *arg, const struct record *r, uint64_t time)
{
	struct told *t = arg;

	t->n += (size_t)snprintf(t->text + t->n, sizeof(t->text) - t->n, "fork:%u@%d ", r->task.tid,
				 (int)time);
}

struct example {
	struct recording recording;
	struct recorded_request request; /* the recorded points into it */
	struct recorded recorded;
	struct tracepoint_format *format;
	struct notes notes;
	struct told told;
};

static void sample_of(struct example *e, uint64_t id, uint64_t time, uint32_t tid, uint32_t next)
{
	const uint32_t raw[] = { tid, next, 0 };
	const struct sample s = { .misc = PERF_RECORD_MISC_KERNEL,
				  .id = id,
				  .tid = 1,
				  .pid = 1,
				  .time = time,
				  .raw = (const uint8_t *)raw,
				  .raw_size = sizeof(raw) };

	assert_int_equal(sample_encode(&s, &e->recording.attr, &e->recording.records), 0);
}

static void begin(struct example *e)
{
	*e = (struct example){ .recording = recording_of(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
							 PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
							 PERF_SAMPLE_RAW) };
	sample_of(e, 1, 300, 30, 40);
	sample_of(e, 2, 100, 10, 0);
	forks(&e->recording, 1, 1, 30, 30, 200);
	sample_of(e, 1, 400, 40, 30);
}

/* Opens a recording whose event 1 is @first and whose event 2 is @second. */
static void open_with(struct example *e, const char *first, const char *second)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const char *names[] = { first, second };
	char path[32];

	stored(&e->recording, path);
	e->request.path = path;
	assert_int_equal(recorded_open(&e->request, &e->recorded, &diag), 0);
	e->request.path = NULL;
	assert_int_equal(tracepoint_format_parse(format_text, &e->format, &diag), 0);
	for (size_t i = 0; i < 2; i++) {
		struct session_event *event =
			(struct session_event *)session_event(e->recorded.session, i);

		event->system = "sched";
		event->tracepoint = names[i];
		event->format = e->format;
	}
}

static void end(struct example *e)
{
	recorded_done(&e->recorded);
	tracepoint_format_free(e->format);
	notes_done(&e->notes);
	recording_done(&e->recording);
}

static void events_and_forks_come_in_order_of_time(void **state)
{
	_cleanup_(end) struct example e;
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct sched_reader reader = {
		.kinds = SCHED_KIND_BIT(SCHED_SWITCH) | SCHED_KIND_BIT(SCHED_WAKING),
		.take = take,
		.types = RECORD_TYPE_BIT(PERF_RECORD_FORK),
		.record = take_record,
		.arg = &e.told,
	};
	char expected[128];

	(void)state;
	begin(&e);
	open_with(&e, "sched_switch", "sched_waking");
	assert_int_equal(sched_read(&e.recorded, &reader, &e.notes, &diag), 0);
	snprintf(expected, sizeof(expected), "%d:10@100 fork:30@200 %d:30@300 %d:40@400 ",
		 SCHED_WAKING, SCHED_SWITCH, SCHED_SWITCH);
	assert_string_equal(e.told.text, expected);
}

static void what_nobody_asked_for_does_not_come(void **state)
{
	_cleanup_(end) struct example e;
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct sched_reader reader = { .kinds = SCHED_KIND_BIT(SCHED_WAKING),
					     .take = take,
					     .arg = &e.told };
	char expected[32];

	(void)state;
	begin(&e);
	open_with(&e, "sched_switch", "sched_waking");
	assert_int_equal(sched_read(&e.recorded, &reader, &e.notes, &diag), 0);
	snprintf(expected, sizeof(expected), "%d:10@100 ", SCHED_WAKING);
	assert_string_equal(e.told.text, expected);
}

static void without_switches_it_says_how_to_record_them(void **state)
{
	_cleanup_(end) struct example e;
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct sched_reader reader = { .kinds = SCHED_KIND_BIT(SCHED_WAKING),
					     .take = take,
					     .arg = &e.told };

	(void)state;
	begin(&e);
	open_with(&e, "sched_wakeup", "sched_waking");
	assert_int_equal(sched_read(&e.recorded, &reader, &e.notes, &diag), -ENODATA);
	assert_non_null(strstr(diag.hint, "perf sched record"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_and_forks_come_in_order_of_time),
		cmocka_unit_test(what_nobody_asked_for_does_not_come),
		cmocka_unit_test(without_switches_it_says_how_to_record_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
