/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Recordings made by hand for queries: a file or a stream in memory, with tracepoints, that is
 * opened as often as necessary; and tables as text.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "datafile/features.h"
#include "datafile/tracing-data.h"
#include "datafile/writer.h"
#include "profile/sample-table.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "tools/query/tables-work.h"
#include "wire/record.h"
#include "wire/sample.h"

#define MADE_CODE UINT64_C(0xffff800000100000)

#define MADE_PLAIN                                                                                 \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
#define MADE_STACKS (MADE_PLAIN | PERF_SAMPLE_CALLCHAIN)
#define MADE_TRACED (MADE_PLAIN | PERF_SAMPLE_RAW)

struct made_recording {
	struct bytes records;
	struct file_event events[8];
	uint64_t ids[8]; /* 1 + the index of the event */
	size_t n_events;
	struct tracing_format formats[8];
	size_t n_formats;
	const char *arch; /* NULL: not known */
	bool is_stream;
	struct symbolizer *symbolizer;
	int fd; /* -1: not written yet */
	unsigned opened;
	unsigned fails_at; /* number of the opening that fails; 0: none */
};

/* Adds an event with @type, @config and @sample_type. Returns its attr. */
__attribute__((unused)) static struct attr *made_event(struct made_recording *m, uint32_t type,
						       uint64_t config, uint64_t sample_type)
{
	struct file_event *e = &m->events[m->n_events];

	assert_true(m->n_events < 8);
	*e = (struct file_event){ .attr = { .type = type,
					    .size = 128,
					    .config = config,
					    .sample_period = 1,
					    .sample_type = sample_type,
					    .exclude_guest = 1,
					    .sample_id_all = 1 } };
	m->n_events++;
	return &e->attr;
}

/* Adds a tracepoint of @system with the number @id, whose format is @text. */
__attribute__((unused)) static void made_tracepoint(struct made_recording *m, const char *system,
						    uint64_t id, const char *text,
						    uint64_t sample_type)
{
	made_event(m, PERF_TYPE_TRACEPOINT, id, sample_type);
	if (!text)
		return;
	m->formats[m->n_formats++] =
		(struct tracing_format){ .system = system, .text = text, .length = strlen(text) };
}

__attribute__((unused)) static struct made_recording made_recording(bool is_stream)
{
	return (struct made_recording){
		.is_stream = is_stream,
		.symbolizer = symbolizer_new(&(struct symbolizer_options){ 0 }),
		.fd = -1,
	};
}

__attribute__((unused)) static void made_recording_done(struct made_recording *m)
{
	bytes_done(&m->records);
	symbolizer_free(m->symbolizer);
	if (m->fd >= 0)
		close(m->fd);
}

/* Adds a record of the kernel, with the trailer of event 0. */
__attribute__((unused)) static void made_record(struct made_recording *m, struct record r,
						uint64_t time)
{
	r.id.time = time;
	assert_int_equal(record_encode(&r, &m->events[0].attr, &m->records), 0);
}

__attribute__((unused)) static void made_comm(struct made_recording *m, uint32_t pid, uint32_t tid,
					      const char *name, uint64_t time)
{
	made_record(m,
		    (struct record){ .header.type = PERF_RECORD_COMM,
				     .comm = { .pid = pid, .tid = tid, .comm = name } },
		    time);
}

__attribute__((unused)) static void made_map(struct made_recording *m, uint32_t pid, uint64_t addr,
					     const char *name, uint64_t time)
{
	made_record(m,
		    (struct record){
			    .header = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER },
			    .mmap = { .pid = pid,
				      .tid = pid,
				      .addr = addr,
				      .len = 0x1000,
				      .filename = name,
				      .prot = 5 } },
		    time);
}

/* Adds a function of the kernel, of 0x1000 bytes. */
__attribute__((unused)) static void made_function(struct made_recording *m, uint64_t addr,
						  const char *name, uint64_t time)
{
	made_record(
		m,
		(struct record){
			.header.type = PERF_RECORD_KSYMBOL,
			.ksymbol = { .addr = addr, .len = 0x1000, .ksym_type = 1, .name = name } },
		time);
}

