/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording of context switches made by hand: event 1 is sched:sched_switch, and each test
 * chooses event 2. Threads are 10 ("one") and 20 ("two"). Functions have no names.
 */
#include "session/recording.h"

#include "profile/off-cpu.h"
#include "base/memory.h"
#include "profile/collector.h"
#include "profile/keys.h"
#include "profile/shared-values.h"
#include "tracepoint/format.h"

struct example_switch {
	uint64_t flags, prev_pid, prev_state, next_pid, pid;
	uint32_t end; /* a record after its length takes a multiple of 8 bytes */
};

static const char example_switch_format[] =
	"name: any\nID: 1\nformat:\n"
	"\tfield:u64 common_flags;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 prev_pid;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 prev_state;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 next_pid;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 pid;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\nprint fmt: \"\"\n";

struct example_off_cpu {
	struct recording recording;
	struct session *session;
	struct tracepoint_format *format;
	struct keys keys;
	struct key_env env;
	struct collector *collector;
	struct off_cpu *off;
};

__attribute__((unused)) static int example_off_cpu_set_up(void **state)
{
	struct example_off_cpu *e = xcalloc(1, sizeof(*e));

	e->recording = recording_of(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				    PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
				    PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW);
	for (uint32_t pid = 10; pid <= 20; pid += 10) {
		comm(&e->recording, pid, pid, pid == 10 ? "one" : "two", 1);
		mmaps(&e->recording, pid, 0x1000, 0x1000, "/bin/app", 1);
		mmaps(&e->recording, pid, 0x5000, 0x1000, "/lib/lib", 1);
	}
	*state = e;
	return 0;
}

__attribute__((unused)) static int example_off_cpu_tear_down(void **state)
{
	struct example_off_cpu *e = *state;

	off_cpu_free(e->off);
	collector_free(e->collector);
	keys_done(&e->keys);
	frames_free(e->env.frames);
	shared_values_free(e->env.values);
	session_free(e->session);
	tracepoint_format_free(e->format);
	recording_done(&e->recording);
	free(e);
	return 0;
}

/* Adds a sample of event @id by @tid, called at 0x1010 from @caller. */
__attribute__((unused)) static void example_event_at(struct example_off_cpu *e, uint64_t id,
						     uint32_t tid, uint64_t time, uint64_t caller,
						     struct example_switch raw)
{
	const uint64_t chain[] = { PERF_CONTEXT_USER, 0x1010, caller };
	const struct sample s = {
		.misc = PERF_RECORD_MISC_USER,
		.id = id,
		.ip = 0x1010,
		.pid = tid,
		.tid = tid,
		.time = time,
		.cpu = tid / 10,
		.period = 10,
		.chain = { .bytes = (const uint8_t *)chain, .n = 3 },
		.raw = (const uint8_t *)&raw,
		.raw_size = offsetof(struct example_switch, end) + sizeof(raw.end),
	};

	assert_int_equal(sample_encode(&s, &e->recording.attr, &e->recording.records), 0);
}

/*
 * Adds a switch: @prev leaves its CPU in @prev_state, called from @caller, and @next gets the CPU.
 */
__attribute__((unused)) static void example_switches(struct example_off_cpu *e, uint64_t time,
						     uint32_t prev, uint64_t prev_state,
						     uint64_t caller, uint32_t next)
{
	example_event_at(e, 1, prev, time, caller,
			 (struct example_switch){
				 .prev_pid = prev, .prev_state = prev_state, .next_pid = next });
}

/* Adds a PERF_RECORD_SWITCH of @tid. */
__attribute__((unused)) static void example_switch_record(struct example_off_cpu *e, uint32_t tid,
							  uint64_t time, uint16_t misc)
{
	struct record r = { .header = { .type = PERF_RECORD_SWITCH, .misc = misc },
			    .id = { .pid = tid, .tid = tid, .id = 1 } };

	add(&e->recording, r, time);
}

__attribute__((unused)) static void example_name_event(struct example_off_cpu *e, size_t index,
						       const char *tracepoint)
{
	struct session_event *event = (struct session_event *)session_event(e->session, index);

	event->attr.type = PERF_TYPE_TRACEPOINT;
	event->system = "sched";
	event->tracepoint = tracepoint;
	event->format = e->format;
}

/* Opens the recording; @second is the tracepoint of event 2, or NULL if the event is a clock. */
__attribute__((unused)) static void example_off_cpu_open(struct example_off_cpu *e,
							 const char *second)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(tracepoint_format_parse(example_switch_format, &e->format, &diag), 0);
	e->session = opened(&e->recording, false);
	example_name_event(e, 0, "sched_switch");
	if (second)
		example_name_event(e, 1, second);
}

static inline int example_take_samples(void *arg, const struct sample_batch *b)
{
	off_cpu_take(((struct example_off_cpu *)arg)->off, b);
	return 0;
}

static inline int example_take_records(void *arg, const struct record_batch *b)
{
	off_cpu_take_records(((struct example_off_cpu *)arg)->off, b);
	return 0;
}

/*
 * Reads the recording with stacks by command, and finishes. The session and collector of @o are
 * filled in.
 */
__attribute__((unused)) static int example_off_cpu_read(struct example_off_cpu *e,
							struct off_cpu_options o, struct diag *diag)
{
	const struct consumer consumer = {
		.order = CONSUMER_IN_ORDER,
		.types = off_cpu_record_types(),
		.samples = example_take_samples,
		.records = example_take_records,
		.arg = e,
	};

	e->env = (struct key_env){
		.session = e->session,
		.frames = frames_new(false),
		.values = shared_values_new(),
	};
	assert_true(keys_add(&e->keys, &e->env, REPORT_NORMAL, "comm", diag) >= 0);
	e->collector = collector_new(&(struct collector_options){
		.env = &e->env,
		.keys = e->keys.items,
		.n_keys = e->keys.n,
		.filter = o.filter,
		.with_stacks = true,
		.max_stack = 127,
		.n_workers = 1,
	});
	o.session = e->session;
	o.collector = e->collector;
	e->off = off_cpu_new(&o);
	assert_int_equal(session_feed(e->session, NULL, &consumer, diag), 0);
	return off_cpu_finish(e->off, diag);
}
