/* SPDX-License-Identifier: MIT */
#include "transform/unwinding.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "datafile/writer.h"
#include "kernel/proc-task.h"
#include "session/live.h"
#include "session/stack-unwind.h"
#include "session/unwound-note.h"
#include "symbol/symbolizer.h"
#include "transform/batch-queue.h"
#include "transform/unwound-sample.h"
#include "wire/sample.h"

/* The size at which data is written. One more record may have been added. */
#define CHUNK_BYTES ((size_t)64 << 10)

_Static_assert(CHUNK_BYTES + UINT16_MAX <= UNWINDING_CHUNK_MAX, "a chunk is not larger");

struct unwinding {
	struct unwinding_options options;
	struct batch_queue *queue;
	struct bytes filling;  /* the present pass, filled by the recorder */
	struct bytes joined;   /* a record in two parts, joined */
	bool is_pending;       /* the previous pass was not empty */
	struct bytes previous; /* the pass that waits for the next one's side-band */
	struct symbolizer *symbolizer;
	struct session *session;
	struct stack_unwinder *unwinder;
	struct process_memory memory;
	struct writer *writer;
	struct bytes out, room;
	struct unwinding_counts counts;
	struct unwinding_counts written; /* the counts written to the previous files */
};

static int unwinding_write_out(struct unwinding *u)
{
	int r = 0;

	if (u->out.n && u->options.compress)
		r = writer_compress(u->writer, 0, u->out.data, u->out.n);
	else if (u->out.n)
		r = writer_write(u->writer, 0, u->out.data, u->out.n);
	u->out.n = 0;
	return r;
}

static void unwinding_count(struct unwinding *u, enum unwind_end end)
{
	struct unwinding_counts *c = &u->counts;

	unwind_counts_add(&c->ends, end);
	c->from_memory += end == UNWIND_ROOT && u->memory.was_used;
}

static void select_process_memory(struct unwinding *u, const struct sample *s)
{
	uint64_t sp, size = s->stack_size;

	/* A copy that is not full ended with the stack, or at a page that did not exist. */
	if (!sample_reg(&s->user_regs, u->options.sp_register, &sp) || s->stack_dyn_size < size)
		size = sp = 0;
	process_memory_begin(&u->memory, (pid_t)s->tid, sp, s->stack, (size_t)size);
}

/* Returns false if it is not a sample that can be converted. */
static bool put_unwound(struct unwinding *u, const struct delivered *d)
{
	const struct attr *attr = &d->event->attr;
	struct sample s;

	if (!attr_has_stacks(attr) ||
	    sample_decode(d->raw.bytes, d->raw.header.size, false, attr, &s) < 0)
		return false;
	select_process_memory(u, &s);

	struct unwound w = stack_unwind(u->unwinder, u->session, &s, d->time, UNWINDING_FRAMES_MAX);

	unwinding_count(u, w.end);
	return unwound_sample_encode(&s, w.ips, w.n, &u->options.written[d->event->index].attr,
				     &u->room, &u->out) >= 0;
}

/*
 * Writes a record. A damaged sample is dropped, because the layout of its event is different in the
 * file. The kernel does not make any.
 */
static void put_record(struct unwinding *u, const struct delivered *d)
{
	bool is_sample = d->raw.header.type == PERF_RECORD_SAMPLE && d->event;

	if (is_sample && put_unwound(u, d))
		return;
	if (!is_sample || !attr_has_stacks(&d->event->attr))
		bytes_add(&u->out, d->raw.bytes, d->raw.header.size);
}

static int unwinding_end_round(struct unwinding *u)
{
	const struct record_header round = { .type = PERF_RECORD_FINISHED_ROUND,
					     .size = RECORD_HEADER_SIZE };
	int r = unwinding_write_out(u);

	if (r >= 0)
		r = writer_write(u->writer, 0, &round, sizeof(round));
	if (r >= 0)
		r = writer_flush(u->writer);
	return r;
}

static int write_pass(struct unwinding *u, const struct bytes *pass)
{
	struct delivered d;
	int r = 0;

	if (!pass->n)
		return 0;
	for (size_t at = 0;
	     r >= 0 && session_live_place(u->session, pass->data + at, pass->n - at, &d);
	     at += d.raw.header.size) {
		put_record(u, &d);
		if (u->out.n >= CHUNK_BYTES)
			r = unwinding_write_out(u);
	}
	return r < 0 ? r : unwinding_end_round(u);
}

static int unwinding_consume(void *arg, struct bytes *pass)
{
	struct unwinding *u = arg;
	struct bytes complete = u->previous;
	int r;

	session_live_pass(u->session, pass->data, pass->n);
	r = write_pass(u, &complete);
	session_live_forget(u->session);
	u->previous = *pass;
	*pass = complete;
	return r;
}

struct unwinding *unwinding_new(const struct unwinding_options *o)
{
	struct unwinding *u = xcalloc(1, sizeof(*u));

