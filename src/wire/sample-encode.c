/* SPDX-License-Identifier: MIT */
/* Encodes samples: the reverse of wire/sample.c, field by field in the same order. */
#include <errno.h>
#include <string.h>

#include "wire/record-codec.h"
#include "wire/sample.h"

static void put_fixed(const struct sample *s, uint64_t type, struct bytes *out)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		bytes_u64(out, s->id);
	if (type & PERF_SAMPLE_IP)
		bytes_u64(out, s->ip);
	if (type & PERF_SAMPLE_TID) {
		bytes_u32(out, s->pid);
		bytes_u32(out, s->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		bytes_u64(out, s->time);
	if (type & PERF_SAMPLE_ADDR)
		bytes_u64(out, s->addr);
	if (type & PERF_SAMPLE_ID)
		bytes_u64(out, s->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		bytes_u64(out, s->stream_id);
	if (type & PERF_SAMPLE_CPU) {
		bytes_u32(out, s->cpu);
		bytes_u32(out, 0);
	}
	if (type & PERF_SAMPLE_PERIOD)
		bytes_u64(out, s->period);
}

static void put_branches(const struct sample *s, const struct attr *attr, struct bytes *out)
{
	size_t n = s->branches.n / 3;

	bytes_u64(out, n);
	if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		bytes_u64(out, s->branch_hw_index);
	for (size_t i = 0; i < n; i++) {
		struct branch b = sample_branch(s, i);

		bytes_u64(out, b.from);
		bytes_u64(out, b.to);
		bytes_u64(out, b.flags);
	}
	if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_COUNTERS)
		words_put(&s->branch_counters, out);
}

static void put_simd_regs(const struct sample_simd_regs *r, struct bytes *out)
{
	const uint16_t counts[] = { r->vectors, r->vector_words, r->predicates,
				    r->predicate_words };

	bytes_add(out, counts, sizeof(counts));
	words_put(&r->values, out);
}

static void put_regs(const struct sample_regs *r, struct bytes *out)
{
	bytes_u64(out, r->abi);
	if (!r->abi)
		return;
	words_put(&r->values, out);
	if (r->abi & REGS_ABI_SIMD)
		put_simd_regs(&r->simd, out);
}

static void put_stack(const struct sample *s, struct bytes *out)
{
	bytes_u64(out, s->stack_size);
	if (!s->stack_size)
		return;
	bytes_add(out, s->stack, s->stack_size);
	bytes_u64(out, s->stack_dyn_size);
}

/* Puts the part before the copied stack, which can have any length. */
static void put_variable(const struct sample *s, const struct attr *attr, struct bytes *out)
{
	uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_READ)
		read_put(&s->read, out);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		bytes_u64(out, s->chain.n);
		words_put(&s->chain, out);
	}
	if (type & PERF_SAMPLE_RAW) {
		bytes_u32(out, s->raw_size);
		bytes_add(out, s->raw, s->raw_size);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(s, attr, out);
	if (type & PERF_SAMPLE_REGS_USER)
		put_regs(&s->user_regs, out);
	if (type & PERF_SAMPLE_STACK_USER)
		put_stack(s, out);
}

static void put_memory_access(const struct sample *s, uint64_t type, struct bytes *out)
{
	if (type & PERF_SAMPLE_WEIGHT_STRUCT)
		bytes_u64(out, (uint32_t)s->weight | (uint64_t)s->ins_latency << 32 |
				       (uint64_t)s->p_stage_cyc << 48);
	else if (type & PERF_SAMPLE_WEIGHT)
		bytes_u64(out, s->weight);
	if (type & PERF_SAMPLE_DATA_SRC)
		bytes_u64(out, s->data_src);
	if (type & PERF_SAMPLE_TRANSACTION)
		bytes_u64(out, s->transaction);
	if (type & PERF_SAMPLE_REGS_INTR)
		put_regs(&s->intr_regs, out);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		bytes_u64(out, s->phys_addr);
	if (type & PERF_SAMPLE_CGROUP)
		bytes_u64(out, s->cgroup);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		bytes_u64(out, s->data_page_size);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		bytes_u64(out, s->code_page_size);
	if (type & PERF_SAMPLE_AUX) {
		bytes_u64(out, s->aux_size);
		bytes_add(out, s->aux, s->aux_size);
	}
}

int sample_encode(const struct sample *s, const struct attr *attr, struct bytes *out)
{
	struct record_header h = { .type = PERF_RECORD_SAMPLE, .misc = s->misc };
	size_t start = out->n, size;

	bytes_zero(out, RECORD_HEADER_SIZE);
	put_fixed(s, attr->sample_type, out);
	put_variable(s, attr, out);
	put_memory_access(s, attr->sample_type, out);

	size = out->n - start;
	if (size > UINT16_MAX) {
		out->n = start;
		return -EMSGSIZE;
	}
	h.size = (uint16_t)size;
	memcpy(out->data + start, &h, sizeof(h));
	return 0;
}
