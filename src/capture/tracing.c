/* SPDX-License-Identifier: MIT */
#include "capture/tracing.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/text.h"
#include "capture/recorded-event.h"
#include "datafile/tracing-data.h"
#include "kernel/tracefs.h"

/* The limit on texts to which every trace_printk() and every command of the system adds. */
#define TEXT_MAX (16U << 20)

/* The texts of a collection; tracing_data borrows them until it is encoded. */
struct tracing_collection {
	const struct tracefs *tracefs;
	struct tracing_data data;
	struct name_list texts;
	const char *definitions; /* definitions of probes; "" if there are none */
	struct diag *diag;
};

static void collection_done(struct tracing_collection *c)
{
	tracing_data_done(&c->data);
	name_list_done(&c->texts);
}

static const char *tracing_keep(struct tracing_collection *c, char *text)
{
	*ARRAY_ADD(&c->texts) = text;
	return text;
}

static int tracing_say(struct tracing_collection *c, int r, const char *what)
{
	if (r == -EACCES)
		return tracefs_explain_denied(c->tracefs, c->diag);
	return diag_set(c->diag, r, "cannot read %s of %s: %s", what, tracefs_path(c->tracefs),
			strerror(-r));
}

static int tracing_read_text(struct tracing_collection *c, const char *name, const char **ret,
			     size_t *ret_length)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", tracefs_path(c->tracefs), name);
	char *text;
	int r = file_read(AT_FDCWD, path, TEXT_MAX, &text, ret_length);

	if (r < 0)
		return r;
	*ret = tracing_keep(c, text);
	return 0;
}

static int tracing_add_headers(struct tracing_collection *c)
{
	struct tracing_format *page = &c->data.header_page, *event = &c->data.header_event;
	int r = tracing_read_text(c, "events/header_page", &page->text, &page->length);

	if (r >= 0)
		r = tracing_read_text(c, "events/header_event", &event->text, &event->length);
	return r < 0 ? tracing_say(c, r, "events/header_page") : 0;
}

static bool tracing_contains(const struct recorded_event *events, size_t n,
			     const struct recorded_event *e)
{
	for (size_t i = 0; i < n; i++)
		if (events[i].system && !strcmp(events[i].system, e->system) &&
		    !strcmp(events[i].tracepoint, e->tracepoint))
			return true;
	return false;
}

static int tracing_add_format(struct tracing_collection *c, const struct recorded_event *e)
{
	struct tracing_data *d = &c->data;
	char *text, *shown;
	int r = tracefs_event_format(c->tracefs, e->system, e->tracepoint, &text);

	if (r < 0)
		return tracing_say(c, r, e->tracepoint);
	shown = probe_registers_show(text, e->system, e->tracepoint, c->definitions);
	if (shown) {
		free(text);
		text = shown;
	}
	d->formats = array_reserve(d->formats, &d->room, d->n_formats + 1, sizeof(d->formats[0]));
	d->formats[d->n_formats++] = (struct tracing_format){
		.system = e->system,
		.text = tracing_keep(c, text),
		.length = strlen(text),
	};
	return 0;
}

/* Adds the tracepoints of one system together, at the place of its first one. */
static int add_system(struct tracing_collection *c, const struct recorded_event *events, size_t n,
		      const char *system)
{
	int r = 0;

	for (size_t i = 0; i < n && r >= 0; i++)
		if (events[i].system && !strcmp(events[i].system, system) &&
		    !tracing_contains(events, i, &events[i]))
			r = tracing_add_format(c, &events[i]);
	return r;
}

static bool is_first_of_system(const struct recorded_event *events, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (events[j].system && !strcmp(events[j].system, events[i].system))
			return false;
	return true;
}

static int tracing_add_formats(struct tracing_collection *c, const struct recorded_event *events,
			       size_t n)
{
	int r = 0;

	for (size_t i = 0; i < n && r >= 0; i++)
		if (events[i].system && is_first_of_system(events, i))
			r = add_system(c, events, n, events[i].system);
	return r;
}

int tracing_collect(const struct tracefs *t, const struct recorded_event *events, size_t n,
		    struct bytes *out, struct diag *diag)
{
	_cleanup_(collection_done) struct tracing_collection c = { .tracefs = t,
								   .definitions = "",
								   .diag = diag };
	struct tracing_data *d = &c.data;
	const uint16_t one = 1;
	size_t first = 0, length;

	while (first < n && !events[first].system)
		first++;
	if (first == n)
		return 0;

