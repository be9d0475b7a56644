/* SPDX-License-Identifier: MIT */
#include "session/unwind-place.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "base/memory.h"
#include "dwarf/unwind/frame-rules.h"
#include "session/image-rules.h"
#include "session/internal.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"

#define PLACES 8192 /* a power of two */
#define MAPS   512  /* a power of two */

/*
 * When a table has more entries than this, everything is dropped; one sample may add some more
 * before that.
 */
#define TIMES_MAX  (16u << 10)
#define SPACES_MAX (16u << 10)

/* The map around an address of a space. */
struct unwind_map {
	struct span span;
	uint32_t space; /* 0: none yet */
	uint32_t times;
	uint64_t shift; /* from the image's addresses to run-time addresses */
	struct image *image;
	struct cfi_rules *rules;
	uint8_t kind;
};

void unwind_places_done(struct unwind_places *p)
{
	free(p->items);
	free(p->maps);
	free(p->times.items);
	free(p->signal_detail);
	u64_map_done(&p->spaces);
}

static void *aligned_new(size_t size)
{
	void *p = aligned_alloc(_Alignof(struct unwind_place), size);

	if (!p)
		memory_gone(size);
	return p;
}

static void unwind_place_forget(struct unwind_places *p)
{
	if (!p->items) {
		p->items = aligned_new(PLACES * sizeof(p->items[0]));
		p->maps = xmalloc(MAPS * sizeof(p->maps[0]));
	}
	memset(p->items, 0, PLACES * sizeof(p->items[0]));
	memset(p->maps, 0, MAPS * sizeof(p->maps[0]));
	p->generation = machine_generation(p->session);
	p->space = p->n_spaces = 0;
	u64_map_done(&p->spaces);
	p->times.n = 0;
	*ARRAY_ADD(&p->times) = (struct unwind_times){ .until = UINT64_MAX };
}

static uint32_t number_of_space(struct unwind_places *p, const void *space)
{
	uint64_t key = (uintptr_t)space;
	uint32_t number = (uint32_t)(uintptr_t)u64_map_find(&p->spaces, key);

	if (!number) {
		number = ++p->n_spaces;
		u64_map_put(&p->spaces, key, (void *)(uintptr_t)number);
	}
	return number;
}

static void set_arch(struct unwind_places *p, const struct arch *arch)
{
	p->arch = arch;
	free(p->signal_detail);
	p->signal_detail = unwind_signal_detail_new(arch->convention);
	p->signal = unwind_rule_of_signal(arch->convention, p->signal_detail);
	unwind_place_forget(p);
}

void unwind_places_begin(struct unwind_places *p, const struct session *s, const struct arch *arch,
			 uint32_t pid, uint64_t time)
{
	p->session = s;
	if (p->arch != arch)
		set_arch(p, arch);
	if (p->generation != machine_generation(s) || p->times.n > TIMES_MAX ||
	    p->n_spaces > SPACES_MAX)
		unwind_place_forget(p);
	if (!p->space || p->pid != pid || !span_has(&p->space_span, time))
		p->space = number_of_space(
			p, machine_space(s, pid, ADDRESS_USER, time, &p->space_span));
	p->pid = pid;
	p->time = time;
}

/*
 * True if the map may be executable. Some recorders record the protection; others record only
 * executable maps.
 */
static bool may_run(const struct map *m)
{
	return !m->prot || m->prot & PROT_EXEC;
}

static uint32_t number_of_times(struct unwind_places *p, const struct span *span)
{
	const struct unwind_times t = { span->from, span->until };

	if (!t.from && t.until == UINT64_MAX)
		return 0;
	*ARRAY_ADD(&p->times) = t;
	return (uint32_t)(p->times.n - 1);
}

static void fill_map(struct unwind_places *p, struct unwind_map *m, uint64_t addr)
{
	const struct session *s = p->session;
	struct location loc;

	m->space = p->space;
	m->rules = NULL;
	m->kind = PLACE_NOWHERE;
	machine_locate_span(s, p->pid, ADDRESS_USER, addr, p->time, &loc, &m->span);
	m->times = number_of_times(p, &m->span);
	if (!loc.map || !may_run(loc.map))
		return;
	m->shift = addr - loc.image_addr;
	m->image = loc.map->image;
	m->rules = image_rules_get(s->image_rules, loc.map->image, p->arch);
	m->kind = !image_is_file(loc.map->image) ? PLACE_OTHER : m->rules ? PLACE_FILE : PLACE_GONE;
}

static const struct unwind_map *unwind_place_map_around(struct unwind_places *p, uint64_t addr)
{
	uint64_t h = addr >> 16 ^ addr >> 27 ^ p->space * 0x9e3779b9u >> 12;
	struct unwind_map *m = &p->maps[h & (MAPS - 1)];

	if (m->space != p->space || addr < m->span.start || addr >= m->span.end ||
	    !span_has(&m->span, p->time))
		fill_map(p, m, addr);
	return m;
}

/* True if signal handlers return to @pc. */
static bool unwind_place_is_sigreturn(const struct unwind_places *p, const struct unwind_map *m,
				      uint64_t pc)
{
	uint8_t code[16];
	size_t n = cfi_rules_code(m->rules, pc - m->shift, code, sizeof(code));

	return unwind_is_sigreturn(p->arch->convention, code, n);
}

/*
 * Returns the rule for the code at @pc, derived from its instructions; its function may end soon.
 */
static const struct unwind_rule *rule_by_code(const struct unwind_map *m, uint64_t pc)
{
	const struct unwind_rule *rule = cfi_rules_find_running(m->rules, pc - m->shift);

	/* The call has overwritten a return address that was still in a register. */
	return rule->ra == UNWIND_AT_CFA ? rule : &unwind_rule_unknown;
}

