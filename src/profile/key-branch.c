/* SPDX-License-Identifier: MIT */
/*
 * Sort keys of taken branches: source, target, and how they went.
 *
 * Unlike those of sampled functions, the ends of branches are ordered by address, and their images
 * by name in reverse.
 */
#include "base/text.h"
#include "profile/key-types.h"
#include "profile/shared-values.h"
#include "symbol/symbol.h"
#include "wire/branch.h"

static int image_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	return key_image_compare(k, env, b, a);
}

static uint64_t dso_from_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k;
	return key_image_of(env, s->from);
}

static uint64_t dso_to_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k;
	return key_image_of(env, s->to);
}

const struct key_type key_dso_from = {
	.name = "dso_from",
	.title = "Source Shared Object",
	.flags = KEY_OF_BRANCHES,
	.parts = { { .name = "dso_from", .type = VALUE_TEXT } },
	.of_sample = dso_from_of,
	.compare = image_compare,
};

const struct key_type key_dso_to = {
	.name = "dso_to",
	.title = "Target Shared Object",
	.flags = KEY_OF_BRANCHES,
	.parts = { { .name = "dso_to", .type = VALUE_TEXT } },
	.of_sample = dso_to_of,
	.compare = image_compare,
};

static uint64_t symbol_from_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k;
	return key_symbol_of(env, s->from);
}

static uint64_t symbol_to_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k;
	return key_symbol_of(env, s->to);
}

/* Compares functions by their start, before addresses without a function. */
static int symbol_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	const struct frame *fa, *fb;

	if (a == FRAME_NONE || b == FRAME_NONE)
		return key_symbol_compare(k, env, a, b);
	fa = frames_get(env->frames, (uint32_t)a);
	fb = frames_get(env->frames, (uint32_t)b);
	if (fa->sym && fb->sym)
		return key_address_order(fa->sym->start, fb->sym->start);
	if (fa->sym || fb->sym)
		return !fa->sym - !fb->sym;
	return key_address_order(frame_address(fa), frame_address(fb));
}

const struct key_type key_symbol_from = {
	.name = "symbol_from",
	.title = "Source Symbol",
	.flags = KEY_OF_BRANCHES | KEY_OF_NAMES,
	.parts = { SYMBOL_PARTS("symbol_from") },
	.of_sample = symbol_from_of,
	.compare = symbol_compare,
	.identity = key_symbol_identity,
	.value = key_symbol_value,
};

const struct key_type key_symbol_to = {
	.name = "symbol_to",
	.title = "Target Symbol",
	.flags = KEY_OF_BRANCHES | KEY_OF_NAMES,
	.parts = { SYMBOL_PARTS("symbol_to") },
	.of_sample = symbol_to_of,
	.compare = symbol_compare,
	.identity = key_symbol_identity,
	.value = key_symbol_value,
};

static uint64_t srcline_from_of(const struct key *k, struct key_env *env,
				const struct key_sample *s)
{
	(void)k;
	return key_source_line_of(env, s->from);
}

static uint64_t srcline_to_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k;
	return key_source_line_of(env, s->to);
}

const struct key_type key_srcline_from = {
	.name = "srcline_from",
	.title = "From Source:Line",
	.flags = KEY_OF_BRANCHES | KEY_BY_ADDRESS,
	.parts = { { .name = "srcline_from", .type = VALUE_TEXT } },
	.of_sample = srcline_from_of,
	.compare = key_compare_texts,
};

const struct key_type key_srcline_to = {
	.name = "srcline_to",
	.title = "To Source:Line",
	.flags = KEY_OF_BRANCHES | KEY_BY_ADDRESS,
	.parts = { { .name = "srcline_to", .type = VALUE_TEXT } },
	.of_sample = srcline_to_of,
	.compare = key_compare_texts,
};

static uint64_t addr_from_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->from;
}

static uint64_t addr_to_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->to;
}

/* Compares by image as above, then by address; descending if there is no image. */
static int key_branch_addr_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	const struct frame *fa, *fb;
	int order;

	if (a == FRAME_NONE || b == FRAME_NONE)
		return key_symbol_compare(k, env, a, b);
	fa = frames_get(env->frames, (uint32_t)a);
	fb = frames_get(env->frames, (uint32_t)b);
	if (!fa->image && !fb->image)
		return key_order(fb->ip, fa->ip);
	order = image_compare(k, env, key_image_of(env, (uint32_t)a),
			      key_image_of(env, (uint32_t)b));
	return order ? order : key_order(fa->ip, fb->ip);
}

