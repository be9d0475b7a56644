/* SPDX-License-Identifier: MIT */
/* The data of perf's own records: events and features of a stream, names, build-ids. */
#include "session/internal.h"
#include "session/traces.h"
#include "session/unwound-note.h"

static void sync_events(struct session *s, uint64_t feature)
{
	if (feature < FEATURE_KNOWN && events_sync_needed((unsigned)feature) &&
	    datafile_allow_steps(s->file, events_sync_steps(&s->events, session_features(s)))) {
		events_add(&s->events, s->file);
		events_sync(&s->events, session_features(s));
	}
}

/* Applies perf's own records to the session. The reader has already applied its part. */
static void apply_decoded(struct session *s, const struct record *r)
{
	switch (r->header.type) {
	case PERF_RECORD_HEADER_FEATURE:
		sync_events(s, r->feature.id);
		break;
	case PERF_RECORD_EVENT_UPDATE:
		events_update(&s->events, &r->event_update);
		break;
	case PERF_RECORD_HEADER_EVENT_TYPE:
		if (!unwound_note_get(&r->event_type, &s->unwound_before) &&
		    datafile_allow_steps(s->file, s->events.n))
			events_name(&s->events, r->event_type.event_id, r->event_type.name);
		break;
	case PERF_RECORD_HEADER_BUILD_ID:
		images_learn_build_id(&s->machine.images, r->build_id.filename, r->header.misc,
				      &r->build_id.build_id, &r->build_id.file);
		break;
	default:
		break;
	}
}

void session_apply_user(struct session *s, const struct raw_record *raw)
{
	struct record r;

	if (s->traces && !s->applied)
		traces_take_user(s->traces, raw);
	switch (raw->header.type) {
	case PERF_RECORD_HEADER_ATTR:
		events_add(&s->events, s->file);
		break;
	case PERF_RECORD_HEADER_TRACING_DATA:
		sync_events(s, FEATURE_TRACING_DATA);
		break;
	case PERF_RECORD_HEADER_FEATURE:
	case PERF_RECORD_EVENT_UPDATE:
	case PERF_RECORD_HEADER_EVENT_TYPE:
	case PERF_RECORD_HEADER_BUILD_ID:
		if (record_decode(raw->bytes, raw->header.size, s->swap, NULL, &r) < 0)
			s->counts.malformed++;
		else
			apply_decoded(s, &r);
		break;
	default:
		break;
	}
}
