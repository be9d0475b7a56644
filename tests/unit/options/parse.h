/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Passes a command line through an option table, for the tests of options: PARSE() returns 0 or an
 * error, and says() is true if the message or the hint contains some words.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/option.h"

struct parsed {
	int argc;
	char **argv;
	char said[2000];
};

static struct parsed parsed;

static inline int parse_words(const struct option *table, void *opts, char **words,
			      enum option_stop stop)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct option_line line;
	int r = option_parse(table, opts, words, stop, &line, &d);

	parsed.argc = line.argc;
	parsed.argv = words;
	snprintf(parsed.said, sizeof(parsed.said), "%s\n%s\n%s", d.message ? d.message : "",
		 d.excerpt ? d.excerpt : "", d.hint ? d.hint : "");
	/* An error always has a message: that is the contract of option_set_fn. */
	if (r < 0)
		assert_non_null(d.message);
	return r;
}

static inline bool says(const char *words)
{
	if (strstr(parsed.said, words))
		return true;
	print_message("not said: '%s', but: %s\n", words, parsed.said);
	return false;
}

/* The words must outlive the options, which borrow them. */
#define PARSE(table, opts, ...)                                                                    \
	parse_words(table, opts, (char *[]){ __VA_ARGS__, NULL }, OPTION_STOP_POSITIONAL)
