/* SPDX-License-Identifier: MIT */
/*
 * Makes samples from Arm SPE: each sampled operation becomes a sample of every event that happened
 * to it, as --itrace requests them.
 *
 * A record ends with its timestamp, if it has one. A bad packet ends it too; the part before it
 * counts as in Linux's perf: as a record without a time, unless it is the first of its queue.
 */
#include "hwtrace/spe-decoder.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "hwtrace/spe-info.h"
#include "hwtrace/spe-packet.h"
#include "hwtrace/spe-record.h"
#include "hwtrace/spe-source.h"

/* The distance between the ids of synthesised events and those of the kernel. */
#define ID_DISTANCE 1000000000

/* The data that every sample of such an event has, and the data copied from the recorded event. */
#define SAMPLES_HAVE                                                                               \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD | PERF_SAMPLE_DATA_SRC |            \
	 PERF_SAMPLE_WEIGHT | PERF_SAMPLE_ADDR)
#define SAMPLES_INHERIT                                                                            \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | \
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER)

/* The events, in the order in which samples of them are made from a record. */
enum kind {
	L1D_MISS,
	L1D_ACCESS,
	LLC_MISS,
	LLC_ACCESS,
	TLB_MISS,
	TLB_ACCESS,
	BRANCH_MISS,
	REMOTE_ACCESS,
	MEMORY,
	INSTRUCTIONS,
	KINDS,
};

static const struct {
	const char *name;
	uint32_t event; /* event bit of the record, if nothing else decides */
} kinds[KINDS] = {
	[L1D_MISS] = { "l1d-miss", SPE_EVENT_L1D_MISS },
	[L1D_ACCESS] = { "l1d-access", SPE_EVENT_L1D_ACCESS },
	[LLC_MISS] = { "llc-miss", SPE_EVENT_LLC_MISS },
	[LLC_ACCESS] = { "llc-access", SPE_EVENT_LLC_ACCESS },
	[TLB_MISS] = { "tlb-miss", SPE_EVENT_TLB_WALK },
	[TLB_ACCESS] = { "tlb-access", SPE_EVENT_TLB_ACCESS },
	[BRANCH_MISS] = { "branch-miss", SPE_EVENT_MISPREDICTED },
	[REMOTE_ACCESS] = { "remote-access", SPE_EVENT_REMOTE },
	[MEMORY] = { "memory", 0 },
	[INSTRUCTIONS] = { "instructions", 0 },
};

#define NOT_WANTED SIZE_MAX

/* The main id register of a CPU. */
struct spe_cpu {
	uint64_t cpu, midr;
};

struct spe_decoder {
	struct aux_decoder base;
	struct aux_host host;
	struct time_conversion time;
	uint64_t midr; /* id of all CPUs; if the recording has that of each, see @cpus */
	struct {
		struct spe_cpu *items;
		size_t n, room;
	} cpus;
	uint64_t period;      /* number of instructions between samples */
	size_t events[KINDS]; /* indices into base.events, or NOT_WANTED */
	uint64_t ids[KINDS];
	/* For all streams: whether there were records of a whole CPU, and any with a thread. */
	atomic_bool cpu_wide, has_context;
};

struct spe_stream {
	struct aux_stream base;
	struct spe_reader reader;
	bool begun;      /* a record was complete */
	bool has_record; /* spe_reader.record becomes samples */
	enum kind next;  /* search from this kind on */
	bool found;      /* @next is the next item */
	uint64_t ticks;  /* the latest timestamp so far */
	uint64_t n_instructions;
	uint32_t context; /* the last context in a record; AUX_NONE */
	struct spe_decoder *all;
	uint64_t midr; /* id of its CPU */
};

static bool spe_decoder_wants(const struct itrace *o, enum kind k)
{
	switch (k) {
	case L1D_MISS:
	case L1D_ACCESS:
		return o->first_level;
	case LLC_MISS:
	case LLC_ACCESS:
		return o->last_level;
	case TLB_MISS:
	case TLB_ACCESS:
		return o->tlb;
	case BRANCH_MISS:
		return o->branches;
	case REMOTE_ACCESS:
		return o->remote;
	case MEMORY:
		return o->memory;
	case INSTRUCTIONS:
		/* Operations are counted, because there is no other clock. */
		return o->instructions && o->unit == ITRACE_INSTRUCTIONS && o->period;
	default:
		return false;
	}
}

static bool has_times(const struct aux_setup *setup)
{
	for (size_t i = 0; i < setup->n_recorded; i++)
		if (setup->recorded[i].attr.sample_type & PERF_SAMPLE_TIME)
			return true;
	return false;
}