	u->options = *o;
	u->symbolizer = symbolizer_new(&(struct symbolizer_options){ .raw_names = true });
	symbolizer_recorded_here(u->symbolizer, o->kept);
	u->session =
		session_live_new(&(struct session_live_options){ .events = o->opened,
								 .n_events = o->n,
								 .symbolizer = u->symbolizer,
								 .is_gone = proc_task_is_gone });
	u->unwinder = stack_unwinder_new();
	stack_unwinder_read_with(u->unwinder, process_memory_read, &u->memory);
	u->queue = batch_queue_new(unwinding_consume, u);
	if (!u->queue) {
		unwinding_free(u);
		return NULL;
	}
	return u;
}

void unwinding_free(struct unwinding *u)
{
	if (!u)
		return;
	batch_queue_free(u->queue);
	stack_unwinder_free(u->unwinder);
	session_free(u->session);
	symbolizer_free(u->symbolizer);
	process_memory_done(&u->memory);
	bytes_done(&u->filling);
	bytes_done(&u->joined);
	bytes_done(&u->previous);
	bytes_done(&u->out);
	bytes_done(&u->room);
	free(u);
}

void unwinding_write_to(struct unwinding *u, struct writer *w)
{
	u->writer = w;
}

void unwinding_learn(struct unwinding *u, const void *records, size_t size)
{
	session_live_pass(u->session, records, size);
	session_live_finish(u->session);
}

/* Takes the whole records in @n bytes. Returns the number of bytes taken. */
static size_t unwinding_take_records(struct unwinding *u, const uint8_t *bytes, size_t n)
{
	struct delivered d;
	size_t at = 0;

	for (; session_live_place(u->session, bytes + at, n - at, &d); at += d.raw.header.size) {
		if (d.raw.header.type == PERF_RECORD_SAMPLE && d.event &&
		    attr_has_stacks(&d.event->attr))
			trimmed_sample_add(d.raw.bytes, d.raw.header.size, &d.event->attr,
					   &u->filling);
		else
			bytes_add(&u->filling, d.raw.bytes, d.raw.header.size);
	}
	return at;
}

void unwinding_take(struct unwinding *u, const struct iovec pieces[2])
{
	const uint8_t *first = pieces[0].iov_base, *second = pieces[1].iov_base;
	size_t taken = unwinding_take_records(u, first, pieces[0].iov_len);
	size_t rest = pieces[0].iov_len - taken, missing = 0;

	/* The end of the ring may divide a record, but not a word. */
	if (rest >= RECORD_HEADER_SIZE) {
		uint16_t size = record_header_at(first + taken, false).size;

		missing = size > rest ? size - rest : 0;
	}
	if (missing > pieces[1].iov_len)
		return;
	if (missing) {
		u->joined.n = 0;
		bytes_add(&u->joined, first + taken, rest);
		bytes_add(&u->joined, second, missing);
		unwinding_take_records(u, u->joined.data, u->joined.n);
	}
	unwinding_take_records(u, second + missing, pieces[1].iov_len - missing);
}

int unwinding_end_pass(struct unwinding *u)
{
	bool any = u->filling.n;

	/* An empty pass only completes the one before it. */
	if (!any && !u->is_pending)
		return 0;
	u->is_pending = any;
	return batch_queue_add(u->queue, &u->filling);
}

/* Writes the results of unwinding to the file. */
static int write_note(struct unwinding *u)
{
	const struct unwind_counts *before = &u->written.ends;
	struct unwind_counts of_file = u->counts.ends;

	of_file.is_rest = u->options.is_rest;
	of_file.stacks -= before->stacks;
	for (size_t i = 0; i < UNWIND_ENDS; i++)
		of_file.ended[i] -= before->ended[i];

	u->written = u->counts;
	if (of_file.stacks)
		unwound_note_put(&of_file, &u->out);
	return unwinding_write_out(u);
}

int unwinding_settle(struct unwinding *u, bool last)
{
	int r = batch_queue_settle(u->queue);

	if (r < 0)
		return r;
	if (!last)
		return write_note(u);
	session_live_finish(u->session);
	r = write_pass(u, &u->previous);
	u->previous.n = 0;
	return r < 0 ? r : write_note(u);
}

struct unwinding_counts unwinding_counts(const struct unwinding *u)
{
	return u->counts;
}

/*
 * The size of the part of the copy that must be unchanged: return addresses and locals of some
 * frames.
 */
#define PROOF_BYTES 1024

/*
 * The sizes of one read, and of all reads for a sample, which is also the maximum distance from the
 * copy.
 */
#define WINDOW_BYTES ((size_t)16 << 10)
#define REACH_BYTES  ((size_t)1 << 20)

void process_memory_done(struct process_memory *m)
{
	free(m->window);
	*m = (struct process_memory){ 0 };
}

