/* SPDX-License-Identifier: MIT */
#include "view/record-text.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "session/machine.h"
#include "symbol/symbol.h"
#include "wire/record.h"

static void mmap_text(struct text *t, const struct record *r)
{
	const struct record_mmap *m = &r->mmap;

	text_addf(t, " %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64 "]: %c %s", (int)m->pid,
		  (int)m->tid, m->addr, m->len, m->pgoff,
		  r->header.misc & PERF_RECORD_MISC_MMAP_DATA ? 'r' : 'x', m->filename);
}

/* The kernel's constants for prot and flags, which are equal on all machines that we support. */
enum {
	MAP_READ = 1,
	MAP_WRITE = 2,
	MAP_EXEC = 4,
	MAP_IS_SHARED = 1,
};

static void mmap2_text(struct text *t, const struct record *r)
{
	const struct record_mmap *m = &r->mmap;

	text_addf(t, " %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64, (int)m->pid, (int)m->tid,
		  m->addr, m->len, m->pgoff);
	if (r->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		text_add(t, " <");
		for (size_t i = 0; i < m->build_id.size; i++)
			text_addf(t, "%02x", m->build_id.bytes[i]);
		text_add(t, ">");
	} else {
		text_addf(t, " %02x:%02x %" PRIu64 " %" PRIu64, m->maj, m->min, m->ino,
			  m->ino_generation);
	}
	text_addf(t, "]: %c%c%c%c %s", m->prot & MAP_READ ? 'r' : '-',
		  m->prot & MAP_WRITE ? 'w' : '-', m->prot & MAP_EXEC ? 'x' : '-',
		  m->flags & MAP_IS_SHARED ? 's' : 'p', m->filename);
}

static void lost_text(struct text *t, const struct record *r)
{
	text_addf(t, " lost %" PRIu64, r->lost.lost);
}

static void record_text_comm(struct text *t, const struct record *r)
{
	text_addf(t, "%s: %s:%d/%d", r->header.misc & PERF_RECORD_MISC_COMM_EXEC ? " exec" : "",
		  r->comm.comm, (int)r->comm.pid, (int)r->comm.tid);
}

static void task_text(struct text *t, const struct record *r)
{
	text_addf(t, "(%d:%d):(%d:%d)", (int)r->task.pid, (int)r->task.tid, (int)r->task.ppid,
		  (int)r->task.ptid);
}

static const char *record_text_direction(uint16_t misc)
{
	if (!(misc & PERF_RECORD_MISC_SWITCH_OUT))
		return "IN         ";
	return misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "OUT preempt" : "OUT        ";
}

static void switch_text(struct text *t, const struct record *r)
{
	text_addf(t, " %s", record_text_direction(r->header.misc));
}

static void switch_cpu_wide_text(struct text *t, const struct record *r)
{
	const struct record_switch *s = &r->context_switch;

	text_addf(t, " %s  %s pid/tid: %5d/%-5d", record_text_direction(r->header.misc),
		  r->header.misc & PERF_RECORD_MISC_SWITCH_OUT ? "next" : "prev",
		  (int)s->next_prev_pid, (int)s->next_prev_tid);
}

static void namespaces_text(struct text *t, const struct record *r)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	const struct record_namespaces *ns = &r->namespaces;
	size_t n = ns->links.n / 2;

	text_addf(t, " %d/%d - nr_namespaces: %zu\n\t\t[", (int)ns->pid, (int)ns->tid, n);
	for (size_t i = 0; i < n; i++) {
		if (i && !(i % 4))
			text_add(t, "\n\t\t ");
		text_addf(t, "%zu/%s: %" PRIu64 "/%#" PRIx64 "%s", i,
			  i < ARRAY_SIZE(names) ? names[i] : "UNKNOWN",
			  words_get(&ns->links, 2 * i), words_get(&ns->links, 2 * i + 1),
			  i + 1 < n ? ", " : "]");
	}
}

static void ksymbol_text(struct text *t, const struct record *r)
{
	const struct record_ksymbol *k = &r->ksymbol;

	text_addf(t, " addr %" PRIx64 " len %u type %u flags 0x%x name %s", k->addr, k->len,
		  k->ksym_type, k->flags, k->name);
}

