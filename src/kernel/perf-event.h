/* SPDX-License-Identifier: MIT */
#pragma once
/* The perf_event_open() system call, and related settings of this kernel and this user. */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct attr;
struct diag;

/*
 * Returns the descriptor (close-on-exec), or a negative errno. Arguments are those of
 * perf_event_open(2). With @attr->size 0 the size is chosen here: the common one, or the full one
 * if its last words are in use.
 */
int perf_event_open(const struct attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags);

/* Returns the size that perf_event_open() gives to an attr without one. */
uint32_t perf_event_attr_size(const struct attr *attr);

/*
 * True if @attr can be counted here. Opens it on the calling thread and closes it again; if the
 * kernel forbids kernel or hypervisor counting (perf_event_paranoid), tries user mode only.
 */
bool perf_event_supported(const struct attr *attr);

/* Returns /proc/sys/kernel/perf_event_paranoid; 2 if it cannot be read. */
int perf_event_paranoid(void);

/* Runs the BPF program @program whenever the event @fd occurs. Errors: those of the ioctl(). */
int perf_event_set_bpf(int fd, int program);

/* Raises the limit of open files as far as possible. -EMFILE: it is already at its maximum. */
int perf_event_raise_file_limit(void);

/* Returns /proc/sys/kernel/perf_event_max_sample_rate; 0 if it cannot be read. */
uint64_t perf_event_max_sample_rate(void);
