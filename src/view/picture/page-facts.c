/* SPDX-License-Identifier: MIT */
#include "view/picture/page-facts.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "profile/page/pack.h"
#include "profile/page/page.h"
#include "view/json.h"
#include "view/picture/page-colours.h"

static void add_views(struct json *j, const struct page *p)
{
	static const struct {
		enum page_view view;
		const char *name;
	} names[] = {
		{ PAGE_VIEW_FLAME, "flame" },     { PAGE_VIEW_TIME, "time" },
		{ PAGE_VIEW_THREADS, "threads" }, { PAGE_VIEW_TABLE, "table" },
		{ PAGE_VIEW_CODE, "code" },       { PAGE_VIEW_HEAT, "heat" },
		{ PAGE_VIEW_FACTS, "facts" },     { PAGE_VIEW_CHART, "chart" },
	};

	json_key(j, "views");
	json_array(j);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (p->views & names[i].view)
			json_string(j, names[i].name);
	json_end(j, ']');
}

static void picture_page_facts_add_texts(struct json *j, const char *key, const char *const *items,
					 size_t n)
{
	json_key(j, key);
	json_array(j);
	for (size_t i = 0; i < n; i++)
		json_string(j, items[i]);
	json_end(j, ']');
}

static void picture_page_facts_add_header(struct json *j, const struct page *p)
{
	json_key(j, "header");
	json_array(j);
	for (size_t i = 0; i < p->header.n; i++) {
		json_array(j);
		json_string(j, p->header.items[i].name);
		json_string(j, p->header.items[i].text);
		json_end(j, ']');
	}
	json_end(j, ']');
}

static void picture_page_facts_add_quality(struct json *j, const struct page *p)
{
	static const char *const levels[] = {
		[PAGE_FINE] = "fine",
		[PAGE_NOTE] = "note",
		[PAGE_WARNING] = "warning",
	};

	json_key(j, "quality");
	json_array(j);
	for (size_t i = 0; i < p->quality.n; i++) {
		const struct page_remark *r = &p->quality.items[i];

		json_object(j);
		json_member(j, "level", levels[r->level]);
		json_member(j, "text", r->text);
		json_member(j, "help", r->help);
		json_end(j, '}');
	}
	json_end(j, ']');
}

/* Adds times, which are too large for a number of JavaScript. */
static void picture_page_facts_add_time(struct json *j, const struct page *p)
{
	char start[24];

	if (!p->has_times)
		return;
	snprintf(start, sizeof(start), "%" PRIu64, p->start_ns);
	json_key(j, "time");
	json_object(j);
	json_member(j, "start", start);
	json_member_unsigned(j, "bin", p->bin_ns);
	json_member_unsigned(j, "bins", p->n_bins);
	json_end(j, '}');
}

