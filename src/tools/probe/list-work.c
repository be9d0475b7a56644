/* SPDX-License-Identifier: MIT */
#include "tools/probe/list-work.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "kernel/tracefs.h"
#include "probe/kernel-probes.h"
#include "probe/probe-cache.h"
#include "probe/probe-request.h"
#include "probe/probe-target.h"
#include "probe/trace-probe.h"
#include "tools/probe/place-work.h"

struct probe_list_listing {
	const struct probe_request *rq;
	const char *pattern;
	const struct probe_list_sink *sink;
	/* the previous probe's target; probes come in order of targets */
	struct probe_target *target;
	char *target_name; /* its name; "" for the kernel; NULL: none was opened */
};

static void probe_list_listing_done(struct probe_list_listing *l)
{
	probe_target_free(l->target);
	free(l->target_name);
}

static bool probe_list_is_asked_for(const struct probe_list_listing *l, const struct trace_probe *p)
{
	return !*l->pattern || probe_is_called(p, l->pattern);
}

/*
 * Returns the image of @p. NULL: it cannot be read, and the probe is listed with the kernel's data.
 */
static struct probe_target *probe_list_target_of(struct probe_list_listing *l,
						 const struct trace_probe *p)
{
	struct probe_target_options to = probe_request_target(l->rq, p->is_user ? p->path : NULL,
							      p->is_user ? NULL : p->module);
	const char *name = p->is_user ? p->path : p->module ? p->module : "";
	_cleanup_(diag_done) struct diag ignored = { 0 };

	if (l->target_name && !strcmp(l->target_name, name))
		return l->target;
	probe_target_free(l->target);
	free(l->target_name);
	l->target = NULL;
	l->target_name = xstrdup(name);
	if (probe_target_open(&to, &l->target, &ignored) < 0)
		return NULL;
	return l->target;
}

static int list_kernel(struct probe_list_listing *l, struct diag *diag)
{
	_cleanup_(tracefs_freep) struct tracefs *fs = NULL;
	_cleanup_(kernel_probes_freep) struct kernel_probes *kernel = NULL;
	_cleanup_(trace_probes_done) struct trace_probes probes = { 0 };
	int r = tracefs_open(l->rq->tracing_dir, &fs, diag);

	if (r >= 0) {
		kernel = kernel_probes_new(fs);
		r = kernel_probes_read(kernel, &probes, diag);
	}
	for (size_t i = 0; i < probes.n && r >= 0; i++) {
		const struct trace_probe *p = &probes.items[i];

		if (probe_list_is_asked_for(l, p)) {
			struct probe_place place = probe_place_find(p, probe_list_target_of(l, p));

			l->sink->on_probe(l->sink->arg, p, &place);
		}
	}
	return r;
}

static int probe_list_image(const char *name, const struct build_id *id,
			    const struct cached_probes *probes, void *arg)
{
	const struct probe_list_listing *l = arg;
	bool told = false;

	for (size_t i = 0; i < probes->n; i++) {
		const struct cached_probe *p = &probes->items[i];

		if (!probe_list_is_asked_for(l, &p->places.items[0]))
			continue;
		if (!told)
			l->sink->on_cached_image(l->sink->arg, name, id);
		told = true;
		l->sink->on_cached(l->sink->arg, p);
	}
	return 0;
}

int probe_list_find(const struct probe_request *rq, const char *pattern,
		    const struct probe_list_sink *sink, struct diag *diag)
{
	_cleanup_(probe_list_listing_done) struct probe_list_listing l = { .rq = rq,
									   .pattern = pattern,
									   .sink = sink };

	if (!rq->cache)
		return list_kernel(&l, diag);
	probe_cache_for_each(rq->buildid_dir, probe_list_image, &l);
	return 0;
}
