/* SPDX-License-Identifier: MIT */
#include "tools/lock/lock-bpf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/syscall/syscall.h"
#include "base/diag.h"
#include "base/memory.h"
#include "bpf/image.h"
#include "bpf/module.h"
#include "bpf/trace-host.h"
#include "bpf/unwind-tables.h"
#include "runtime/functions.h"

/* The maximum number of living tasks that have waited. An entry takes about 180 bytes. */
#define TASKS_MAX 32768

struct bpf_lock {
	struct bpf_module *module;
	struct unwind_tables *tables;        /* NULL: stacks are those of frame pointers */
	struct runtime_functions *functions; /* of interpreted languages; NULL as well */
	struct runtime_addresses frames;     /* of the row that is read */
	size_t n_cpus;
};

void bpf_lock_free(struct bpf_lock *l)
{
	if (!l)
		return;
	unwind_tables_free(l->tables);
	bpf_module_free(l->module);
	runtime_functions_free(l->functions);
	free(l->frames.items);
	free(l);
}

static void set_calls(struct bpf_lock_constants *c, const uint8_t abis[2])
{
	static const char *const names[BPF_LOCK_CALLS] = { "futex", "futex_time64", "futex_wait" };

	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; k < BPF_LOCK_CALLS; k++) {
			int nr = syscall_number(abis[i], names[k]);

			c->calls[i][k] = nr < 0 ? -1 : nr;
		}
}

static uint32_t stack_bytes(uint32_t frames)
{
	return (frames < BPF_LOCK_FRAMES_MAX ? frames : BPF_LOCK_FRAMES_MAX) *
	       (uint32_t)sizeof(uint64_t);
}

static int set_locks(const struct bpf_lock_request *rq, struct bpf_lock_constants *c,
		     struct diag *diag)
{
	if (rq->n_addrs > BPF_LOCK_ADDRS_MAX)
		return diag_set(diag, -EINVAL, "BPF programs can look for at most %d locks",
				BPF_LOCK_ADDRS_MAX);
	if (rq->n_cgroup_fds > BPF_LOCK_CGROUPS_MAX)
		return diag_set(diag, -EINVAL, "BPF programs can look for at most %d cgroups",
				BPF_LOCK_CGROUPS_MAX);
	c->limits_locks = rq->limits_locks;
	c->named = rq->named;
	c->n_addrs = (uint32_t)rq->n_addrs;
	for (size_t i = 0; i < rq->n_addrs; i++)
		c->addrs[i] = rq->addrs[i];
	c->wanted_flags = rq->wanted_flags;
	c->n_cgroups = (uint32_t)rq->n_cgroup_fds;
	return 0;
}

static int bpf_lock_set_constants(const struct bpf_lock_request *rq, const struct bpf_lock *l,
				  struct bpf_lock_constants *c, struct diag *diag)
{
	uint8_t abis[2];
	int r = c ? trace_host_abis(abis, diag)
		  : diag_set(diag, -EOPNOTSUPP, "BPF: the constants of 'lock' are missing");

	if (r < 0)
		return r;
	c->by = rq->by;
	c->owners = rq->owners;
	c->kernel_bytes = stack_bytes(rq->kernel_frames);
	c->user_bytes = stack_bytes(rq->user_frames ? rq->user_frames : 1);
	c->rows_max = rq->rows_max;
	c->limits_user = rq->limits_user;
	c->user = rq->user;
	set_calls(c, abis);
	r = set_locks(rq, c, diag);
	if (r >= 0 && rq->unwinds)
		r = unwind_tables_prepare(l->module, &c->host, diag);
	return r < 0 ? r : bpf_targets_choose(&rq->targets, l->module, &c->targets, diag);
}

/*
 * The programs in the order in which they are attached. Ends come first, because a begin whose end
 * is missed would stay.
 */
static const char *const programs[] = {
	"on_exit",  "on_fork",   "on_exec",  "on_end",
	"on_begin", "on_return", "on_enter", "on_enter_unwinding",
};

