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
#include <stdint.h>

struct image;
struct session;
struct symbol;

/* A process's or the kernel's mapping of an image. */
struct map {
	uint64_t start, end; /* runtime addresses */
	uint64_t pgoff;
	uint32_t prot, flags;
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

/* The name of thread @tid of process @pid; ":TID" until it is known. */
const char *machine_comm(const struct session *s, uint32_t pid, uint32_t tid, uint64_t time);

/* Whether any record but samples told of that thread. */
bool machine_knows(const struct session *s, uint32_t pid, uint32_t tid);

/* PERF_RECORD_MISC_* of a sample or chain to a mode. */
enum address_mode address_mode_of(uint16_t misc);

/*
 * What lies at @addr for process @pid; its symbol is left to others. Behind the text of the kernel
 * its symbols are asked whether there is more of it. false: nothing known; map is NULL.
 */
bool machine_locate(const struct session *s, uint32_t pid, enum address_mode mode, uint64_t addr,
		    uint64_t time, struct location *ret);

/* The same with its symbol. Thread-safe; loads the image's symbols when it is the first to ask. */
bool machine_resolve(const struct session *s, uint32_t pid, enum address_mode mode, uint64_t addr,
		     uint64_t time, struct location *ret);

/* The cgroup's path, or NULL. */
const char *machine_cgroup(const struct session *s, uint64_t id);

/* Calls @each for all images that maps refer to, in order of appearance. */
void machine_images(const struct session *s, void (*each)(void *arg, struct image *im), void *arg);
