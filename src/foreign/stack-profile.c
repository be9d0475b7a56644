/* SPDX-License-Identifier: MIT */
#include "foreign/stack-profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"
#include "elf/build-id.h"

#define FIRST_MIN 64

/* The budget: a basic amount, and an amount for each byte of input. */
#define BUDGET_FREE            (UINT64_C(32) << 20)
#define BUDGET_PER_BYTE        32
#define BUDGET_PER_PACKED_BYTE 60 /* includes the decompressed bytes */

/* Costs of items, in bytes, including the data that readers of the recording make from them. */
#define EVENT_COST   4096
#define IMAGE_COST   512
#define TASK_COST    1280
#define FRAME_COST   128
#define STACK_COST   64
#define WEIGHT_COST  128
#define ADDRESS_COST 8 /* for each frame of a weight's stack */
#define LOOK_COST    1 /* for an item that exists already */

/* More events than this are of no use. */
#define EVENTS_MAX 4096

#define KERNEL_TEXT "[kernel.kallsyms]"

struct stack_profile *stack_profile_new(void)
{
	struct stack_profile *p = xcalloc(1, sizeof(*p));

	p->seed = hash_seed();
	p->budget.left = BUDGET_FREE;
	ARRAY_ADD(&p->stacks);
	return p;
}

void stack_profile_allow(struct stack_profile *p, uint64_t size)
{
	budget_add(&p->budget, size, BUDGET_PER_BYTE);
}

void stack_profile_allow_packed(struct stack_profile *p, uint64_t packed, uint64_t unpacked)
{
	budget_add(&p->budget, packed, BUDGET_PER_PACKED_BYTE);
	p->is_packed = true;
	if (!budget_take(&p->budget, unpacked))
		p->is_full = true;
}

int stack_profile_check(const struct stack_profile *p, struct diag *diag)
{
	if (!p->is_full)
		return 0;
	return diag_set(diag, -EFBIG, "its stacks would take far more memory than it has bytes%s",
			p->is_packed ? "; unpack it first (gunzip)" : "");
}

/* Pays for one more item. True if there is space for it. */
static bool stack_profile_pay(struct stack_profile *p, uint64_t cost)
{
	if (!p->is_full && budget_take(&p->budget, cost))
		return true;
	p->is_full = true;
	return false;
}

static void index_done(struct number_index *x)
{
	free(x->first);
	free(x->next);
}

void stack_profile_free(struct stack_profile *p)
{
	if (!p)
		return;
	intern_done(&p->texts);
	free(p->remark);
	free(p->events.items);
	free(p->images.items);
	free(p->frames.items);
	free(p->tasks.items);
	free(p->groups.items);
	u64_map_done(&p->by_group);
	free(p->stacks.items);
	free(p->weights.items);
	index_done(&p->by_image);
	index_done(&p->by_frame);
	index_done(&p->by_task);
	index_done(&p->by_stack);
	free(p);
}

/*
 * A kind of item. Finding and adding are the same for all kinds: each has a hash of item @i, and a
 * comparison of item @i with the wanted one.
 */
struct stack_profile_kind {
	uint64_t (*hash)(const struct stack_profile *p, uint32_t i);
	bool (*is_same)(const struct stack_profile *p, uint32_t i, uint32_t j);
};

static void index_grow(struct number_index *x, const struct stack_profile *p,
		       const struct stack_profile_kind *k, uint32_t n)
{
	free(x->first);
	x->n_first = x->n_first ? 2 * x->n_first : FIRST_MIN;
	x->first = xcalloc(x->n_first, sizeof(x->first[0]));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t *first = &x->first[k->hash(p, i) & (x->n_first - 1)];

		x->next[i] = *first;
		*first = i + 1;
	}
}