/* Adds a sample of event @event; @s has the rest. Its CPU is 1 if none is given. */
__attribute__((unused)) static void made_sample(struct made_recording *m, size_t event,
						struct sample s)
{
	s.id = event + 1;
	if (!s.misc)
		s.misc = PERF_RECORD_MISC_USER;
	assert_int_equal(sample_encode(&s, &m->events[event].attr, &m->records), 0);
}

/* Adds a sample with a stack of kernel addresses (from MADE_CODE on) and user addresses. */
__attribute__((unused)) static void made_stack(struct made_recording *m, size_t event,
					       struct sample s, const uint64_t *ips, size_t n)
{
	uint64_t chain[16];
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		bool kernel = ips[i] >= MADE_CODE;

		if (!i || kernel != (ips[i - 1] >= MADE_CODE))
			chain[k++] = kernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER;
		chain[k++] = ips[i];
	}
	s.ip = n ? ips[0] : s.ip;
	if (n)
		s.misc = ips[0] >= MADE_CODE ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	s.chain = (struct words){ .bytes = (const uint8_t *)chain, .n = k };
	made_sample(m, event, s);
}

#define MADE_STACK(m, s, ...)                                                                      \
	made_stack(m, 0, s, (const uint64_t[]){ __VA_ARGS__ },                                     \
		   sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static inline void made_features(const struct made_recording *m, struct features *f)
{
	struct tracing_data t = { .long_size = 8,
				  .page_size = 4096,
				  .version = "0.6",
				  .formats = (struct tracing_format *)m->formats,
				  .n_formats = m->n_formats };

	if (m->n_formats) {
		tracing_data_encode(&t, &f->tracing_data);
		features_mark(f, FEATURE_TRACING_DATA);
	}
	if (m->arch) {
		f->arch = xstrdup(m->arch);
		features_mark(f, FEATURE_ARCH);
	}
}

static inline void made_write(struct made_recording *m)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(features_done) struct features f = { 0 };
	_cleanup_(writer_freep) struct writer *w = NULL;
	const struct writer_options o = { .form = m->is_stream ? WRITER_PIPE : WRITER_FILE };

	made_features(m, &f);
	for (size_t i = 0; i < m->n_events; i++) {
		m->ids[i] = i + 1;
		m->events[i].ids = &m->ids[i];
		m->events[i].n_ids = 1;
	}
	m->fd = memfd_create("recording", MFD_CLOEXEC);
	assert_true(m->fd >= 0);
	assert_int_equal(writer_open("recording", m->fd, &o, &w, &d), 0);
	assert_int_equal(writer_begin(w, m->events, m->n_events, &f, &d), 0);
	assert_int_equal(writer_write(w, 0, m->records.data, m->records.n), 0);
	if (!m->is_stream)
		assert_int_equal(writer_finish(w, &f, &d), 0);
}

/* The open callback of struct recording_source: @arg is the recording. */
__attribute__((unused)) static int made_open(void *arg, struct session **ret, struct diag *diag)
{
	struct made_recording *m = arg;
	char path[32];

	if (m->fd < 0)
		made_write(m);
	if (++m->opened == m->fails_at)
		return diag_set(diag, -ENODEV, "it is gone");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", m->fd);
	return session_open(&(struct session_options){ .path = path, .symbolizer = m->symbolizer },
			    ret, diag);
}

/* Opens the recording, and reads it until all events are known. */
__attribute__((unused)) static struct session *made_session(struct made_recording *m)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session *s = NULL;

	assert_int_equal(made_open(m, &s, &diag), 0);
	assert_int_equal(session_scan(s, &diag), 0);
	return s;
}

