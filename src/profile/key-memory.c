/* SPDX-License-Identifier: MIT */
/* Sort keys of accesses to memory: the data, and how the hardware got it. */
#include <string.h>
#include <sys/mman.h>

#include "base/text.h"
#include "profile/key-types.h"
#include "profile/shared-values.h"
#include "symbol/symbol.h"
#include "wire/data-source.h"

#define LINE_BYTES 64ULL

static uint64_t dso_daddr_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k;
	return key_image_of(env, s->data);
}

static int dso_daddr_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	return key_image_compare(k, env, b, a);
}

const struct key_type key_dso_daddr = {
	.name = "dso_daddr",
	.title = "Data Object",
	.flags = KEY_OF_MEMORY | KEY_WANTS_DATA,
	.parts = { { .name = "dso_daddr", .type = VALUE_TEXT } },
	.of_sample = dso_daddr_of,
	.compare = dso_daddr_compare,
};

/*
 * Returns the frame of the address. Each address is a row, because frames are distinguished by
 * address.
 */
static uint64_t symbol_daddr_of(const struct key *k, struct key_env *env,
				const struct key_sample *s)
{
	(void)k, (void)env;
	return s->data;
}

static uint64_t symbol_iaddr_of(const struct key *k, struct key_env *env,
				const struct key_sample *s)
{
	(void)k, (void)env;
	return s->frame;
}

/* Compares as signed numbers: kernel addresses come first. */
static int key_memory_addr_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	if (a == FRAME_NONE || b == FRAME_NONE)
		return key_symbol_compare(k, env, a, b);
	return key_order(frames_get(env->frames, (uint32_t)a)->ip ^ 1ULL << 63,
			 frames_get(env->frames, (uint32_t)b)->ip ^ 1ULL << 63);
}

/*
 * True if the frame is data. Data objects are large, so unlike with functions, the offset matters.
 */
static bool is_data(const struct frame *f)
{
	return f->sym && f->map && f->mode == ADDRESS_USER && !(f->map->prot & PROT_EXEC);
}

static void symbol_daddr_value(const struct key *k, struct key_env *env, const struct key_cell *c,
			       struct text *scratch, struct value *ret)
{
	const struct frame *f = key_frame(env, c->value);

	key_symbol_value(k, env, c, scratch, ret);
	if (f && is_data(f))
		ret[PART_OFFSET] = value_unsigned(f->addr - f->sym->start);
}

const struct key_type key_symbol_daddr = {
	.name = "symbol_daddr",
	.title = "Data Symbol",
	.flags = KEY_OF_MEMORY | KEY_WANTS_DATA | KEY_BY_ADDRESS | KEY_OF_NAMES,
	.parts = { SYMBOL_PARTS_WITH_OFFSET("symbol_daddr") },
	.of_sample = symbol_daddr_of,
	.compare = key_memory_addr_compare,
	.identity = key_symbol_identity,
	.value = symbol_daddr_value,
};

const struct key_type key_symbol_iaddr = {
	.name = "symbol_iaddr",
	.title = "Code Symbol",
	.flags = KEY_OF_MEMORY | KEY_BY_ADDRESS | KEY_OF_NAMES,
	.parts = { SYMBOL_PARTS("symbol_iaddr") },
	.of_sample = symbol_iaddr_of,
	.compare = key_memory_addr_compare,
	.identity = key_symbol_identity,
	.value = key_symbol_value,
};

/* A cache line, and one of the places in it. */
struct key_memory_line {
	uint64_t addr, frame;
};

static uint64_t dcacheline_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	struct key_memory_line line = { .addr = s->sample->addr & ~(LINE_BYTES - 1),
					.frame = s->data };
	uint64_t same[2] = { line.addr, key_image_of(env, s->data) };

	(void)k;
	return shared_values_note(env->values, same, sizeof(same),
				  (uintptr_t)&key_dcacheline + env->generation,
				  shared_values_add(env->values, &line, sizeof(line)));
}

static const struct key_memory_line *key_memory_line_get(uint64_t value)
{
	size_t n;

	return shared_value(value, &n);
}

static int dcacheline_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	(void)k, (void)env;
	return key_order(key_memory_line_get(a)->addr, key_memory_line_get(b)->addr);
}

/*
 * Returns the parts of a cache line. If no data symbol is known, the line is an address, in user
 * space if an image is mapped there.
 */
static void dcacheline_value(const struct key *k, struct key_env *env, const struct key_cell *c,
			     struct text *scratch, struct value *ret)
{
	const struct key_memory_line *line = key_memory_line_get(c->value);
	const struct frame *f = key_frame(env, line->frame);
	uint64_t skip = f ? f->ip - line->addr : 0;

