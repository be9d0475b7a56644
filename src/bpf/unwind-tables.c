/* SPDX-License-Identifier: MIT */
#include "bpf/unwind-tables.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/thread.h"
#include "base/u64-map.h"
#include "bpf/module.h"
#include "bpf/unwind-images.h"
#include "bpf/unwind-internal.h"
#include "kernel/proc-maps.h"
#include "runtime/functions.h"
#include "runtime/runtime.h"

/* Rows of 4 bytes. C code has about one in 25 bytes, so this suffices for about 100 MB of it. */
#define ROWS_MAX ((size_t)4 << 20)

/* Chunks of 16 bytes: 1 GB of code. */
#define CHUNKS_MAX ((size_t)128 << 10)

/* Maps of 32 bytes, and processes. */
#define MAPS_MAX      ((size_t)64 << 10)
#define PROCESSES_MAX 8192

/*
 * Everything is emptied at most once in this time: if more is needed than there is, some stacks are
 * not unwound.
 */
#define EMPTY_AGAIN_NS UINT64_C(10000000000)

/* A longer list of a process's maps is not read. */
#define MAPS_TEXT_MAX ((size_t)4 << 20)

struct unwind_tables {
	struct bpf_module *module;
	struct bpf_reader *wishes;
	struct unwind_shared *shared;
	struct unwind_mapped *maps;
	size_t n_maps;
	struct u64_map places; /* struct unwind_place, by process */
	struct runtime_functions *functions;
	uint64_t emptied_ns; /* time at which everything was last emptied */
	struct unwind_images images;
	pthread_t thread;
	bool has_thread, hurries;
	int stop_fd, nice;
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
	if (r >= 0)
		r = bpf_module_size(m, "runtime_processes", PROCESSES_MAX);
	return r < 0 ? diag_set(diag, r, "BPF: the tables of the unwinder are missing") : 0;
}

/* The place of a process's maps: it gets the same place when they are read again. */
struct unwind_place {
	uint32_t first, room;
	uint32_t n_failed; /* lookups of its runtime */
};

