/* SPDX-License-Identifier: MIT */
#include "session/leaf-caller.h"

#include <elf.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/shared-map.h"
#include "elf/elf-file.h"
#include "session/internal.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"
#include "unwind/cfi-rules.h"

#define LINK_REGISTER 30 /* of aarch64, for DWARF as for the kernel */
#define REGS_ABI_64   2  /* PERF_SAMPLE_REGS_ABI_64 */

/* The rules of an image; NULL: it has no code of that machine. */
struct leaf_image {
	struct cfi_rules *rules;
};

struct leaf_callers {
	pthread_mutex_t lock;     /* of adding */
	struct shared_map images; /* leaf_image by image */
};

struct leaf_callers *leaf_callers_new(void)
{
	struct leaf_callers *l = xcalloc(1, sizeof(*l));

	pthread_mutex_init(&l->lock, NULL);
	return l;
}

static void free_image(void *arg, uint64_t key, void *value)
{
	struct leaf_image *li = value;

	(void)arg, (void)key;
	cfi_rules_free(li->rules);
	free(li);
}

void leaf_callers_free(struct leaf_callers *l)
{
	if (!l)
		return;
	shared_map_for_each(&l->images, free_image, NULL);
	shared_map_done(&l->images);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

static struct leaf_image *leaf_image_new(struct image *im)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	struct leaf_image *li = xcalloc(1, sizeof(*li));

	if (image_open(im, &file) >= 0 && elf_file_machine(file) == EM_AARCH64)
		li->rules = cfi_rules_new(TAKE(file));
	return li;
}

static struct cfi_rules *rules_of(struct leaf_callers *l, struct image *im)
{
	uint64_t key = (uintptr_t)im;
	struct leaf_image *li = shared_map_find(&l->images, key);

	if (li)
		return li->rules;
	pthread_mutex_lock(&l->lock);
	li = shared_map_find(&l->images, key);
	if (!li) {
		li = leaf_image_new(im);
		shared_map_put(&l->images, key, li);
	}
	pthread_mutex_unlock(&l->lock);
	return li->rules;
}

/* The rule for the code at @loc; NULL: nobody knows. */
static const struct unwind_rule *rule_at(const struct session *s, const struct location *loc)
{
	struct cfi_rules *rules = rules_of(s->leaf_callers, loc->map->image);

	return rules ? cfi_rules_find(rules, loc->image_addr) : NULL;
}

static bool is_in_link_register(const struct unwind_rule *rule)
{
	return rule && rule->ra == UNWIND_SAME && rule->ra_register == LINK_REGISTER &&
	       !rule->is_signal;
}

/*
 * An address in the call that returns to @lr. It may be signed (pointer authentication), which is
 * to be seen above the bits of an address, however many the kernel was built for. A handler returns
 * to where signals end, which called nobody.
 */
static bool call_before(const struct session *s, uint32_t pid, uint64_t lr, uint64_t time,
			uint64_t *ret)
{
	static const unsigned widths[] = { 64, 48, 42, 39 };
	const struct unwind_rule *rule;
	struct location loc;

	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		uint64_t addr = lr & UINT64_MAX >> (64 - widths[i]);

		if (!machine_locate(s, pid, ADDRESS_USER, addr, time, &loc))
			continue;
		rule = image_kind(loc.map->image) == IMAGE_VDSO ? rule_at(s, &loc) : NULL;
		*ret = rule && rule->is_signal ? addr : addr - 1;
		return true;
	}
	return false;
}

#define PLACES 1024 /* a power of two */

/* Whether the code at @pc of @pid has its return address in the link register. */
struct leaf_place {
	uint64_t pc;
	struct span span;
	uint64_t generation; /* of the machine */
	uint32_t pid;
	bool is_known, is_in_lr;
};

void leaf_memo_done(struct leaf_memo *m)
{
	free(m->places);
}

static bool returns_by_lr(const struct session *s, struct leaf_memo *m, uint32_t pid, uint64_t pc,
			  uint64_t time)
{
	struct leaf_place *p;
	struct location loc;

	if (!m->places)
		m->places = xcalloc(PLACES, sizeof(*m->places));
	p = &m->places[(pc >> 2 ^ pc >> 12 ^ pid) & (PLACES - 1)];
	if (p->is_known && p->pc == pc && p->pid == pid && span_has(&p->span, time) &&
	    p->generation == machine_generation(s))
		return p->is_in_lr;
	p->is_in_lr = machine_locate_span(s, pid, ADDRESS_USER, pc, time, &loc, &p->span) &&
		      is_in_link_register(rule_at(s, &loc));
	p->pc = pc;
	p->pid = pid;
	p->generation = machine_generation(s);
	p->is_known = true;
	return p->is_in_lr;
}

bool leaf_caller(const struct session *s, struct leaf_memo *m, const struct sample *sample,
		 size_t i, uint64_t time, uint64_t *ret)
{
	const struct sample_regs *regs = &sample->user_regs;
	uint64_t lr, pc = words_get(&sample->chain, i);

	if (!s->with_symbols || regs->abi != REGS_ABI_64 || !sample_reg(regs, LINK_REGISTER, &lr))
		return false;
	/*
	 * Nothing is missing where the record tells the same, which is so for nearly half of all
	 * samples; and without a record nobody knows whether there is a caller.
	 */
	if (i + 1 >= sample->chain.n || words_get(&sample->chain, i + 1) == lr)
		return false;
	return returns_by_lr(s, m, sample->pid, pc, time) &&
	       call_before(s, sample->pid, lr, time, ret);
}
