/* SPDX-License-Identifier: MIT */
#include "tui/report-zoom.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "tui/browse.h"

static void zoom_done(struct zoom *z)
{
	free(z->name);
}

void zooms_clear(struct zooms *z)
{
	for (size_t i = 0; i < z->n; i++)
		zoom_done(&z->items[i]);
	z->n = 0;
}

static void forget_borrowed(struct zooms *z)
{
	cpu_list_done(&z->cpus);
	id_list_done(&z->tids);
	time_window_done(&z->window);
	z->cpus = (struct cpu_list){ 0 };
	z->tids = (struct id_list){ 0 };
	z->window = (struct time_window){ 0 };
}

void zooms_done(struct zooms *z)
{
	zooms_clear(z);
	forget_borrowed(z);
	free(z->items);
	*z = (struct zooms){ 0 };
}

const struct zoom *zooms_find(const struct zooms *z, enum zoom_kind kind)
{
	for (size_t i = 0; i < z->n; i++)
		if (z->items[i].kind == kind)
			return &z->items[i];
	return NULL;
}

void zooms_add(struct zooms *z, enum zoom_kind kind, const char *name, int64_t number)
{
	struct zoom *added;

	zooms_remove(z, kind);
	added = ARRAY_ADD(z);
	added->kind = kind;
	added->name = name ? xstrdup(name) : NULL;
	added->number = number;
}

bool zooms_remove(struct zooms *z, enum zoom_kind kind)
{
	const struct zoom *found = zooms_find(z, kind);
	size_t at = found ? (size_t)(found - z->items) : z->n;

	if (!found)
		return false;
	zoom_done(&z->items[at]);
	memmove(&z->items[at], &z->items[at + 1], (z->n - at - 1) * sizeof(*z->items));
	z->n--;
	return true;
}

bool zooms_pop(struct zooms *z)
{
	return z->n && zooms_remove(z, z->items[z->n - 1].kind);
}

void zooms_copy(struct zooms *to, const struct zooms *from)
{
	zooms_clear(to);
	for (size_t i = 0; i < from->n; i++)
		zooms_add(to, from->items[i].kind, from->items[i].name, from->items[i].number);
}

static void tui_report_zoom_add_title(const struct zoom *z, struct text *out)
{
	static const char *const words[N_ZOOMS] = {
		[ZOOM_THREAD] = "Thread",           [ZOOM_DSO] = "DSO",
		[ZOOM_SOCKET] = "Processor Socket", [ZOOM_CPU] = "CPU",
		[ZOOM_SYMBOL] = "Symbol",           [ZOOM_TIME] = "Time",
	};

	text_addf(out, ", %s: ", words[z->kind]);
	if (z->name)
		text_add(out, z->name);
	if (z->name && z->number >= 0)
		text_addf(out, "(%" PRId64 ")", z->number);
	else if (!z->name)
		text_addf(out, "%" PRId64, z->number);
}

void zooms_title(const struct zooms *z, struct text *out)
{
	for (unsigned kind = 0; kind < N_ZOOMS; kind++) {
		const struct zoom *zoom = zooms_find(z, kind);

		if (zoom)
			tui_report_zoom_add_title(zoom, out);
	}
}

static void apply_thread(struct zooms *z, const struct zoom *zoom, struct filter_request *f)
{
	if (zoom->number < 0) {
		f->comms = zoom->name;
		return;
	}
	*ARRAY_ADD(&z->tids) = (int)zoom->number;
	f->tids = z->tids;
}

static void tui_report_zoom_apply(struct zooms *z, const struct zoom *zoom,
				  struct browse_request *rq)
{
	size_t offset;

	switch (zoom->kind) {
	case ZOOM_THREAD:
		apply_thread(z, zoom, &rq->profile.filter);
		break;
	case ZOOM_DSO:
		rq->profile.filter.dsos = zoom->name;
		break;
	case ZOOM_SOCKET:
		rq->profile.of_socket = true;
		rq->profile.socket = zoom->number;
		break;
	case ZOOM_CPU:
		*ARRAY_ADD(&z->cpus) = (unsigned)zoom->number;
		rq->profile.filter.cpus = z->cpus;
		break;
	case ZOOM_SYMBOL:
		rq->tables.rows.symbol_part = zoom->name;
		break;
	case ZOOM_TIME:
		if (time_window_parse(zoom->name, &z->window, &offset) >= 0)
			rq->profile.filter.time = z->window;
		break;
	case N_ZOOMS:
		break;
	}
}

void zooms_apply(struct zooms *z, struct browse_request *rq)
{
	forget_borrowed(z);
	for (size_t i = 0; i < z->n; i++)
		tui_report_zoom_apply(z, &z->items[i], rq);
}

bool zoom_can_name(const char *name)
{
	return *name && !strchr(name, ',') && strncmp(name, "file://", 7) != 0;
}
