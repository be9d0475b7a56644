/* SPDX-License-Identifier: MIT */
/* perf c2c report: cache lines by the loads that found them modified in another cache. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/squeeze.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "options/buildid-dir.h"
#include "options/calltree-view.h"
#include "options/input.h"
#include "options/symbols.h"
#include "session/reading.h"
#include "symbol/symbolizer.h"
#include "tools/c2c/c2c-work.h"
#include "tools/c2c/c2c.h"
#include "tools/c2c/functions-view.h"
#include "tools/c2c/lines-view.h"
#include "tools/c2c/stats-view.h"
#include "view/report/tree.h"

struct display_choice {
	bool given;
	enum c2c_display display;
};

struct opts {
	const char *input;
	bool force;
	struct symbol_request symbols;
	struct c2c_keys keys;
	struct display_choice display;
	unsigned node_info;
	struct c2c_opts common;
	bool stats, full_symbols, no_source, show_all, double_lines;
	bool sides, functions;
	struct calltree_opts calltree;
};

static int coalesce_add(struct c2c_keys *k, const char *word, struct diag *diag)
{
	static const char *const names[C2C_KEYS] = {
		[C2C_BY_PID] = "pid",
		[C2C_BY_TID] = "tid",
		[C2C_BY_IADDR] = "iaddr",
		[C2C_BY_DSO] = "dso",
	};

	for (int i = 0; i < C2C_KEYS; i++) {
		if (strcmp(word, names[i]) != 0)
			continue;
		if (!c2c_keys_have(k, (enum c2c_key)i))
			k->items[k->n++] = (enum c2c_key)i;
		return 0;
	}
	diag_set(diag, -EINVAL, "rows of a line cannot be told apart by '%s'", word);
	diag_hint(diag, "There are: pid, tid, iaddr, dso");
	return -EINVAL;
}

static int coalesce_set(void *field, const struct option *o, const char *value, bool negated,
			struct diag *diag)
{
	_cleanup_(freep) char *words = xstrdup(value ? value : "");
	char *rest = words, *word;
	struct c2c_keys k = { .n = 0 };
	int r = 0;

	(void)o, (void)negated;
	while (r >= 0 && (word = strsep(&rest, ",")))
		r = *word ? coalesce_add(&k, word, diag) : 0;
	if (r >= 0)
		*(struct c2c_keys *)field = k;
	return r;
}

static int display_set(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	static const char *const names[] = {
		[C2C_TOTAL_HITM] = "tot",
		[C2C_LOCAL_HITMS] = "lcl",
		[C2C_REMOTE_HITMS] = "rmt",
		[C2C_PEERS] = "peer",
	};

	(void)o, (void)negated;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(value, names[i])) {
			*(struct display_choice *)field =
				(struct display_choice){ true, (enum c2c_display)i };
			return 0;
		}
	}
	diag_set(diag, -EINVAL, "lines cannot be ranked by '%s'", value);
	diag_hint(diag, "There are: tot, lcl and rmt (loads that found the line modified), peer "
			"(loads that another core answered)");
	return -EINVAL;
}

static const struct option options[] = {
	OPT_INPUT(struct opts, input),
	OPT_FORCE(struct opts, force),
	OPT_CALL('d', "display", struct opts, display, "tot|lcl|rmt|peer",
		 "rank lines by all, local or remote HITMs, or by snoops of peers (default: tot; "
		 "recordings of Arm: peer)",
		 .set = display_set, .flags = OPTION_NO_NEGATION),
	OPT_CALL('c', "coalesce", struct opts, keys, "fields",
		 "rows of a line by pid, tid, iaddr, dso (default: iaddr)", .set = coalesce_set,
		 .flags = OPTION_NO_NEGATION),
	OPT_COUNT('N', "node-info", struct opts, node_info,
		  "what each node did; twice: which of its CPUs"),
	OPT_FLAG(0, "show-all", struct opts, show_all, "lines without HITMs, too"),
	OPT_FLAG(0, "double-cl", struct opts, double_lines,
		 "two neighbouring lines are one, as prefetchers take them"),
	OPT_FLAG(0, "stats", struct opts, stats, "only the sums"),
	OPT_FLAG(0, "sides", struct opts, sides,
		 "who reads and who writes each line, side by side, and which data it is"),
	OPT_FLAG(0, "functions", struct opts, functions,
		 "all functions, by their share of the HITMs"),
	OPT_FLAG(0, "full-symbols", struct opts, full_symbols, "names of functions in full"),
	OPT_FLAG(0, "no-source", struct opts, no_source, "no column for lines of the source"),
	OPT_NOTHING(0, "stdio", NULL, "plain text", NULL),
	OPT_SET(struct opts, calltree, calltree_layout_options),
	OPT_FLAG(0, "stitch-lbr", struct opts, symbols.stitch_lbr,
		 "join LBR stacks that overlap into longer ones"),
	OPT_NOTHING('M', "disassembler-style", "style", "syntax of the assembly",
		    "no code is shown"),
	OPT_OBJDUMP,
	OPT_SET(struct opts, common, c2c_options),
	OPT_SET(struct opts, symbols, symbol_file_options),
	OPT_END
};

static const struct opts defaults = { .keys = { { C2C_BY_IADDR }, 1 } };

static bool c2c_report_callers_first(const struct opts *o)
{
	return calltree_callers_first(&o->calltree.layout, CHOICE_NO);
}

/* Shows functions, instead of the tables of Linux's perf. */
static void show_functions(const struct invocation *inv, const struct c2c *c, unsigned columns)
{
	const struct opts *o = inv->opts;

	if (o->functions)
		c2c_functions_print(&c->lines, columns, inv->out);
	if (o->functions && o->sides)
		fputc('\n', inv->out);
	if (o->sides)
		c2c_sides_print(&c->lines, columns, inv->out);
}

