/* SPDX-License-Identifier: MIT */
#include "measure/record-filter.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "bpf/sample-filter.h"
#include "capture/opened-events.h"
#include "event/data-filter.h"

struct record_filters {
	struct bpf_sample_filter **of; /* by event; NULL: the event has no filter */
	size_t n;
};

void record_filters_free(struct record_filters *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n; i++)
		bpf_sample_filter_free(f->of[i]);
	free(f->of);
	free(f);
}
DEFINE_FREEP(record_filters)

static int record_filter_attach(const struct opened_event *e, struct bpf_sample_filter **ret,
				struct diag *diag)
{
	int r = data_filter_check(e->event->data_filter, &e->event->attr, e->event->name, diag);

	if (r >= 0)
		r = bpf_sample_filter_new(e->event->data_filter, ret, diag);
	for (size_t i = 0; i < opened_event_places(e) && r >= 0; i++)
		if (e->fds[i] >= 0)
			r = bpf_sample_filter_attach(*ret, e->fds[i], e->ids[i], e->event->name,
						     diag);
	return r;
}

int record_filters_attach(const struct opened_events *es, struct record_filters **ret,
			  struct diag *diag)
{
	_cleanup_(record_filters_freep) struct record_filters *f = NULL;
	int r = 0;

	for (size_t i = 0; i < es->n && r >= 0; i++) {
		if (!es->items[i].event->data_filter)
			continue;
		if (!f) {
			f = xcalloc(1, sizeof(*f));
			f->of = xcalloc(es->n, sizeof(*f->of));
			f->n = es->n;
		}
		r = record_filter_attach(&es->items[i], &f->of[i], diag);
	}
	if (r >= 0)
		*ret = TAKE(f);
	return r;
}

uint64_t record_filters_dropped(const struct record_filters *f, size_t i)
{
	return f && i < f->n && f->of[i] ? bpf_sample_filter_dropped(f->of[i]) : 0;
}
