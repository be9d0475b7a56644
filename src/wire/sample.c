/* SPDX-License-Identifier: MIT */
/*
 * Decodes samples. The fields up to PERIOD are single words, so their positions follow from
 * sample_type alone: one check covers them all. The rest is a table, in the order of the kernel's
 * perf_output_sample().
 */
#include "wire/sample.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "wire/record-codec.h"

#define WORD sizeof(uint64_t)

/* The fixed words, those before TIME, and those before ID. */
#define BEFORE_TIME (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID)
#define BEFORE_ID   (BEFORE_TIME | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR)
#define FIXED                                                                                      \
	(BEFORE_ID | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/*
 * What `perf record` asks for with tracepoints: the first with -a. These samples are a case of
 * their own, because large files have many millions of them.
 */
#define USUAL                                                                                      \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |                   \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW)
#define USUAL_IDENTIFIER (USUAL | PERF_SAMPLE_IDENTIFIER)
#define USUAL_ID         (USUAL | PERF_SAMPLE_ID)
#define USUAL_FIXED      (RECORD_HEADER_SIZE + 6 * WORD)

/* Few bits are set; the loop is faster than the library's function for machines without popcnt. */
static inline size_t sample_words_of(const struct attr *attr, uint64_t fields)
{
	size_t n = 0;

	for (uint64_t bits = attr->sample_type & fields; bits; bits &= bits - 1)
		n++;
	return n;
}

int sample_time_offset(const struct attr *attr)
{
	if (!(attr->sample_type & PERF_SAMPLE_TIME))
		return -1;
	return (int)(RECORD_HEADER_SIZE + WORD * sample_words_of(attr, BEFORE_TIME));
}

int sample_id_offset(const struct attr *attr)
{
	if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
		return RECORD_HEADER_SIZE;
	if (!(attr->sample_type & PERF_SAMPLE_ID))
		return -1;
	return (int)(RECORD_HEADER_SIZE + WORD * sample_words_of(attr, BEFORE_ID));
}

static uint64_t sample_next_word(const uint8_t **at, bool swap)
{
	uint64_t v;

	memcpy(&v, *at, sizeof(v));
	*at += sizeof(v);
	return swap ? __builtin_bswap64(v) : v;
}

/* Takes one of two u32 in one word, which are swapped separately. */
static uint32_t next_half(const uint8_t **at, bool swap)
{
	uint32_t v;

	memcpy(&v, *at, sizeof(v));
	*at += sizeof(v);
	return swap ? __builtin_bswap32(v) : v;
}

/* Takes the fixed fields; returns where the next field begins. */
static inline const uint8_t *take_fixed(const uint8_t *at, bool swap, uint64_t type,
					struct sample *s)
{
	uint64_t id;

	if (type & PERF_SAMPLE_IDENTIFIER)
		s->id = sample_next_word(&at, swap);
	if (type & PERF_SAMPLE_IP)
		s->ip = sample_next_word(&at, swap);
	if (type & PERF_SAMPLE_TID) {
		s->pid = next_half(&at, swap);
		s->tid = next_half(&at, swap);
	}
	if (type & PERF_SAMPLE_TIME)
		s->time = sample_next_word(&at, swap);
	if (type & PERF_SAMPLE_ADDR)
		s->addr = sample_next_word(&at, swap);
	if (type & PERF_SAMPLE_ID) {
		id = sample_next_word(&at, swap);
		if (!(type & PERF_SAMPLE_IDENTIFIER))
			s->id = id;
	}
	if (type & PERF_SAMPLE_STREAM_ID)
		s->stream_id = sample_next_word(&at, swap);
	if (type & PERF_SAMPLE_CPU) {
		s->cpu = next_half(&at, swap);
		at += sizeof(uint32_t);
	}
	if (type & PERF_SAMPLE_PERIOD)
		s->period = sample_next_word(&at, swap);
	return at;
}

static void take_read(struct cursor *c, const struct attr *attr, struct sample *s)
{
	read_take(c, attr->read_format, &s->read);
}

static void sample_take_chain(struct cursor *c, const struct attr *attr, struct sample *s)
{
	(void)attr;
	s->chain = words_take(c, cursor_u64(c));
}

static void take_raw(struct cursor *c, const struct attr *attr, struct sample *s)
{
	(void)attr;
	s->raw_size = cursor_u32(c);
	s->raw = cursor_bytes(c, s->raw_size);
}

/* u64 nr; [u64 hw_index]; { u64 from, to, flags; }[nr]; [u64 counters[nr]] */
static void take_branches(struct cursor *c, const struct attr *attr, struct sample *s)
{
	uint64_t nr = cursor_u64(c);

	if (nr > cursor_left(c) / WORD) {
		c->bad = true;
		return;
	}
	if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		s->branch_hw_index = cursor_u64(c);
	s->branches = words_take(c, 3 * nr);
	if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_COUNTERS)
		s->branch_counters = words_take(c, nr);
}

