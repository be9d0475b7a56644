/* SPDX-License-Identifier: MIT */
#include "tools/bench/programs/epoll.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "tools/bench/programs/result.h"
#include "tools/bench/programs/timed.h"

#define THREADS_MAX 65536
#define FILES_MAX   (1 << 20)
/* The kernel's EP_MAX_NESTS. */
#define NESTED_MAX 4
/* The number of other files that a process has. */
#define OTHER_FILES 50

struct bench_epoll_worker {
	const struct bench_epoll_params *params;
	int epoll; /* the instance on which it waits */
	int *files;
	uint64_t ops, ctl[BENCH_CTL_OPS];
	uint64_t random;
};

struct bench_epoll_scene {
	const struct bench_epoll_params *params;
	struct bench_epoll_worker *workers;
	size_t n;
	int *queues; /* the fds of epoll instances */
	size_t n_queues, room;
	bool waits;
	pthread_t writer;
	bool has_writer;
	volatile bool *over;
	uint64_t writer_loops;
	uint64_t nofile_before, nofile;
};

static uint64_t bench_epoll_next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void pause_briefly(long ns)
{
	struct timespec t = { .tv_nsec = ns };

	nanosleep(&t, NULL);
}

static int add_queue(struct bench_epoll_scene *s, struct diag *diag)
{
	int fd = epoll_create1(EPOLL_CLOEXEC);

	if (fd < 0)
		return bench_explain(diag, -errno, "no epoll instance");
	s->queues = array_reserve(s->queues, &s->room, s->n_queues + 1, sizeof(*s->queues));
	s->queues[s->n_queues++] = fd;
	return fd;
}

/* Nests instances; events reach the outermost through all of them. */
static int bench_epoll_nest(struct bench_epoll_scene *s, int epoll, struct diag *diag)
{
	for (uint64_t i = 0; i < s->params->nested; i++) {
		struct epoll_event event = { .events = EPOLLHUP, .data.u64 = i + 1 };
		int inner = add_queue(s, diag);

		if (inner < 0)
			return inner;
		if (epoll_ctl(epoll, EPOLL_CTL_ADD, inner, &event) < 0)
			return bench_explain(diag, -errno, "epoll instances cannot be nested");
		epoll = inner;
	}
	return 0;
}

static uint32_t bench_epoll_interest(const struct bench_epoll_params *p)
{
	return EPOLLIN | (p->oneshot ? EPOLLONESHOT : 0) | (p->edge ? EPOLLET : 0);
}

