/* SPDX-License-Identifier: MIT */
/*
 * Makes samples from CoreSight traces: branches and instructions.
 *
 * An AUX record gives the beginning of a piece of the trace that does not continue the previous
 * one, and whether frames of several trace units are mixed in it. Timestamps of a trace are of a
 * separate clock. They order CPUs among each other; the time of samples is that of the last AUX
 * record, because nothing better is known.
 */
#include "hwtrace/cs-decoder.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/budget.h"
#include "base/diag.h"
#include "base/memory.h"
#include "hwtrace/cs-flow.h"
#include "hwtrace/cs-info.h"
#include "hwtrace/cs-tree.h"

/* Bits of attr.config, which are those of ETMCR for all kinds of units. */
#define CONFIG_TIMESTAMP (UINT64_C(1) << 28)

#define ID_DISTANCE 1000000000

#define SAMPLES_INHERIT                                                                            \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |                    \
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER)
#define SAMPLES_HAVE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD)

/* Data is passed to the library in pieces of whole frames, so that few elements wait at a time. */
#define CHUNK_SIZE 1024

/* Items of all CPUs come at the end of the file, in the order of their timestamps. */
#define AT_THE_END (UINT64_C(1) << 63)

#define NO_EVENT SIZE_MAX

/*
 * A queue may contain data of all trace units, which take far more memory than a short queue has
 * bytes. All streams together may use a basic amount, and an amount for each byte of trace.
 */
#define MEMORY_FREE     (UINT64_C(40) << 20)
#define MEMORY_PER_BYTE 32
#define UNIT_COST       (10 << 10) /* measured memory of a unit in a stream, in the library */
#define STREAM_COST     (sizeof(struct cs_work) + (40 << 10))
/* this part of the cost is not returned: the library keeps memory, and takes time */
#define KEPT_PART 16

/* AUX records are searched for each queue. There are fewer queues than this. */
#define STEPS_FREE      (UINT64_C(1) << 26)
#define STEPS_PER_WRITE 4096

struct cs_decoder {
	struct aux_decoder base;
	struct cs_info info;
	struct aux_host host;
	struct cs_flow_setup flow;
	size_t branches, instructions; /* indices into base.events, or NO_EVENT */
	pthread_mutex_t library; /* may be used by one thread at a time; it also guards the rest: */
	struct budget memory, steps;
	size_t n_writes; /* AUX records for which steps were added */
	bool left_out;   /* traces were left out, for lack of budget */
	char *remark;
};

/* The data needed to decode a queue. */
struct cs_work {
	struct cs_info info; /* including the ids from its records */
	struct cs_tree *tree, *raw_tree;
	struct cs_flow flow;
	struct cs_sample sample; /* the next sample, if */
	bool found;
	uint64_t cost; /* in bytes */
};

struct cs_stream {
	struct aux_stream base;
	struct cs_decoder *decoder;
	struct cs_work *work; /* NULL: nothing to decode yet, or no memory for it */
	bool is_raw, failed;
	bool has_writes;     /* AUX records give the beginnings of its pieces */
	size_t n_looked;     /* number of records searched for that */
	size_t n_paid;       /* number of records paid for */
	uint64_t offset;     /* offset of the area from which on nothing was fed */
	size_t write, piece; /* current position: AUX record and piece of the queue */
	size_t at, end;      /* remaining range of the piece */
};

static void cs_decoder_add_events(struct cs_decoder *d, const struct aux_event *recorded)
{
	uint64_t types = (recorded->attr.sample_type & SAMPLES_INHERIT) | SAMPLES_HAVE;
	struct attr attr = aux_attr_like(&recorded->attr, types, d->base.timeless);
	uint64_t id = recorded->id + ID_DISTANCE ? recorded->id + ID_DISTANCE : 1;

	d->branches = d->instructions = NO_EVENT;
	if (d->flow.branches) {
		attr.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
		attr.sample_period = 1;
		attr.sample_type |= PERF_SAMPLE_ADDR;
		d->branches = aux_decoder_add_event(&d->base, NULL, &attr, id++);
		attr.sample_type &= ~(uint64_t)PERF_SAMPLE_ADDR;
	}
	if (d->flow.instructions) {
		attr.config = PERF_COUNT_HW_INSTRUCTIONS;
		attr.sample_period = d->flow.period;
		if (d->flow.last_branch) {
			attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
			attr.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX;
		}
		d->instructions = aux_decoder_add_event(&d->base, NULL, &attr, id);
	}
}

