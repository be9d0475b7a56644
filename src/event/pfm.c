/* SPDX-License-Identifier: MIT */
#include "event/pfm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "event/event.h"
#include "event/pfm-encode.h"

#define GROUP_NONE SIZE_MAX

struct pfm_parser {
	const char *text, *at;
	struct event_list *list;
	size_t leader; /* leader of the open group: index in @list, or GROUP_NONE */
	bool open;     /* a brace was opened */
	struct diag *diag;
};

static int pfm_wrong(struct pfm_parser *p, int error, const char *at, size_t length,
		     const char *what)
{
	return diag_mark(p->diag, error, p->text, (size_t)(at - p->text), length, "%s", what);
}

static void pfm_add_event(struct pfm_parser *p, char *name, const struct pfm_encoding *code)
{
	struct event *e = xcalloc(1, sizeof(*e));

	e->attr.type = code->type;
	e->attr.config = code->config;
	e->attr.config1 = code->config1;
	e->attr.config2 = code->config2;
	e->attr.precise_ip = code->precise & 3;
	e->attr.exclude_user = code->exclude_user;
	e->attr.exclude_kernel = code->exclude_kernel;
	e->attr.exclude_hv = code->exclude_hv;
	e->attr.exclude_host = code->exclude_host;
	e->attr.exclude_guest = code->exclude_guest;
	e->modifiers.excludes_set = code->exclude_user || code->exclude_kernel;
	e->name = name;
	e->unit = xstrdup("");
	e->scale = 1;
	e->leader = p->leader == GROUP_NONE ? p->list->n : p->leader;
	if (p->open && p->leader == GROUP_NONE)
		p->leader = p->list->n;
	*ARRAY_ADD(p->list) = e;
}

static int parse_event(struct pfm_parser *p)
{
	size_t n = strcspn(p->at, ",{} ");
	_cleanup_(freep) char *name = xstrndup(p->at, n);
	struct pfm_encoding code;
	const char *why;
	int r;

	if (!n)
		return pfm_wrong(p, -EINVAL, p->at, *p->at ? 1 : 0, "an event is missing here");
	r = pfm_encode(name, &code, &why);
	if (r < 0) {
		pfm_wrong(p, r, p->at, n, why);
		if (r == -EOPNOTSUPP)
			diag_hint(p->diag, "%s", PFM_HINT);
		else
			diag_hint(p->diag, "'perf list pfm' lists the events that libpfm4 knows; "
					   "those of 'perf list' are for -e");
		return r;
	}
	pfm_add_event(p, TAKE(name), &code);
	p->at += n;
	return 0;
}

/* Parses [ '{' ] event [ '}' ]. */
static int pfm_parse_item(struct pfm_parser *p)
{
	int r;

	p->at = text_skip_blanks(p->at);
	if (*p->at == '{') {
		if (p->open)
			return pfm_wrong(p, -EINVAL, p->at, 1, "a group within a group");
		p->open = true;
		p->at++;
		p->at = text_skip_blanks(p->at);
	}
	r = parse_event(p);
	if (r < 0)
		return r;
	p->at = text_skip_blanks(p->at);
	if (*p->at == '}') {
		if (!p->open)
			return pfm_wrong(p, -EINVAL, p->at, 1, "no group was opened");
		p->open = false;
		p->leader = GROUP_NONE;
		p->at++;
		p->at = text_skip_blanks(p->at);
	}
	return 0;
}

static int pfm_parse_list(struct pfm_parser *p)
{
	for (;;) {
		int r = pfm_parse_item(p);

		if (r < 0)
			return r;
		if (!*p->at)
			break;
		if (*p->at != ',')
			return pfm_wrong(p, -EINVAL, p->at, 1, "',' is missing here");
		p->at++;
	}
	return p->open ? pfm_wrong(p, -EINVAL, p->at, 0, "'}' is missing here") : 0;
}

/* Moves the events of @from to the end of @l. */
static void pfm_hand_over(struct event_list *l, struct event_list *from)
{
	l->last = l->n;
	for (size_t i = 0; i < from->n; i++) {
		from->items[i]->leader += l->last;
		*ARRAY_ADD(l) = from->items[i];
	}
	from->n = 0;
}

int pfm_events_parse(struct event_list *l, const char *text, struct diag *diag)
{
	_cleanup_(event_list_done) struct event_list found = { 0 };
	struct pfm_parser p = { text, text, &found, GROUP_NONE, false, diag };
	int r = pfm_parse_list(&p);

	if (r >= 0)
		pfm_hand_over(l, &found);
	return r;
}
