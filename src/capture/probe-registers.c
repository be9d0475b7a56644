/* SPDX-License-Identifier: MIT */
#include "capture/probe-registers.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"

/* MAX_TRACE_ARGS of the kernel's trace_probe.h. */
#define ARGS_MAX 128

/* The registers of one event by the number of the argument; "" where it is no plain register. */
struct registers {
	char *names[ARGS_MAX];
};

static void registers_done(struct registers *r)
{
	for (size_t i = 0; i < ARGS_MAX; i++)
		free(r->names[i]);
}

/* The register of the definition's argument @word at place @i, from 0: "x0" of "arg1=%x0:u64". */
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

/* A probe with several places may have the argument in different registers: then it has none. */
static void probe_registers_note(struct registers *r, size_t i, char *name)
{
	_cleanup_(freep) char *given = name;

	if (!r->names[i])
		r->names[i] = TAKE(given);
	else if (strcmp(r->names[i], given))
		*r->names[i] = '\0';
}

/* @at is behind the name of the event: its place, then its arguments. */
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

/* Appends the print fmt @fmt, with " %%x0=" for the " arg1=" of a register; false: it has none. */
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
