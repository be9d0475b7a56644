/* SPDX-License-Identifier: MIT */
#pragma once
/* Removes probes by name, from the kernel or from the cache. */
struct diag;
struct notes;
struct probe_request;
struct probe_texts;

/*
 * Removes the probes that match the patterns of @texts. Each pattern must match: otherwise -ENOENT
 * is returned with @diag set, and nothing is removed. If a probe cannot be removed, the others
 * still are; it becomes a failure among the notes, and its error is returned without a message in
 * @diag.
 */
int probe_delete(const struct probe_request *rq, const struct probe_texts *texts,
		 struct notes *notes, struct diag *diag);
