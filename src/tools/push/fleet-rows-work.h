/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Converts a recording to rows of a fleet's tables: stacks with their weights in each minute.
 *
 * Minutes are those of the wall clock if the recording contains it (record -k). Otherwise they
 * count from its first sample, whose date is the time of the file. Either way the batches of a
 * recording are always the same, whenever and from wherever it is sent.
 */
#include <stdbool.h>
#include <stdint.h>

#include "symbol/symbol-request.h"

struct diag;
struct fleet_data;
struct notes;
struct progress;

/* A request. Its texts are borrowed. */
struct fleet_rows_request {
	const char *path;
	bool force;
	struct symbol_request symbols;
	const char *buildid_dir;   /* or NULL */
	struct progress *progress; /* or NULL */
	/* Labels of the recording; NULL: the recording's own name, and names from cgroups. */
	const char *host, *service, *container;
	int64_t now; /* in seconds: the date of a recording that is not a file */
};

/*
 * Reads the recording. Warnings about lost data are added to @notes. The caller owns *@ret. Returns
 * -ENODATA if it has no samples.
 */
int fleet_rows_read(const struct fleet_rows_request *rq, struct notes *notes,
		    struct fleet_data **ret, struct diag *diag);

/*
 * Extracts names from the path of a cgroup, which systemd and container runtimes compose by rules.
 */

struct text;

/*
 * Appends the innermost service: "web" of /system.slice/web.service/x. Appends nothing if there is
 * none.
 */
void cgroup_service(struct text *t, const char *path);

/*
 * Appends the first 12 digits of the innermost container's id, as its runtime shows them. Appends
 * nothing if there is none.
 */
void cgroup_container(struct text *t, const char *path);