static inline void made_add_cell(struct text *out, const struct sample_column *c, size_t row)
{
	size_t length;
	const char *name;

	if (c->valid && !(c->valid[row / 8] >> row % 8 & 1)) {
		text_add_char(out, '-');
		return;
	}
	switch (c->type) {
	case SAMPLE_COLUMN_NAME:
		if (((const int32_t *)c->values)[row] < 0) {
			text_add_char(out, '-');
			return;
		}
		name = sample_names_get(&c->names, (size_t)((const int32_t *)c->values)[row],
					&length);
		text_addf(out, "'%.*s'", (int)length, name);
		break;
	case SAMPLE_COLUMN_I32:
		text_addf(out, "%d", ((const int32_t *)c->values)[row]);
		break;
	default:
		text_addf(out, "%lld", (long long)((const int64_t *)c->values)[row]);
	}
}

/*
 * Asserts that @t has these rows: '|' separates cells, '-' is no value, texts are in ''. Releases
 * @t.
 */
__attribute__((unused)) static void assert_rows(struct sample_table *t, const char *expected)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	text_add(&out, "");
	for (size_t row = 0; row < t->n_rows; row++) {
		for (size_t i = 0; i < t->n_columns; i++) {
			if (i)
				text_add_char(&out, '|');
			made_add_cell(&out, &t->columns[i], row);
		}
		text_add_char(&out, '\n');
	}
	sample_table_unref(t);
	assert_string_equal(out.chars ? out.chars : "", expected);
}

static const char made_switch_format[] =
	"name: sched_switch\nID: 314\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:char prev_comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:int prev_pid;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:int tid;\toffset:20;\tsize:4;\tsigned:1;\n"
	"\nprint fmt: \"prev_pid=%d\", REC->prev_pid\n";

struct made_switch {
	uint16_t common_type, filler;
	int32_t common_pid;
	char prev_comm[8];
	int32_t prev_pid, tid;
};

/* Adds a sample of a tracepoint with made_switch_format. */
__attribute__((unused)) static void made_switch(struct made_recording *m, size_t event,
						struct sample s, const char *comm, int pid, int tid)
{
	struct made_switch raw = {
		.common_type = 314, .common_pid = pid, .prev_pid = pid, .tid = tid
	};

	strncpy(raw.prev_comm, comm, sizeof(raw.prev_comm) - 1);
	s.raw = (const uint8_t *)&raw;
	s.raw_size = sizeof(raw);
	made_sample(m, event, s);
}

/*
 * Makes the recording that most tests use. Events: cpu-clock with stacks, sched:sched_switch. Tasks
 * 10 ("one") and 20 ("two"); /bin/app is mapped in both, the function "work" is in the kernel.
 * Samples:
 *
 *	100	cpu 1	10	work < 0x1100 < 0x1200
 *	200	cpu 2	20	0x1100
 *	300	cpu 1	10	a switch: prev_comm "one", prev_pid 10, tid 20
 *	400	cpu 2	20	work < 0x1100 < 0x1200
 */
__attribute__((unused)) static struct made_recording made_example(bool is_stream)
{
	struct made_recording m = made_recording(is_stream);

	made_event(&m, PERF_TYPE_SOFTWARE, 0, MADE_STACKS);
	made_tracepoint(&m, "sched", 314, made_switch_format, MADE_TRACED);
	made_comm(&m, 10, 10, "one", 1);
	made_comm(&m, 20, 20, "two", 2);
	made_map(&m, 10, 0x1000, "/bin/app", 3);
	made_map(&m, 20, 0x1000, "/bin/app", 4);
	made_function(&m, MADE_CODE, "work", 5);
	MADE_STACK(&m,
		   ((struct sample){ .pid = 10, .tid = 10, .time = 100, .cpu = 1, .period = 5 }),
		   MADE_CODE + 0x10, 0x1100, 0x1200);
	MADE_STACK(&m,
		   ((struct sample){ .pid = 20, .tid = 20, .time = 200, .cpu = 2, .period = 6 }),
		   0x1100);
	made_switch(&m, 1,
		    (struct sample){ .pid = 10, .tid = 10, .time = 300, .cpu = 1, .period = 1 },
		    "one", 10, 20);
	MADE_STACK(&m,
		   ((struct sample){ .pid = 20, .tid = 20, .time = 400, .cpu = 2, .period = 7 }),
		   MADE_CODE + 0x20, 0x1100, 0x1200);
	return m;
}
