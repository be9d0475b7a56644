/* SPDX-License-Identifier: MIT */
#include "tools/trace/trace-bpf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/memory.h"
#include "bpf/image.h"
#include "bpf/module.h"
#include "bpf/trace-host.h"
#include "bpf/unwind-tables.h"
#include "tools/trace/bpf-types.h"
#include "tools/trace/decode-bpf.h"
#include "tools/trace/rings-bpf.h"

/*
 * The size of rings: as large as possible, but at most this, and all together at most a share of
 * memory.
 */
#define RING_MAX     (UINT32_C(32) << 20)
#define RING_MIN     (UINT32_C(256) << 10)
#define MEMORY_SHARE 32

/* The maximum that may be requested: the verifier does not follow offsets beyond 512 MB. */
#define RING_LIMIT (UINT32_C(256) << 20)

struct bpf_trace {
	struct bpf_module *module;
	struct trace_rings *rings;
	struct unwind_tables *tables; /* NULL: no stack is unwound */
	struct unwind_tables_facts facts;
	bool has_facts;
	struct trace_decoder decoder;
	int fd;
	bool is_stopped, keeps_newest;
	uint64_t lost_told; /* losses reported outside of records */
};

void bpf_trace_free(struct bpf_trace *t)
{
	if (!t)
		return;
	trace_rings_free(t->rings);
	unwind_tables_free(t->tables);
	bpf_module_free(t->module);
	free(t);
}

/* Returns the largest power of two that leaves the machine enough memory. */
static uint32_t good_ring_size(size_t n_cpus)
{
	uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	uint32_t size = RING_MAX;

	while (size > RING_MIN && size * n_cpus > memory / MEMORY_SHARE)
		size /= 2;
	return size;
}

/* Returns the requested size, rounded to a power of two of at least two blocks. */
static uint32_t ring_size_of(const struct bpf_trace_request *rq, size_t n_cpus)
{
	uint32_t size = 2 * TRACE_BLOCK;

	if (!rq->ring_size)
		return good_ring_size(n_cpus);
	while (size < rq->ring_size && size < RING_LIMIT)
		size *= 2;
	return size;
}

static bool shows_files(const struct syscall_desc *desc)
{
	for (unsigned i = 0; i < desc->n_args; i++)
		if (desc->args[i].kind == ARG_FD || desc->args[i].kind == ARG_DIRFD)
			return true;
	return false;
}

/*
 * Watches the calls that make descriptors, which provide the paths, whether these calls are wanted
 * or not.
 */
static void watch_files(struct trace_constants *c, size_t abi, enum syscall_abi its_abi)
{
	bool shown = false;

	for (unsigned nr = 0; nr < syscall_count(its_abi) && nr < TRACE_CALLS_MAX; nr++) {
		const struct syscall_desc *desc = syscall_find(its_abi, nr);

		shown |= desc && c->wanted[abi][nr / 64] >> nr % 64 & 1 && shows_files(desc);
	}
	for (unsigned nr = 0; nr < syscall_count(its_abi) && nr < TRACE_CALLS_MAX && shown; nr++) {
		struct trace_plan plan = trace_plan_of(syscall_find(its_abi, nr), 0);

		if (trace_plan_makes_files(&plan))
			c->watched[abi][nr / 64] |= UINT64_C(1) << nr % 64;
	}
}

static void bpf_trace_choose_calls(struct trace_constants *c, const struct trace_decoder *d,
				   const struct bpf_trace_request *rq)
{
	c->wants_all = 1;
	for (size_t abi = 0; abi < TRACE_N_ABIS; abi++) {
		const uint64_t *wanted = rq->wanted[d->abis[abi]];
		size_t n_words = (syscall_count(d->abis[abi]) + 63) / 64;

		if (!wanted) {
			memset(c->wanted[abi], 0xff, sizeof(c->wanted[abi]));
			memset(c->watched[abi], 0xff, sizeof(c->watched[abi]));
			continue;
		}
		c->wants_all = 0;
		if (n_words > TRACE_CALLS_MAX / 64)
			n_words = TRACE_CALLS_MAX / 64;
		memcpy(c->wanted[abi], wanted, n_words * sizeof(*wanted));
		memcpy(c->watched[abi], c->wanted[abi], sizeof(c->watched[abi]));
		watch_files(c, abi, d->abis[abi]);
	}
}