/* Marks the beginning of a change to tables that a program may be reading. */
static void begin_change(struct unwind_tables *t)
{
	__atomic_store_n(&t->shared->epoch, t->shared->epoch + 1, __ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void end_change(struct unwind_tables *t)
{
	__atomic_store_n(&t->shared->epoch, t->shared->epoch + 1, __ATOMIC_SEQ_CST);
}

static void place_free(void *arg, uint64_t key, void *value)
{
	(void)arg, (void)key;
	free(value);
}

/* Removes all processes. To be called between begin_change() and end_change(). */
static void forget_processes(struct unwind_tables *t)
{
	bpf_module_clear(t->module, "unwind_processes");
	bpf_module_clear(t->module, "runtime_processes");
	u64_map_for_each(&t->places, place_free, NULL);
	u64_map_done(&t->places);
	t->places = (struct u64_map){ 0 };
	t->n_maps = 0;
}

/*
 * Empties the processes when there is no more space for them and their maps: those that run will be
 * requested again.
 */
static void empty_processes(struct unwind_tables *t)
{
	begin_change(t);
	forget_processes(t);
	end_change(t);
}

/*
 * Empties everything when there is no more space for code. Parts that are still needed will be
 * requested again; images that are no longer mapped will not. False: this was done a moment ago,
 * and would only make everything start again.
 */
static bool unwind_tables_empty(struct unwind_tables *t)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (t->emptied && now - t->emptied_ns < EMPTY_AGAIN_NS)
		return false;
	begin_change(t);
	forget_processes(t);
	unwind_images_empty(&t->images);
	end_change(t);
	t->emptied++;
	t->emptied_ns = now;
	return true;
}

/* The maps of code of a process, and the runtime of a language that is among them. */
struct code_maps {
	struct unwind_mapped *items;
	size_t n, room;
	const struct runtime_image *runtime;
	uint64_t bias;
	struct runtime_copy copies[RUNTIME_COPIES_MAX]; /* further maps of its image */
	size_t n_copies;
	const struct runtime_libc *libc;
};

/* Notes the image @im, which is mapped by @m, if it has to do with a runtime. */
static void note_runtime(struct code_maps *to, const struct unwind_image *im,
			 const struct proc_map *m)
{
	uint64_t bias;
	const struct runtime_image *runtime = unwind_image_runtime(im, &bias);

	bias += m->start - m->pgoff;
	if (runtime && !to->runtime) {
		to->runtime = runtime;
		to->bias = bias;
	} else if (runtime && runtime == to->runtime && bias != to->bias &&
		   to->n_copies < RUNTIME_COPIES_MAX) {
		to->copies[to->n_copies++] = (struct runtime_copy){ m->start, m->end,
								    bias - to->bias };
	}
	if (unwind_image_libc(im))
		to->libc = unwind_image_libc(im);
}

/* Adds a map. -ENOSPC: there is no more space for code. */
static int unwind_tables_add_map(struct unwind_tables *t, int pid, const struct proc_map *m,
				 struct code_maps *to)
{
	int error = 0;
	const struct unwind_image *im = unwind_images_find(&t->images, pid, m, &error);
	struct unwind_mapped *mapped;

	if (error < 0)
		return error;
	mapped = ARRAY_ADD(to);
	*mapped = (struct unwind_mapped){ m->start, m->end, m->start - m->pgoff, 0, 0 };
	if (im) {
		unwind_image_chunks(im, &mapped->first_chunk, &mapped->n_chunks);
		note_runtime(to, im, m);
	}
	return 0;
}

static int unwind_tables_read_maps(struct unwind_tables *t, int pid, const char *text,
				   size_t length, struct code_maps *ret)
{
	struct proc_map m;
	int r = 0;

	while (proc_maps_next(&text, &length, &m) && ret->n < UNWIND_MAPS_MAX && r >= 0)
		if (m.prot & PROT_EXEC)
			r = unwind_tables_add_map(t, pid, &m, ret);
	return r;
}

/* Returns the place for @n maps of @process; NULL: there is no more space for maps. */
static struct unwind_place *unwind_tables_find_place(struct unwind_tables *t, uint32_t process,
						     size_t n)
{
	struct unwind_place *p = u64_map_find(&t->places, process);
	/* A process that has mapped something often does so again. */
	size_t room = n + n / 4 + 1;

	if (p && n <= p->room)
		return p;
	if (room > MAPS_MAX - t->n_maps)
		return NULL;
	if (!p) {
		p = xcalloc(1, sizeof(*p));
		u64_map_put(&t->places, process, p);
	}
	p->first = (uint32_t)t->n_maps;
	p->room = (uint32_t)room;
	t->n_maps += room;
	return p;
}

/*
 * Loads the tables that the next stack of @w will need first: rules for the place where the process
 * was interrupted. The program itself, whose code is mapped lowest, is marked for loading.
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

/* Passes a process to the program. -EXFULL: there is no more space for processes. */
static int tell_process(struct unwind_tables *t, const struct unwind_wish *w,
			const struct code_maps *maps)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	size_t n_before = t->n_maps;
	struct unwind_place *place = unwind_tables_find_place(t, w->process, maps->n);
	bool is_new = t->n_maps != n_before;
	struct unwind_process p = { .code_pages = w->code_pages,
				    .stack_start = w->stack_start,
				    .n_maps = (uint32_t)maps->n };
	int r;

	if (!place)
		return -EXFULL;
	p.first_map = place->first;
	/* A program may be reading the old data. */
	if (!is_new)
		begin_change(t);
	if (maps->n)
		memcpy(t->maps + place->first, maps->items, maps->n * sizeof(maps->items[0]));
	r = bpf_module_put(t->module, "unwind_processes", &w->process, &p, &ignored);
	if (!is_new)
		end_change(t);
	t->processes++;
	return r < 0 ? -EXFULL : load_first(t, w, p.first_map, p.n_maps);
}

