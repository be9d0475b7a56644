/* SPDX-License-Identifier: MIT */
#include "bpf/stack-sample.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "bpf/image.h"
#include "bpf/module.h"

/* Space for tens of thousands of stacks of usual depth: seconds, at usual rates. */
#define RING_BYTES ((size_t)8 << 20)

struct stack_samples {
	struct bpf_module *module;
	struct unwind_tables *tables;
	struct bpf_reader *reader;
	stack_sample_fn *take;
	void *arg;
};

void stack_samples_free(struct stack_samples *s)
{
	if (!s)
		return;
	unwind_tables_free(s->tables);
	bpf_reader_close(s->reader);
	bpf_module_free(s->module);
	free(s);
}

static int stack_sample_prepare(const struct stack_samples_request *rq, struct bpf_module *m,
				struct diag *diag)
{
	struct stack_sample_constants *c = bpf_module_constants(m, sizeof(*c));
	size_t bytes = rq->ring_bytes ? rq->ring_bytes : RING_BYTES;
	int r;

	if (!c)
		return diag_set(diag, -EOPNOTSUPP, "BPF: the program has no constants");
	r = unwind_tables_prepare(m, &c->host, diag);
	if (r < 0)
		return r;
	c->no_kernel = rq->no_kernel;
	c->is_test = rq->is_test;
	c->max_kernel = rq->max_kernel < STACK_SAMPLE_KERNEL_MAX ? rq->max_kernel
								 : STACK_SAMPLE_KERNEL_MAX;
	c->wakeup_bytes = (uint32_t)(bytes / 4);
	bpf_module_size(m, "samples", (uint32_t)bytes);
	return bpf_module_want(m, "stack_sample");
}

/* True if the data that a program has put into the ring is a sample with all its frames. */
static bool stack_sample_is_whole(const struct stack_sample *s, size_t size)
{
	size_t n = (size - sizeof(*s)) / sizeof(uint64_t);

	return s->n_kernel <= n && s->n_user <= n - s->n_kernel;
}

static int stack_sample_take_bytes(void *arg, const void *bytes, size_t size)
{
	struct stack_samples *s = arg;
	const struct stack_sample *sample = bytes;

	if (size < sizeof(*sample) || !stack_sample_is_whole(sample, size))
		return 0;
	return s->take(s->arg, sample, (const uint64_t *)(sample + 1));
}

int stack_samples_open(const struct stack_samples_request *rq, struct stack_samples **ret,
		       struct diag *diag)
{
	_cleanup_(stack_samples_freep) struct stack_samples *s = xcalloc(1, sizeof(*s));
	int r = bpf_module_open(&bpf_image_stack_sample, &s->module, diag);

	if (r >= 0)
		r = stack_sample_prepare(rq, s->module, diag);
	if (r >= 0)
		r = bpf_module_load(s->module, diag);
	if (r >= 0)
		r = bpf_reader_open(s->module, "samples", stack_sample_take_bytes, s, &s->reader,
				    diag);
	if (r >= 0)
		r = unwind_tables_start(s->module, rq->functions, &s->tables, diag);
	if (r >= 0)
		*ret = TAKE(s);
	return r;
}

int stack_samples_attach(struct stack_samples *s, int fd, const char *name, struct diag *diag)
{
	return bpf_module_attach_event(s->module, "stack_sample", fd, name, diag);
}

int stack_samples_fd(const struct stack_samples *s)
{
	return bpf_reader_fd(s->reader);
}

int stack_samples_read(struct stack_samples *s, stack_sample_fn *take, void *arg)
{
	s->take = take;
	s->arg = arg;
	return bpf_reader_read(s->reader);
}

int stack_samples_facts(const struct stack_samples *s, struct unwind_tables_facts *ret,
			struct diag *diag)
{
	return unwind_tables_facts(s->tables, ret, diag);
}