/* The call trees of one invocation. */
struct trees {
	const struct c2c_trees *of;
	struct report_tree *view;
	struct text text;
};

/*
 * Makes the view of call trees. Branches have shares of their line; all are shown, as in Linux's
 * perf, unless a threshold is typed.
 */
static struct report_tree *tree_view(const struct opts *o, const struct c2c_trees *t)
{
	const struct calltree_layout *l = &o->calltree.layout;
	struct report_tree_options how = calltree_view(l, NULL, l->branch);

	if (!t->rows)
		return NULL;
	if (!l->has_threshold)
		how.threshold = 0;
	how.notes = false;
	how.order = &t->order;
	return report_tree_new(&how, t->rows);
}

static void print_tree(void *arg, const struct c2c_entry *e, FILE *out)
{
	struct trees *t = arg;

	text_clear(&t->text);
	report_tree_set_whole(t->view, e->line->period);
	report_tree_print(t->view, c2c_trees_row(t->of, e->number), &t->text);
	if (t->text.length)
		fwrite(t->text.chars, 1, t->text.length, out);
}

/* Shows the entries. Returns how many columns do not fit. */
static size_t show_entries(const struct invocation *inv, const struct c2c *c, unsigned columns)
{
	const struct opts *o = inv->opts;
	_cleanup_(report_tree_freep) struct report_tree *view = tree_view(o, &c->trees);
	struct trees trees = { .of = &c->trees, .view = view, .text = TEXT_EMPTY };
	const struct c2c_view v = { .nodes = o->node_info >= 2   ? C2C_NODE_CPUS
					     : o->node_info == 1 ? C2C_NODE_SHARES
								 : C2C_NODES,
				    .n_nodes = c->n_nodes,
				    .node_of_cpu = c->node_of_cpu,
				    .full_symbols = o->full_symbols,
				    .no_source = o->no_source,
				    .terminal_columns = columns,
				    .below = view ? print_tree : NULL,
				    .arg = &trees };

	size_t left_out = c2c_pareto_print(&c->lines, &v, inv->out);

	text_done(&trees.text);
	return left_out;
}

