/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes samples and other records as JSON, for one thread. Private to tools/data/json-view*.c.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "session/call-chain.h"
#include "session/consumer.h"
#include "view/json.h"

struct json_frame;
struct tracepoint_machine;

/* The data that all writers share. */
struct json_style {
	const struct session *session;
	const struct tracepoint_machine *tracepoints;
	bool swap;
	bool all;
	int64_t wall_offset_ns;
};

struct sample_writer {
	const struct json_style *style;
	struct text out;
	struct json json; /* appends to @out */
	struct call_chain chain;
	struct json_frame *frames; /* frames written before, by address; NULL: none yet */
	const char *comm;          /* the last command name, */
	struct text comm_text;     /* and the same as JSON */
	struct text scratch;
	struct u64_map formats; /* formats of tracepoint fields, which are stored in */
	struct arena arena;
	uint64_t samples;
};

void sample_writer_init(struct sample_writer *w, const struct json_style *style);
void sample_writer_done(struct sample_writer *w);

/* Appends a comma and the sample. */
void sample_writer_sample(struct sample_writer *w, const struct session_sample *s);

/* Appends a comma and a record that is not a sample; nothing, if it is malformed. */
void sample_writer_record(struct sample_writer *w, const struct delivered *d);
