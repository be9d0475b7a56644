/* SPDX-License-Identifier: MIT */
#include "tools/trace/summary-bpf.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "bpf/image.h"
#include "bpf/module.h"
#include "bpf/trace-host.h"

/* The maximum numbers. A row takes about 450 bytes, once it is used. */
#define ROWS_MAX   262144
#define ERRORS_MAX 65536
#define TASKS_MAX  65536

struct bpf_trace_summary {
	struct bpf_module *module;
	enum bpf_trace_summary_by by;
	uint8_t abis[2]; /* for 64-bit and for 32-bit programs */
};

void bpf_trace_summary_free(struct bpf_trace_summary *s)
{
	if (!s)
		return;
	bpf_module_free(s->module);
	free(s);
}

static void bpf_trace_summary_choose_calls(const uint64_t *const *wanted, const uint8_t abis[2],
					   struct trace_summary_constants *c)
{
	c->wants_all = 1;
	for (size_t i = 0; i < SYSCALL_N_ABIS; i++)
		c->wants_all &= !wanted[i];
	for (size_t i = 0; i < 2; i++) {
		const uint64_t *bits = wanted[abis[i]];
		unsigned n = syscall_count(abis[i]);

		for (unsigned nr = 0; bits && nr < n && nr < TRACE_SUMMARY_CALLS_MAX; nr++)
			c->wanted[i][nr / 64] |= (bits[nr / 64] >> nr % 64 & 1) << nr % 64;
	}
}

static void name_forks(const uint8_t abis[2], struct trace_summary_constants *c)
{
	for (size_t i = 0; i < 2; i++) {
		unsigned n = syscall_count(abis[i]), nr = 0;

		for (size_t k = 0; k < TRACE_SUMMARY_FORKS_MAX; k++, nr++) {
			while (nr < n && !syscall_makes_task(syscall_find(abis[i], nr)))
				nr++;
			c->forks[i][k] = nr < n ? (int32_t)nr : -1;
		}
	}
}

static int bpf_trace_summary_set_constants(const struct bpf_trace_summary_request *rq,
					   const struct bpf_trace_summary *s,
					   struct trace_summary_constants *c, struct diag *diag)
{
	if (!c || rq->n_excluded > TRACE_SUMMARY_EXCLUDED_MAX)
		return diag_set(diag, -EOPNOTSUPP, "BPF cannot leave out %zu processes",
				rq->n_excluded);
	/* Both enumerations have the same order. */
	c->by = rq->by;
	c->fills_buckets = rq->fills_buckets;
	c->from_ns = rq->from_ns;
	c->limits_user = rq->limits_user;
	c->user = rq->user;
	c->n_excluded = (uint32_t)rq->n_excluded;
	for (size_t i = 0; i < rq->n_excluded; i++)
		c->excluded[i] = (uint32_t)rq->excluded[i];
	bpf_trace_summary_choose_calls(rq->wanted, s->abis, c);
	name_forks(s->abis, c);
	return bpf_targets_choose(&rq->targets, s->module, &c->targets, diag);
}

/* The programs in the order in which they are attached. Switches must be seen before calls are. */
static const char *const programs[] = {
	"on_exit", "on_fork", "on_exec", "on_switch", "on_return", "on_enter",
};

static bool bpf_trace_summary_is_needed(const char *program,
					const struct bpf_trace_summary_request *rq)
{
	bool follows = rq->targets.tids && !rq->follows_no_forks;

	return follows || strcmp(program, "on_fork") != 0;
}

static int bpf_trace_summary_prepare(const struct bpf_trace_summary_request *rq,
				     const struct bpf_trace_summary *s, struct diag *diag)
{
	static const struct {
		const char *map;
		uint32_t room;
	} maps[] = {
		{ "rows", ROWS_MAX },
		{ "errors", ERRORS_MAX },
		{ "open_calls", TASKS_MAX },
		{ "names", TASKS_MAX },
	};
	struct trace_summary_constants *c = bpf_module_constants(s->module, sizeof(*c));
	int r = bpf_trace_summary_set_constants(rq, s, c, diag);

	for (size_t i = 0; i < ARRAY_SIZE(maps) && r >= 0; i++)
		r = bpf_module_size(s->module, maps[i].map, maps[i].room);
	for (size_t i = 0; i < ARRAY_SIZE(programs) && r >= 0; i++)
		if (bpf_trace_summary_is_needed(programs[i], rq))
			r = bpf_module_want(s->module, programs[i]);
	if (r >= 0 && rq->by != BPF_TRACE_SUMMARY_CGROUP)
		r = bpf_module_key_size(s->module, "rows", TRACE_SUMMARY_SHORT_KEY);
	return r;
}

static int bpf_trace_summary_attach(const struct bpf_trace_summary_request *rq,
				    struct bpf_module *m, struct diag *diag)
{
	int r = bpf_targets_put(&rq->targets, m, diag);

	for (size_t i = 0; i < ARRAY_SIZE(programs) && r >= 0; i++)
		if (bpf_trace_summary_is_needed(programs[i], rq))
			r = bpf_module_attach_raw(m, programs[i], diag);
	return r;
}

