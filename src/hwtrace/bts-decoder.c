/* SPDX-License-Identifier: MIT */
/* Makes samples from Intel BTS: each record is a branch. It contains no times. */
#include "hwtrace/bts-decoder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/diag.h"
#include "base/memory.h"
#include "hwtrace/branch-insn.h"

/* The distance between the ids of synthesised events and those of the kernel. */
#define ID_DISTANCE 1000000000

#define ERROR_TYPE_INSTRUCTIONS 1
#define ERROR_NO_INSTRUCTION    5

#define INSN_MAX 15

struct bts_decoder {
	struct aux_decoder base;
	struct aux_host host;
	struct itrace options;
	uint64_t id;
};

struct bts_stream {
	struct aux_stream base;
	size_t piece, at; /* position of the next record */
	uint64_t made;    /* samples so far, including skipped ones */
	bool found;       /* the sample below is ready to be taken */
	bool failed;      /* an error about its code has been reported */
	struct bts_branch branch;
	struct aux_facts facts;
	struct aux_task task;
};

static void bts_decoder_add_event(struct bts_decoder *d, const struct aux_event *recorded)
{
	const struct attr *r = &recorded->attr;
	const struct attr a = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
		.size = r->size,
		.sample_period = 1,
		.sample_type = (r->sample_type &
				(PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_IDENTIFIER)) |
			       PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR |
			       PERF_SAMPLE_PERIOD,
		.exclude_user = r->exclude_user,
		.exclude_kernel = r->exclude_kernel,
		.exclude_hv = r->exclude_hv,
		.exclude_host = r->exclude_host,
		.exclude_guest = r->exclude_guest,
		.sample_id_all = r->sample_id_all,
		.read_format = r->read_format,
	};
	_cleanup_(freep) char *name = aux_event_name("branches", &a);

	d->id = recorded->id + ID_DISTANCE;
	aux_decoder_add_event(&d->base, name, &a, d->id);
}

static int open_bts(const struct aux_setup *setup, struct aux_decoder **ret, struct diag *diag)
{
	const struct aux_event *recorded;
	struct bts_decoder *d;

	if (setup->words.n < BTS_INFO_WORDS)
		return diag_set(diag, -EBADMSG,
				"the AUXTRACE_INFO record of Intel BTS is too short: nothing of "
				"its traces is decoded");
	recorded = aux_setup_recorded(setup, words_get(&setup->words, BTS_INFO_PMU_TYPE));
	if (!recorded)
		return diag_set(diag, -EBADMSG,
				"no event of the recording is of the PMU that its Intel BTS traces "
				"are of: they are not decoded");
	d = xcalloc(1, sizeof(*d));
	d->base.class = &bts_class;
	d->base.timeless = true;
	d->host = setup->host;
	d->options = setup->options;
	if (d->options.branches)
		bts_decoder_add_event(d, recorded);
	*ret = &d->base;
	return 0;
}

static void free_bts(struct aux_decoder *d)
{
	free((struct bts_decoder *)d);
}

static struct aux_stream *bts_stream_new(struct aux_decoder *d, const struct aux_queue *q)
{
	struct bts_stream *s = xcalloc(1, sizeof(*s));

	s->base = (struct aux_stream){ .decoder = d, .queue = q };
	return &s->base;
}

static void bts_stream_free(struct aux_stream *s)
{
	free((struct bts_stream *)s);
}

static const struct bts_decoder *bts_decoder_of(const struct bts_stream *s)
{
	return (const struct bts_decoder *)s->base.decoder;
}

/* Moves to the next record. The rest of a piece that is shorter than a record is skipped. */
static bool bts_decoder_next_record(struct bts_stream *s)
{
	const struct aux_queue *q = s->base.queue;

	for (; s->piece < q->n; s->piece++, s->at = 0) {
		const struct aux_piece *p = &q->items[s->piece];

		if (s->at < p->size &&
		    bts_branch_decode(p->bytes + s->at, p->size - s->at, &s->branch)) {
			s->at += BTS_BRANCH_SIZE;
			return true;
		}
	}
	return false;
}

static void bts_decoder_find_task(struct bts_stream *s)
{
	const struct aux_host *h = &bts_decoder_of(s)->host;
	const struct aux_queue *q = s->base.queue;

	s->task = (struct aux_task){ AUX_NONE, AUX_NONE };
	if (q->tid != AUX_NONE)
		s->task.tid = q->tid;
	else if (q->cpu != AUX_NONE && h->running)
		h->running(h->arg, q->cpu, UINT64_MAX, &s->task);
	if (s->task.tid != AUX_NONE && h->process)
		h->process(h->arg, s->task.tid, 0, &s->task.pid);
}

