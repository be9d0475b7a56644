/* SPDX-License-Identifier: MIT */
#include "tools/probe/place-work.h"

#include "base/cleanup.h"
#include "base/diag.h"
#include "dwarf/debug-places.h"
#include "probe/probe-target.h"
#include "probe/trace-probe.h"

/* Finds function, line and file in debug information. */
static bool find_source(struct probe_target *t, uint64_t addr, struct probe_place *ret)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	struct debug_place place = { 0 };
	struct debug_info *info;

	if (probe_target_debug(t, &info, &ignored) < 0 || !debug_place_at(info, addr, &place) ||
	    !place.name)
		return false;
	*ret = (struct probe_place){
		.function = place.linker_name ? place.linker_name : place.name,
		.file = place.file,
		.offset = addr - place.start,
		.line = (int64_t)place.line - place.first_line,
		.has_line = place.starts_line && addr != place.start,
	};
	return true;
}

static bool probe_place_find_symbol(struct probe_target *t, uint64_t addr, struct probe_place *ret)
{
	struct probe_symbol s;

	if (!probe_target_symbol(t, addr, &s))
		return false;
	*ret = (struct probe_place){ .function = s.name, .offset = addr - s.addr };
	return true;
}

struct probe_place probe_place_find(const struct trace_probe *p, struct probe_target *target)
{
	struct probe_place place = { .function = p->symbol, .offset = p->offset };
	uint64_t addr;

	if (target && probe_target_address(target, p, &addr) && !find_source(target, addr, &place))
		probe_place_find_symbol(target, addr, &place);
	return place;
}