static void addr_value(const struct key *k, struct key_env *env, const struct key_cell *c,
		       struct text *scratch, struct value *ret)
{
	const struct frame *f = key_frame(env, c->value);

	key_symbol_value(k, env, c, scratch, ret);
	if (f && f->sym && f->addr != f->sym->start)
		ret[PART_OFFSET] = value_unsigned(f->addr - f->sym->start);
}

const struct key_type key_addr_from = {
	.name = "addr_from",
	.title = "Source Address",
	.flags = KEY_OF_BRANCHES | KEY_BY_ADDRESS,
	.parts = { SYMBOL_PARTS_WITH_OFFSET("addr_from") },
	.of_sample = addr_from_of,
	.compare = key_branch_addr_compare,
	.value = addr_value,
};

const struct key_type key_addr_to = {
	.name = "addr_to",
	.title = "Target Address",
	.flags = KEY_OF_BRANCHES | KEY_BY_ADDRESS,
	.parts = { SYMBOL_PARTS_WITH_OFFSET("addr_to") },
	.of_sample = addr_to_of,
	.compare = key_branch_addr_compare,
	.value = addr_value,
};

static uint64_t mispredict_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return (s->branch_flags & (BRANCH_MISPREDICTED | BRANCH_PREDICTED)) == BRANCH_MISPREDICTED;
}

const struct key_type key_mispredict = {
	.name = "mispredict",
	.title = "Branch Mispredicted",
	.flags = KEY_OF_BRANCHES,
	.parts = { { .name = "mispredict", .type = VALUE_FLAG } },
	.of_sample = mispredict_of,
};

static uint64_t abort_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->branch_flags & BRANCH_ABORT;
}

const struct key_type key_abort = {
	.name = "abort",
	.title = "Transaction abort",
	.flags = KEY_OF_BRANCHES,
	.parts = { { .name = "abort", .type = VALUE_FLAG } },
	.of_sample = abort_of,
};

static uint64_t in_tx_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->branch_flags & BRANCH_IN_TX;
}

const struct key_type key_in_tx = {
	.name = "in_tx",
	.title = "Branch in transaction",
	.flags = KEY_OF_BRANCHES,
	.parts = { { .name = "in_tx", .type = VALUE_FLAG } },
	.of_sample = in_tx_of,
};

static uint64_t key_branch_cycles_of(const struct key *k, struct key_env *env,
				     const struct key_sample *s)
{
	(void)k, (void)env;
	return branch_cycles(s->branch_flags);
}

const struct key_type key_cycles = {
	.name = "cycles",
	.title = "Basic Block Cycles",
	.flags = KEY_OF_BRANCHES,
	.parts = { { .name = "cycles", .type = VALUE_UNSIGNED } },
	.of_sample = key_branch_cycles_of,
	.compare = key_compare_down,
	.value = key_value_nonzero,
};

/*
 * Returns the row's function. Instructions are not counted here: without a function's code, its
 * blocks have no length.
 */
static uint64_t ipc_of(const struct key *k, struct key_env *env, uint32_t frame)
{
	(void)k;
	return key_symbol_of(env, frame);
}

static void ipc_value(const struct key *k, struct key_env *env, const struct key_cell *c,
		      struct text *scratch, struct value *ret)
{
	(void)k, (void)env, (void)c, (void)scratch, (void)ret;
}

const struct key_type key_ipc_null = {
	.name = "ipc_null",
	.title = "IPC   [IPC Coverage]",
	.scope = KEY_FRAME,
	.parts = { { .name = "ipc_null", .type = VALUE_PERCENT } },
	.of_frame = ipc_of,
	.compare = key_symbol_identity,
	.identity = key_symbol_identity,
	.value = ipc_value,
};

const struct key_type key_ipc_lbr = {
	.name = "ipc_lbr",
	.title = "IPC   [IPC Coverage]",
	.scope = KEY_FRAME,
	.flags = KEY_OF_BRANCHES,
	.parts = { { .name = "ipc_lbr", .type = VALUE_PERCENT } },
	.of_frame = ipc_of,
	.compare = key_symbol_identity,
	.identity = key_symbol_identity,
	.value = ipc_value,
};
