/* SPDX-License-Identifier: MIT */
#include "bpf/off-cpu.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <time.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "bpf/image.h"
#include "bpf/module.h"
#include "bpf/off-cpu-sums.h"
#include "bpf/unwind-tables.h"

/*
 * The number of tasks that may be away at once, in addition to the existing ones. An entry takes
 * 1,600 bytes.
 */
#define TASKS_MORE 8192

/* Waits beyond this capacity are reported one by one. A stack takes 1,600 bytes, a sum 100. */
#define STACKS_MAX 8192
#define SUMS_MAX   32768

#define RING_BYTES      (4 << 20)
#define RING_WAKE_BYTES (1 << 20)

/*
 * The number of arguments of sched_switch with the state of the task that leaves; without it there
 * is one less.
 */
#define ARGUMENTS_WITH_STATE 4

struct bpf_off_cpu {
	struct bpf_module *module;
	struct unwind_tables *tables; /* or NULL: stacks are not unwound by rules */
	int (*take)(void *arg, const struct off_cpu_time *t);
	void *arg;
	struct bpf_reader *reader;
	bool follows;
	volatile uint64_t *enabled;  /* memory shared with the programs */
	pthread_mutex_t lock;        /* protects the data that turn() leaves to be read */
	struct bytes open;           /* waits that were not over when measuring was turned off */
	struct off_cpu_ends ends;    /* ends of tasks, since the sums were last read */
	uint32_t last_task;          /* the task whose end is the end of the file */
	struct off_cpu_sums written; /* the part of the sums that was passed on */
	struct bpf_entries removed;  /* stacks removed when the sums were last read */
};

void bpf_off_cpu_free(struct bpf_off_cpu *o)
{
	if (!o)
		return;
	bpf_reader_close(o->reader);
	unwind_tables_free(o->tables);
	bpf_module_free(o->module);
	bytes_done(&o->open);
	off_cpu_sums_done(&o->written);
	bpf_entries_done(&o->removed);
	free(o->ends.items);
	pthread_mutex_destroy(&o->lock);
	free(o);
}

static int bpf_off_cpu_set_constants(const struct bpf_off_cpu_request *rq, struct bpf_module *m,
				     struct diag *diag)
{
	struct off_cpu_constants *c = bpf_module_constants(m, sizeof(*c));
	int r = 0;

	if (!c)
		return diag_set(diag, -EOPNOTSUPP, "BPF: the constants of 'off-cpu' are missing");
	if (rq->n_cgroup_fds > OFF_CPU_CGROUPS_MAX)
		return diag_set(diag, -EINVAL, "BPF programs can look for at most %d cgroups",
				OFF_CPU_CGROUPS_MAX);
	c->n_cgroups = (uint32_t)rq->n_cgroup_fds;
	c->has_prev_state = bpf_module_arguments("sched_switch") >= ARGUMENTS_WITH_STATE;
	c->kernel_bytes = rq->kernel_stack;
	c->user_bytes = rq->user_stack;
	c->wants_link = rq->wants_link;
	c->unwinds = rq->unwinds;
	c->states = rq->states;
	c->kernel_threads = rq->kernel_threads;
	c->ring_wake_bytes = RING_WAKE_BYTES;
	c->threshold_ns = rq->threshold_ns;
	c->least_ns = rq->least_ns;
	if (rq->unwinds)
		r = unwind_tables_prepare(m, &c->host, diag);
	return r < 0 ? r : bpf_targets_choose(&rq->targets, m, &c->targets, diag);
}

static uint32_t tasks_max(const struct bpf_off_cpu_request *rq)
{
	struct sysinfo now;
	uint32_t n = sysinfo(&now) == 0 ? now.procs : 0;

	return TASKS_MORE + 2 * n + (uint32_t)rq->targets.n_tids;
}

static int bpf_off_cpu_size_maps(const struct bpf_off_cpu_request *rq, struct bpf_module *m)
{
	const struct {
		const char *map;
		uint32_t n;
	} sizes[] = {
		{ "waits", tasks_max(rq) },
		{ "stacks", STACKS_MAX },
		{ "sums", SUMS_MAX },
		{ "ring", RING_BYTES },
	};
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(sizes) && r >= 0; i++)
		r = bpf_module_size(m, sizes[i].map, sizes[i].n);
	return r;
}