static void c2c_report_show(const struct invocation *inv, const struct c2c *c, unsigned columns)
{
	const struct opts *o = inv->opts;
	size_t left_out, of_entries;

	if (o->sides || o->functions) {
		show_functions(inv, c, columns);
		return;
	}
	c2c_stats_print(&c->lines, inv->out);
	fputc('\n', inv->out);
	c2c_shared_print(&c->lines, inv->out);
	fputc('\n', inv->out);
	c2c_details_print(&c->lines, c->events, c->n_events, inv->out);
	if (o->stats)
		return;
	fputc('\n', inv->out);
	left_out = c2c_lines_print(&c->lines, columns, inv->out);
	fputc('\n', inv->out);
	of_entries = show_entries(inv, c, columns);
	if (left_out || of_entries)
		fprintf(inv->out,
			"\nThe tables have %zu and %zu more columns on a wider terminal, or in a "
			"pipe.\n",
			left_out, of_entries);
}

/* Shows the tables escaped. Names come from the recording, and must not act on a terminal. */
static int show_escaped(const struct invocation *inv, const struct c2c *c, struct diag *diag)
{
	struct invocation in_memory = *inv;
	const struct opts *o = inv->opts;
	_cleanup_(text_done) struct text safe = TEXT_EMPTY, fits = TEXT_EMPTY;
	unsigned columns = command_columns(inv, inv->out);
	_cleanup_(freep) char *chars = NULL;
	size_t n;

	in_memory.out = open_memstream(&chars, &n);
	if (!in_memory.out)
		return diag_set(diag, -errno, "cannot hold the tables in memory");
	c2c_report_show(&in_memory, c, columns);
	fclose(in_memory.out);
	escape_lines(&safe, chars, n);
	if (columns && o->functions)
		text_add_squeezed(&fits, safe.chars, columns);
	else
		text_add_bytes(&fits, safe.chars, safe.length);
	fwrite(fits.chars, 1, fits.length, inv->out);
	return 0;
}

static struct c2c_request c2c_report_request_of(const struct opts *o, const struct invocation *inv)
{
	const struct calltree_layout *l = &o->calltree.layout;

	return (struct c2c_request){
		.recorded = { .path = input_path(o->input),
			      .force = o->force,
			      .progress = command_progress(inv, false, false) },
		.keys = o->keys,
		.display = o->display.display,
		.display_is_default = !o->display.given,
		.double_lines = o->double_lines,
		.show_all = o->show_all,
		.no_source = o->no_source,
		.trees = { .wanted = l->print != CALLTREE_PRINT_NONE && !o->stats,
			   .callers_first = c2c_report_callers_first(o),
			   .same_frames = calltree_same_frames(l, l->branch),
			   .history = l->branch,
			   .symbols = &o->symbols }
	};
}

static int c2c_report_run(struct invocation *inv)
{
	struct opts *o = inv->opts;
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	const struct reading_symbols how = { .request = &o->symbols,
					     .buildid_dir = dir,
					     .any_owner = o->force,
					     .with_parameters = o->common.verbose,
					     .progress = command_progress(inv, false, false) };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct notes notes = command_notes(inv);
	struct c2c_request rq;
	struct c2c c = { 0 };
	int r;

	if (inv->argc > 1 || (inv->argc && o->input)) {
		diag_set(&diag, -EINVAL, "one profile at a time: what is '%s' for?",
			 inv->argv[inv->argc - 1]);
		return command_usage(inv, &diag);
	}
	if (inv->argc)
		o->input = inv->argv[0];
	rq = c2c_report_request_of(o, inv);
	r = reading_check_files(&how, &diag);
	if (r < 0)
		return command_fail(inv, r, &diag);
	rq.recorded.symbolizer = reading_symbolizer(&how);
	r = c2c_read(&rq, &c, &notes, &diag);
	if (r >= 0 && terminal_is(inv->settings->out))
		r = show_escaped(inv, &c, &diag);
	else if (r >= 0)
		c2c_report_show(inv, &c, 0);
	c2c_done(&c);
	symbolizer_free(rq.recorded.symbolizer);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

static const char *const usage[] = { "[<options>] [<file>]", NULL };

const struct command cmd_c2c_report = {
	.name = "c2c report",
	.summary = "show which cache lines are contended, and by which code",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED,
	.run = c2c_report_run,
};