static void spe_decoder_add_events(struct spe_decoder *d, const struct aux_setup *setup,
				   const struct aux_event *recorded)
{
	uint64_t types = (recorded->attr.sample_type & SAMPLES_INHERIT) | SAMPLES_HAVE;
	struct attr attr = aux_attr_like(&recorded->attr, types, d->base.timeless);
	uint64_t id = recorded->id + ID_DISTANCE;

	for (enum kind k = 0; k < KINDS; k++) {
		d->events[k] = NOT_WANTED;
		if (!spe_decoder_wants(&setup->options, k))
			continue;
		if (k == INSTRUCTIONS) {
			attr.config = PERF_COUNT_HW_INSTRUCTIONS;
			attr.sample_period = d->period;
		}
		d->ids[k] = id ? id : 1;
		d->events[k] = aux_decoder_add_event(&d->base, kinds[k].name, &attr, d->ids[k]);
		id = d->ids[k] + 1;
	}
}

static void spe_decoder_read_cpus(struct spe_decoder *d, const struct words *words,
				  const struct spe_info *info)
{
	uint64_t w[SPE_CPU_WORDS];
	size_t at = info->first_cpu, n;

	while (info->has_cpus && spe_info_next_cpu(words, &at, w, &n))
		*ARRAY_ADD(&d->cpus) = (struct spe_cpu){ w[SPE_CPU_NUMBER], w[SPE_CPU_MIDR] };
}

/*
 * Returns the MIDR of a CPU. The queue of a thread has no CPU, but the CPUs of most machines are
 * alike.
 */
static uint64_t midr_of(const struct spe_decoder *d, uint32_t cpu)
{
	if (cpu == AUX_NONE && d->cpus.n)
		return d->cpus.items[0].midr;
	for (size_t i = 0; i < d->cpus.n; i++)
		if (d->cpus.items[i].cpu == cpu)
			return d->cpus.items[i].midr;
	return d->cpus.n ? 0 : d->midr;
}

static int open_spe(const struct aux_setup *setup, struct aux_decoder **ret, struct diag *diag)
{
	const struct aux_event *recorded;
	struct spe_decoder *d;
	struct spe_info info;

	if (spe_info_read(&setup->words, &info) < 0)
		return diag_set(diag, -EBADMSG,
				"the AUXTRACE_INFO record of Arm SPE is too short: nothing of its "
				"traces is decoded");
	recorded = aux_setup_recorded(setup, info.pmu_type);
	if (!recorded)
		return diag_set(diag, -EBADMSG,
				"no event of the recording is of the PMU that its Arm SPE traces "
				"are of: they are not decoded");
	d = xcalloc(1, sizeof(*d));
	d->base.class = &spe_class;
	d->base.timeless = setup->options.timeless || !has_times(setup);
	d->host = setup->host;
	d->time = setup->time;
	d->midr = setup->cpuid ? strtoull(setup->cpuid, NULL, 16) : 0;
	spe_decoder_read_cpus(d, &setup->words, &info);
	d->period = setup->options.period;
	spe_decoder_add_events(d, setup, recorded);
	*ret = &d->base;
	return 0;
}

static void free_spe(struct aux_decoder *base)
{
	struct spe_decoder *d = (struct spe_decoder *)base;

	free(d->cpus.items);
	free(d);
}

static struct aux_stream *spe_stream_new(struct aux_decoder *d, const struct aux_queue *q)
{
	struct spe_stream *s = xcalloc(1, sizeof(*s));

	s->base = (struct aux_stream){ .decoder = d, .queue = q };
	s->reader.queue = q;
	s->context = AUX_NONE;
	s->all = (struct spe_decoder *)d;
	s->midr = midr_of(s->all, q->cpu);
	return &s->base;
}

static void spe_stream_free(struct aux_stream *s)
{
	free((struct spe_stream *)s);
}

/* True if the record becomes a sample of @k. */
static bool spe_decoder_becomes(const struct spe_decoder *d, struct spe_stream *s, enum kind k)
{
	const struct spe_record *r = &s->reader.record;

	if (d->events[k] == NOT_WANTED)
		return false;
	if (kinds[k].event)
		return r->events & kinds[k].event;
	if (k == MEMORY)
		return spe_data_source(r, s->midr);
	/* One record out of every @d->period. */
	return ++s->n_instructions % d->period == 0;
}

static void note_context(struct spe_stream *s)
{
	struct spe_decoder *d = s->all;
	atomic_bool *seen = s->reader.record.has_context ? &d->has_context : &d->cpu_wide;

	if (s->reader.record.has_context)
		s->context = s->reader.record.context;
	else if (s->base.queue->tid != AUX_NONE)
		return;
	if (!atomic_load_explicit(seen, memory_order_relaxed))
		atomic_store_explicit(seen, true, memory_order_relaxed);
}

static bool spe_decoder_next_record(struct spe_stream *s)
{
	enum spe_read r;

	while ((r = spe_reader_next(&s->reader)) != SPE_READ_END) {
		if (r == SPE_READ_BAD && !s->begun && !s->base.decoder->timeless)
			continue;
		s->begun = true;
		if (s->reader.record.ticks > s->ticks)
			s->ticks = s->reader.record.ticks;
		note_context(s);
		s->has_record = true;
		s->next = 0;
		return true;
	}
	return false;
}

