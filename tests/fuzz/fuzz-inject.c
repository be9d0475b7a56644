/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes inject: the file it writes is whole. The file opens again, none of its records is damaged,
 * and without transforms it has as many samples as were delivered.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "datafile/writer.h"
#include "session/session.h"
#include "transform/output.h"
#include "transform/rewrite.h"
#include "transform/sleep-times.h"
#include "transform/transform.h"
#include "transform/unwind-stacks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct counting {
	struct transform transform;
	uint64_t samples;
};

static int count(struct transform *t, const struct delivered *d)
{
	struct counting *c = (struct counting *)t;

	c->samples += d->raw.header.type == PERF_RECORD_SAMPLE;
	return transform_pass(t, d);
}

static const struct transform_kind counting = { .take = count };

static uint64_t samples_of(const char *path)
{
	_cleanup_(datafile_freep) struct datafile *df = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };
	struct raw_record raw;
	uint64_t n = 0;
	int r;

	if (datafile_open(path, true, &df, &d) < 0)
		abort();
	while ((r = datafile_next(df, &raw, &d)) > 0) {
		n += raw.header.type == PERF_RECORD_SAMPLE;
		datafile_release(df, raw.position);
	}
	if (r < 0)
		abort();
	return n;
}

/*
 * Passes @path through the transforms and writes the result to @fd. Returns false if it is not a
 * recording.
 */
static bool inject(const char *path, bool change, enum writer_form form, int fd, uint64_t *ret)
{
	const struct session_options how = { .path = path,
					     .force = true,
					     .in_file_order = !change };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(writer_freep) struct writer *w = NULL;
	_cleanup_(output_freep) struct output *o = NULL;
	_cleanup_(sleep_times_freep) struct sleep_times *sleeps = NULL;
	_cleanup_(unwind_stacks_freep) struct unwind_stacks *stacks = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };
	struct counting c = { .transform.kind = &counting };
	struct transform *first = &c.transform;
	uint64_t left_out;

	if (session_open(&how, &s, &d) < 0)
		return false;
	if (writer_open(NULL, fd, &(struct writer_options){ .form = form }, &w, &d) < 0)
		abort();
	o = output_new(s, w, NULL, &d);
	if (change) {
		sleeps = sleep_times_new(s);
		stacks = unwind_stacks_new(s);
		sleep_times_transform(sleeps)->next = unwind_stacks_transform(stacks);
		unwind_stacks_transform(stacks)->next = first;
		first = sleep_times_transform(sleeps);
	}
	if (rewrite(s, output_close_chain(o, first), &left_out, &d) < 0)
		return false;
	*ret = c.samples;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(closep) int in = memfd_create("in", MFD_CLOEXEC);
	_cleanup_(freep) char *in_path = xasprintf("/proc/self/fd/%d", in);

	if (write(in, data, size) != (ssize_t)size)
		return 0;
	for (unsigned i = 0; i < 4; i++) {
		_cleanup_(closep) int out = memfd_create("out", MFD_CLOEXEC);
		_cleanup_(freep) char *out_path = xasprintf("/proc/self/fd/%d", out);
		uint64_t written;

		if (inject(in_path, i & 1, i & 2 ? WRITER_PIPE : WRITER_FILE, out, &written) &&
		    samples_of(out_path) != written)
			abort();
	}
	return 0;
}
