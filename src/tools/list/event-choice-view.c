/* SPDX-License-Identifier: MIT */
#include "tools/list/event-choice-view.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "event/catalog.h"

/* Characters that are not special to any shell, wherever they stand. */
#define PLAIN                                                                                      \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"                           \
	"-_:/,.=@%+"

const struct event_command event_commands[N_EVENT_COMMANDS] = {
	[EVENT_COMMAND_STAT] = { "stat", "-a -I 1000", true },
	[EVENT_COMMAND_RECORD] = { "record", "-a -g -- sleep 10", false },
	[EVENT_COMMAND_TOP] = { "top", "", false },
	[EVENT_COMMAND_TRACE] = { "trace", "-a", false },
};

void event_choice_done(struct event_choice *c)
{
	free(c->items);
	*c = (struct event_choice){ 0 };
}

bool event_choice_has(const struct event_choice *c, const struct catalog_entry *e)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->items[i] == e)
			return true;
	return false;
}

void event_choice_toggle(struct event_choice *c, const struct catalog_entry *e)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->n; i++)
		if (c->items[i] != e)
			c->items[kept++] = c->items[i];
	if (kept < c->n)
		c->n = kept;
	else
		*ARRAY_ADD(c) = e;
}

bool event_can_be_chosen(const struct catalog_entry *e)
{
	return e->kind != CATALOG_RAW && e->kind != CATALOG_BREAKPOINT;
}

static const char *event_choice_option_of(const struct catalog_entry *e)
{
	switch (e->kind) {
	case CATALOG_METRIC:
	case CATALOG_METRIC_GROUP:
		return "-M";
	case CATALOG_PFM:
		return "--pfm-events";
	default:
		return "-e";
	}
}

/* Appends @word in single quotes. Only the quote itself is special within them. */
static void event_choice_add_quoted(struct text *t, const char *word)
{
	if (!word[strspn(word, PLAIN)]) {
		text_add(t, word);
		return;
	}
	text_add_char(t, '\'');
	for (const char *c = word; *c; c++)
		if (*c == '\'')
			text_add(t, "'\\''");
		else
			text_add_char(t, *c);
	text_add_char(t, '\'');
}

static void add_option(const struct event_choice *c, const char *option, bool quoted,
		       struct text *t)
{
	_cleanup_(text_done) struct text names = TEXT_EMPTY;

	for (size_t i = 0; i < c->n; i++)
		if (!strcmp(event_choice_option_of(c->items[i]), option))
			text_addf(&names, "%s%s", names.length ? "," : "", c->items[i]->name);
	if (!names.length)
		return;
	text_addf(t, "%s%s ", t->length ? " " : "", option);
	if (quoted)
		event_choice_add_quoted(t, names.chars);
	else
		text_add(t, names.chars);
}

void event_choice_add_options(const struct event_choice *c, bool quoted, struct text *t)
{
	add_option(c, "-e", quoted, t);
	add_option(c, "-M", quoted, t);
	add_option(c, "--pfm-events", quoted, t);
}

/*
 * True if @command accepts @e. perf trace has system calls of its own, and otherwise prints
 * tracepoints.
 */
static bool event_choice_takes(const struct event_command *command, const struct catalog_entry *e)
{
	if (command == &event_commands[EVENT_COMMAND_TRACE])
		return e->kind == CATALOG_TRACEPOINT || e->kind == CATALOG_SDT;
	return command->takes_metrics || strcmp(event_choice_option_of(e), "-M") != 0;
}

const struct catalog_entry *event_choice_misfit(const struct event_choice *c,
						const struct event_command *command)
{
	for (size_t i = 0; i < c->n; i++)
		if (!event_choice_takes(command, c->items[i]))
			return c->items[i];
	return NULL;
}

void event_choice_add_line(const struct event_choice *c, const struct event_command *command,
			   struct text *t)
{
	text_addf(t, "perf %s", command->name);
	event_choice_add_options(c, true, t);
	if (*command->rest)
		text_addf(t, " %s", command->rest);
}