/*
 * The time of items without a conversion of times, which all come at the end. Otherwise a record
 * has the first time at which Linux's perf passes it on: it counts in ticks, and an event of the
 * same tick comes before.
 */
#define AT_THE_END (UINT64_C(1) << 63)

static uint64_t turn_of(const struct spe_decoder *d, uint64_t ticks)
{
	unsigned shift = d->time.shift & 63;
	unsigned __int128 ns;

	if (d->base.timeless)
		return 0;
	if (!d->time.mult)
		return AT_THE_END | ticks;
	ns = ((unsigned __int128)ticks + 1) * d->time.mult + ((UINT64_C(1) << shift) - 1);
	ns = (ns >> shift) + d->time.zero;
	return ns < UINT64_MAX ? (uint64_t)ns : UINT64_MAX;
}

static bool peek_spe(struct aux_stream *base, uint64_t *ret_time)
{
	struct spe_stream *s = (struct spe_stream *)base;
	const struct spe_decoder *d = (const struct spe_decoder *)base->decoder;

	while (!s->found) {
		for (; s->has_record && s->next < KINDS && !s->found; s->next += !s->found)
			s->found = spe_decoder_becomes(d, s, s->next);
		if (!s->found && !spe_decoder_next_record(s))
			return false;
	}
	*ret_time = turn_of(d, s->ticks);
	return true;
}

/*
 * Finds the task: the one in the record, or the thread that is traced, or the one that ran on the
 * CPU.
 */
static void spe_decoder_find_task(const struct spe_decoder *d, const struct spe_stream *s,
				  uint64_t time, struct sample *ret)
{
	const struct aux_queue *q = s->base.queue;
	struct aux_task task = { AUX_NONE, AUX_NONE };

	ret->pid = ret->tid = AUX_NONE;
	if (d->base.timeless)
		ret->tid = q->tid;
	else if (s->context != AUX_NONE)
		ret->tid = s->context;
	else if (q->tid != AUX_NONE)
		ret->tid = q->tid;
	else if (time && q->cpu != AUX_NONE && d->host.running(d->host.arg, q->cpu, time, &task))
		ret->tid = task.tid;
	if (ret->tid != AUX_NONE && !d->host.process(d->host.arg, ret->tid, time, &ret->pid))
		ret->pid = task.pid;
}

static uint16_t spe_decoder_misc_of(uint64_t ip)
{
	return ip >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

static bool has_time(const struct spe_decoder *d)
{
	return !d->base.timeless && d->time.mult;
}

static void take_spe(struct aux_stream *base, struct aux_item *ret)
{
	struct spe_stream *s = (struct spe_stream *)base;
	const struct spe_decoder *d = (const struct spe_decoder *)base->decoder;
	const struct spe_record *r = &s->reader.record;
	enum kind k = s->next++;

	s->found = false;
	*ret = (struct aux_item){ .event = d->events[k] };
	ret->sample = (struct sample){
		.misc = spe_decoder_misc_of(r->from),
		.id = d->ids[k],
		.stream_id = d->ids[k],
		.ip = r->from,
		.time = has_time(d) ? time_of_ticks(&d->time, r->ticks) : 0,
		.addr = k == BRANCH_MISS ? r->to : r->virtual_address,
		.cpu = base->queue->cpu,
		.period = k == INSTRUCTIONS ? d->period : 1,
		.weight = r->latency,
		.data_src = k == BRANCH_MISS ? 0 : spe_data_source(r, s->midr),
	};
	ret->facts.simd = spe_simd(r);
	if (k != BRANCH_MISS)
		ret->facts.phys_addr = r->physical_address;
	if (has_time(d))
		ret->moment = turn_of(d, s->ticks) > 1 ? turn_of(d, s->ticks) - 1 : 1;
	spe_decoder_find_task(d, s, ret->moment, &ret->sample);
}

static const char *remark_spe(const struct aux_decoder *base)
{
	const struct spe_decoder *d = (const struct spe_decoder *)base;

	if (base->timeless || !atomic_load(&d->cpu_wide) || atomic_load(&d->has_context))
		return NULL;
	return "Arm SPE CONTEXT packets not found in the traces: threads are those that context "
	       "switches tell of, and may be wrong near a switch; kernels with "
	       "CONFIG_PID_IN_CONTEXTIDR trace them for root";
}

const struct aux_class spe_class = {
	.type = AUXTRACE_ARM_SPE,
	.name = "Arm SPE",
	.open = open_spe,
	.free = free_spe,
	.stream = spe_stream_new,
	.stream_free = spe_stream_free,
	.peek = peek_spe,
	.take = take_spe,
	.remark = remark_spe,
};
