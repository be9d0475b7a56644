/* SPDX-License-Identifier: MIT */
#include "session/sideband.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "kernel/process-files.h"
#include "session/jit-maps.h"
#include "session/machine.h"
#include "session/space.h"
#include "session/span.h"
#include "symbol/jit-code.h"
#include "symbol/symbolizer.h"
#include "wire/record.h"

#define KERNEL_PREFIX       "[kernel.kallsyms]"
#define GUEST_KERNEL_PREFIX "[guest.kernel.kallsyms"
#define KSYMBOL_UNREGISTER  1
#define PID_KERNEL          UINT32_MAX

void machine_init(struct machine *m, struct symbolizer *symbolizer)
{
	*m = (struct machine){ .nameless_lock = PTHREAD_MUTEX_INITIALIZER };
	images_init(&m->images, symbolizer);
	kernel_space_init(&m->host, &m->arena);
	/* Idle tasks have no record of their own. */
	tasks_name(&m->tasks, 0, "swapper", (struct moment){ 0 });
	lineage_saw(&m->lineage, 0, 0, (struct moment){ 0 });
}

static void guest_release(void *arg, uint64_t pid, void *value)
{
	(void)arg, (void)pid;
	kernel_space_done(value);
}

void machine_done(struct machine *m)
{
	u64_map_for_each(&m->guests, guest_release, NULL);
	u64_map_done(&m->guests);
	u64_map_done(&m->cgroups);
	u64_map_done(&m->jit_maps);
	kernel_space_done(&m->host);
	tasks_done(&m->tasks);
	lineage_done(&m->lineage);
	free(m->reads.items);
	images_done(&m->images);
	deferred_chains_done(&m->deferred);
	intern_done(&m->names);
	intern_done(&m->nameless);
	arena_done(&m->arena);
	pthread_mutex_destroy(&m->nameless_lock);
}

const struct kernel_space *machine_guest(const struct machine *m, uint32_t pid)
{
	const struct kernel_space *k = u64_map_find(&m->guests, pid);

	return k ? k : u64_map_find(&m->guests, 0);
}

static struct kernel_space *guest_made(struct machine *m, uint32_t pid)
{
	struct kernel_space *k = u64_map_find(&m->guests, pid);

	if (!k) {
		k = arena_alloc(&m->arena, sizeof(*k));
		kernel_space_init(k, &m->arena);
		u64_map_put(&m->guests, pid, k);
	}
	return k;
}

/*
 * Makes the map of @r. Its image is that of @key, unless the record itself has more precise data.
 */
static struct map *map_new(struct machine *m, const struct record_mmap *r, struct image_key key)
{
	struct map *map = arena_alloc(&m->arena, sizeof(*map));
	uint64_t end = r->addr + r->len;

	end = end < r->addr ? UINT64_MAX : end;
	/*
	 * A library is the same image wherever it is mapped; kernel code is identified by its
	 * address.
	 */
	if (key.kind == IMAGE_MODULE || key.kind == IMAGE_GUEST_MODULE || key.kind == IMAGE_BPF) {
		key.start = r->addr;
		key.end = end;
	}
	if (r->build_id.size) {
		key.build_id = r->build_id.bytes;
		key.build_id_size = r->build_id.size;
	}
	*map = (struct map){
		.start = r->addr,
		.end = end,
		.pgoff = r->pgoff,
		.prot = r->prot,
		.flags = r->flags,
		.ino = r->ino,
		.name = intern_text(&m->names, r->filename),
		.image = images_get(&m->images, &key),
	};
	return map;
}

/*
 * Applies a map of the kernel. The map of the text is called "[kernel.kallsyms]_text": after the
 * brackets comes the name of a symbol, whose address while recording is pgoff. Other kernel maps
 * are modules; a module whose address is hidden (kptr_restrict) is of no use.
 */
