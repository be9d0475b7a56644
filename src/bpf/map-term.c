/* SPDX-License-Identifier: MIT */
#include "bpf/map-term.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"

/* More would be a mistake; no entry needs a range of its own. */
#define RANGES_MAX 1000

struct bpf_map_term_reading {
	const char *name; /* the whole name */
	const char *source;
	size_t at; /* offset of @name in @source */
	struct diag *diag;
};

void bpf_map_term_done(struct bpf_map_term *t)
{
	free(t->map);
	free(t->event);
	free(t->indices.items);
	*t = (struct bpf_map_term){ 0 };
}

static int bpf_map_term_wrong(const struct bpf_map_term_reading *r, const char *where,
			      size_t length, const char *what)
{
	diag_mark(r->diag, -EINVAL, r->source, r->at + (size_t)(where - r->name), length, "%s",
		  what);
	diag_hint(r->diag, "Terms are map:ARRAY.value[INDICES]=NUMBER and "
			   "map:EVENTS.event[INDICES]=EVENT;");
	diag_hint(r->diag, "[INDICES] is [0,3...5] or [all], and may be left out.");
	return -EINVAL;
}

static bool bpf_map_term_take_index(const char **at, uint32_t *ret)
{
	char *end;
	unsigned long long v;

	if (!isdigit((unsigned char)**at))
		return false;
	errno = 0;
	v = strtoull(*at, &end, 0);
	if (errno || v > UINT32_MAX)
		return false;
	*at = end;
	*ret = (uint32_t)v;
	return true;
}

/* Parses one of `3`, `3...5`, `3-5`. */
static bool bpf_map_term_take_range(const char **at, struct bpf_index_range *range)
{
	if (!bpf_map_term_take_index(at, &range->first))
		return false;
	range->last = range->first;
	if (!strncmp(*at, "...", 3))
		*at += 3;
	else if (**at == '-')
		++*at;
	else
		return true;
	return bpf_map_term_take_index(at, &range->last) && range->last >= range->first;
}

/* Parses from the opening bracket to the end of the name. */
static int take_indices(const struct bpf_map_term_reading *r, const char *at,
			struct bpf_map_term *t)
{
	if (!strcmp(at, "[all]"))
		return 0;
	do {
		const char *start = ++at;
		struct bpf_index_range range;

		if (t->indices.n == RANGES_MAX || !bpf_map_term_take_range(&at, &range))
			return bpf_map_term_wrong(r, start, strlen(start),
						  "an index or a range is wrong here");
		*ARRAY_ADD(&t->indices) = range;
	} while (*at == ',');
	if (strcmp(at, "]") != 0)
		return bpf_map_term_wrong(r, at, strlen(at),
					  "expected ']' at the end of the indices");
	return 0;
}

static int bpf_map_term_take_value(const struct bpf_map_term_reading *r, const char *value,
				   struct bpf_map_term *t)
{
	char *end;

	if (!value)
		return bpf_map_term_wrong(r, r->name, strlen(r->name), "this term needs a value");
	if (t->kind == BPF_MAP_EVENT) {
		t->event = xstrdup(value);
		return 0;
	}
	errno = 0;
	t->value = strtoll(value, &end, 0);
	if (errno == ERANGE) {
		errno = 0;
		t->value = (int64_t)strtoull(value, &end, 0);
	}
	if (errno || end == value || *end)
		return bpf_map_term_wrong(r, r->name + strlen(r->name) + 1, strlen(value),
					  "the value of an array's entry is a number");
	return 0;
}

static int bpf_map_term_take(const struct bpf_map_term_reading *r, const char *value,
			     struct bpf_map_term *t)
{
	const char *map = r->name + strlen("map:"), *end = r->name + strlen(r->name);
	const char *bracket = strchr(r->name, '['), *dot;
	size_t length;
	int result;

	if (strncmp(r->name, "map:", 4) != 0)
		return bpf_map_term_wrong(r, r->name, strlen(r->name),
					  "a BPF program has no such setting");
	if (bracket)
		end = bracket;
	dot = memchr(map, '.', (size_t)(end - map));
	if (!dot || dot == map)
		return bpf_map_term_wrong(r, map, (size_t)(end - map),
					  "expected MAP.value or MAP.event");
	length = (size_t)(end - dot - 1);
	if (length == 5 && !memcmp(dot + 1, "value", 5))
		t->kind = BPF_MAP_VALUE;
	else if (length == 5 && !memcmp(dot + 1, "event", 5))
		t->kind = BPF_MAP_EVENT;
	else
		return bpf_map_term_wrong(r, dot + 1, length, "a map has a .value or an .event");
	t->map = xstrndup(map, (size_t)(dot - map));
	result = bracket ? take_indices(r, bracket, t) : 0;
	return result < 0 ? result : bpf_map_term_take_value(r, value, t);
}

int bpf_map_term_parse(const char *name, const char *value, const char *source, size_t at,
		       struct bpf_map_term *ret, struct diag *diag)
{
	const struct bpf_map_term_reading r = { name, source, at, diag };
	_cleanup_(bpf_map_term_done) struct bpf_map_term t = { 0 };
	int result = bpf_map_term_take(&r, value, &t);

	if (result < 0)
		return result;
	*ret = t;
	t = (struct bpf_map_term){ 0 };
	return 0;
}

bool bpf_map_term_covers(const struct bpf_map_term *t, uint32_t index)
{
	for (size_t i = 0; i < t->indices.n; i++)
		if (index >= t->indices.items[i].first && index <= t->indices.items[i].last)
			return true;
	return t->indices.n == 0;
}
