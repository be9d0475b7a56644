/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The AUXTRACE_INFO record of an Intel PT recording: the words after its type, in an order that
 * recordings have had since 2015. Newer recorders added words at the end: the first ten are always
 * present, the next five all or none, the others one by one.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct words;

enum pt_info_word {
	PT_INFO_PMU_TYPE,   /* attr.type of the intel_pt PMU */
	PT_INFO_TIME_SHIFT, /* these convert TSC into the clock of samples */
	PT_INFO_TIME_MULT,
	PT_INFO_TIME_ZERO,
	PT_INFO_CAP_TIME_ZERO, /* true if the three words before are valid */
	PT_INFO_TSC_BIT,       /* bits of attr.config for the term */
	PT_INFO_NORETCOMP_BIT,
	PT_INFO_HAVE_SWITCHES, /* enum pt_switches */
	PT_INFO_SNAPSHOT,
	PT_INFO_PER_CPU,
	PT_INFO_MTC_BIT,
	PT_INFO_MTC_FREQ_BITS,
	PT_INFO_TSC_CTC_N, /* CPUID 0x15: ratio of TSC ticks to those of the crystal */
	PT_INFO_TSC_CTC_D,
	PT_INFO_CYC_BIT,
	PT_INFO_MAX_RATIO,
	PT_INFO_FILTER_LENGTH, /* length of the text that follows, padded to words */
	PT_INFO_WORDS
};

/* The way in which context switches are reported. */
enum pt_switches {
	PT_SWITCHES_NONE,
	PT_SWITCHES_TRACEPOINT, /* sched:sched_switch */
	PT_SWITCHES_RECORDS,    /* PERF_RECORD_SWITCH of the event's own tasks */
	PT_SWITCHES_CPU_WIDE,   /* PERF_RECORD_SWITCH_CPU_WIDE */
};

struct pt_info {
	uint64_t word[PT_INFO_WORDS];
	size_t n_words;       /* number of words that the record has */
	const char *filter;   /* the address filter, in the record's bytes; NULL: not given */
	bool has_event_trace; /* the record shows whether there are CFE and EVD packets */
	bool event_trace;
};

/* Reads the record. -EBADMSG if words are missing or the filter is longer than they are. */
int pt_info_read(const struct words *priv, struct pt_info *ret);