static int bpf_trace_exclude(struct trace_constants *c, const struct bpf_trace_request *rq,
			     struct diag *diag)
{
	if (rq->n_excluded > TRACE_EXCLUDED_MAX)
		return diag_set(diag, -EOPNOTSUPP, "BPF programs leave out at most %d processes",
				TRACE_EXCLUDED_MAX);
	c->n_excluded = (uint32_t)rq->n_excluded;
	for (size_t i = 0; i < rq->n_excluded; i++)
		c->excluded[i] = (uint32_t)rq->excluded[i];
	return 0;
}

/* With the filters of @rq, it may only be known at its end whether a call is shown. */
static bool tells_blocked(const struct bpf_trace_request *rq)
{
	return !rq->only_failures && !rq->min_duration_ns;
}

static void bpf_trace_set_constants(struct trace_constants *c, const struct bpf_trace_request *rq,
				    uint32_t ring_size)
{
	c->limits_user = rq->limits_user;
	c->user = rq->user;
	c->only_failures = rq->only_failures;
	c->min_duration_ns = rq->min_duration_ns;
	c->tells_blocked = tells_blocked(rq);
	c->follows_no_forks = rq->follows_no_forks;
	c->keeps_newest = rq->keeps_newest;
	c->trigger_error = (uint32_t)rq->trigger_error;
	c->trigger_duration_ns = rq->trigger_duration_ns;
	c->triggers_at_end = rq->triggers_at_end;
	c->ring_size = ring_size;
	c->wake_at = ring_size / 4;
}

/*
 * The programs in the order in which they are attached. Those that follow tasks come first, and
 * ends before begins, so that no begin stays without its end.
 */
static const char *const programs[] = { "on_exec",      "on_rename",   "on_exit",
					"on_fork",      "on_sys_exit", "on_sys_exit_unwinding",
					"on_sys_enter", "on_switch" };

static bool bpf_trace_is_needed(const char *program, const struct bpf_trace_request *rq)
{
	if (!strcmp(program, "on_sys_exit"))
		return !rq->unwinds;
	if (!strcmp(program, "on_sys_exit_unwinding"))
		return rq->unwinds;
	if (!strcmp(program, "on_switch"))
		return tells_blocked(rq);
	return true;
}

static int bpf_trace_want_programs(const struct bpf_trace_request *rq, struct bpf_module *m)
{
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(programs) && r >= 0; i++)
		if (bpf_trace_is_needed(programs[i], rq))
			r = bpf_module_want(m, programs[i]);
	return r;
}

static size_t ring_stride(uint32_t ring_size)
{
	return sizeof(struct trace_ring) + ring_size + TRACE_RECORD_MAX;
}

/* Prepares everything that must be known before the programs are loaded. */
static int bpf_trace_prepare(struct bpf_trace *t, const struct bpf_trace_request *rq, size_t n_cpus,
			     uint32_t ring_size, struct diag *diag)
{
	struct trace_constants *c = bpf_module_constants(t->module, sizeof(*c));
	int r;

	if (!c)
		return diag_set(diag, -EOPNOTSUPP, "BPF: the object 'trace' has no constants");
	bpf_trace_set_constants(c, rq, ring_size);
	bpf_trace_choose_calls(c, &t->decoder, rq);
	r = bpf_trace_exclude(c, rq, diag);
	if (r >= 0)
		r = bpf_targets_choose(&rq->targets, t->module, &c->targets, diag);
	if (r >= 0)
		r = bpf_trace_want_programs(rq, t->module);
	if (r >= 0 && rq->unwinds)
		r = unwind_tables_prepare(t->module, &c->host, diag);
	if (r >= 0)
		r = bpf_module_size(t->module, "rings", (uint32_t)n_cpus);
	return r < 0 ? r
		     : bpf_module_value_size(t->module, "rings", (uint32_t)ring_stride(ring_size));
}

