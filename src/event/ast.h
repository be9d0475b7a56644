/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The text of `-e`, parsed but not yet interpreted: only the grammar, no kernel, no names.
 *
 *   events  := item { ',' item }
 *   item    := event | [ name ] '{' event { ',' event } '}' [ ':' modifiers ]
 *   event   := word [ ':' modifiers ]
 *            | word '/' [ terms ] '/' [ modifiers ]
 *            | system ':' tracepoint [ ':' modifiers | '/' [ terms ] '/' [ modifiers ] ]
 *            | type ':' config [ ':' modifiers | '/' [ terms ] '/' [ modifiers ] ]
 *            | 'mem' ':' address [ '/' length ] [ ':' access ] [ ':' modifiers | '/' terms ... ]
 *            | path '.c' or path '.o' [ '/' [ terms ] '/' ] [ ':' modifiers ]
 *   terms   := name [ '=' value ] { ',' name [ '=' value ] }
 *
 * Blanks may stand between the parts. Offsets count in the parsed text, for marking mistakes that
 * are found later.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;

enum event_syntax {
	EVENT_SYNTAX_WORD,       /* cycles, r1a8, L1-dcache-loads, mem-loads */
	EVENT_SYNTAX_PMU,        /* cpu/event=0x3c/, and cycles/period=1/, which look alike */
	EVENT_SYNTAX_TRACEPOINT, /* sched:sched_switch, either part a glob */
	EVENT_SYNTAX_NUMERIC,    /* 1:0 */
	EVENT_SYNTAX_BREAKPOINT, /* mem:0x1000/8:rw */
	EVENT_SYNTAX_BPF,        /* ./filter.c, filter.o/map:channel.event=evt/ */
};

/* A part of the parsed text. */
struct text_span {
	size_t at, length;
};

struct event_term {
	char *name;
	char *value; /* NULL: a flag; else the value without its quotes */
	struct text_span name_span, value_span;
};

struct event_node {
	enum event_syntax syntax;
	char *name;            /* the word, the PMU, the tracepoint's name, the BPF file */
	char *system;          /* system of a tracepoint */
	uint64_t type, config; /* for a numeric event */
	uint64_t address, breakpoint_size; /* for a breakpoint; size 0: the default */
	char *access;                      /* for a breakpoint: letters of "rwx", or NULL */
	bool slashes;                      /* had a term list, even an empty one */
	struct event_term *terms;
	size_t n_terms;
	char *modifiers;            /* letters, or NULL; "" after a colon without letters */
	struct text_span span;      /* the whole event */
	struct text_span name_span; /* the word, or system:name */
	struct text_span modifiers_span;
};

struct event_item {
	bool group; /* in braces */
	char *group_name;
	char *modifiers; /* modifiers of the group, or NULL */
	struct text_span modifiers_span;
	struct event_node *items;
	size_t n, room;
};

struct event_ast {
	char *source; /* the parsed text */
	struct event_item *items;
	size_t n, room;
};

/* Parses @text. -EINVAL with @diag marking the mistake. *@ret is untouched on failure. */
int event_ast_parse(const char *text, struct event_ast *ret, struct diag *diag);
void event_ast_done(struct event_ast *ast);