int bpf_trace_summary_begin(const struct bpf_trace_summary_request *rq,
			    struct bpf_trace_summary **ret, struct diag *diag)
{
	_cleanup_(bpf_trace_summary_freep) struct bpf_trace_summary *s = xcalloc(1, sizeof(*s));
	int r = bpf_module_open(&bpf_image_trace_summary, &s->module, diag);

	s->by = rq->by;
	if (r >= 0)
		r = trace_host_abis(s->abis, diag);
	if (r >= 0)
		r = bpf_trace_summary_prepare(rq, s, diag);
	if (r >= 0)
		r = bpf_module_load(s->module, diag);
	if (r >= 0)
		r = bpf_trace_summary_attach(rq, s->module, diag);
	if (r >= 0)
		*ret = TAKE(s);
	return r;
}

void bpf_trace_summary_stop(struct bpf_trace_summary *s)
{
	bpf_module_detach(s->module);
}

/* The count of an error of a row. */
struct trace_summary_bpf_failure {
	struct trace_summary_error of;
	uint64_t count;
};

/* The contents of the maps, read at once. */
struct snapshot {
	const struct bpf_trace_summary *s;
	struct bpf_entries rows, open_calls;
	struct {
		struct trace_summary_bpf_failure *items; /* sorted by their keys */
		size_t n, room;
	} failures;
	struct bpf_entries ended;
	struct u64_map names; /* by tid */
	struct intern comms;  /* names of running tasks */
	struct {
		struct bpf_trace_summary_errno *items; /* those of the current row */
		size_t n, room;
	} errnos;
	int (*take)(void *arg, const struct bpf_trace_summary_row *row);
	void *arg;
};

static void snapshot_done(struct snapshot *snap)
{
	bpf_entries_done(&snap->rows);
	bpf_entries_done(&snap->open_calls);
	bpf_entries_done(&snap->ended);
	free(snap->failures.items);
	u64_map_done(&snap->names);
	intern_done(&snap->comms);
	free(snap->errnos.items);
}

static int compare_failures(const void *a, const void *b)
{
	const struct trace_summary_bpf_failure *x = a, *y = b;

	return memcmp(&x->of, &y->of, sizeof(x->of));
}

static int read_failures(struct snapshot *snap, struct diag *diag)
{
	struct bpf_entries e;
	int r = bpf_module_read(snap->s->module, "errors", &e, diag);

	if (r < 0)
		return r;
	for (size_t i = 0; i < e.n; i++) {
		struct trace_summary_bpf_failure *f = ARRAY_ADD(&snap->failures);

		memcpy(&f->of, e.keys + i * sizeof(f->of), sizeof(f->of));
		memcpy(&f->count, e.values + i * sizeof(f->count), sizeof(f->count));
	}
	bpf_entries_done(&e);
	if (snap->failures.n)
		qsort(snap->failures.items, snap->failures.n,
		      sizeof(struct trace_summary_bpf_failure), compare_failures);
	return 0;
}

/* Reads the names of tasks that have ended. Other names are read from /proc. */
static int read_names(struct snapshot *snap, struct diag *diag)
{
	int r = bpf_module_read(snap->s->module, "names", &snap->ended, diag);

	for (size_t i = 0; i < snap->ended.n && r >= 0; i++) {
		char *comm = (char *)snap->ended.values + i * TRACE_SUMMARY_COMM_MAX;
		uint32_t tid;

		comm[TRACE_SUMMARY_COMM_MAX - 1] = '\0';
		memcpy(&tid, snap->ended.keys + i * sizeof(tid), sizeof(tid));
		u64_map_put(&snap->names, tid, comm);
	}
	return r;
}

/* Returns the name of a task, or "" if it is unknown. */
static const char *bpf_trace_summary_name_of(struct snapshot *snap, uint32_t tid)
{
	const char *known = u64_map_find(&snap->names, tid);
	_cleanup_(freep) char *path = NULL, *comm = NULL;

	if (known)
		return known;
	path = xasprintf("/proc/%" PRIu32 "/comm", tid);
	if (file_read_line(AT_FDCWD, path, &comm) < 0)
		comm = xstrdup("");
	known = intern_text(&snap->comms, comm);
	u64_map_put(&snap->names, tid, (void *)known);
	return known;
}

static void set_group(struct snapshot *snap, const struct trace_summary_key *key,
		      struct bpf_trace_summary_row *r)
{
	if (snap->s->by == BPF_TRACE_SUMMARY_CGROUP)
		r->id = key->cgroup;
	if (snap->s->by != BPF_TRACE_SUMMARY_THREAD)
		return;
	r->id = key->who;
	r->comm = bpf_trace_summary_name_of(snap, key->who);
	if (!r->comm[0])
		r->comm = NULL;
}

static void set_errnos(struct snapshot *snap, const struct trace_summary_key *key,
		       struct bpf_trace_summary_row *r)
{
	const struct trace_summary_bpf_failure *f = snap->failures.items;
	size_t i = BISECT(k, snap->failures.n, memcmp(&f[k].of.key, key, sizeof(*key)) < 0);

