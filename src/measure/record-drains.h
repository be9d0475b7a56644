/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Who empties which ring buffer: all of them one thread, or as --threads says.
 */
struct diag;
struct record_job;

/*
 * Makes job->drains out of job->rings. -EINVAL with @diag set: the layout leaves rings that nobody
 * empties.
 */
int record_drains_make(struct record_job *j, struct diag *diag);
void record_drains_done(struct record_job *j);
