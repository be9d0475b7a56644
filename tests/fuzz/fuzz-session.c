/* SPDX-License-Identifier: MIT */
/*
 * Whatever the bytes of a file, a session over it ends: all that waits is handed out, every
 * question about a sample has an answer that fits, and reading again with everything known hands
 * out as much.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "session/group-read.h"
#include "session/machine.h"
#include "session/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct pass {
	struct session *s;
	struct group_reads *reads;
	uint64_t records;
};

static void ask(const struct pass *p, const struct sample *s, enum address_mode mode, uint64_t addr)
{
	struct location l;
	struct span span, space_span;
	bool found = machine_resolve_span(p->s, s->pid, mode, addr, s->time, &l, &span);
	const void *space = machine_space(p->s, s->pid, mode, s->time, &space_span);

	if (!span_has(&span, s->time) || !span_has(&space_span, s->time) || (found && !space))
		abort();

	if (found != !!l.map || l.addr != addr || l.sym)
		abort();
	if (found && (addr < l.map->start || !l.map->name || !l.map->image))
		abort();
}

static void check_sample(struct pass *p, const struct delivered *d)
{
	bool swap = datafile_swapped(session_datafile(p->s));
	const struct group_share *shares;
	struct sample s;

	if (sample_decode(d->raw.bytes, d->raw.header.size, swap, &d->event->attr, &s) < 0)
		return;
	if (!machine_comm(p->s, s.pid, s.tid, d->time))
		abort();
	for (enum address_mode m = ADDRESS_KERNEL; m <= ADDRESS_UNKNOWN; m++)
		ask(p, &s, m, s.ip);
	for (size_t i = 0; i < s.chain.n; i++)
		ask(p, &s, ADDRESS_USER, words_get(&s.chain, i));
	machine_cgroup(p->s, s.cgroup);
	if (group_reads_wanted(d->event))
		group_reads_share(p->reads, p->s, &s, &shares);
}

static int count_samples(void *arg, unsigned worker, const struct delivered *items, size_t n)
{
	uint64_t *samples = arg;

	for (size_t i = 0; i < n; i++)
		if (items[i].raw.header.type != PERF_RECORD_SAMPLE || worker)
			abort();
	*samples += n;
	return 0;
}

/* In any order there are as many samples. */
static void check_unordered(const char *path, uint64_t expected)
{
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct session_options o = { .path = path, .force = true };
	uint64_t samples = 0;

	if (session_open(&o, &s, &diag) < 0)
		return;
	session_deliver_unordered(
		s, NULL, &(struct unordered_sink){ .samples = count_samples, .arg = &samples },
		&diag);
	if (samples != expected || samples != session_counts(s)->records[PERF_RECORD_SAMPLE])
		abort();
}

static int check_batch(void *arg, const struct delivered *items, size_t n)
{
	struct pass *p = arg;

	if (!n)
		abort();
	p->records += n;
	for (size_t i = 0; i < n; i++) {
		if (items[i].raw.header.size < RECORD_HEADER_SIZE ||
		    items[i].raw.header.type >= PERF_RECORD_USER_FIRST)
			abort();
		if (items[i].raw.header.type == PERF_RECORD_SAMPLE && items[i].event)
			check_sample(p, &items[i]);
	}
	return 0;
}

static uint64_t deliver(struct session *s)
{
	_cleanup_(group_reads_freep) struct group_reads *reads = group_reads_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct pass p = { .s = s, .reads = reads };

	session_deliver(s, &(struct session_sink){ .batch = check_batch, .arg = &p }, &diag);
	return p.records;
}

static uint64_t read_file(const char *path, bool scan)
{
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (session_open(&(struct session_options){ .path = path, .force = true }, &s, &diag) < 0) {
		if (!diag.message)
			abort();
		return 0;
	}
	if (scan)
		session_scan(s, &diag);
	for (size_t i = 0; i < session_event_count(s); i++)
		if (!session_event(s, i)->name ||
		    session_event(s, i)->leader >= session_event_count(s))
			abort();

	uint64_t records = deliver(s);

	check_unordered(path, session_counts(s)->records[PERF_RECORD_SAMPLE]);
	return records;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(closep) int fd = memfd_create("fuzz", MFD_CLOEXEC);
	_cleanup_(freep) char *path = xasprintf("/proc/self/fd/%d", fd);

	if (write(fd, data, size) != (ssize_t)size)
		return 0;
	if (read_file(path, false) != read_file(path, true))
		abort();
	return 0;
}
