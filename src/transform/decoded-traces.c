/* SPDX-License-Identifier: MIT */
#include "transform/decoded-traces.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/memory.h"
#include "transform/transform.h"

struct decoded_traces {
	struct transform transform;
	struct decoded_traces_options options;
};

static struct decoded_traces *traces_of(struct transform *t)
{
	return (struct decoded_traces *)((char *)t - offsetof(struct decoded_traces, transform));
}

/*
 * True for the traces, and for records about where and how they were written. An ID_INDEX does not
 * contain the new events, but readers assume that it is complete; the ids are in the header anyway.
 */
static bool is_trace(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_AUX:
	case PERF_RECORD_ITRACE_START:
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
	case PERF_RECORD_AUXTRACE_INFO:
	case PERF_RECORD_AUXTRACE:
	case PERF_RECORD_ID_INDEX:
		return true;
	default:
		return false;
	}
}

static bool is_stripped(const struct delivered *d)
{
	switch (d->raw.header.type) {
	case PERF_RECORD_SAMPLE:
		return !d->event || !d->event->decoded;
	case PERF_RECORD_READ:
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return true;
	default:
		return false;
	}
}

static int decoded_traces_take(struct transform *t, const struct delivered *d)
{
	const struct decoded_traces *dt = traces_of(t);
	const char *why = session_undecoded(dt->options.session);
	struct delivered plain;

	if (why)
		return diag_set(dt->options.diag, -EOPNOTSUPP, "%s", why);
	if (is_trace(d->raw.header.type) || (dt->options.strip && is_stripped(d)))
		return 0;
	if (!session_trace_facts(d))
		return transform_pass(t, d);
	/* The facts about a decoded sample are for readers of this process. */
	plain = *d;
	plain.raw.payload = NULL;
	plain.raw.payload_size = 0;
	return transform_pass(t, &plain);
}

static const struct transform_kind kind = { .take = decoded_traces_take };

struct decoded_traces *decoded_traces_new(const struct decoded_traces_options *o)
{
	struct decoded_traces *t = xcalloc(1, sizeof(*t));

	t->transform.kind = &kind;
	t->options = *o;
	return t;
}

void decoded_traces_free(struct decoded_traces *t)
{
	free(t);
}

struct transform *decoded_traces_transform(struct decoded_traces *t)
{
	return &t->transform;
}
