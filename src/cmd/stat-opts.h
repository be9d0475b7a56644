/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options of `perf stat`, as stat.c parses them and its other parts read them.
 */
#include "base/choice.h"
#include "cmd/opt/aggregate.h"
#include "cmd/opt/control.h"
#include "cmd/opt/events.h"
#include "cmd/opt/target.h"
#include "cmd/opt/verbosity.h"

struct stat_opts {
	struct target target;
	struct event_words events;
	struct control_request control;
	struct aggregate_opts aggregate;
	struct verbosity_opts verbosity;
	enum choice no_inherit;
	bool group;
	bool all_user;
	bool all_kernel;
	bool null_run;
	unsigned detailed;
	const char *for_each_cgroup;
	const char *cputype;
	const char *bpf_prog;
	bool bpf_counters;
	const char *bpf_attr_map;

	int64_t repeat; /* 0: for ever */
	bool table;
	bool compare;
	struct {
		const char **items;
		size_t n, room;
	} fail_if;
	const char *pre, *post;
	bool sync;
	uint64_t interval_ms; /* 0: only at the end */
	uint64_t interval_count;
	bool interval_clear;
	bool summary;
	uint64_t timeout_ms;

	enum choice metric_only;
	bool metric_no_group, metric_no_merge, metric_no_threshold;
	bool topdown;
	uint64_t topdown_level; /* 0: the deepest */
	bool transaction;
	bool smi_cost;
	const char *iostat;

	const char *separator;
	bool json;
	bool no_csv_summary;
	enum choice big_num;
	enum choice scale;
	bool no_merge, hybrid_merge;
	bool percore_show_thread;
	const char *output;
	bool append;
	int64_t log_fd;

	const char *input; /* of `stat report` */
};