/*
 * True if a runtime with unexpected memory is to be looked up again: the dynamic linker may be
 * relocating its image, or the process may be about to run another program.
 */
#define FAILURES_MAX 16

static bool unwind_tables_may_recover(struct unwind_tables *t, uint32_t process, int error)
{
	struct unwind_place *place = u64_map_find(&t->places, process);

	return (error == -EFAULT || error == -EPROTO) &&
	       (!place || place->n_failed++ < FAILURES_MAX);
}

/* Tells the program about the interpreted frames of the process, if it has any. */
static void tell_runtime(struct unwind_tables *t, const struct unwind_wish *w,
			 const struct code_maps *maps)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	struct runtime_process p;
	int r = -ENODATA;

	if (!t->functions)
		return;
	if (maps->runtime &&
	    runtime_functions_wants(t->functions, runtime_image_kind(maps->runtime)))
		r = runtime_process_find(maps->runtime, (int)w->pid, maps->bias, maps->libc, &p);
	if (r >= 0)
		runtime_process_add_copies(&p, maps->copies, maps->n_copies);
	if (unwind_tables_may_recover(t, w->process, r)) {
		r = -EAGAIN;
		p.has_other = 1; /* generated code, too, is a reason to look again */
	}
	if (r < 0 && r != -EAGAIN) {
		if (r != -ENODATA && r != -ESRCH)
			runtime_functions_refuse(t->functions, w->pid,
						 runtime_image_kind(maps->runtime), r);
		runtime_functions_set_process(t->functions, w->pid, NULL);
		bpf_module_remove(t->module, "runtime_processes", &w->process);
		return;
	}
	runtime_functions_set_process(t->functions, w->pid, &p);
	bpf_module_put(t->module, "runtime_processes", &w->process, &p, &ignored);
}

static int load_process(struct unwind_tables *t, const struct unwind_wish *w)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%u/maps", w->pid);
	_cleanup_(freep) char *text = NULL;
	struct code_maps maps = { 0 };
	size_t length;
	int r = file_read(AT_FDCWD, path, MAPS_TEXT_MAX, &text, &length);

	/* The process has already ended. */
	if (r < 0)
		return 0;
	r = unwind_tables_read_maps(t, (int)w->pid, text, length, &maps);
	if (r >= 0) {
		tell_runtime(t, w, &maps);
		r = tell_process(t, w, &maps);
	}
	free(maps.items);
	return r;
}

static int unwind_tables_serve(struct unwind_tables *t, const struct unwind_wish *w)
{
	if (w->process)
		return load_process(t, w);
	return unwind_images_load(&t->images, w->chunk, (enum flat_table)w->table);
}

static int take_wish(void *arg, const void *bytes, size_t size)
{
	struct unwind_tables *t = arg;
	struct unwind_wish w;
	int r;

	if (size != sizeof(w))
		return 0;
	memcpy(&w, bytes, sizeof(w));
	if (w.frame[0] && t->functions) {
		const uint64_t frame[] = { w.frame[0], w.frame[1] };

		runtime_functions_read(t->functions, w.pid, frame);
		return 0;
	}
	r = unwind_tables_serve(t, &w);
	if (r == -EXFULL)
		empty_processes(t);
	/*
	 * Tries again if there is space now. Chunks have new numbers after unwind_tables_empty().
	 */
	if (r == -EXFULL || (r == -ENOSPC && unwind_tables_empty(t) && w.process))
		unwind_tables_serve(t, &w);
	else if (r == -ENOSPC && !w.process && t->images.n)
		unwind_images_refuse(&t->images, w.chunk, (enum flat_table)w.table);
	return 0;
}

/*
 * Stacks are copied, without interpreted frames, until what they request is loaded, for which this
 * thread needs a CPU soon. What nobody has requested yet takes longer, and waits for a CPU as
 * others do. Where this is not permitted the level stays as it is.
 */
