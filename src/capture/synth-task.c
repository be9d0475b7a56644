/* SPDX-License-Identifier: MIT */
/*
 * Tasks that existed before recording began.
 *
 * The whole system: for each process FORK (which reports that it existed: MISC_FORK_EXEC), COMM,
 * its maps, then its other threads. Named tasks: without FORK, and a process once, before its first
 * thread or after it, as they come. A thousand processes take some 30 ms, most of which the kernel
 * needs to answer (bench/record-start).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/u64-map.h"
#include "capture/synth-internal.h"
#include "capture/task-list.h"
#include "elf/file.h"
#include "kernel/code-maps.h"
#include "kernel/kept-files.h"
#include "kernel/mapped-file.h"
#include "kernel/proc-maps.h"
#include "kernel/proc-task.h"

/* A record of the kernel has no longer name (PATH_MAX with the NUL). */
#define NAME_MAX_LENGTH 4095

/* Most processes have mapped the same few files. */
#define KNOWN_FILES 256 /* a power of two */

struct known_file {
	uint32_t maj, min;
	uint64_t ino; /* 0: none */
	struct build_id build_id;
};

struct synth_task_walk {
	const struct synth_plan *plan;
	struct bytes *out;
	struct proc proc;
	char name[NAME_MAX_LENGTH + 1];
	struct known_file known_files[KNOWN_FILES]; /* by inode: the last one whose id was read */
	/* Code is asked for map by map, where the kernel can be asked. */
	bool asks, has_gate;
	struct proc_map gate; /* code_maps_gate() */
	struct code_maps code;
};

static void add_fork(struct synth_task_walk *w, const struct proc_task *t, pid_t tid)
{
	/* A thread's parent is its process. */
	uint32_t parent = (uint32_t)(tid == t->tgid ? t->ppid : t->tgid);
	const struct record r = {
		.header = { .type = PERF_RECORD_FORK, .misc = PERF_RECORD_MISC_FORK_EXEC },
		.task = {
			.pid = (uint32_t)t->tgid,
			.tid = (uint32_t)tid,
			.ppid = parent,
			.ptid = parent,
		},
	};

	synth_add(w->plan, &r, w->out);
}

static void synth_task_add_comm(struct synth_task_walk *w, const struct proc_task *t, pid_t tid)
{
	const struct record r = {
		.header.type = PERF_RECORD_COMM,
		.comm = { .pid = (uint32_t)t->tgid, .tid = (uint32_t)tid, .comm = t->comm },
	};

	synth_add(w->plan, &r, w->out);
}

static void add_namespaces(struct synth_task_walk *w, pid_t tgid, pid_t tid)
{
	struct proc_namespace links[PROC_NAMESPACES];
	const struct record r = {
		.header.type = PERF_RECORD_NAMESPACES,
		.namespaces = {
			.pid = (uint32_t)tgid,
			.tid = (uint32_t)tid,
			.links = { .bytes = (uint8_t *)links, .n = 2 * PROC_NAMESPACES },
		},
	};

	if (w->plan->namespaces && proc_namespaces_read(&w->proc, tid, links) >= 0)
		synth_add(w->plan, &r, w->out);
}

/* Copies the name of a map. The kernel writes newlines in names as \012. */
static void synth_task_copy_name(struct synth_task_walk *w, const struct proc_map *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->name_length && n < NAME_MAX_LENGTH; i++) {
		if (m->name_length - i >= 4 && !memcmp(m->name + i, "\\012", 4)) {
			w->name[n++] = '\n';
			i += 3;
		} else {
			w->name[n++] = m->name[i];
		}
	}
	w->name[n] = '\0';
	if (!n)
		strcpy(w->name, "//anon");
}

static struct mapping mapping_of(const struct synth_task_walk *w, const struct record_mmap *m)
{
	return (struct mapping){
		.pid = (int)m->pid,
		.path = w->name,
		.start = m->addr,
		.end = m->addr + m->len,
		.file = { m->maj, m->min, m->ino, 0 },
		.build_id = m->build_id,
	};
}