/* Returns the number of the item that equals @last, the newest; @last itself if it is new. */
static uint32_t stack_profile_settle(struct number_index *x, const struct stack_profile *p,
				     const struct stack_profile_kind *k, uint32_t last)
{
	uint32_t *first;

	x->next = array_reserve(x->next, &x->next_room, (size_t)last + 1, sizeof(x->next[0]));
	if (last >= x->n_first)
		index_grow(x, p, k, last);
	first = &x->first[k->hash(p, last) & (x->n_first - 1)];
	for (uint32_t i = *first; i; i = x->next[i - 1])
		if (k->is_same(p, i - 1, last))
			return i - 1;
	x->next[last] = *first;
	*first = last + 1;
	return last;
}

uint32_t stack_profile_event(struct stack_profile *p, const char *name, bool is_time)
{
	if (p->events.n && (p->events.n == EVENTS_MAX || !stack_profile_pay(p, EVENT_COST))) {
		p->is_full = true;
		return 0;
	}
	*ARRAY_ADD(&p->events) = (struct profile_event){ .name = intern_text(&p->texts, name),
							 .is_time = is_time };
	return (uint32_t)p->events.n - 1;
}

static uint64_t image_hash(const struct stack_profile *p, uint32_t i)
{
	return hash_u64(p->seed, (uintptr_t)p->images.items[i].name);
}

static bool image_is_same(const struct stack_profile *p, uint32_t i, uint32_t j)
{
	const struct profile_image *a = &p->images.items[i], *b = &p->images.items[j];

	return a->name == b->name && build_id_equal(&a->build_id, &b->build_id);
}

/* True for the kernel's own code, by the names that different tools use. */
static bool stack_profile_is_text(const char *name)
{
	return !strncmp(name, "[kernel", 7);
}

/* True for "[kernel.kallsyms]", "[nf_tables]"; other names in brackets are memory of processes. */
static bool stack_profile_is_kernel(const char *name)
{
	static const char *const memory[] = {
		"[vdso", "[vsyscall", "[vectors", "[heap", "[stack",
		"[anon", "[uprobes",  "[JIT",     "[vvar", "[unknown"
	};

	if (stack_profile_is_text(name))
		return true;
	if (*name != '[' || name[strlen(name) - 1] != ']')
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(memory); i++)
		if (!strncmp(name, memory[i], strlen(memory[i])))
			return false;
	return true;
}

uint32_t stack_profile_image(struct stack_profile *p, const char *name, const struct build_id *id)
{
	static const struct stack_profile_kind kind = { image_hash, image_is_same };
	uint32_t last = (uint32_t)p->images.n, number;
	struct profile_image *im;

	if (last && p->is_full)
		return 0;
	im = ARRAY_ADD(&p->images);
	im->is_kernel = stack_profile_is_kernel(name);
	if (stack_profile_is_text(name))
		name = KERNEL_TEXT;
	im->name = intern_text(&p->texts, *name ? name : STACK_PROFILE_NOWHERE);
	if (id && !im->is_kernel)
		im->build_id = *id;
	number = stack_profile_settle(&p->by_image, p, &kind, last);
	p->images.n -= number != last;
	stack_profile_pay(p, number == last ? IMAGE_COST : LOOK_COST);
	return number;
}

static uint64_t frame_hash(const struct stack_profile *p, uint32_t i)
{
	const struct profile_frame *f = &p->frames.items[i];
	uint64_t h = hash_u64(p->seed, (uintptr_t)f->function ^ f->offset);

	return hash_u64(p->seed, h ^ ((uint64_t)f->image << 1 | f->is_inlined));
}

static bool frame_is_same(const struct stack_profile *p, uint32_t i, uint32_t j)
{
	const struct profile_frame *a = &p->frames.items[i], *b = &p->frames.items[j];

	return a->image == b->image && a->function == b->function && a->offset == b->offset &&
	       a->is_inlined == b->is_inlined;
}

static uint32_t stack_profile_add_frame(struct stack_profile *p, struct profile_frame f)
{
	static const struct stack_profile_kind kind = { frame_hash, frame_is_same };
	uint32_t last = (uint32_t)p->frames.n, number;

	if (last && p->is_full)
		return 0;
	*ARRAY_ADD(&p->frames) = f;
	number = stack_profile_settle(&p->by_frame, p, &kind, last);
	p->frames.n -= number != last;
	stack_profile_pay(p, number == last ? FRAME_COST : LOOK_COST);
	return number;
}