#define NICE_HIGHEST (-20)

static void unwind_tables_hurry(struct unwind_tables *t, bool hurries)
{
	if (t->hurries == hurries)
		return;
	setpriority(PRIO_PROCESS, 0, hurries ? NICE_HIGHEST : t->nice); /* of this thread alone */
	t->hurries = hurries;
}

static void *unwind_tables_run(void *arg)
{
	struct unwind_tables *t = arg;
	struct pollfd fds[] = { { .fd = t->stop_fd, .events = POLLIN },
				{ .fd = bpf_reader_fd(t->wishes), .events = POLLIN } };

	t->nice = getpriority(PRIO_PROCESS, 0);
	for (int more = 0;;) {
		unwind_tables_hurry(t, more <= 0);
		/*
		 * Nothing could tell this thread to stop any more, so it ends: stacks are copied
		 * from now on.
		 */
		if (poll(fds, ARRAY_SIZE(fds), more > 0 ? 0 : -1) < 0 && errno != EINTR)
			return NULL;
		if (fds[0].revents)
			return NULL;
		if (fds[1].revents)
			unwind_tables_hurry(t, true);
		bpf_reader_read(t->wishes);
		unwind_tables_hurry(t, !t->images.n_wanted);
		more = unwind_images_fill(&t->images);
		/* If nothing was emptied, requested tables are loaded or refused one by one. */
		if (more < 0 && !unwind_tables_empty(t))
			more = 0;
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

static int unwind_tables_start_thread(struct unwind_tables *t, struct diag *diag)
{
	int r;

	t->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (t->stop_fd < 0)
		return diag_set(diag, -errno, "cannot make an eventfd: %s", strerror(errno));
	r = thread_start(&t->thread, unwind_tables_run, t);
	t->has_thread = r >= 0;
	return r < 0 ? diag_set(diag, r, "no thread can be started: %s", strerror(-r)) : 0;
}

int unwind_tables_start(struct bpf_module *m, struct runtime_functions *functions,
			struct unwind_tables **ret, struct diag *diag)
{
	_cleanup_(unwind_tables_freep) struct unwind_tables *t = xcalloc(1, sizeof(*t));
	int r;

	t->module = m;
	t->stop_fd = -1;
	t->functions = functions;
	r = map_memory(t, diag);
	if (r >= 0)
		r = bpf_reader_open(m, "unwind_wishes", take_wish, t, &t->wishes, diag);
	if (r >= 0)
		r = unwind_tables_start_thread(t, diag);
	if (r >= 0)
		*ret = TAKE(t);
	return r;
}

void unwind_tables_free(struct unwind_tables *t)
{
	if (!t)
		return;
	if (t->has_thread && eventfd_write(t->stop_fd, 1) >= 0)
		pthread_join(t->thread, NULL);
	closep(&t->stop_fd);
	bpf_reader_close(t->wishes);
	u64_map_for_each(&t->places, place_free, NULL);
	u64_map_done(&t->places);
	unwind_images_done(&t->images);
	free(t);
}

int unwind_tables_facts(const struct unwind_tables *t, struct unwind_tables_facts *ret,
			struct diag *diag)
{
	int r;

	*ret = (struct unwind_tables_facts){
		.processes = t->processes,
		.images = t->images.n,
		.rows = t->images.n_rows,
		.bytes = (ROWS_MAX * sizeof(uint32_t)) + CHUNKS_MAX * sizeof(struct unwind_chunk) +
			 MAPS_MAX * sizeof(struct unwind_mapped) +
			 FLAT_RULES_MAX * sizeof(struct flat_rule),
		.emptied = t->emptied,
	};
	r = bpf_module_sum(t->module, "runtime_counts", RUNTIME_KINDS * RUNTIME_RESULTS,
			   ret->runtime[0], diag);
	if (r < 0)
		return r;
	return bpf_module_sum(t->module, "unwind_counts", UNWIND_RESULTS, ret->results, diag);
}
