/* SPDX-License-Identifier: MIT */
#pragma once
/* Turns definitions of probes into events of the kernel, all or none. */
#include <stddef.h>

#include "probe/probe-def.h"
#include "probe/probe-request.h"
#include "probe/trace-probe.h"

struct diag;
struct kernel_probes;
struct notes;
struct probe_target;
struct tracefs;

/* One definition and its result. */
struct probe_addition {
	const struct probe_asked *asked;
	struct probe_def def;
	struct trace_probes probes;
};

struct probe_additions {
	const struct probe_request *rq;
	struct notes *notes;
	struct probe_addition *items;
	size_t n;
	/* the target of the definition before, often also the next one's */
	struct probe_target *target;
	const struct probe_asked *target_of;
	struct tracefs *fs;
	struct kernel_probes *kernel;
};

/*
 * Finds the places and arguments of all definitions. Errors: @diag marks the mistake in a text.
 * Everything is borrowed. The result must be released with probe_additions_done() in any case.
 */
int probe_additions_resolve(struct probe_additions *a, const struct probe_request *rq,
			    const struct probe_texts *texts, struct notes *notes,
			    struct diag *diag);
void probe_additions_done(struct probe_additions *a);

/*
 * Names the probes, adds them to the kernel, and stores them in the cache if that was requested; a
 * dry run only names them. If one is refused, those before it are removed again.
 */
int probe_additions_write(struct probe_additions *a, struct diag *diag);
