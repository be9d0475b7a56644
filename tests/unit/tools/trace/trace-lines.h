/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Lines of perf trace for samples made by hand: process 7 is "sh", /bin/sh is mapped at 0x1000 to
 * 0x2000.
 */
#include "session/recording.h"

#include "tools/trace/tasks-model.h"
#include "tracepoint/format.h"
#include "tracepoint/plan.h"
#include "view/printed.h"
#include "tools/trace/line-view.h"

struct trace_fixture {
	struct recording rec;
	struct session *s;
	struct trace_task task;
	struct trace_line_style style;
};

__attribute__((unused)) static void trace_fixture_init(struct trace_fixture *f)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	*f = (struct trace_fixture){
		.rec = recording_new(),
		.task = { .pid = 7, .tid = 8, .comm = "sh" },
		.style = { .values = { .shows_names = true },
			   .hides_duration = true,
			   .alignment = 20 },
	};
	mmaps(&f->rec, 7, 0x1000, 0x1000, "/bin/sh", 1);
	f->s = opened(&f->rec, false);
	assert_int_equal(session_scan(f->s, &d), 0);
}

__attribute__((unused)) static void trace_fixture_done(struct trace_fixture *f)
{
	session_free(f->s);
	recording_done(&f->rec);
}

/* Checks the line that is printed for the sample, 1 ms after the start. */
__attribute__((unused)) static void assert_sample_line(struct trace_fixture *f,
						       const struct session_event *e,
						       const struct sample *sample,
						       const char *wanted)
{
	const struct session_sample s = { .event = e, .sample = sample, .time = 1000000 };
	struct printed p;
	struct trace_lines *l;

	printed_open(&p);
	l = trace_lines_new(p.out, &f->style);
	trace_lines_start(l, 0);
	trace_lines_session(l, f->s);
	assert_int_equal(trace_lines_sample(l, &s, &f->task), 0);
	assert_int_equal(trace_lines_flush(l), 0);
	trace_lines_free(l);
	assert_printed(&p, wanted);
}

/* A record with all kinds of fields. */
struct trace_example {
	uint64_t common;
	int32_t low;
	uint32_t pid;
	uint64_t big, pointer;
	char who[8];
	uint32_t path; /* __data_loc */
	uint8_t addr[4];
	char text[8];
};

static const char trace_example_text[] =
	"name: e\nID: 1\nformat:\n"
	"\tfield:u64 common_type;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield:int low;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\tfield:u64 big;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:void * pointer;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:char who[8];\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] path;\toffset:40;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 addr[4];\toffset:44;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"low=%d who=%s\", REC->low, REC->who\n";

/* The event s:e, with its format. */
struct trace_example_event {
	struct session_event event;
	struct tracepoint_format *format;
	struct tracepoint_plan *plan;
};

__attribute__((unused)) static void trace_example_init(struct trace_example_event *e,
						       const char *text)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	e->format = NULL;
	assert_int_equal(tracepoint_format_parse(text, &e->format, &d), 0);
	e->plan = tracepoint_plan_new(e->format, 8);
	e->event = (struct session_event){ .name = (char *)"s:e",
					   .system = "s",
					   .tracepoint = "e",
					   .format = e->format,
					   .plan = e->plan };
}

__attribute__((unused)) static void trace_example_done(struct trace_example_event *e)
{
	tracepoint_plan_free(e->plan);
	tracepoint_format_free(e->format);
}

__attribute__((unused)) static struct sample trace_example_sample(const struct trace_example *r)
{
	return (struct sample){
		.pid = 7, .tid = 8, .cpu = 1, .raw = (const uint8_t *)r, .raw_size = sizeof(*r)
	};
}

__attribute__((unused)) static struct trace_example trace_example_record(void)
{
	return (struct trace_example){ .low = -3,
				       .pid = 9,
				       .big = 12,
				       .pointer = 0x1f,
				       .who = "me",
				       .path = 6U << 16 | 48,
				       .addr = { 127, 0, 0, 1 },
				       .text = "/a\033b\n" };
}