static int bpf_trace_open_rings(struct bpf_trace *t, const struct bpf_trace_request *rq,
				size_t n_cpus, uint32_t ring_size, struct diag *diag)
{
	void *memory;
	int r = bpf_module_map_memory(t->module, "rings", &memory, diag);

	if (r < 0)
		return r;
	t->keeps_newest = rq->keeps_newest;
	t->rings = trace_rings_new(memory, n_cpus, ring_stride(ring_size), ring_size);
	r = t->fd = bpf_module_wakeups(t->module, "wakeups", diag);
	return r < 0 ? r : 0;
}

struct variants_to {
	struct bpf_trace *t;
	size_t abi;
	struct diag *diag;
};

static int put_variant(void *arg, const struct trace_variant *v)
{
	struct variants_to *to = arg;
	struct trace_variant_key key = v->key;

	key.plan += (uint32_t)(to->abi * TRACE_CALLS_MAX);
	return bpf_module_put(to->t->module, "variants", &key, &v->copy, to->diag);
}

static int put_plans(struct bpf_trace *t, const struct bpf_trace_request *rq, struct diag *diag)
{
	void *memory;
	int r = bpf_module_map_memory(t->module, "plans", &memory, diag);
	struct trace_plan *plans = memory;

	if (r < 0)
		return r;
	for (size_t abi = 0; abi < TRACE_N_ABIS && r >= 0; abi++) {
		struct variants_to to = { t, abi, diag };

		trace_plans_fill(t->decoder.abis[abi], rq->string_limit,
				 plans + abi * TRACE_CALLS_MAX);
		r = trace_variants_each(t->decoder.abis[abi], rq->string_limit, put_variant, &to);
	}
	return r;
}

static int bpf_trace_attach(struct bpf_trace *t, const struct bpf_trace_request *rq,
			    struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(programs) && r >= 0; i++)
		if (bpf_trace_is_needed(programs[i], rq))
			r = bpf_module_attach_raw(t->module, programs[i], diag);
	return r;
}

int bpf_trace_begin(const struct bpf_trace_request *rq, struct bpf_trace **ret, struct diag *diag)
{
	_cleanup_(bpf_trace_freep) struct bpf_trace *t = xcalloc(1, sizeof(*t));
	int n_cpus = bpf_module_cpus(), r = bpf_module_open(&bpf_image_trace, &t->module, diag);
	uint32_t ring_size;

	if (r >= 0)
		r = trace_host_abis(t->decoder.abis, diag);
	if (r >= 0 && n_cpus < 0)
		r = diag_set(diag, n_cpus, "BPF: the number of CPUs is unknown");
	if (r < 0)
		return r;
	ring_size = ring_size_of(rq, (size_t)n_cpus);
	r = bpf_trace_prepare(t, rq, (size_t)n_cpus, ring_size, diag);
	if (r >= 0)
		r = bpf_module_load(t->module, diag);
	if (r >= 0)
		r = bpf_trace_open_rings(t, rq, (size_t)n_cpus, ring_size, diag);
	if (r >= 0)
		r = put_plans(t, rq, diag);
	if (r >= 0 && rq->unwinds)
		r = unwind_tables_start(t->module, rq->functions, &t->tables, diag);
	if (r >= 0)
		r = bpf_targets_put(&rq->targets, t->module, diag);
	if (r >= 0)
		r = bpf_trace_attach(t, rq, diag);
	if (r >= 0)
		*ret = TAKE(t);
	return r;
}

int bpf_trace_fd(const struct bpf_trace *t)
{
	return t->fd;
}

