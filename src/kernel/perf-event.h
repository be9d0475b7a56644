/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The perf_event_open() system call and what it says about this kernel and this user.
 */
#include <stdbool.h>
#include <sys/types.h>

struct attr;
struct diag;

/*
 * The descriptor (close-on-exec), or a negative errno. Arguments as in perf_event_open(2). With
 * @attr->size 0 the size is chosen here: the common one, or the full one where its last words are
 * in use.
 */
int perf_event_open(const struct attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags);

/*
 * Can @attr be counted here? Opens it on the calling thread and closes it again; where the kernel
 * forbids kernel or hypervisor counting (perf_event_paranoid), tries user mode only.
 */
bool perf_event_supported(const struct attr *attr);

/* /proc/sys/kernel/perf_event_paranoid; 2 where it cannot be read. */
int perf_event_paranoid(void);
