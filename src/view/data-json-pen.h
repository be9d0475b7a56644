/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * One thread's hand in writing samples as JSON. Private to view/data-json*.c.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "session/call-chain.h"
#include "session/consumer.h"
#include "view/json.h"

struct json_frame;
struct tracepoint_machine;

/* What all pens share. */
struct json_style {
	const struct session *session;
	const struct tracepoint_machine *tracepoints;
	bool swap;
	bool all;
	int64_t wall_offset_ns;
};

struct json_pen {
	const struct json_style *style;
	struct text out;
	struct json json; /* appends to it */
	struct call_chain chain;
	struct json_frame *frames; /* those written before, by address; NULL: none yet */
	const char *comm;          /* the last one, */
	struct text comm_text;     /* as JSON */
	struct text scratch;
	uint64_t samples;
};

void json_pen_init(struct json_pen *p, const struct json_style *style);
void json_pen_done(struct json_pen *p);

/* Appends a comma and the sample. */
void json_pen_sample(struct json_pen *p, const struct session_sample *s);

/* Appends a comma and a record that is no sample; nothing, if it is malformed. */
void json_pen_record(struct json_pen *p, const struct delivered *d);
