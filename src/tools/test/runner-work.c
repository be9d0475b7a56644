/* SPDX-License-Identifier: MIT */
#include "tools/test/runner-work.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/progress.h"
#include "tools/test/process-work.h"
#include "tools/test/selftest-work.h"

static void test_verdict_say(struct selftest_run *t, const char *format, va_list ap)
{
	vsnprintf(t->reason, SELFTEST_REASON_MAX, format, ap);
	fprintf(t->out, "%s\n", t->reason);
}

enum selftest_outcome selftest_skip(struct selftest_run *t, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	test_verdict_say(t, format, ap);
	va_end(ap);
	return SELFTEST_SKIP;
}

enum selftest_outcome selftest_fail(struct selftest_run *t, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	test_verdict_say(t, format, ap);
	va_end(ap);
	return SELFTEST_FAILED;
}

/* The interval for checking whether processes without output have ended. */
#define TICK_MS  10
#define JOBS_MAX 64

/* The runs in the order of the list: each row once for each run of its suite. */
struct test_runner_item {
	struct selftest_row *row;
	struct selftest_result *result;
	bool alone, started, over;
};

struct test_runner_running {
	struct selftest_plan *plan;
	const struct selftest_options *o;
	struct {
		struct test_runner_item *items;
		size_t n, room;
	} all;
	size_t shown, over;
	struct selftest_process active[JOBS_MAX];
	struct test_runner_item *active_item[JOBS_MAX];
	size_t n_active;
};

static void test_runner_add_items(struct test_runner_running *k, const struct selftest_suite *s,
				  unsigned run)
{
	for (size_t i = 0; i < s->n; i++) {
		struct selftest_row *row = &k->plan->rows.items[s->first + i];
		struct test_runner_item *item;

		if (!row->selected)
			continue;
		item = ARRAY_ADD(&k->all);
		*item = (struct test_runner_item){ .row = row,
						   .result = &row->results[run],
						   .alone = s->flags & SELFTEST_ALONE };
		if (!row->passed_over)
			continue;
		item->result->outcome = SELFTEST_SKIP;
		item->result->reason = xstrdup("user override");
		item->result->finished = item->started = item->over = true;
		k->over++;
	}
}

static void test_runner_show(struct test_runner_running *k)
{
	while (k->shown < k->all.n && k->all.items[k->shown].over) {
		struct test_runner_item *i = &k->all.items[k->shown++];

		k->o->finished(i->row, i->result, k->o->arg);
	}
}

static struct selftest_process test_runner_process_of(const struct test_runner_running *k,
						      const struct test_runner_item *i)
{
	return (struct selftest_process){ .row = i->row,
					  .result = i->result,
					  .script = k->plan->suites.items[i->row->suite].script,
					  .fd = -1 };
}

static void item_over(struct test_runner_running *k, struct test_runner_item *i)
{
	i->over = true;
	k->over++;
	progress_finish(k->o->progress);
	test_runner_show(k);
}

static void test_runner_start(struct test_runner_running *k, struct test_runner_item *i)
{
	i->started = true;
	k->active[k->n_active] = test_runner_process_of(k, i);
	if (k->o->in_process)
		selftest_process_run_here(&k->active[k->n_active], k->o);
	else if (selftest_process_start(&k->active[k->n_active], k->o) >= 0) {
		k->active_item[k->n_active++] = i;
		return;
	}
	item_over(k, i);
}

/* Returns the next run that may start now: first those that run in parallel, then the others. */
static struct test_runner_item *test_runner_next(const struct test_runner_running *k)
{
	for (int alone = 0; alone <= 1; alone++) {
		if (alone && k->n_active)
			return NULL;
		for (size_t i = 0; i < k->all.n; i++)
			if (!k->all.items[i].started && k->all.items[i].alone == (bool)alone)
				return &k->all.items[i];
	}
	return NULL;
}

static bool runs_alone(const struct test_runner_running *k)
{
	return k->n_active == 1 && k->active_item[0]->alone;
}

static void wait_for_output(const struct test_runner_running *k)
{
	struct pollfd fds[JOBS_MAX];

	for (size_t i = 0; i < k->n_active; i++)
		fds[i] = (struct pollfd){ .fd = k->active[i].fd, .events = POLLIN };
	poll(fds, k->n_active, TICK_MS);
	/* A process that has closed its output but continues must not cause a busy loop. */
	for (size_t i = 0; i < k->n_active; i++)
		if (fds[i].revents & POLLHUP)
			poll(NULL, 0, 1);
}

static void test_runner_reap(struct test_runner_running *k)
{
	for (size_t i = 0; i < k->n_active;) {
		struct test_runner_item *item = k->active_item[i];

		selftest_process_read(&k->active[i]);
		if (!selftest_process_ended(&k->active[i], k->o)) {
			i++;
			continue;
		}
		k->n_active--;
		k->active[i] = k->active[k->n_active];
		k->active_item[i] = k->active_item[k->n_active];
		item_over(k, item);
	}
}

static bool test_runner_is_stopped(const struct test_runner_running *k)
{
	return k->o->stop && *k->o->stop;
}

static int test_runner_run_all(struct test_runner_running *k)
{
	unsigned jobs = k->o->jobs && !k->o->in_process ? k->o->jobs : 1;
	struct test_runner_item *i;

	if (jobs > JOBS_MAX)
		jobs = JOBS_MAX;
	test_runner_show(k);
	while (k->over < k->all.n && !test_runner_is_stopped(k)) {
		while (k->n_active < jobs && !runs_alone(k) && !test_runner_is_stopped(k) &&
		       (i = test_runner_next(k)))
			test_runner_start(k, i);
		if (k->n_active)
			wait_for_output(k);
		test_runner_reap(k);
		progress_update(k->o->progress, "Running tests", k->over, k->all.n);
	}
	for (size_t j = 0; j < k->n_active; j++)
		selftest_process_kill(&k->active[j]);
	progress_finish(k->o->progress);
	return k->over < k->all.n ? -EINTR : 0;
}

int selftest_run_plan(struct selftest_plan *p, const struct selftest_options *o)
{
	struct test_runner_running *k = xcalloc(1, sizeof(*k));
	int r;

	k->plan = p;
	k->o = o;
	for (size_t i = 0; i < p->suites.n; i++)
		for (unsigned run = 0; run < p->runs; run++)
			test_runner_add_items(k, &p->suites.items[i], run);
	r = test_runner_run_all(k);
	free(k->all.items);
	free(k);
	return r;
}
