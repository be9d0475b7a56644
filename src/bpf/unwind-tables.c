/* SPDX-License-Identifier: MIT */
#include "bpf/unwind-tables.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "bpf/module.h"
#include "bpf/unwind-images.h"
#include "bpf/unwind-internal.h"
#include "kernel/proc-maps.h"

/* Rows of 4 bytes. C code has about one in 25 bytes, so this is for about 100 MB of it. */
#define ROWS_MAX ((size_t)4 << 20)

/* Chunks of 16 bytes: 1 GB of code. */
#define CHUNKS_MAX ((size_t)128 << 10)

/* Maps of 32 bytes, and processes. */
#define MAPS_MAX      ((size_t)64 << 10)
#define PROCESSES_MAX 8192

/* Longer maps of a process are not read. */
#define MAPS_TEXT_MAX ((size_t)4 << 20)

struct unwind_tables {
	struct bpf_module *module;
	struct bpf_reader *wishes;
	struct unwind_shared *shared;
	struct unwind_mapped *maps;
	size_t n_maps;
	struct unwind_images images;
	pthread_t thread;
	bool has_thread;
	int stop_fd;
	uint64_t processes, emptied;
};

int unwind_tables_prepare(struct bpf_module *m, struct unwind_host *ret, struct diag *diag)
{
	int r = unwind_host_find(arch_host(), ret, diag);

	if (r < 0)
		return r;
	r = bpf_module_size(m, "unwind_rows", ROWS_MAX / 2);
	if (r >= 0)
		r = bpf_module_size(m, "unwind_chunks", CHUNKS_MAX);
	if (r >= 0)
		r = bpf_module_size(m, "unwind_maps", MAPS_MAX);
	if (r >= 0)
		r = bpf_module_size(m, "unwind_processes", PROCESSES_MAX);
	return r < 0 ? diag_set(diag, r, "BPF: the tables of the unwinder are missing") : 0;
}

