/* SPDX-License-Identifier: MIT */
#include "tools/kmem/kmem-work.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "base/text.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "symbol/kallsyms.h"
#include "symbol/symbol.h"

/* Events are read this many at a time: what they look up comes from memory in the meantime. */
#define KMEM_AHEAD 16

struct kmem_reading {
	const struct kmem_request *rq;
	struct kmem *kmem;
	struct diag *diag;
};

void kmem_done(struct kmem *k)
{
	gfp_names_done(&k->gfp);
	page_callers_done(&k->callers);
	page_model_done(&k->page);
	slab_model_done(&k->slab);
	kmem_events_done(&k->events);
	recorded_done(&k->recorded);
	kallsyms_free(k->running);
}

static int kmem_refuse(const char *what, const char *option, struct diag *diag)
{
	return diag_set(diag, -ENODATA,
			"No %s allocation events found.  Have you run 'perf kmem record --%s'?",
			what, option);
}

/*
 * True if the kernel is older than Linux 4.4, which exchanged the numbers of movable and
 * reclaimable pages (enum migratetype).
 */
static bool has_old_types(const char *release)
{
	unsigned major, minor;

	return release && sscanf(release, "%u.%u", &major, &minor) == 2 &&
	       (major < 4 || (major == 4 && minor < 4));
}

static int kmem_begin(void *arg, struct consumer *c)
{
	struct kmem_reading *r = arg;
	const bool *has = r->kmem->events.has;

	kmem_events_bind(&r->kmem->events, c->session);
	if (r->rq->slab && !has[KMEM_ALLOC])
		return kmem_refuse("slab", "slab", r->diag);
	if (r->rq->page && !has[KMEM_PAGE_ALLOC])
		return kmem_refuse("page", "page", r->diag);
	slab_model_set_nodes(&r->kmem->slab, session_features(c->session));
	r->kmem->old_types = has_old_types(session_features(c->session)->os_release);
	return 0;
}

static bool kmem_wants(void *arg, const struct session_event *e)
{
	const struct kmem_reading *r = arg;

	switch (kmem_event_kind(&r->kmem->events, e)) {
	case KMEM_ALLOC:
	case KMEM_FREE:
		return r->rq->slab;
	case KMEM_PAGE_ALLOC:
	case KMEM_PAGE_FREE:
		return r->rq->page;
	default:
		return false;
	}
}

static void kmem_take(struct kmem *k, const struct kmem_event *e, const struct session_sample *s)
{
	switch (e->kind) {
	case KMEM_ALLOC:
		slab_model_alloc(&k->slab, e);
		break;
	case KMEM_FREE:
		slab_model_free(&k->slab, e);
		break;
	case KMEM_PAGE_ALLOC:
		page_model_alloc(&k->page, e,
				 page_callers_find(&k->callers, k->recorded.session, s));
		break;
	default:
		page_model_free(&k->page, e);
	}
}

/* Takes up to KMEM_AHEAD samples. All are read first, so that what they look up is at hand then. */
static void kmem_take_some(struct kmem *k, const struct session_sample *samples, size_t n)
{
	struct kmem_event events[KMEM_AHEAD];

	for (size_t i = 0; i < n; i++) {
		if (!kmem_event_read(&k->events, &samples[i], &events[i]))
			events[i].kind = KMEM_NONE;
		else if (events[i].kind == KMEM_ALLOC || events[i].kind == KMEM_FREE)
			slab_model_expect(&k->slab, events[i].ptr);
	}
	for (size_t i = 0; i < n; i++)
		if (events[i].kind != KMEM_NONE)
			kmem_take(k, &events[i], &samples[i]);
}

static int kmem_samples(void *arg, const struct sample_batch *b)
{
	struct kmem_reading *r = arg;

	for (size_t i = 0; i < b->n; i += KMEM_AHEAD)
		kmem_take_some(r->kmem, b->items + i,
			       b->n - i < KMEM_AHEAD ? b->n - i : KMEM_AHEAD);
	return 0;
}

static void kmem_name_flags(struct kmem *k)
{
	const struct session_event *e = k->events.page_alloc;
	size_t n;
	_cleanup_(freep) uint64_t *flags = page_model_flags(&k->page, &n);

	if (e)
		gfp_names_make(&k->gfp, e->format, flags, n);
}

int kmem_read(const struct kmem_request *rq, struct kmem *ret, struct notes *notes,
	      struct diag *diag)
{
	struct kmem_reading reading = { rq, ret, diag };
	const struct consumer c = { .order = CONSUMER_IN_ORDER,
				    .begin = kmem_begin,
				    .wants = kmem_wants,
				    .samples = kmem_samples,
				    .arg = &reading };
	int r;

	*ret = (struct kmem){ .page = { .live = rq->live, .wants_rows = rq->pages } };
	r = recorded_open(&rq->input, &ret->recorded, diag);
	if (r >= 0)
		r = recorded_feed(&ret->recorded, &c, notes, diag);
	kmem_name_flags(ret);
	return r;
}

/* Returns the function at @addr of the running kernel or one of its modules, or NULL. */
static const struct symbol *kmem_find_running(struct kallsyms *running, uint64_t addr)
{
	const struct symbol *found = symbol_table_find(kallsyms_kernel(running), addr);
	struct symbol_table *module;
	const char *name;

	for (size_t i = 0; !found && (module = kallsyms_module_at(running, i, &name)); i++)
		found = symbol_table_find(module, addr);
	return found;
}

const struct symbol *kmem_symbol(const struct kmem *k, uint64_t addr)
{
	struct location l;

	if (k->running)
		return kmem_find_running(k->running, addr);
	return k->recorded.session &&
			       machine_resolve(k->recorded.session, 0, ADDRESS_KERNEL, addr, 0, &l)
		       ? l.sym
		       : NULL;
}

bool kmem_name(void *kmem, uint64_t addr, bool with_offset, struct text *out)
{
	const struct symbol *sym = kmem_symbol(kmem, addr);

	if (!sym)
		return false;
	text_add(out, sym->name);
	if (with_offset)
		text_addf(out, "+%" PRIx64, addr - sym->start);
	return true;
}
