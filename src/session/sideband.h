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
#include "session/kernel-space.h"
#include "session/lineage.h"
#include "session/tasks.h"

struct record;
struct thread_read;

struct machine {
	struct arena arena; /* maps, versions, guests */
	struct intern names;
	struct tasks tasks;
	struct lineage lineage;
	struct {
		struct thread_read *items;
		size_t n, room;
	} reads;
	struct kernel_space host;
	struct u64_map guests;   /* kernel_space by the pid of its virtual machine; 0: any */
	struct u64_map cgroups;  /* paths by id */
	struct u64_map jit_maps; /* jit_maps by the jit_code they are of */
	struct images images;
	struct deferred_chains deferred;
	uint64_t turn;         /* of the last record applied */
	uint64_t own_mount_ns; /* of this process, once it was wanted */
	bool is_monotonic;     /* times are those of CLOCK_MONOTONIC */
	uint64_t forgot_at;    /* the turn of the last machine_forget_before(), */
	size_t n_left;         /* and how much it left */

	pthread_mutex_t nameless_lock;
	struct intern nameless; /* ":TID" of threads that were asked for */
};

void machine_init(struct machine *m, struct symbolizer *symbolizer);
void machine_done(struct machine *m);

/* Do records of @type change the machine? */
bool sideband_matters(uint32_t type);

/*
 * Applies @r. @time is 0 for state that holds from the beginning. An EXIT changes nothing, because
 * all questions name a time; it is noted for machine_forget_before().
 */
void sideband_apply(struct machine *m, const struct record *r, uint64_t time);

/* The kernel of the virtual machine @pid, or NULL. */
const struct kernel_space *machine_guest(const struct machine *m, uint32_t pid);
