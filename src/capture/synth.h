/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The records that the recorder adds to those of the kernel: the state before recording began, and
 * facts for the reader about events, CPUs and clocks.
 *
 * Everything is appended to a struct bytes as whole records whose trailers are zeros, in the order
 * of Linux's perf: clock, ids, hardware trace, kernel and modules, event updates, thread and CPU
 * maps, BPF programs, cgroups, tasks, the workload, FINISHED_INIT. Tasks that end while they are
 * read are left out. Nothing here fails: data that cannot be read is left out.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "wire/record.h"

struct bytes;
struct cpu_list;
struct kept_files;
struct recorded_event;
struct task_list;

/* One opened descriptor, for ID_INDEX. */
struct synth_id {
	uint64_t id;
	uint64_t ring; /* index of its ring buffer */
	int cpu;       /* -1: any */
	pid_t tid;     /* -1: any */
};

/* The places of the kernels of guests; each may be NULL. */
struct synth_guests {
	const char *kallsyms, *modules; /* copies of a guest's files in /proc */
	const char *mount;              /* MOUNT/PID is the root directory of each guest */
};

struct synth_plan {
	const struct attr *attr; /* attr of the first event, for the layout of trailers */
	const struct record_time_conv *time_conv; /* from a ring's control page, or NULL */
	const struct synth_id *ids;
	size_t n_ids;
	const struct bytes *aux_info; /* the AUXTRACE_INFO record, or NULL */
	const struct recorded_event *events;
	size_t n_events;
	const struct task_list *tasks;     /* the recorded tasks; empty: all, from /proc */
	const struct cpu_list *cpus;       /* the recorded CPUs; NULL: any (per-thread) */
	pid_t workload;                    /* the child that has not called exec yet; 0: none */
	struct kept_files *kept;           /* stores mapped files; or NULL */
	const struct synth_guests *guests; /* or NULL: none are recorded */
	const char *root;                  /* prefix of /proc; NULL: this machine */
	bool event_names;                  /* a pipe: names come as records too */
	bool task_names;                   /* names of tasks in THREAD_MAP */
	bool counts;                       /* a file of counts: all scales, CPUs one by one */
	bool data_maps;                    /* -d, --call-graph dwarf: not only executable ones */
	bool namespaces;                   /* --namespaces */
	bool cgroups;                      /* --all-cgroups */
	/* build-ids in MMAP2 records of files, instead of inodes */
	bool build_ids;
	bool kernel_build_ids; /* the same in those of the kernel: --buildid-mmap */
	bool no_bpf_event;     /* --no-bpf-event: BPF programs by KSYMBOL only */
	bool bpf_metadata;     /* write the metadata of BPF programs */
	bool no_tasks;         /* --synth without task and mmap: only the workload */
	bool no_maps;          /* --synth=task: no maps of processes */
};

/* Appends the records for the beginning, including FINISHED_INIT. */
void synth_prologue(const struct synth_plan *p, struct bytes *out);

/*
 * Appends the same without FINISHED_INIT while recording is on: for each further file of
 * --switch-output, and for the end of the data with --tail-synthesize. In the meantime the workload
 * has called exec, and tasks may have children, which are recorded too.
 */
void synth_state(const struct synth_plan *p, struct bytes *out);

/*
 * Appends COMM (and NAMESPACES) of the workload alone, which precede the data with
 * --tail-synthesize.
 */
void synth_workload(const struct synth_plan *p, struct bytes *out);

/*
 * Appends, at the end, the number of samples of the event with @id that the kernel dropped
 * (read_format LOST).
 */
void synth_lost_samples(const struct attr *attr, uint64_t id, uint64_t lost, struct bytes *out);

/*
 * Appends a LOST record like the kernel's, while recording: @lost records are missing before
 * @time_ns.
 */
void synth_lost(const struct attr *attr, uint64_t id, uint64_t lost, uint64_t time_ns,
		struct bytes *out);

/* Does the same as synth_lost_samples(), for samples that a filter dropped. */
void synth_dropped_samples(const struct attr *attr, uint64_t id, uint64_t n, struct bytes *out);

/*
 * Appends only the recorded tasks, or all tasks: synth-task.c. @again: recording has been on for a
 * while, so the workload has called exec and tasks may have children.
 */
void synth_tasks(const struct synth_plan *p, bool again, struct bytes *out);