/* While tables are changed that a program may be reading. */
static void begin_change(struct unwind_tables *t)
{
	__atomic_store_n(&t->shared->epoch, t->shared->epoch + 1, __ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void end_change(struct unwind_tables *t)
{
	__atomic_store_n(&t->shared->epoch, t->shared->epoch + 1, __ATOMIC_SEQ_CST);
}

/* Memory is full: what is still needed will be asked for again. */
static void empty(struct unwind_tables *t)
{
	begin_change(t);
	bpf_module_clear(t->module, "unwind_processes");
	unwind_images_empty(&t->images);
	t->n_maps = 0;
	t->emptied++;
	end_change(t);
}

/* One map of code. -ENOSPC: there is no more room. */
static int add_map(struct unwind_tables *t, size_t at, int pid, const struct proc_map *m)
{
	struct unwind_mapped to = { m->start, m->end, m->start - m->pgoff, 0, 0 };
	int error = 0;
	const struct unwind_image *im = unwind_images_find(&t->images, pid, m, &error);

	if (error < 0 || at == MAPS_MAX)
		return -ENOSPC;
	if (im)
		unwind_image_chunks(im, &to.first_chunk, &to.n_chunks);
	t->maps[at] = to;
	return 0;
}

/* The maps of code of @pid go behind those that are there; the number of them, or -ENOSPC. */
static int add_maps(struct unwind_tables *t, int pid, const char *text, size_t length)
{
	struct proc_map m;
	int n = 0, r = 0;

	while (proc_maps_next(&text, &length, &m) && n < UNWIND_MAPS_MAX && r >= 0) {
		if (!(m.prot & PROT_EXEC))
			continue;
		r = add_map(t, t->n_maps + (size_t)n, pid, &m);
		n++;
	}
	return r < 0 ? r : n;
}

/*
 * What the next stack of @w will ask for first: rules for where it was interrupted, and those of
 * the program itself, whose code is mapped lowest.
 */
static int load_first(struct unwind_tables *t, const struct unwind_wish *w, size_t first, size_t n)
{
	bool has_program = false;
	int r = 0;

	for (size_t i = first; i < first + n && r >= 0; i++) {
		const struct unwind_mapped *m = &t->maps[i];
		uint64_t nth = (w->pc - m->shift) / FLAT_CHUNK_SIZE;

		if (!m->n_chunks)
			continue;
		if (w->pc >= m->start && w->pc < m->end && nth < m->n_chunks)
			r = unwind_images_load(&t->images, m->first_chunk + (uint32_t)nth,
					       FLAT_RUNNING);
		else if (!has_program)
			unwind_images_want(&t->images, m->first_chunk);
		has_program = true;
	}
	return r;
}

static int load_process(struct unwind_tables *t, const struct unwind_wish *w)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	_cleanup_(freep) char *path = xasprintf("/proc/%u/maps", w->pid);
	_cleanup_(freep) char *text = NULL;
	size_t length;
	int n, r = file_read(AT_FDCWD, path, MAPS_TEXT_MAX, &text, &length);

	/* It is gone already. */
	if (r < 0)
		return 0;
	n = add_maps(t, (int)w->pid, text, length);
	if (n < 0)
		return n;

	const struct unwind_process p = { .code_pages = w->code_pages,
					  .stack_start = w->stack_start,
					  .first_map = (uint32_t)t->n_maps,
					  .n_maps = (uint32_t)n };

	if (bpf_module_put(t->module, "unwind_processes", &w->process, &p, &ignored) < 0)
		return -ENOSPC;
	t->n_maps += (size_t)n;
	t->processes++;
	return load_first(t, w, p.first_map, p.n_maps);
}

static int serve(struct unwind_tables *t, const struct unwind_wish *w)
{
	if (w->process)
		return load_process(t, w);
	return unwind_images_load(&t->images, w->chunk, (enum flat_table)w->table);
}

static int take_wish(void *arg, const void *bytes, size_t size)
{
	struct unwind_tables *t = arg;
	struct unwind_wish w;

	if (size != sizeof(w))
		return 0;
	memcpy(&w, bytes, sizeof(w));
	/* Once more: a process that is emptied away meanwhile is asked for again by its program. */
	if (serve(t, &w) == -ENOSPC) {
		empty(t);
		if (w.process)
			serve(t, &w);
	}
	return 0;
}

static void *run(void *arg)
{
	struct unwind_tables *t = arg;
	struct pollfd fds[] = { { .fd = t->stop_fd, .events = POLLIN },
				{ .fd = bpf_reader_fd(t->wishes), .events = POLLIN } };

	for (int more = 0;;) {
		poll(fds, ARRAY_SIZE(fds), more > 0 ? 0 : -1);
		if (fds[0].revents)
			return NULL;
		bpf_reader_read(t->wishes);
		more = unwind_images_fill(&t->images);
		if (more < 0)
			empty(t);
	}
}

static int map_memory(struct unwind_tables *t, struct diag *diag)
{
	struct unwind_memory_maps *m = &t->images.maps;
	const struct {
		const char *name;
		void **to;
	} all[] = {
		{ "unwind_shared", (void **)&t->shared }, { "unwind_maps", (void **)&t->maps },
		{ "unwind_rows", (void **)&m->rows },     { "unwind_rules", (void **)&m->rules },
		{ "unwind_chunks", (void **)&m->chunks },
	};
	int r = 0;

	m->rows_max = ROWS_MAX;
	m->chunks_max = CHUNKS_MAX;
	for (size_t i = 0; i < ARRAY_SIZE(all) && r >= 0; i++)
		r = bpf_module_map_memory(t->module, all[i].name, all[i].to, diag);
	return r;
}

static int start_thread(struct unwind_tables *t, struct diag *diag)
{
	int r;

	t->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (t->stop_fd < 0)
		return diag_set(diag, -errno, "cannot make an eventfd: %s", strerror(errno));
	r = pthread_create(&t->thread, NULL, run, t);
	t->has_thread = r == 0;
	return r ? diag_set(diag, -r, "no thread can be started: %s", strerror(r)) : 0;
}

int unwind_tables_start(struct bpf_module *m, struct unwind_tables **ret, struct diag *diag)
{
	_cleanup_(unwind_tables_freep) struct unwind_tables *t = xcalloc(1, sizeof(*t));
	int r;

	t->module = m;
	t->stop_fd = -1;
	r = map_memory(t, diag);
	if (r >= 0)
		r = bpf_reader_open(m, "unwind_wishes", take_wish, t, &t->wishes, diag);
	if (r >= 0)
		r = start_thread(t, diag);
	if (r >= 0)
		*ret = TAKE(t);
	return r;
}

void unwind_tables_free(struct unwind_tables *t)
{
	const uint64_t one = 1;

	if (!t)
		return;
	if (t->has_thread && write(t->stop_fd, &one, sizeof(one)) == sizeof(one))
		pthread_join(t->thread, NULL);
	closep(&t->stop_fd);
	bpf_reader_close(t->wishes);
	unwind_images_done(&t->images);
	free(t);
}

int unwind_tables_facts(const struct unwind_tables *t, struct unwind_tables_facts *ret,
			struct diag *diag)
{
	*ret = (struct unwind_tables_facts){
		.processes = t->processes,
		.images = t->images.n,
		.rows = t->images.n_rows,
		.bytes = (ROWS_MAX * sizeof(uint32_t)) + CHUNKS_MAX * sizeof(struct unwind_chunk) +
			 MAPS_MAX * sizeof(struct unwind_mapped) +
			 FLAT_RULES_MAX * sizeof(struct flat_rule),
		.emptied = t->emptied,
	};
	return bpf_module_sum(t->module, "unwind_counts", UNWIND_RESULTS, ret->results, diag);
}
