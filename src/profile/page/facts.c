/* SPDX-License-Identifier: MIT */
#include "profile/page/facts.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/size-text.h"
#include "base/text.h"
#include "datafile/reader.h"
#include "profile/missing-symbols.h"
#include "profile/page/page.h"
#include "profile/profile.h"
#include "profile/shown-nodes.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "symbol/unnamed.h"

static void page_facts_add_known(struct page *page, const char *name, const char *text)
{
	if (text && *text)
		page_add_fact(page, name, text);
}

static void page_facts_add_words(struct text *t, const struct string_list *words)
{
	for (size_t i = 0; i < words->n; i++)
		text_addf(t, "%s%s", i ? " " : "", words->items[i]);
}

static void add_command(struct page *page, const struct features *f)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	page_facts_add_words(&t, &f->cmdline);
	page_facts_add_known(page, "command line", t.chars);
}

static void page_facts_add_numbers(struct page *page, const struct features *f)
{
	char size[SIZE_TEXT_MAX];
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (f->cpus_online) {
		text_addf(&t, "%" PRIu32 " of %" PRIu32 " online", f->cpus_online,
			  f->cpus_available);
		page_add_fact(page, "CPUs", t.chars);
	}
	if (f->total_mem_kb)
		page_add_fact(page, "memory", size_text(f->total_mem_kb * 1024, size));
}

/* Adds the time at which the file was last written, which is when the recording ended. */
static void add_date(struct page *page, const struct datafile_facts *facts)
{
	time_t t = (time_t)facts->mtime_s;
	char text[64];
	struct tm tm;

	if (t && localtime_r(&t, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &tm))
		page_add_fact(page, "recorded until", text);
}

static void page_facts_add_file(struct page *page, const struct profile *p)
{
	const struct datafile *df = session_datafile(p->session);
	char size[SIZE_TEXT_MAX];
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_add(&t, session_path(p->session));
	if (df && datafile_facts(df)->size)
		text_addf(&t, ", %s", size_text(datafile_facts(df)->size, size));
	page_add_fact(page, "file", t.chars);
	if (df)
		add_date(page, datafile_facts(df));
}

static void page_facts_add_duration(struct page *page, const struct session_counts *c)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (!c->first_time || c->last_time < c->first_time)
		return;
	text_addf(&t, "%.3f s", (double)(c->last_time - c->first_time) / 1e9);
	page_add_fact(page, "duration of samples", t.chars);
}

/* True if the event counts nothing: records of the whole system come with it. */
static bool page_facts_is_dummy(const struct attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_DUMMY;
}

/* Adds "cycles: 1,234 samples, every 4000 per second". */
static void page_facts_add_event(struct page *page, const struct session_event *e)
{
	const struct attr *a = &e->attr;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_add(&t, e->name);
	if (a->freq)
		text_addf(&t, ": %" PRIu64 " samples a second", a->sample_freq);
	else if (a->sample_period)
		text_addf(&t, ": a sample every %" PRIu64, a->sample_period);
	if (a->exclude_kernel)
		text_add(&t, ", without the kernel");
	if (a->exclude_user)
		text_add(&t, ", without user space");
	if (a->sample_type & PERF_SAMPLE_CALLCHAIN)
		text_add(&t, a->sample_type & PERF_SAMPLE_STACK_USER
				     ? ", stacks by copies of their memory"
				     : ", stacks");
	page_add_fact(page, "event", t.chars);
}

static void page_facts_add_header(struct page *page, const struct profile *p)
{
	const struct features *f = session_features(p->session);

	page_facts_add_file(page, p);
	add_command(page, f);
	page_facts_add_duration(page, session_counts(p->session));
	for (size_t i = 0; i < session_event_count(p->session); i++)
		if (!page_facts_is_dummy(&session_event(p->session, i)->attr))
			page_facts_add_event(page, session_event(p->session, i));
	page_facts_add_known(page, "hostname", f->hostname);
	page_facts_add_known(page, "kernel", f->os_release);
	page_facts_add_known(page, "machine", f->arch);
	page_facts_add_known(page, "CPU", f->cpu_desc);
	page_facts_add_numbers(page, f);
	page_facts_add_known(page, "recorded with perf", f->version);
}

static void page_facts_add_note(void *arg, const struct note *n)
{
	if (n->what.message)
		page_add_remark(arg, PAGE_WARNING, n->what.message, n->what.hint);
}

/* Adds a remark if @n is not 0. @n is the argument of @format. */
static void page_facts_add_count(struct page *page, enum page_level level, uint64_t n,
				 const char *format, const char *help)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (!n)
		return;
	text_addf(&t, "%" PRIu64 " %s", n, format);
	page_add_remark(page, level, t.chars, help);
}