/* The programs, in the order in which they are attached. */
static const char *const programs[] = { "on_exit", "on_fork", "on_exec", "off_cpu_switch" };

static bool bpf_off_cpu_is_needed(const char *program, const struct bpf_off_cpu_request *rq)
{
	return strcmp(program, "on_fork") || (rq->targets.tids && !rq->no_children);
}

static int bpf_off_cpu_load(const struct bpf_off_cpu_request *rq, struct bpf_module *m,
			    struct diag *diag)
{
	int r = bpf_off_cpu_set_constants(rq, m, diag);

	if (r >= 0)
		r = bpf_off_cpu_size_maps(rq, m);
	for (size_t i = 0; i < ARRAY_SIZE(programs) && r >= 0; i++)
		if (bpf_off_cpu_is_needed(programs[i], rq))
			r = bpf_module_want(m, programs[i]);
	if (r >= 0)
		r = bpf_module_load(m, diag);
	return r;
}

static int bpf_off_cpu_attach(const struct bpf_off_cpu_request *rq, struct bpf_module *m,
			      struct diag *diag)
{
	int r = bpf_targets_put(&rq->targets, m, diag);

	for (uint32_t i = 0; i < rq->n_cgroup_fds && r >= 0; i++)
		r = bpf_module_put(m, "cgroups", &i, &rq->cgroup_fds[i], diag);
	for (size_t i = 0; i < ARRAY_SIZE(programs) && r >= 0; i++)
		if (bpf_off_cpu_is_needed(programs[i], rq))
			r = bpf_module_attach_raw(m, programs[i], diag);
	return r;
}

/* Passes on a wait that the kernel has reported in @size bytes, or in fewer if it is damaged. */
static int take_wait(void *arg, const void *bytes, size_t size)
{
	struct bpf_off_cpu *o = arg;
	const struct off_cpu_wait *w = bytes;
	const size_t head = offsetof(struct off_cpu_wait, stack.words);
	size_t kernel, user;

	if (size < head)
		return 0;
	if (w->state == OFF_CPU_EXEC || (w->state == OFF_CPU_EXIT && w->tid != o->last_task))
		*ARRAY_ADD(&o->ends) = (struct off_cpu_end){ w->tid, w->generation, w->end_ns };
	kernel = w->stack.n_kernel;
	user = w->stack.n_user;
	if (kernel + user > (size - head) / sizeof(uint64_t) || w->state >= OFF_CPU_STATES ||
	    w->end_ns < w->begin_ns)
		return 0;
	return o->take(o->arg, &(struct off_cpu_time){
				       .tid = w->tid,
				       .tgid = w->tgid,
				       .cpu = w->cpu,
				       .state = (enum off_cpu_state)w->state,
				       .end_ns = w->end_ns,
				       .ns = w->end_ns - w->begin_ns,
				       .waits = 1,
				       .kernel = (const uint64_t *)w->stack.words,
				       .user = (const uint64_t *)w->stack.words + kernel,
				       .n_kernel = kernel,
				       .n_user = user,
				       .link = w->stack.link,
			       });
}

int bpf_off_cpu_open(const struct bpf_off_cpu_request *rq,
		     int (*take)(void *arg, const struct off_cpu_time *t), void *arg,
		     struct bpf_off_cpu **ret, struct diag *diag)
{
	_cleanup_(bpf_off_cpu_freep) struct bpf_off_cpu *o = xcalloc(1, sizeof(*o));
	void *enabled = NULL;
	int r;

	pthread_mutex_init(&o->lock, NULL);
	o->take = take;
	o->arg = arg;
	o->follows = rq->targets.tids;
	o->last_task = rq->last_task;
	r = bpf_module_open(&bpf_image_off_cpu, &o->module, diag);
	if (r >= 0)
		r = bpf_off_cpu_load(rq, o->module, diag);
	if (r >= 0)
		r = bpf_module_map_memory(o->module, "enabled", &enabled, diag);
	if (r >= 0)
		r = bpf_reader_open(o->module, "ring", take_wait, o, &o->reader, diag);
	if (r >= 0 && rq->unwinds)
		r = unwind_tables_start(o->module, rq->functions, &o->tables, diag);
	if (r >= 0)
		r = bpf_off_cpu_attach(rq, o->module, diag);
	if (r < 0)
		return r;
	o->enabled = enabled;
	*ret = TAKE(o);
	return 0;
}

