/* SPDX-License-Identifier: MIT */
/*
 * Finds the unit of an address. .debug_aranges is a table for this, but compilers may leave units
 * out of it, so it is used only for units whose own entry has no addresses.
 */
#include "dwarf/units.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/memory.h"
#include "dwarf/file.h"
#include "dwarf/scope-name.h"
#include "dwarf/unit.h"
#include "elf/file.h"

/* After this number of units the mapped memory that was read is released. */
#define HEADS_MAX 128

/* The part that all units need. */
struct dwarf_unit_head {
	Dwarf_Die die;
	uint64_t low;            /* start of its code */
	struct dwarf_unit *unit; /* NULL: not asked for yet */
};

struct dwarf_units {
	struct dwarf_file *file;
	struct dwarf_unit_head *items;
	size_t n, room;
	struct range_map map;
	bool are_split;
};

static void dwarf_unit_free(struct dwarf_unit *unit)
{
	if (!unit)
		return;
	dwarf_unit_rows_done(unit);
	dwarf_unit_names_done(unit);
	dwarf_unit_functions_done(unit);
	dwarf_file_free(unit->split);
	free(unit);
}

void dwarf_units_free(struct dwarf_units *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < u->n; i++)
		dwarf_unit_free(u->items[i].unit);
	free(u->items);
	range_map_done(&u->map);
	free(u);
}

/*
 * True if a range has code. Linkers give functions that they omitted the address 0, the highest
 * address, or (lld, in .debug_ranges, where the highest has a meaning) the one below that.
 */
bool dwarf_range_is_live(uint64_t start, uint64_t end)
{
	return start != 0 && start < end && start < UINT64_MAX - 1;
}

uint64_t dwarf_ranges_add(Dwarf_Die *die, struct range_map *map, uint64_t rank, uint32_t value)
{
	Dwarf_Addr base = 0, start = 0, end = 0;
	uint64_t low = UINT64_MAX;

	for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;) {
		if (map->n >= DWARF_RANGES_MAX)
			break;
		if (!dwarf_range_is_live(start, end))
			continue;
		range_map_add(map, start, end, rank ? rank : ~(end - start), value);
		low = start < low ? start : low;
	}
	return low;
}

static bool dwarf_units_has_addresses(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges);
}

/* Adds a unit. Returns true if it still lacks addresses. */
static bool dwarf_units_add_unit(struct dwarf_units *u, Dwarf_Die *die)
{
	uint32_t number = (uint32_t)u->n;
	struct dwarf_unit_head *head = ARRAY_ADD(u);

	head->die = *die;
	head->low = dwarf_ranges_add(die, &u->map, 0, number);
	return head->low == UINT64_MAX && !dwarf_units_has_addresses(die);
}

/* Reads the headers of units. Partial units (dwz) and type units have no code. */
static bool read_heads(struct dwarf_units *u)
{
	Dwarf *dwarf = dwarf_file_handle(u->file);
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;
	bool incomplete = false;

	while (dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, NULL) == 0) {
		u->are_split |= type == DW_UT_skeleton;
		if ((type == DW_UT_compile || type == DW_UT_skeleton) &&
		    dwarf_tag(&die) != DW_TAG_partial_unit)
			incomplete |= dwarf_units_add_unit(u, &die);
		if (u->n % HEADS_MAX == 0)
			elf_file_drop(dwarf_file_elf(u->file));
	}
	return incomplete;
}

static int by_die(const void *a, const void *b)
{
	const struct dwarf_unit_head *x = a, *y = b;

	return (x->die.addr > y->die.addr) - (x->die.addr < y->die.addr);
}

static void read_aranges(struct dwarf_units *u, Dwarf *dwarf)
{
	Dwarf_Aranges *aranges;
	size_t n;

	if (dwarf_getaranges(dwarf, &aranges, &n) != 0)
		return;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Arange *a = dwarf_onearange(aranges, i);
		struct dwarf_unit_head key, *head;
		Dwarf_Addr start;
		Dwarf_Word length;
		Dwarf_Off offset;

		if (dwarf_getarangeinfo(a, &start, &length, &offset) != 0 ||
		    !dwarf_offdie(dwarf, offset, &key.die) ||
		    !dwarf_range_is_live(start, start + length))
			continue;
		head = bsearch(&key, u->items, u->n, sizeof(key), by_die);
		if (!head || dwarf_units_has_addresses(&head->die))
			continue;
		range_map_add(&u->map, start, start + length, ~length, (uint32_t)(head - u->items));
		head->low = start < head->low ? start : head->low;
	}
}

struct dwarf_units *dwarf_units_new(struct dwarf_file *f)
{
	struct dwarf_units *u = xcalloc(1, sizeof(*u));

	u->file = f;
	/* Units come in the order of their addresses in memory, as bsearch() requires. */
	if (read_heads(u))
		read_aranges(u, dwarf_file_handle(f));
	range_map_settle(&u->map);
	return u;
}

bool dwarf_units_are_split(const struct dwarf_units *u)
{
	return u->are_split;
}

static struct dwarf_unit *dwarf_units_get(struct dwarf_units *u, size_t i)
{
	struct dwarf_unit_head *head = &u->items[i];

	if (!head->unit) {
		head->unit = xcalloc(1, sizeof(*head->unit));
		head->unit->file = u->file;
		head->unit->die = head->die;
		head->unit->low = head->low;
	}
	return head->unit;
}

struct dwarf_unit *dwarf_units_find(struct dwarf_units *u, uint64_t addr)
{
	const struct range *r = range_map_find(&u->map, addr);

	return r ? dwarf_units_get(u, r->value) : NULL;
}

struct dwarf_unit *dwarf_units_next(struct dwarf_units *u, uint64_t *addr, uint64_t end,
				    uint64_t *ret_end)
{
	size_t i = range_map_seek(&u->map, *addr);
	const struct range *r = i < u->map.n ? &u->map.items[i] : NULL;

	if (!r || r->start >= end || *addr >= end)
		return NULL;
	*addr = r->start > *addr ? r->start : *addr;
	*ret_end = r->end < end ? r->end : end;
	return dwarf_units_get(u, r->value);
}
