/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples of tracepoints made by hand. All records have the same layout: every field that a test
 * names is a number of 8 bytes, except rwbs, which is text.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "session/consumer.h"
#include "tracepoint/format.h"

struct example_record {
	uint64_t common, dev, sector, nr_sector, pid, next_pid, prev_pid, prev_state, id;
	char rwbs[8];
};

static const char example_format[] = "name: any\nID: 1\nformat:\n"
				     "\tfield:u64 common_type;\toffset:0;\tsize:8;\tsigned:0;\n"
				     "\tfield:u64 dev;\toffset:8;\tsize:8;\tsigned:0;\n"
				     "\tfield:u64 sector;\toffset:16;\tsize:8;\tsigned:0;\n"
				     "\tfield:u64 nr_sector;\toffset:24;\tsize:8;\tsigned:0;\n"
				     "\tfield:u64 pid;\toffset:32;\tsize:8;\tsigned:0;\n"
				     "\tfield:u64 next_pid;\toffset:40;\tsize:8;\tsigned:0;\n"
				     "\tfield:u64 prev_pid;\toffset:48;\tsize:8;\tsigned:0;\n"
				     "\tfield:u64 prev_state;\toffset:56;\tsize:8;\tsigned:0;\n"
				     "\tfield:u64 id;\toffset:64;\tsize:8;\tsigned:0;\n"
				     "\tfield:char rwbs[8];\toffset:72;\tsize:8;\tsigned:0;\n"
				     "\nprint fmt: \"\"\n";

__attribute__((unused)) static struct tracepoint_format *example_format_new(void)
{
	struct tracepoint_format *f = NULL;
	struct diag diag = { 0 };

	assert_int_equal(tracepoint_format_parse(example_format, &f, &diag), 0);
	return f;
}

__attribute__((unused)) static struct session_event
example_event(size_t index, const char *system, const char *name, struct tracepoint_format *format)
{
	return (struct session_event){ .index = index,
				       .name = (char *)name,
				       .system = system,
				       .tracepoint = name,
				       .format = format };
}

/* A sample and the data that it points to. */
struct example_sample {
	struct example_record record;
	struct sample sample;
	struct session_sample s;
};

/* @e must be at its final place when this is called, because the sample points into it. */
__attribute__((unused)) static const struct session_sample *
example_sample(struct example_sample *e, const struct session_event *event, uint64_t time,
	       uint32_t tid, const struct example_record *record)
{
	e->record = *record;
	e->sample = (struct sample){ .tid = tid,
				     .pid = tid,
				     .cpu = 3,
				     .time = time,
				     .raw = (const uint8_t *)&e->record,
				     .raw_size = sizeof(e->record) };
	e->s = (struct session_sample){ .event = event, .sample = &e->sample, .time = time };
	return &e->s;
}
