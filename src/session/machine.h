/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tasks of the recorded machine over time: their identities, and what was mapped where in their
 * memory.
 *
 * Every lookup is for a moment: a time in nanoseconds, of the record for which it is made. (0, or a
 * recording without times: as of the last record read.) State from records without a time is valid
 * from the beginning. Results belong to the session and stay valid as long as it does.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/span.h"

struct image;
struct session;
struct symbol;

/* A mapping of an image in a process or in the kernel. */
struct map {
	uint64_t start, end; /* runtime addresses */
	uint64_t pgoff;
	uint32_t prot, flags;
	uint64_t ino;     /* its file's inode; 0: not known */
	const char *name; /* as recorded: "/usr/bin/python3.11", "[vdso]", "//anon" */
	struct image *image;
};

enum address_mode {
	ADDRESS_KERNEL,
	ADDRESS_USER,
	ADDRESS_HYPERVISOR,
	ADDRESS_GUEST_KERNEL,
	ADDRESS_GUEST_USER,
	ADDRESS_UNKNOWN, /* nothing is known at this address */
};

struct location {
	uint64_t addr;            /* runtime address, as given by the caller */
	const struct map *map;    /* NULL: no map is known there */
	uint64_t image_addr;      /* in the address space of the image's symbols */
	const struct symbol *sym; /* NULL: no name */
};

/*
 * Returns a number that changes whenever a record is applied: results that were kept must then be
 * looked up again.
 */
uint64_t machine_generation(const struct session *s);

/* Returns the name of thread @tid of process @pid; ":TID" until it is known. */
const char *machine_comm(const struct session *s, uint32_t pid, uint32_t tid, uint64_t time);

/* Does the same, and returns the times for which the name is valid. */
const char *machine_comm_span(const struct session *s, uint32_t pid, uint32_t tid, uint64_t time,
			      struct span *ret);

/* Converts PERF_RECORD_MISC_* of a sample or chain to a mode. */
enum address_mode address_mode_of(uint16_t misc);

/*
 * Finds the map at @addr of process @pid, without its symbol. After the kernel's text, its symbols
 * show whether there is more of it. false: nothing is known; map is NULL.
 */
bool machine_locate(const struct session *s, uint32_t pid, enum address_mode mode, uint64_t addr,
		    uint64_t time, struct location *ret);

/*
 * Does the same and finds the symbol. Thread-safe; the first call for an image loads its symbols.
 */
bool machine_resolve(const struct session *s, uint32_t pid, enum address_mode mode, uint64_t addr,
		     uint64_t time, struct location *ret);

/*
 * Does the part that machine_resolve() adds to machine_locate(): fills in the function of @at,
 * which has been located.
 */
void machine_name(const struct session *s, struct location *at);

/*
 * Do the same as machine_locate() and machine_resolve(), and return the times for which the result
 * is valid.
 */
bool machine_locate_span(const struct session *s, uint32_t pid, enum address_mode mode,
			 uint64_t addr, uint64_t time, struct location *ret, struct span *ret_span);
bool machine_resolve_span(const struct session *s, uint32_t pid, enum address_mode mode,
			  uint64_t addr, uint64_t time, struct location *ret,
			  struct span *ret_span);

/*
 * Returns a key for caches: equal pointers mean equal address spaces. Threads of a process get the
 * same pointer. So do forked children until either side maps something, and all processes for
 * kernel addresses. A result for (this pointer, address) that is valid for a span is valid for all
 * of them. NULL: no map is known there. *@ret_span: the times for which the process has that space.
 */
const void *machine_space(const struct session *s, uint32_t pid, enum address_mode mode,
			  uint64_t time, struct span *ret_span);

/* A task of the recorded machine. */
struct task {
	uint32_t pid, tid;
	int64_t ptid; /* the task that forked it; TASK_NOBODY: not known */
};

#define TASK_NOBODY (-1)

/*
 * Calls @each for the tasks that side-band records have reported, in no order. Of tasks with the
 * same tid, the last one is reported.
 */
void machine_tasks(const struct session *s, void (*each)(void *arg, const struct task *t),
		   void *arg);

/*
 * Calls @each for the mappings of process @pid at the end, by address. If later maps split one,
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

/* Returns all of them, in the order in which they were read. */
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

/* The content of /proc/PID/ns/: two tasks are in the same namespace if both numbers are equal. */
struct namespaces {
	struct {
		uint64_t dev, ino; /* 0: not recorded */
	} items[NAMESPACE_MAX];
};

/* Returns the namespaces of process @pid, if they were recorded (--namespaces); or NULL. */
const struct namespaces *machine_namespaces(const struct session *s, uint32_t pid, uint64_t time);

/* Returns the cgroup's path, or NULL. */
const char *machine_cgroup(const struct session *s, uint64_t id);

/* Calls @each for all images that maps refer to, in order of appearance. */
void machine_images(const struct session *s, void (*each)(void *arg, struct image *im), void *arg);