static bool threads_are_vmids(const struct cs_info *info)
{
	for (size_t i = 0; i < info->n_units; i++) {
		const struct cs_unit *u = &info->units[i];

		if (u->magic != CS_ETM_3_MAGIC &&
		    (u->registers[CS_ETM_4_CONFIG] & CS_CONFIG_VMID) == CS_CONFIG_VMID)
			return true;
	}
	return false;
}

/* Checks that the library exists and accepts the units. */
static int try_library(const struct cs_info *info, struct diag *diag)
{
	_cleanup_(cs_tree_freep) struct cs_tree *t = NULL;

	return cs_tree_new(&(struct cs_tree_setup){ .info = info }, &t, diag);
}

static int cs_decoder_check(const struct aux_setup *setup, struct cs_info *info,
			    const struct aux_event **recorded, struct diag *diag)
{
	if (cs_info_read(&setup->words, info) < 0)
		return diag_set(diag, -EBADMSG,
				"the AUXTRACE_INFO record of CoreSight cannot be understood: "
				"nothing of its traces is decoded");
	*recorded = aux_setup_recorded(setup, info->pmu_type);
	if (!*recorded)
		return diag_set(diag, -EBADMSG,
				"no event of the recording is of the PMU that its CoreSight traces "
				"are of: they are not decoded");
	return try_library(info, diag);
}

static uint64_t time_of_samples(const struct cs_decoder *d)
{
	return d->base.timeless || !d->host.last_write ? 0 : d->host.last_write(d->host.arg);
}

static uint32_t cs_decoder_process_of(const struct cs_decoder *d, uint32_t tid, uint64_t time)
{
	uint32_t pid = tid;

	if (tid != AUX_NONE && d->host.process)
		d->host.process(d->host.arg, tid, time, &pid);
	return pid;
}

static size_t code_of_thread(void *arg, uint32_t tid, uint64_t addr, uint8_t *bytes, size_t n)
{
	const struct cs_decoder *d = arg;
	uint64_t time = time_of_samples(d);

	if (!d->host.code)
		return 0;
	return d->host.code(d->host.arg, cs_decoder_process_of(d, tid, time), time, addr, bytes, n);
}

static void cs_decoder_want(struct cs_decoder *d, const struct itrace *o)
{
	d->flow = (struct cs_flow_setup){
		.branches = o->branches || o->calls || o->returns,
		.instructions = o->instructions && o->period,
		.thread_is_vmid = threads_are_vmids(&d->info),
		.period = o->period ? o->period : 1,
		.last_branch = o->last_branch ? o->last_branch_size : 0,
		.code = code_of_thread,
		.arg = d,
	};
}

static int open_cs(const struct aux_setup *setup, struct aux_decoder **ret, struct diag *diag)
{
	const struct aux_event *recorded = NULL;
	struct cs_info info = { 0 };
	struct cs_decoder *d;
	int r = cs_decoder_check(setup, &info, &recorded, diag);

	if (r < 0) {
		cs_info_done(&info);
		return r;
	}
	d = xcalloc(1, sizeof(*d));
	d->base.class = &cs_class;
	d->base.timeless = setup->options.timeless || !(recorded->attr.config & CONFIG_TIMESTAMP);
	d->info = info;
	d->host = setup->host;
	pthread_mutex_init(&d->library, NULL);
	d->memory.left = MEMORY_FREE;
	d->steps.left = STEPS_FREE;
	cs_decoder_want(d, &setup->options);
	cs_decoder_add_events(d, recorded);
	*ret = &d->base;
	return 0;
}

static void free_cs(struct aux_decoder *base)
{
	struct cs_decoder *d = (struct cs_decoder *)base;

	cs_info_done(&d->info);
	pthread_mutex_destroy(&d->library);
	free(d->remark);
	free(d);
}

