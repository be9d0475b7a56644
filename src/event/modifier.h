/* SPDX-License-Identifier: MIT */
#pragma once
/* The letters after an event's colon, and their effect on its attr. */
#include <stdbool.h>

struct attr;
struct diag;

#define MODIFIER_LETTERS "ukhIGHpPSDWebRX"

bool modifier_is_letter(char c);

/* The effects of letters that are not in the attr. */
struct modifier_state {
	bool excludes_set;  /* u, k or h was given: the others are excluded */
	bool host_or_guest; /* G or H was given */
	bool guests_too;    /* guests are not excluded by default: u includes them */
	bool max_precise;   /* P */
	bool sample_read;   /* S */
	bool weak_group;    /* W */
	bool bpf_counter;   /* b */
	bool latency;       /* R: samples have latencies; the event cannot be counted */
};

/*
 * Applies an event's own letters to @attr, which by default excludes guests (or the host: perf
 * kvm). -EINVAL with *@ret_bad at the offending letter: one given twice (p: four times).
 */
int modifier_apply(const char *letters, struct attr *attr, struct modifier_state *state,
		   const char **ret_bad);

/*
 * Applies a group's letters in addition to the event's own: everything that either requests is
 * counted, levels of precision add up, and D and e apply to the leader alone.
 */
int modifier_apply_group(const char *letters, bool leader, struct attr *attr,
			 struct modifier_state *state, const char **ret_bad);
