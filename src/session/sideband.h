/* SPDX-License-Identifier: MIT */
#pragma once
/* Applies side-band records to the machine, one by one in their order. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/u64-map.h"
#include "session/deferred-chains.h"
#include "session/images.h"
#include "session/lineage.h"
#include "session/moment.h"
#include "session/tasks.h"

struct record;
struct thread_read;

/*
 * The address space of a kernel: its own text, its modules, and JIT code (BPF programs,
 * trampolines), over time.
 *
 * Recorders know the extent of the text only roughly: it ends at the next module. Modules hide JIT
 * code, which is in the space between them.
 */

struct arena;
struct map;
struct space;
struct space_copying;
struct span;

struct kernel_space {
	struct space *modules, *jit;
	const struct map *text; /* NULL: not known */
	uint64_t text_end;
	uint64_t text_limit; /* the address at which the next module starts */
};

void kernel_space_init(struct kernel_space *k, struct arena *a);
void kernel_space_done(struct kernel_space *k);

/* Makes @to, which is not initialised, a copy of @from without the parts that @c leaves out. */
void kernel_space_copy(struct kernel_space *to, const struct kernel_space *from,
		       struct space_copying *c);

/* Sets the kernel's own text; a length of 0 means "not known". */
void kernel_space_text(struct kernel_space *k, const struct map *text);

void kernel_space_module(struct kernel_space *k, struct arena *a, const struct map *m,
			 struct moment at);

/* Notes code that came (@m) or went (NULL) at [@start, @end). */
void kernel_space_made(struct kernel_space *k, struct arena *a, uint64_t start, uint64_t end,
		       const struct map *m, struct moment at);

/*
 * Returns the map at @addr at @at; NULL: none. *@span is narrowed to the times for which that is
 * valid.
 */
const struct map *kernel_space_find(const struct kernel_space *k, uint64_t addr, struct moment at,
				    struct span *span);

/*
 * Returns the kernel's text if @addr is between its end and the next known map: the code that
 * starts the kernel is there (start_kernel, at the bottom of CPU 0's idle stacks). Only the
 * kernel's symbols show whether the address is the kernel's at all.
 */
const struct map *kernel_space_behind_text(const struct kernel_space *k, uint64_t addr);

struct machine {
	struct arena arena; /* holds maps, versions, guests */
	struct intern names;
	struct tasks tasks;
	struct lineage lineage;
	struct {
		struct thread_read *items;
		size_t n, room;
	} reads;
	struct kernel_space host;
	struct u64_map guests;   /* kernel_space by the pid of its virtual machine; 0: any */
	struct u64_map cgroups;  /* paths keyed by id */
	struct u64_map jit_maps; /* jit_maps by their jit_code */
	struct images images;
	struct deferred_chains deferred;
	uint64_t turn;         /* number of the last record applied */
	uint64_t own_mount_ns; /* this process's namespace, looked up at the first use */
	bool is_monotonic;     /* times are those of CLOCK_MONOTONIC */
	uint64_t forgot_at;    /* the turn of the last machine_forget_before(), */
	size_t n_left;         /* and how much state it left */

	pthread_mutex_t nameless_lock;
	struct intern nameless; /* ":TID" of threads whose names were looked up */
};

void machine_init(struct machine *m, struct symbolizer *symbolizer);
void machine_done(struct machine *m);

/* True if records of @type change the machine. */
bool sideband_matters(uint32_t type);

/*
 * Applies @r. @time is 0 for state that is valid from the beginning. An EXIT changes nothing,
 * because all lookups name a time; it is noted for machine_forget_before().
 */
void sideband_apply(struct machine *m, const struct record *r, uint64_t time);

/* Returns the kernel of the virtual machine @pid, or NULL. */
const struct kernel_space *machine_guest(const struct machine *m, uint32_t pid);
