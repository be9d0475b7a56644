/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "example-timeline.h"
#include "profile/message-fields.h"
#include "tools/data/perfetto.h"

/* The fields of Perfetto's schema, under their original names. */
enum {
	Trace_packet = 1,
	TracePacket_ftrace_events = 1,
	TracePacket_process_tree = 2,
	TracePacket_timestamp = 8,
	TracePacket_trusted_packet_sequence_id = 10,
	TracePacket_track_event = 11,
	TracePacket_interned_data = 12,
	TracePacket_sequence_flags = 13,
	TracePacket_trace_packet_defaults = 59,
	TracePacket_track_descriptor = 60,
	TracePacket_perf_sample = 66,
	TracePacketDefaults_perf_sample_defaults = 12,
	PerfSampleDefaults_timebase = 1,
	Timebase_period = 1,
	Timebase_frequency = 2,
	Timebase_name = 10,
	InternedData_function_names = 5,
	InternedData_frames = 6,
	InternedData_callstacks = 7,
	InternedData_mapping_paths = 17,
	InternedData_mappings = 19,
	InternedString_iid = 1,
	InternedString_str = 2,
	Mapping_iid = 1,
	Mapping_start = 4,
	Mapping_end = 5,
	Mapping_path_string_ids = 7,
	Mapping_exact_offset = 8,
	Frame_iid = 1,
	Frame_function_name_id = 2,
	Frame_mapping_id = 3,
	Callstack_iid = 1,
	Callstack_frame_ids = 2,
	PerfSample_cpu = 1,
	PerfSample_pid = 2,
	PerfSample_tid = 3,
	PerfSample_callstack_iid = 4,
	PerfSample_cpu_mode = 5,
	PerfSample_timebase_count = 6,
	FtraceEventBundle_cpu = 1,
	FtraceEventBundle_event = 2,
	FtraceEvent_timestamp = 1,
	FtraceEvent_sched_switch = 4,
	SchedSwitch_prev_pid = 2,
	SchedSwitch_prev_state = 4,
	SchedSwitch_next_comm = 5,
	SchedSwitch_next_pid = 6,
	TrackDescriptor_uuid = 1,
	TrackDescriptor_thread = 4,
	ThreadDescriptor_thread_name = 5,
	TrackEvent_debug_annotations = 4,
	TrackEvent_type = 9,
	TrackEvent_track_uuid = 11,
	TrackEvent_name = 23,
	DebugAnnotation_string_value = 6,
	DebugAnnotation_name = 10,
	TYPE_INSTANT = 3,
	CPU_MODE_USER = 2,
};

static struct message trace(const struct fixture *f)
{
	return (struct message){ .bytes = (const uint8_t *)f->out, .n = f->n };
}

/* Returns packet @i of those that have @field. */
static struct message packet_with(const struct fixture *f, unsigned field, size_t i)
{
	const size_t n = count_fields(trace(f), Trace_packet);

	for (size_t k = 0; k < n; k++) {
		struct message p = nth_field(trace(f), Trace_packet, k);

		if (count_fields(p, field) && !i--)
			return p;
	}
	fail_msg("no packet has field %u", field);
	return trace(f);
}

static struct message perf_sample(const struct fixture *f, size_t i)
{
	return the_field(packet_with(f, TracePacket_perf_sample, i), TracePacket_perf_sample);
}

static void a_sample_has_its_event_thread_and_stack(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	struct message packet, s, timebase, interned, stack;

	(void)state;
	fixture_init(&f, &export_perfetto);
	add_sample(&f, sample_at(1234, add_stack_of(&f, &library_function)));
	finish(&f);
	packet = packet_with(&f, TracePacket_perf_sample, 0);
	assert_int_equal(number_of(packet, TracePacket_timestamp), 1234);
	assert_int_equal(number_of(packet, TracePacket_trusted_packet_sequence_id), 2);
	assert_int_equal(number_of(packet, TracePacket_sequence_flags), 1);
	timebase = the_field(the_field(the_field(packet, TracePacket_trace_packet_defaults),
				       TracePacketDefaults_perf_sample_defaults),
			     PerfSampleDefaults_timebase);
	assert_int_equal(number_of(timebase, Timebase_period), 5);
	assert_text(the_field(timebase, Timebase_name), event_name);
	s = the_field(packet, TracePacket_perf_sample);
	assert_int_equal(number_of(s, PerfSample_cpu), 1);
	assert_int_equal(number_of(s, PerfSample_pid), 7);
	assert_int_equal(number_of(s, PerfSample_tid), 7);
	assert_int_equal(number_of(s, PerfSample_cpu_mode), CPU_MODE_USER);
	interned = the_field(packet, TracePacket_interned_data);
	stack = the_field(interned, InternedData_callstacks);
	assert_int_equal(number_of(stack, Callstack_iid), number_of(s, PerfSample_callstack_iid));
	assert_int_equal(count_fields(stack, Callstack_frame_ids), 2);
	/* The outermost frame comes first. */
	for (size_t i = 0; i < 2; i++) {
		uint64_t id = nth_field(stack, Callstack_frame_ids, i).number;
		struct message frame = nth_field(interned, InternedData_frames, 0);

		if (number_of(frame, Frame_iid) != id)
			frame = nth_field(interned, InternedData_frames, 1);
		assert_int_equal(number_of(frame, Frame_iid), id);
		id = number_of(frame, Frame_function_name_id);
		assert_text(the_field(nth_field(interned, InternedData_function_names, id - 1),
				      InternedString_str),
			    i ? "f" : "main");
	}
}

