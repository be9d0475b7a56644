/* SPDX-License-Identifier: MIT */
#include "tools/kwork/count-work.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "capture/loop.h"
#include "kernel/ftrace-names.h"
#include "measure/live.h"
#include "measure/record-job.h"
#include "tools/kwork/kwork-bpf.h"

/* Names from include/linux/interrupt.h. The numbers have not changed since Linux 4.2. */
static const char *const softirqs[] = { "HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
					"IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU" };

struct kwork_counting {
	const struct kwork_count_request *rq;
	struct notes *notes;
	struct diag *diag;
	struct bpf_kwork *bpf;
	struct function_names *functions; /* NULL: not needed so far, or hidden */
	bool has_no_functions;
	uint64_t begin_ns, end_ns; /* end_ns is 0 while the count goes on */
};

/* The last run that began on a CPU. */
struct open_run {
	struct kwork_item *item;
	uint64_t begin_ns;
};

struct kwork_count_filling {
	struct kwork_counting *counting;
	struct kwork_counted *counted;
	struct {
		struct open_run *items; /* by CPU */
		size_t n, room;
	} open;
	uint64_t now_ns;
};

static char *kwork_count_function_name(struct kwork_counting *c, uint64_t addr)
{
	_cleanup_(diag_done) struct diag why = { 0 };
	const char *name;

	if (!c->functions && !c->has_no_functions && function_names_read(&c->functions, &why) < 0) {
		c->has_no_functions = true;
		notes_add(c->notes, NOTE_WARNING, "work items have no names: %s", why.message);
	}
	if (!c->functions)
		return NULL;
	name = function_names_find(c->functions, addr);
	/* The name of the module follows; it is dropped. */
	return xstrndup(name, strcspn(name, " "));
}

static char *kwork_count_name_of(struct kwork_counting *c, const struct bpf_kwork_key *key,
				 const struct bpf_kwork_row *row)
{
	if (key->class == BPF_KWORK_WORKQUEUE)
		return row->function ? kwork_count_function_name(c, row->function) : NULL;
	if (key->class == BPF_KWORK_SOFTIRQ)
		return key->id < ARRAY_SIZE(softirqs) ? xstrdup(softirqs[key->id]) : NULL;
	return row->name[0] ? xstrdup(row->name) : NULL;
}

/* Keeps the last run of a CPU that is still open. The ends of other open runs were lost. */
static void keep_open_run(struct kwork_count_filling *f, const struct bpf_kwork_row *row,
			  struct kwork_item *item)
{
	if (item->class != KWORK_SCHED || !row->begin_ns)
		return;
	while (f->open.n <= item->cpu)
		ARRAY_ADD(&f->open);
	if (row->begin_ns > f->open.items[item->cpu].begin_ns)
		f->open.items[item->cpu] = (struct open_run){ item, row->begin_ns };
}

/* Adds the runs that are still open, up to now. */
static void add_open_runs(struct kwork_count_filling *f)
{
	for (size_t i = 0; i < f->open.n; i++)
		if (f->open.items[i].item)
			kwork_item_add(f->open.items[i].item, f->open.items[i].begin_ns, f->now_ns);
	free(f->open.items);
}

static bool kwork_count_is_left_out(const struct kwork_count_request *rq,
				    const struct kwork_item *item)
{
	return !rq->usage && rq->name && item->name && strcmp(rq->name, item->name) != 0;
}

static void kwork_count_take_row(void *arg, const struct bpf_kwork_key *key,
				 const struct bpf_kwork_row *row)
{
	struct kwork_count_filling *f = arg;
	const struct kwork_count_request *rq = f->counting->rq;
	struct kwork_item *item;

	if (rq->cpus && rq->cpus->n && !cpu_list_contains(rq->cpus, key->cpu))
		return;
	item = kwork_items_get(&f->counted->items, (enum kwork_class)key->class, key->cpu, key->id);
	item->name = kwork_count_name_of(f->counting, key, row);
	if (kwork_count_is_left_out(rq, item))
		return;
	item->count = row->count;
	item->sum_ns = row->sum_ns;
	item->max_ns = row->max_ns;
	item->max_begin = row->max_begin_ns;
	item->max_end = row->max_begin_ns + row->max_ns;
	f->counted->events += 2 * row->count;
	f->counted->skipped.begins += row->begin_ns && rq->mode == KWORK_RUNTIME;
	f->counted->skipped.raises += row->begin_ns && rq->mode == KWORK_DELAY;
	keep_open_run(f, row, item);
}

