/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording as rows of a fleet's tables: stacks with what they weigh in each minute.
 *
 * Minutes are those of the wall clock where the recording tells it (record -k); else they count
 * from its first sample, which is dated by the time of the file. Either way the batches of one
 * recording are the same whenever and from wherever it is sent.
 */
#include <stdbool.h>
#include <stdint.h>

#include "symbol/symbol-request.h"

struct diag;
struct fleet_data;
struct notes;
struct progress;

/* Texts are borrowed. */
struct fleet_rows_request {
	const char *path;
	bool force;
	struct symbol_request symbols;
	const char *buildid_dir;   /* or NULL */
	struct progress *progress; /* or NULL */
	/* Of the recording; NULL: the name that the recording has, what cgroups tell. */
	const char *host, *service, *container;
	int64_t now; /* in seconds: of a recording that is no file */
};

/*
 * Reads it; warnings on what is lost go to @notes. *@ret is the caller's. -ENODATA: it has no
 * samples.
 */
int fleet_rows_read(const struct fleet_rows_request *rq, struct notes *notes,
		    struct fleet_data **ret, struct diag *diag);

/*
 * What the path of a cgroup tells: systemd and the runtimes of containers name them by rules.
 */

struct text;

/* Appends the innermost service: "web" of /system.slice/web.service/x. Nothing: there is none. */
void cgroup_service(struct text *t, const char *path);

/*
 * Appends the first 12 digits of the innermost container's id, as its runtime shows them. Nothing:
 * there is none.
 */
void cgroup_container(struct text *t, const char *path);