	if (!f || !f->sym) {
		ret[PART_NAME] = value_number(VALUE_ADDRESS, line->addr);
		ret[PART_MODE] = value_text(f && f->image ? "user" : NULL);
		return;
	}
	key_symbol_value(k, env, &(struct key_cell){ .value = line->frame }, scratch, ret);
	if (is_data(f) && f->addr - f->sym->start >= skip)
		ret[PART_OFFSET] = value_unsigned(f->addr - f->sym->start - skip);
}

const struct key_type key_dcacheline = {
	.name = "dcacheline",
	.title = "Data Cacheline",
	.flags = KEY_OF_MEMORY | KEY_WANTS_DATA | KEY_BY_ADDRESS,
	.parts = { SYMBOL_PARTS_WITH_OFFSET("dcacheline") },
	.of_sample = dcacheline_of,
	.compare = dcacheline_compare,
	.value = dcacheline_value,
};

static uint64_t phys_daddr_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->phys_addr;
}

const struct key_type key_phys_daddr = {
	.name = "phys_daddr",
	.title = "Data Physical Address",
	.flags = KEY_OF_MEMORY,
	.parts = { { .name = "phys_daddr", .type = VALUE_ADDRESS } },
	.of_sample = phys_daddr_of,
};

static uint64_t data_page_size_of(const struct key *k, struct key_env *env,
				  const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->data_page_size;
}

const struct key_type key_data_page_size = {
	.name = "data_page_size",
	.title = "Data Page Size",
	.flags = KEY_OF_MEMORY,
	.parts = { { .name = "data_page_size", .type = VALUE_BYTES } },
	.of_sample = data_page_size_of,
	.value = key_value_nonzero,
};

static uint64_t mem_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->data_src & DATA_SOURCE_LEVEL;
}

static int mem_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	int order = key_order(a & DATA_SOURCE_LEVEL_SET, b & DATA_SOURCE_LEVEL_SET);

	(void)k, (void)env;
	return order ? order : key_order(a, b);
}

static void mem_value(const struct key *k, struct key_env *env, const struct key_cell *c,
		      struct text *scratch, struct value *ret)
{
	(void)k, (void)env;
	data_source_level(scratch, c->value);
	ret[0] = value_text(scratch->chars);
}

const struct key_type key_mem = {
	.name = "mem",
	.title = "Memory access",
	.flags = KEY_OF_MEMORY,
	.parts = { { .name = "mem", .type = VALUE_TEXT } },
	.of_sample = mem_of,
	.compare = mem_compare,
	.value = mem_value,
};

static uint64_t snoop_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->data_src & DATA_SOURCE_SNOOP;
}

static void snoop_value(const struct key *k, struct key_env *env, const struct key_cell *c,
			struct text *scratch, struct value *ret)
{
	(void)k, (void)env;
	data_source_snoop(scratch, c->value);
	ret[0] = value_text(scratch->chars);
}

const struct key_type key_snoop = {
	.name = "snoop",
	.title = "Snoop",
	.flags = KEY_OF_MEMORY,
	.parts = { { .name = "snoop", .type = VALUE_TEXT } },
	.of_sample = snoop_of,
	.value = snoop_value,
};

static uint64_t tlb_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->data_src & DATA_SOURCE_TLB;
}

static void tlb_value(const struct key *k, struct key_env *env, const struct key_cell *c,
		      struct text *scratch, struct value *ret)
{
	(void)k, (void)env;
	data_source_tlb(scratch, c->value);
	ret[0] = value_text(scratch->chars);
}

const struct key_type key_tlb = {
	.name = "tlb",
	.title = "TLB access",
	.flags = KEY_OF_MEMORY,
	.parts = { { .name = "tlb", .type = VALUE_TEXT } },
	.of_sample = tlb_of,
	.value = tlb_value,
};

static uint64_t locked_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->data_src & DATA_SOURCE_LOCK;
}

static void locked_value(const struct key *k, struct key_env *env, const struct key_cell *c,
			 struct text *scratch, struct value *ret)
{
	(void)k, (void)env;
	data_source_lock(scratch, c->value);
	ret[0] = value_text(scratch->chars);
}

const struct key_type key_locked = {
	.name = "locked",
	.title = "Locked",
	.flags = KEY_OF_MEMORY,
	.parts = { { .name = "locked", .type = VALUE_TEXT } },
	.of_sample = locked_of,
	.value = locked_value,
};

static uint64_t blocked_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->data_src & DATA_SOURCE_BLOCKED;
}

static void blocked_value(const struct key *k, struct key_env *env, const struct key_cell *c,
			  struct text *scratch, struct value *ret)
{
	(void)k, (void)env;
	data_source_blocked(scratch, c->value);
	ret[0] = value_text(scratch->chars + strspn(scratch->chars, " "));
}

const struct key_type key_blocked = {
	.name = "blocked",
	.title = "Blocked",
	.flags = KEY_OF_MEMORY,
	.parts = { { .name = "blocked", .type = VALUE_TEXT } },
	.of_sample = blocked_of,
	.value = blocked_value,
};
