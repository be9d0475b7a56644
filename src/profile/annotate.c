/* SPDX-License-Identifier: MIT */
#include "profile/annotate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/similar.h"
#include "base/text.h"
#include "base/workers.h"
#include "code/types/access-types.h"
#include "datafile/features-topology.h"
#include "profile/annotation.h"
#include "profile/listing.h"
#include "session/consumer.h"
#include "session/reading.h"
#include "symbol/symbolizer.h"
#include "symbol/text-files.h"

#define WORKERS_MAX 16

void annotate_request_done(struct annotate_request *rq)
{
	cpu_list_done(&rq->cpus);
}

struct profile_request annotate_request_of_profile(const struct annotate_request *rq)
{
	return (struct profile_request){
		.path = rq->input,
		.force = rq->force,
		.symbols = rq->symbols,
		.buildid_dir = rq->buildid_dir,
		.ignore_vmlinux = rq->ignore_vmlinux,
		.progress = rq->progress,
		.filter = { .cpus = rq->cpus, .dsos = rq->dsos, .itrace = rq->itrace },
	};
}

int annotate_open(struct annotate_job *j, const struct annotate_request *rq, struct diag *diag)
{
	const struct profile_request profile = annotate_request_of_profile(rq);
	int r;

	*j = (struct annotate_job){ .rq = rq };
	pthread_mutex_init(&j->lock, NULL);
	r = profile_open(&j->profile, &profile, diag);
	j->session = j->profile.session;
	return r;
}

void annotate_close(struct annotate_job *j)
{
	listing_kit_done(&j->kit);
	pthread_mutex_destroy(&j->lock);
	unshown_done(&j->unshown);
	annotation_free(j->annotation);
	access_types_free(j->types);
	workers_free(j->workers);
	profile_done(&j->profile);
}

/* The state of reading samples into an annotation. */
struct annotate_read_state {
	struct annotation *annotation;
	const atomic_bool *stop;
};

static int annotate_on_samples(void *arg, const struct sample_batch *b)
{
	const struct annotate_read_state *r = arg;

	if (r->stop && atomic_load_explicit(r->stop, memory_order_relaxed))
		return 1;
	annotation_take(r->annotation, b);
	return 0;
}

int annotate_read(const struct annotate_reading *how, struct annotation **ret, struct diag *diag)
{
	struct profile *p = how->profile;
	const struct annotation_options options = { .session = p->session,
						    .filter = p->filter,
						    .topology = p->rq.of_socket ? &p->topology
										: NULL,
						    .socket = p->rq.socket,
						    .n_workers = workers_count(how->workers),
						    .with_blocks = how->cycles };
	_cleanup_(annotation_freep) struct annotation *a = annotation_new(&options);
	struct annotate_read_state reading = { .annotation = a, .stop = how->stop };
	const struct consumer consumer = { .samples = annotate_on_samples,
					   .is_costly = how->data_types,
					   .filter = p->filter,
					   .arg = &reading };
	int r;

	if (p->rq.of_socket)
		features_topology(session_features(p->session), &p->topology);
	r = session_feed(p->session, how->workers, &consumer, diag);
	if (r < 0)
		return r;
	annotation_settle(a);
	*ret = TAKE(a);
	return 0;
}

int annotate_collect(struct annotate_job *j, struct diag *diag)
{
	int r;

	j->workers = workers_new(0, WORKERS_MAX);
	r = listing_kit_init(&j->kit, j->rq, workers_count(j->workers), diag);
	if (r < 0)
		return r;
	if (j->rq->data_types)
		listing_kit_set_types(&j->kit, j->types = access_types_new());
	return annotate_read(&(struct annotate_reading){ .profile = &j->profile,
							 .workers = j->workers,
							 .cycles = j->rq->cycles,
							 .data_types = j->rq->data_types },
			     &j->annotation, diag);
}

char *annotate_events_name(const struct session *s, size_t first, size_t n)
{
	const struct session_event *e = session_event(s, first);
	bool named = e->group_name && strcmp(e->group_name, "{anon_group}") != 0;
	bool is_group = e->n_members > 1 && n > 1;
	struct text t = TEXT_EMPTY;

	if (is_group)
		text_addf(&t, "%s { ", named ? e->group_name : "anon group");
	for (size_t i = 0; i < n; i++) {
		text_add(&t, i ? ", " : "");
		text_add(&t, session_event(s, first + i)->name);
	}
	text_add(&t, is_group ? " }" : "");
	return text_take(&t);
}

