/* SPDX-License-Identifier: MIT */
#include "tools/kmem/gfp-model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "tracepoint/format.h"
#include "tracepoint/plan.h"

/*
 * The maximum size of a record. Records of mm_page_alloc have 40 bytes; a longer one means that the
 * format is wrong.
 */
#define RECORD_MAX 256

/* The short names are those of Linux's perf. */
static const struct {
	const char *name, *compact;
} short_names[] = {
	{ "GFP_TRANSHUGE", "THP" },
	{ "GFP_TRANSHUGE_LIGHT", "THL" },
	{ "GFP_HIGHUSER_MOVABLE", "HUM" },
	{ "GFP_HIGHUSER", "HU" },
	{ "GFP_USER", "U" },
	{ "GFP_KERNEL_ACCOUNT", "KAC" },
	{ "GFP_KERNEL", "K" },
	{ "GFP_NOFS", "NF" },
	{ "GFP_ATOMIC", "A" },
	{ "GFP_NOIO", "NI" },
	{ "GFP_NOWAIT", "NW" },
	{ "GFP_DMA", "D" },
	{ "GFP_DMA32", "D32" },
	{ "__GFP_RECLAIM", "R" },
	{ "__GFP_HIGHMEM", "HM" },
	{ "__GFP_MOVABLE", "M" },
	{ "__GFP_RECLAIMABLE", "RC" },
	{ "__GFP_HIGH", "H" },
	{ "__GFP_ATOMIC", "_A" },
	{ "__GFP_IO", "I" },
	{ "__GFP_FS", "F" },
	{ "__GFP_ZERO", "Z" },
	{ "__GFP_DIRECT_RECLAIM", "DR" },
	{ "__GFP_KSWAPD_RECLAIM", "KR" },
	{ "__GFP_WRITE", "WR" },
	{ "__GFP_NOWARN", "NWR" },
	{ "__GFP_RETRY_MAYFAIL", "R" },
	{ "__GFP_NOFAIL", "NF" },
	{ "__GFP_NORETRY", "NR" },
	{ "__GFP_MEMALLOC", "MA" },
	{ "__GFP_COMP", "C" },
	{ "__GFP_NOMEMALLOC", "NMA" },
	{ "__GFP_HARDWALL", "HW" },
	{ "__GFP_THISNODE", "TN" },
	{ "__GFP_ACCOUNT", "AC" },
};

void gfp_names_done(struct gfp_names *g)
{
	for (size_t i = 0; i < g->n; i++) {
		free(g->items[i].full);
		free(g->items[i].compact);
	}
	free(g->items);
}

/* Makes a record in our byte order that contains only the flags. */
static bool make_record(const struct tracepoint_format *format, uint64_t flags,
			uint8_t record[RECORD_MAX], size_t *ret_size)
{
	const struct tracepoint_field *f = tracepoint_field_find(format, "gfp_flags");
	uint32_t narrow = (uint32_t)flags;

	if (!f || (f->size != 4 && f->size != 8) || f->offset > RECORD_MAX - 8)
		return false;
	memset(record, 0, RECORD_MAX);
	if (f->size == 4)
		memcpy(record + f->offset, &narrow, sizeof(narrow));
	else
		memcpy(record + f->offset, &flags, sizeof(flags));
	*ret_size = RECORD_MAX;
	return true;
}

void gfp_print(const struct tracepoint_format *format, const struct tracepoint_plan *plan,
	       uint64_t flags, struct text *out)
{
	static const char label[] = "gfp_flags=";
	const struct tracepoint_machine machine = { 0 };
	_cleanup_(text_done) struct text all = TEXT_EMPTY;
	uint8_t record[RECORD_MAX];
	const char *names = NULL;
	size_t size;

	if (format && plan && make_record(format, flags, record, &size)) {
		tracepoint_plan_print(plan, &machine, record, size, &all);
		names = strstr(all.chars, label);
	}
	if (names && !tracepoint_plan_problem(plan)) {
		names += strlen(label);
		text_add_bytes(out, names, strcspn(names, " "));
	} else {
		text_addf(out, "%#" PRIx64, flags);
	}
}

static const char *gfp_short_name(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(short_names); i++)
		if (strlen(short_names[i].name) == length &&
		    !memcmp(short_names[i].name, name, length))
			return short_names[i].compact;
	return NULL;
}

void gfp_print_compact(const char *full, struct text *out)
{
	size_t before = out->length;

	for (const char *at = full; *at;) {
		size_t length = strcspn(at, "|");
		const char *name = gfp_short_name(at, length);

		if (name)
			text_addf(out, "%s%s", out->length > before ? "|" : "", name);
		at += length;
		at += *at == '|';
	}
	if (out->length == before)
		text_add(out, full);
}

static int gfp_ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Returns the length of the call that begins at @text, up to its last parenthesis; 0: it has none.
 */
static size_t gfp_call_length(const char *text)
{
	size_t depth = 0;
	bool is_quoted = false;

	for (size_t i = 0; text[i]; i++) {
		if (text[i] == '"')
			is_quoted = !is_quoted;
		else if (!is_quoted && text[i] == '(')
			depth++;
		else if (!is_quoted && text[i] == ')' && (depth < 2 || !--depth))
			return i + 1;
	}
	return 0;
}

/*
 * Returns the part of @format's print fmt that prints the flags. The rest is dropped, because the
 * kernel's calculation of the address of a page cannot be done here. The caller frees it.
 */
static char *print_fmt_of_flags(const struct tracepoint_format *format)
{
	const char *call = strstr(format->print_fmt, "__print_flags(");

	size_t length = call ? gfp_call_length(call) : 0;

	if (!length)
		return xstrdup(format->print_fmt);
	return xasprintf("\"gfp_flags=%%s\", (REC->gfp_flags) ? %.*s : \"none\"", (int)length,
			 call);
}

void gfp_names_make(struct gfp_names *g, const struct tracepoint_format *format, uint64_t *flags,
		    size_t n)
{
	_cleanup_(freep) char *print_fmt = format ? print_fmt_of_flags(format) : NULL;
	struct tracepoint_format only_flags = { 0 };
	_cleanup_(tracepoint_plan_freep) struct tracepoint_plan *plan = NULL;

	if (format) {
		only_flags = *format;
		only_flags.print_fmt = print_fmt;
		plan = tracepoint_plan_new(&only_flags, sizeof(uint64_t));
	}
	qsort(flags, n, sizeof(flags[0]), gfp_ascending);
	for (size_t i = 0; i < n; i++) {
		struct text full = TEXT_EMPTY, compact = TEXT_EMPTY;

		if (i && flags[i] == flags[i - 1])
			continue;
		gfp_print(format ? &only_flags : NULL, plan, flags[i], &full);
		gfp_print_compact(full.chars, &compact);
		*ARRAY_ADD(g) = (struct gfp_name){ flags[i], text_take(&full),
						   text_take(&compact) };
	}
}

const char *gfp_names_compact(const struct gfp_names *g, uint64_t flags)
{
	size_t i = BISECT(k, g->n, g->items[k].flags < flags);

	return i < g->n && g->items[i].flags == flags ? g->items[i].compact : "";
}