void bpf_trace_stop(struct bpf_trace *t)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };

	bpf_module_detach(t->module);
	t->is_stopped = true;
	if (!t->tables)
		return;
	t->has_facts = unwind_tables_facts(t->tables, &t->facts, &ignored) >= 0;
	unwind_tables_free(t->tables);
	t->tables = NULL;
}

uint64_t bpf_trace_triggers(const struct bpf_trace *t)
{
	return trace_rings_triggers(t->rings);
}

struct taker {
	struct bpf_trace *trace;
	int (*take)(void *arg, const struct call_event *e);
	void *arg;
};

static int bpf_trace_take_record(void *arg, const struct trace_record *record, size_t size,
				 unsigned cpu)
{
	const struct taker *taker = arg;
	struct call_event e;

	if (trace_decode(&taker->trace->decoder, record, size, &e) < 0)
		e = (struct call_event){
			.kind = CALL_EVENT_LOST, .time_ns = record->time_ns, .count = 1, .nr = -1
		};
	e.cpu = (uint16_t)cpu;
	return taker->take(taker->arg, &e);
}

/* Reports the last losses, which have no record after them that would report them. */
static int tell_last_losses(struct taker *taker)
{
	struct bpf_trace *t = taker->trace;
	uint64_t lost = trace_rings_lost_untold(t->rings);
	struct call_event e = { .kind = CALL_EVENT_LOST, .nr = -1, .count = lost - t->lost_told };

	if (lost == t->lost_told)
		return 0;
	t->lost_told = lost;
	return taker->take(taker->arg, &e);
}

int bpf_trace_read(struct bpf_trace *t, bool to_end, uint64_t until_ns,
		   int (*take)(void *arg, const struct call_event *e), void *arg)
{
	struct taker taker = { t, take, arg };
	int r;

	bpf_module_woken(t->module);
	if (t->keeps_newest)
		trace_rings_snapshot(t->rings);
	r = trace_rings_read(t->rings,
			     to_end || t->keeps_newest ? UINT64_MAX : clock_ns(CLOCK_MONOTONIC),
			     until_ns, bpf_trace_take_record, &taker);
	if (!r && to_end && t->is_stopped)
		r = tell_last_losses(&taker);
	return r;
}

void bpf_trace_wait(uint64_t until_ns)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC), then_ns = until_ns + TRACE_HORIZON_NS;
	struct timespec pause = { 0 };

	if (then_ns <= now_ns || then_ns - now_ns > 2 * TRACE_HORIZON_NS)
		return;
	pause.tv_nsec = (long)(then_ns - now_ns);
	nanosleep(&pause, NULL);
}

const struct unwind_tables_facts *bpf_trace_stacks(const struct bpf_trace *t)
{
	return t->has_facts ? &t->facts : NULL;
}

int bpf_trace_losses(const struct bpf_trace *t, struct bpf_trace_losses *ret, struct diag *diag)
{
	ret->calls = trace_rings_lost(t->rings);
	ret->runs = bpf_module_missed(t->module);
	return bpf_targets_lost(t->module, &ret->tasks, diag);
}

/* The maximum bytes of structs, arrays of numbers and similar data. */
#define STRUCT_MAX 512

/* The minimum bytes of each string of argv. Shorter ones would be useless. */
#define ARGV_MIN 256

static uint16_t trace_plan_limit_of(const struct syscall_arg *arg, uint32_t string_limit)
{
	/* Includes its NUL, which is copied but not kept. */
	uint32_t limit = string_limit < TRACE_PIECE_MAX ? string_limit : TRACE_PIECE_MAX;

	switch (arg->copy) {
	case COPY_STRING:
		return TRACE_PIECE_MAX;
	case COPY_STRINGS:
		return (uint16_t)(limit > ARGV_MIN ? limit : ARGV_MIN);
	case COPY_BYTES:
		return (uint16_t)(arg->kind == ARG_BUFFER ? limit : STRUCT_MAX);
	default:
		return (uint16_t)limit;
	}
}