	snap->errnos.n = 0;
	for (; i < snap->failures.n && !memcmp(&f[i].of.key, key, sizeof(*key)); i++)
		*ARRAY_ADD(&snap->errnos) = (struct bpf_trace_summary_errno){
			.error = (int)f[i].of.error, .count = f[i].count
		};
	r->errnos = snap->errnos.items;
	r->n_errnos = snap->errnos.n;
}

static int bpf_trace_summary_take_rows(struct snapshot *snap)
{
	int r = 0;

	for (size_t i = 0; i < snap->rows.n && r >= 0; i++) {
		struct trace_summary_key key = { 0 };
		struct trace_summary_row row;
		struct bpf_trace_summary_row figures;

		memcpy(&key, snap->rows.keys + i * snap->rows.key_size, snap->rows.key_size);
		memcpy(&row, snap->rows.values + i * sizeof(row), sizeof(row));
		figures = trace_summary_row_figures(key.call, &row, snap->s->abis);
		set_group(snap, &key, &figures);
		set_errnos(snap, &key, &figures);
		r = snap->take(snap->arg, &figures);
	}
	return r;
}

/* Adds calls that have not ended yet as events of their tasks, if rows are of threads. */
static int take_open_calls(struct snapshot *snap)
{
	int r = 0;

	for (size_t i = 0; i < snap->open_calls.n && r >= 0; i++) {
		struct trace_summary_key key = { 0 };
		struct trace_summary_open open;
		struct bpf_trace_summary_row one = { .nr = -1, .events = 1 };

		memcpy(&key.who, snap->open_calls.keys + i * sizeof(key.who), sizeof(key.who));
		memcpy(&open, snap->open_calls.values + i * sizeof(open), sizeof(open));
		if (!open.enter_ns || snap->s->by == BPF_TRACE_SUMMARY_CGROUP)
			continue;
		set_group(snap, &key, &one);
		r = snap->take(snap->arg, &one);
	}
	return r;
}

int bpf_trace_summary_read(const struct bpf_trace_summary *s,
			   int (*take)(void *arg, const struct bpf_trace_summary_row *row),
			   void *arg, struct diag *diag)
{
	_cleanup_(snapshot_done) struct snapshot snap = { .s = s, .take = take, .arg = arg };
	int r = bpf_module_read(s->module, "rows", &snap.rows, diag);

	/* Failures are read after their rows, so that none is missing. */
	if (r >= 0)
		r = read_failures(&snap, diag);
	if (r >= 0)
		r = bpf_module_read(s->module, "open_calls", &snap.open_calls, diag);
	if (r >= 0)
		r = read_names(&snap, diag);
	if (r >= 0)
		r = bpf_trace_summary_take_rows(&snap);
	return r < 0 ? r : take_open_calls(&snap);
}

int bpf_trace_summary_losses(const struct bpf_trace_summary *s,
			     struct bpf_trace_summary_losses *ret, struct diag *diag)
{
	uint64_t losses[TRACE_SUMMARY_LOSSES];
	int r = bpf_module_sum(s->module, "losses", TRACE_SUMMARY_LOSSES, losses, diag);

	if (r >= 0)
		r = bpf_targets_lost(s->module, &ret->tasks, diag);
	if (r < 0)
		return r;
	ret->calls = losses[TRACE_SUMMARY_LOST_CALLS];
	ret->times = losses[TRACE_SUMMARY_LOST_TIMES];
	ret->runs = bpf_module_missed(s->module);
	return 0;
}

_Static_assert(BPF_TRACE_SUMMARY_BUCKETS == TRACE_SUMMARY_BUCKETS, "both sides have the same rows");

void trace_summary_row_moments(const struct trace_summary_row *row, double *ret_mean,
			       double *ret_m2)
{
	long double n = (long double)row->calls, total = (long double)row->total_ns;
	long double squares = (long double)row->carries * 0x1p64L + (long double)row->squares +
			      (long double)row->large_squares * 0x1p32L;
	long double m2 = n > 0 ? squares - total * total / n : 0;

	*ret_mean = n > 0 ? (double)(total / n) : 0;
	/* Large squares are rounded down, and counts are read while they change. */
	*ret_m2 = m2 > 0 ? (double)m2 : 0;
}

struct bpf_trace_summary_row
trace_summary_row_figures(uint32_t call, const struct trace_summary_row *row, const uint8_t abis[2])
{
	struct bpf_trace_summary_row r = { .nr = -1, .events = row->calls };

	if (call == TRACE_SUMMARY_NO_CALL)
		return r;
	r.abi = abis[(call & TRACE_SUMMARY_COMPAT) != 0];
	r.nr = (int32_t)(call & ~TRACE_SUMMARY_COMPAT);
	r.calls = row->calls;
	r.events = 2 * row->calls - row->unseen;
	r.errors = row->errors;
	r.total_ns = row->total_ns;
	r.min_ns = ~row->max_inverse;
	r.max_ns = row->max_ns;
	trace_summary_row_moments(row, &r.mean_ns, &r.m2);
	memcpy(r.buckets, row->buckets, sizeof(r.buckets));
	return r;
}