static int open_files(struct bench_epoll_scene *s, struct bench_epoll_worker *w, struct diag *diag)
{
	for (uint64_t i = 0; i < s->params->files; i++) {
		struct epoll_event event = { .events = bench_epoll_interest(s->params) };
		bool added = s->waits || (s->params->random && i % 2 == 0);

		w->files[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
		if (w->files[i] < 0)
			return bench_explain(diag, -errno, "no file to wait for");
		event.data.fd = w->files[i];
		if (added && epoll_ctl(w->epoll, EPOLL_CTL_ADD, w->files[i], &event) < 0)
			return bench_explain(diag, -errno, "a file cannot be waited for");
	}
	return 0;
}

/* Opens the instances. Each thread of `wait --multiq` has one, otherwise all threads share one. */
static int bench_epoll_open_all(struct bench_epoll_scene *s, struct diag *diag)
{
	int shared = -1, r = 0;

	if (!s->params->multiq) {
		shared = add_queue(s, diag);
		r = shared < 0 ? shared : bench_epoll_nest(s, shared, diag);
	}
	for (size_t i = 0; i < s->n && r >= 0; i++) {
		struct bench_epoll_worker *w = &s->workers[i];

		w->epoll = s->params->multiq ? add_queue(s, diag) : shared;
		r = w->epoll < 0 ? w->epoll : 0;
		if (r >= 0 && s->params->multiq)
			r = bench_epoll_nest(s, w->epoll, diag);
		if (r >= 0)
			r = open_files(s, w, diag);
	}
	return r;
}

static void scene_done(struct bench_epoll_scene *s)
{
	for (size_t i = 0; i < s->n; i++) {
		for (uint64_t k = 0; k < s->params->files; k++)
			if (s->workers[i].files[k] >= 0)
				close(s->workers[i].files[k]);
		free(s->workers[i].files);
	}
	for (size_t i = 0; i < s->n_queues; i++)
		close(s->queues[i]);
	free(s->queues);
	free(s->workers);
}

static void scene_init(struct bench_epoll_scene *s, const struct bench_epoll_params *p, size_t n,
		       bool waits)
{
	*s = (struct bench_epoll_scene){ .params = p, .n = n, .waits = waits };
	s->workers = xcalloc(n, sizeof(*s->workers));
	for (size_t i = 0; i < n; i++) {
		struct bench_epoll_worker *w = &s->workers[i];

		*w = (struct bench_epoll_worker){ .params = p,
						  .epoll = -1,
						  .random = 88172645463325252 + i };
		w->files = xcalloc(p->files, sizeof(*w->files));
		memset(w->files, 0xff, p->files * sizeof(*w->files));
	}
}

/* Raises the limit of files. It is not lowered again, because perf needs files afterwards too. */
static int bench_epoll_raise_file_limit(struct bench_epoll_scene *s, struct diag *diag)
{
	uint64_t need = s->n * (s->params->files + 1 + s->params->nested) + OTHER_FILES;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= need)
		return 0;
	s->nofile_before = limit.rlim_cur;
	s->nofile = need;
	limit.rlim_cur = need;
	if (limit.rlim_max < need)
		limit.rlim_max = need;
	if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
		return 0;
	diag_set(diag, -EMFILE, "%zu threads with %llu files each need %llu open files", s->n,
		 (unsigned long long)s->params->files, (unsigned long long)need);
	diag_hint(diag,
		  "'ulimit -Hn' may be %llu at most here: take less of -t or -f, or run as "
		  "root.",
		  (unsigned long long)limit.rlim_max);
	return -EMFILE;
}

static int bench_epoll_check(const struct bench_epoll_params *p, struct diag *diag)
{
	if (p->threads > THREADS_MAX)
		return diag_set(diag, -EINVAL, "--threads is at most %d", THREADS_MAX);
	if (!p->files || p->files > FILES_MAX)
		return diag_set(diag, -EINVAL, "--nfds is a number from 1 to %d", FILES_MAX);
	if (p->nested > NESTED_MAX)
		return diag_set(diag, -EINVAL,
				"--nested is at most %d, which is as deep as the kernel allows",
				NESTED_MAX);
	return 0;
}

/* Reads what was written to the file, so that it is no longer ready. */
static void bench_epoll_handle(struct bench_epoll_worker *w, int file)
{
	struct epoll_event event = { .events = bench_epoll_interest(w->params), .data.fd = file };
	uint64_t n;
	ssize_t got;

	do
		got = read(file, &n, sizeof(n));
	while (w->params->edge && got > 0);
	if (w->params->oneshot)
		epoll_ctl(w->epoll, EPOLL_CTL_MOD, file, &event);
}

static void wait_on(void *arg, volatile bool *over)
{
	struct bench_epoll_worker *w = arg;
	int timeout = w->params->nonblocking ? 0 : -1;

	do {
		struct epoll_event event;
		int n = epoll_wait(w->epoll, &event, 1, timeout);

		if (n <= 0)
			continue;
		bench_epoll_handle(w, event.data.fd);
		w->ops++;
	} while (!*over);
}

static void bench_epoll_shuffle(int *items, size_t n, uint64_t *random)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = bench_epoll_next_random(random) % i;
		int item = items[k];

		items[k] = items[i - 1];
		items[i - 1] = item;
	}
}

