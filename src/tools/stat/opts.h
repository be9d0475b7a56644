/* SPDX-License-Identifier: MIT */
#pragma once
/* The options on the command line of `perf stat`. */
#include "base/choice.h"
#include "measure/count.h"
#include "options/verbosity.h"

struct stat_opts {
	struct count_request rq;
	struct verbosity_opts verbosity;
	uint64_t topdown_level; /* 0: the deepest */
	const char *iostat;
	bool record_tpebs; /* rejected, as is this: */
	const char *tpebs_mode;
	bool compare;
	struct {
		const char **items;
		size_t n, room;
	} fail_if;

	/* The layout of the output. */
	bool table;
	bool interval_clear;
	bool no_live;
	bool summary;
	bool hide_zeros;
	enum choice metric_only;
	const char *separator;
	bool json;
	bool no_csv_summary;
	enum choice big_num;
	const char *output;
	bool append;
	int64_t log_fd;

	const char *input; /* the input of `stat report` */
};
