/* SPDX-License-Identifier: MIT */
#include "tools/script/record-view.h"

#include <stdio.h>

#include "base/cleanup.h"
#include "session/machine.h"
#include "session/session.h"
#include "tools/script/writer-view.h"
#include "view/record-text.h"

unsigned script_shows(unsigned type)
{
	static const unsigned kinds[PERF_RECORD_KERNEL_MAX] = {
		[PERF_RECORD_COMM] = SCRIPT_SHOW_TASK,
		[PERF_RECORD_FORK] = SCRIPT_SHOW_TASK,
		[PERF_RECORD_EXIT] = SCRIPT_SHOW_TASK,
		[PERF_RECORD_MMAP] = SCRIPT_SHOW_MMAP,
		[PERF_RECORD_MMAP2] = SCRIPT_SHOW_MMAP,
		[PERF_RECORD_SWITCH] = SCRIPT_SHOW_SWITCH,
		[PERF_RECORD_SWITCH_CPU_WIDE] = SCRIPT_SHOW_SWITCH,
		[PERF_RECORD_NAMESPACES] = SCRIPT_SHOW_NAMESPACE,
		[PERF_RECORD_CGROUP] = SCRIPT_SHOW_CGROUP,
		[PERF_RECORD_LOST] = SCRIPT_SHOW_LOST,
		[PERF_RECORD_KSYMBOL] = SCRIPT_SHOW_BPF | SCRIPT_SHOW_TEXT_POKE,
		[PERF_RECORD_BPF_EVENT] = SCRIPT_SHOW_BPF,
		[PERF_RECORD_TEXT_POKE] = SCRIPT_SHOW_TEXT_POKE,
		[PERF_RECORD_CALLCHAIN_DEFERRED] = SCRIPT_SHOW_DEFERRED,
	};

	return type < PERF_RECORD_KERNEL_MAX ? kinds[type] : 0;
}

/* Finds the task that the record is about, which need not be the one that caused it. */
static void script_record_subject(const struct record *r, uint32_t *pid, uint32_t *tid)
{
	switch (r->header.type) {
	case PERF_RECORD_COMM:
		*pid = r->comm.pid;
		*tid = r->comm.tid;
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		*pid = r->task.pid;
		*tid = r->task.tid;
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		*pid = r->mmap.pid;
		*tid = r->mmap.tid;
		break;
	case PERF_RECORD_NAMESPACES:
		*pid = r->namespaces.pid;
		*tid = r->namespaces.tid;
		break;
	default:
		*pid = r->id.pid;
		*tid = r->id.tid;
	}
}

/*
 * Returns the name of thread @tid at the time of a record. Names without a time all hold from the
 * beginning, so the machine cannot distinguish those from before and after a record.
 */
static const char *script_record_name_of(struct script_writer *p, uint32_t pid, uint32_t tid,
					 uint64_t time)
{
	const char *name;
	char unknown[16];

	if (!p->setup->has_time || time || !tid)
		return machine_comm(p->setup->session, pid, tid, time);
	name = u64_map_find(&p->early_names, tid);
	if (name)
		return name;
	snprintf(unknown, sizeof(unknown), ":%d", (int32_t)tid);
	return intern_text(&p->names, unknown);
}

/* Learns the names in @r when its turn has come. */
static void learn_name(struct script_writer *p, const struct record *r)
{
	const char *name;

	if (!p->setup->has_time || r->id.time)
		return;
	if (r->header.type == PERF_RECORD_COMM) {
		name = intern_text(&p->names, r->comm.comm);
		u64_map_put(&p->early_names, r->comm.tid, (char *)name);
	} else if (r->header.type == PERF_RECORD_FORK) {
		name = r->task.ptid ? u64_map_find(&p->early_names, r->task.ptid)
				    : script_record_name_of(p, 0, 0, 0);
		if (name)
			u64_map_put(&p->early_names, r->task.tid, (char *)name);
	}
}

/* Appends the text poke, with the changed function. */
static void add_text_poke(struct script_writer *p, const struct record *r, uint64_t time)
{
	struct location at;

	machine_resolve(p->setup->session, 0, ADDRESS_KERNEL, r->text_poke.addr, time, &at);
	record_text_poke(&p->out, r, &at);
}

static void script_record_add_text(struct script_writer *p, const struct record *r, uint64_t time)
{
	if (r->header.type == PERF_RECORD_TEXT_POKE) {
		add_text_poke(p, r, time);
	} else if (p->setup->escape && r->header.type != PERF_RECORD_NAMESPACES) {
		text_clear(&p->scratch);
		record_text(&p->scratch, r);
		script_write_foreign(p, p->scratch.chars, p->scratch.length);
	} else {
		record_text(&p->out, r);
	}
}

void script_record(struct script_writer *p, const struct script_event *e, const struct delivered *d,
		   bool shown)
{
	const struct attr *attr = &e->event->attr;
	struct script_head h = { .event = e, .misc = d->raw.header.misc };
	uint32_t pid, tid;
	struct record r;

	if (record_decode(d->raw.bytes, d->raw.header.size, session_is_swapped(p->setup->session),
			  attr, &r) < 0)
		return;
	learn_name(p, &r);
	if (!shown)
		return;
	script_record_subject(&r, &pid, &tid);
	h.type = r.header.type;
	h.pid = attr->sample_id_all ? r.id.pid : pid;
	h.tid = attr->sample_id_all ? r.id.tid : tid;
	h.cpu = r.id.cpu;
	h.time = h.moment = r.id.time;
	h.comm = h.type == PERF_RECORD_COMM ? intern_text(&p->names, r.comm.comm)
					    : script_record_name_of(p, pid, tid, h.time);
	script_write_head(p, &h);
	if (h.type == PERF_RECORD_CALLCHAIN_DEFERRED) {
		script_write_deferred(p, &h, &r.callchain_deferred);
		return;
	}
	script_record_add_text(p, &r, h.time);
	text_add_char(&p->out, '\n');
}
