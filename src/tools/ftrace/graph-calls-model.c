/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/graph-calls-model.h"

#include <errno.h>

#include "base/diag.h"
#include "tools/ftrace/ring-page-model.h"
#include "tracepoint/format.h"

/* No event has it. */
#define NO_ID UINT64_MAX

int graph_layout_parse(const char *entry, const char *exit, struct graph_layout *ret,
		       struct diag *diag)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *in = NULL, *out = NULL;
	struct graph_layout l = { .entry_id = NO_ID };
	int r = tracepoint_format_parse(exit, &out, diag);

	if (r >= 0 && entry)
		r = tracepoint_format_parse(entry, &in, diag);
	if (r < 0)
		return r;
	if (in)
		l.entry_id = in->id;
	l.exit_id = out->id;
	l.type = tracepoint_field_bind(out, "common_type", false);
	l.func = tracepoint_field_bind(out, "func", false);
	l.calltime = tracepoint_field_bind(out, "calltime", false);
	l.rettime = tracepoint_field_bind(out, "rettime", false);
	if (l.type.kind != FIELD_NUMBER || l.func.kind != FIELD_NUMBER ||
	    l.calltime.kind != FIELD_NUMBER || l.rettime.kind != FIELD_NUMBER)
		return diag_set(diag, -EBADMSG,
				"this kernel does not record when a function was called and when "
				"it returned (ftrace:funcgraph_exit)");
	*ret = l;
	return 0;
}

static void ftrace_graph_calls_take_record(const struct graph_layout *l,
					   const struct ring_record *r,
					   const struct graph_listener *listener,
					   struct graph_counts *counts)
{
	uint64_t type, func, calltime, rettime;

	if (!field_ref_number(&l->type, r->bytes, r->size, &type))
		return;
	if (type == l->entry_id)
		counts->entries++;
	if (type != l->exit_id || !field_ref_number(&l->func, r->bytes, r->size, &func) ||
	    !field_ref_number(&l->calltime, r->bytes, r->size, &calltime) ||
	    !field_ref_number(&l->rettime, r->bytes, r->size, &rettime))
		return;
	counts->calls++;
	/* CPUs' clocks may differ a little. */
	listener->call(listener->arg, func, rettime > calltime ? rettime - calltime : 0);
}

void graph_page_take(const struct graph_layout *l, const void *page, size_t size,
		     const struct graph_listener *listener, struct graph_counts *counts)
{
	struct ring_record record;
	struct ring_page p;

	if (ring_page_open(page, size, &p) < 0) {
		counts->damaged++;
		return;
	}
	counts->lost += p.lost;
	counts->lost_gaps += p.lost_some;
	while (ring_page_next(&p, &record))
		ftrace_graph_calls_take_record(l, &record, listener, counts);
}
