/* SPDX-License-Identifier: MIT */
#include "tools/script/dlfilter-work.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "session/consumer.h"
#include "symbol/code.h"
#include "tools/script/dlfilter-internal-work.h"

/* The value for memory accesses that were not recorded: PERF_MEM_NA everywhere. */
#define DATA_SRC_NONE 0x5080021

int dlfilter_open(const struct dlfilter_request *rq, struct dlfilter **ret, struct diag *diag)
{
	struct dlfilter_file file;
	int r = dlfilter_load(rq->file, rq->exec_path, &file, diag);

	if (r < 0)
		return r;

	struct dlfilter *f = xcalloc(1, sizeof(*f));

	f->file = file;
	f->request = rq;
	f->arguments = xcalloc(rq->n_arguments + 1, sizeof(*f->arguments));
	if (rq->n_arguments)
		memcpy(f->arguments, rq->arguments, rq->n_arguments * sizeof(*f->arguments));
	if (file.functions)
		*file.functions = dlfilter_functions;
	*ret = f;
	return 0;
}

void dlfilter_free(struct dlfilter *f)
{
	if (!f)
		return;
	dlfilter_unload(&f->file);
	code_store_free(f->code);
	free(f->arguments);
	free(f->branches.items);
	free(f->chain.items);
	free(f);
}

static const uint64_t *copy_words(struct dlfilter_words *w, const struct words *from)
{
	if (!from->n)
		return NULL;
	w->items = array_reserve(w->items, &w->room, from->n, sizeof(*w->items));
	for (size_t i = 0; i < from->n; i++)
		w->items[i] = words_get(from, i);
	return w->items;
}

static uint64_t if_recorded(const struct session_event *e, uint64_t bits, uint64_t value,
			    uint64_t otherwise)
{
	return e->attr.sample_type & bits ? value : otherwise;
}

static void dlfilter_show(struct dlfilter *f, const struct session_sample *ss)
{
	const struct session_event *e = ss->event;
	const struct sample *s = ss->sample;

	f->shown = (struct perf_dlfilter_sample){
		.size = sizeof(f->shown),
		.ins_lat = s->ins_latency,
		.p_stage_cyc = s->p_stage_cyc,
		.ip = s->ip,
		.pid = (int32_t)s->pid,
		.tid = (int32_t)s->tid,
		.time = if_recorded(e, PERF_SAMPLE_TIME, s->time, UINT64_MAX),
		.addr = s->addr,
		.id = if_recorded(e, PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER, s->id, UINT64_MAX),
		.stream_id = if_recorded(e, PERF_SAMPLE_STREAM_ID, s->stream_id, UINT64_MAX),
		.period = ss->period,
		.weight = s->weight,
		.transaction = s->transaction,
		.cpu = (int32_t)s->cpu,
		.data_src = if_recorded(e, PERF_SAMPLE_DATA_SRC, s->data_src, DATA_SRC_NONE),
		.phys_addr = s->phys_addr,
		.data_page_size = s->data_page_size,
		.code_page_size = s->code_page_size,
		.cgroup = s->cgroup,
		.cpumode = (uint8_t)(s->misc & PERF_RECORD_MISC_CPUMODE_MASK),
		.addr_correlates_sym = attr_addr_has_symbols(&e->attr),
		.misc = s->misc,
		.raw_size = s->raw_size,
		.raw_data = s->raw_size ? s->raw : NULL,
		.brstack_nr = s->branches.n / 3,
		.brstack = (const void *)copy_words(&f->branches, &s->branches),
		.raw_callchain_nr = s->chain.n,
		.raw_callchain = (const __u64 *)copy_words(&f->chain, &s->chain),
		.event = e->name,
		.vcpu = -1,
	};
}

static int dlfilter_refuse(const struct dlfilter *f, const char *function, int returned,
			   struct diag *diag)
{
	return diag_set(diag, returned < 0 && returned > -4096 ? returned : -EIO,
			"%s() of the filter '%s' returned %d", function, f->request->file,
			returned);
}

static int dlfilter_ask(struct dlfilter *f, dlfilter_event_fn *fn, const char *name,
			const struct session_sample *ss)
{
	int r;

	dlfilter_show(f, ss);
	f->sample = ss;
	f->ip.size = f->addr.size = 0;
	r = fn(f->data, &f->shown, f);
	f->sample = NULL;
	if (r >= 0)
		return r != 0;
	r = dlfilter_refuse(f, name, r, f->diag);
	diag_hint(f->diag, "It was at a sample of %s, time %" PRIu64 ".%09" PRIu64 ".",
		  ss->event->name, ss->time / 1000000000, ss->time % 1000000000);
	return r;
}

static int ask_early(void *arg, const struct session_sample *ss)
{
	struct dlfilter *f = arg;

	return dlfilter_ask(f, f->file.event_early, "filter_event_early", ss);
}

static int ask_late(void *arg, const struct session_sample *ss)
{
	struct dlfilter *f = arg;

	return dlfilter_ask(f, f->file.event, "filter_event", ss);
}

int dlfilter_start(struct dlfilter *f, struct session *s, const struct sample_filter *filter,
		   struct diag *diag)
{
	int r;

	f->session = s;
	f->filter = filter;
	f->diag = diag;
	f->hook = (struct sample_hook){ .early = f->file.event_early ? ask_early : NULL,
					.late = f->file.event ? ask_late : NULL,
					.arg = f };
	r = f->file.start ? f->file.start(&f->data, f) : 0;
	f->is_started = r >= 0;
	return r < 0 ? dlfilter_refuse(f, "start", r, diag) : 0;
}

const struct sample_hook *dlfilter_hook(const struct dlfilter *f)
{
	return &f->hook;
}

int dlfilter_stop(struct dlfilter *f, struct diag *diag)
{
	int r = f->is_started && f->file.stop ? f->file.stop(f->data, f) : 0;

	f->is_started = false;
	return r < 0 ? dlfilter_refuse(f, "stop", r, diag) : 0;
}
