/* SPDX-License-Identifier: MIT */
#include "tools/test/checks/fake-recording.h"

#include <time.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "datafile/features.h"
#include "datafile/writer.h"
#include "wire/record.h"
#include "wire/sample.h"

#define STEP_NS 1000000ULL

struct making {
	struct attr attr;
	struct bytes out;
	uint64_t time;
	int error;
};

static void check_fake_recording_put(struct making *m, struct record *r)
{
	int error;

	m->time += STEP_NS;
	r->id.time = m->time;
	r->id.cpu = 0;
	error = record_encode(r, &m->attr, &m->out);
	if (error < 0)
		m->error = error;
}

static void put_comm(struct making *m, uint32_t pid, uint32_t tid, const char *name)
{
	struct record r = { .header = { .type = PERF_RECORD_COMM },
			    .comm = { .pid = pid, .tid = tid, .comm = name } };

	r.id.pid = pid, r.id.tid = tid;
	check_fake_recording_put(m, &r);
}

static void put_thread(struct making *m, uint32_t pid, uint32_t tid)
{
	struct record r = { .header = { .type = PERF_RECORD_FORK },
			    .task = { .pid = pid,
				      .ppid = pid,
				      .tid = tid,
				      .ptid = pid,
				      .time = m->time + STEP_NS } };

	r.id.pid = pid, r.id.tid = pid;
	check_fake_recording_put(m, &r);
}

static void check_fake_recording_put_map(struct making *m, uint32_t pid, uint64_t addr,
					 const char *file)
{
	struct record r = { .header = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER },
			    .mmap = { .pid = pid,
				      .tid = pid,
				      .addr = addr,
				      .len = FAKE_SIZE,
				      .filename = file,
				      .prot = 5,
				      .flags = 2 } };

	r.id.pid = pid, r.id.tid = pid;
	check_fake_recording_put(m, &r);
}

static void check_fake_recording_put_sample(struct making *m, const struct fake_samples *f)
{
	uint64_t chain[5] = { PERF_CONTEXT_USER, f->ip };
	struct sample s = { .misc = PERF_RECORD_MISC_USER,
			    .ip = f->ip,
			    .pid = f->pid,
			    .tid = f->tid,
			    .period = f->period,
			    .chain = { .bytes = (const uint8_t *)chain, .n = 2 } };
	int error;

	for (size_t i = 0; i < 3 && f->callers[i]; i++)
		chain[s.chain.n++] = f->callers[i];
	m->time += STEP_NS;
	s.time = m->time;
	error = sample_encode(&s, &m->attr, &m->out);
	if (error < 0)
		m->error = error;
}

static void put_all(struct making *m, const struct fake_recording *f)
{
	put_comm(m, 100, 100, "perf");
	check_fake_recording_put_map(m, 100, FAKE_PROGRAM, "/fake/perf");
	check_fake_recording_put_map(m, 100, FAKE_LIBC, "/fake/libc");
	if (f->jit_dump) {
		check_fake_recording_put_map(m, 100, FAKE_LIBC + 2 * FAKE_SIZE, f->jit_dump);
		check_fake_recording_put_map(m, 100, FAKE_JIT, "//anon");
	}
	put_comm(m, 200, 200, "bash");
	check_fake_recording_put_map(m, 200, FAKE_PROGRAM, "/fake/bash");
	check_fake_recording_put_map(m, 200, FAKE_LIBC, "/fake/libc");
	put_thread(m, 200, 201);
	put_comm(m, 200, 201, "worker");
	for (unsigned i = 0; i < f->n; i++)
		for (unsigned j = 0; j < f->samples[i].n; j++)
			check_fake_recording_put_sample(m, &f->samples[i]);
}

int fake_recording_write(const char *path, const struct fake_recording *f, struct diag *diag)
{
	static const struct writer_options plain = { .form = WRITER_FILE };
	struct making m = { .attr = { .type = PERF_TYPE_SOFTWARE,
				      .size = sizeof(struct attr),
				      .config = PERF_COUNT_SW_CPU_CLOCK,
				      .sample_period = 1000000,
				      .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
						     PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
						     PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
				      .sample_id_all = !f->no_sample_ids,
				      /* JIT compilers use this clock for their times. */
				      .use_clockid = f->jit_dump != NULL,
				      .clockid = f->jit_dump ? CLOCK_MONOTONIC : 0 },
			    .time = FAKE_FIRST_NS };
	struct file_event event = { .attr = m.attr };
	_cleanup_(features_done) struct features features = { 0 };
	_cleanup_(writer_freep) struct writer *w = NULL;
	int r;

	features.version = xstrdup("self-test");
	features_mark(&features, FEATURE_VERSION);
	put_all(&m, f);
	if (m.error < 0) {
		bytes_done(&m.out);
		return diag_set(diag, m.error, "a record cannot be encoded");
	}
	r = writer_open(path, -1, &plain, &w, diag);
	if (r >= 0)
		r = writer_begin(w, &event, 1, &features, diag);
	if (r >= 0)
		r = writer_write(w, 0, m.out.data, m.out.n);
	if (r >= 0)
		r = writer_finish(w, &features, diag);
	bytes_done(&m.out);
	return r;
}
