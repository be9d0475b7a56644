/* SPDX-License-Identifier: MIT */
/*
 * The global variables of a unit, by address and by name. A unit that uses a variable of another
 * has a declaration of it, with its name and type, but without an address.
 */
#include "dwarf/debug-statics.h"

#include "dwarf/debug-function.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/c-type.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "dwarf/debug-code.h"
#include "dwarf/debug-info-internal.h"
#include "dwarf/debug-location.h"
#include "dwarf/debug-types.h"
#include "dwarf/die-file.h"
#include "dwarf/die-statics.h"
#include "dwarf/file.h"
#include "dwarf/unit.h"

#define DEPTH_MAX 32

/* More than any unit has. */
#define STATICS_MAX (1u << 20)

/* The kind of place of a variable, in the order in which variables are kept. */
enum static_place {
	AT_ADDRESS,
	IN_THREAD, /* in thread-local storage */
	NOWHERE,   /* it is only declared */
};

struct static_variable {
	const char *name;
	Dwarf_Die die;
	enum static_place place;
	uint64_t addr; /* or the offset in thread-local storage */
	/*
	 * A piece of the variable: @addr holds its bytes from @skip on, @size of them. 0: it is
	 * whole.
	 */
	uint64_t skip, size;
};

struct unit_statics {
	struct static_variable *items;
	size_t n, room;
	/* The first ones have addresses, ascending; then come thread-local ones; then names. */
	size_t n_placed, n_thread;
};

/* Abbreviations whose codes take one byte, as nearly all do. */
#define SHORT_CODES 128

/* A walk through the entries of a unit. */
struct statics_walk {
	struct unit_statics *found;
	const void *reached;
	/*
	 * Abbreviations by code. libdw looks up an abbreviation for each entry, under a lock; most
	 * entries have one of a few, and are skipped.
	 */
	Dwarf_Abbrev *abbrevs[SHORT_CODES];
};

/* Variables of all units are read only for programs with less than this in .debug_info. */
#define ALL_UNITS_MAX (64u << 20)

struct debug_statics {
	bool has_all;               /* those of all units that have addresses were read */
	struct die_statics by_scan; /* our own reader found them */
	struct unit_statics by_dw;  /* or libdw, which also reads .debug_addr */
	struct u64_map by_unit;     /* struct unit_statics by address of the unit's entry */
};

static void free_unit(void *arg, uint64_t key, void *value)
{
	struct unit_statics *s = value;

	(void)arg, (void)key;
	free(s->items);
	free(s);
}

void debug_statics_free(struct debug_statics *s)
{
	if (!s)
		return;
	u64_map_for_each(&s->by_unit, free_unit, NULL);
	die_statics_done(&s->by_scan);
	free(s->by_dw.items);
	u64_map_done(&s->by_unit);
	free(s);
}

/* Returns the address that a location of @n operations is, if it is nothing else. */
static enum static_place debug_statics_place_of(Dwarf_Attribute *a, const Dwarf_Op *ops, size_t n,
						uint64_t *ret)
{
	if (n != 1 && !debug_location_is_thread_local(ops, n))
		return NOWHERE;
	switch (ops[0].atom) {
	case DW_OP_addr:
	case DW_OP_const4u:
	case DW_OP_const8u:
		*ret = ops[0].number;
		break;
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index:
		if (debug_location_indexed(a, &ops[0], ret))
			break;
		return NOWHERE;
	default:
		return NOWHERE;
	}
	return n == 2 ? IN_THREAD : AT_ADDRESS;
}

static const char *debug_statics_name_of(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	const char *linkage = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &a));

	return linkage ? linkage : dwarf_diename(die);
}

/*
 * Adds the pieces of a static structure, which clang splits: each member that is used becomes a
 * separate variable.
 */
static void debug_statics_add_pieces(struct unit_statics *s, struct static_variable v,
				     Dwarf_Attribute *a, const Dwarf_Op *ops, size_t n)
{
	for (size_t i = 0, first = 0; i < n && ops[i].atom != DW_OP_bit_piece; i++) {
		if (ops[i].atom != DW_OP_piece)
			continue;
		v.size = ops[i].number;
		v.place = debug_statics_place_of(a, &ops[first], i - first, &v.addr);
		if (v.place != NOWHERE && v.size && s->n < STATICS_MAX)
			*ARRAY_ADD(s) = v;
		v.skip += v.size;
		first = i + 1;
	}
}