/*
 * Writes to every file in turn, and to all once more at the end, so that no thread remains asleep.
 */
static void *write_on(void *arg)
{
	struct bench_epoll_scene *s = arg;
	size_t n = s->n * s->params->files, k = 0;
	int *files = xcalloc(n, sizeof(*files));
	uint64_t one = 1, random = 2463534242;

	for (size_t i = 0; i < s->n; i++)
		for (uint64_t f = 0; f < s->params->files; f++)
			files[k++] = s->workers[i].files[f];
	while (!*s->over) {
		if (s->params->random)
			bench_epoll_shuffle(files, n, &random);
		for (size_t i = 0; i < n && !*s->over; i++)
			if (write(files[i], &one, sizeof(one)) != sizeof(one) && errno != EAGAIN)
				break;
		s->writer_loops++;
		pause_briefly(500);
	}
	free(files);
	return NULL;
}

static int start_writer(void *arg, volatile bool *over, struct diag *diag)
{
	struct bench_epoll_scene *s = arg;
	int r;

	s->over = over;
	r = bench_thread_start(&s->writer, -1, write_on, s, diag);
	s->has_writer = r >= 0;
	return r;
}

/*
 * Ends the waits. A file that is no longer read is always ready, and wakes every waiting thread:
 * each worker sees it once, because each ends after one event. It is level-triggered, whatever mode
 * was used before.
 */
static void end_waits(void *arg)
{
	struct bench_epoll_scene *s = arg;
	uint64_t one = 1;

	if (s->has_writer)
		pthread_join(s->writer, NULL);
	for (size_t i = 0; i < s->n; i++) {
		struct bench_epoll_worker *w = &s->workers[i];
		struct epoll_event event = { .events = EPOLLIN };
		int file = eventfd(1, EFD_NONBLOCK | EFD_CLOEXEC);

		event.data.fd = file;
		if (file >= 0 && epoll_ctl(w->epoll, EPOLL_CTL_ADD, file, &event) == 0)
			while (write(file, &one, sizeof(one)) < 0 && errno == EINTR)
				;
		/* It replaces a file, so that it is closed with the others. */
		close(w->files[0]);
		w->files[0] = file;
	}
}

static bool bench_epoll_change(struct bench_epoll_worker *w, int op, int file)
{
	struct epoll_event event = { .events = op == EPOLL_CTL_MOD ? EPOLLOUT : EPOLLIN,
				     .data.fd = file };

	return epoll_ctl(w->epoll, op, file, op == EPOLL_CTL_DEL ? NULL : &event) == 0;
}

static const int ctl_ops[BENCH_CTL_OPS] = { EPOLL_CTL_ADD, EPOLL_CTL_MOD, EPOLL_CTL_DEL };

static void change_randomly(struct bench_epoll_worker *w)
{
	unsigned op = (unsigned)(bench_epoll_next_random(&w->random) % BENCH_CTL_OPS);
	int file = w->files[bench_epoll_next_random(&w->random) % w->params->files];

	if (bench_epoll_change(w, ctl_ops[op], file))
		w->ctl[op]++;
	pause_briefly(250);
}

static void bench_epoll_change_all(struct bench_epoll_worker *w)
{
	for (uint64_t i = 0; i < w->params->files; i++)
		for (unsigned op = 0; op < BENCH_CTL_OPS; op++)
			if (bench_epoll_change(w, ctl_ops[op], w->files[i]))
				w->ctl[op]++;
}

static void change_on(void *arg, volatile bool *over)
{
	struct bench_epoll_worker *w = arg;

	do {
		if (w->params->random)
			change_randomly(w);
		else
			bench_epoll_change_all(w);
	} while (!*over);
}

static void bench_epoll_collect(const struct bench_epoll_scene *s, double seconds,
				struct bench_result *ret)
{
	static const char *const names[] = { "add/sec/thread", "mod/sec/thread", "del/sec/thread" };
	struct bench_rates *rates = &ret->rates;