static void bpf_event_text(struct text *t, const struct record *r)
{
	text_addf(t, " type %u, flags %u, id %u", r->bpf_event.type, r->bpf_event.flags,
		  r->bpf_event.id);
}

static void cgroup_text(struct text *t, const struct record *r)
{
	text_addf(t, " cgroup: %" PRIu64 " %s", r->cgroup.id, r->cgroup.path);
}

static void aux_text(struct text *t, const struct record *r)
{
	text_addf(t, " offset: %#" PRIx64 " size: %#" PRIx64 " flags: %#" PRIx64 " [%s%s%s]",
		  r->aux.offset, r->aux.size, r->aux.flags, r->aux.flags & 1 ? "T" : "",
		  r->aux.flags & 2 ? "O" : "", r->aux.flags & 4 ? "P" : "");
}

static void itrace_start_text(struct text *t, const struct record *r)
{
	text_addf(t, " pid: %d tid: %d", (int)r->itrace_start.pid, (int)r->itrace_start.tid);
}

typedef void record_text_fn(struct text *t, const struct record *r);

static record_text_fn *const texts[PERF_RECORD_KERNEL_MAX] = {
	[PERF_RECORD_MMAP] = mmap_text,
	[PERF_RECORD_LOST] = lost_text,
	[PERF_RECORD_COMM] = record_text_comm,
	[PERF_RECORD_EXIT] = task_text,
	[PERF_RECORD_FORK] = task_text,
	[PERF_RECORD_MMAP2] = mmap2_text,
	[PERF_RECORD_AUX] = aux_text,
	[PERF_RECORD_ITRACE_START] = itrace_start_text,
	[PERF_RECORD_SWITCH] = switch_text,
	[PERF_RECORD_SWITCH_CPU_WIDE] = switch_cpu_wide_text,
	[PERF_RECORD_NAMESPACES] = namespaces_text,
	[PERF_RECORD_KSYMBOL] = ksymbol_text,
	[PERF_RECORD_BPF_EVENT] = bpf_event_text,
	[PERF_RECORD_CGROUP] = cgroup_text,
};

void record_text(struct text *t, const struct record *r)
{
	const char *name = record_type_name(r->header.type);

	if (!name) {
		text_addf(t, "PERF_RECORD_%u", r->header.type);
		return;
	}
	text_add(t, name);
	if (r->header.type < PERF_RECORD_KERNEL_MAX && texts[r->header.type])
		texts[r->header.type](t, r);
}

#define KEY_WIDTH 20

void record_text_bpf_metadata(struct text *t, const struct record *r)
{
	const struct record_bpf_metadata *m = &r->bpf_metadata;

	text_add(t, "PERF_RECORD_BPF_METADATA prog ");
	escape_terminal(t, m->program, strlen(m->program));
	for (size_t i = 0; i < m->n; i++) {
		const char *key, *value;

		record_bpf_metadata_get(m, i, &key, &value);
		text_addf(t, "\n  entry %zu: %*s", i,
			  (int)(strlen(key) < KEY_WIDTH ? KEY_WIDTH - strlen(key) : 0), "");
		escape_terminal(t, key, strlen(key));
		text_add(t, " = ");
		escape_terminal(t, value, strlen(value));
	}
}

#define POKE_ROW 16

static void record_text_add_code(struct text *t, const char *title, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i % POKE_ROW == 0)
			text_addf(t, "\n            %s bytes:", title);
		text_addf(t, " %02x", bytes[i]);
	}
}

void record_text_poke(struct text *t, const struct record *r, const struct location *at)
{
	const struct record_text_poke *p = &r->text_poke;

	text_addf(t, "PERF_RECORD_TEXT_POKE %" PRIx64 " ", p->addr);
	if (at->sym) {
		escape_terminal(t, at->sym->name, strlen(at->sym->name));
		text_addf(t, "+0x%" PRIx64, at->image_addr - at->sym->start);
	}
	text_addf(t, " old len %u new len %u", p->old_len, p->new_len);
	record_text_add_code(t, "Old", p->old_bytes, p->old_len);
	record_text_add_code(t, "New", p->new_bytes, p->new_len);
}