static void add_static(struct unit_statics *s, Dwarf_Die *die)
{
	struct static_variable v = { .die = *die,
				     .name = debug_statics_name_of(die),
				     .place = NOWHERE };
	Dwarf_Attribute a;
	Dwarf_Op *ops = NULL;
	size_t n = 0;

	if (dwarf_attr(die, DW_AT_location, &a) && dwarf_getlocation(&a, &ops, &n) != 0)
		n = 0;
	if (n && ops[n - 1].atom == DW_OP_piece) {
		debug_statics_add_pieces(s, v, &a, ops, n);
		return;
	}
	v.place = debug_statics_place_of(&a, ops, n, &v.addr);
	if ((v.place != NOWHERE || v.name) && s->n < STATICS_MAX)
		*ARRAY_ADD(s) = v;
}

/* Returns dwarf_tag(), using the abbreviation of a previous entry with the same code. */
static int tag_of(struct statics_walk *w, Dwarf_Die *die)
{
	uint8_t code = *(const uint8_t *)die->addr;
	int tag;

	if (code < SHORT_CODES && w->abbrevs[code])
		die->abbrev = w->abbrevs[code];
	tag = dwarf_tag(die);
	if (code < SHORT_CODES && tag != DW_TAG_invalid)
		w->abbrevs[code] = die->abbrev;
	return tag;
}

static void debug_statics_walk(struct statics_walk *w, Dwarf_Die *parent, unsigned depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die) != 0)
		return;
	do {
		int tag = tag_of(w, &die);

		if ((uintptr_t)die.addr <= (uintptr_t)w->reached)
			return;
		w->reached = die.addr;
		if (tag == DW_TAG_variable)
			add_static(w->found, &die);
		else if (tag == DW_TAG_namespace || tag == DW_TAG_module)
			debug_statics_walk(w, &die, depth + 1);
	} while (dwarf_siblingof(&die, &die) == 0);
}

static int debug_statics_by_place(const void *a, const void *b)
{
	const struct static_variable *x = a, *y = b;

	if (x->place != y->place)
		return (int)x->place - (int)y->place;
	if (x->place != NOWHERE)
		return (x->addr > y->addr) - (x->addr < y->addr);
	return strcmp(x->name, y->name);
}

static const struct unit_statics *statics_of(struct debug_info *d, Dwarf_Die *unit)
{
	struct debug_statics **all = debug_info_statics(d);
	struct unit_statics *s;

	if (!*all)
		*all = xcalloc(1, sizeof(**all));
	s = u64_map_find(&(*all)->by_unit, (uintptr_t)unit->addr);
	if (s)
		return s;
	s = xcalloc(1, sizeof(*s));
	debug_statics_walk(&(struct statics_walk){ .found = s }, unit, 0);
	if (s->n)
		qsort(s->items, s->n, sizeof(s->items[0]), debug_statics_by_place);
	s->n_placed = BISECT(k, s->n, s->items[k].place == AT_ADDRESS);
	s->n_thread = BISECT(k, s->n, s->items[k].place != NOWHERE) - s->n_placed;
	u64_map_put(&(*all)->by_unit, (uintptr_t)unit->addr, s);
	return s;
}

/* Returns the type of the one of @n variables that contains @addr, by its type's size. */
static const struct c_type *find_placed(struct debug_info *d, struct static_variable *items,
					size_t n, uint64_t addr, uint64_t *ret_start)
{
	size_t after = BISECT(k, n, items[k].addr <= addr);
	struct static_variable *v = after ? &items[after - 1] : NULL;
	const struct c_type *type = v ? debug_type_of(d, &v->die) : NULL;

	if (!type || addr - v->addr >= (v->size ? v->size : c_type_size(type)))
		return NULL;
	*ret_start = v->addr - v->skip;
	return type;
}

static const struct c_type *debug_statics_find_named(struct debug_info *d,
						     const struct unit_statics *s, const char *name)
{
	size_t first = s->n_placed + s->n_thread;
	size_t at = first + BISECT(k, s->n - first, strcmp(s->items[first + k].name, name) < 0);

	return at < s->n && !strcmp(s->items[at].name, name) ? debug_type_of(d, &s->items[at].die)
							     : NULL;
}