static int kwork_count_read_counts(struct kwork_counting *c, struct kwork_counted *ret)
{
	struct kwork_count_filling f = { .counting = c,
					 .counted = ret,
					 .now_ns = c->end_ns ? c->end_ns
							     : clock_ns(CLOCK_MONOTONIC) };
	uint64_t counts[BPF_KWORK_COUNTS];
	int r = bpf_kwork_read(c->bpf, kwork_count_take_row, &f, c->diag);

	add_open_runs(&f);
	if (r >= 0)
		r = bpf_kwork_counts(c->bpf, counts, c->diag);
	if (r < 0)
		return r;
	ret->skipped.raises += counts[BPF_KWORK_RAISES];
	ret->skipped.begins += counts[BPF_KWORK_BEGINS];
	ret->skipped.ends += counts[BPF_KWORK_ENDS];
	ret->events += ret->skipped.raises + ret->skipped.begins + ret->skipped.ends;
	ret->elapsed_ns = f.now_ns - c->begin_ns;
	return 0;
}

static int kwork_count_tell(struct kwork_counting *c, bool is_last)
{
	struct kwork_counted counted = { .events = 0 };
	int r;

	kwork_items_init(&counted.items);
	r = kwork_count_read_counts(c, &counted);
	if (r >= 0)
		r = c->rq->tell(c->rq->arg, &counted, is_last);
	kwork_items_done(&counted.items);
	return r;
}

static int kwork_count_begin(void *arg, struct record_job *job, int *ret_fd)
{
	struct kwork_counting *c = arg;
	struct bpf_kwork_request request = { .mode = c->rq->usage ? BPF_KWORK_USAGE
						     : c->rq->mode == KWORK_DELAY
							     ? BPF_KWORK_DELAY
							     : BPF_KWORK_RUNTIME };
	int r;

	for (size_t i = 0; i < c->rq->classes.n; i++)
		request.classes[c->rq->classes.items[i]] = true;
	r = bpf_kwork_begin(&request, &c->bpf, job->diag);
	if (r < 0)
		diag_hint(job->diag, "Without BPF: perf kwork record, and then this without -b.");
	c->begin_ns = clock_ns(CLOCK_MONOTONIC);
	*ret_fd = -1;
	return r;
}

static int kwork_count_take(void *arg, uint64_t until_ns, bool last)
{
	(void)arg, (void)until_ns, (void)last;
	return 0;
}

static void kwork_count_stop(void *arg)
{
	struct kwork_counting *c = arg;

	bpf_kwork_stop(c->bpf);
	c->end_ns = clock_ns(CLOCK_MONOTONIC);
}

static int kwork_count_on_interval(void *arg)
{
	return kwork_count_tell(arg, false);
}

static int kwork_count_on_end(void *arg)
{
	return kwork_count_tell(arg, true);
}

static void kwork_count_note_losses(const struct kwork_counting *c)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	uint64_t counts[BPF_KWORK_COUNTS], missed;

	if (!c->bpf || bpf_kwork_counts(c->bpf, counts, &ignored) < 0)
		return;
	missed = bpf_kwork_missed(c->bpf);
	if (counts[BPF_KWORK_FULL])
		notes_add(c->notes, NOTE_WARNING,
			  "%llu events are not counted: there was more work than fits",
			  (unsigned long long)counts[BPF_KWORK_FULL]);
	if (missed)
		notes_add(c->notes, NOTE_WARNING,
			  "%llu events are not counted: they came while BPF programs ran",
			  (unsigned long long)missed);
}

int kwork_count(const struct kwork_count_request *rq, struct notes *notes,
		struct record_result *ret, struct diag *diag)
{
	struct kwork_counting c = { .rq = rq, .notes = notes, .diag = diag };
	const struct live_companion companion = { .begin = kwork_count_begin,
						  .take = kwork_count_take,
						  .stop = kwork_count_stop,
						  .arg = &c };
	const struct live_request live = {
		.what = { .argv = rq->argv,
			  .target = { .all_cpus = true },
			  .may_be_empty = true,
			  .sampling = { .sideband = { .synth = { .given = true } } } },
		.companion = &companion,
		.consumer = { .arg = &c },
		.interval_ms = rq->interval_ms,
		.on_interval = kwork_count_on_interval,
		.on_end = kwork_count_on_end,
	};
	int r = live_run(&live, notes, ret, diag);

	kwork_count_note_losses(&c);
	bpf_kwork_free(c.bpf);
	function_names_free(c.functions);
	return r;
}
