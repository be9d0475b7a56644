/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Decides which thread empties which ring buffer: one thread empties all, or --threads divides
 * them.
 */
struct diag;
struct record_job;

/*
 * Makes job->drains out of job->rings. -EINVAL with @diag set: the layout leaves rings that no
 * thread empties.
 */
int record_drains_make(struct record_job *j, struct diag *diag);
void record_drains_done(struct record_job *j);