int bpf_off_cpu_fd(const struct bpf_off_cpu *o)
{
	return bpf_reader_fd(o->reader);
}

/* Takes the waits that are not over out of the kernel: they end now. */
static void end_open_waits(struct bpf_off_cpu *o)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	struct bpf_entries e;

	if (bpf_module_read(o->module, "waits", &e, &ignored) < 0)
		return;
	pthread_mutex_lock(&o->lock);
	for (size_t i = 0; i < e.n; i++) {
		struct off_cpu_wait w;

		memcpy(&w, e.values + i * sizeof(w), sizeof(w));
		bpf_module_remove(o->module, "waits", e.keys + i * sizeof(uint32_t));
		if (!w.begin_ns || w.begin_ns > now)
			continue;
		w.end_ns = now;
		bytes_add(&o->open, &w, sizeof(w));
	}
	pthread_mutex_unlock(&o->lock);
	bpf_entries_done(&e);
}

void bpf_off_cpu_turn(struct bpf_off_cpu *o, bool on)
{
	bool was = *o->enabled;

	*o->enabled = on;
	if (was && !on)
		end_open_waits(o);
}

static int bpf_off_cpu_read_open(struct bpf_off_cpu *o)
{
	struct bytes open;
	int r = 0;

	pthread_mutex_lock(&o->lock);
	open = o->open;
	o->open = (struct bytes){ 0 };
	pthread_mutex_unlock(&o->lock);
	for (size_t at = 0; at < open.n && r >= 0; at += sizeof(struct off_cpu_wait))
		r = take_wait(o, open.data + at, sizeof(struct off_cpu_wait));
	bytes_done(&open);
	return r;
}

static int take_sum(const struct bpf_off_cpu *o, const struct off_cpu_row *row, uint64_t end_ns,
		    const struct off_cpu_frames *s)
{
	static const struct off_cpu_frames none;

	if (!s || (size_t)s->n_kernel + s->n_user > OFF_CPU_FRAMES)
		s = &none;
	return o->take(o->arg, &(struct off_cpu_time){
				       .tid = row->key.tid,
				       .tgid = row->key.tgid,
				       .cpu = row->sum.cpu,
				       .state = (enum off_cpu_state)row->key.state,
				       .end_ns = end_ns,
				       .ns = row->sum.ns,
				       .waits = row->sum.waits,
				       .kernel = (const uint64_t *)s->words,
				       .user = (const uint64_t *)s->words + s->n_kernel,
				       .n_kernel = s->n_kernel,
				       .n_user = s->n_user,
				       .link = s->link,
			       });
}

static void find_stacks(const struct bpf_entries *stacks, struct u64_map *ret)
{
	for (size_t i = 0; i < stacks->n; i++) {
		uint64_t hash;

		memcpy(&hash, stacks->keys + i * sizeof(hash), sizeof(hash));
		u64_map_put(ret, hash, stacks->values + i * sizeof(struct off_cpu_frames));
	}
}

/*
 * Passes on the additions to the sums; unless @all, only for tasks that have ended. No more is
 * added to those, so they are removed.
 */
static int bpf_off_cpu_take_sums(struct bpf_off_cpu *o, const struct off_cpu_sums *added,
				 const struct bpf_entries *stacks, bool all)
{
	_cleanup_(off_cpu_sums_done) struct off_cpu_sums taken = { 0 }, ended = { 0 };
	struct u64_map by_hash = { 0 };
	int r = 0;

	find_stacks(&o->removed, &by_hash);
	find_stacks(stacks, &by_hash);
	off_cpu_ends_sort(&o->ends);
	for (size_t i = 0; i < added->n && r >= 0; i++) {
		const struct off_cpu_row *row = &added->items[i];
		uint64_t end_ns = off_cpu_ends_find(&o->ends, &row->key);

		if (!end_ns && !all)
			continue;
		r = take_sum(o, row, end_ns, u64_map_find(&by_hash, row->key.stack_hash));
		*(end_ns ? ARRAY_ADD(&ended) : ARRAY_ADD(&taken)) = *row;
	}
	u64_map_done(&by_hash);
	for (size_t i = 0; i < ended.n; i++)
		bpf_module_remove(o->module, "sums", &ended.items[i].key);
	off_cpu_sums_add(&o->written, &taken);
	off_cpu_sums_remove(&o->written, &ended);
	o->ends.n = 0;
	return r;
}