static struct trace_copy trace_plan_copy_of(const struct syscall_desc *desc, unsigned i,
					    const struct syscall_arg *arg, uint32_t string_limit)
{
	return (struct trace_copy){
		.arg = (uint8_t)i,
		.copy = arg->copy,
		.when = arg->when,
		.length = arg->length,
		.length_arg = arg->length_arg,
		.length_is_32bit = arg->length_arg < SYSCALL_ARGS_MAX &&
				   desc->args[arg->length_arg].bytes == 4,
		/* The length counts members of an iovec, not its bytes. */
		.element_bytes =
			arg->copy == COPY_IOVEC || !arg->element_bytes ? 1 : arg->element_bytes,
		.size = arg->size,
		.limit = trace_plan_limit_of(arg, string_limit),
	};
}

/* True if the argument receives the two descriptors that pipe() and socketpair() make. */
static bool is_fd_pair(const struct syscall_desc *desc, const struct syscall_arg *arg)
{
	return arg->kind == ARG_NUMBERS && arg->when == COPY_AT_EXIT &&
	       arg->length == LENGTH_FIXED && arg->size == 2 * sizeof(int32_t) &&
	       (!strncmp(desc->name, "pipe", 4) || !strcmp(desc->name, "socketpair"));
}

struct trace_plan trace_plan_of(const struct syscall_desc *desc, uint32_t string_limit)
{
	struct trace_plan plan = { 0 };

	if (!desc)
		return plan;
	plan.no_return = desc->no_return;
	plan.returns_fd = desc->returns_fd;
	plan.is_exec = !strcmp(desc->name, "execve") || !strcmp(desc->name, "execveat");
	for (unsigned i = 0; i < desc->n_args && i < TRACE_ARGS_MAX; i++) {
		if (desc->args[i].copy == COPY_NONE)
			continue;
		if (is_fd_pair(desc, &desc->args[i])) {
			plan.has_fd_pair = true;
			plan.fd_pair_arg = (uint8_t)i;
		}
		plan.copies[plan.n_copies++] = trace_plan_copy_of(desc, i, &desc->args[i],
								  string_limit);
		plan.copies_at |= desc->args[i].when;
	}
	for (unsigned i = 0; i < desc->n_variants; i++)
		if (desc->variants[i].arg.copy != COPY_NONE) {
			plan.command_arg = desc->command_arg + 1;
			plan.copies_at |= desc->variants[i].arg.when;
		}
	return plan;
}

bool trace_plan_makes_files(const struct trace_plan *plan)
{
	return plan->returns_fd || plan->has_fd_pair;
}

int trace_variants_each(enum syscall_abi abi, uint32_t string_limit,
			int (*put)(void *arg, const struct trace_variant *v), void *arg)
{
	int r = 0;

	for (unsigned nr = 0; nr < syscall_count(abi) && nr < TRACE_CALLS_MAX; nr++) {
		const struct syscall_desc *d = syscall_find(abi, nr);

		for (unsigned i = 0; d && i < d->n_variants && r >= 0; i++) {
			const struct syscall_variant *v = &d->variants[i];
			struct trace_variant found = {
				.key = { .plan = nr, .command = v->command },
				.copy = trace_plan_copy_of(d, d->variant_arg, &v->arg,
							   string_limit),
			};

			if (v->arg.copy != COPY_NONE)
				r = put(arg, &found);
		}
	}
	return r;
}

void trace_plans_fill(enum syscall_abi abi, uint32_t string_limit,
		      struct trace_plan ret[TRACE_CALLS_MAX])
{
	for (unsigned nr = 0; nr < TRACE_CALLS_MAX; nr++)
		ret[nr] = trace_plan_of(nr < syscall_count(abi) ? syscall_find(abi, nr) : NULL,
					string_limit);
}