static void find_insn(struct bts_stream *s)
{
	const struct aux_host *h = &bts_decoder_of(s)->host;
	uint8_t code[INSN_MAX];
	size_t n = h->code ? h->code(h->arg, s->task.pid, 0, s->branch.from, code, sizeof(code))
			   : 0;

	s->facts.insn_length = (uint16_t)branch_insn(code, n, &s->facts.flags);
	s->failed = !s->facts.insn_length;
	if (!s->failed)
		memcpy(s->facts.insn, code, s->facts.insn_length);
}

static void bts_decoder_describe(struct bts_stream *s)
{
	s->facts = (struct aux_facts){ 0 };
	s->failed = false;
	bts_decoder_find_task(s);
	if (!s->branch.from)
		s->facts.flags = AUX_FLAG_BRANCH | AUX_FLAG_TRACE_BEGIN;
	else if (!s->branch.to)
		s->facts.flags = AUX_FLAG_BRANCH | AUX_FLAG_TRACE_END;
	else
		find_insn(s);
}

static bool bts_decoder_is_chosen(const struct bts_stream *s)
{
	const struct itrace *o = &bts_decoder_of(s)->options;
	uint32_t flags = s->facts.flags;

	if (!s->base.decoder->events.n)
		return false;
	if (!o->calls && !o->returns)
		return true;
	return (o->calls && (flags & (AUX_FLAG_CALL | AUX_FLAG_TRACE_END))) ||
	       (o->returns && (flags & (AUX_FLAG_RETURN | AUX_FLAG_TRACE_BEGIN)));
}

/* True if the sample is skipped. Linux's perf skips one more than requested. */
static bool bts_decoder_is_skipped(struct bts_stream *s)
{
	uint64_t skip = bts_decoder_of(s)->options.skip;

	return skip && s->made++ <= skip;
}

static bool peek_bts(struct aux_stream *base, uint64_t *ret_time)
{
	struct bts_stream *s = (struct bts_stream *)base;
	const struct bts_decoder *d = bts_decoder_of(s);

	*ret_time = 0;
	while (!s->found && !s->failed) {
		if (!bts_decoder_next_record(s))
			return false;
		if (!s->branch.from && !s->branch.to)
			continue;
		bts_decoder_describe(s);
		s->failed = s->failed && d->options.errors;
		s->found = bts_decoder_is_chosen(s) && !bts_decoder_is_skipped(s);
	}
	return true;
}

static void bts_decoder_make_error(struct bts_stream *s, struct aux_item *ret)
{
	s->failed = false;
	*ret = (struct aux_item){ .kind = AUX_ERROR };
	ret->error = (struct record_auxtrace_error){
		.type = ERROR_TYPE_INSTRUCTIONS,
		.code = ERROR_NO_INSTRUCTION,
		.cpu = s->base.queue->cpu,
		.pid = s->task.pid,
		.tid = s->task.tid,
		.fmt = 1,
		.ip = s->branch.from,
		.msg = "Failed to get instruction",
	};
}

static void bts_decoder_make_sample(struct bts_stream *s, struct aux_item *ret)
{
	const struct bts_decoder *d = bts_decoder_of(s);
	uint64_t ip = s->branch.from ? s->branch.from : s->branch.to;

	s->found = false;
	*ret = (struct aux_item){ .kind = AUX_SAMPLE, .facts = s->facts };
	ret->sample = (struct sample){
		.misc = ip >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		.id = d->id,
		.stream_id = d->id,
		.pid = s->task.pid,
		.tid = s->task.tid,
		.ip = s->branch.from,
		.addr = s->branch.to,
		.cpu = s->base.queue->cpu,
		.period = 1,
	};
}

static void take_bts(struct aux_stream *base, struct aux_item *ret)
{
	struct bts_stream *s = (struct bts_stream *)base;

	if (s->failed)
		bts_decoder_make_error(s, ret);
	else
		bts_decoder_make_sample(s, ret);
}

const struct aux_class bts_class = {
	.type = AUXTRACE_INTEL_BTS,
	.name = "Intel BTS",
	.open = open_bts,
	.free = free_bts,
	.stream = bts_stream_new,
	.stream_free = bts_stream_free,
	.peek = peek_bts,
	.take = take_bts,
};

#define BTS_PREDICTED 0x10

/* True if the machine's byte order differs from that of the trace, which is always x86's. */
static bool is_swapped(void)
{
	return __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__;
}

bool bts_branch_decode(const uint8_t *bytes, size_t n, struct bts_branch *ret)
{
	struct cursor c = cursor_over(bytes, n, is_swapped());
	struct bts_branch b = { .from = cursor_u64(&c), .to = cursor_u64(&c) };

	b.predicted = cursor_u64(&c) & BTS_PREDICTED;
	if (c.bad)
		return false;
	*ret = b;
	return true;
}
