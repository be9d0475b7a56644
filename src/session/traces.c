/* SPDX-License-Identifier: MIT */
#include "session/traces.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/diag.h"
#include "base/memory.h"
#include "kernel/cpuid.h"
#include "session/internal.h"
#include "session/machine.h"
#include "symbol/code.h"
#include "wire/record.h"

/*
 * A file without the feature AUXTRACE may still have traces; INFO is then one of its first records.
 */
#define INFO_WITHIN 64

struct traces *traces_new(struct session *s, const struct itrace *options)
{
	struct traces *t = xcalloc(1, sizeof(*t));

	t->session = s;
	t->options = *options;
	return t;
}

static void free_file_events(struct traces *t)
{
	for (size_t i = 0; t->decoder && i < t->decoder->events.n; i++)
		free(t->file_events[i].ids);
	free(t->file_events);
}

void traces_free(struct traces *t)
{
	if (!t)
		return;
	free_file_events(t);
	aux_decoder_free(t->decoder);
	for (size_t i = 0; i < t->queues.n; i++) {
		free(t->queues.items[i]->items);
		free(t->queues.items[i]);
	}
	free(t->queues.items);
	for (size_t i = 0; i < t->copies.n; i++)
		free(t->copies.items[i]);
	free(t->copies.items);
	running_done(&t->running);
	free(t->writes.items);
	free(t->hw_ids.items);
	u64_map_done(&t->hw_id_of_cpu);
	u64_map_done(&t->queue_of_index);
	code_store_free(t->code);
	free((void *)t->info.bytes);
	free(t->note);
	free(t);
}

static bool host_running(void *arg, uint32_t cpu, uint64_t time, struct aux_task *ret)
{
	const struct traces *t = arg;

	return running_at(&t->running, cpu, time, &ret->pid, &ret->tid);
}

static bool host_process(void *arg, uint32_t tid, uint64_t time, uint32_t *ret_pid)
{
	const struct traces *t = arg;

	(void)time;
	return lineage_process(&t->session->machine.lineage, tid, ret_pid);
}

static size_t host_code(void *arg, uint32_t pid, uint64_t time, uint64_t addr, uint8_t *bytes,
			size_t size)
{
	const struct traces *t = arg;
	struct location l;

	if (!machine_locate(t->session, pid, addr >> 63 ? ADDRESS_KERNEL : ADDRESS_USER, addr, time,
			    &l) ||
	    !l.map)
		return 0;
	if (size > l.map->end - addr)
		size = l.map->end - addr;
	return code_read_at(t->code, l.map->image, l.image_addr, bytes, size);
}

static const struct aux_write *host_writes(void *arg, size_t *ret_n)
{
	const struct traces *t = arg;

	*ret_n = t->writes.n;
	return t->writes.items;
}

static uint64_t host_last_write(void *arg)
{
	const struct traces *t = arg;

	return t->last_write;
}

bool traces_hw_id(const struct traces *t, uint32_t cpu, uint64_t *ret)
{
	size_t number = (uintptr_t)u64_map_find(&t->hw_id_of_cpu, cpu);

	if (number)
		*ret = t->hw_ids.items[number - 1];
	return number;
}

static void take_hw_id(struct traces *t, uint32_t cpu, uint64_t id)
{
	size_t number = (uintptr_t)u64_map_find(&t->hw_id_of_cpu, cpu);

	if (number) {
		t->hw_ids.items[number - 1] = id;
		return;
	}
	*ARRAY_ADD(&t->hw_ids) = id;
	u64_map_put(&t->hw_id_of_cpu, cpu, (void *)(uintptr_t)t->hw_ids.n);
}

static bool host_hw_id(void *arg, uint32_t cpu, uint64_t *ret)
{
	return traces_hw_id(arg, cpu, ret);
}

/* Adds the decoder's events to those of the session. */
static void traces_add_events(struct traces *t)
{
	const struct aux_decoder *d = t->decoder;

	t->first_event = t->session->events.n;
	t->file_events = xcalloc(d->events.n ? d->events.n : 1, sizeof(t->file_events[0]));
	for (size_t i = 0; i < d->events.n; i++) {
		struct file_event *fe = &t->file_events[i];

		fe->attr = d->events.items[i].attr;
		fe->name = d->events.items[i].name;
		fe->ids = xmalloc(sizeof(fe->ids[0]));
		fe->ids[0] = d->events.items[i].id;
		fe->n_ids = 1;
		events_put(&t->session->events, fe);
		t->session->events.items[t->first_event + i]->decoded = true;
	}
}

