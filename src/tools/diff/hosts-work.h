/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The hosts of a fleet's side, each as if it were a recording of its own: rows that were told apart
 * by host, as the last of their keys, are parted. Private to tools/diff/diff-work*.
 */
#include <stddef.h>

#include "profile/report.h"

struct diff_hosts {
	const char **names; /* borrowed from the session */
	size_t n;
	/* private: */
	struct report_options options; /* without the key of the host */
	struct report_rows *parts;     /* by event and host */
	struct report_row **rows;      /* by event: of all parts */
	size_t n_events;
};

/* The key that hosts are told apart by (foreign/fleet.c). */
#define DIFF_HOST_KEY "cgroup"

/*
 * Parts the rows of each of the @n events, whose last key is that of the host; they are taken from
 * @rows, which stay the caller's and are needed until diff_hosts_done(). It stays where it is.
 */
void diff_hosts_init(struct diff_hosts *h, struct report_rows *const *rows, size_t n);
void diff_hosts_done(struct diff_hosts *h);

/* The rows of a host; there may be none. */
const struct report_rows *diff_hosts_rows(const struct diff_hosts *h, size_t event, size_t host);
