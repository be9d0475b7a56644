/* SPDX-License-Identifier: MIT */
#include "tools/lock/live-names-work.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "elf/file.h"
#include "kernel/cgroup-names.h"
#include "session/machine.h"
#include "symbol/elf-load.h"
#include "symbol/kallsyms.h"
#include "symbol/symbol-request.h"
#include "symbol/symbol.h"
#include "tools/lock/lock-bpf.h"
#include "tools/lock/user-locks-model.h"

#define RUNNING_KERNEL "/proc/kallsyms"

/* The frames of a BPF program and its callers are within this number of first frames. */
#define PROGRAM_FRAMES 8

struct lock_live_names {
	struct kallsyms *kernel; /* NULL: the addresses are hidden */
	struct symbol_table vmlinux;
	bool has_vmlinux;
	struct cgroup_names *cgroups;  /* or NULL */
	struct user_locks *user;       /* or NULL */
	const struct session *session; /* likewise */
	const struct bpf_lock *bpf;    /* likewise */
	struct u64_map locks;          /* names by address */
	struct u64_map comms;          /* names by task; "": no name */
	struct intern texts;
};

/*
 * Reads the symbols of a kernel file. The kernel may have been relocated, so the file's _text is
 * mapped to that of the running kernel.
 */
static int read_vmlinux(struct lock_live_names *n, const char *path, struct diag *diag)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	uint64_t here, there;
	int r = elf_file_open(path, &f);

	if (r >= 0)
		r = elf_symbol_address(f, "_text", &there);
	if (r >= 0 && (!n->kernel || !kallsyms_reference(n->kernel, &here)))
		here = there;
	if (r >= 0)
		r = elf_load_by_address(f, here - there, &n->vmlinux);
	if (r < 0)
		return diag_set(diag, r, "cannot read the kernel's symbols in '%s': %s", path,
				strerror(-r));
	n->has_vmlinux = true;
	return 0;
}

int lock_live_names_new(const struct symbol_request *rq, bool with_cgroups,
			struct lock_live_names **ret, struct diag *diag)
{
	_cleanup_(lock_live_names_freep) struct lock_live_names *n = xcalloc(1, sizeof(*n));
	_cleanup_(diag_done) struct diag no_cgroups = { 0 };
	const char *path = rq->kallsyms ? rq->kallsyms : RUNNING_KERNEL;
	int r = kallsyms_read(path, "_text", &n->kernel);

	symbol_table_init(&n->vmlinux, NULL);
	if (r < 0 && rq->kallsyms)
		return diag_set(diag, r, "cannot read the kernel's symbols in '%s': %s", path,
				strerror(-r));
	r = rq->vmlinux ? read_vmlinux(n, rq->vmlinux, diag) : 0;
	if (r < 0)
		return r;
	if (with_cgroups)
		cgroup_names_read(NULL, &n->cgroups, &no_cgroups);
	*ret = TAKE(n);
	return 0;
}

void lock_live_names_free(struct lock_live_names *n)
{
	if (!n)
		return;
	kallsyms_free(n->kernel);
	symbol_table_done(&n->vmlinux);
	cgroup_names_free(n->cgroups);
	u64_map_done(&n->locks);
	u64_map_done(&n->comms);
	intern_done(&n->texts);
	free(n);
}

void lock_live_names_user(struct lock_live_names *n, struct user_locks *u, const struct session *s)
{
	n->user = u;
	n->session = s;
}

void lock_live_names_interpreted(struct lock_live_names *n, const struct bpf_lock *l)
{
	n->bpf = l;
}

void lock_live_names_lock(struct lock_live_names *n, uint64_t addr, const char *name)
{
	u64_map_put(&n->locks, addr, (void *)intern_text(&n->texts, name));
}

void lock_live_names_comm(struct lock_live_names *n, uint32_t pid, uint32_t tid, const char *comm)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%" PRIu32 "/comm", tid), *now = NULL;

	if (u64_map_find(&n->comms, tid))
		return;
	if (tid && file_read_line(AT_FDCWD, path, &now) >= 0)
		comm = now;
	else if (!comm[0] && n->session)
		comm = machine_comm(n->session, pid, tid, 0);
	u64_map_put(&n->comms, tid, (void *)intern_text(&n->texts, comm));
}

