/* SPDX-License-Identifier: MIT */
#include "capture/synth.h"

#include "base/bytes.h"
#include "capture/synth-internal.h"

void synth_add(const struct synth_plan *p, const struct record *r, struct bytes *out)
{
	(void)record_encode(r, p->attr, out);
}

static void time_conv(const struct synth_plan *p, struct bytes *out)
{
	struct record r = { .header.type = PERF_RECORD_TIME_CONV };

	if (!p->time_conv)
		return;
	r.time_conv = *p->time_conv;
	synth_add(p, &r, out);
}

static void finished_init(const struct synth_plan *p, struct bytes *out)
{
	const struct record r = { .header.type = PERF_RECORD_FINISHED_INIT };

	synth_add(p, &r, out);
}

static void capture_synth_state(const struct synth_plan *p, bool again, struct bytes *out)
{
	time_conv(p, out);
	synth_id_index(p, out);
	if (p->aux_info && p->aux_info->n)
		bytes_add(out, p->aux_info->data, p->aux_info->n);
	synth_kernel(p, out);
	synth_guest_kernels(p, out);
	synth_event_updates(p, out);
	synth_thread_map(p, out);
	synth_cpu_map(p, out);
	synth_bpf(p, out);
	if (p->cgroups)
		synth_cgroups(p, out);
	if (!p->no_tasks)
		synth_tasks(p, again, out);
}

void synth_prologue(const struct synth_plan *p, struct bytes *out)
{
	capture_synth_state(p, false, out);
	if (p->workload)
		synth_workload(p, out);
	finished_init(p, out);
}

void synth_state(const struct synth_plan *p, struct bytes *out)
{
	capture_synth_state(p, true, out);
}

static void synth_add_lost(const struct attr *attr, uint64_t id, uint64_t lost, uint16_t misc,
			   struct bytes *out)
{
	const struct record r = {
		.header.type = PERF_RECORD_LOST_SAMPLES,
		.header.misc = misc,
		.id.id = id,
		.lost.lost = lost,
	};

	(void)record_encode(&r, attr, out);
}

void synth_lost_samples(const struct attr *attr, uint64_t id, uint64_t lost, struct bytes *out)
{
	synth_add_lost(attr, id, lost, 0, out);
}

void synth_lost(const struct attr *attr, uint64_t id, uint64_t lost, uint64_t time_ns,
		struct bytes *out)
{
	const struct record r = {
		.header.type = PERF_RECORD_LOST,
		.id = { .id = id, .time = time_ns },
		.lost = { .id = id, .lost = lost },
	};

	(void)record_encode(&r, attr, out);
}

void synth_dropped_samples(const struct attr *attr, uint64_t id, uint64_t n, struct bytes *out)
{
	synth_add_lost(attr, id, n, PERF_RECORD_MISC_LOST_SAMPLES_BPF, out);
}