static bool bpf_lock_is_needed(const char *program, const struct bpf_lock_request *rq)
{
	if (!strcmp(program, "on_fork") || !strcmp(program, "on_exec"))
		return rq->targets.tids;
	if (!strcmp(program, "on_begin") || !strcmp(program, "on_end"))
		return rq->kernel;
	if (!strcmp(program, "on_return"))
		return rq->futexes;
	if (!strcmp(program, "on_enter"))
		return rq->futexes && !rq->unwinds;
	if (!strcmp(program, "on_enter_unwinding"))
		return rq->futexes && rq->unwinds;
	return true;
}

static int bpf_lock_size_maps(const struct bpf_lock_request *rq, const struct bpf_lock *l,
			      const struct bpf_lock_constants *c)
{
	uint32_t kernel = rq->kernel ? c->kernel_bytes : 0;
	uint32_t user = rq->futexes ? c->user_bytes : 0;
	uint32_t stack = kernel > user ? kernel : user;
	int r = bpf_module_size(l->module, "rows", rq->rows_max);

	if (r >= 0)
		r = bpf_module_value_size(l->module, "rows",
					  (uint32_t)offsetof(struct bpf_lock_info, stack) + stack);
	if (r >= 0)
		r = bpf_module_size(l->module, "counts", rq->rows_max);
	if (r >= 0 && rq->kernel)
		r = bpf_module_size(l->module, "sleeping", TASKS_MAX);
	if (r >= 0 && rq->futexes)
		r = bpf_module_size(l->module, "futexes", TASKS_MAX);
	return r;
}

static int bpf_lock_prepare(const struct bpf_lock_request *rq, const struct bpf_lock *l,
			    struct diag *diag)
{
	struct bpf_lock_constants *c = bpf_module_constants(l->module, sizeof(*c));
	int r = bpf_lock_set_constants(rq, l, c, diag);

	if (r >= 0)
		r = bpf_lock_size_maps(rq, l, c);
	for (size_t i = 0; i < ARRAY_SIZE(programs) && r >= 0; i++)
		if (bpf_lock_is_needed(programs[i], rq))
			r = bpf_module_want(l->module, programs[i]);
	return r;
}

static int bpf_lock_attach(const struct bpf_lock_request *rq, struct bpf_module *m,
			   struct diag *diag)
{
	int r = bpf_targets_put(&rq->targets, m, diag);

	for (uint32_t i = 0; i < rq->n_cgroup_fds && r >= 0; i++)
		r = bpf_module_put(m, "cgroups", &i, &rq->cgroup_fds[i], diag);
	for (size_t i = 0; i < ARRAY_SIZE(programs) && r >= 0; i++)
		if (bpf_lock_is_needed(programs[i], rq))
			r = bpf_module_attach_raw(m, programs[i], diag);
	return r;
}

int bpf_lock_begin(const struct bpf_lock_request *rq, struct bpf_lock **ret, struct diag *diag)
{
	_cleanup_(bpf_lock_freep) struct bpf_lock *l = xcalloc(1, sizeof(*l));
	int r = bpf_module_open(&bpf_image_lock, &l->module, diag);

	if (r >= 0) {
		int n = bpf_module_cpus();

		l->n_cpus = n > 0 ? (size_t)n : 1;
		r = bpf_lock_prepare(rq, l, diag);
	}
	if (r >= 0)
		r = bpf_module_load(l->module, diag);
	if (r >= 0 && rq->unwinds) {
		l->functions = runtime_functions_new(0);
		r = unwind_tables_start(l->module, l->functions, &l->tables, diag);
	}
	if (r >= 0)
		r = bpf_lock_attach(rq, l->module, diag);
	if (r >= 0)
		*ret = TAKE(l);
	return r;
}

void bpf_lock_stop(struct bpf_lock *l)
{
	bpf_module_detach(l->module);
}

/* Adds up the waits that have not ended, by row. */
static int bpf_lock_read_open(const struct bpf_lock *l, uint64_t now_ns,
			      struct bpf_lock_open_waits *open, struct diag *diag)
{
	struct bpf_entries e;
	int r = bpf_module_read(l->module, "sleeping", &e, diag);