void process_memory_begin(struct process_memory *m, pid_t tid, uint64_t start, const uint8_t *copy,
			  size_t size)
{
	uint8_t *window = m->window;

	*m = (struct process_memory){
		.tid = tid,
		.copy = copy,
		.start = start,
		.end = start + size,
		.is_stale = !size || start + size < start,
		.left = REACH_BYTES,
		.window = window,
	};
}

static bool process_memory_is_in_window(const struct process_memory *m, uint64_t addr, size_t n)
{
	return addr >= m->window_start && addr - m->window_start <= m->window_size &&
	       n <= m->window_size - (addr - m->window_start);
}

/*
 * True if the thread waits, with its stack in use below @proof: "NR ARGUMENTS... SP PC", where NR
 * may be -1, or "running".
 */
static bool is_below(const struct process_memory *m, uint64_t proof)
{
	char path[32], text[256], *sp;
	_cleanup_(closep) int fd = -1;
	uint64_t now;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/syscall", (int)m->tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (n <= 0)
		return false;
	text[n] = '\0';
	sp = strrchr(text, ' ');
	if (sp)
		*sp = '\0';
	sp = sp ? strrchr(text, ' ') : NULL;
	now = sp ? strtoull(sp, NULL, 16) : UINT64_MAX;
	return now <= proof && (now >= m->start || m->start - now <= REACH_BYTES);
}

/*
 * Reads into the window from @addr on, and after it the present contents of the copy's uppermost
 * part. The window may be truncated at the end of the stack, which ends the call before the
 * comparison; only then the latter takes a call of its own.
 */
static int read_window(struct process_memory *m, uint64_t addr)
{
	uint8_t now[PROOF_BYTES];
	size_t proof = m->end - m->start < PROOF_BYTES ? (size_t)(m->end - m->start) : PROOF_BYTES;
	size_t most = m->left < WINDOW_BYTES ? m->left : WINDOW_BYTES;
	struct iovec to[] = { { m->window, most }, { now, proof } };
	struct iovec from[] = { { (void *)(uintptr_t)addr, most },
				{ (void *)(uintptr_t)(m->end - proof), proof } };
	ssize_t got = process_vm_readv(m->tid, to, 2, from, 2, 0), proved;

	if (got <= 0)
		return got < 0 ? -errno : -EFAULT;
	m->window_start = addr;
	m->window_size = (size_t)got < most ? (size_t)got : most;
	m->left -= m->window_size;
	proved = got - (ssize_t)m->window_size;
	if (proved < (ssize_t)proof)
		proved = process_vm_readv(m->tid, &to[1], 1, &from[1], 1, 0);
	if (proved != (ssize_t)proof)
		return proved < 0 ? -errno : -EFAULT;
	if (memcmp(now, m->copy + (m->end - m->start) - proof, proof))
		return -ESTALE;
	return is_below(m, m->end - proof) ? 0 : -ESTALE;
}

int process_memory_read(void *arg, uint64_t addr, void *to, size_t n)
{
	struct process_memory *m = arg;
	int r;

	if (m->is_stale)
		return -ESTALE;
	if (addr < m->end || addr - m->end > REACH_BYTES)
		return -EFAULT;
	if (!process_memory_is_in_window(m, addr, n)) {
		if (!m->window)
			m->window = xmalloc(WINDOW_BYTES);
		r = read_window(m, addr);
		m->is_stale = r < 0;
		if (r < 0)
			m->window_size = 0;
		if (r >= 0 && !process_memory_is_in_window(m, addr, n))
			r = -EFAULT;
		if (r < 0)
			return r;
	}
	memcpy(to, m->window + (addr - m->window_start), n);
	m->was_used = true;
	return 0;
}

/*
 * Returns the size of the kept part: whole words, and one more, because a stack that is completely
 * used was truncated to its size.
 */
static uint64_t kept_bytes(const struct sample *s)
{
	uint64_t used = s->stack_dyn_size < s->stack_size ? s->stack_dyn_size : s->stack_size;

	return (used + 7) / 8 * 8 + 8;
}

void trimmed_sample_add(const uint8_t *record, size_t size, const struct attr *attr,
			struct bytes *out)
{
	size_t start = out->n, before, behind;
	struct record_header h;
	struct sample s;
	uint64_t kept;

	if (sample_decode(record, size, false, attr, &s) < 0 || !s.stack_size ||
	    (kept = kept_bytes(&s)) >= s.stack_size) {
		bytes_add(out, record, size);
		return;
	}
	/* A stack consists of its size, its bytes, and the number of bytes in use. */
	before = (size_t)(s.stack - record) - sizeof(uint64_t);
	behind = (size_t)(s.stack - record) + (size_t)s.stack_size;
	bytes_add(out, record, before);
	bytes_u64(out, kept);
	bytes_add(out, s.stack, kept);
	bytes_add(out, record + behind, size - behind);
	memcpy(&h, out->data + start, sizeof(h));
	h.size = (uint16_t)(out->n - start);
	memcpy(out->data + start, &h, sizeof(h));
}
