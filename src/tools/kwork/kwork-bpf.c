/* SPDX-License-Identifier: MIT */
#include "tools/kwork/kwork-bpf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/memory.h"
#include "bpf/image.h"
#include "bpf/module.h"

/* The maximum number of rows. A row takes about 160 bytes, whether it is needed or not. */
#define ROWS_MAX 16384

struct bpf_kwork {
	struct bpf_module *module;
};

/*
 * The programs in the order in which they are attached. Ends come first, because a begin whose end
 * is missed would stay.
 */
static const struct {
	const char *name;
	uint32_t class;
	bool in_mode[3]; /* for RUNTIME, DELAY, USAGE */
} programs[] = {
	{ "on_irq_exit", BPF_KWORK_IRQ, { true, false, true } },
	{ "on_irq_entry", BPF_KWORK_IRQ, { true, false, true } },
	{ "on_softirq_exit", BPF_KWORK_SOFTIRQ, { true, false, true } },
	{ "on_softirq_entry", BPF_KWORK_SOFTIRQ, { true, true, true } },
	{ "on_softirq_raise", BPF_KWORK_SOFTIRQ, { false, true, false } },
	{ "on_work_end", BPF_KWORK_WORKQUEUE, { true, false, false } },
	{ "on_work_start", BPF_KWORK_WORKQUEUE, { true, true, false } },
	{ "on_work_activate", BPF_KWORK_WORKQUEUE, { false, true, false } },
	{ "on_switch", BPF_KWORK_SCHED, { false, false, true } },
};

void bpf_kwork_free(struct bpf_kwork *k)
{
	if (!k)
		return;
	bpf_module_free(k->module);
	free(k);
}

static bool bpf_kwork_is_needed(const struct bpf_kwork_request *rq, size_t program)
{
	return rq->classes[programs[program].class] && programs[program].in_mode[rq->mode];
}

static int bpf_kwork_prepare(const struct bpf_kwork_request *rq, struct bpf_module *m,
			     struct diag *diag)
{
	struct bpf_kwork_constants *c = bpf_module_constants(m, sizeof(*c));
	int r;

	if (!c)
		return diag_set(diag, -EOPNOTSUPP, "BPF: the constants of 'kwork' are missing");
	c->mode = rq->mode;
	c->begin_ns = clock_ns(CLOCK_MONOTONIC);
	r = bpf_module_size(m, "rows", ROWS_MAX);
	for (size_t i = 0; i < ARRAY_SIZE(programs) && r >= 0; i++)
		if (bpf_kwork_is_needed(rq, i))
			r = bpf_module_want(m, programs[i].name);
	return r;
}

int bpf_kwork_begin(const struct bpf_kwork_request *rq, struct bpf_kwork **ret, struct diag *diag)
{
	_cleanup_(bpf_kwork_freep) struct bpf_kwork *k = xcalloc(1, sizeof(*k));
	int r = bpf_module_open(&bpf_image_kwork, &k->module, diag);

	if (r >= 0)
		r = bpf_kwork_prepare(rq, k->module, diag);
	if (r >= 0)
		r = bpf_module_load(k->module, diag);
	for (size_t i = 0; i < ARRAY_SIZE(programs) && r >= 0; i++)
		if (bpf_kwork_is_needed(rq, i))
			r = bpf_module_attach_raw(k->module, programs[i].name, diag);
	if (r >= 0)
		*ret = TAKE(k);
	return r;
}

void bpf_kwork_stop(struct bpf_kwork *k)
{
	bpf_module_detach(k->module);
}

int bpf_kwork_read(const struct bpf_kwork *k,
		   void (*take)(void *arg, const struct bpf_kwork_key *key,
				const struct bpf_kwork_row *row),
		   void *arg, struct diag *diag)
{
	struct bpf_entries e;
	int r = bpf_module_read(k->module, "rows", &e, diag);

	if (r < 0)
		return r;
	for (size_t i = 0; i < e.n; i++) {
		struct bpf_kwork_key key;
		struct bpf_kwork_row row;

		memcpy(&key, e.keys + i * sizeof(key), sizeof(key));
		memcpy(&row, e.values + i * sizeof(row), sizeof(row));
		row.name[sizeof(row.name) - 1] = '\0';
		take(arg, &key, &row);
	}
	bpf_entries_done(&e);
	return 0;
}

int bpf_kwork_counts(const struct bpf_kwork *k, uint64_t *ret, struct diag *diag)
{
	return bpf_module_sum(k->module, "counts", BPF_KWORK_COUNTS, ret, diag);
}

uint64_t bpf_kwork_missed(const struct bpf_kwork *k)
{
	return bpf_module_missed(k->module);
}
