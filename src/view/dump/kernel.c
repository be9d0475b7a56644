/* SPDX-License-Identifier: MIT */
/* The fields of the kernel's records that are printed differently from `script --show-*-events`. */
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "session/machine.h"
#include "view/dump/line.h"
#include "view/record-text.h"

void dump_lost(const struct dump_line *l)
{
	fprintf(l->out, ": id:%" PRIu64 ": lost:%" PRIu64 "\n", l->r.lost.id, l->r.lost.lost);
}

/* Prints lost samples. The id is that of the trailer, or all ones if that has none. */
void dump_lost_samples(const struct dump_line *l)
{
	const struct session_event *e = l->rec->event;
	bool has_id = e && e->attr.sample_id_all && sample_id_offset(&e->attr) >= 0;

	fprintf(l->out, ": id:%" PRIu64 ": lost samples :%" PRIu64 "\n",
		has_id ? l->r.id.id : UINT64_MAX, l->r.lost.lost);
}

void dump_read(const struct dump_line *l)
{
	const struct record_read *r = &l->r.read;
	struct read_value v = r->n ? record_read_value(r, 0) : (struct read_value){ 0 };

	fprintf(l->out, ": %d %d ", (int)r->pid, (int)r->tid);
	dump_text(l->out, l->rec->event ? l->rec->event->name : "unknown");
	fprintf(l->out, " %" PRIu64 "\n", v.value);
	if (r->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		fprintf(l->out, "... time enabled : %" PRIu64 "\n", r->enabled);
	if (r->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		fprintf(l->out, "... time running : %" PRIu64 "\n", r->running);
	if (r->read_format & PERF_FORMAT_ID)
		fprintf(l->out, "... id           : %" PRIu64 "\n", v.id);
	if (r->read_format & PERF_FORMAT_LOST)
		fprintf(l->out, "... lost         : %" PRIu64 "\n", v.lost);
	if (!l->dump->for_report)
		fputs(": unhandled!\n", l->out);
}

void dump_text_poke(const struct dump_line *l)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct location at;

	machine_resolve(l->dump->session, UINT32_MAX, ADDRESS_KERNEL, l->r.text_poke.addr,
			l->rec->time, &at);
	record_text_poke(&t, &l->r, &at);
	fprintf(l->out, "%s\n", t.chars + strlen(record_type_name(l->r.header.type)));
}

void dump_hw_id(const struct dump_line *l)
{
	fprintf(l->out, " hw_id: 0x%" PRIx64 "\n", l->r.hw_id);
}

void dump_callchain_deferred(const struct dump_line *l)
{
	fprintf(l->out, "(IP, 0x%x): %d/%d: %#" PRIx64 "\n", l->r.header.misc, (int)l->r.id.pid,
		(int)l->r.id.tid, l->r.callchain_deferred.cookie);
	dump_chain(l->out, &l->r.callchain_deferred.ips);
}