/* Keeps the file of a mapping. Only code is ever looked up by name. */
static void keep_file(struct synth_task_walk *w, const struct record *r)
{
	struct mapping mapping = mapping_of(w, &r->mmap);

	/* Unwinding finds the kept file by the identity in the record: a build-id, or the inode. */
	if (r->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		mapping.file = (struct file_id){ 0 };
	if (w->plan->kept && !(r->header.misc & PERF_RECORD_MISC_MMAP_DATA))
		kept_files_see(w->plan->kept, &mapping);
}

/* Reads the build-id of the file that is mapped: at its path there may be another file. */
static int read_new_build_id(struct synth_task_walk *w, struct record_mmap *m)
{
	const struct mapping mapping = mapping_of(w, m);
	char path[32];
	int fd, r;

	if (w->plan->root)
		return elf_build_id_read(w->name, &m->build_id);
	fd = mapped_file_open(&mapping, NULL);
	if (fd < 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	r = elf_build_id_read(path, &m->build_id);
	close(fd);
	return r;
}

/* A file keeps its inode, and that its number, while the walk goes on and it is mapped. */
static int read_build_id(struct synth_task_walk *w, struct record_mmap *m)
{
	struct known_file *f = &w->known_files[m->ino & (KNOWN_FILES - 1)];
	int r = 0;

	if (!m->ino || f->ino != m->ino || f->maj != m->maj || f->min != m->min) {
		r = read_new_build_id(w, m);
		if (r >= 0)
			*f = (struct known_file){ m->maj, m->min, m->ino, m->build_id };
	} else {
		m->build_id = f->build_id;
	}
	return r;
}

static void synth_task_add_map(struct synth_task_walk *w, pid_t pid, const struct proc_map *m)
{
	struct record r = {
		.header = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER },
		.mmap = {
			.pid = (uint32_t)pid,
			.tid = (uint32_t)pid,
			.addr = m->start,
			.len = m->end - m->start,
			.pgoff = m->pgoff,
			.maj = m->maj,
			.min = m->min,
			.ino = m->ino,
			.prot = m->prot,
			.flags = m->flags,
			.filename = w->name,
		},
	};

	if (!(m->prot & PROT_EXEC)) {
		if (!w->plan->data_maps || !(m->prot & PROT_READ))
			return;
		r.header.misc |= PERF_RECORD_MISC_MMAP_DATA;
	}
	synth_task_copy_name(w, m);
	if (w->plan->build_ids && w->name[0] == '/' && read_build_id(w, &r.mmap) >= 0)
		r.header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	keep_file(w, &r);
	synth_add(w->plan, &r, w->out);
}

/* Adds the maps from the address @from on. */
static void add_maps_of_text(struct synth_task_walk *w, pid_t pid, uint64_t from)
{
	const char *text;
	struct proc_map m;
	size_t length;

	if (proc_maps_read(&w->proc, pid, &text, &length) < 0)
		return;
	while (proc_maps_next(&text, &length, &m))
		if (m.start >= from)
			synth_task_add_map(w, pid, &m);
}

/* Adds the executable maps. A negative errno: those from w->code.from on are missing. */
static int add_code_maps(struct synth_task_walk *w, pid_t pid)
{
	const struct proc_map *gate = w->has_gate ? &w->gate : NULL;
	struct proc_map m;
	int r = code_maps_open(&w->proc, pid, &w->code);

	if (r < 0)
		return r;
	while ((r = code_maps_next(&w->code, gate, &m)) > 0)
		synth_task_add_map(w, pid, &m);
	code_maps_close(&w->code);
	if (r == -ENOTTY || r == -ENOSYS)
		w->asks = false;
	return r;
}

static void add_maps(struct synth_task_walk *w, pid_t pid)
{
	if (w->plan->no_maps)
		return;
	w->code.from = 0;
	if (!w->asks || add_code_maps(w, pid) < 0)
		add_maps_of_text(w, pid, w->code.from);
}

static void synth_task_add_threads(struct synth_task_walk *w, const struct proc_task *process)
{
	_cleanup_(proc_ids_done) struct proc_ids threads = { 0 };
	struct proc_task t;

	if (process->n_threads == 1 || proc_threads(&w->proc, process->tgid, &threads) < 0)
		return;
	for (size_t i = 0; i < threads.n; i++) {
		pid_t tid = threads.items[i];

		if (tid == process->tgid || proc_task_read(&w->proc, tid, &t) < 0)
			continue;
		add_fork(w, &t, tid);
		add_namespaces(w, t.tgid, tid);
		synth_task_add_comm(w, &t, tid);
	}
}

static void synth_task_add_process(struct synth_task_walk *w, const struct proc_task *t)
{
	add_fork(w, t, t->tgid);
	add_namespaces(w, t->tgid, t->tgid);
	synth_task_add_comm(w, t, t->tgid);
	add_maps(w, t->tgid);
	synth_task_add_threads(w, t);
}

static void add_everybody(struct synth_task_walk *w)
{
	_cleanup_(proc_ids_done) struct proc_ids processes = { 0 };
	struct proc_task t;

	if (proc_processes(&w->proc, &processes) < 0)
		return;
	for (size_t i = 0; i < processes.n; i++)
		if (proc_task_read(&w->proc, processes.items[i], &t) >= 0)
			synth_task_add_process(w, &t);
}

/* Adds one of the named tasks; with its maps if it is a process. */
static bool add_named(struct synth_task_walk *w, pid_t tid, pid_t *ret_tgid)
{
	struct proc_task t;

	if (proc_task_read(&w->proc, tid, &t) < 0)
		return false;
	synth_task_add_comm(w, &t, tid);
	add_namespaces(w, t.tgid, tid);
	if (tid == t.tgid)
		add_maps(w, tid);
	*ret_tgid = t.tgid;
	return true;
}

/*
 * Adds the named tasks. A thread whose process is not in the list needs the maps of that process,
 * which follow it. @known becomes the set of processes that have been described.
 */
static void synth_task_add_list(struct synth_task_walk *w, const struct task_list *tasks,
				struct u64_map *known)
{
	for (size_t i = 0; i < tasks->n; i++)
		u64_map_put(known, (uint64_t)tasks->items[i].tid, w);
	for (size_t i = 0; i < tasks->n; i++) {
		pid_t tgid, own;

		if (!add_named(w, tasks->items[i].tid, &tgid) ||
		    u64_map_find(known, (uint64_t)tgid))
			continue;
		u64_map_put(known, (uint64_t)tgid, w);
		add_named(w, tgid, &own);
	}
}

/*
 * Adds tasks forked in the meantime by the known ones: events are inherited, so these are recorded
 * too.
 */
static void add_descendants(struct synth_task_walk *w, struct u64_map *known)
{
	_cleanup_(proc_ids_done) struct proc_ids processes = { 0 };
	bool more = proc_processes(&w->proc, &processes) >= 0;
	struct proc_task t;

	/* A child usually comes after its parent, but pids start again when they are used up. */
	while (more) {
		more = false;
		for (size_t i = 0; i < processes.n; i++) {
			uint64_t pid = (uint64_t)processes.items[i];

			if (u64_map_find(known, pid) ||
			    proc_task_read(&w->proc, processes.items[i], &t) < 0 ||
			    !u64_map_find(known, (uint64_t)t.ppid))
				continue;
			u64_map_put(known, pid, w);
			synth_task_add_process(w, &t);
			more = true;
		}
	}
}

/* True if the workload has not called exec yet: only its name is known. */
static bool is_workload_alone(const struct synth_plan *p)
{
	return p->workload && p->tasks->n == 1 && p->tasks->items[0].tid == p->workload;
}

static void walk_init(struct synth_task_walk *w, const struct synth_plan *p, struct bytes *out)
{
	*w = (struct synth_task_walk){ .plan = p, .out = out, .code.fd = -1 };
	proc_init(&w->proc, p->root ? p->root : "");
	w->asks = !p->data_maps && !p->no_maps;
	w->has_gate = w->asks && code_maps_gate(&w->proc, &w->gate);
}

static void synth_task_walk_done(struct synth_task_walk *w)
{
	proc_done(&w->proc);
}

void synth_tasks(const struct synth_plan *p, bool again, struct bytes *out)
{
	_cleanup_(u64_map_done) struct u64_map known = { 0 };
	_cleanup_(synth_task_walk_done) struct synth_task_walk w;

	walk_init(&w, p, out);
	if (!p->tasks || !p->tasks->n) {
		add_everybody(&w);
	} else if (again) {
		synth_task_add_list(&w, p->tasks, &known);
		add_descendants(&w, &known);
	} else if (!is_workload_alone(p)) {
		synth_task_add_list(&w, p->tasks, &known);
	}
}

void synth_workload(const struct synth_plan *p, struct bytes *out)
{
	const struct proc_task t = { .tgid = p->workload, .comm = "perf-exec" };
	_cleanup_(synth_task_walk_done) struct synth_task_walk w;

	walk_init(&w, p, out);
	synth_task_add_comm(&w, &t, p->workload);
	add_namespaces(&w, p->workload, p->workload);
}