/* Returns the recorded events, whose texts are borrowed. */
static struct aux_event *recorded_events(const struct session *s)
{
	struct aux_event *all = xcalloc(s->events.n ? s->events.n : 1, sizeof(*all));

	for (size_t i = 0; i < s->events.n; i++) {
		const struct session_event *e = s->events.items[i];

		all[i] = (struct aux_event){ .attr = e->attr,
					     .name = e->name,
					     .id = e->n_ids ? e->ids[0] : 0 };
	}
	return all;
}

/* Returns this machine's cpuid. A recording that does not name its machine may be of this one. */
static char *cpuid_of_host(const char *arch)
{
	struct utsname u;
	char *id = NULL;

	if (uname(&u) == 0 && arch && !strcmp(arch, u.machine))
		cpuid_read("", 0, &id);
	return id;
}

static void open_decoder(struct traces *t, const struct record_auxtrace_info *info)
{
	const struct session *s = t->session;
	const struct features *f = session_features(s);
	_cleanup_(freep) struct aux_event *recorded = recorded_events(s);
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *host_cpuid = f->cpu_id ? NULL : cpuid_of_host(f->arch);
	const struct aux_setup setup = {
		.type = info->type,
		.words = info->priv,
		.machine = f->arch,
		.cpuid = f->cpu_id ? f->cpu_id : host_cpuid,
		.recorded = recorded,
		.n_recorded = s->events.n,
		.options = t->options,
		.time = t->time,
		.host = { host_running, host_process, host_code, host_writes, host_last_write,
			  host_hw_id, t },
	};

	if (aux_decoder_open(&setup, &t->decoder, &diag) < 0) {
		t->note = TAKE(diag.message);
		return;
	}
	t->code = code_store_new();
	traces_add_events(t);
}

static void keep_info(struct traces *t, const struct record_auxtrace_info *info)
{
	size_t size = info->priv.n * sizeof(uint64_t);
	uint8_t *copy = xmalloc(size ? size : 1);

	if (size)
		memcpy(copy, info->priv.bytes, size);
	t->type = info->type;
	t->info = (struct words){ .bytes = copy, .n = info->priv.n, .swap = info->priv.swap };
}

static void take_info(struct traces *t, const struct record *r)
{
	if (t->has_info)
		return;
	t->has_info = true;
	keep_info(t, &r->auxtrace_info);
	if (t->options.off)
		return;
	/*
	 * Samples are made in our byte order, and all samples of a session must have the same one.
	 */
	if (t->session->swap)
		t->note = xstrdup("hardware traces of machines of the other byte order are not "
				  "decoded");
	else
		open_decoder(t, &r->auxtrace_info);
}

static void traces_take_time(struct traces *t, const struct record_time_conv *c)
{
	t->time = (struct time_conversion){
		.shift = (uint16_t)c->time_shift,
		.mult = (uint32_t)c->time_mult,
		.zero = c->time_zero,
		.cycles = c->time_cycles,
		.mask = c->time_mask,
		.has_zero = c->cap_user_time_zero,
		.is_short = c->is_long && c->cap_user_time_short,
	};
}

static struct aux_queue *queue_of(struct traces *t, const struct record_auxtrace *a)
{
	struct aux_queue *q = u64_map_find(&t->queue_of_index, a->idx);

	if (q)
		return q;
	q = xcalloc(1, sizeof(*q));
	q->index = a->idx;
	q->cpu = a->cpu;
	q->tid = a->tid;
	u64_map_put(&t->queue_of_index, a->idx, q);
	return *ARRAY_ADD(&t->queues) = q;
}

/* Returns a copy of data from a stream, because it is gone when the record is. */
static const uint8_t *traces_kept(struct traces *t, const struct raw_record *raw)
{
	uint8_t *copy;

	if (datafile_mapped(t->session->file, raw->part, raw->offset))
		return raw->payload;
	copy = xmalloc(raw->payload_size);
	memcpy(copy, raw->payload, raw->payload_size);
	return *ARRAY_ADD(&t->copies) = copy;
}

static void take_data(struct traces *t, const struct record_auxtrace *a,
		      const struct raw_record *raw)
{
	struct aux_piece *p;

	if (!raw->payload || !raw->payload_size || t->options.off)
		return;
	p = ARRAY_ADD(queue_of(t, a));
	*p = (struct aux_piece){
		.bytes = traces_kept(t, raw),
		.size = raw->payload_size,
		.offset = a->offset,
		.reference = a->reference,
		.cpu = a->cpu,
		.tid = a->tid,
	};
}

