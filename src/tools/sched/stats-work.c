/* SPDX-License-Identifier: MIT */
#include "tools/sched/stats-work.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "capture/signals.h"
#include "capture/workload.h"
#include "datafile/features.h"
#include "datafile/writer.h"
#include "foreign/any-session.h"
#include "measure/origin.h"
#include "session/consumer.h"
#include "session/reading.h"
#include "tools/sched/stats-model.h"
#include "tools/sched/stats-text-model.h"
#include "wire/record.h"

#define STATS_PATH  "/proc/schedstat"
#define SWITCH_PATH "/proc/sys/kernel/sched_schedstats"

/* The two snapshots, as records and as a model. */
struct sched_stats_taking {
	const struct cpu_list *cpus;
	struct sched_stats *stats;
	struct features *facts;
	bool is_first;
	struct bytes records;
};

/* Converts a mask to a list: "00000000,00000003" is CPUs 0 and 1. */
static char *mask_to_list(const char *mask)
{
	struct cpu_list list = { 0 };
	unsigned bit = 0;
	char *text;

	for (size_t i = strlen(mask); i-- > 0 && bit < CPU_MAX;) {
		const char digit[] = { mask[i], 0 };
		unsigned long value;

		if (mask[i] == ',')
			continue;
		value = strtoul(digit, NULL, 16);
		for (unsigned k = 0; k < 4; k++)
			if (value >> k & 1)
				*ARRAY_ADD(&list) = bit + k;
		bit += 4;
	}
	text = cpu_list_format(&list);
	cpu_list_done(&list);
	return text;
}

static void note_domain(struct features *f, const struct schedstat_line *l, const char *name,
			const char *mask)
{
	struct cpu_domains *cpu;
	struct cpu_domain *d;

	if (!l->is_domain) {
		cpu = ARRAY_ADD(&f->cpu_domain_info.cpus);
		cpu->cpu = l->cpu;
		return;
	}
	cpu = &f->cpu_domain_info.cpus.items[f->cpu_domain_info.cpus.n - 1];
	d = ARRAY_ADD(&cpu->domains);
	d->domain = l->domain;
	d->name = xstrdup(name);
	d->cpumask = xstrdup(mask);
	d->cpulist = mask_to_list(mask);
	if (f->cpu_domain_info.max_domains < cpu->domains.n)
		f->cpu_domain_info.max_domains = (uint32_t)cpu->domains.n;
}

static void sched_stats_take_line(void *arg, const struct schedstat_line *l, const char *name,
				  const char *mask)
{
	struct sched_stats_taking *t = arg;

	/* Linux's perf expects the domains of all CPUs, even if only some are chosen. */
	if (t->is_first && (!l->is_domain || t->facts->cpu_domain_info.cpus.n)) {
		t->facts->cpu_domain_info.schedstat_version = l->version;
		note_domain(t->facts, l, name, mask);
	}
	if (t->cpus->n && !cpu_list_contains(t->cpus, l->cpu))
		return;
	sched_stats_add(t->stats, l);
	schedstat_encode(l, &t->records);
}

static int sched_stats_explain_missing(int error, struct diag *diag)
{
	diag_set(diag, error, "cannot read %s: %s", STATS_PATH, strerror(-error));
	if (error == -ENOENT)
		diag_hint(diag, "The kernel must be built with CONFIG_SCHEDSTATS=y, and 'sysctl "
				"kernel.sched_schedstats=1' makes it count.");
	return error;
}

static int sched_stats_take_snapshot(struct sched_stats_taking *t, struct diag *diag)
{
	_cleanup_(freep) char *text = NULL;
	size_t room = 0;
	FILE *f = fopen(STATS_PATH, "re");
	ssize_t n;
	int r;

	if (!f)
		return sched_stats_explain_missing(-errno, diag);
	/* The text contains no NUL, so this reads all of it. */
	n = getdelim(&text, &room, '\0', f);
	r = n < 0 ? sched_stats_explain_missing(errno ? -errno : -ENODATA, diag)
		  : schedstat_parse(text, sched_stats_take_line, t, diag);
	fclose(f);
	return r;
}

/* Enables counting in the kernel. True if it was disabled before. */
static bool switch_on(void)
{
	char before = '1';
	int fd = open(SWITCH_PATH, O_RDWR | O_CLOEXEC);
	bool changed = fd >= 0 && read(fd, &before, 1) == 1 && before == '0' &&
		       pwrite(fd, "1", 1, 0) == 1;

	if (fd >= 0)
		close(fd);
	return changed;
}

static void switch_off(void)
{
	int fd = open(SWITCH_PATH, O_WRONLY | O_CLOEXEC);

	/* If this fails, the kernel continues to count, which does no harm. */
	if (fd >= 0 && write(fd, "0", 1) < 0)
		errno = 0;
	if (fd >= 0)
		close(fd);
}

/* Waits until the command ends, or a signal arrives. */
static void sched_stats_wait_for_end(struct workload *w, struct signals *signals, int *ret_status)
{
	struct pollfd fd = { .fd = signals->fd, .events = POLLIN };
	struct rusage usage;
	bool sent, ends = false;

	while (!ends) {
		int signal = signals_take(signals, &sent);

		if (!signal)
			poll(&fd, 1, -1);
		ends = (signal && signal != SIGCHLD) ||
		       (w->pid && workload_reap(w, false, ret_status, &usage) > 0);
	}
}

