/* SPDX-License-Identifier: MIT */
#include "bpf/counters.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/memory.h"
#include "bpf/counters-types.h"
#include "bpf/explain.h"
#include "bpf/image.h"
#include "bpf/module.h"
#include "bpf/targets.h"
#include "wire/count.h"

/*
 * The capacity for tasks that run at once in addition to those named. An entry takes about 60
 * bytes.
 */
#define CHILDREN_MAX 32768

struct bpf_counters {
	struct bpf_module *module;
	const struct cpu_list *cpus;
	size_t n_events;
	bool of_program;
	int n_cpus; /* number of all possible CPUs */
	struct counters_sum *sums;
};

void bpf_counters_free(struct bpf_counters *c)
{
	if (!c)
		return;
	bpf_module_free(c->module);
	free(c->sums);
	free(c);
}

static size_t slots_of(const struct bpf_counters_request *rq)
{
	return rq->n_tids ? rq->n_tids : rq->n_cgroups ? rq->n_cgroups : 1;
}

static uint32_t of_whom(const struct bpf_counters_request *rq)
{
	return rq->n_tids      ? COUNTERS_OF_TASKS
	       : rq->n_cgroups ? COUNTERS_OF_CGROUPS
			       : COUNTERS_OF_CPUS;
}

static int bpf_counters_want_programs(const struct bpf_counters_request *rq, struct bpf_module *m)
{
	int r;

	if (rq->program_id) {
		r = bpf_module_want(m, "on_entry");
		return r < 0 ? r : bpf_module_want(m, "on_return");
	}
	r = bpf_module_want(m, "control");
	if (r >= 0 && (rq->n_tids || rq->n_cgroups))
		r = bpf_module_want(m, "on_switch");
	if (r >= 0 && rq->n_tids && rq->wait_for_exec)
		r = bpf_module_want(m, "on_rename");
	if (r >= 0 && rq->n_tids && rq->inherit)
		r = bpf_module_want(m, "on_fork");
	if (r >= 0 && rq->n_tids)
		r = bpf_module_want(m, "on_exec");
	return r >= 0 && rq->n_tids ? bpf_module_want(m, "on_free") : r;
}

static int bpf_counters_prepare(const struct bpf_counters_request *rq, struct bpf_module *m,
				struct diag *diag)
{
	struct counters_constants *c = bpf_module_constants(m, sizeof(*c));
	int r;

	if (!c || rq->n_events > COUNTERS_EVENTS_MAX)
		return diag_set(diag, -E2BIG, "BPF programs count up to %d events, not %zu",
				COUNTERS_EVENTS_MAX, rq->n_events);
	*c = (struct counters_constants){ .of = of_whom(rq),
					  .n_events = (uint32_t)rq->n_events,
					  .inherit = rq->inherit };
	r = bpf_counters_want_programs(rq, m);
	if (r >= 0)
		r = bpf_module_size(m, "sums", (uint32_t)(slots_of(rq) * rq->n_events));
	if (r >= 0 && rq->n_tids)
		r = bpf_module_size(m, "tasks", (uint32_t)rq->n_tids + CHILDREN_MAX);
	if (r >= 0 && rq->n_cgroups)
		r = bpf_module_size(m, "groups", (uint32_t)rq->n_cgroups);
	if (r < 0)
		return diag_set(diag, r, "BPF: the object has not what is needed");
	if (rq->program_id)
		r = bpf_module_aim(m, "on_entry", rq->program_id, diag);
	return r >= 0 && rq->program_id ? bpf_module_aim(m, "on_return", rq->program_id, diag) : r;
}

static int bpf_counters_fill(const struct bpf_counters_request *rq, struct bpf_module *m,
			     struct diag *diag)
{
	int r = 0;

	for (uint32_t i = 0; i < rq->n_events && r >= 0; i++)
		r = bpf_module_put(m, "events", &i, &rq->arrays[i], diag);
	for (uint32_t i = 0; i < rq->n_tids && r >= 0; i++) {
		uint32_t tid = (uint32_t)rq->tids[i];
		uint32_t slot = i | (rq->wait_for_exec ? COUNTERS_WAITS : 0);

		r = bpf_module_put(m, "tasks", &tid, &slot, diag);
	}
	for (uint32_t i = 0; i < rq->n_cgroups && r >= 0; i++)
		r = bpf_module_put(m, "groups", &rq->cgroup_ids[i], &i, diag);
	return r;
}

/*
 * Loads the programs. The set of functions that may be attached to another program differs from
 * kernel to kernel.
 */
