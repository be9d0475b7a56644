/* SPDX-License-Identifier: MIT */
#pragma once
/* Reads the use of the CPUs' time from a recording, for tools/kwork/usage-model.h. */
struct diag;
struct kwork_classes;
struct kwork_usage;
struct notes;
struct recorded_request;

/*
 * Fills @u, which is all zero and which the caller releases in any case. Lost events are reported
 * in @notes. Returns a negative errno with @diag set.
 */
int kwork_usage_read(const struct recorded_request *rq, const struct kwork_classes *classes,
		     struct kwork_usage *u, struct notes *notes, struct diag *diag);
