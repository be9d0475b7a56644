/* SPDX-License-Identifier: MIT */
#include "tools/lock/bpf-plan-work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "tools/lock/contention-model.h"
#include "tools/lock/lock-work.h"

/* The default is that of perf 7.2. */
#define ROWS_DEFAULT 16384
#define ROWS_MAX     (1 << 24)

/*
 * The number of frames that BPF programs find above the waiting function: their own, and those of
 * the code that runs them.
 */
#define PROGRAM_FRAMES 6

/* The same for user space: libc's functions are above the one that wants the lock. */
#define LIBRARY_FRAMES 4

void lock_bpf_plan_done(struct lock_bpf_plan *p)
{
	free(p->addrs.items);
	for (size_t i = 0; i < p->cgroups.n; i++)
		cgroup_done(&p->cgroups.items[i]);
	free(p->cgroups.items);
	free(p->cgroup_fds);
	*p = (struct lock_bpf_plan){ 0 };
}

/* Parses "ffff8000806c6f28" or "0x...". False: it is not an address. */
static bool parse_addr(const char *text, uint64_t *ret)
{
	char *end;

	errno = 0;
	*ret = strtoull(text, &end, 16);
	return end != text && !*end && !errno && *text != '-' && *text != '+' && *text != ' ';
}

static bool lock_bpf_plan_find_named(const char *name, uint32_t *named)
{
	static const struct {
		const char *name;
		enum bpf_lock_name lock;
	} all[] = { { "mmap_lock", BPF_LOCK_MMAP_LOCK }, { "siglock", BPF_LOCK_SIGLOCK } };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (!strcmp(all[i].name, name)) {
			*named |= 1U << all[i].lock;
			return true;
		}
	return false;
}

static int plan_locks(const struct lock_request *rq, const struct lock_names *names,
		      struct lock_bpf_plan *p, struct diag *diag)
{
	struct bpf_lock_request *b = &p->request;

	b->limits_locks = rq->filters.locks.n != 0;
	for (size_t i = 0; i < rq->filters.locks.n; i++) {
		const char *word = rq->filters.locks.items[i];
		uint64_t addr;

		if (lock_bpf_plan_find_named(word, &b->named))
			continue;
		if (names->find(names->arg, word, &addr) || parse_addr(word, &addr)) {
			*ARRAY_ADD(&p->addrs) = addr;
		} else if (!b->futexes) {
			diag_set(diag, -ENOENT, "the kernel has no lock called '%s'", word);
			diag_hint(diag, "perf lock contention -b -l shows addresses, which -L "
					"takes as well. Many kernels list only functions in "
					"/proc/kallsyms; --vmlinux has the rest. mmap_lock and "
					"siglock are found by their tasks.");
			return -ENOENT;
		}
	}
	b->addrs = p->addrs.items;
	b->n_addrs = p->addrs.n;
	return 0;
}

static int plan_cgroups(const struct lock_request *rq, struct lock_bpf_plan *p, struct diag *diag)
{
	_cleanup_(freep) char *list = xstrdup(rq->cgroups ? rq->cgroups : "");
	char *rest = list, *word;

	while ((word = strsep(&rest, ","))) {
		struct cgroup c;
		int r = *word ? cgroup_open(NULL, word, &c, diag) : 0;

		if (r < 0)
			return r;
		if (*word)
			*ARRAY_ADD(&p->cgroups) = c;
	}
	p->cgroup_fds = xcalloc(p->cgroups.n + 1, sizeof(*p->cgroup_fds));
	for (size_t i = 0; i < p->cgroups.n; i++)
		p->cgroup_fds[i] = p->cgroups.items[i].fd;
	p->request.cgroup_fds = p->cgroup_fds;
	p->request.n_cgroup_fds = p->cgroups.n;
	return 0;
}

/* Returns all combinations of the kernel's six flags that a filter accepts. */
static uint64_t plan_flags(const struct lock_types *types)
{
	uint64_t wanted = 0;

	for (uint32_t flags = 0; flags < 64; flags++)
		if (!types->n || lock_types_have(types, flags))
			wanted |= UINT64_C(1) << flags;
	return wanted;
}

static void plan_stacks(const struct lock_request *rq, struct bpf_lock_request *b)
{
	uint32_t depth = (uint32_t)rq->max_stack;

	if (rq->by == LOCK_BY_CALLER || rq->keep_stacks || rq->filters.callers.n)
		b->kernel_frames = depth + PROGRAM_FRAMES;
	b->unwinds = b->futexes;
	/* An interpreted frame has two words. */
	b->user_frames = 2 * depth + LIBRARY_FRAMES;
}

static uint32_t plan_rows(uint64_t entries)
{
	uint32_t rows = 1;

	if (!entries)
		return ROWS_DEFAULT;
	while (rows < entries && rows < ROWS_MAX)
		rows *= 2;
	return rows;
}

static int refuse_delay(struct diag *diag)
{
	diag_set(diag, -EOPNOTSUPP,
		 "--inject-delay is not supported: it would make the kernel wait while it has a "
		 "lock, which may hang the machine");
	diag_hint(diag, "Without it, waits are counted as they are.");
	return -EOPNOTSUPP;
}

int lock_bpf_plan(const struct lock_request *rq, const struct lock_names *names,
		  struct lock_bpf_plan *ret, struct diag *diag)
{
	struct bpf_lock_request *b = &ret->request;
	int r;

	if (rq->inject_delay)
		return refuse_delay(diag);
	/* Both enumerations have the same order. */
	*b = (struct bpf_lock_request){
		.by = (enum bpf_lock_by)rq->by,
		.owners = rq->owners,
		.kernel = !rq->user_only,
		.futexes = (rq->user || rq->user_only) &&
			   (!rq->filters.types.n || lock_types_have_user(&rq->filters.types)),
		.rows_max = plan_rows(rq->map_entries),
		.wanted_flags = plan_flags(&rq->filters.types),
		.limits_user = rq->target.user.given,
		.user = rq->target.user.uid,
	};
	b->kernel &= b->wanted_flags != 0;
	plan_stacks(rq, b);
	r = plan_locks(rq, names, ret, diag);
	return r < 0 ? r : plan_cgroups(rq, ret, diag);
}
