/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Work of the kernel in a recording: reads it for tools/kwork/kwork-model.h.
 */
#include "profile/recorded.h"
#include "tools/kwork/kwork-model.h"

struct kwork_request {
	struct recorded_request recorded;
	struct kwork_options
		model; /* without callback for functions: names come from the recording */
	/* Called with the model's arg once events are known, before the first sample; or NULL. */
	void (*begin)(void *arg, const struct session *s);
};

/* What was read, for INFO lines. */
struct kwork_reading {
	uint64_t records; /* of all kinds */
	uint64_t lost_events, lost_records;
};

/*
 * Fills @m, which is all zero and which the caller releases in any case. What was lost, or lacks
 * its partner, goes to @notes. A negative errno with @diag set.
 */
int kwork_read(const struct kwork_request *rq, struct kwork_model *m, struct kwork_reading *ret,
	       struct notes *notes, struct diag *diag);