static void apply_kernel_mmap(struct machine *m, const struct record_mmap *r, struct moment at)
{
	size_t prefix = strlen(KERNEL_PREFIX);

	if (!strncmp(r->filename, KERNEL_PREFIX, prefix)) {
		struct image_key key = { .kind = IMAGE_KERNEL, .name = KERNEL_PREFIX };

		if (r->filename[prefix])
			symbolizer_kernel_reference(m->images.symbolizer, r->filename + prefix,
						    r->pgoff);
		kernel_space_text(&m->host, map_new(m, r, key));
	} else if (r->addr) {
		struct image_key key = { .kind = IMAGE_MODULE, .name = r->filename };

		kernel_space_module(&m->host, &m->arena, map_new(m, r, key), at);
	}
}

/*
 * Applies a map of a guest: "[guest.kernel.kallsyms]_text", or with the pid of the virtual machine:
 * "….kallsyms.123]_text".
 */
static void apply_guest_mmap(struct machine *m, const struct record_mmap *r, struct moment at)
{
	size_t prefix = strlen(GUEST_KERNEL_PREFIX);

	if (!strncmp(r->filename, GUEST_KERNEL_PREFIX, prefix)) {
		const char *rest = r->filename + prefix;
		uint32_t pid = *rest == '.' ? (uint32_t)strtoul(rest + 1, NULL, 10) : 0;
		struct image_key key = { .kind = IMAGE_GUEST_KERNEL,
					 .name = GUEST_KERNEL_PREFIX "]",
					 .pid = (int32_t)pid };

		kernel_space_text(guest_made(m, pid), map_new(m, r, key));
	} else if (r->addr) {
		uint32_t pid = r->pid == PID_KERNEL ? 0 : r->pid;
		struct image_key key = { .kind = IMAGE_GUEST_MODULE,
					 .name = r->filename,
					 .pid = (int32_t)pid };

		kernel_space_module(guest_made(m, pid), &m->arena, map_new(m, r, key), at);
	}
}

/*
 * Adds the code of a JIT dump. A JIT compiler maps its dump only to announce it; the dump describes
 * the code.
 */
static void learn_jit_code(struct machine *m, struct space *sp, const struct map *map, uint32_t pid,
			   struct moment at)
{
	const struct jit_request request = { .path = map->name,
					     .pid = (int32_t)pid,
					     .is_other_clock = !m->is_monotonic };
	const struct jit_code *c = NULL;

	/* If no symbols are wanted, the dump is not needed. */
	if (!m->images.own && jit_code_is_dump(map->name))
		c = symbolizer_jit_code(m->images.symbolizer, &request);
	if (!c)
		return;

	const struct jit_maps *jit = u64_map_find(&m->jit_maps, (uintptr_t)c);

	if (!jit) {
		jit = jit_maps_new(&m->arena, c, map->name);
		u64_map_put(&m->jit_maps, (uintptr_t)c, (void *)jit);
	}
	jit_history_add(&sp->jit, &m->tasks.arena, jit, at);
}

static uint64_t mount_ns(const struct machine *m, uint32_t pid, struct moment at)
{
	const struct namespaces *ns = tasks_namespaces(&m->tasks, pid, at);

	return ns ? ns->items[NAMESPACE_MNT].ino : 0;
}

/*
 * Returns the mount namespace of @pid, if it is not the machine's own. The machine's own is that of
 * its first process; if that was not recorded, this machine's is assumed.
 */
static uint64_t other_mount_ns(struct machine *m, uint32_t pid, struct moment at)
{
	uint64_t theirs = mount_ns(m, pid, at), own;

	if (!theirs)
		return 0;
	own = mount_ns(m, 1, at);
	if (!own && !m->own_mount_ns)
		m->own_mount_ns = process_mount_ns(0);
	return theirs == (own ? own : m->own_mount_ns) ? 0 : theirs;
}

/*
 * Returns the file of a map. Other kinds of images are not files, or belong to one process. The
 * generation 1, which no file system uses, marks files that `perf inject -j` made after the
 * recording.
 */
static struct file_id sideband_file_of(const struct record_mmap *r, enum image_kind kind)
{
	if (kind != IMAGE_USER || r->ino_generation == 1)
		return (struct file_id){ 0 };
	return (struct file_id){ r->maj, r->min, r->ino, r->ino_generation };
}