	d->big_endian = !*(const uint8_t *)&one;
	d->long_size = sizeof(long);
	d->page_size = (uint32_t)sysconf(_SC_PAGESIZE);
	d->version = "0.6";
	/* A kernel without support for probes has no such file. */
	(void)tracing_read_text(&c, "dynamic_events", &c.definitions, &length);
	int r = tracing_add_headers(&c);
	if (r >= 0)
		r = tracing_add_formats(&c, events, n);
	if (r < 0)
		return r;
	/* Names for the targets of %pf and %ps, and for tasks; events can be read without them. */
	(void)tracing_read_text(&c, "printk_formats", &d->printk, &d->printk_length);
	(void)tracing_read_text(&c, "saved_cmdlines", &d->cmdlines, &d->cmdlines_length);
	tracing_data_encode(d, out);
	return 0;
}

/* MAX_TRACE_ARGS of the kernel's trace_probe.h. */
#define ARGS_MAX 128

/*
 * The registers of one event by the number of the argument; "" if the argument is no plain
 * register.
 */
struct registers {
	char *names[ARGS_MAX];
};

static void registers_done(struct registers *r)
{
	for (size_t i = 0; i < ARGS_MAX; i++)
		free(r->names[i]);
}

/*
 * Returns the register of the definition's argument @word at position @i, from 0: "x0" of
 * "arg1=%x0:u64".
 */
static char *probe_registers_register_of(const char *word, size_t length, size_t i)
{
	_cleanup_(freep) char *own = xasprintf("arg%zu=%%", i + 1);
	size_t before = strlen(own), n = 0;

	if (length <= before || memcmp(word, own, before))
		return xstrdup("");
	while (before + n < length && isalnum((unsigned char)word[before + n]))
		n++;
	return before + n == length || word[before + n] == ':' ? xstrndup(word + before, n)
							       : xstrdup("");
}

/*
 * Notes the register of an argument. If several places of a probe have it in different registers,
 * it has none.
 */
static void probe_registers_note(struct registers *r, size_t i, char *name)
{
	_cleanup_(freep) char *given = name;

	if (!r->names[i])
		r->names[i] = TAKE(given);
	else if (strcmp(r->names[i], given))
		*r->names[i] = '\0';
}

/* Reads the text at @at, after the name of the event: its place, then its arguments. */
static void read_arguments(struct registers *r, const char *at)
{
	at += strspn(at, " ");
	at += strcspn(at, " \n");
	for (size_t i = 0; i < ARGS_MAX; i++) {
		at += strspn(at, " ");

		size_t n = strcspn(at, " \n");

		if (!n)
			return;
		probe_registers_note(r, i, probe_registers_register_of(at, n, i));
		at += n;
	}
}

static void read_definitions(struct registers *r, const char *definitions, const char *system,
			     const char *name)
{
	_cleanup_(freep) char *own = xasprintf(":%s/%s ", system, name);

	for (const char *line = definitions; *line; line += strcspn(line, "\n")) {
		line += *line == '\n';

		size_t head = strcspn(line, ":\n");

		if (!strncmp(line + head, own, strlen(own)))
			read_arguments(r, line + head + strlen(own) - 1);
	}
}

/*
 * Appends the print fmt @fmt, with " %%x0=" instead of the " arg1=" of a register; false: it has
 * none.
 */
static bool capture_probe_registers_show(const struct registers *r, const char *fmt,
					 struct text *out)
{
	bool changed = false;

	for (size_t i = 0; i < ARGS_MAX; i++) {
		_cleanup_(freep) char *shown = xasprintf(" arg%zu=", i + 1);
		const char *at = r->names[i] && *r->names[i] ? strstr(fmt, shown) : NULL;

		if (!at)
			continue;
		text_add_bytes(out, fmt, (size_t)(at - fmt));
		text_addf(out, " %%%%%s=", r->names[i]);
		fmt = at + strlen(shown);
		changed = true;
	}
	text_add(out, fmt);
	return changed;
}

char *probe_registers_show(const char *format, const char *system, const char *name,
			   const char *definitions)
{
	_cleanup_(registers_done) struct registers r = { 0 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	const char *fmt = strstr(format, "\nprint fmt: ");

	if (!fmt || !strncmp(system, "sdt_", strlen("sdt_")))
		return NULL;
	read_definitions(&r, definitions, system, name);
	text_add_bytes(&out, format, (size_t)(fmt - format));
	return capture_probe_registers_show(&r, fmt, &out) ? text_take(&out) : NULL;
}