static void an_image_has_its_path_and_place(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	struct message interned, mapping;

	(void)state;
	fixture_init(&f, &export_perfetto);
	add_sample(&f, sample_at(1, add_stack_of(&f, &main_function)));
	finish(&f);
	interned = the_field(packet_with(&f, TracePacket_perf_sample, 0),
			     TracePacket_interned_data);
	mapping = the_field(interned, InternedData_mappings);
	assert_int_equal(number_of(the_field(interned, InternedData_frames), Frame_mapping_id),
			 number_of(mapping, Mapping_iid));
	assert_int_equal(number_of(mapping, Mapping_start), 0x10000);
	assert_int_equal(number_of(mapping, Mapping_end), 0x20000);
	assert_int_equal(number_of(mapping, Mapping_exact_offset), 0x1000);
	assert_int_equal(number_of(mapping, Mapping_path_string_ids), 1);
	assert_text(the_field(the_field(interned, InternedData_mapping_paths), InternedString_str),
		    "/bin/a");
}

/* The schema requires the value of a counter, and every CPU has a counter of each event. */
static void counters_go_up(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	static const uint64_t expected[] = { 3, 6, 3, 3, 9 };
	struct timeline_sample s;

	(void)state;
	fixture_init(&f, &export_perfetto);
	s = sample_at(1, CODE_NONE);
	add_sample(&f, s);
	add_sample(&f, s);
	s.cpu = -1;
	add_sample(&f, s);
	s.cpu = 1;
	s.event = &other_event;
	add_sample(&f, s);
	s.event = &event;
	add_sample(&f, s);
	finish(&f);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(number_of(perf_sample(&f, i), PerfSample_timebase_count),
				 expected[i]);
	assert_int_equal(count_fields(perf_sample(&f, 0), PerfSample_callstack_iid), 0);
	assert_int_equal(count_fields(perf_sample(&f, 2), PerfSample_cpu), 0);
}

static void every_event_is_a_sequence_with_stacks_of_its_own(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	struct timeline_sample s;
	struct message packet;

	(void)state;
	fixture_init(&f, &export_perfetto);
	s = sample_at(1, add_stack_of(&f, &main_function));
	add_sample(&f, s);
	add_sample(&f, s);
	s.event = &other_event;
	add_sample(&f, s);
	finish(&f);
	packet = packet_with(&f, TracePacket_perf_sample, 1);
	assert_int_equal(count_fields(packet, TracePacket_interned_data), 0);
	assert_int_equal(number_of(packet, TracePacket_sequence_flags), 2);
	packet = packet_with(&f, TracePacket_perf_sample, 2);
	assert_int_equal(number_of(packet, TracePacket_trusted_packet_sequence_id), 3);
	assert_int_equal(count_fields(packet, TracePacket_interned_data), 1);
	packet = the_field(the_field(the_field(packet, TracePacket_trace_packet_defaults),
				     TracePacketDefaults_perf_sample_defaults),
			   PerfSampleDefaults_timebase);
	assert_int_equal(number_of(packet, Timebase_frequency), 99);
	assert_int_equal(count_fields(packet, Timebase_period), 0);
}

static void tracepoints_are_instants_of_their_thread(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	struct timeline_sample s;
	struct message track, instant, annotation;

	(void)state;
	fixture_init(&f, &export_perfetto);
	s = sample_at(10, CODE_NONE);
	s.text = "x=\"\xff\"";
	add_sample(&f, s);
	add_sample(&f, s);
	finish(&f);
	track = the_field(packet_with(&f, TracePacket_track_descriptor, 0),
			  TracePacket_track_descriptor);
	assert_text(
		the_field(the_field(track, TrackDescriptor_thread), ThreadDescriptor_thread_name),
		"comm\x01\\xff");
	for (size_t i = 0; i < 2; i++) {
		instant = the_field(packet_with(&f, TracePacket_track_event, i),
				    TracePacket_track_event);
		assert_int_equal(number_of(instant, TrackEvent_type), TYPE_INSTANT);
		assert_int_equal(number_of(instant, TrackEvent_track_uuid),
				 number_of(track, TrackDescriptor_uuid));
		assert_text(the_field(instant, TrackEvent_name), event_name);
		annotation = the_field(instant, TrackEvent_debug_annotations);
		assert_text(the_field(annotation, DebugAnnotation_name), "text");
		assert_text(the_field(annotation, DebugAnnotation_string_value), "x=\"\\xff\"");
	}
}