	if (r < 0)
		return r;
	for (size_t i = 0; i < e.n; i++) {
		struct bpf_lock_waits w;

		memcpy(&w, e.values + i * sizeof(w), sizeof(w));
		for (uint32_t k = 0; k < w.n && k < BPF_LOCK_NESTED_MAX; k++)
			bpf_lock_open_waits_add(open, &w.items[k], now_ns);
	}
	bpf_entries_done(&e);
	r = bpf_module_read(l->module, "futexes", &e, diag);
	for (size_t i = 0; i < e.n && r >= 0; i++) {
		struct bpf_lock_wait w;

		memcpy(&w, e.values + i * sizeof(w), sizeof(w));
		bpf_lock_open_waits_add(open, &w, now_ns);
	}
	bpf_entries_done(&e);
	return r;
}

/* Sets the stack of an unwound row to addresses, as the kernel's own stacks have them. */
static void bpf_lock_translate(struct bpf_lock *l, struct bpf_lock_row *row)
{
	_cleanup_(freep) uint64_t *words = xcalloc(row->n_stack + 1, sizeof(*words));

	for (size_t i = 0; i < row->n_stack; i++) {
		words[i] = row->stack[i];
		if (RUNTIME_IS_FRAME(words[i]) && i + 1 < row->n_stack) {
			words[i + 1] = row->stack[i + 1];
			i++;
		} else if (i && !RUNTIME_IS_FRAME(words[i])) {
			/* The unwinder gives an address in the call, not the one behind it. */
			words[i]++;
		}
	}
	l->frames.n = 0;
	runtime_functions_translate(l->functions, RUNTIME_STACKS_SAMPLES, row->pid, words,
				    row->n_stack, &l->frames);
	row->stack = l->frames.items;
	row->n_stack = l->frames.n;
}

const char *bpf_lock_function(const struct bpf_lock *l, uint64_t addr)
{
	struct runtime_found found;

	return l->functions && runtime_functions_find_mapped(l->functions, addr, &found) !=
				       RUNTIME_KIND_NONE
		       ? found.name
		       : NULL;
}

static int bpf_lock_take_rows(struct bpf_lock *l, const struct bpf_entries *rows,
			      const struct bpf_lock_open_waits *open,
			      int (*take)(void *arg, const struct bpf_lock_row *row), void *arg,
			      struct diag *diag)
{
	_cleanup_(freep) struct bpf_lock_counts *counts = xcalloc(l->n_cpus, sizeof(*counts));
	int r = 0;

	for (size_t i = 0; i < rows->n && r >= 0; i++) {
		struct bpf_lock_info info = { 0 };
		struct bpf_lock_key key;
		struct bpf_lock_row row;

		memcpy(&key, rows->keys + i * sizeof(key), sizeof(key));
		memcpy(&info, rows->values + i * rows->value_size, rows->value_size);
		r = bpf_module_look_up(l->module, "counts", &info.row, counts, diag);
		if (r < 0)
			break;
		bpf_lock_row_make(&key, &info, rows->value_size, &row);
		bpf_lock_row_count(&row, counts, l->n_cpus, bpf_lock_open_waits_of(open, info.row));
		if (row.waits && row.is_unwound && l->functions)
			bpf_lock_translate(l, &row);
		if (row.waits)
			r = take(arg, &row);
	}
	return r;
}

int bpf_lock_read(struct bpf_lock *l, uint64_t now_ns,
		  int (*take)(void *arg, const struct bpf_lock_row *row), void *arg,
		  struct diag *diag)
{
	_cleanup_(bpf_lock_open_waits_done) struct bpf_lock_open_waits open = { 0 };
	struct bpf_entries rows;
	int r = bpf_lock_read_open(l, now_ns, &open, diag);

	if (r >= 0)
		r = bpf_module_read(l->module, "rows", &rows, diag);
	if (r < 0)
		return r;
	r = bpf_lock_take_rows(l, &rows, &open, take, arg, diag);
	bpf_entries_done(&rows);
	return r;
}

