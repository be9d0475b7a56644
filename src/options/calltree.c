/* SPDX-License-Identifier: MIT */
#include "options/calltree.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/similar.h"
#include "options/table.h"

/*
 * An abbreviation means the first word that it matches: `f` is flat, `c` is caller, `p` is percent.
 */
static const char *const prints[] = {
	[CALLTREE_PRINT_GRAPH] = "graph",     [CALLTREE_PRINT_FLAT] = "flat",
	[CALLTREE_PRINT_FRACTAL] = "fractal", [CALLTREE_PRINT_FOLDED] = "folded",
	[CALLTREE_PRINT_NONE] = "none",
};

static const char *const orders[] = {
	[CALLTREE_ORDER_CALLER] = "caller",
	[CALLTREE_ORDER_CALLEE] = "callee",
};

static const char *const keys[] = {
	[FRAMES_BY_FUNCTION] = "function",
	[FRAMES_BY_ADDRESS] = "address",
	[FRAMES_BY_LINE] = "srcline",
};

static const char *const values[] = {
	[REPORT_TREE_PERCENT] = "percent",
	[REPORT_TREE_PERIOD] = "period",
	[REPORT_TREE_COUNT] = "count",
};

static bool calltree_find(const char *const *names, size_t n, const char *word, unsigned *ret)
{
	for (size_t i = 0; i < n; i++)
		if (names[i] && value_abbreviates(word, names[i])) {
			*ret = (unsigned)i;
			return true;
		}
	return false;
}

static bool calltree_take_word(struct calltree_layout *l, const char *word)
{
	unsigned i;

	if (calltree_find(prints, ARRAY_SIZE(prints), word, &i))
		l->print = i;
	else if (calltree_find(orders, ARRAY_SIZE(orders), word, &i))
		l->order = i;
	else if (calltree_find(keys, ARRAY_SIZE(keys), word, &i))
		l->key = i;
	else if (value_abbreviates(word, "branch"))
		l->branch = true;
	else if (calltree_find(values, ARRAY_SIZE(values), word, &i))
		l->value = i;
	else
		return false;
	return true;
}

static bool calltree_take_number(struct calltree_layout *l, const char *word, bool first)
{
	char *end;

	if (!strchr("0123456789.", *word))
		return false;
	if (!first)
		return number_parse(word, &l->limit) >= 0;

	double percent = strtod(word, &end);

	if (*end || end == word || !(percent >= 0 && percent <= 100))
		return false;
	l->threshold = percent;
	l->has_threshold = true;
	return true;
}

int calltree_parse(const char *text, struct calltree_layout *layout, size_t *ret_offset,
		   size_t *ret_length)
{
	struct calltree_layout l = *layout;
	bool first = true;

	for (const char *s = text; s; s = value_next(s)) {
		size_t n = value_word(s);
		_cleanup_(freep) char *word = xstrndup(s, n);

		if (calltree_take_number(&l, word, first)) {
			first = false;
		} else if (!calltree_take_word(&l, word)) {
			*ret_offset = (size_t)(s - text);
			*ret_length = n;
			return -EINVAL;
		}
	}
	*layout = l;
	return 0;
}

static void calltree_add_names(struct similar *near, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (names[i])
			similar_add(near, names[i]);
}

/* Returns the words of -g that look like @word, in the form of similar_phrase(). */
static char *nearest_words(const char *word)
{
	struct similar near = { .typed = word };

	calltree_add_names(&near, prints, ARRAY_SIZE(prints));
	calltree_add_names(&near, orders, ARRAY_SIZE(orders));
	calltree_add_names(&near, keys, ARRAY_SIZE(keys));
	similar_add(&near, "branch");
	calltree_add_names(&near, values, ARRAY_SIZE(values));
	return similar_phrase(&near);
}

/* Shorter words may be letters of other options: -gni FILE. */
#define MISSPELT_MIN 4

/* True if @word is meant for -g, though no word of -g is like it. The name of a file is not. */
static bool is_misspelt(const char *word)
{
	_cleanup_(freep) char *near = nearest_words(word);
	size_t letters = 0;

	while (isalpha((unsigned char)word[letters]))
		letters++;
	return (near || (letters >= MISSPELT_MIN && !word[letters])) && access(word, F_OK) < 0;
}

/*
 * True if @word is a layout. In `report -g perf.data`, a word that is no layout is the next
 * argument; a list can only be a wrong layout.
 */
static bool is_layout(const char *word)
{
	struct calltree_layout l = { 0 };
	size_t offset, length;

	return strchr(word, ',') || calltree_parse(word, &l, &offset, &length) >= 0 ||
	       is_misspelt(word);
}

