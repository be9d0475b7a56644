/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Tasks as /proc shows them. A task may end at any moment: the result is then -ENOENT or -ESRCH.
 *
 * One struct proc serves a whole walk: it holds the descriptor of /proc and the buffer into which
 * files are read, so thousands of tasks cost no allocation each.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The number of namespaces, as in PERF_RECORD_NAMESPACES: net uts ipc pid user mnt cgroup. */
#define PROC_NAMESPACES 7

struct proc {
	int fd; /* descriptor of /proc; -1: there is none */
	char *buffer;
	size_t room;
};

struct proc_task {
	pid_t tgid, ppid;
	size_t n_threads; /* number of threads of its process; 0: not known */
	char comm[16];    /* cut to the kernel's length */
};

struct proc_namespace {
	uint64_t dev, ino;
};

struct proc_ids {
	pid_t *items;
	size_t n, room;
};

/* Prepares @p for the machine whose directories are below @root; "" for this one. */
void proc_init(struct proc *p, const char *root);
void proc_done(struct proc *p);
void proc_ids_done(struct proc_ids *ids);

/* Reads the data of @tid from its status file. */
int proc_task_read(struct proc *p, pid_t tid, struct proc_task *ret);

/* True if there is no process @pid on this machine. */
bool proc_task_is_gone(uint32_t pid);

/* Reads the processes, or the threads of @pid, in ascending order. */
int proc_processes(struct proc *p, struct proc_ids *ret);
int proc_threads(struct proc *p, pid_t pid, struct proc_ids *ret);

/* Reads the text of the maps file of @pid; it is in @p's buffer until the next call. */
int proc_maps_read(struct proc *p, pid_t pid, const char **ret, size_t *ret_length);

/* Reads the namespaces of @tid; those that the kernel does not have are 0, 0. */
int proc_namespaces_read(struct proc *p, pid_t tid, struct proc_namespace ret[PROC_NAMESPACES]);