/* u16 vectors, words of each, predicates, words of each; u64 values[] */
static void simd_regs_take(struct cursor *c, struct sample_simd_regs *r)
{
	r->vectors = cursor_u16(c);
	r->vector_words = cursor_u16(c);
	r->predicates = cursor_u16(c);
	r->predicate_words = cursor_u16(c);
	r->values = words_take(c, (uint64_t)r->vectors * r->vector_words +
					  (uint64_t)r->predicates * r->predicate_words);
}

static void regs_take(struct cursor *c, uint64_t mask, struct sample_regs *r)
{
	r->abi = cursor_u64(c);
	if (!r->abi)
		return;
	r->mask = mask;
	r->values = words_take(c, (uint64_t)__builtin_popcountll(mask));
	if (r->abi & REGS_ABI_SIMD)
		simd_regs_take(c, &r->simd);
}

static void take_user_regs(struct cursor *c, const struct attr *attr, struct sample *s)
{
	regs_take(c, attr->sample_regs_user, &s->user_regs);
}

static void take_intr_regs(struct cursor *c, const struct attr *attr, struct sample *s)
{
	regs_take(c, attr->sample_regs_intr, &s->intr_regs);
}

/* u64 size; and unless that is 0 bytes[size]; u64 dyn_size */
static void sample_take_stack(struct cursor *c, const struct attr *attr, struct sample *s)
{
	(void)attr;
	s->stack_size = cursor_u64(c);
	s->stack = cursor_bytes(c, s->stack_size);
	if (!s->stack_size)
		return;
	s->stack_dyn_size = cursor_u64(c);
	if (s->stack_dyn_size > s->stack_size)
		c->bad = true;
}

/*
 * Takes a weight. Its struct is declared for either byte order, so the word can be read unchanged.
 */
static void take_weight(struct cursor *c, const struct attr *attr, struct sample *s)
{
	s->weight = cursor_u64(c);
	if (attr->sample_type & PERF_SAMPLE_WEIGHT_STRUCT) {
		s->ins_latency = (uint16_t)(s->weight >> 32);
		s->p_stage_cyc = (uint16_t)(s->weight >> 48);
		s->weight = (uint32_t)s->weight;
	}
}

static void take_data_src(struct cursor *c, const struct attr *attr, struct sample *s)
{
	(void)attr;
	s->data_src = cursor_u64(c);
}

static void sample_take_transaction(struct cursor *c, const struct attr *attr, struct sample *s)
{
	(void)attr;
	s->transaction = cursor_u64(c);
}

static void take_phys_addr(struct cursor *c, const struct attr *attr, struct sample *s)
{
	(void)attr;
	s->phys_addr = cursor_u64(c);
}

static void sample_take_cgroup(struct cursor *c, const struct attr *attr, struct sample *s)
{
	(void)attr;
	s->cgroup = cursor_u64(c);
}

static void take_data_page_size(struct cursor *c, const struct attr *attr, struct sample *s)
{
	(void)attr;
	s->data_page_size = cursor_u64(c);
}

static void take_code_page_size(struct cursor *c, const struct attr *attr, struct sample *s)
{
	(void)attr;
	s->code_page_size = cursor_u64(c);
}

static void take_aux(struct cursor *c, const struct attr *attr, struct sample *s)
{
	(void)attr;
	s->aux_size = cursor_u64(c);
	s->aux = cursor_bytes(c, s->aux_size);
}

static const struct {
	uint64_t bits;
	void (*take)(struct cursor *c, const struct attr *attr, struct sample *s);
} fields[] = {
	{ PERF_SAMPLE_READ, take_read },
	{ PERF_SAMPLE_CALLCHAIN, sample_take_chain },
	{ PERF_SAMPLE_RAW, take_raw },
	{ PERF_SAMPLE_BRANCH_STACK, take_branches },
	{ PERF_SAMPLE_REGS_USER, take_user_regs },
	{ PERF_SAMPLE_STACK_USER, sample_take_stack },
	{ PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, take_weight },
	{ PERF_SAMPLE_DATA_SRC, take_data_src },
	{ PERF_SAMPLE_TRANSACTION, sample_take_transaction },
	{ PERF_SAMPLE_REGS_INTR, take_intr_regs },
	{ PERF_SAMPLE_PHYS_ADDR, take_phys_addr },
	{ PERF_SAMPLE_CGROUP, sample_take_cgroup },
	{ PERF_SAMPLE_DATA_PAGE_SIZE, take_data_page_size },
	{ PERF_SAMPLE_CODE_PAGE_SIZE, take_code_page_size },
	{ PERF_SAMPLE_AUX, take_aux },
};

