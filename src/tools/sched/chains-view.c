/* SPDX-License-Identifier: MIT */
#include "tools/sched/chains-view.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "tools/sched/wake-path-model.h"
#include "tools/sched/wakes-model.h"
#include "view/json.h"

#define NS_PER_MS 1e6
#define NS_PER_S  1000000000
#define NS_PER_US 1000

static const char *const doings[WAKE_DOINGS] = { "running", "waiting for a CPU", "sleeping",
						 "not seen" };

/* Appends the name of a task, such as "sh[12]", or "an interrupt". */
static void chains_add_name(struct text *t, const struct wakes *w, uint32_t task)
{
	if (task == WAKER_INTERRUPT) {
		text_add(t, "an interrupt");
	} else if (task == WAKER_UNKNOWN) {
		text_add(t, "someone unknown");
	} else {
		const char *name = w->tasks.items[task].name.chars;

		escape_terminal(t, name, strlen(name));
		text_addf(t, "[%d]", (int)w->tasks.items[task].tid);
	}
}

void chains_print_edges(FILE *out, const struct wakes *w)
{
	size_t n;
	_cleanup_(freep) struct wake_edge *edges = wakes_edges(w, &n);

	fprintf(out, "%12s  %8s  %-26s  %s\n", "slept msec", "count", "task", "woken by");
	for (size_t i = 0; i < n; i++) {
		_cleanup_(text_done) struct text woken = TEXT_EMPTY, waker = TEXT_EMPTY;

		chains_add_name(&woken, w, edges[i].woken);
		chains_add_name(&waker, w, edges[i].waker);
		fprintf(out, "%12.3f  %8" PRIu64 "  %-26s  %s\n",
			(double)edges[i].waited_ns / NS_PER_MS, edges[i].count, woken.chars,
			waker.chars);
	}
}

static void chains_print_line(FILE *out, uint64_t whole, uint64_t ns, unsigned depth,
			      const char *what)
{
	fprintf(out, "%12.3f  %6.2f%%  %*s%s\n", (double)ns / NS_PER_MS,
		whole ? 100 * (double)ns / (double)whole : 0, (int)depth * 2, "", what);
}

static void print_node(FILE *out, const struct wakes *w, const struct wake_path *p, uint32_t node,
		       unsigned depth)
{
	const struct wake_node *n = &p->nodes.items[node];
	uint64_t whole = p->nodes.items[0].ns;
	_cleanup_(text_done) struct text title = TEXT_EMPTY;

	if (depth)
		text_add(&title, "asleep until woken by ");
	chains_add_name(&title, w, n->task);
	if (depth)
		text_addf(&title, ", %" PRIu64 " time%s", n->count, n->count == 1 ? "" : "s");
	chains_print_line(out, whole, n->ns, depth, title.chars);
	for (size_t i = 0; i < WAKE_DOINGS; i++)
		if (n->doing_ns[i] && n->task != WAKER_INTERRUPT && n->task != WAKER_UNKNOWN)
			chains_print_line(out, whole, n->doing_ns[i], depth + 1, doings[i]);
	for (uint32_t child = n->child; child; child = p->nodes.items[child].next)
		print_node(out, w, p, child, depth + 1);
}

void chains_print_tree(FILE *out, const struct wakes *w, const struct wake_path *p)
{
	fprintf(out, "%12s  %7s  %s\n", "msec", "", "task, and what it waited for");
	print_node(out, w, p, 0, 0);
}

static void chains_add_step(struct text *t, const struct wakes *w, const struct wake_step *s)
{
	chains_add_name(t, w, s->task);
	text_addf(t, " %s", doings[s->doing]);
	if (s->doing != WAKE_SLEEPS)
		return;
	text_add(t, s->waker == WAKER_UNKNOWN ? "" : ", woken by ");
	if (s->waker != WAKER_UNKNOWN)
		chains_add_name(t, w, s->waker);
}

