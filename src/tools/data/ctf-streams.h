/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The streams of a trace of the Common Trace Format: a file for each CPU, of packets that begin
 * with the time span of their events.
 *
 *	struct bytes *event = ctf_stream_event(s, cpu, time, id);
 *	append its fields to event;
 *
 * Times of a stream never go back: an event that is older than the one before gets that one's time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/u64-map.h"
#include "tools/data/ctf-metadata.h"

struct ctf_stream {
	uint32_t cpu;
	uint64_t begin, end; /* times of the current packet */
	struct bytes events; /* the events of the packet */
	bool has_file;       /* packets have been written */
};

/* The streams. `struct ctf_streams s = { .path = path, .uuid = uuid };`, both borrowed. */
struct ctf_streams {
	const char *path; /* the path of the folder */
	const uint8_t *uuid;
	uint64_t n_bytes; /* number of bytes written */
	/* private: */
	struct {
		struct ctf_stream *items;
		size_t n, room;
	} items;
	struct u64_map of_cpu; /* by CPU: its index + 1 */
	char *failed;          /* the first file that could not be written, with the reason */
	int error;
};

void ctf_streams_done(struct ctf_streams *s);

/* Begins an event. Its fields are appended to the result, before the next call. */
struct bytes *ctf_stream_event(struct ctf_streams *s, uint32_t cpu, uint64_t time, uint32_t id);

/* Writes the rest. Returns a negative errno; @s->failed is then the file. */
int ctf_streams_end(struct ctf_streams *s);