static const struct symbol *find_in_modules(struct lock_live_names *n, uint64_t addr)
{
	const struct symbol *sym = NULL;
	struct symbol_table *t;
	const char *module;

	for (size_t i = 0; !sym && (t = kallsyms_module_at(n->kernel, i, &module)); i++)
		sym = symbol_table_find(t, addr);
	return sym;
}

static const struct symbol *lock_live_names_kernel_symbol(struct lock_live_names *n, uint64_t addr)
{
	const struct symbol *sym = n->has_vmlinux ? symbol_table_find(&n->vmlinux, addr) : NULL;

	if (!sym && n->kernel)
		sym = symbol_table_find(kallsyms_kernel(n->kernel), addr);
	return sym || !n->kernel ? sym : find_in_modules(n, addr);
}

/* True if @addr is in the upper half of the addresses, which belongs to the kernel. */
static bool is_kernel_addr(uint64_t addr)
{
	return addr >> 63;
}

static bool lock_live_names_find_symbol(void *arg, uint32_t pid, uint64_t addr,
					struct lock_symbol *ret)
{
	struct lock_live_names *n = arg;
	const char *lock = u64_map_find(&n->locks, addr), *function;
	const struct symbol *sym;

	if (n->bpf && (function = bpf_lock_function(n->bpf, addr))) {
		*ret = (struct lock_symbol){ .name = function };
		return true;
	}
	if (!is_kernel_addr(addr))
		return n->user && user_locks_symbol(n->user, pid, addr, ret);
	sym = lock_live_names_kernel_symbol(n, addr);
	if (sym)
		*ret = (struct lock_symbol){ .name = sym->name, .offset = addr - sym->start };
	else if (lock)
		*ret = (struct lock_symbol){ .name = lock };
	return sym || lock;
}

static bool lock_live_names_find_address(void *arg, const char *name, uint64_t *ret_addr)
{
	struct lock_live_names *n = arg;
	const struct symbol *sym = n->has_vmlinux ? symbol_table_find_name(&n->vmlinux, name)
						  : NULL;
	struct symbol_table *t;
	const char *module;

	if (!sym && n->kernel)
		sym = symbol_table_find_name(kallsyms_kernel(n->kernel), name);
	for (size_t i = 0; !sym && n->kernel && (t = kallsyms_module_at(n->kernel, i, &module));
	     i++)
		sym = symbol_table_find_name(t, name);
	if (sym)
		*ret_addr = sym->start;
	return sym;
}

static const char *lock_live_names_find_comm(void *arg, uint32_t tid)
{
	struct lock_live_names *n = arg;
	const char *comm = u64_map_find(&n->comms, tid);

	return comm && comm[0] ? comm : NULL;
}

static const char *lock_live_names_find_cgroup(void *arg, uint64_t id)
{
	struct lock_live_names *n = arg;

	return n->cgroups ? cgroup_names_find(n->cgroups, id) : NULL;
}

struct lock_names lock_live_names(struct lock_live_names *n)
{
	return (struct lock_names){ .symbol = lock_live_names_find_symbol,
				    .find = lock_live_names_find_address,
				    .comm = lock_live_names_find_comm,
				    .cgroup = lock_live_names_find_cgroup,
				    .arg = n };
}

static bool runs_programs(const char *name)
{
	return !strncmp(name, "bpf_trace_run", 13) || !strncmp(name, "__bpf_trace_", 12) ||
	       !strncmp(name, "bpf_prog_", 9);
}

size_t lock_live_names_skip(struct lock_live_names *n, const uint64_t *stack, size_t n_stack)
{
	size_t skip = 0;

	for (size_t i = 0; i < n_stack && i < PROGRAM_FRAMES; i++) {
		const struct symbol *sym = lock_live_names_kernel_symbol(n, stack[i]);

		if (sym && runs_programs(sym->name))
			skip = i + 1;
	}
	return skip;
}
