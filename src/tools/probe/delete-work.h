/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Removes probes by name, of the kernel or of the cache.
 */
struct diag;
struct notes;
struct probe_request;
struct probe_texts;

/*
 * Removes what the patterns of @texts name, each of which must name something: -ENOENT with @diag
 * set otherwise, and nothing is removed. One that cannot be removed does not keep the others: it
 * becomes a failure among the notes, and the result is its error without a message in @diag.
 */
int probe_delete(const struct probe_request *rq, const struct probe_texts *texts,
		 struct notes *notes, struct diag *diag);
