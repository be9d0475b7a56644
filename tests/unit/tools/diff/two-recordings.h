/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A comparison of two recordings: with one and with three samples of the command "work".
 */
#include "session/recording.h"

#include "tools/diff/diff-work.h"

struct fixture {
	struct recording recs[2];
	char paths[2][32];
	char *argv[3];
	struct diff_request rq;
	struct diff_job job;
	struct diag diag;
};

/* Sets up two recordings, with one and with three samples of process 7. */
static inline int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){ .rq.order = 1 };
	for (size_t i = 0; i < 2; i++) {
		f.recs[i] = recording_new();
		comm(&f.recs[i], 7, 7, "work", 1);
		for (size_t k = 0; k < 1 + 2 * i; k++)
			sampled(&f.recs[i], 1, 7, 1000 * (k + 1));
		stored(&f.recs[i], f.paths[i]);
		f.argv[i] = f.paths[i];
	}
	f.rq.argc = 2;
	f.rq.argv = f.argv;
	f.rq.sort = "comm";
	*state = &f;
	return 0;
}

static inline int tear_down(void **state)
{
	struct fixture *f = *state;

	diff_job_close(&f->job);
	diff_request_done(&f->rq);
	diag_done(&f->diag);
	for (size_t i = 0; i < 2; i++)
		recording_done(&f->recs[i]);
	return 0;
}

static inline int read_all(struct fixture *f)
{
	int r = diff_job_open(&f->job, &f->rq, &f->diag);

	return r < 0 ? r : diff_job_read(&f->job, &f->diag);
}