/* The functions of some events on their way to the taker. */
struct annotate_batch {
	struct annotate_job *job;
	const struct annotate_taker *taker;
	const struct annotated_functions *all;
	const struct annotated_function *const *items; /* the functions of the batch */
};

static void annotate_make_listing(void *arg, size_t piece, unsigned worker)
{
	struct annotate_batch *b = arg;
	struct annotate_job *j = b->job;
	_cleanup_(diag_done) struct diag why = { 0 };
	struct listing l;

	if (listing_make(&j->kit.tools[worker], b->all, b->items[piece], &l, &why) >= 0) {
		b->taker->take(b->taker->arg, piece, &l);
		listing_done(&l);
		return;
	}
	pthread_mutex_lock(&j->lock);
	unshown_add(&j->unshown, b->items[piece], &why);
	pthread_mutex_unlock(&j->lock);
}

static bool annotate_is_wanted(const struct annotate_request *rq,
			       const struct annotated_function *f, struct weight total)
{
	if (rq->symbol && strcmp(f->sym->name, rq->symbol) != 0)
		return false;
	return !rq->percent_limit ||
	       (double)f->totals[0].period * 100 >= rq->percent_limit * (double)total.period;
}

static void add_weights(struct annotated_events *e, const struct weight *weights)
{
	for (size_t i = 0; i < e->n; i++)
		weight_add(&e->shown[i > 0], weights[i]);
}

/* Fills @items with the wanted functions. Returns how many there are. */
static size_t annotate_choose(const struct annotate_request *rq,
			      const struct annotated_functions *all, struct annotated_events *e,
			      const struct annotated_function **items)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct annotated_function *f = &all->items[i];

		if (!annotate_is_wanted(rq, f, e->totals[0]))
			continue;
		items[n++] = f;
		if (rq->symbol)
			add_weights(e, f->totals);
	}
	if (!rq->symbol)
		add_weights(e, e->totals);
	return n;
}

static int annotate_list_functions(struct annotate_job *j, struct annotated_events *e,
				   const struct annotate_taker *taker,
				   const struct annotated_functions *all)
{
	_cleanup_(freep)
		const struct annotated_function **items = xcalloc(all->n + 1, sizeof(*items));
	size_t n = annotate_choose(j->rq, all, e, items);
	int r = 0;

	j->n_shown += n;
	taker->begin(taker->arg, e);
	for (size_t first = 0; r >= 0 && first < n; first += ANNOTATE_BATCH) {
		size_t size = n - first < ANNOTATE_BATCH ? n - first : ANNOTATE_BATCH;

		workers_run(j->workers, size, annotate_make_listing,
			    &(struct annotate_batch){ j, taker, all, items + first });
		r = taker->end_batch(taker->arg, size);
	}
	return r;
}

static int annotate_list_events(struct annotate_job *j, size_t first, size_t n,
				const struct annotate_taker *taker)
{
	_cleanup_(freep) struct weight *totals = xcalloc(n, sizeof(*totals));
	struct annotated_events e = { .first = first, .n = n, .totals = totals };
	struct annotated_functions all = { 0 };
	int r;

	for (size_t i = 0; i < n; i++)
		totals[i] = annotation_total(j->annotation, first + i);
	annotation_functions(j->annotation, first, n, &all);
	r = annotate_list_functions(j, &e, taker, &all);
	annotated_functions_done(&all);
	return r;
}

/*
 * Returns the size of the group, without the events at its end that have no samples, if those are
 * not wanted.
 */
static size_t shown_size(const struct annotate_job *j, size_t first, size_t n)
{
	while (j->rq->skip_empty && n > 1 &&
	       !annotation_total(j->annotation, first + n - 1).samples)
		n--;
	return n;
}

int annotate_list(struct annotate_job *j, const struct annotate_taker *taker)
{
	size_t n = session_event_count(j->session);
	int r = 0;

	for (size_t first = 0, size; first < n && r >= 0; first += size) {
		size = reading_group_size(j->session, j->rq->group, first);
		r = annotate_list_events(j, first, shown_size(j, first, size), taker);
	}
	return r;
}

/* Reports that no function has this name, with similar names. */
static int refuse_symbol(const struct annotate_job *j, struct diag *diag)
{
	struct similar near = { .typed = j->rq->symbol };
	struct annotated_functions all = { 0 };

	annotation_functions(j->annotation, 0, session_event_count(j->session), &all);
	for (size_t i = 0; i < all.n; i++)
		similar_add(&near, all.items[i].sym->name);

	_cleanup_(freep) char *phrase = similar_phrase(&near);

	diag_set(diag, -ENOENT, "no function called '%s' has samples", j->rq->symbol);
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	else
		diag_hint(diag, "'perf report --sort symbol' lists those that have.");
	annotated_functions_done(&all);
	return -ENOENT;
}

