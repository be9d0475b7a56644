/* SPDX-License-Identifier: MIT */
/* Counts the current work of the kernel's memory allocators with BPF programs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "capture/loop.h"
#include "capture/opened-events.h"
#include "capture/signals.h"
#include "capture/workload.h"
#include "event/env.h"
#include "kernel/tracefs.h"
#include "measure/record.h"
#include "symbol/kallsyms.h"
#include "symbol/symbol.h"
#include "tools/kmem/kmem-bpf.h"
#include "tools/kmem/kmem-work.h"
#include "tracepoint/format.h"

struct kmem_counting {
	const struct kmem_request *rq;
	struct kmem *kmem;
	struct notes *notes;
	struct diag *diag;
	struct event_env *env;
	struct task_list tasks;
	struct cpu_list cpus;
	struct signals signals;
	struct workload workload;
	struct opened_events no_events;
	struct bpf_kmem *bpf;
	struct loop loop;
};

static bool kmem_count_has_command(const struct kmem_counting *c)
{
	return c->rq->argv && c->rq->argv[0];
}

static bool kmem_count_is_system(const struct kmem_counting *c)
{
	return target_is_system(&c->rq->target, kmem_count_has_command(c));
}

static int kmem_count_find_targets(struct kmem_counting *c)
{
	int r = target_tasks(&c->rq->target, &c->tasks, c->diag);

	if (r >= 0)
		r = target_cpus(&c->rq->target, &c->cpus, c->diag);
	if (r < 0)
		return r;
	r = signals_open(&c->signals);
	if (r < 0)
		return diag_set(c->diag, r, "cannot wait for signals: %s", strerror(-r));
	if (!kmem_count_has_command(c))
		return 0;
	r = workload_fork(c->rq->argv, &c->signals, &c->workload);
	if (r < 0)
		return diag_set(c->diag, r, "cannot start a process: %s", strerror(-r));
	if (!kmem_count_is_system(c) && !c->tasks.n)
		*ARRAY_ADD(&c->tasks) = (struct target_task){ .tid = c->workload.pid };
	return 0;
}

static int kmem_count_begin(struct kmem_counting *c)
{
	_cleanup_(freep) pid_t *tids = xcalloc(c->tasks.n + 1, sizeof(*tids));
	const struct bpf_kmem_request request = {
		.env = c->env,
		.targets = { .tids = c->tasks.n ? tids : NULL,
			     .n_tids = c->tasks.n,
			     .wait_for_exec = c->workload.pid && c->tasks.n == 1 &&
					      c->tasks.items[0].tid == c->workload.pid,
			     .cpus = c->rq->target.cpus.n ? &c->cpus : NULL,
			     .cgroup_fd = -1 },
		.slab = c->rq->slab,
		.page = c->rq->page,
	};

	for (size_t i = 0; i < c->tasks.n; i++)
		tids[i] = c->tasks.items[i].tid;
	return bpf_kmem_begin(&request, &c->bpf, c->diag);
}

static int kmem_count_wait_for_end(struct kmem_counting *c)
{
	static const struct loop_handler handler = { 0 };
	int r;

	c->loop = (struct loop){
		.events = &c->no_events,
		.workload = &c->workload,
		.signals = &c->signals,
		.tasks = kmem_count_is_system(c) || kmem_count_has_command(c) ? NULL : &c->tasks,
		.waits_for_workload = true,
		.handler = &handler,
		.arg = c,
		.notes = c->notes,
	};
	r = loop_run(&c->loop, c->diag);
	if (r < 0 && kmem_count_has_command(c) && !c->workload.pid)
		workload_explain(c->rq->argv[0], r, c->diag);
	bpf_kmem_stop(c->bpf);
	return r;
}

static void fill_slab(struct slab_model *m, const struct bpf_kmem_result *b)
{
	for (size_t i = 0; i < b->n_sites; i++) {
		const struct bpf_kmem_counts *counts = &b->sites[i].counts;
		const struct slab_row row = { .call_site = b->sites[i].call_site,
					      .hits = counts->allocations,
					      .bytes_requested = counts->bytes_requested,
					      .bytes_allocated = counts->bytes_allocated,
					      .ping_pongs = counts->ping_pongs };

		if (row.hits)
			slab_model_add_site(m, &row, counts->bytes_freed);
	}
	for (size_t i = 0; i < b->n_objects; i++) {
		const struct bpf_kmem_slot *slot = &b->objects[i].slot;
		const struct slab_pointer p = {
			.row = { .ptr = b->objects[i].addr,
				 .call_site = b->sites[slot->row].call_site,
				 .hits = 1,
				 .bytes_requested = slot->bytes_requested,
				 .bytes_allocated = slot->bytes_allocated },
			.last_bytes = slot->bytes_allocated,
			.allocated_at = slot->time_ns,
			.cpu = slot->cpu,
		};

		slab_model_add_object(m, &p);
	}
	m->totals.other_node = b->totals[BPF_KMEM_OTHER_NODE];
	m->totals.unmatched_frees = b->totals[BPF_KMEM_UNKNOWN_FREE];
	m->last_time = clock_ns(CLOCK_MONOTONIC);
}

static const char *kmem_count_function_name(void *arg, uint64_t addr)
{
	const struct symbol *sym = kmem_symbol(arg, addr);

	return sym ? sym->name : NULL;
}

static struct kmem_page_row page_row_of(struct kmem *k, const struct bpf_kmem_page_row *b)
{
	return (struct kmem_page_row){ .call_site =
					       page_caller_of_frames(b->frames, BPF_KMEM_FRAMES,
								     kmem_count_function_name, k),
				       .order = b->key.order,
				       .migratetype = b->key.migratetype,
				       .gfp_flags = b->key.gfp_flags };
}

static struct page_sum sum_of_pages(const struct bpf_kmem_result *b, int requests, int pages)
{
	return (struct page_sum){ b->totals[requests], b->totals[pages] * PAGE_BYTES };
}

static void kmem_count_add_sum(struct page_sum *to, const struct page_sum *s)
{
	to->requests += s->requests;
	to->bytes += s->bytes;
}

static void fill_pages(struct kmem *k, const struct bpf_kmem_result *b)
{
	_cleanup_(freep) struct kmem_page_row *rows = xcalloc(b->n_page_rows + 1, sizeof(*rows));
	struct page_totals *totals = &k->page.totals;

	for (size_t i = 0; i < b->n_page_rows; i++) {
		rows[i] = page_row_of(k, &b->page_rows[i]);
		rows[i].hits = b->page_rows[i].counts.allocations;
		if (rows[i].hits)
			page_model_add(&k->page, &rows[i], b->page_rows[i].counts.frees);
		rows[i].hits = 0;
	}
	for (size_t i = 0; i < b->n_pages && k->page.wants_rows; i++) {
		struct kmem_page_row row = rows[b->pages[i].slot.row];

		row.page = b->pages[i].addr;
		page_model_add_page(&k->page, &row);
	}
	totals->failures = sum_of_pages(b, BPF_KMEM_FAILED, BPF_KMEM_FAILED_PAGES);
	totals->free_only = sum_of_pages(b, BPF_KMEM_FREE_ONLY, BPF_KMEM_FREE_ONLY_PAGES);
	kmem_count_add_sum(&totals->allocations, &totals->failures);
	kmem_count_add_sum(&totals->frees, &totals->free_only);
}

/*
 * Names the flags. Their names come from the format of the tracepoint; without it they are numbers.
 */
