/* SPDX-License-Identifier: MIT */
#pragma once
/* Reads the kernel's work from a recording, for tools/kwork/kwork-model.h. */
#include "profile/recorded.h"
#include "tools/kwork/kwork-model.h"

struct kwork_request {
	struct recorded_request recorded;
	struct kwork_options model; /* without a callback for functions: the recording has names */
	/*
	 * Called with the model's arg when the events are known, before the first sample; or NULL.
	 */
	void (*begin)(void *arg, const struct session *s);
};

/* The numbers of what was read, for INFO lines. */
struct kwork_reading {
	uint64_t records; /* records of all kinds */
	uint64_t lost_events, lost_records;
};

/*
 * Fills @m, which is all zero and which the caller releases in any case. Lost events, and events
 * without a partner, are reported in @notes. Returns a negative errno with @diag set.
 */
int kwork_read(const struct kwork_request *rq, struct kwork_model *m, struct kwork_reading *ret,
	       struct notes *notes, struct diag *diag);
