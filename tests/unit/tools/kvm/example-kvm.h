/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A session whose first events are tracepoints of KVM, all with the same layout: seven numbers of 8
 * bytes. @fields names those that exist, "" for none.
 */
#include "session/recording.h"

#include "tracepoint/format.h"

#define KVM_FIELDS 7

struct kvm_example {
	struct recording recording;
	struct session *session;
	struct tracepoint_format *format;
	struct session_event event;
	uint64_t raw[KVM_FIELDS];
	struct sample sample;
	struct session_sample s;
};

static void kvm_example_begin(struct kvm_example *e, const char *tracepoint,
			      const char *const fields[KVM_FIELDS])
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session_event *event;
	char text[2048];
	int n = snprintf(text, sizeof(text), "name: any\nID: 1\nformat:\n");

	for (int i = 0; i < KVM_FIELDS && fields[i]; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n,
			      "\tfield:u64 %s;\toffset:%d;\tsize:8;\tsigned:0;\n", fields[i],
			      8 * i);
	snprintf(text + n, sizeof(text) - (size_t)n, "\nprint fmt: \"\"\n");
	*e = (struct kvm_example){ .recording = recording_new() };
	assert_int_equal(tracepoint_format_parse(text, &e->format, &diag), 0);
	e->session = opened(&e->recording, false);
	event = (struct session_event *)session_event(e->session, 0);
	event->system = "kvm";
	event->tracepoint = tracepoint;
	event->format = e->format;
	e->sample = (struct sample){
		.pid = 100, .tid = 101, .raw = (const uint8_t *)e->raw, .raw_size = sizeof(e->raw)
	};
	e->s = (struct session_sample){ .event = event, .sample = &e->sample, .time = 1000 };
}

static void kvm_example_end(struct kvm_example *e)
{
	session_free(e->session);
	tracepoint_format_free(e->format);
	recording_done(&e->recording);
}
