/* SPDX-License-Identifier: MIT */
#include "measure/record-facts.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/aux-info.h"
#include "capture/host-facts.h"
#include "capture/tracing.h"
#include "event/env.h"
#include "kernel/perf-event.h"
#include "measure/origin.h"
#include "measure/record-job.h"
#include "measure/record-unwind.h"
#include "transform/unwinding.h"

static void record_facts_add_id(struct record_facts *f, const struct record_job *j,
				const struct opened_event *e, size_t place)
{
	size_t task = opened_event_task(e, place);
	bool of_tasks = e->n_tasks > 1 || (j->targets.n == 1 && !j->system);

	*ARRAY_ADD(&f->ids) = (struct synth_id){
		.id = e->ids[place],
		.ring = record_rings_find(&j->rings, e, place),
		.cpu = opened_event_cpu(e, place),
		.tid = of_tasks ? j->targets.items[task].tid : -1,
	};
}

static void describe_event(struct record_facts *f, const struct record_job *j, size_t i)
{
	const struct opened_event *e = &j->opened.items[i];
	struct file_event *file = &f->events[i];

	recorded_event_ids(e, file);
	for (size_t place = 0; place < opened_event_places(e); place++)
		if (e->ids[place])
			record_facts_add_id(f, j, e, place);
	file->attr = record_unwind_attr(j, &e->event->attr);
	file->attr.size = perf_event_attr_size(&e->event->attr);
	f->opened[i] = *file;
	f->opened[i].attr = e->event->attr;
	f->recorded[i] = recorded_event_of(e, file);
}

static int take_tracing(struct record_facts *f, const struct record_job *j, struct diag *diag)
{
	struct tracefs *t;
	bool any = false;
	int r;

	for (size_t i = 0; i < f->n; i++)
		any |= f->recorded[i].tracepoint != NULL;
	if (!any)
		return 0;
	r = event_env_tracefs(j->env, &t, diag);
	if (r >= 0)
		r = tracing_collect(t, f->recorded, f->n, &f->early.tracing_data, diag);
	if (r >= 0)
		features_mark(&f->early, FEATURE_TRACING_DATA);
	return r;
}

static void take_form(struct record_facts *f, const struct record_job *j)
{
	uint32_t level = (uint32_t)j->rq->output.compression_level;
	size_t most = j->rings.items[0].ring.size + (size_t)sysconf(_SC_PAGESIZE);

	if (j->unwinds && most < UNWINDING_CHUNK_MAX)
		most = UNWINDING_CHUNK_MAX;
	if (level) {
		f->early.compressed.type = 1; /* zstd */
		f->early.compressed.level = level;
		f->early.compressed.ratio = 1;
		f->early.compressed.mmap_len = (uint32_t)most;
		features_mark(&f->early, FEATURE_COMPRESSED);
	}
	if (j->rq->buffer.threads.kind != THREADS_ONE) {
		f->early.dir_format = 1;
		features_mark(&f->early, FEATURE_DIR_FORMAT);
	}
}

static void take_machine(struct record_facts *f, const struct record_job *j)
{
	origin_describe(&f->early);
	host_facts_events(f->recorded, f->n, &f->early);
	host_facts_bpf(&f->early);
	if (j->sampling.rq.sample.clock.given)
		host_facts_clock(j->sampling.rq.sample.clock.id, &f->early);
}

static bool record_facts_take_clock(struct record_facts *f, const struct record_job *j)
{
	struct ring_clock c;

	if (!ring_clock(&j->rings.items[0].ring, &c))
		return false;
	f->time_conv = (struct record_time_conv){
		.time_shift = c.shift,
		.time_mult = c.mult,
		.time_zero = c.zero,
		.time_cycles = c.cycles,
		.time_mask = c.mask,
		.cap_user_time_zero = c.has_zero,
		.cap_user_time_short = c.has_short,
		.is_long = true,
	};
	return true;
}

static void take_trace(struct record_facts *f, const struct record_job *j)
{
	struct ring_clock clock;
	struct aux_info info = {
		.plan = &j->aux,
		.target = &j->sampling.aux_target,
		.event = j->events.items[0],
		.cpus = &j->cpus,
	};

	if (j->aux.type == AUXTRACE_NONE)
		return;
	if (ring_clock(&j->rings.items[0].ring, &clock))
		info.clock = &clock;
	for (size_t i = 0; i < j->events.n; i++) {
		const struct event *e = j->events.items[i];

		info.switches |= e->attr.context_switch;
		info.switches_of_all |= e->attr.context_switch && (e->whole_cpus || j->system);
	}
	aux_info_add(&info, &f->aux_info);
}

static void plan_synthesis(struct record_facts *f, const struct record_job *j)
{
	const struct sampling_request *s = &j->rq->sampling;
	const struct synth_choice *choice = &s->sideband.synth;
	unsigned types = choice->given ? choice->types : SYNTH_ALL;

	f->synth = (struct synth_plan){
		.attr = &f->events[0].attr,
		.time_conv = record_facts_take_clock(f, j) ? &f->time_conv : NULL,
		.ids = f->ids.items,
		.n_ids = f->ids.n,
		.aux_info = &f->aux_info,
		.events = f->recorded,
		.n_events = f->n,
		.tasks = &j->targets,
		.cpus = j->rq->target.per_thread ? NULL : &j->cpus,
		.workload = j->workload.pid,
		.kept = j->kept,
		.guests = j->rq->events.worlds == EVENT_HOST ? NULL : &j->rq->guests,
		.event_names = !j->path,
		.data_maps = choice_or(s->sample.data_maps,
				       s->sample.data_addr ||
					       callgraph_copies(s->callgraph.choice.mode)),
		.namespaces = s->sideband.namespaces,
		.cgroups = s->sideband.all_cgroups && (types & SYNTH_CGROUP),
		.build_ids = record_job_has_build_ids(j),
		/*
		 * The list of build-ids already has the kernel's. If it were here too, Linux's perf
		 * 6.1 would find no kernel names in some of its reports.
		 */
		.kernel_build_ids = record_job_has_build_ids(j) &&
				    j->rq->output.buildid_mmap == CHOICE_YES,
		.no_bpf_event = s->sideband.no_bpf_event,
		/* Linux's perf 6.1 stops at this record. It has no such filters either. */
		.bpf_metadata = j->filters != NULL,
		.no_tasks = !(types & (SYNTH_TASK | SYNTH_MMAP)),
		.no_maps = !(types & SYNTH_MMAP),
	};
}

int record_facts_gather(struct record_facts *f, const struct record_job *j, struct diag *diag)
{
	f->n = j->opened.n;
	f->recorded = xcalloc(f->n, sizeof(f->recorded[0]));
	f->events = xcalloc(f->n, sizeof(f->events[0]));
	f->opened = xcalloc(f->n, sizeof(f->opened[0]));
	for (size_t i = 0; i < f->n; i++)
		describe_event(f, j, i);
	take_machine(f, j);
	take_form(f, j);
	take_trace(f, j);
	plan_synthesis(f, j);
	return take_tracing(f, j, diag);
}

void record_facts_done(struct record_facts *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->events[i].ids);
	free(f->events);
	free(f->opened);
	free(f->recorded);
	free(f->ids.items);
	bytes_done(&f->aux_info);
	features_done(&f->early);
	*f = (struct record_facts){ 0 };
}