static void picture_page_facts_add_events(struct json *j, const struct page *p)
{
	json_key(j, "events");
	json_array(j);
	for (size_t i = 0; i < p->events.n; i++) {
		const struct page_event *e = &p->events.items[i];

		json_object(j);
		json_member(j, "name", e->name);
		json_member(j, "unit", e->unit);
		json_member_unsigned(j, "samples", e->samples);
		json_member_unsigned(j, "total", e->total);
		if (e->period)
			json_member_unsigned(j, "period", e->period);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void picture_page_facts_add_tasks(struct json *j, const struct page *p)
{
	json_key(j, "tasks");
	json_array(j);
	for (size_t i = 0; i < p->tasks.n; i++) {
		const struct page_task *t = &p->tasks.items[i];

		json_object(j);
		if (t->pid != PAGE_NONE)
			json_member_unsigned(j, "pid", t->pid);
		if (t->tid != PAGE_NONE)
			json_member_unsigned(j, "tid", t->tid);
		json_member(j, "comm", t->comm);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void picture_page_facts_add_cpus(struct json *j, const struct page *p)
{
	json_key(j, "cpus");
	json_array(j);
	for (size_t i = 0; i < p->cpus.n; i++)
		json_unsigned(j, p->cpus.items[i]);
	json_end(j, ']');
}

static void picture_page_facts_add_words(struct json *j, const struct page *p)
{
	static const char *const kinds[] = {
		[FLAME_ALL] = "all",         [FLAME_TASK] = "task",
		[FLAME_USER] = "user",       [FLAME_KERNEL] = "kernel",
		[FLAME_JIT] = "jit",         [FLAME_INLINED] = "inlined",
		[FLAME_UNKNOWN] = "unknown", [FLAME_WAIT] = "wait",
		[FLAME_WAKER] = "waker",     [FLAME_PYTHON] = "Python",
		[FLAME_JAVA] = "Java",       [FLAME_JAVASCRIPT] = "JavaScript",
		[FLAME_RUBY] = "Ruby",       [FLAME_PHP] = "PHP",
	};
	static const char *const sides[] = { "before", "after" };
	static const char *const changes[] = {
		[FLAME_NOISE] = "noise",
		[FLAME_MORE] = "more",
		[FLAME_LESS] = "less",
	};

	picture_page_facts_add_texts(j, "kinds", kinds, ARRAY_SIZE(kinds));
	if (!p->is_comparison)
		return;
	picture_page_facts_add_texts(j, "sides", sides, ARRAY_SIZE(sides));
	picture_page_facts_add_texts(j, "changes", changes, ARRAY_SIZE(changes));
}

static void picture_page_facts_add_columns(struct json *j, const struct page *p)
{
	json_key(j, "columns");
	json_array(j);
	for (size_t i = 0; i < p->columns.n; i++) {
		const struct page_column *c = &p->columns.items[i];

		json_object(j);
		json_member(j, "name", c->name);
		json_member_unsigned(j, "n", c->n);
		json_member_unsigned(j, "bytes", c->bytes);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void add_bounds(struct json *j, const struct page_axis *a)
{
	json_key(j, "bounds");
	json_array(j);
	for (size_t i = 0; i <= a->n; i++)
		json_double(j, a->bounds[i]);
	json_end(j, ']');
}

static void add_steps(struct json *j, const struct page_axis *a)
{
	json_key(j, "start");
	json_double(j, a->start);
	json_key(j, "step");
	json_double(j, a->step);
}

static void add_axis(struct json *j, const char *key, const struct page_axis *a)
{
	json_key(j, key);
	json_object(j);
	if (a->bounds)
		add_bounds(j, a);
	else
		add_steps(j, a);
	json_member_unsigned(j, "n", a->n);
	json_member(j, "unit", a->unit);
	json_end(j, '}');
}

static void picture_page_facts_add_heat(struct json *j, const struct page *p)
{
	if (!p->heat)
		return;
	json_key(j, "heat");
	json_object(j);
	add_axis(j, "x", &p->heat->x);
	add_axis(j, "y", &p->heat->y);
	json_member_unsigned(j, "over", p->heat->over);
	json_end(j, '}');
}

static void picture_page_facts_begin(struct json *j, struct text *out)
{
	json_init_text(j, out);
	j->on_line = true;
	j->colon = ":";
	json_object(j);
}

void page_lists_add(struct text *out, const struct page *p)
{
	struct json j;

	picture_page_facts_begin(&j, out);
	picture_page_facts_add_tasks(&j, p);
	picture_page_facts_add_cpus(&j, p);
	if (p->cgroups.n)
		picture_page_facts_add_texts(&j, "cgroups", p->cgroups.items, p->cgroups.n);
	picture_page_facts_add_texts(&j, "names", p->names.items, p->names.n);
	picture_page_facts_add_texts(&j, "objects", p->objects.items, p->objects.n);
	json_end(&j, '}');
}

void page_facts_add(struct text *out, const struct page *p, const char *tool)
{
	struct json j;

	picture_page_facts_begin(&j, out);
	json_member_unsigned(&j, "version", 1);
	add_views(&j, p);
	json_member(&j, "title", p->title);
	json_member(&j, "subtitle", p->subtitle);
	json_member(&j, "tool", tool);
	picture_page_facts_add_header(&j, p);
	picture_page_facts_add_quality(&j, p);
	json_member(&j, "packed", "zlib");
	picture_page_facts_add_time(&j, p);
	picture_page_facts_add_events(&j, p);
	picture_page_facts_add_words(&j, p);
	json_member(&j, "dropped", p->dropped);
	json_member(&j, "start", p->start);
	picture_page_facts_add_columns(&j, p);
	picture_page_facts_add_heat(&j, p);
	page_colours_add(&j);
	json_end(&j, '}');
}