bool sample_is_plain(const struct attr *attr)
{
	return !(attr->sample_type & ~(FIXED | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW));
}

int sample_decode(const void *bytes, size_t size, bool swap, const struct attr *attr,
		  struct sample *ret)
{
	*ret = (struct sample){ .cpu = UINT32_MAX, .branch_hw_index = UINT64_MAX };
	return sample_decode_again(bytes, size, swap, attr, ret);
}

/* Takes the fields after the fixed ones, @rest. */
static void sample_take_rest(struct cursor *c, const struct attr *attr, uint64_t rest,
			     struct sample *s)
{
	for (size_t i = 0; rest && i < ARRAY_SIZE(fields); i++) {
		if (!(rest & fields[i].bits))
			continue;
		fields[i].take(c, attr, s);
		rest &= ~fields[i].bits;
	}
}

static inline int sample_take_only_raw(const uint8_t *at, size_t size, struct sample *s)
{
	if (size < sizeof(uint32_t))
		return -EBADMSG;
	s->raw_size = next_half(&at, false);
	size -= sizeof(uint32_t);
	if (s->raw_size > size)
		return -EBADMSG;
	s->raw = at;
	s->left_over = size - s->raw_size;
	return 0;
}

/* Decodes a sample with any fields. */
static int sample_decode_any(const void *bytes, size_t size, bool swap, const struct attr *attr,
			     struct sample *s)
{
	const uint8_t *at = bytes;
	struct record_header h;
	struct cursor c;

	if (size < RECORD_HEADER_SIZE)
		return -EBADMSG;
	h = record_header_at(bytes, swap);
	if (h.size > size || h.size < RECORD_HEADER_SIZE + WORD * sample_words_of(attr, FIXED))
		return -EBADMSG;
	s->misc = h.misc;
	at = take_fixed(at + RECORD_HEADER_SIZE, swap, attr->sample_type, s);
	c = cursor_over(at, h.size - (size_t)(at - (const uint8_t *)bytes), swap);
	sample_take_rest(&c, attr, attr->sample_type & ~FIXED, s);
	if (c.bad)
		return -EBADMSG;
	s->left_over = cursor_left(&c);
	return 0;
}

/* Does the same for one of the usual types. */
static inline int sample_decode_usual(const uint8_t *bytes, size_t size, uint64_t type,
				      struct sample *s)
{
	struct record_header h;

	if (size < USUAL_FIXED)
		return -EBADMSG;
	h = record_header_at(bytes, false);
	if (h.size > size || h.size < USUAL_FIXED)
		return -EBADMSG;
	s->misc = h.misc;
	take_fixed(bytes + RECORD_HEADER_SIZE, false, type, s);
	return sample_take_only_raw(bytes + USUAL_FIXED, h.size - USUAL_FIXED, s);
}

int sample_decode_again(const void *bytes, size_t size, bool swap, const struct attr *attr,
			struct sample *s)
{
	if (!swap && attr->sample_type == USUAL_IDENTIFIER)
		return sample_decode_usual(bytes, size, USUAL_IDENTIFIER, s);
	if (!swap && attr->sample_type == USUAL_ID)
		return sample_decode_usual(bytes, size, USUAL_ID, s);
	return sample_decode_any(bytes, size, swap, attr, s);
}

/*
 * The flags of a branch are a bitfield with these widths. Unlike data_src, the kernel declares it
 * for one byte order only, so that a big-endian machine has the first field at the top.
 */
static uint64_t flags_from_other_order(uint64_t word)
{
	static const uint8_t widths[] = { 1, 1, 1, 1, 16, 4, 2, 4, 3, 31 };
	unsigned top = 64, shift = 0;
	uint64_t flags = 0;

	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		top -= widths[i];
		flags |= (word >> top & ((1ULL << widths[i]) - 1)) << shift;
		shift += widths[i];
	}
	return flags;
}

struct branch sample_branch(const struct sample *s, size_t i)
{
	uint64_t flags = words_get(&s->branches, 3 * i + 2);

	return (struct branch){
		.from = words_get(&s->branches, 3 * i),
		.to = words_get(&s->branches, 3 * i + 1),
		.flags = s->branches.swap ? flags_from_other_order(flags) : flags,
	};
}

bool sample_reg(const struct sample_regs *r, unsigned reg, uint64_t *ret)
{
	if (reg >= 64 || !(r->mask >> reg & 1))
		return false;
	*ret = words_get(&r->values, (size_t)__builtin_popcountll(r->mask & ((1ULL << reg) - 1)));
	return true;
}