void chains_print_steps(FILE *out, const struct wakes *w, const struct wake_path *p)
{
	fprintf(out, "%17s  %12s\n", "from", "msec");
	for (size_t i = 0; i < p->steps.n; i++) {
		const struct wake_step *s = &p->steps.items[i];
		_cleanup_(text_done) struct text what = TEXT_EMPTY;

		chains_add_step(&what, w, s);
		fprintf(out, "%10" PRIu64 ".%06" PRIu64 "  %12.3f  %*s%s\n", s->from_ns / NS_PER_S,
			s->from_ns % NS_PER_S / NS_PER_US,
			(double)(s->to_ns - s->from_ns) / NS_PER_MS, (int)s->depth * 2, "",
			what.chars);
	}
}

/* Adds the members of a task. An interrupt has no number. */
static void json_task(struct json *j, const struct wakes *w, const char *key, uint32_t task)
{
	json_key(j, key);
	if (task == WAKER_UNKNOWN) {
		json_null(j);
		return;
	}
	json_object(j);
	j->on_line = true;
	json_member(j, "name",
		    task == WAKER_INTERRUPT ? "interrupt" : w->tasks.items[task].name.chars);
	if (task != WAKER_INTERRUPT)
		json_member_signed(j, "tid", (int32_t)w->tasks.items[task].tid);
	json_end(j, '}');
	j->on_line = false;
}

void chains_print_edges_json(FILE *out, const struct wakes *w)
{
	size_t n;
	_cleanup_(freep) struct wake_edge *edges = wakes_edges(w, &n);
	struct json j;

	json_init(&j, out);
	json_object(&j);
	json_key(&j, "wakes");
	json_array(&j);
	for (size_t i = 0; i < n; i++) {
		json_object(&j);
		json_task(&j, w, "woken", edges[i].woken);
		json_task(&j, w, "waker", edges[i].waker);
		json_member_unsigned(&j, "count", edges[i].count);
		json_member_unsigned(&j, "slept_ns", edges[i].waited_ns);
		json_end(&j, '}');
	}
	json_end(&j, ']');
	json_end(&j, '}');
	json_done(&j);
}

static void json_node(struct json *j, const struct wakes *w, const struct wake_path *p,
		      uint32_t node)
{
	static const char *const keys[WAKE_DOINGS] = { "running_ns", "waiting_for_cpu_ns",
						       "sleeping_ns", "unseen_ns" };
	const struct wake_node *n = &p->nodes.items[node];

	json_object(j);
	json_task(j, w, "task", n->task);
	json_member_unsigned(j, "count", n->count);
	json_member_unsigned(j, "ns", n->ns);
	for (size_t i = 0; i < WAKE_DOINGS; i++)
		json_member_unsigned(j, keys[i], n->doing_ns[i]);
	json_key(j, "woken_by");
	json_array(j);
	for (uint32_t child = n->child; child; child = p->nodes.items[child].next)
		json_node(j, w, p, child);
	json_end(j, ']');
	json_end(j, '}');
}

static void json_step(struct json *j, const struct wakes *w, const struct wake_step *s)
{
	json_object(j);
	json_member_unsigned(j, "from_ns", s->from_ns);
	json_member_unsigned(j, "to_ns", s->to_ns);
	json_task(j, w, "task", s->task);
	json_member_unsigned(j, "depth", s->depth);
	json_member(j, "doing", doings[s->doing]);
	if (s->doing == WAKE_SLEEPS)
		json_task(j, w, "waker", s->waker);
	json_end(j, '}');
}

static void json_path(struct json *j, const struct wakes *w, const struct wake_path *p)
{
	json_object(j);
	json_key(j, "tree");
	json_node(j, w, p, 0);
	json_key(j, "path");
	json_array(j);
	for (size_t i = 0; i < p->steps.n; i++)
		json_step(j, w, &p->steps.items[i]);
	json_end(j, ']');
	json_end(j, '}');
}

void chains_print_paths_json(FILE *out, const struct wakes *w, const struct wake_path *paths,
			     size_t n)
{
	struct json j;

	json_init(&j, out);
	json_object(&j);
	json_key(&j, "tasks");
	json_array(&j);
	for (size_t i = 0; i < n; i++)
		json_path(&j, w, &paths[i]);
	json_end(&j, ']');
	json_end(&j, '}');
	json_done(&j);
}
