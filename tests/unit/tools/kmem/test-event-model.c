/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "tools/kmem/event-model.h"
#include "tracepoint/format.h"

#define HEAD       "name: any\nID: 1\nformat:\n"
#define TAIL       "\nprint fmt: \"\"\n"
#define U64(n, at) "\tfield:u64 " n ";\toffset:" at ";\tsize:8;\tsigned:0;\n"
#define S32(n, at) "\tfield:int " n ";\toffset:" at ";\tsize:4;\tsigned:1;\n"

static const char object_format[] = HEAD U64("call_site", "8") U64("ptr", "16")
	U64("bytes_req", "24") U64("bytes_alloc", "32") S32("node", "40") TAIL;
static const char page_format[] = HEAD U64("pfn", "8") S32("order", "16") U64("gfp_flags", "24")
	S32("migratetype", "32") TAIL;
static const char old_page_format[] = HEAD U64("page", "8") S32("order", "16") TAIL;

/* A session whose first event is a tracepoint of the test's choice. */
struct example {
	struct recording recording;
	struct session *session;
	struct tracepoint_format *format;
	struct kmem_events events;
	uint64_t raw[6];
	struct sample sample;
	struct session_sample s;
};

static void begin(struct example *e, const char *system, const char *tracepoint, const char *format)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session_event *event;

	*e = (struct example){ .recording = recording_new(), .raw = { 0, 1, 2, 3, 4, 5 } };
	assert_int_equal(tracepoint_format_parse(format, &e->format, &diag), 0);
	e->session = opened(&e->recording, false);
	event = (struct session_event *)session_event(e->session, 0);
	event->system = system;
	event->tracepoint = tracepoint;
	event->format = e->format;
	kmem_events_bind(&e->events, e->session);
	e->sample = (struct sample){ .cpu = 7,
				     .raw = (const uint8_t *)e->raw,
				     .raw_size = sizeof(e->raw) };
	e->s = (struct session_sample){ .event = event, .sample = &e->sample, .time = 1000 };
}

static void end(struct example *e)
{
	kmem_events_done(&e->events);
	session_free(e->session);
	tracepoint_format_free(e->format);
	recording_done(&e->recording);
}

static void an_allocation_is_read_by_the_names_of_its_fields(void **state)
{
	struct example e;
	struct kmem_event event;

	(void)state;
	begin(&e, "kmem", "kmalloc", object_format);
	assert_true(e.events.has[KMEM_ALLOC]);
	assert_true(kmem_event_read(&e.events, &e.s, &event));
	assert_int_equal(event.kind, KMEM_ALLOC);
	assert_int_equal(event.time, 1000);
	assert_int_equal(event.cpu, 7);
	assert_int_equal(event.call_site, 1);
	assert_int_equal(event.ptr, 2);
	assert_int_equal(event.bytes_requested, 3);
	assert_int_equal(event.bytes_allocated, 4);
	assert_int_equal(event.node, 5);
	end(&e);
}

static void a_free_has_no_node(void **state)
{
	struct example e;
	struct kmem_event event;

	(void)state;
	begin(&e, "kmem", "kmem_cache_free", object_format);
	assert_true(kmem_event_read(&e.events, &e.s, &event));
	assert_int_equal(event.kind, KMEM_FREE);
	assert_int_equal(event.node, KMEM_NO_NODE);
	end(&e);
}

static void a_page_is_told_by_its_number(void **state)
{
	struct example e;
	struct kmem_event event;

	(void)state;
	begin(&e, "kmem", "mm_page_alloc", page_format);
	assert_true(e.events.pages_by_number);
	e.raw[1] = 0;
	assert_true(kmem_event_read(&e.events, &e.s, &event));
	assert_false(event.failed);
	assert_int_equal(event.order, 2);
	assert_int_equal(event.gfp_flags, 3);
	assert_int_equal(event.migratetype, 4);
	e.raw[1] = UINT64_MAX;
	assert_true(kmem_event_read(&e.events, &e.s, &event));
	assert_true(event.failed);
	end(&e);
}

static void old_kernels_tell_the_address_of_a_page(void **state)
{
	struct example e;
	struct kmem_event event;

	(void)state;
	begin(&e, "kmem", "mm_page_alloc", old_page_format);
	assert_false(e.events.pages_by_number);
	e.raw[1] = 0;
	assert_true(kmem_event_read(&e.events, &e.s, &event));
	assert_true(event.failed);
	end(&e);
}

static void a_record_that_ends_too_early_is_not_read(void **state)
{
	struct example e;
	struct kmem_event event;

	(void)state;
	begin(&e, "kmem", "kmalloc", object_format);
	e.sample.raw_size = 20;
	assert_false(kmem_event_read(&e.events, &e.s, &event));
	e.sample.raw_size = 24;
	assert_true(kmem_event_read(&e.events, &e.s, &event));
	assert_int_equal(event.bytes_requested, 0);
	assert_int_equal(event.node, KMEM_NO_NODE);
	end(&e);
}

static void a_tracepoint_of_another_system_is_nothing(void **state)
{
	struct example e;
	struct kmem_event event;

	(void)state;
	begin(&e, "sched", "kmalloc", object_format);
	assert_int_equal(kmem_event_kind(&e.events, e.s.event), KMEM_NONE);
	assert_false(kmem_event_read(&e.events, &e.s, &event));
	end(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_allocation_is_read_by_the_names_of_its_fields),
		cmocka_unit_test(a_free_has_no_node),
		cmocka_unit_test(a_page_is_told_by_its_number),
		cmocka_unit_test(old_kernels_tell_the_address_of_a_page),
		cmocka_unit_test(a_record_that_ends_too_early_is_not_read),
		cmocka_unit_test(a_tracepoint_of_another_system_is_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