/*
 * Returns the rule of a handler's return. That is a system call, and the last instruction of its
 * code: while the kernel handles it, the program counter is after that code.
 */
static const struct unwind_rule *rule_of_return(const struct unwind_places *p,
						const struct unwind_map *m, uint64_t addr)
{
	const struct unwind_rule *rule = image_rules_find(p->session->image_rules, m->image,
							  m->rules, addr - 1);

	return rule->is_signal ? rule : NULL;
}

/* Finds the rule. *@ret_by_code: there is no CFI; the rule was derived from the instructions. */
static const struct unwind_rule *find_rule(const struct unwind_places *p,
					   const struct unwind_map *m, uint64_t pc,
					   bool is_interrupted, bool *ret_by_code)
{
	uint64_t addr = (is_interrupted ? pc : pc - 1) - m->shift;
	const struct unwind_rule *rule = &unwind_rule_unknown, *of_signal;
	bool is_unknown;

	if (!m->rules)
		return rule;
	rule = image_rules_find(p->session->image_rules, m->image, m->rules, addr);
	is_unknown = rule == &unwind_rule_unknown;
	if (is_unknown && unwind_place_is_sigreturn(p, m, pc))
		return &p->signal;
	if (is_unknown && is_interrupted && (of_signal = rule_of_return(p, m, addr)))
		return of_signal;
	*ret_by_code = is_unknown;
	if (is_interrupted)
		return cfi_rules_find_running(m->rules, addr);
	return is_unknown ? rule_by_code(m, pc) : rule;
}

/*
 * The usual alignment of functions. A return address at such a place may be a function's beginning.
 */
#define FUNCTION_ALIGNMENT 16

/*
 * True if @pc is the beginning of a function instead of a return address. makecontext() sets such
 * return addresses.
 */
static bool unwind_place_is_entered(struct unwind_places *p, const struct unwind_map *m,
				    uint64_t pc)
{
	return m->kind == PLACE_FILE && pc % FUNCTION_ALIGNMENT == 0 &&
	       cfi_rules_begins(m->rules, pc - m->shift) && !unwind_places_follow_call(p, pc);
}

static void fill_place(struct unwind_places *p, struct unwind_place *to, uint64_t pc,
		       bool is_interrupted)
{
	const struct unwind_map *m = unwind_place_map_around(p, is_interrupted ? pc : pc - 1);
	bool entered = !is_interrupted && unwind_place_is_entered(p, m, pc);
	bool is_by_code = false;
	const struct unwind_rule *rule = find_rule(p, m, pc, is_interrupted || entered,
						   &is_by_code);

	*to = (struct unwind_place){
		.pc = pc,
		.rule = *rule,
		.space = p->space,
		.times = m->times,
		.kind = m->kind,
		.is_interrupted = is_interrupted,
		.is_entered = entered && !rule->is_signal,
		.is_by_code = is_by_code,
		.is_entry = m->rules && cfi_rules_is_entry(m->rules, pc - m->shift),
	};
}

static bool unwind_place_holds(const struct unwind_places *p, const struct unwind_place *at)
{
	const struct unwind_times *t = &p->times.items[at->times];
	const struct span span = { .from = t->from, .until = t->until };

	return !at->times || span_has(&span, p->time);
}

static inline bool unwind_place_is_it(const struct unwind_places *p, const struct unwind_place *at,
				      uint64_t pc, bool is_interrupted)
{
	return at->pc == pc && at->space == p->space && at->is_interrupted == is_interrupted &&
	       unwind_place_holds(p, at);
}

/* Each place may be in two slots; the latest is in the first. */
const struct unwind_place *unwind_place_find(struct unwind_places *p, uint64_t pc,
					     bool is_interrupted)
{
	uint64_t h = (pc ^ (uint64_t)p->space << 32) * 0x9e3779b97f4a7c15u;
	struct unwind_place *at = &p->items[h >> 40 & (PLACES - 2)];

	if (unwind_place_is_it(p, at, pc, is_interrupted))
		return at;
	if (unwind_place_is_it(p, at + 1, pc, is_interrupted))
		return at + 1;
	at[1] = at[0];
	fill_place(p, at, pc, is_interrupted);
	return at;
}

bool unwind_places_follow_call(struct unwind_places *p, uint64_t pc)
{
	const struct unwind_map *m = unwind_place_map_around(p, pc - 1);
	uint8_t code[ARCH_CALL_SIZE_MAX];
	uint64_t offset = pc - m->shift;

	if (m->kind != PLACE_FILE)
		return m->kind != PLACE_NOWHERE;
	if (offset < sizeof(code) ||
	    cfi_rules_code(m->rules, offset - sizeof(code), code, sizeof(code)) != sizeof(code))
		return false;
	return p->arch->convention->ends_call(code, sizeof(code));
}

static const struct symbol *unwind_place_function_at(const struct unwind_places *p, uint64_t addr)
{
	struct location loc;

	machine_resolve(p->session, p->pid, ADDRESS_USER, addr, p->time, &loc);
	return loc.sym;
}

bool unwind_places_same_function(struct unwind_places *p, uint64_t a, uint64_t b)
{
	const struct symbol *of_a = unwind_place_function_at(p, a);

	return of_a && of_a == unwind_place_function_at(p, b);
}

bool unwind_places_other_function(struct unwind_places *p, uint64_t a, uint64_t b)
{
	const struct symbol *of_a = unwind_place_function_at(p, a),
			    *of_b = unwind_place_function_at(p, b);

	return of_a && of_b && of_a != of_b;
}
