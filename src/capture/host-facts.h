/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The facts in the header of a perf.data file about this machine and about the events of a
 * recording.
 *
 * Fills a struct features (datafile/features.h) and marks the features that it found; those that
 * the machine does not provide are left out. Facts that only the recorder knows (COMPRESSED,
 * DIR_FORMAT, STAT, SAMPLE_TIME, BUILD_ID) are set by it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes;
struct features;
struct kept_files;
struct recorded_event;

struct host_facts_request {
	const char *root;        /* prefix of /proc and /sys; "" for this machine */
	const char *version;     /* version of this perf */
	const char *const *argv; /* the command line as typed: "perf", "record", ... */
	size_t n_args;
};

/* Fills in HOSTNAME to CMDLINE, topologies, PMUs, caches, memory. Takes a few milliseconds. */
void host_facts(const struct host_facts_request *rq, struct features *f);

/*
 * Fills in EVENT_DESC, and GROUP_DESC if there are groups; BRANCH_STACK if an event samples
 * branches (except for stacks).
 */
void host_facts_events(const struct recorded_event *events, size_t n, struct features *f);

/* Fills in CLOCKID and CLOCK_DATA for events with times of @clockid (-k). */
void host_facts_clock(int32_t clockid, struct features *f);

/*
 * Fills in BPF_PROG_INFO and BPF_BTF: the programs that are loaded now. Needs root; does nothing
 * otherwise.
 */
void host_facts_bpf(struct features *f);

/*
 * Completes the programs when a recording ends. If programs that @early does not contain are
 * loaded, or were seen (@kept, or NULL), they and those of @early go into @late.
 */
void host_facts_bpf_late(const struct features *early, struct kept_files *kept,
			 struct features *late);