uint32_t stack_profile_function(struct stack_profile *p, uint32_t image, const char *name,
				bool is_inlined)
{
	return stack_profile_add_frame(
		p, (struct profile_frame){ .image = image,
					   .function = intern_text(&p->texts, name),
					   .is_inlined = is_inlined });
}

uint32_t stack_profile_address(struct stack_profile *p, uint32_t image, uint64_t offset)
{
	return stack_profile_add_frame(p,
				       (struct profile_frame){ .image = image, .offset = offset });
}

static uint64_t task_hash(const struct stack_profile *p, uint32_t i)
{
	const struct profile_task *t = &p->tasks.items[i];

	return hash_u64(p->seed, (uintptr_t)t->comm ^ ((uint64_t)t->pid << 32 | t->tid));
}

static bool task_is_same(const struct stack_profile *p, uint32_t i, uint32_t j)
{
	const struct profile_task *a = &p->tasks.items[i], *b = &p->tasks.items[j];

	return a->pid == b->pid && a->tid == b->tid && a->comm == b->comm;
}

uint32_t stack_profile_task(struct stack_profile *p, uint32_t pid, uint32_t tid, const char *comm)
{
	static const struct stack_profile_kind kind = { task_hash, task_is_same };
	uint32_t last = (uint32_t)p->tasks.n, number;

	if (last && p->is_full)
		return 0;
	*ARRAY_ADD(&p->tasks) = (struct profile_task){ .pid = pid,
						       .tid = tid,
						       .comm = intern_text(&p->texts, comm) };
	number = stack_profile_settle(&p->by_task, p, &kind, last);
	p->tasks.n -= number != last;
	stack_profile_pay(p, number == last ? TASK_COST : LOOK_COST);
	return number;
}

void stack_profile_set_group(struct stack_profile *p, uint32_t task, const char *name)
{
	const char *text = intern_text(&p->texts, name);
	uint32_t number = (uint32_t)(uintptr_t)u64_map_find(&p->by_group, (uintptr_t)text);

	if (!number) {
		*ARRAY_ADD(&p->groups) = text;
		number = (uint32_t)p->groups.n;
		u64_map_put(&p->by_group, (uintptr_t)text, (void *)(uintptr_t)number);
	}
	p->tasks.items[task].group = number;
}

static uint64_t stack_hash(const struct stack_profile *p, uint32_t i)
{
	const struct profile_stack *s = &p->stacks.items[i];

	return hash_u64(p->seed, (uint64_t)s->parent << 32 | s->frame);
}

static bool stack_is_same(const struct stack_profile *p, uint32_t i, uint32_t j)
{
	const struct profile_stack *a = &p->stacks.items[i], *b = &p->stacks.items[j];

	return i != STACK_PROFILE_ROOT && a->parent == b->parent && a->frame == b->frame;
}

uint32_t stack_profile_stack(struct stack_profile *p, uint32_t parent, uint32_t frame)
{
	static const struct stack_profile_kind kind = { stack_hash, stack_is_same };
	uint32_t last = (uint32_t)p->stacks.n, number;

	if (p->is_full)
		return parent;
	*ARRAY_ADD(&p->stacks) = (struct profile_stack){ parent, frame,
							 p->stacks.items[parent].depth + 1 };
	number = stack_profile_settle(&p->by_stack, p, &kind, last);
	p->stacks.n -= number != last;
	stack_profile_pay(p, number == last ? STACK_COST : LOOK_COST);
	return number;
}

void stack_profile_add(struct stack_profile *p, struct profile_weight w)
{
	if (!stack_profile_pay(p, WEIGHT_COST +
					  (uint64_t)ADDRESS_COST * p->stacks.items[w.stack].depth))
		return;
	p->has_times |= w.time > 0;
	p->has_cpus |= w.cpu != UINT32_MAX;
	*ARRAY_ADD(&p->weights) = w;
}