static const struct unit_statics *statics_at(struct debug_info *d, uint64_t pc)
{
	struct dwarf_unit *u = debug_unit_at(d, pc);

	return u ? statics_of(d, &u->full) : NULL;
}

/*
 * Returns the variables of the unit of origin: after link-time optimization the source of a
 * function, with its names, is in another unit.
 */
static const struct unit_statics *origin_statics(struct debug_info *d, uint64_t pc)
{
	struct dwarf_unit *u = debug_unit_at(d, pc);
	Dwarf_Die function, origin, unit;
	Dwarf_Attribute a;

	if (!u || !dwarf_unit_function(u, pc, &function) ||
	    !dwarf_attr(&function, DW_AT_abstract_origin, &a) || !dwarf_formref_die(&a, &origin) ||
	    !dwarf_diecu(&origin, &unit, NULL, NULL) || unit.addr == u->full.addr)
		return NULL;
	return statics_of(d, &unit);
}

static void add_placed(struct unit_statics *all, const struct unit_statics *s)
{
	for (size_t i = 0; i < s->n_placed && all->n < STATICS_MAX; i++)
		*ARRAY_ADD(all) = s->items[i];
}

static void read_all_by_dw(struct debug_info *d, Dwarf *dwarf, struct unit_statics *all)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL) == 0 &&
	       dwarf_dieoffset(&unit) < ALL_UNITS_MAX)
		add_placed(all, statics_of(d, &unit));
	if (all->n)
		qsort(all->items, all->n, sizeof(all->items[0]), debug_statics_by_place);
}

static const struct debug_statics *all_statics(struct debug_info *d)
{
	struct debug_statics *s = *debug_info_statics(d);
	Dwarf *dwarf = dwarf_file_handle(debug_info_file(d));
	struct die_file f;

	if (s->has_all)
		return s;
	s->has_all = true;
	die_file_init(&f, dwarf);
	if (die_statics_read(&f, ALL_UNITS_MAX, &s->by_scan) < 0)
		read_all_by_dw(d, dwarf, &s->by_dw);
	return s;
}

/*
 * Does the same for all units: link-time optimization and inlining move code to units that do not
 * describe the variables that it uses.
 */
static const struct c_type *find_in_all(struct debug_info *d, uint64_t addr, uint64_t *ret_start)
{
	const struct debug_statics *s = all_statics(d);
	const struct die_static *items = s->by_scan.items;
	size_t after = BISECT(k, s->by_scan.n, items[k].addr <= addr);
	struct static_variable v = { .place = AT_ADDRESS };

	if (!after)
		return find_placed(d, s->by_dw.items, s->by_dw.n, addr, ret_start);
	v.addr = items[after - 1].addr;
	if (!debug_info_die(d, items[after - 1].entry, &v.die))
		return NULL;
	return find_placed(d, &v, 1, addr, ret_start);
}

const struct c_type *debug_static_type(struct debug_info *d, uint64_t pc, uint64_t addr,
				       const char *name, uint64_t start, uint64_t *ret_start)
{
	const struct unit_statics *s = statics_at(d, pc);
	const struct c_type *type = s ? find_placed(d, s->items, s->n_placed, addr, ret_start)
				      : NULL;

	if (type || !s || !name)
		return type;
	type = debug_named_type(d, pc, name);
	if (type) {
		*ret_start = start;
		return type;
	}
	return find_in_all(d, addr, ret_start);
}

const struct c_type *debug_named_type(struct debug_info *d, uint64_t pc, const char *name)
{
	const struct unit_statics *s = statics_at(d, pc), *origin;
	const struct c_type *type = s ? debug_statics_find_named(d, s, name) : NULL;

	if (type)
		return type;
	origin = origin_statics(d, pc);
	return origin ? debug_statics_find_named(d, origin, name) : NULL;
}

const struct c_type *debug_thread_type(struct debug_info *d, uint64_t pc, uint64_t offset,
				       uint64_t *ret_start)
{
	const struct unit_statics *s = statics_at(d, pc);

	return s ? find_placed(d, s->items + s->n_placed, s->n_thread, offset, ret_start) : NULL;
}
