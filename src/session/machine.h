/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tasks of the recorded machine over time: who they were, and what lay where in their memory.
 *
 * Every answer is for a moment: a time in nanoseconds, of the record the question is about. (0, or
 * a recording without times: as of the last record read.) Times given by records without one hold
 * from the beginning. Answers belong to the session and stay valid as long as it does.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/span.h"

struct image;
struct session;
struct symbol;

/* A process's or the kernel's mapping of an image. */
struct map {
	uint64_t start, end; /* runtime addresses */
	uint64_t pgoff;
	uint32_t prot, flags;
	uint64_t ino;     /* of its file; 0: not known */
	const char *name; /* as recorded: "/usr/bin/python3.11", "[vdso]", "//anon" */
	struct image *image;
};

enum address_mode {
	ADDRESS_KERNEL,
	ADDRESS_USER,
	ADDRESS_HYPERVISOR,
	ADDRESS_GUEST_KERNEL,
	ADDRESS_GUEST_USER,
	ADDRESS_UNKNOWN, /* nothing is known to lie in it */
};

struct location {
	uint64_t addr;            /* runtime address, as asked */
	const struct map *map;    /* NULL: nothing is known to be there */
	uint64_t image_addr;      /* in the space of the image's symbols */
	const struct symbol *sym; /* NULL: no name */
};

/* Changes whenever a record was applied: answers that were kept must be asked for again. */
uint64_t machine_generation(const struct session *s);

/* The name of thread @tid of process @pid; ":TID" until it is known. */
const char *machine_comm(const struct session *s, uint32_t pid, uint32_t tid, uint64_t time);

/* The same, with the times for which it holds. */
const char *machine_comm_span(const struct session *s, uint32_t pid, uint32_t tid, uint64_t time,
			      struct span *ret);

/* PERF_RECORD_MISC_* of a sample or chain to a mode. */
enum address_mode address_mode_of(uint16_t misc);

/*
 * The map at @addr of process @pid, without its symbol. Behind the kernel's text, its symbols tell
 * whether there is more of it. false: nothing is known; map is NULL.
 */
bool machine_locate(const struct session *s, uint32_t pid, enum address_mode mode, uint64_t addr,
		    uint64_t time, struct location *ret);

/* The same with its symbol. Thread-safe; loads the image's symbols when it is the first to ask. */
bool machine_resolve(const struct session *s, uint32_t pid, enum address_mode mode, uint64_t addr,
		     uint64_t time, struct location *ret);

/* What the second adds to the first: fills in the function of @at, which has been located. */
void machine_name(const struct session *s, struct location *at);

/* machine_locate() and machine_resolve(), with the times for which the answer holds. */
bool machine_locate_span(const struct session *s, uint32_t pid, enum address_mode mode,
			 uint64_t addr, uint64_t time, struct location *ret, struct span *ret_span);
bool machine_resolve_span(const struct session *s, uint32_t pid, enum address_mode mode,
			  uint64_t addr, uint64_t time, struct location *ret,
			  struct span *ret_span);

/*
 * A key for caches: equal pointers mean equal address spaces. Threads of a process get the same
 * pointer, so do forked children until either side maps something, and all processes for kernel
 * addresses. An answer for (this pointer, address) that holds for a span holds for all of them.
 * NULL: nothing is known to lie there. *@ret_span: the times for which the process has that space.
 */
const void *machine_space(const struct session *s, uint32_t pid, enum address_mode mode,
			  uint64_t time, struct span *ret_span);

/* A task of the recorded machine. */
struct task {
	uint32_t pid, tid;
	int64_t ptid; /* who forked it; TASK_NOBODY: not known */
};

#define TASK_NOBODY (-1)

/*
 * Calls @each for the tasks that side-band records told of, in no order. Of tasks with the same
 * tid, the last one.
 */
void machine_tasks(const struct session *s, void (*each)(void *arg, const struct task *t),
		   void *arg);

/*
 * Calls @each for what process @pid had mapped at the end, by address. If later maps split one,
 * each part comes as a map of its own, valid until @each returns.
 */
void machine_maps(const struct session *s, uint32_t pid,
		  void (*each)(void *arg, const struct map *m), void *arg);

/* The final count of a thread. (READ) */
struct thread_read {
	uint32_t pid, tid;
	uint64_t time;
	uint64_t event_id; /* see session_event_by_id() */
	uint64_t value;
};

/* All of them, as they were read. */
const struct thread_read *machine_reads(const struct session *s, size_t *ret_n);

/* The kinds of namespaces, in the order of their records. */
enum namespace_kind {
	NAMESPACE_NET,
	NAMESPACE_UTS,
	NAMESPACE_IPC,
	NAMESPACE_PID,
	NAMESPACE_USER,
	NAMESPACE_MNT,
	NAMESPACE_CGROUP,
	NAMESPACE_MAX,
};

/* What /proc/PID/ns/ showed: two tasks live in the same one if both numbers are equal. */
struct namespaces {
	struct {
		uint64_t dev, ino; /* 0: not recorded */
	} items[NAMESPACE_MAX];
};

/* Those of process @pid, where they were recorded (--namespaces); or NULL. */
const struct namespaces *machine_namespaces(const struct session *s, uint32_t pid, uint64_t time);

/* The cgroup's path, or NULL. */
const char *machine_cgroup(const struct session *s, uint64_t id);

/* Calls @each for all images that maps refer to, in order of appearance. */
void machine_images(const struct session *s, void (*each)(void *arg, struct image *im), void *arg);
