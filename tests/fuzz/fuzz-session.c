/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes a session over a file of any bytes: it ends, all waiting records are delivered, every
 * lookup for a sample gives a consistent answer, and a second reading with everything known
 * delivers as many records.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "session/consumer.h"
#include "session/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct pass {
	struct session *s;
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

static void check_sample(struct pass *p, const struct session_sample *ss)
{
	const struct sample *s = ss->sample;

	if (!ss->event || ss->time != ss->record->time ||
	    !machine_comm(p->s, s->pid, s->tid, ss->time))
		abort();
	for (enum address_mode m = ADDRESS_KERNEL; m <= ADDRESS_UNKNOWN; m++)
		ask(p, s, m, s->ip);
	for (size_t i = 0; i < s->chain.n; i++)
		ask(p, s, ADDRESS_USER, words_get(&s->chain, i));
	machine_cgroup(p->s, s->cgroup);
}

static int check_samples(void *arg, const struct sample_batch *b)
{
	if (!b->n || b->worker || b->slice)
		abort();
	for (size_t i = 0; i < b->n; i++)
		check_sample(arg, &b->items[i]);
	return 0;
}

static int check_records(void *arg, const struct record_batch *b)
{
	struct pass *p = arg;

	if (!b->n)
		abort();
	p->records += b->n;
	for (size_t i = 0; i < b->n; i++)
		if (b->items[i].raw.header.size < RECORD_HEADER_SIZE ||
		    b->items[i].raw.header.type >= PERF_RECORD_USER_FIRST)
			abort();
	return 0;
}

static int count_samples(void *arg, const struct sample_batch *b)
{
	*(uint64_t *)arg += b->n;
	return 0;
}

/* Returns the number of samples, which is the same in every order. */
static uint64_t count_in(const char *path, enum consumer_order order)
{
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct session_options o = { .path = path, .force = true };
	uint64_t samples = 0;

	if (session_open(&o, &s, &diag) < 0)
		return 0;
	session_feed(s, NULL,
		     &(struct consumer){ .order = order,
					 .undivided = true,
					 .samples = count_samples,
					 .arg = &samples },
		     &diag);
	return samples;
}

static uint64_t deliver(struct session *s)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct pass p = { .s = s };

	session_feed(s, NULL,
		     &(struct consumer){ .order = CONSUMER_IN_ORDER,
					 .types = RECORD_TYPES_ALL,
					 .samples = check_samples,
					 .records = check_records,
					 .arg = &p },
		     &diag);
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

	return deliver(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(closep) int fd = memfd_create("fuzz", MFD_CLOEXEC);
	_cleanup_(freep) char *path = xasprintf("/proc/self/fd/%d", fd);

	if (write(fd, data, size) != (ssize_t)size)
		return 0;
	if (read_file(path, false) != read_file(path, true) ||
	    count_in(path, CONSUMER_ANY_ORDER) != count_in(path, CONSUMER_IN_ORDER))
		abort();
	return 0;
}
