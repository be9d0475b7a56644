/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What CPUs spent their time on, in a recording: reads it for tools/kwork/usage-model.h.
 */
struct diag;
struct kwork_classes;
struct kwork_usage;
struct notes;
struct recorded_request;

/*
 * Fills @u, which is all zero and which the caller releases in any case. What was lost goes to
 * @notes. A negative errno with @diag set.
 */
int kwork_usage_read(const struct recorded_request *rq, const struct kwork_classes *classes,
		     struct kwork_usage *u, struct notes *notes, struct diag *diag);
