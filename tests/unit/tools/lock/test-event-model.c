/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "tools/lock/event-model.h"
#include "tracepoint/format.h"

#define HEAD "name: any\nID: 1\nformat:\n"
#define TAIL "\nprint fmt: \"\"\n"

static const char begin_format[] = HEAD
	"\tfield:void * lock_addr;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned int flags;\toffset:8;\tsize:4;\tsigned:0;\n" TAIL;
static const char acquire_format[] = HEAD
	"\tfield:void * lockdep_addr;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned int flags;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n" TAIL;

struct example {
	struct recording recording;
	struct session *session;
	struct tracepoint_format *format;
	struct lock_events events;
	struct {
		uint64_t addr;
		uint32_t flags, name;
		char text[8];
	} raw;
	struct sample sample;
	struct session_sample s;
};

static void begin(struct example *e, const char *system, const char *tracepoint, const char *format)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session_event *event;

	*e = (struct example){ .recording = recording_new(),
			       .raw = { .addr = 0xffff000000001000,
					.flags = 2,
					.name = 6 << 16 | 16,
					.text = "class" } };
	assert_int_equal(tracepoint_format_parse(format, &e->format, &diag), 0);
	e->session = opened(&e->recording, false);
	event = (struct session_event *)session_event(e->session, 0);
	event->system = system;
	event->tracepoint = tracepoint;
	event->format = e->format;
	lock_events_bind(&e->events, e->session);
	e->sample = (struct sample){
		.pid = 8, .tid = 9, .raw = (const uint8_t *)&e->raw, .raw_size = sizeof(e->raw)
	};
	e->s = (struct session_sample){ .event = event, .sample = &e->sample, .time = 1000 };
}

static void end(struct example *e)
{
	lock_events_done(&e->events);
	session_free(e->session);
	tracepoint_format_free(e->format);
	recording_done(&e->recording);
}

static void a_begin_tells_the_lock_and_its_type(void **state)
{
	_cleanup_(end) struct example e;
	struct lock_event event;

	(void)state;
	begin(&e, "lock", "contention_begin", begin_format);
	assert_true(e.events.has[LOCK_BEGIN]);
	assert_true(lock_event_read(&e.events, &e.s, &event));
	assert_int_equal(event.kind, LOCK_BEGIN);
	assert_int_equal(event.time, 1000);
	assert_int_equal(event.pid, 8);
	assert_int_equal(event.tid, 9);
	assert_int_equal(event.addr, 0xffff000000001000);
	assert_int_equal(event.flags, 2);
	assert_null(event.name);
}

static void lockdep_tells_the_class(void **state)
{
	_cleanup_(end) struct example e;
	struct lock_event event;

	(void)state;
	begin(&e, "lock", "lock_acquire", acquire_format);
	assert_true(lock_event_read(&e.events, &e.s, &event));
	assert_int_equal(event.kind, LOCK_ACQUIRE);
	assert_int_equal(event.name_length, 5);
	assert_memory_equal(event.name, "class", 5);
	e.raw.name = 0xffffu << 16 | 18; /* more than there is */
	assert_true(lock_event_read(&e.events, &e.s, &event));
	assert_int_equal(event.name_length, 3);
}

static void a_short_record_is_none(void **state)
{
	_cleanup_(end) struct example e;
	struct lock_event event;

	(void)state;
	begin(&e, "lock", "contention_end", begin_format);
	e.sample.raw_size = 7;
	assert_false(lock_event_read(&e.events, &e.s, &event));
}

static void a_format_without_the_address_gives_nothing(void **state)
{
	_cleanup_(end) struct example e;
	struct lock_event event;

	(void)state;
	begin(&e, "lock", "lock_release", begin_format);
	assert_false(lock_event_read(&e.events, &e.s, &event));
}

static void others_are_none(void **state)
{
	_cleanup_(end) struct example e;
	struct lock_event event;

	(void)state;
	begin(&e, "block", "contention_begin", begin_format);
	assert_int_equal(lock_event_kind(&e.events, e.s.event), LOCK_NONE);
	assert_false(lock_event_read(&e.events, &e.s, &event));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_begin_tells_the_lock_and_its_type),
		cmocka_unit_test(lockdep_tells_the_class),
		cmocka_unit_test(a_short_record_is_none),
		cmocka_unit_test(a_format_without_the_address_gives_nothing),
		cmocka_unit_test(others_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