static void apply_mmap(struct machine *m, const struct record *r, struct moment at)
{
	const struct record_mmap *mm = &r->mmap;
	unsigned mode = r->header.misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (mode == PERF_RECORD_MISC_GUEST_KERNEL) {
		apply_guest_mmap(m, mm, at);
	} else if (mode == PERF_RECORD_MISC_KERNEL || mm->pid == PID_KERNEL) {
		apply_kernel_mmap(m, mm, at);
	} else {
		enum image_kind kind = image_kind_of_user(mm->filename);

		/* Memory without code has no names in a perf map. */
		if (kind == IMAGE_JIT && (r->header.misc & PERF_RECORD_MISC_MMAP_DATA))
			kind = IMAGE_UNKNOWN;

		const struct map *map =
			map_new(m, mm,
				(struct image_key){ .kind = kind,
						    .name = mm->filename,
						    .pid = (int32_t)mm->pid,
						    .mount_ns = other_mount_ns(m, mm->pid, at),
						    .file = sideband_file_of(mm, kind),
						    .map_start = mm->addr,
						    .map_end = mm->addr + mm->len });
		struct space *sp = tasks_space_make(&m->tasks, mm->pid, at);

		lineage_saw(&m->lineage, mm->pid, mm->pid, at);
		space_lay(sp, &m->tasks.arena, map->start, map->end, map, at);
		learn_jit_code(m, sp, map, mm->pid, at);
	}
}

/*
 * Ends the JIT code of a process. Where a new program has mapped nothing, the maps of the old one
 * remain visible, but its JIT code does not.
 */
static void end_jit_code(struct machine *m, uint32_t pid, struct moment at)
{
	struct space *sp = tasks_space(&m->tasks, pid, at, NULL);

	if (sp)
		jit_history_exec(&sp->jit, &m->tasks.arena, at);
}

static void apply_comm(struct machine *m, const struct record *r, struct moment at)
{
	lineage_saw(&m->lineage, r->comm.pid, r->comm.tid, at);
	tasks_name(&m->tasks, r->comm.tid, intern_text(&m->names, r->comm.comm), at);
	if (r->header.misc & PERF_RECORD_MISC_COMM_EXEC) {
		lineage_executed(&m->lineage, r->comm.tid, at);
		end_jit_code(m, r->comm.pid, at);
	}
}

/* Applies a fork. A synthesised fork describes a task that existed before: its maps follow. */
static void apply_fork(struct machine *m, const struct record *r, struct moment at)
{
	const struct record_task *t = &r->task;

	lineage_forked(&m->lineage, t->pid, t->tid, t->ppid, t->ptid, at);
	tasks_name(&m->tasks, t->tid, tasks_comm(&m->tasks, t->ptid, at, NULL), at);
	if (t->pid != t->ppid)
		tasks_fork(&m->tasks, t->pid, t->ppid,
			   !(r->header.misc & PERF_RECORD_MISC_FORK_EXEC), at);
}

static void apply_ksymbol(struct machine *m, const struct record *r, struct moment at)
{
	const struct record_ksymbol *k = &r->ksymbol;
	struct image_key key = { .kind = IMAGE_BPF, .name = k->name };
	struct record_mmap as_map = { .addr = k->addr, .len = k->len, .filename = k->name };
	const struct map *map = k->flags & KSYMBOL_UNREGISTER ? NULL : map_new(m, &as_map, key);
	uint64_t end = k->addr + k->len < k->addr ? UINT64_MAX : k->addr + k->len;

	kernel_space_made(&m->host, &m->arena, k->addr, end, map, at);
}

static void apply_cgroup(struct machine *m, const struct record *r, struct moment at)
{
	(void)at;
	u64_map_put(&m->cgroups, r->cgroup.id, (void *)intern_text(&m->names, r->cgroup.path));
}

/*
 * Applies namespaces. There is a record for each thread; threads share their namespaces, except for
 * short moments in a few of them.
 */
static void apply_namespaces(struct machine *m, const struct record *r, struct moment at)
{
	const struct record_namespaces *n = &r->namespaces;
	struct namespaces ns = { 0 };

	if (n->pid != n->tid)
		return;
	for (size_t i = 0; i < NAMESPACE_MAX && 2 * i + 1 < n->links.n; i++) {
		ns.items[i].dev = words_get(&n->links, 2 * i);
		ns.items[i].ino = words_get(&n->links, 2 * i + 1);
	}
	tasks_set_namespaces(&m->tasks, n->pid, &ns, at);
}