static void kmem_count_name_flags(struct kmem_counting *c)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *format = NULL;
	_cleanup_(diag_done) struct diag unused = { 0 };
	_cleanup_(freep) char *text = NULL;
	struct tracefs *fs;
	size_t n;
	_cleanup_(freep) uint64_t *flags = page_model_flags(&c->kmem->page, &n);

	if (event_env_tracefs(c->env, &fs, &unused) >= 0 &&
	    tracefs_event_format(fs, "kmem", "mm_page_alloc", &text) >= 0)
		tracepoint_format_parse(text, &format, &unused);
	gfp_names_make(&c->kmem->gfp, format, flags, n);
}

static void kmem_count_note_lost(const struct kmem_counting *c, uint64_t n, const char *what)
{
	if (n)
		notes_add(c->notes, NOTE_WARNING, "%llu %s", (unsigned long long)n, what);
}

static void kmem_count_note_losses(const struct kmem_counting *c, const struct bpf_kmem_result *b)
{
	kmem_count_note_lost(c, b->lost_tasks,
			     "tasks are not counted: more ran at once than can be followed");
	kmem_count_note_lost(c, b->totals[BPF_KMEM_LOST_ROWS],
			     "allocations are not counted: there are more call sites than fit");
	kmem_count_note_lost(
		c, b->totals[BPF_KMEM_LOST_OBJECTS],
		"objects count as allocated only, and not as live or freed: more were allocated "
		"at once than fit");
	kmem_count_note_lost(
		c, b->totals[BPF_KMEM_LOST_PAGES],
		"allocations of pages count as allocated only, and not as live or freed: more "
		"were there at once than fit");
	kmem_count_note_lost(
		c, b->totals[BPF_KMEM_LOST_STACKS],
		"allocations of pages have no call site: there are more stacks than fit");
	kmem_count_note_lost(c, b->missed_runs,
			     "events are not counted: they came while BPF programs ran");
}

static int kmem_count_read_counts(struct kmem_counting *c)
{
	_cleanup_(bpf_kmem_result_done) struct bpf_kmem_result b;
	int r = bpf_kmem_read(c->bpf, &b, c->diag);

	if (r < 0)
		return r;
	/* Without the list of symbols, call sites are numbers. */
	kallsyms_read("/proc/kallsyms", NULL, &c->kmem->running);
	if (c->rq->slab)
		fill_slab(&c->kmem->slab, &b);
	if (c->rq->page) {
		fill_pages(c->kmem, &b);
		kmem_count_name_flags(c);
	}
	kmem_count_note_losses(c, &b);
	return 0;
}

static int kmem_count_run(struct kmem_counting *c)
{
	int r = kmem_count_find_targets(c);

	if (r >= 0)
		r = kmem_count_begin(c);
	if (r >= 0)
		r = kmem_count_wait_for_end(c);
	return r < 0 ? r : kmem_count_read_counts(c);
}

static void kmem_count_release(struct kmem_counting *c)
{
	bpf_kmem_free(c->bpf);
	workload_done(&c->workload);
	signals_close(&c->signals);
	cpu_list_done(&c->cpus);
	task_list_done(&c->tasks);
	event_env_free(c->env);
}

int kmem_count(const struct kmem_request *rq, struct kmem *ret, struct notes *notes,
	       struct record_result *ret_result, struct diag *diag)
{
	struct kmem_counting c = { .rq = rq,
				   .kmem = ret,
				   .notes = notes,
				   .diag = diag,
				   .env = event_env_new(NULL, NULL),
				   .signals = SIGNALS_NONE,
				   .workload = WORKLOAD_NONE };
	int r;

	*ret = (struct kmem){ .page = { .live = rq->live, .wants_rows = rq->pages } };
	r = kmem_count_run(&c);
	*ret_result = (struct record_result){ .planned = true,
					      .end = c.loop.end,
					      .signal = c.loop.signal,
					      .reaped = c.loop.reaped,
					      .wait_status = c.loop.wait_status };
	kmem_count_release(&c);
	return r;
}