static int bpf_counters_load(const struct bpf_counters_request *rq, struct bpf_module *m,
			     struct diag *diag)
{
	int r = bpf_module_load(m, diag);
	_cleanup_(freep) char *why = r < 0 && diag->message ? xstrdup(diag->message) : NULL;

	if (r >= 0 || !rq->program_id || !bpf_facts_gather().may_load)
		return r;
	diag_set(diag, r, "this kernel lets nothing be attached to BPF program %u: %s",
		 rq->program_id, r == -EPERM || !why ? "fentry and fexit are not permitted" : why);
	diag_hint(diag,
		  "They need CONFIG_FUNCTION_TRACER and CONFIG_DYNAMIC_FTRACE, and Linux 6.8 for "
		  "programs at raw tracepoints with types (tp_btf).");
	return r;
}

/* Attaches the programs so that new tasks are known before they run. */
static int bpf_counters_attach(struct bpf_module *m, struct diag *diag)
{
	static const char *const programs[] = { "on_free",   "on_exec",   "on_fork", "on_rename",
						"on_switch", "on_return", "on_entry" };
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(programs) && r >= 0; i++)
		if (bpf_module_program_fd(m, programs[i]) >= 0)
			r = bpf_module_attach_raw(m, programs[i], diag);
	return r;
}

int bpf_counters_open(const struct bpf_counters_request *rq, struct bpf_counters **ret,
		      struct diag *diag)
{
	_cleanup_(bpf_counters_freep) struct bpf_counters *c = xcalloc(1, sizeof(*c));
	int r = rq->n_tids ? bpf_targets_check_namespace(diag) : 0;

	c->cpus = rq->cpus;
	c->n_events = rq->n_events;
	c->of_program = rq->program_id;
	c->n_cpus = bpf_module_cpus();
	if (r >= 0)
		r = bpf_module_open(&bpf_image_counters, &c->module, diag);
	if (r >= 0 && c->n_cpus < 0)
		r = diag_set(diag, c->n_cpus, "BPF: the number of CPUs is unknown");
	if (r >= 0)
		r = bpf_counters_prepare(rq, c->module, diag);
	if (r >= 0)
		r = bpf_counters_load(rq, c->module, diag);
	if (r >= 0)
		r = bpf_counters_fill(rq, c->module, diag);
	if (r >= 0)
		r = bpf_counters_attach(c->module, diag);
	if (r < 0)
		return r;
	c->sums = xcalloc((size_t)c->n_cpus, sizeof(*c->sums));
	*ret = TAKE(c);
	return 0;
}

static int command_all(struct bpf_counters *c, uint64_t command)
{
	int r = 0;

	for (size_t i = 0; i < c->cpus->n && r >= 0 && !c->of_program; i++) {
		r = bpf_module_run_on(c->module, "control", (int)c->cpus->items[i], command);
		/* A CPU that went offline has nothing to report. */
		if (r == -ENXIO)
			r = 0;
	}
	return r;
}

static int bpf_counters_enable(struct bpf_counters *c, uint32_t on)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	uint32_t zero = 0;

	return bpf_module_put(c->module, "enabled", &zero, &on, &ignored);
}

int bpf_counters_start(struct bpf_counters *c)
{
	int r = bpf_counters_enable(c, 1);

	return r < 0 ? r : command_all(c, COUNTERS_START);
}

int bpf_counters_stop(struct bpf_counters *c)
{
	int r = bpf_counters_enable(c, 0);

	return r < 0 ? r : command_all(c, COUNTERS_STOP);
}

int bpf_counters_flush(struct bpf_counters *c)
{
	return command_all(c, COUNTERS_FLUSH);
}

int bpf_counters_read(const struct bpf_counters *c, size_t slot, size_t event, struct count *ret)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	uint32_t key = (uint32_t)(slot * c->n_events + event);
	int r = bpf_module_look_up(c->module, "sums", &key, c->sums, &ignored);

	for (int i = 0; i < c->n_cpus && r >= 0; i++)
		ret[i] = (struct count){ .value = c->sums[i].count,
					 .enabled = c->sums[i].enabled_ns,
					 .running = c->sums[i].running_ns };
	return r;
}

int bpf_counters_lost(const struct bpf_counters *c, uint64_t *ret_tasks, uint64_t *ret_reads)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	uint64_t losses[COUNTERS_LOSSES];
	int r = bpf_module_sum(c->module, "losses", COUNTERS_LOSSES, losses, &ignored);

	if (r < 0)
		return r;
	*ret_tasks = losses[COUNTERS_LOST_TASKS];
	*ret_reads = losses[COUNTERS_LOST_READS];
	return 0;
}
