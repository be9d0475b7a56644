/* SPDX-License-Identifier: MIT */
#include "capture/record-file.h"

#include <unistd.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/lost.h"
#include "capture/opened-events.h"
#include "capture/record-drain.h"
#include "capture/record-sink.h"
#include "capture/synth.h"
#include "capture/host-facts.h"
#include "datafile/features.h"

static int record_file_write_bytes(struct writer *w, const struct bytes *b, struct diag *diag)
{
	int r = b->n ? writer_write(w, 0, b->data, b->n) : 0;

	if (r >= 0)
		r = writer_flush(w);
	return r < 0 ? writer_explain(w, r, diag) : 0;
}

/* Adds the synthesised beginning; without a plan it is only FINISHED_INIT. */
static void add_beginning(const struct record_file *f, bool first, struct bytes *out)
{
	const struct record_header init = { .type = PERF_RECORD_FINISHED_INIT,
					    .size = RECORD_HEADER_SIZE };

	if (f->synth && !f->tail && first) {
		synth_prologue(f->synth, out);
		return;
	}
	if (f->synth && !f->tail)
		synth_state(f->synth, out);
	else if (f->synth && first)
		synth_workload(f->synth, out);
	bytes_add(out, &init, sizeof(init));
}

int record_file_begin(const struct record_file *f, bool first, struct writer **ret,
		      struct diag *diag)
{
	_cleanup_(writer_freep) struct writer *w = NULL;
	_cleanup_(bytes_done) struct bytes b = { 0 };
	int r = writer_open(f->path, f->path ? -1 : STDOUT_FILENO, &f->options, &w, diag);

	if (r >= 0 && f->created)
		r = f->created(f->arg, f->path, diag);
	if (r >= 0)
		r = writer_begin(w, f->events, f->n_events, f->early, diag);
	if (r < 0)
		return r;
	add_beginning(f, first, &b);
	r = record_file_write_bytes(w, &b, diag);
	if (r < 0)
		return r;
	if (f->sink && first)
		f->sink->tell(f->sink->arg, b.data, b.n);
	if (f->sink)
		f->sink->write_to(f->sink->arg, w);
	*ret = TAKE(w);
	return 0;
}

static void record_file_add_lost(void *arg, const struct opened_event *e, size_t place)
{
	uint64_t lost = lost_at(e, place);

	if (lost)
		synth_lost_samples(&e->event->attr, e->ids[place], lost, arg);
}

/* Adds one record for each event: its first place represents all of them. */
static void add_dropped(const struct record_file *f, const struct opened_events *events,
			struct bytes *out)
{
	for (size_t i = 0; f->dropped && i < events->n; i++) {
		const struct opened_event *e = &events->items[i];
		uint64_t n = f->dropped(f->arg, i);
		size_t place = 0;

		while (place < opened_event_places(e) && e->fds[place] < 0)
			place++;
		if (n && place < opened_event_places(e))
			synth_dropped_samples(&e->event->attr, e->ids[place], n, out);
	}
}

/* Adds the compression ratio, which is known only now. */
static void record_file_add_ratio(const struct record_file *f, const struct writer *w,
				  struct features *late)
{
	uint64_t packed = writer_compressed_size(w);

	if (!packed || !features_have(f->early, FEATURE_COMPRESSED))
		return;
	late->compressed = f->early->compressed;
	late->compressed.ratio = (uint32_t)((writer_uncompressed_size(w) + packed / 2) / packed);
	features_mark(late, FEATURE_COMPRESSED);
}

/* Adds the places of the pieces of a hardware trace. */
static void add_aux_index(const struct record_file *f, struct features *late)
{
	for (size_t i = 0; i < f->n_drains; i++)
		for (size_t k = 0; k < f->drains[i].aux_index.n; k++) {
			const struct aux_entry *e = &f->drains[i].aux_index.items[k];
			__typeof__(late->auxtrace.index.items) at =
				ARRAY_ADD(&late->auxtrace.index);

			at->file_offset = e->offset;
			at->size = e->size;
		}
	if (f->traces)
		features_mark(late, FEATURE_AUXTRACE);
}

int record_file_end(const struct record_file *f, struct writer *w,
		    const struct opened_events *events, struct diag *diag)
{
	_cleanup_(features_done) struct features late = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	_cleanup_(freep) char *path = f->path ? writer_path(w) : NULL;
	int r;

	if (f->tail && f->synth)
		synth_state(f->synth, &b);
	opened_events_for_each(events, record_file_add_lost, &b);
	add_dropped(f, events, &b);
	record_file_add_ratio(f, w, &late);
	add_aux_index(f, &late);
	host_facts_bpf_late(f->early, f->kept, &late);
	r = record_file_write_bytes(w, &b, diag);
	if (r >= 0 && f->complete && path && writer_can_be_read(w))
		r = f->complete(f->arg, path, &late, diag);
	return r < 0 ? r : writer_finish(w, &late, diag);
}