static void page_facts_add_counts(struct page *page, const struct session_counts *c)
{
	page_facts_add_count(
		page, PAGE_WARNING, c->lost_samples, "samples were lost by the kernel",
		"Larger buffers (record -m) or fewer samples (record -F, -c) avoid that.");
	page_facts_add_count(
		page, PAGE_WARNING, c->throttled,
		"times the kernel throttled sampling: the rate was more than it allows, and "
		"samples are missing",
		"Sample less often (record -F), or raise kernel.perf_event_max_sample_rate.");
	page_facts_add_count(page, PAGE_WARNING, c->malformed, "records cannot be understood",
			     NULL);
	page_facts_add_count(page, PAGE_NOTE, c->unknown_ids,
			     "samples are of events that nothing describes", NULL);
	page_facts_add_count(page, PAGE_NOTE, c->out_of_order, "records came out of order", NULL);
}

/* Adds a remark on events without stacks, which have flat pictures. */
static void page_facts_add_stacks(struct page *page, const struct session *s)
{
	size_t n = 0;

	for (size_t i = 0; i < session_event_count(s); i++)
		n += !(session_event(s, i)->attr.sample_type & PERF_SAMPLE_CALLCHAIN);
	if (!n)
		return;
	page_add_remark(page, PAGE_NOTE,
			n == session_event_count(s)
				? "samples have no stacks: callers are not known"
				: "samples of some events have no stacks",
			"Record with -g, or with --call-graph dwarf.");
}

#define UNNAMED_MAX 8
/* Images with more than this part of all samples are worth a warning. */
#define UNNAMED_MANY 20

/* Returns the next step. Names are in debug files, if anywhere. */
static const char *help_of(const struct image *im)
{
	return image_is_stripped(im) ? "Install its debug symbols, or set DEBUGINFOD_URLS, and "
				       "write the page again."
				     : image_unnamed_words(im).help;
}

/* Adds a remark on samples without names, why they have none, and what helps. */
static void page_facts_add_unnamed(struct page *page, const struct profile *p)
{
	_cleanup_(missing_symbols_done) struct missing_symbols m = { 0 };
	size_t n;

	for (size_t i = 0; i < session_event_count(p->session); i++) {
		const struct tally *t = collector_tally(p->collector, i);
		_cleanup_(freep) bool *shown = shown_nodes(t, p->plan.keys.n, p->env.frames,
							   p->filter);

		missing_symbols_count(&m, p->env.frames, &t->stacks, shown);
	}
	n = missing_symbols_rank(&m);
	for (size_t i = 0; i < n && i < UNNAMED_MAX; i++) {
		const struct image *im = m.items[i].image;
		_cleanup_(text_done) struct text t = TEXT_EMPTY;

		text_addf(&t, "%" PRIu64 " of %" PRIu64 " samples in %s have no function name: %s",
			  m.items[i].samples, m.total, image_wanted_path(im),
			  image_unnamed_words(im).why);
		page_add_remark(page,
				m.items[i].samples >= m.total / UNNAMED_MANY ? PAGE_WARNING
									     : PAGE_NOTE,
				t.chars, help_of(im));
	}
}

static void page_facts_add_quality(struct page *page, const struct profile *p, bool wants_times)
{
	struct notes notes = { .listener = page_facts_add_note, .arg = page };

	profile_note(p, &notes);
	page_facts_add_counts(page, session_counts(p->session));
	page_facts_add_unnamed(page, p);
	page_facts_add_stacks(page, p->session);
	if (wants_times && !page->has_times)
		page_add_remark(page, PAGE_NOTE, "samples have no times: there is no time axis",
				"Record with -T.");
	if (!page->quality.n)
		page_add_remark(page, PAGE_FINE,
				"nothing was lost or throttled, and the file is whole", NULL);
}

static void page_facts_add_title(struct page *page, const struct profile *p,
				 const struct page_request *rq)
{
	const struct features *f = session_features(p->session);
	_cleanup_(text_done) struct text title = TEXT_EMPTY, subtitle = TEXT_EMPTY;

	page_facts_add_words(&title, &f->cmdline);
	text_add(&subtitle, session_path(p->session));
	if (f->hostname)
		text_addf(&subtitle, " on %s", f->hostname);
	page->title = page_text(page, rq->title      ? rq->title
				      : title.length ? title.chars
						     : session_path(p->session));
	page->subtitle = page_text(page, rq->subtitle ? rq->subtitle : subtitle.chars);
}

void page_add_facts(struct page *page, const struct profile *p, const struct page_request *rq)
{
	page_facts_add_title(page, p, rq);
	page_facts_add_header(page, p);
	page_facts_add_quality(page, p, rq->views & PAGE_VIEW_TIME);
}