void traces_take_user(struct traces *t, const struct raw_record *raw)
{
	uint32_t type = raw->header.type;
	struct record r;

	if (type != PERF_RECORD_AUXTRACE_INFO && type != PERF_RECORD_AUXTRACE &&
	    type != PERF_RECORD_TIME_CONV)
		return;
	if (record_decode(raw->bytes, raw->header.size, t->session->swap, NULL, &r) < 0)
		return;
	if (type == PERF_RECORD_AUXTRACE_INFO)
		take_info(t, &r);
	else if (type == PERF_RECORD_TIME_CONV)
		traces_take_time(t, &r.time_conv);
	else
		take_data(t, &r.auxtrace, raw);
}

void traces_find_info(struct traces *t)
{
	struct datafile *file = t->session->file;
	bool surely = features_have(session_features(t->session), FEATURE_AUXTRACE);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct raw_record raw;

	for (size_t i = 0; !t->has_info && (surely || i < INFO_WITHIN); i++) {
		if (datafile_next(file, &raw, &diag) <= 0)
			break;
		if (raw.header.type != PERF_RECORD_AUXTRACE)
			traces_take_user(t, &raw);
	}
	datafile_rewind(file);
}

bool traces_matter(uint32_t type)
{
	return type == PERF_RECORD_SWITCH || type == PERF_RECORD_SWITCH_CPU_WIDE ||
	       type == PERF_RECORD_AUX || type == PERF_RECORD_AUX_OUTPUT_HW_ID;
}

void traces_take(struct traces *t, const struct record *r, uint64_t time)
{
	switch (r->header.type) {
	case PERF_RECORD_AUX:
		*ARRAY_ADD(&t->writes) = (struct aux_write){ .offset = r->aux.offset,
							     .size = r->aux.size,
							     .flags = r->aux.flags,
							     .cpu = r->id.cpu,
							     .tid = r->id.tid };
		if (time > t->last_write)
			t->last_write = time;
		break;
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
		take_hw_id(t, r->id.cpu, r->hw_id);
		break;
	default:
		running_add(&t->running, r, time);
	}
}

bool traces_are_there(const struct traces *t)
{
	return t && t->decoder;
}

/*
 * The limit for the numbers of CPUs in records. A false number must not cause an array for 4
 * billion CPUs.
 */
#define CPUS_MAX (1u << 16)

void running_done(struct running *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->items[i].items);
	free(r->items);
}

static void session_running_add(struct running *r, uint32_t cpu, uint64_t time, uint32_t pid,
				uint32_t tid)
{
	struct running_cpu *c;
	struct running_switch *s;

	if (cpu >= CPUS_MAX)
		return;
	while (r->n <= cpu)
		ARRAY_ADD(r);
	c = &r->items[cpu];
	s = ARRAY_ADD(c);
	*s = (struct running_switch){ .time = time, .turn = r->turns++, .pid = pid, .tid = tid };
	c->unsorted |= c->n > 1 && time < c->items[c->n - 2].time;
}

void running_add(struct running *r, const struct record *rec, uint64_t time)
{
	bool out = rec->header.misc & PERF_RECORD_MISC_SWITCH_OUT;

	switch (rec->header.type) {
	case PERF_RECORD_SWITCH:
		if (!out)
			session_running_add(r, rec->id.cpu, time, rec->id.pid, rec->id.tid);
		break;
	case PERF_RECORD_SWITCH_CPU_WIDE:
		/*
		 * The record of the leaving task names the next one; the task that comes is in the
		 * trailer.
		 */
		if (out)
			session_running_add(r, rec->id.cpu, time, rec->context_switch.next_prev_pid,
					    rec->context_switch.next_prev_tid);
		else
			session_running_add(r, rec->id.cpu, time, rec->id.pid, rec->id.tid);
		break;
	default:
		break;
	}
}

static int running_by_time(const void *a, const void *b)
{
	const struct running_switch *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->turn < y->turn ? -1 : x->turn > y->turn;
}

void running_settle(struct running *r)
{
	for (size_t i = 0; i < r->n; i++) {
		struct running_cpu *c = &r->items[i];

		if (c->unsorted)
			qsort(c->items, c->n, sizeof(c->items[0]), running_by_time);
		c->unsorted = false;
	}
}

bool running_at(const struct running *r, uint32_t cpu, uint64_t time, uint32_t *ret_pid,
		uint32_t *ret_tid)
{
	const struct running_cpu *c = cpu < r->n ? &r->items[cpu] : NULL;
	size_t low = 0, high = c ? c->n : 0;

	/* Finds the first switch that is later than @time. */
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (c->items[mid].time <= time)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return false;
	*ret_pid = c->items[low - 1].pid;
	*ret_tid = c->items[low - 1].tid;
	return true;
}
