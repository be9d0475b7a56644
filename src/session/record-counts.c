/* SPDX-License-Identifier: MIT */
#include "session/record-counts.h"

#include "session/internal.h"

static void record_counts_add_lost(struct session *s, const struct raw_record *raw,
				   const struct attr *attr)
{
	struct record r;

	if (record_decode(raw->bytes, raw->header.size, s->swap, attr, &r) < 0)
		return;
	if (raw->header.type == PERF_RECORD_LOST) {
		s->counts.lost_records++;
		s->counts.lost_events += r.lost.lost;
	} else if (!(raw->header.misc & PERF_RECORD_MISC_LOST_SAMPLES_BPF)) {
		/* Samples that a filter dropped were not meant to be recorded. */
		s->counts.lost_samples += r.lost.lost;
	}
}

static void record_counts_add_aux(struct session *s, const struct raw_record *raw,
				  const struct attr *attr)
{
	struct record r;

	if (record_decode(raw->bytes, raw->header.size, s->swap, attr, &r) < 0)
		return;
	s->counts.aux_lost += r.aux.flags & PERF_AUX_FLAG_TRUNCATED ? 1 : 0;
	s->counts.aux_gaps += r.aux.flags & PERF_AUX_FLAG_PARTIAL ? 1 : 0;
	s->counts.aux_collisions += r.aux.flags & PERF_AUX_FLAG_COLLISION ? 1 : 0;
}

void record_counts_add(struct session *s, const struct raw_record *raw,
		       const struct session_event *e, uint64_t time)
{
	switch (raw->header.type) {
	case PERF_RECORD_SAMPLE:
		sample_counts_add(&s->sample_counts, true, e, time);
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		record_counts_add_lost(s, raw, e ? &e->attr : NULL);
		break;
	case PERF_RECORD_AUX:
		record_counts_add_aux(s, raw, e ? &e->attr : NULL);
		break;
	case PERF_RECORD_THROTTLE:
		s->counts.throttled++;
		break;
	default:
		break;
	}
}