static void who_leaves_and_who_comes_are_one_switch(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	struct message bundle, entry, change;

	(void)state;
	fixture_init(&f, &export_perfetto);
	add_switch(&f, (struct timeline_switch){ .time = 1000, .task = 0, .cpu = 2, .state = 'D' });
	add_switch(&f,
		   (struct timeline_switch){ .time = 2000, .task = 1, .cpu = 2, .comes = true });
	finish(&f);
	bundle = the_field(packet_with(&f, TracePacket_ftrace_events, 0),
			   TracePacket_ftrace_events);
	assert_int_equal(number_of(bundle, FtraceEventBundle_cpu), 2);
	entry = the_field(bundle, FtraceEventBundle_event);
	assert_int_equal(number_of(entry, FtraceEvent_timestamp), 1000);
	change = the_field(entry, FtraceEvent_sched_switch);
	assert_int_equal(number_of(change, SchedSwitch_prev_pid), 7);
	assert_int_equal(number_of(change, SchedSwitch_prev_state), 2);
	assert_int_equal(number_of(change, SchedSwitch_next_pid), 0);
	assert_text(the_field(change, SchedSwitch_next_comm), "zero");
}

static void a_cpu_idles_between_two_that_are_far_apart(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	struct message bundle;

	(void)state;
	fixture_init(&f, &export_perfetto);
	add_switch(&f, (struct timeline_switch){ .time = 1000, .task = 0, .cpu = 0, .state = 'S' });
	add_switch(&f, (struct timeline_switch){ .time = 60000, .task = 1, .comes = true });
	add_switch(&f, (struct timeline_switch){ .time = 60000, .cpu = UINT32_MAX, .comes = true });
	finish(&f);
	bundle = the_field(packet_with(&f, TracePacket_ftrace_events, 0),
			   TracePacket_ftrace_events);
	assert_int_equal(count_fields(bundle, FtraceEventBundle_event), 2);
	assert_text(the_field(the_field(nth_field(bundle, FtraceEventBundle_event, 0),
					FtraceEvent_sched_switch),
			      SchedSwitch_next_comm),
		    "swapper");
}

static void names_may_be_long_and_hostile(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	static char name[65536];
	struct symbol sym = library_function;
	struct message names;

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	memcpy(name, "a\"\\\n\x01\xff", 6);
	sym.name = name;
	fixture_init(&f, &export_perfetto);
	add_sample(&f, sample_at(1, add_stack_of(&f, &sym)));
	finish(&f);
	names = the_field(packet_with(&f, TracePacket_perf_sample, 0), TracePacket_interned_data);
	for (size_t i = 0; i < 2; i++) {
		struct message text = the_field(nth_field(names, InternedData_function_names, i),
						InternedString_str);

		if (text.n == 4)
			continue;
		/* A byte that is not UTF-8 takes four bytes. */
		assert_int_equal(text.n, sizeof(name) - 1 + 3);
		assert_memory_equal(text.bytes, "a\"\\\n\x01\\xffnn", 11);
		return;
	}
	fail_msg("the name is not there");
}

static void nothing_is_a_trace_without_samples(void **state)
{
	_cleanup_(fixture_done) struct fixture f;

	(void)state;
	fixture_init(&f, &export_perfetto);
	finish(&f);
	assert_int_equal(count_fields(trace(&f), Trace_packet), 1);
	packet_with(&f, TracePacket_process_tree, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_has_its_event_thread_and_stack),
		cmocka_unit_test(an_image_has_its_path_and_place),
		cmocka_unit_test(counters_go_up),
		cmocka_unit_test(every_event_is_a_sequence_with_stacks_of_its_own),
		cmocka_unit_test(tracepoints_are_instants_of_their_thread),
		cmocka_unit_test(who_leaves_and_who_comes_are_one_switch),
		cmocka_unit_test(a_cpu_idles_between_two_that_are_far_apart),
		cmocka_unit_test(names_may_be_long_and_hostile),
		cmocka_unit_test(nothing_is_a_trace_without_samples),
	};

	return cmocka_run_group_tests(tests, make_code, release_code);
}
