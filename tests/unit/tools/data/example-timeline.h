/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording made by hand, for tests of formats with individual samples, and the output of a
 * format.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "profile/example-code.h"
#include "tools/data/timeline.h"
#include "profile/folded-recording.h"
#include "foreign/any-session.h"
#include "session/session.h"

static char event_name[] = "a\"b</script>\n", other_name[] = "other";
static const struct session_event event = { .name = event_name, .attr = { .sample_period = 5 } };
static const struct session_event other_event = { .index = 1,
						  .name = other_name,
						  .attr = { .freq = true, .sample_period = 99 } };
static struct timeline_task tasks[] = {
	{ .pid = 7, .tid = 7, .comm = "comm\x01\xff", .first = 1000 },
	{ .pid = 7, .tid = 0, .comm = "zero", .first = 1000 },
};

struct fixture {
	const struct timeline_writer *format;
	struct frames *frames;
	struct stacks stacks;
	struct timeline t;
	struct export_source src;
	struct folded_recording recording; /* of the session, which formats ask for names */
	struct session *session;
	void *writer;
	char *out;
	size_t n;
};

static inline void fixture_init(struct fixture *f, const struct export_format *format)
{
	static const char lines[] = "x;y 1\n";
	struct diag diag = { 0 };

	*f = (struct fixture){ .format = format->timeline, .frames = frames_new(false) };
	folded_recording_init(&f->recording, lines, sizeof(lines) - 1);
	assert_int_equal(any_session_open(&(struct session_options){ .path = f->recording.path,
								     .force = true },
					  &f->session, &diag),
			 0);
	stack_table_init(&f->t.stacks, f->frames, false);
	f->t.tasks.items = tasks;
	f->t.tasks.n = 2;
	f->t.session = f->session;
	f->src.out = open_memstream(&f->out, &f->n);
	f->t.src = &f->src;
	f->writer = f->format->begin(&f->t, &f->src);
}

static inline void finish(struct fixture *f)
{
	assert_int_equal(f->format->end(f->writer, NULL), 0);
	fclose(f->src.out);
	f->src.out = NULL;
}

static inline void fixture_done(struct fixture *f)
{
	f->format->free(f->writer);
	if (f->src.out)
		fclose(f->src.out);
	stack_table_done(&f->t.stacks);
	stacks_done(&f->stacks);
	frames_free(f->frames);
	session_free(f->session);
	folded_recording_done(&f->recording);
	free(f->out);
}

/* Returns the node of the stack of @sym at 0x1110, called by main() unless it is main() itself. */
static inline uint32_t add_stack_of(struct fixture *f, const struct symbol *sym)
{
	uint32_t node = stacks_child(&f->stacks, stacks_root(&f->stacks, 0),
				     add_frame(f->frames, PROGRAM, 0x1180, &main_function));

	if (sym != &main_function)
		node = stacks_child(&f->stacks, node, add_frame(f->frames, LIBRARY, 0x110, sym));
	return stack_table_add(&f->t.stacks, 0, &f->stacks, node);
}

static inline struct timeline_sample sample_at(uint64_t time, uint32_t stack)
{
	return (struct timeline_sample){
		.event = &event, .time = time, .period = 3, .stack = stack, .cpu = 1
	};
}

static inline void add_sample(struct fixture *f, struct timeline_sample s)
{
	f->t.first = f->t.first && f->t.first < s.time ? f->t.first : s.time;
	f->t.last = s.time;
	f->format->sample(f->writer, &s);
}

static inline void add_switch(struct fixture *f, struct timeline_switch s)
{
	f->t.first = f->t.first && f->t.first < s.time ? f->t.first : s.time;
	f->t.last = s.time;
	f->format->switched(f->writer, &s);
}
