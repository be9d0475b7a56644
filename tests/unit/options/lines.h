/* SPDX-License-Identifier: MIT */
#pragma once
/* Passes the lines of command-lines.def through the option table of their command. */
#include "base/memory.h"
#include "cli/command.h"
#include "cli/config.h"
#include "parse.h"

#define LINE_WORDS 40

/*
 * Passes @words through @c after the configuration @text, which must be valid. @opts has the
 * defaults before that, and borrows strings from @config.
 */
static inline void parse_configured(const struct command *c, struct config *config,
				    const char *text, void *opts, char **words)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	if (c->defaults)
		memcpy(opts, c->defaults, c->opts_size);
	assert_int_equal(config_parse(config, text, strlen(text), "test", &d), 0);
	assert_int_equal(option_configure(c->options, opts, config, &d), 0);
	assert_int_equal(parse_words(c->options, opts, words, OPTION_STOP_NEVER), 0);
}

struct line {
	const char *command;
	char *words[LINE_WORDS];
};

static struct line lines[] = {
#define LINE(command, ...) { #command, { __VA_ARGS__ } },
#include "command-lines.def"
#undef LINE
};

/* Parses all lines of @c. Returns their number. */
static inline size_t parse_lines(const struct command *c)
{
	enum option_stop stop = c->flags & COMMAND_WORKLOAD ? OPTION_STOP_POSITIONAL
							    : OPTION_STOP_NEVER;
	size_t n = 0;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		_cleanup_(freep) void *opts = xcalloc(1, c->opts_size);

		if (strcmp(lines[i].command, c->name))
			continue;
		n++;
		if (parse_words(c->options, opts, lines[i].words, stop) < 0)
			fail_msg("line %zu, perf %s: %s", i + 1, c->name, parsed.said);
		if (c->done)
			c->done(opts);
	}
	return n;
}
