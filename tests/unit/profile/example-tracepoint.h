/* SPDX-License-Identifier: MIT */
#pragma once
/* Keys for records of a tracepoint made by hand. */
#include "example-keys.h"

#include "tracepoint/plan-text.h"

struct example_tracepoint {
	struct example_keys keys;
	struct tracepoint_format *format;
	struct tracepoint_plan *plan;
	struct session_event event;
	uint8_t record[sizeof(plan_record)];
	struct sample sample;
	struct key_sample s;
};

__attribute__((unused)) static void example_tracepoint_init(struct example_tracepoint *t,
							    const char *print_fmt)
{
	memset(t, 0, sizeof(*t));
	example_keys_init(&t->keys, false);
	t->format = format_of(print_fmt);
	t->plan = tracepoint_plan_new(t->format, 8);
	t->event = (struct session_event){
		.index = 99, .name = (char *)"a:test", .format = t->format, .plan = t->plan
	};
	memcpy(t->record, plan_record, sizeof(t->record));
	t->sample = (struct sample){ .raw = t->record, .raw_size = sizeof(t->record) };
	t->s = (struct key_sample){ .event = &t->event, .sample = &t->sample };
}

__attribute__((unused)) static void example_tracepoint_done(struct example_tracepoint *t)
{
	example_keys_done(&t->keys);
	tracepoint_plan_free(t->plan);
	tracepoint_format_free(t->format);
}
