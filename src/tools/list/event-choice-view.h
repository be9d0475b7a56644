/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The events that were chosen in the browser of events, in the order of choosing, and the command
 * lines made from them.
 */
#include <stdbool.h>
#include <stddef.h>

struct catalog_entry;
struct text;

struct event_choice {
	const struct catalog_entry **items; /* borrowed */
	size_t n, room;
};

void event_choice_done(struct event_choice *c);

bool event_choice_has(const struct event_choice *c, const struct catalog_entry *e);

/* Adds @e, or removes it if it is there already. */
void event_choice_toggle(struct event_choice *c, const struct catalog_entry *e);

/* True if @e can be given to an option. An entry that only describes a syntax cannot. */
bool event_can_be_chosen(const struct catalog_entry *e);

/*
 * Appends the options for perf stat: "-e a,b -M c --pfm-events d". @quoted: for a shell, to which
 * some characters are special.
 */
void event_choice_add_options(const struct event_choice *c, bool quoted, struct text *t);

/* A command that can use events. */
struct event_command {
	const char *name; /* "stat" */
	const char *rest; /* initial text after the options */
	bool takes_metrics;
};
enum {
	EVENT_COMMAND_STAT,
	EVENT_COMMAND_RECORD,
	EVENT_COMMAND_TOP,
	EVENT_COMMAND_TRACE,
	N_EVENT_COMMANDS,
};
extern const struct event_command event_commands[N_EVENT_COMMANDS];

/* Returns the first chosen entry that @command does not accept, or NULL. */
const struct catalog_entry *event_choice_misfit(const struct event_choice *c,
						const struct event_command *command);

/* Appends "perf stat -e a,b -a -I 1000", quoted for a shell. */
void event_choice_add_line(const struct event_choice *c, const struct event_command *command,
			   struct text *t);