int bpf_lock_losses(const struct bpf_lock *l, struct bpf_lock_losses *ret, struct diag *diag)
{
	uint64_t losses[BPF_LOCK_LOSSES];
	int r = bpf_module_sum(l->module, "losses", BPF_LOCK_LOSSES, losses, diag);

	if (r >= 0)
		r = bpf_targets_lost(l->module, &ret->targets, diag);
	if (r < 0)
		return r;
	ret->tasks = losses[BPF_LOCK_LOST_TASKS];
	ret->rows = losses[BPF_LOCK_LOST_ROWS];
	ret->stacks = losses[BPF_LOCK_LOST_STACKS];
	ret->nested = losses[BPF_LOCK_LOST_NESTED] + losses[BPF_LOCK_LOST_ENDS];
	ret->runs = bpf_module_missed(l->module);
	return 0;
}

void bpf_lock_open_waits_done(struct bpf_lock_open_waits *o)
{
	for (size_t i = 0; i < o->n; i++)
		free(o->sums[i]);
	free(o->sums);
	u64_map_done(&o->rows);
	*o = (struct bpf_lock_open_waits){ 0 };
}

static struct bpf_lock_open_sum *lock_rows_sum_of(struct bpf_lock_open_waits *o, uint32_t row)
{
	struct bpf_lock_open_sum *sum = u64_map_find(&o->rows, row);

	if (sum)
		return sum;
	sum = xcalloc(1, sizeof(*sum));
	sum->min_ns = UINT64_MAX;
	o->sums = array_reserve(o->sums, &o->room, o->n + 1, sizeof(*o->sums));
	o->sums[o->n++] = sum;
	u64_map_put(&o->rows, row, sum);
	return sum;
}

void bpf_lock_open_waits_add(struct bpf_lock_open_waits *o, const struct bpf_lock_wait *w,
			     uint64_t now_ns)
{
	struct bpf_lock_open_sum *sum;
	uint64_t ns = now_ns > w->begin_ns ? now_ns - w->begin_ns : 0;

	if (!w->begin_ns || !w->addr)
		return;
	sum = lock_rows_sum_of(o, w->row);
	sum->n++;
	sum->total_ns += ns;
	sum->max_ns = ns > sum->max_ns ? ns : sum->max_ns;
	sum->min_ns = ns < sum->min_ns ? ns : sum->min_ns;
}

const struct bpf_lock_open_sum *bpf_lock_open_waits_of(const struct bpf_lock_open_waits *o,
						       uint32_t row)
{
	return u64_map_find(&o->rows, row);
}

void bpf_lock_row_make(const struct bpf_lock_key *key, struct bpf_lock_info *info, size_t size,
		       struct bpf_lock_row *ret)
{
	size_t head = offsetof(struct bpf_lock_info, stack);
	size_t room = size > head ? (size - head) / sizeof(info->stack[0]) : 0;
	size_t n = info->stack_bytes / sizeof(info->stack[0]);

	info->comm[sizeof(info->comm) - 1] = '\0';
	info->cache[sizeof(info->cache) - 1] = '\0';
	*ret = (struct bpf_lock_row){
		.is_futex = key->is_futex,
		.flags = info->flags,
		.op = info->op,
		.value = info->value,
		.pid = info->pid,
		.tid = info->tid,
		.addr = info->addr,
		.cgroup = info->cgroup,
		.name = info->name < BPF_LOCK_NAMES ? info->name : BPF_LOCK_UNNAMED,
		.cache = info->cache,
		.comm = info->comm,
		.stack = (const uint64_t *)info->stack,
		.n_stack = n < room ? n : room,
		.is_unwound = key->is_futex && info->is_unwound,
	};
}

void bpf_lock_row_count(struct bpf_lock_row *row, const struct bpf_lock_counts *counts, size_t n,
			const struct bpf_lock_open_sum *open)
{
	uint64_t min = open ? open->min_ns : UINT64_MAX;

	row->waits = row->open = open ? open->n : 0;
	row->total_ns = open ? open->total_ns : 0;
	row->max_ns = open ? open->max_ns : 0;
	for (size_t i = 0; i < n; i++) {
		if (!counts[i].waits)
			continue;
		row->waits += counts[i].waits;
		row->total_ns += counts[i].total_ns;
		row->max_ns = counts[i].max_ns > row->max_ns ? counts[i].max_ns : row->max_ns;
		min = ~counts[i].max_inverse < min ? ~counts[i].max_inverse : min;
	}
	row->min_ns = row->waits ? min : 0;
}
