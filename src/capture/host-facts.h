/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the header of a perf.data file says about this machine and about the events of a recording.
 *
 * Fills a struct features (datafile/features.h) and marks what it found; what the machine does not
 * tell is left out. Facts that only the recorder knows (COMPRESSED, DIR_FORMAT, STAT, SAMPLE_TIME,
 * BUILD_ID) are set by it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes;
struct features;
struct kept_files;
struct recorded_event;

struct host_facts_request {
	const char *root;        /* stands before /proc and /sys; "" for this machine */
	const char *version;     /* of this perf */
	const char *const *argv; /* the command line as typed: "perf", "record", ... */
	size_t n_args;
};

/* HOSTNAME to CMDLINE, topologies, PMUs, caches, memory. Takes a few milliseconds. */
void host_facts(const struct host_facts_request *rq, struct features *f);

/* EVENT_DESC, and GROUP_DESC where there are groups; BRANCH_STACK if one samples branches
   (but for stacks). */
void host_facts_events(const struct recorded_event *events, size_t n, struct features *f);

/* CLOCKID and CLOCK_DATA for events that are timed by @clockid (-k). */
void host_facts_clock(int32_t clockid, struct features *f);

/* BPF_PROG_INFO and BPF_BTF: the programs that are loaded now. Root only; nothing otherwise. */
void host_facts_bpf(struct features *f);

/*
 * When a recording ends: if programs are loaded, or were seen (@kept, or NULL), that @early does
 * not tell of, those of @early and they go into @late.
 */
void host_facts_bpf_late(const struct features *early, struct kept_files *kept,
			 struct features *late);