static void cs_decoder_take_element(void *arg, const struct cs_element *e)
{
	struct cs_stream *s = arg;

	cs_flow_add(&s->work->flow, e);
}

static size_t cs_decoder_read_code(void *arg, uint8_t id, uint64_t addr, uint8_t *bytes, size_t n)
{
	struct cs_stream *s = arg;

	return code_of_thread(s->decoder, cs_flow_thread(&s->work->flow, id), addr, bytes, n);
}

/*
 * Returns the units with their ids: since Linux 6.2 the id of a unit is chosen when it is used, and
 * given by a record.
 */
static struct cs_info info_with_ids(const struct cs_decoder *d)
{
	struct cs_info info = { .pmu_type = d->info.pmu_type, .n_units = d->info.n_units };
	uint64_t id;

	info.units = xcalloc(info.n_units ? info.n_units : 1, sizeof(info.units[0]));
	for (size_t i = 0; i < info.n_units; i++) {
		info.units[i] = d->info.units[i];
		if (d->host.hw_id && d->host.hw_id(d->host.arg, info.units[i].cpu, &id))
			info.units[i].id = id & 0x7f;
	}
	return info;
}

static struct aux_stream *cs_stream_new(struct aux_decoder *base, const struct aux_queue *q)
{
	struct cs_decoder *d = (struct cs_decoder *)base;
	struct cs_stream *s = xcalloc(1, sizeof(*s));

	s->base = (struct aux_stream){ .decoder = base, .queue = q };
	s->decoder = d;
	return &s->base;
}

/* Returns the cost of decoding a queue: two trees at worst, of which one has a single unit. */
static uint64_t cost_of_work(const struct cs_decoder *d)
{
	uint64_t branches = 3 * sizeof(uint64_t) * (uint64_t)d->flow.last_branch;

	return STREAM_COST + branches + (d->info.n_units + 1) * (UNIT_COST + branches);
}

/* Begins decoding, under the lock. False: there is no memory for it. */
static bool begin_work(struct cs_stream *s)
{
	struct cs_decoder *d = s->decoder;
	uint64_t cost = cost_of_work(d);

	if (s->work)
		return true;
	if (!budget_take(&d->memory, cost)) {
		d->left_out = true;
		return false;
	}
	s->work = xcalloc(1, sizeof(*s->work));
	s->work->cost = cost;
	s->work->info = info_with_ids(d);
	cs_flow_init(&s->work->flow, &d->flow, s->base.queue->tid);
	return true;
}

/*
 * Adds the remark about missing code, under the lock. The first address is that of the first stream
 * that ends.
 */
static void note_no_code(struct cs_decoder *d, const struct cs_flow *f)
{
	if (!f->no_code || d->remark)
		return;
	d->remark = xasprintf(
		"CoreSight: no code was found at addresses of the trace, as %#" PRIx64
		": what ran there is missing (--symfs, the build-id cache or -k may have it)",
		f->first_no_code);
}

/* Ends the work @w. The caller holds the lock. */
static void end_work(struct cs_decoder *d, struct cs_work *w)
{
	cs_tree_free(w->tree);
	cs_tree_free(w->raw_tree);
	note_no_code(d, &w->flow);
	cs_flow_done(&w->flow);
	cs_info_done(&w->info);
	budget_add(&d->memory, w->cost - w->cost / KEPT_PART, 1);
	free(w);
}

static void cs_stream_free(struct aux_stream *base)
{
	struct cs_stream *s = (struct cs_stream *)base;
	struct cs_decoder *d = s->decoder;

	if (s->work) {
		pthread_mutex_lock(&d->library);
		end_work(d, s->work);
		pthread_mutex_unlock(&d->library);
	}
	free(s);
}

static const struct cs_unit *cs_decoder_unit_of_cpu(const struct cs_stream *s, uint32_t cpu)
{
	for (size_t i = 0; i < s->work->info.n_units; i++)
		if (s->work->info.units[i].cpu == cpu)
			return &s->work->info.units[i];
	return NULL;
}

