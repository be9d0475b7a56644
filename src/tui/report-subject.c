/* SPDX-License-Identifier: MIT */
/* The subject of the row at the cursor: its function, object, thread, CPU. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "profile/report-group.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"
#include "tui/browse.h"
#include "tui/report-parts.h"

static bool columns_have(const struct report_columns *c, size_t key)
{
	for (size_t i = 0; i < c->n; i++)
		if (!c->items[i].figure && c->items[i].key == key)
			return true;
	return false;
}

/*
 * True if the row has the key. A row of a hierarchy has the keys of its level and of the levels
 * above.
 */
static bool row_has(const struct report_plan *plan, const struct report_item *item, size_t key)
{
	if (!item->row || !item->is_inner)
		return true;
	for (size_t i = 0; i <= item->level && i < plan->n_levels; i++)
		if (columns_have(&plan->levels[i], key))
			return true;
	return false;
}

static void report_subject_take_value(struct report_subject *s, const char *name,
				      const struct value *parts)
{
	const struct value *v = &parts[0];

	if (!strcmp(name, "comm") && v->type == VALUE_TEXT)
		s->comm = xstrdup(v->text);
	else if (!strcmp(name, "dso") && v->type == VALUE_TEXT)
		s->dso = xstrdup(v->text);
	else if (!strcmp(name, "pid") && parts[PART_TID].type == VALUE_UNSIGNED)
		s->tid = (int64_t)parts[PART_TID].number;
	else if (!strcmp(name, "cpu") && v->type == VALUE_UNSIGNED)
		s->cpu = (int64_t)v->number;
	else if (!strcmp(name, "socket") && v->type == VALUE_UNSIGNED)
		s->socket = (int64_t)v->number;
	if (!strcmp(name, "pid") && parts[PART_COMM].type == VALUE_TEXT && !s->comm)
		s->comm = xstrdup(parts[PART_COMM].text);
}

static void take_keys(const struct report_panel *p, struct report_subject *s)
{
	const struct report_plan *plan = &p->snapshot->profile->plan;
	const struct report_entry *e = s->item->entry;
	_cleanup_(text_done) struct text scratch = TEXT_EMPTY;

	for (size_t i = 0; i < plan->keys.n; i++) {
		const struct key *k = &plan->keys.items[i];
		struct value parts[KEY_PARTS_MAX] = { 0 };
		struct key_cell cell;

		if (!row_has(plan, s->item, i))
			continue;
		cell = report_row_cell(e->row, i);
		text_clear(&scratch);
		key_value(k, e->rows->options->env, &cell, &scratch, parts);
		report_subject_take_value(s, k->type->name, parts);
	}
}

/* True if rows are about functions or places in them. */
static bool is_about_code(const struct report_panel *p, const struct report_item *item)
{
	static const char *const names[] = { "symbol", "srcline", "addr", "symbol_iaddr" };
	const struct report_plan *plan = &p->snapshot->profile->plan;

	for (size_t i = 0; i < plan->keys.n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			if (!strcmp(plan->keys.items[i].type->name, names[k]))
				return row_has(plan, item, i);
	return false;
}

static void take_frame(const struct report_panel *p, struct report_subject *s,
		       const struct tree_line *line)
{
	const struct frames *frames = p->snapshot->profile->env.frames;

	if (line && line->node) {
		s->frame_id = line->node->frames[line->frame];
		s->has_self = true;
	} else if (is_about_code(p, s->item)) {
		s->frame_id = s->item->entry->row->frame;
		s->has_self = s->item->entry->row->self.samples > 0;
	}
	if (s->frame_id < frames_count(frames))
		s->frame = frames_get(frames, s->frame_id);
	else
		s->frame_id = FRAME_NONE;
	/* The frame of a tree may be in another object than its row. */
	if (s->frame && s->frame->image && (line || !s->dso)) {
		free(s->dso);
		s->dso = xstrdup(image_short_name(s->frame->image));
	}
}

void report_subject_find(const struct report_panel *p, struct report_subject *ret)
{
	struct report_spot at = report_panel_spot(p);

	*ret = (struct report_subject){
		.frame_id = FRAME_NONE, .tid = -1, .cpu = -1, .socket = -1
	};
	ret->item = p->page ? report_page_item(p->page, at.item) : NULL;
	if (!ret->item)
		return;
	take_keys(p, ret);
	take_frame(p, ret, at.line);
}

void report_subject_done(struct report_subject *s)
{
	free(s->comm);
	free(s->dso);
}

void report_subject_name(const struct report_subject *s, struct text *out)
{
	if (!s->frame)
		return;
	if (s->frame->sym)
		text_add(out, s->frame->sym->name);
	else
		text_addf(out, "%#lx", frame_address(s->frame));
}
