/* SPDX-License-Identifier: MIT */
/* perf kallsyms: finds symbols of the running kernel. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "options/verbosity.h"
#include "symbol/kallsyms.h"

static const struct option options[] = {
	OPT_VERBOSE_NOTHING,
	OPT_END,
};

static const char *const usage[] = { "[<options>] symbol_name", NULL };

static const struct symbol *kallsyms_find(struct kallsyms *k, const char *name,
					  const char **ret_module)
{
	const struct symbol *s = symbol_table_find_name(kallsyms_kernel(k), name);
	struct symbol_table *t;

	*ret_module = NULL;
	for (size_t i = 0; !s && (t = kallsyms_module_at(k, i, ret_module)); i++)
		s = symbol_table_find_name(t, name);
	return s;
}

/*
 * Prints the range of the symbol twice: at run time, and in the list of symbols. Both are the same
 * here.
 */
static void kallsyms_show(struct invocation *inv, struct kallsyms *k, const char *name)
{
	struct text shown = TEXT_EMPTY;
	const char *module;
	const struct symbol *s = kallsyms_find(k, name, &module);

	escape_terminal(&shown, name, strlen(name));
	if (!s) {
		fprintf(inv->out, "%s: not found\n", shown.chars);
	} else {
		unsigned long long start = s->start, end = s->end;

		if (module)
			fprintf(inv->out, "%s: [%s] [%s]", shown.chars, module, module);
		else
			fprintf(inv->out, "%s: [kernel] [kernel.kallsyms]", shown.chars);
		fprintf(inv->out, " %#llx-%#llx (%#llx-%#llx)\n", start, end, start, end);
	}
	text_done(&shown);
}

/* Shows the symbols of a word, which may contain several names separated by commas. */
static void show_list(struct invocation *inv, struct kallsyms *k, char *word)
{
	for (char *name = word, *next; name; name = next) {
		next = strchr(name, ',');
		if (next)
			*next++ = '\0';
		if (*name)
			kallsyms_show(inv, k, name);
	}
}

static int kallsyms_run(struct invocation *inv)
{
	_cleanup_(kallsyms_freep) struct kallsyms *k = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };

	if (!inv->argc) {
		diag_set(&d, -EINVAL, "which symbol?");
		return command_usage(inv, &d);
	}

	int r = kallsyms_read("/proc/kallsyms", NULL, &k);

	if (r < 0) {
		diag_set(&d, r, "Couldn't read /proc/kallsyms: %s",
			 r == -EPERM ? "it hides all addresses" : strerror(-r));
		if (r == -EPERM)
			diag_hint(&d, "Run as root, or: " KALLSYMS_SHOW);
		return command_fail(inv, r, &d);
	}
	for (int i = 0; i < inv->argc; i++)
		show_list(inv, k, inv->argv[i]);
	return EXIT_OK;
}

const struct command cmd_kallsyms = {
	.name = "kallsyms",
	.summary = "look up symbols of the running kernel",
	.usage = usage,
	.options = options,
	.run = kallsyms_run,
};