static uint32_t cpu_of_unit(const struct cs_stream *s, uint8_t id)
{
	for (size_t i = 0; i < s->work->info.n_units; i++)
		if (s->work->info.units[i].id == id)
			return s->work->info.units[i].cpu;
	return s->base.queue->cpu;
}

/* Returns the tree for the current piece, made when it is first needed; NULL: it cannot be made. */
static struct cs_tree *cs_decoder_tree_of(struct cs_stream *s, uint32_t cpu)
{
	struct cs_tree **tree = s->is_raw ? &s->work->raw_tree : &s->work->tree;
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct cs_tree_setup setup = {
		.info = &s->work->info,
		.only = s->is_raw ? cs_decoder_unit_of_cpu(s, cpu) : NULL,
		.sink = { .element = cs_decoder_take_element,
			  .code = cs_decoder_read_code,
			  .arg = s },
	};

	if (!*tree && (setup.only || !s->is_raw))
		cs_tree_new(&setup, tree, &diag);
	return *tree;
}

/* Begins with @size bytes at @from of the current piece. */
static void begin_piece(struct cs_stream *s, size_t from, size_t size, bool is_raw)
{
	const struct aux_piece *p = &s->base.queue->items[s->piece];
	struct cs_tree *t;

	s->is_raw = is_raw;
	s->at = from;
	s->end = from + size;
	budget_add(&s->decoder->memory, size, MEMORY_PER_BYTE);
	t = begin_work(s) ? cs_decoder_tree_of(s, p->cpu) : NULL;
	s->failed = !t;
	if (t)
		cs_tree_reset(t);
}

static bool is_of_queue(const struct aux_write *w, const struct aux_queue *q)
{
	return q->cpu != AUX_NONE ? w->cpu == q->cpu : w->tid == q->tid;
}

/* True if the current piece has bytes of the range of @w; decoding then begins with them. */
static bool begin_write(struct cs_stream *s, const struct aux_write *w)
{
	const struct aux_queue *q = s->base.queue;
	const struct aux_piece *p;
	uint64_t from, left;

	while (s->piece < q->n && w->offset >= q->items[s->piece].offset + q->items[s->piece].size)
		s->piece++;
	if (s->piece >= q->n)
		return false;
	p = &q->items[s->piece];
	if (w->offset < p->offset || w->offset < s->offset || !w->size)
		return false;
	from = w->offset - p->offset;
	left = p->size - from;
	s->offset = w->offset + (w->size < left ? w->size : left);
	begin_piece(s, from, w->size < left ? w->size : left,
		    w->flags & PERF_AUX_FLAG_CORESIGHT_RAW);
	return true;
}

/*
 * Begins a piece without AUX records, or with those of a snapshot, whose offsets have another
 * meaning.
 */
static bool begin_whole_piece(struct cs_stream *s)
{
	const struct aux_queue *q = s->base.queue;

	if (s->end)
		s->piece++;
	s->end = 0;
	if (s->piece >= q->n)
		return false;
	begin_piece(s, 0, q->items[s->piece].size, false);
	return true;
}

/* True if the budget is enough to search @n of all @n_writes AUX records. */
static bool may_look(struct cs_decoder *d, size_t n_writes, size_t n)
{
	budget_add(&d->steps, n_writes - d->n_writes, STEPS_PER_WRITE);
	d->n_writes = n_writes;
	if (budget_take(&d->steps, n))
		return true;
	d->left_out = true;
	return false;
}

/* True if any of the AUX records since the last call belongs to the queue. */
static bool find_writes(struct cs_stream *s, const struct aux_write *w, size_t n)
{
	for (; s->n_looked < n && !s->has_writes; s->n_looked++)
		s->has_writes = is_of_queue(&w[s->n_looked], s->base.queue) &&
				!(w[s->n_looked].flags & PERF_AUX_FLAG_OVERWRITE);
	return s->has_writes;
}

