/* SPDX-License-Identifier: MIT */
#include "measure/record-drains.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "kernel/topology.h"
#include "measure/record-job.h"

/*
 * Returns the key of the thread that gets the rings of CPU @cpu. Rings with the same key share one
 * thread.
 */
static int64_t record_drains_key_of(const struct thread_layout *layout, const struct topology *t,
				    int cpu)
{
	const struct cpu_place *p = cpu < 0 ? NULL : topology_find(t, (unsigned)cpu);

	switch (layout->kind) {
	case THREADS_PER_CORE:
		return p ? (int64_t)p->socket << 40 | (int64_t)(p->die + 1) << 24 | (p->core + 1)
			 : -1;
	case THREADS_PER_PACKAGE:
		return p ? p->socket : -1;
	case THREADS_PER_NUMA:
		return p ? p->node : -1;
	case THREADS_LISTED:
		for (size_t i = 0; i < layout->n && cpu >= 0; i++)
			if (cpu_list_contains(&layout->items[i].cpus, (unsigned)cpu))
				return (int64_t)i;
		return -1;
	default:
		return cpu;
	}
}

static struct record_drain *add_drain(struct record_job *j)
{
	const struct record_request *rq = j->rq;
	struct record_drain *d = &j->drains[j->n_drains++];

	*d = (struct record_drain)RECORD_DRAIN_NONE;
	d->compress = rq->output.compression_level;
	d->kept = j->kept;
	d->build_ids = record_job_has_build_ids(j);
	d->eager = rq->buffer.no_buffering;
	d->snapshot_bytes = j->aux.snapshot_bytes;
	d->least_bytes = rq->buffer.flush_bytes ? rq->buffer.flush_bytes : 1;
	return d;
}

static int make_threads(struct record_job *j, const struct topology *t, struct diag *diag)
{
	const struct thread_layout *layout = &j->rq->buffer.threads;
	_cleanup_(freep) int64_t *keys = xcalloc(j->rings.n, sizeof(*keys));

	for (size_t i = 0; i < j->rings.n; i++) {
		int64_t key = record_drains_key_of(layout, t, j->rings.items[i].cpu);
		size_t d = 0;

		if (key < 0 && layout->kind == THREADS_LISTED) {
			diag_set(diag, -EINVAL, "--threads leaves out CPU %d, which is recorded",
				 j->rings.items[i].cpu);
			diag_hint(diag, "Name every CPU once before a slash: 0/0:1-3/1");
			return -EINVAL;
		}
		while (d < j->n_drains && keys[d] != key)
			d++;
		if (d == j->n_drains) {
			struct record_drain *drain = add_drain(j);

			keys[d] = key;
			drain->part = (unsigned)d + 1;
			if (layout->kind == THREADS_LISTED)
				drain->affinity = &layout->items[key].affinity;
		}
		*ARRAY_ADD(&j->drains[d]) = &j->rings.items[i];
	}
	return 0;
}

/* Gives the sources that are not rings to the first drain. */
static void record_drains_add_sources(struct record_job *j)
{
	j->drains->others = j->sources;
	j->drains->n_others = j->n_sources;
}

static int divide_rings(struct record_job *j, struct diag *diag)
{
	_cleanup_(topology_done) struct topology t = { 0 };
	int r;

	j->drains = xcalloc(j->rings.n, sizeof(j->drains[0]));
	if (j->rq->buffer.threads.kind == THREADS_ONE) {
		struct record_drain *d = add_drain(j);

		d->rounds = true;
		for (size_t i = 0; i < j->rings.n; i++)
			*ARRAY_ADD(d) = &j->rings.items[i];
		return 0;
	}
	r = topology_read(SYSTEM_DEVICES, &t, diag);
	return r < 0 ? r : make_threads(j, &t, diag);
}

int record_drains_make(struct record_job *j, struct diag *diag)
{
	int r = divide_rings(j, diag);

	if (r >= 0 && j->n_drains)
		record_drains_add_sources(j);
	return r;
}

void record_drains_done(struct record_job *j)
{
	for (size_t i = 0; i < j->n_drains; i++)
		record_drain_done(&j->drains[i]);
	free(j->drains);
	j->drains = NULL;
	j->n_drains = 0;
}
