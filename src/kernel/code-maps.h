/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The executable maps of a process, asked for one by one (PROCMAP_QUERY, Linux 6.11). A process has
 * some twenty maps, of which five are code: this takes half as long as the text of all of them
 * (kernel/proc-maps.h), and nothing has to be parsed.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernel/proc-maps.h"

struct proc;

struct code_maps {
	int fd;        /* the maps file of the process; -1: none */
	uint64_t from; /* everything below has been asked for */
	bool is_ended;
	char name[PATH_MAX]; /* the last map's; as it is, without the escapes of the text */
};

/*
 * Begins with the maps of @pid; @m has no file open. Errors are those of open(). To be closed by
 * code_maps_close(), also on failure.
 */
int code_maps_open(struct proc *p, pid_t pid, struct code_maps *m);
void code_maps_close(struct code_maps *m);

/*
 * Gives the next map, whose name is in @m. Returns 1; 0: there are no more; -ENOTTY: the kernel
 * cannot be asked (-ENOSYS under emulation); other errors are those of ioctl(). After an error, the
 * maps from m->from on are still to be read. @gate: see code_maps_gate(); NULL: there is none.
 */
int code_maps_next(struct code_maps *m, const struct proc_map *gate, struct proc_map *ret);

/*
 * Finds the map at the top of the address space which all 64-bit processes share ([vsyscall] of
 * x86): it belongs to no process, so that it is in the text only. Its name is static. False: there
 * is none.
 */
bool code_maps_gate(struct proc *p, struct proc_map *ret);