static bool cs_decoder_next_piece(struct cs_stream *s)
{
	struct cs_decoder *d = s->decoder;
	size_t n = 0;
	const struct aux_write *w = d->host.writes ? d->host.writes(d->host.arg, &n) : NULL;

	if (!may_look(d, n, n - s->n_paid))
		return false;
	s->n_paid = n;
	if (!find_writes(s, w, n))
		return begin_whole_piece(s);
	while (s->write < n) {
		const struct aux_write *next = &w[s->write++];

		if (is_of_queue(next, s->base.queue) && begin_write(s, next))
			return true;
	}
	return false;
}

static int feed_tree(struct cs_stream *s, const uint8_t *bytes, size_t n)
{
	return cs_tree_feed(s->is_raw ? s->work->raw_tree : s->work->tree, s->at, bytes, n);
}

static void end_piece(struct cs_stream *s)
{
	if (s->work)
		cs_flow_end(&s->work->flow);
}

/* Passes the next bytes to the library. False: there are none. */
static bool cs_decoder_feed(struct cs_stream *s)
{
	const struct aux_piece *p;
	size_t n;

	if (s->at >= s->end)
		return cs_decoder_next_piece(s);
	p = &s->base.queue->items[s->piece];
	n = s->end - s->at < CHUNK_SIZE ? s->end - s->at : CHUNK_SIZE;
	if (!s->failed)
		s->failed = feed_tree(s, p->bytes + s->at, n) < 0;
	s->at = s->failed ? s->end : s->at + n;
	if (s->at >= s->end)
		end_piece(s);
	return true;
}

static bool feed_alone(struct cs_stream *s)
{
	bool more;

	pthread_mutex_lock(&s->decoder->library);
	more = cs_decoder_feed(s);
	pthread_mutex_unlock(&s->decoder->library);
	return more;
}

static bool find_sample(struct cs_work *w)
{
	if (w && !w->found)
		w->found = cs_flow_next(&w->flow, &w->sample);
	return w && w->found;
}

static bool peek_cs(struct aux_stream *base, uint64_t *ret_time)
{
	struct cs_stream *s = (struct cs_stream *)base;

	while (!find_sample(s->work))
		if (!feed_alone(s))
			return false;
	*ret_time = base->decoder->timeless ? 0 : AT_THE_END | s->work->sample.time;
	return true;
}

static uint16_t cs_decoder_misc_of(uint64_t ip)
{
	return ip >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

static void take_cs(struct aux_stream *base, struct aux_item *ret)
{
	struct cs_stream *s = (struct cs_stream *)base;
	const struct cs_decoder *d = s->decoder;
	const struct cs_sample *from = &s->work->sample;
	size_t event = from->is_branch ? d->branches : d->instructions;

	s->work->found = false;
	*ret = (struct aux_item){ .event = event };
	ret->moment = time_of_samples(d);
	ret->sample = (struct sample){
		.misc = cs_decoder_misc_of(from->ip),
		.id = d->base.events.items[event].id,
		.stream_id = d->base.events.items[event].id,
		.ip = from->ip,
		.addr = from->to,
		.pid = cs_decoder_process_of(d, from->tid, ret->moment),
		.tid = from->tid,
		.time = ret->moment,
		.cpu = cpu_of_unit(s, from->id),
		.period = from->period,
		.branch_hw_index = UINT64_MAX,
		.branches = { (const uint8_t *)from->branches, 3 * from->n_branches, false },
	};
	ret->facts.flags = from->flags;
	ret->facts.insn_length = from->length;
	for (size_t i = 0; i < from->length && i < sizeof(from->insn); i++)
		ret->facts.insn[i] = from->insn[i];
}

static const char *remark_cs(const struct aux_decoder *base)
{
	const struct cs_decoder *d = (const struct cs_decoder *)base;

	if (d->left_out)
		return "CoreSight: the traces have so many parts for their size that decoding all "
		       "of them would take too much memory or time: some are left out";
	return d->remark;
}

const struct aux_class cs_class = {
	.type = AUXTRACE_CS_ETM,
	.name = "CoreSight ETM",
	.open = open_cs,
	.free = free_cs,
	.stream = cs_stream_new,
	.stream_free = cs_stream_free,
	.peek = peek_cs,
	.take = take_cs,
	.remark = remark_cs,
};