/*
 * Frees space for new stacks, once half of it is used: stacks to which no sum in @now refers are
 * removed. A program may have found such a stack a moment ago and add a sum for it now. The stack
 * is then put back the next time, from the copy of the removed ones. Takes ownership of @stacks.
 */
static void remove_stacks(struct bpf_off_cpu *o, const struct off_cpu_sums *now,
			  struct bpf_entries *stacks)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	struct u64_map used = { 0 }, there = { 0 }, removed = { 0 };
	bool is_full = stacks->n > STACKS_MAX / 2;

	find_stacks(stacks, &there);
	find_stacks(&o->removed, &removed);
	for (size_t i = 0; i < now->n; i++) {
		uint64_t hash = now->items[i].key.stack_hash;
		const void *frames = u64_map_find(&removed, hash);

		u64_map_put(&used, hash, o);
		if (frames && !u64_map_find(&there, hash))
			bpf_module_put(o->module, "stacks", &hash, frames, &ignored);
	}
	for (size_t i = 0; i < stacks->n && is_full; i++) {
		uint64_t hash;

		memcpy(&hash, stacks->keys + i * sizeof(hash), sizeof(hash));
		if (!u64_map_find(&used, hash))
			bpf_module_remove(o->module, "stacks", &hash);
	}
	u64_map_done(&used);
	u64_map_done(&there);
	u64_map_done(&removed);
	bpf_entries_done(&o->removed);
	o->removed = is_full ? *stacks : (struct bpf_entries){ 0 };
	if (!is_full)
		bpf_entries_done(stacks);
}

/* Sums are read first, because a stack exists before its first sum. */
static int read_sums(struct bpf_off_cpu *o, bool all, struct diag *diag)
{
	_cleanup_(off_cpu_sums_done) struct off_cpu_sums now = { 0 }, added = { 0 };
	struct bpf_entries e, stacks;
	int r = bpf_module_read(o->module, "sums", &e, diag);

	if (r < 0)
		return r;
	now = off_cpu_sums_of(e.keys, e.values, e.n);
	bpf_entries_done(&e);
	r = bpf_module_read(o->module, "stacks", &stacks, diag);
	if (r < 0)
		return r;
	added = off_cpu_sums_since(&now, &o->written);
	r = bpf_off_cpu_take_sums(o, &added, &stacks, all);
	remove_stacks(o, &now, &stacks);
	return r;
}

int bpf_off_cpu_read(struct bpf_off_cpu *o, bool with_sums, struct diag *diag)
{
	int r = bpf_reader_read(o->reader);

	if (r >= 0)
		r = bpf_off_cpu_read_open(o);
	return r < 0 || !(with_sums || o->ends.n) ? r : read_sums(o, with_sums, diag);
}

int bpf_off_cpu_losses(const struct bpf_off_cpu *o, struct bpf_off_cpu_losses *ret,
		       struct diag *diag)
{
	uint64_t lost[OFF_CPU_LOSSES], children = 0;
	int r = bpf_module_sum(o->module, "losses", OFF_CPU_LOSSES, lost, diag);

	if (r >= 0 && o->follows)
		r = bpf_targets_lost(o->module, &children, diag);
	if (r < 0)
		return r;
	*ret = (struct bpf_off_cpu_losses){
		.tasks = lost[OFF_CPU_LOST_TASKS],
		.waits = lost[OFF_CPU_LOST_WAITS],
		.wait_ns = lost[OFF_CPU_LOST_NS],
		.children = children,
		.runs = bpf_module_missed(o->module),
	};
	return 0;
}
