/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "tools/kwork/event-model.h"
#include "tracepoint/format.h"

#define HEAD "name: any\nID: 1\nformat:\n"
#define TAIL "\nprint fmt: \"\"\n"

static const char irq_format[] = HEAD "\tfield:int irq;\toffset:0;\tsize:4;\tsigned:1;\n"
				      "\tfield:char name[8];\toffset:8;\tsize:8;\tsigned:0;\n" TAIL;
static const char work_format[] = HEAD
	"\tfield:void * work;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield:void * function;\toffset:8;\tsize:8;\tsigned:0;\n" TAIL;

/* Valid names, one without a number, one too large, one without a text, one without an end. */
static const char softirq_format[] = HEAD
	"\tfield:unsigned int vec;\toffset:0;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"%s\", __print_symbolic(REC->vec, { 0, \"HI\" }, { 1, \"TIMER\" }, "
	"{ x, \"NO\" }, { 77, \"FAR\" }, { 3, 4 }, { 5, \"OPEN })\n";

/* A session whose first event is a tracepoint of the test's choice. */
struct example {
	struct recording recording;
	struct session *session;
	struct tracepoint_format *format;
	struct kwork_events events;
	uint64_t raw[2];
	struct sample sample;
	struct session_sample s;
};

static void begin(struct example *e, const char *system, const char *tracepoint, const char *format)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session_event *event;

	*e = (struct example){ .recording = recording_new() };
	assert_int_equal(tracepoint_format_parse(format, &e->format, &diag), 0);
	e->session = opened(&e->recording, false);
	event = (struct session_event *)session_event(e->session, 0);
	event->system = system;
	event->tracepoint = tracepoint;
	event->format = e->format;
	kwork_events_bind(&e->events, e->session);
	e->sample = (struct sample){ .cpu = 7,
				     .raw = (const uint8_t *)e->raw,
				     .raw_size = sizeof(e->raw) };
	e->s = (struct session_sample){ .event = event, .sample = &e->sample, .time = 1000 };
}

static void end(struct example *e)
{
	kwork_events_done(&e->events);
	session_free(e->session);
	tracepoint_format_free(e->format);
	recording_done(&e->recording);
}

static void an_interrupt_has_a_number_and_a_name(void **state)
{
	_cleanup_(end) struct example e;
	struct kwork_event event;
	enum kwork_class class;

	(void)state;
	begin(&e, "irq", "irq_handler_entry", irq_format);
	e.raw[0] = (uint32_t)-5;
	memcpy(&e.raw[1], "eth0", 5);
	assert_int_equal(kwork_event_role(&e.events, e.s.event, &class), KWORK_BEGIN);
	assert_int_equal(class, KWORK_IRQ);
	assert_true(kwork_event_read(&e.events, &e.s, &event));
	assert_int_equal(event.role, KWORK_BEGIN);
	assert_int_equal(event.cpu, 7);
	assert_int_equal(event.time, 1000);
	assert_int_equal(event.id, (uint64_t)-5);
	assert_int_equal(event.name_length, 4);
	assert_memory_equal(event.name, "eth0", 4);
}

static void softirqs_are_named_by_the_print_format(void **state)
{
	static const struct {
		uint32_t vec;
		const char *name;
	} cases[] = { { 0, "HI" }, { 1, "TIMER" }, { 3, NULL }, { 5, NULL }, { 77, NULL } };
	_cleanup_(end) struct example e;
	struct kwork_event event;

	(void)state;
	begin(&e, "irq", "softirq_raise", softirq_format);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		e.raw[0] = cases[i].vec;
		assert_true(kwork_event_read(&e.events, &e.s, &event));
		assert_int_equal(event.role, KWORK_RAISE);
		assert_int_equal(event.id, cases[i].vec);
		if (!cases[i].name) {
			assert_null(event.name);
			continue;
		}
		assert_int_equal(event.name_length, strlen(cases[i].name));
		assert_memory_equal(event.name, cases[i].name, event.name_length);
	}
}

static void a_work_item_has_an_address_and_a_function(void **state)
{
	_cleanup_(end) struct example e;
	struct kwork_event event;

	(void)state;
	begin(&e, "workqueue", "workqueue_execute_end", work_format);
	e.raw[0] = 0xffff000011112222;
	e.raw[1] = 0xffff800080001234;
	assert_true(kwork_event_read(&e.events, &e.s, &event));
	assert_int_equal(event.class, KWORK_WORKQUEUE);
	assert_int_equal(event.role, KWORK_END);
	assert_int_equal(event.id, 0xffff000011112222);
	assert_int_equal(event.function, 0xffff800080001234);
	assert_null(event.name);
}

static void a_short_record_is_no_event(void **state)
{
	_cleanup_(end) struct example e;
	struct kwork_event event;

	(void)state;
	begin(&e, "workqueue", "workqueue_execute_start", work_format);
	e.sample.raw_size = 7;
	assert_false(kwork_event_read(&e.events, &e.s, &event));
	e.sample.raw_size = 8;
	assert_true(kwork_event_read(&e.events, &e.s, &event));
	assert_int_equal(event.function, 0);
}

static void other_tracepoints_are_passed_over(void **state)
{
	_cleanup_(end) struct example e;
	struct kwork_event event;
	enum kwork_class class;

	(void)state;
	begin(&e, "sched", "irq_handler_entry", irq_format);
	assert_int_equal(kwork_event_role(&e.events, e.s.event, &class), KWORK_NONE);
	assert_false(kwork_event_read(&e.events, &e.s, &event));
}

static void an_event_without_the_field_tells_nothing(void **state)
{
	_cleanup_(end) struct example e;
	struct kwork_event event;

	(void)state;
	begin(&e, "irq", "softirq_exit", irq_format);
	assert_false(kwork_event_read(&e.events, &e.s, &event));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interrupt_has_a_number_and_a_name),
		cmocka_unit_test(softirqs_are_named_by_the_print_format),
		cmocka_unit_test(a_work_item_has_an_address_and_a_function),
		cmocka_unit_test(a_short_record_is_no_event),
		cmocka_unit_test(other_tracepoints_are_passed_over),
		cmocka_unit_test(an_event_without_the_field_tells_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