static int layout_set(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	struct calltree_layout *l = field;
	size_t offset, length;

	if (negated) {
		l->print = CALLTREE_PRINT_NONE;
		return 0;
	}
	l->asked = true;
	if (!value) {
		if (l->print == CALLTREE_PRINT_NONE)
			l->print = CALLTREE_PRINT_DEFAULT;
		return 0;
	}
	if (calltree_parse(value, l, &offset, &length) >= 0)
		return 0;

	_cleanup_(freep) char *word = xstrndup(value + offset, length);
	_cleanup_(freep) char *near = nearest_words(word);

	value_refuse(diag, o, value, offset, length, "'%s' says nothing about call trees%s", word,
		     strchr(value, ',') || access(value, F_OK) >= 0 ? "" : ", and is no file");
	diag_hint(diag,
		  "%s%s%sAny of: graph|flat|fractal|folded|none, a percentage, a number of "
		  "entries, caller|callee, function|address|srcline, branch, "
		  "percent|period|count.",
		  near ? "Did you mean " : "", near ? near : "", near ? "? " : "");
	return -EINVAL;
}

static int inverted_set(void *field, const struct option *o, const char *value, bool negated,
			struct diag *diag)
{
	struct calltree_layout *l = field;

	(void)o;
	(void)value;
	(void)diag;
	l->order = negated ? CALLTREE_ORDER_DEFAULT : CALLTREE_ORDER_CALLER;
	return 0;
}

/* Sets one of the words of -g. */
static int calltree_word_set(void *field, const struct option *o, const char *value, bool negated,
			     struct diag *diag)
{
	size_t offset, length;

	(void)negated;
	if (calltree_parse(value, field, &offset, &length) >= 0)
		return 0;
	value_refuse(diag, o, value, 0, strlen(value), "'%s' says nothing about call trees", value);
	diag_hint(diag, "Use one of: %s.", o->arg);
	return -EINVAL;
}

/*
 * Sets the threshold. --percent-limit sets it too, and the variable of --percent-limit takes
 * precedence over this one.
 */
static int threshold_set(void *field, const struct option *o, const char *value, bool negated,
			 struct diag *diag)
{
	struct calltree_layout *l = field;
	double percent;
	int r = percent_set(&percent, o, value, negated, diag);

	if (r < 0 || l->has_threshold)
		return r;
	l->threshold = percent;
	l->has_threshold = true;
	return 0;
}

const struct option calltree_layout_options[] = {
	OPT_CALL('g', "call-graph", struct calltree_opts, layout,
		 "print_type,threshold[,print_limit],order,sort_key[,branch],value",
		 "how to show stacks: graph,0.5,caller,function,percent", .set = layout_set,
		 .takes = is_layout, .flags = OPTION_OPTIONAL),
	OPT_CALL(0, NULL, struct calltree_opts, layout, "graph, fractal, flat, folded",
		 "the print_type of --call-graph", .set = calltree_word_set,
		 .config = "call-graph.print-type"),
	OPT_CALL(0, NULL, struct calltree_opts, layout, "percent", "the threshold of --call-graph",
		 .set = threshold_set, .config = "call-graph.threshold"),
	OPT_UINT(0, NULL, struct calltree_opts, layout.limit, "n",
		 "the print_limit of --call-graph", .config = "call-graph.print-limit"),
	OPT_CALL(0, NULL, struct calltree_opts, layout, "caller, callee",
		 "the order of --call-graph", .set = calltree_word_set,
		 .config = "call-graph.order"),
	OPT_CALL(0, NULL, struct calltree_opts, layout, "function, address, srcline",
		 "the sort_key of --call-graph", .set = calltree_word_set,
		 .config = "call-graph.sort-key"),
	OPT_END
};

const struct option calltree_options[] = {
	OPT_HEADING("Call trees:"),
	OPT_INCLUDE(calltree_layout_options),
	OPT_CALL('G', "inverted", struct calltree_opts, layout, NULL, "callers first, as -g caller",
		 .set = inverted_set, .flags = OPTION_NO_VALUE),
	OPT_CHOICE(0, "children", struct calltree_opts, children,
		   "count callees for their callers too (the default)",
		   .config = "report.children"),
	OPT_UINT(0, "max-stack", struct calltree_opts, max_stack, "n",
		 "look at the innermost n frames of each stack only"),
	OPT_CALL(0, "ignore-callees", struct calltree_opts, ignore_callees, "regex",
		 "cut stacks below the functions that match", .set = regex_set),
	OPT_END
};