	for (size_t i = 0; i < s->n; i++) {
		const struct bench_epoll_worker *w = &s->workers[i];
		struct bench_thread *t = ARRAY_ADD(rates);

		t->first_addr = (uint64_t)(uintptr_t)w->files;
		t->last_addr = (uint64_t)(uintptr_t)&w->files[s->params->files - 1];
		t->ops = (uint64_t)((double)w->ops / seconds);
		moments_add(&rates->mean, (double)w->ops / seconds);
		memcpy(t->ctl, w->ctl, sizeof(t->ctl));
		for (unsigned op = 0; op < BENCH_CTL_OPS; op++)
			moments_add(&rates->ctl[op], (double)w->ctl[op]);
	}
	if (s->waits)
		bench_figure_add(ret, "ops/sec/thread", "ops/sec", BENCH_MORE, rates->mean.mean);
	for (unsigned op = 0; op < BENCH_CTL_OPS && !s->waits; op++)
		bench_figure_add(ret, names[op], "ops/sec", BENCH_MORE,
				 rates->ctl[op].mean / seconds);
}

static void bench_epoll_fill(const struct bench_epoll_scene *s, double seconds,
			     struct bench_result *ret)
{
	const struct bench_epoll_params *p = s->params;

	ret->layout = BENCH_LAYOUT_RATES;
	ret->seconds = seconds;
	ret->rates = (struct bench_rates){ .kind = s->waits ? BENCH_RATES_EPOLL_WAIT
							    : BENCH_RATES_EPOLL_CTL,
					   .pid = getpid(),
					   .objects = (unsigned)p->files,
					   .seconds = p->seconds,
					   .took_seconds = (uint64_t)seconds,
					   .oneshot = p->oneshot,
					   .verbose = p->verbose,
					   .multiq = p->multiq,
					   .nonblocking = p->nonblocking,
					   .random = p->random,
					   .nested = (unsigned)p->nested,
					   .nofile_before = s->nofile_before,
					   .nofile = s->nofile,
					   .writer_loops = s->writer_loops,
					   .buckets = -1 };
	bench_epoll_collect(s, seconds, ret);
}

static int bench_epoll_run(const struct bench_epoll_params *p, size_t n, bool waits,
			   struct bench_result *ret, struct diag *diag)
{
	struct bench_epoll_scene s;
	double seconds;
	int r = bench_epoll_check(p, diag);

	if (r < 0)
		return r;
	scene_init(&s, p, n, waits);
	r = bench_epoll_raise_file_limit(&s, diag);
	if (r >= 0)
		r = bench_epoll_open_all(&s, diag);
	if (r >= 0) {
		const struct bench_timed_threads threads = { .n = n,
							     .unbound = p->unbound,
							     .work = waits ? wait_on : change_on,
							     .workers = s.workers,
							     .size = sizeof(*s.workers),
							     .begin = waits ? start_writer : NULL,
							     .end = waits ? end_waits : NULL,
							     .arg = &s };

		r = bench_timed_run(&threads, p->seconds, &seconds, diag);
	}
	if (r >= 0)
		bench_epoll_fill(&s, seconds, ret);
	scene_done(&s);
	return r;
}

int bench_epoll_wait(const void *params, unsigned repeat, struct bench_result *ret,
		     struct diag *diag)
{
	const struct bench_epoll_params *p = params;
	unsigned cpus = bench_n_cpus();
	size_t n = p->threads ? p->threads : cpus > 1 ? cpus - 1 : 1;

	(void)repeat;
	return bench_epoll_run(p, n, true, ret, diag);
}

int bench_epoll_ctl(const void *params, unsigned repeat, struct bench_result *ret,
		    struct diag *diag)
{
	const struct bench_epoll_params *p = params;

	(void)repeat;
	return bench_epoll_run(p, p->threads ? p->threads : bench_n_cpus(), false, ret, diag);
}