static int sched_stats_run_command(const struct sched_stats_request *rq, struct signals *signals,
				   int *ret_status, struct diag *diag)
{
	struct workload w = WORKLOAD_NONE;
	int r = 0;

	if (rq->argv[0]) {
		r = workload_fork(rq->argv, signals, &w);
		if (r >= 0)
			r = workload_start(&w);
	}
	if (r < 0) {
		diag_set(diag, r, "cannot run '%s': %s", rq->argv[0], strerror(-r));
		workload_explain(rq->argv[0], r, diag);
	} else {
		sched_stats_wait_for_end(&w, signals, ret_status);
	}
	workload_done(&w);
	return r;
}

static int take_both(const struct sched_stats_request *rq, struct sched_stats_taking *t,
		     int *ret_status, struct diag *diag)
{
	struct signals signals = SIGNALS_NONE;
	bool switched;
	int r = signals_open(&signals);

	if (r < 0)
		return diag_set(diag, r, "cannot wait for signals: %s", strerror(-r));
	switched = switch_on();
	r = sched_stats_take_snapshot(t, diag);
	t->is_first = false;
	if (r >= 0)
		r = sched_stats_run_command(rq, &signals, ret_status, diag);
	if (r >= 0)
		r = sched_stats_take_snapshot(t, diag);
	if (switched)
		switch_off();
	signals_close(&signals);
	return r;
}

static int sched_stats_write_file(const struct sched_stats_request *rq,
				  const struct sched_stats_taking *t, struct diag *diag)
{
	bool is_stream = !strcmp(rq->output, "-");
	const struct writer_options how = { .form = is_stream ? WRITER_PIPE : WRITER_FILE,
					    .keep_old = true };
	_cleanup_(writer_freep) struct writer *w = NULL;
	int r = writer_open(rq->output, is_stream ? STDOUT_FILENO : -1, &how, &w, diag);

	if (r >= 0)
		r = writer_begin(w, NULL, 0, t->facts, diag);
	if (r < 0)
		return r;
	r = writer_write(w, 0, t->records.data, t->records.n);
	if (r < 0)
		return writer_explain(w, r, diag);
	return writer_finish(w, t->facts, diag);
}

int sched_stats_measure(const struct sched_stats_request *rq, struct sched_stats *ret,
			struct features *ret_facts, int *ret_status, struct diag *diag)
{
	struct sched_stats_taking t = {
		.cpus = rq->cpus, .stats = ret, .facts = ret_facts, .is_first = true
	};
	int r;

	origin_describe(ret_facts);
	r = take_both(rq, &t, ret_status, diag);
	features_mark(ret_facts, FEATURE_CPU_DOMAIN_INFO);
	if (r >= 0 && rq->output)
		r = sched_stats_write_file(rq, &t, diag);
	bytes_done(&t.records);
	return r;
}

struct sched_stats_reading {
	struct sched_stats *stats;
	const struct session *session;
	uint64_t refused;
	bool is_new; /* some have an unknown version */
};

static int begin_reading(void *arg, struct consumer *c)
{
	((struct sched_stats_reading *)arg)->session = c->session;
	return 0;
}

static int sched_stats_take_user(void *arg, const struct delivered *d)
{
	struct sched_stats_reading *r = arg;
	uint32_t type = d->raw.header.type;
	struct schedstat_line l;
	struct cursor payload;
	int status;

	if (type != PERF_RECORD_SCHEDSTAT_CPU && type != PERF_RECORD_SCHEDSTAT_DOMAIN)
		return 0;
	payload = cursor_over(d->raw.bytes + RECORD_HEADER_SIZE,
			      d->raw.header.size - RECORD_HEADER_SIZE,
			      r->session && session_is_swapped(r->session));
	status = schedstat_decode(type, payload, &l);
	r->is_new |= status == -EPROTO;
	if (status < 0 || sched_stats_add(r->stats, &l) < 0)
		r->refused++;
	return 0;
}

static int sched_stats_judge(const struct sched_stats_reading *r, const char *path,
			     struct notes *notes, struct diag *diag)
{
	if (r->refused)
		notes_add(notes, NOTE_WARNING, "%s: %llu records are left out: %s", path,
			  (unsigned long long)r->refused,
			  r->is_new ? "their version is not known"
				    : "they are malformed, or there are too many");
	if (r->stats->cpus.n)
		return 0;
	diag_set(diag, -ENODATA, "%s has no counters of /proc/schedstat", path);
	diag_hint(diag, "Record them with 'perf sched stats record'.");
	return -ENODATA;
}

int sched_stats_read(const char *path, bool force, struct sched_stats *ret,
		     struct features *ret_facts, struct notes *notes, struct diag *diag)
{
	const struct session_options how = { .path = path, .force = force };
	_cleanup_(session_freep) struct session *s = NULL;
	struct sched_stats_reading reading = { .stats = ret };
	const struct consumer consumer = { .order = CONSUMER_IN_ORDER,
					   .begin = begin_reading,
					   .user = sched_stats_take_user,
					   .arg = &reading };
	_cleanup_(bytes_done) struct bytes domains = { 0 };
	int r = any_session_open(&how, &s, diag);

	if (r >= 0)
		r = session_feed(s, NULL, &consumer, diag);
	if (r < 0)
		return r;
	reading_note_damage(s, notes);
	if (features_have(session_features(s), FEATURE_CPU_DOMAIN_INFO)) {
		/*
		 * The copy is made through the encoded bytes, because it must outlive the session.
		 */
		features_encode(session_features(s), FEATURE_CPU_DOMAIN_INFO, &domains);
		features_decode(ret_facts, FEATURE_CPU_DOMAIN_INFO,
				cursor_over(domains.data, domains.n, false));
	}
	return sched_stats_judge(&reading, path, notes, diag);
}
