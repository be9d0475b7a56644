/* SPDX-License-Identifier: MIT */
#include "tools/probe/list-view.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "probe/probe-def.h"
#include "probe/trace-probe.h"
#include "tools/probe/place-work.h"

/* The column of "(on". Longer names push it to the right. */
#define NAME_WIDTH 20

/* The width to which paths of sources are cut, at a slash. */
#define PATH_WIDTH 30

/* Prints the text escaped, because paths and names from outside must not control the terminal. */
static void probe_list_print_text(const struct text *t, FILE *out)
{
	struct text safe = TEXT_EMPTY;

	escape_terminal(&safe, t->chars, t->length);
	fprintf(out, "%s\n", safe.chars);
	text_done(&safe);
}

static void probe_list_add_head(struct text *t, const struct trace_probe *p)
{
	text_add(t, "  ");
	text_addf(t, "%s:%s", p->group, p->event);
	text_pad(t, 2, NAME_WIDTH, 0, ' ');
	text_add(t, " (on ");
}

static void probe_list_add_image(struct text *t, const struct trace_probe *p)
{
	const char *image = p->is_user ? p->path : p->module;

	if (image)
		text_addf(t, " in %s", image);
}

static void probe_list_add_word(struct text *t, bool *first, const char *word)
{
	text_addf(t, "%s%s", *first ? " with " : " ", word);
	*first = false;
}

/*
 * Returns the text of the point. For a marker or a kept probe it is the name as typed, without the
 * group. The caller frees it.
 */
static char *point_text(const struct probe_def *d)
{
	const char *colon = d->marker ? strchr(d->marker, ':') : NULL;

	if (!d->marker)
		return probe_point_text(&d->point);
	return xasprintf("%%%s", colon ? colon + 1 : d->marker);
}

void probe_list_print_added(const struct probe_def *d, const struct trace_probe *p, FILE *out)
{
	_cleanup_(freep) char *point = point_text(d);
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	bool first = true;

	probe_list_add_head(&t, p);
	text_add(&t, point);
	probe_list_add_image(&t, p);
	for (size_t i = 0; i < d->n_args; i++) {
		_cleanup_(freep) char *arg = probe_arg_text(&d->args[i]);

		probe_list_add_word(&t, &first, arg);
	}
	text_add_char(&t, ')');
	probe_list_print_text(&t, out);
}

/*
 * Returns the end of a long path: the part after the first slash in its last PATH_WIDTH characters.
 */
static const char *short_path(const char *path)
{
	size_t n = strlen(path);
	const char *tail = n > PATH_WIDTH ? path + n - PATH_WIDTH : NULL;
	const char *slash = tail ? strchr(tail, '/') : NULL;

	if (!tail)
		return path;
	if (!slash)
		slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static void probe_list_add_place(struct text *t, const struct trace_probe *p,
				 const struct probe_place *place)
{
	if (place->function)
		text_add(t, place->function);
	else
		text_addf(t, "%#llx", (unsigned long long)place->offset);
	if (p->is_return)
		text_add(t, "%return");
	else if (place->has_line)
		text_addf(t, ":%lld", (long long)place->line);
	else if (place->function && place->offset)
		text_addf(t, "+%llu", (unsigned long long)place->offset);
	if (place->file)
		text_addf(t, "@%s", short_path(place->file));
}

/*
 * True if argument @i has no name. The kernel then calls it arg1, arg2, ..., and the register is
 * more useful. Arguments of markers also get such names from users.
 */
static bool is_nameless(const struct trace_probe *p, size_t i)
{
	const char *name = p->args[i].name;
	char own[32];

	snprintf(own, sizeof(own), "arg%zu", i + 1);
	return !name || (!strcmp(name, own) && strncmp(p->group, "sdt_", 4) != 0);
}

static const char *probe_list_shown_name(const struct trace_probe *p, size_t i)
{
	const struct trace_arg *a = &p->args[i];

	if (a->value[0] == '%' && is_nameless(p, i))
		return a->value;
	return a->name ? a->name : a->value;
}

void probe_list_print(const struct trace_probe *p, const struct probe_place *place, FILE *out)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	bool first = true;

	probe_list_add_head(&t, p);
	probe_list_add_place(&t, p, place);
	probe_list_add_image(&t, p);
	for (size_t i = 0; i < p->n_args; i++)
		probe_list_add_word(&t, &first, probe_list_shown_name(p, i));
	text_add_char(&t, ')');
	probe_list_print_text(&t, out);
}

void probe_list_print_definition(const struct trace_probe *p, FILE *out)
{
	_cleanup_(freep) char *line = trace_probe_text(p);

	fprintf(out, "%s\n", line);
}

/* See Documentation/trace/boottime-trace.rst. The group is always "kprobes". */
void probe_list_print_bootconfig(const struct trace_probes *l, FILE *out)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct trace_probe *p = &l->items[i];
		_cleanup_(freep) char *line = trace_probe_text(p);
		bool same = i && !strcmp(l->items[i - 1].event, p->event);

		if (same)
			fputs(", ", out);
		else
			fprintf(out, "%sftrace.event.kprobes.%s.probe = ", i ? "\n" : "", p->event);
		fprintf(out, "'%s'", line + strcspn(line, " ") + 1);
	}
	if (l->n)
		fputc('\n', out);
}