static void apply_read(struct machine *m, const struct record *r, struct moment at)
{
	if (!r->read.n)
		return;

	struct read_value v = record_read_value(&r->read, 0);

	*ARRAY_ADD(&m->reads) = (struct thread_read){
		.pid = r->read.pid,
		.tid = r->read.tid,
		.time = at.time,
		.event_id = v.id ? v.id : r->id.id,
		.value = v.value,
	};
}

static void apply_deferred(struct machine *m, const struct record *r, struct moment at)
{
	deferred_chains_add(&m->deferred, r->id.tid, at.time, &r->callchain_deferred);
}

typedef void apply_fn(struct machine *m, const struct record *r, struct moment at);

static apply_fn *const appliers[] = {
	[PERF_RECORD_MMAP] = apply_mmap,
	[PERF_RECORD_COMM] = apply_comm,
	[PERF_RECORD_FORK] = apply_fork,
	[PERF_RECORD_READ] = apply_read,
	[PERF_RECORD_MMAP2] = apply_mmap,
	[PERF_RECORD_KSYMBOL] = apply_ksymbol,
	[PERF_RECORD_CGROUP] = apply_cgroup,
	[PERF_RECORD_NAMESPACES] = apply_namespaces,
	[PERF_RECORD_CALLCHAIN_DEFERRED] = apply_deferred,
};

bool sideband_matters(uint32_t type)
{
	return type < ARRAY_SIZE(appliers) && appliers[type];
}

void sideband_apply(struct machine *m, const struct record *r, uint64_t time)
{
	if (sideband_matters(r->header.type))
		appliers[r->header.type](m, r, (struct moment){ time, ++m->turn });
	else if (r->header.type == PERF_RECORD_EXIT)
		lineage_ended(&m->lineage, r->task.tid, (struct moment){ time, m->turn });
}

void kernel_space_init(struct kernel_space *k, struct arena *a)
{
	*k = (struct kernel_space){ .modules = space_new(a), .jit = space_new(a) };
}

void kernel_space_done(struct kernel_space *k)
{
	space_done(k->modules);
	space_done(k->jit);
}

static void find_text_end(struct kernel_space *k)
{
	if (!k->text)
		return;

	uint64_t end = k->text->end > k->text->start ? k->text->end : UINT64_MAX;

	k->text_limit = space_next_start(k->modules, k->text->start, UINT64_MAX);
	k->text_end = k->text_limit < end ? k->text_limit : end;
}

void kernel_space_copy(struct kernel_space *to, const struct kernel_space *from,
		       struct space_copying *c)
{
	*to = *from;
	to->modules = space_copy(c, from->modules);
	to->jit = space_copy(c, from->jit);
	to->text = from->text ? c->map(c->arg, from->text) : NULL;
}

void kernel_space_text(struct kernel_space *k, const struct map *text)
{
	k->text = text;
	find_text_end(k);
}

void kernel_space_module(struct kernel_space *k, struct arena *a, const struct map *m,
			 struct moment at)
{
	space_lay(k->modules, a, m->start, m->end, m, at);
	find_text_end(k);
}

void kernel_space_made(struct kernel_space *k, struct arena *a, uint64_t start, uint64_t end,
		       const struct map *m, struct moment at)
{
	space_lay(k->jit, a, start, end, m, at);
}

const struct map *kernel_space_find(const struct kernel_space *k, uint64_t addr, struct moment at,
				    struct span *span)
{
	const struct map *m = space_find_span(k->modules, addr, at, span);

	if (!m)
		m = space_find_span(k->jit, addr, at, span);
	if (m)
		return m;
	if (!k->text || addr < k->text->start || addr >= k->text_end) {
		span_within(span, addr, addr + 1);
		return NULL;
	}
	span_within(span, k->text->start, k->text_end);
	return k->text;
}

const struct map *kernel_space_behind_text(const struct kernel_space *k, uint64_t addr)
{
	return k->text && addr >= k->text_end && addr < k->text_limit ? k->text : NULL;
}
