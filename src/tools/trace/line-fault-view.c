/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <sys/mman.h>

#include "base/digits.h"
#include "base/escape.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"
#include "tools/trace/writer-view.h"
#include "wire/abi.h"

enum place_parts {
	PLACE_FILE = 1,
	PLACE_SYMBOL = 2,
};

const char *trace_fault_name(const struct session_event *e)
{
	return e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ ? "majfault" : "minfault";
}

static void trace_fault_add_hex(struct text *t, const char *before, uint64_t v)
{
	text_add(t, before);
	text_filled(t, digits_hex(text_room(t, DIGITS_MAX), v));
}

static void trace_fault_add_name(struct text *t, const char *name)
{
	escape_terminal(t, name, strlen(name));
}

/* Appends "FILE@SYMBOL+0x1f", or the part of it that is requested and known. */
static void trace_fault_add_place(struct text *t, const struct location *loc, unsigned parts)
{
	if (!loc->map) {
		trace_fault_add_hex(t, "0x", loc->addr);
		return;
	}
	if (parts & PLACE_FILE) {
		trace_fault_add_name(t, image_long_name(loc->map->image));
		text_add_char(t, '@');
	}
	if (loc->sym && (parts & PLACE_SYMBOL)) {
		trace_fault_add_name(t, loc->sym->name);
		trace_fault_add_hex(t, "+0x", loc->image_addr - loc->sym->start);
	} else {
		trace_fault_add_hex(t, "0x", loc->image_addr);
	}
}

static char map_letter(const struct location *loc)
{
	if (!loc->map)
		return '?';
	return loc->map->prot & PROT_EXEC ? 'x' : 'd';
}

/*
 * Finds the places of a fault. Linux's perf looks up the data in the mode of the code, so the
 * kernel's accesses to user memory have no file.
 */
struct trace_fault trace_fault_of(const struct trace_lines *l, const struct session_sample *s)
{
	const struct sample *sample = s->sample;
	enum address_mode mode = address_mode_of(sample->misc);
	struct trace_fault f;

	machine_resolve(l->session, sample->pid, mode, sample->ip, s->time, &f.code);
	machine_resolve(l->session, sample->pid, mode, sample->addr, s->time, &f.data);
	return f;
}

void trace_line_fault(struct trace_lines *l, const struct session_sample *s)
{
	enum address_mode mode = address_mode_of(s->sample->misc);
	unsigned all = l->style.is_verbose ? PLACE_FILE | PLACE_SYMBOL : 0;
	struct trace_fault f = trace_fault_of(l, s);
	struct text *t = &l->text;

	text_add(t, trace_fault_name(s->event));
	text_add(t, " [");
	trace_fault_add_place(t, &f.code, all | PLACE_SYMBOL);
	text_add(t, "] => ");
	trace_fault_add_place(t, &f.data, all | PLACE_FILE);
	text_add(t, " (");
	text_add_char(t, map_letter(&f.data));
	text_add_char(t, mode == ADDRESS_USER ? '.' : 'k');
	text_add_char(t, ')');
}