static bool annotate_has_samples(const struct annotate_job *j)
{
	for (size_t i = 0; i < session_event_count(j->session); i++)
		if (annotation_total(j->annotation, i).samples)
			return true;
	return false;
}

int annotate_judge(struct annotate_job *j, struct notes *notes, struct diag *diag)
{
	int r = reading_check_samples(j->session, diag);

	if (r < 0)
		return r;
	if (!annotate_has_samples(j))
		notes_add(notes, NOTE_WARNING, "%s has no samples%s", session_path(j->session),
			  session_counts(j->session)->samples ? " that pass the filters" : "");
	else if (j->rq->symbol && !j->n_shown)
		return refuse_symbol(j, diag);
	if (!j->rq->skip_missing)
		unshown_note(&j->unshown, notes);
	return 0;
}

/* At most this many images are reported, because the samples of others are few. */
#define TOLD_MAX 5

void unshown_done(struct unshown *u)
{
	for (size_t i = 0; i < u->n; i++) {
		free(u->items[i].first);
		free(u->items[i].why);
		free(u->items[i].hint);
	}
	free(u->items);
	*u = (struct unshown){ 0 };
}

static struct unshown_functions *unshown_find(struct unshown *u, const struct image *im)
{
	for (size_t i = 0; i < u->n; i++)
		if (u->items[i].image == im)
			return &u->items[i];
	return NULL;
}

void unshown_add(struct unshown *u, const struct annotated_function *f, const struct diag *why)
{
	struct unshown_functions *of = unshown_find(u, f->image);

	if (!of) {
		of = ARRAY_ADD(u);
		of->image = f->image;
		of->first = xstrdup(f->sym->name);
		of->why = xstrdup(why->message ? why->message : "its code is not here");
		of->hint = why->hint ? xstrdup(why->hint) : NULL;
	}
	of->n++;
	of->samples += f->totals[0].samples;
}

static int unshown_by_samples(const void *a, const void *b)
{
	const struct unshown_functions *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return strcmp(image_long_name(x->image), image_long_name(y->image));
}

void unshown_note(struct unshown *u, struct notes *notes)
{
	if (u->n)
		qsort(u->items, u->n, sizeof(u->items[0]), unshown_by_samples);
	for (size_t i = 0; i < u->n && i < TOLD_MAX; i++) {
		const struct unshown_functions *of = &u->items[i];
		struct diag d = { 0 };

		if (of->n == 1)
			diag_set(&d, 0, "%s (%" PRIu64 " sample%s) is not shown: %s", of->first,
				 of->samples, of->samples == 1 ? "" : "s", of->why);
		else
			diag_set(&d, 0,
				 "%zu functions of %s (%" PRIu64 " samples) are not shown: %s",
				 of->n, image_long_name(of->image), of->samples, of->why);
		if (of->hint)
			diag_hint(&d, "%s", of->hint);
		notes_take(notes, NOTE_WARNING, &d);
	}
}

int listing_kit_init(struct listing_kit *k, const struct annotate_request *how, unsigned n,
		     struct diag *diag)
{
	struct listing_tools t = {
		.with_lines = how->print_line,
		.raw = how->asm_raw == CHOICE_YES,
		.lock = &k->lock,
	};
	int r = how->style ? disassembler_syntax_parse(how->style, &t.syntax, diag) : 0;

	*k = (struct listing_kit){ 0 };
	if (r < 0)
		return r;
	pthread_mutex_init(&k->lock, NULL);
	t.code = k->code = code_store_new();
	if (how->source != CHOICE_NO)
		t.sources = k->sources = text_files_new(&(struct text_files_options){
			.prefix = how->prefix, .strip = how->prefix_strip });
	k->tools = xcalloc(n, sizeof(*k->tools));
	k->n = n;
	for (unsigned i = 0; i < n; i++)
		k->tools[i] = t;
	return 0;
}

void listing_kit_set_types(struct listing_kit *k, struct access_types *types)
{
	for (unsigned i = 0; i < k->n; i++)
		k->tools[i].types = types;
}

void listing_kit_done(struct listing_kit *k)
{
	if (!k->tools)
		return;
	for (unsigned i = 0; i < k->n; i++)
		listing_tools_done(&k->tools[i]);
	free(k->tools);
	text_files_free(k->sources);
	code_store_free(k->code);
	pthread_mutex_destroy(&k->lock);
	*k = (struct listing_kit){ 0 };
}
