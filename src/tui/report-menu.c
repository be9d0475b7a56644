/* SPDX-License-Identifier: MIT */
/* The menu of actions for the row at the cursor. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"
#include "tui/browse.h"
#include "tui/menu.h"
#include "tui/report-parts.h"

typedef enum panel_next action_fn(struct panel *panel);

/* A menu in construction. It owns its texts. */
struct tui_report_menu_making {
	struct {
		struct menu_item *items;
		size_t n, room;
	} menu;
	struct report_panel *p;
	struct report_subject subject;
};

static enum panel_next tui_report_menu_leave(struct panel *panel)
{
	(void)panel;
	return PANEL_QUIT;
}

/* The actions of items, indexed by the number that the menu returns. */
static action_fn *const actions[] = {
	report_zoom_thread, report_zoom_dso,       report_toggle,     report_show_map,
	report_zoom_socket, report_zoom_cpu,       report_sort_menu,  report_script_row,
	report_annotate,    report_scripts,        report_files_menu, report_flame_row,
	report_export,      tui_report_menu_leave,
};

static size_t tui_report_menu_number_of(action_fn *action)
{
	size_t i = 0;

	while (actions[i] != action)
		i++;
	return i;
}

static void tui_report_menu_add(struct tui_report_menu_making *m, action_fn *action, int key,
				struct text *text)
{
	struct menu_item *item = ARRAY_ADD(&m->menu);

	item->text = text_take(text);
	item->key = key;
	item->value = tui_report_menu_number_of(action);
}

static void tui_report_menu_add_plain(struct tui_report_menu_making *m, action_fn *action, int key,
				      const char *words)
{
	struct text t = TEXT_EMPTY;

	text_add(&t, words);
	tui_report_menu_add(m, action, key, &t);
}

static const char *into_or_out(const struct tui_report_menu_making *m, enum zoom_kind kind)
{
	return zooms_find(&m->p->rb->zooms, kind) ? "out of" : "into";
}

static void tui_report_menu_add_thread(struct tui_report_menu_making *m)
{
	const struct report_subject *s = &m->subject;
	struct text t = TEXT_EMPTY;

	if (!s->comm && s->tid < 0)
		return;
	text_addf(&t, "Zoom %s %s", into_or_out(m, ZOOM_THREAD), s->comm ? s->comm : "");
	if (s->tid >= 0)
		text_addf(&t, "(%" PRId64 ")", s->tid);
	text_add(&t, " thread");
	tui_report_menu_add(m, report_zoom_thread, 0, &t);
}

static bool tui_report_menu_is_kernel(const struct report_subject *s)
{
	return s->dso && !strncmp(s->dso, "[kernel.", 8);
}

static void add_dso(struct tui_report_menu_making *m)
{
	const struct report_subject *s = &m->subject;
	struct text t = TEXT_EMPTY;

	if (!s->dso)
		return;
	text_addf(&t, "Zoom %s %s DSO (use the 'k' hotkey to zoom directly into the kernel)",
		  into_or_out(m, ZOOM_DSO), tui_report_menu_is_kernel(s) ? "the Kernel" : s->dso);
	tui_report_menu_add(m, report_zoom_dso, 0, &t);
}

static void add_fold(struct tui_report_menu_making *m)
{
	struct report_spot at = report_panel_spot(m->p);
	char sign = at.line ? at.line->sign : report_page_sign(m->p->page, at.item);
	struct text t = TEXT_EMPTY;

	if (sign == ' ')
		return;
	text_add(&t, sign == '+' ? "Expand [" : "Collapse [");
	report_subject_name(&m->subject, &t);
	text_add(&t, "] callchain (one level, same as '+' hotkey, use 'e'/'c' for the whole main "
		     "level entry)");
	tui_report_menu_add(m, report_toggle, 0, &t);
}

static void tui_report_menu_add_number(struct tui_report_menu_making *m, enum zoom_kind kind,
				       action_fn *action, const char *what, int64_t number)
{
	struct text t = TEXT_EMPTY;

	if (number < 0)
		return;
	text_addf(&t, "Zoom %s %s %" PRId64, into_or_out(m, kind), what, number);
	tui_report_menu_add(m, action, 0, &t);
}

static void tui_report_menu_add_scripts(struct tui_report_menu_making *m)
{
	struct text t = TEXT_EMPTY;

	if (m->subject.frame && m->subject.frame->sym) {
		text_add(&t, "Run scripts for samples of symbol [");
		report_subject_name(&m->subject, &t);
		text_add(&t, "]");
		tui_report_menu_add(m, report_script_row, 0, &t);
	}
	tui_report_menu_add_plain(m, report_scripts, 0, "Run scripts for all samples");
}

static void add_flame(struct tui_report_menu_making *m)
{
	struct text t = TEXT_EMPTY;

	text_add(&t, "Flame bars");
	if (m->subject.frame) {
		text_add(&t, " of what is below [");
		report_subject_name(&m->subject, &t);
		text_add(&t, "]");
	}
	tui_report_menu_add(m, report_flame_row, 'f', &t);
}

static void add_annotate(struct tui_report_menu_making *m)
{
	const struct report_subject *s = &m->subject;
	struct text t = TEXT_EMPTY;

	if (!m->p->rb->o->annotate || !s->frame || !s->frame->sym || !s->has_self)
		return;
	text_addf(&t, "Annotate %s", s->frame->sym->name);
	tui_report_menu_add(m, report_annotate, 'a', &t);
}

static void tui_report_menu_add_items(struct tui_report_menu_making *m)
{
	if (m->subject.item) {
		add_annotate(m);
		tui_report_menu_add_thread(m);
		add_dso(m);
		add_fold(m);
		if (m->subject.frame && m->subject.frame->image)
			tui_report_menu_add_plain(m, report_show_map, 0, "Browse map details");
		tui_report_menu_add_number(m, ZOOM_SOCKET, report_zoom_socket, "Processor Socket",
					   m->subject.socket);
		tui_report_menu_add_number(m, ZOOM_CPU, report_zoom_cpu, "CPU", m->subject.cpu);
	}
	add_flame(m);
	tui_report_menu_add_plain(m, report_export, 'x', "Export ...");
	tui_report_menu_add_plain(m, report_sort_menu, 's', "Sort in another way ...");
	if (!m->p->rb->o->live) {
		tui_report_menu_add_scripts(m);
		tui_report_menu_add_plain(m, report_files_menu, 0,
					  "Switch to another data file in PWD");
	}
	tui_report_menu_add_plain(m, tui_report_menu_leave, 'q', "Exit");
}

static enum panel_next tui_report_menu_chosen(struct panel *owner, size_t value, void *arg)
{
	(void)arg;
	return actions[value](owner);
}

enum panel_next report_show_menu(struct panel *panel)
{
	struct tui_report_menu_making m = { .p = report_panel_of(panel) };

	report_subject_find(m.p, &m.subject);
	tui_report_menu_add_items(&m);
	menu_push(panel->panels, &(struct menu){
					 .title = "",
					 .items = m.menu.items,
					 .n = m.menu.n,
					 .chosen = tui_report_menu_chosen,
					 .owner = panel,
				 });
	for (size_t i = 0; i < m.menu.n; i++)
		free((char *)m.menu.items[i].text);
	free(m.menu.items);
	report_subject_done(&m.subject);
	return PANEL_STAY;
}
