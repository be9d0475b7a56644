/* SPDX-License-Identifier: MIT */
/*
 * perf check feature NAME...: checks whether features are built in, for scripts. perf check event
 * TEXT...: shows what an -e text requests from the kernel, without making the request.
 */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/similar.h"
#include "cli/command.h"
#include "event/env.h"
#include "event/event.h"
#include "options/features.h"
#include "view/attr-text.h"

struct opts {
	bool quiet;
};

static const struct option options[] = {
	OPT_FLAG('q', "quiet", struct opts, quiet, "print nothing, only answer by the exit status"),
	OPT_END,
};

static const char *const usage[] = {
	"feature <name>[,<name>...] [<name>...]",
	"event <event>...",
	NULL,
};

static int check_unknown(const struct invocation *inv, const char *name)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct similar near = { .typed = name };

	for (const struct feature *f = features; f->name; f++)
		similar_add(&near, f->name);

	_cleanup_(freep) char *phrase = similar_phrase(&near);

	diag_set(&d, 0, "there is no feature '%s'", name);
	if (phrase)
		diag_hint(&d, "Did you mean %s?", phrase);
	diag_hint(&d, "Run 'perf version --build-options' for a list.");
	return command_fail(inv, 0, &d);
}

/* Returns an exit status: whether all of the features between the commas of @names are on. */
static int tools_check(const struct invocation *inv, char *names)
{
	const struct opts *o = inv->opts;
	int status = EXIT_OK;

	for (char *name; (name = strsep(&names, ","));) {
		const struct feature *f = feature_find(name);

		if (!f)
			return o->quiet ? EXIT_FAILED : check_unknown(inv, name);
		if (!o->quiet)
			feature_print(f, inv->out);
		if (!f->on)
			status = EXIT_FAILED;
	}
	return status;
}

static int check_features(struct invocation *inv)
{
	int status = EXIT_OK;

	for (char **names = inv->argv + 1; *names; names++)
		if (tools_check(inv, *names) != EXIT_OK)
			status = EXIT_FAILED;
	return status;
}

static void check_print_event(const struct event_list *l, size_t i, FILE *out)
{
	const struct event *e = l->items[i];

	fprintf(out, "%s: ", e->name);
	attr_print(&e->attr, out);
	if (e->leader != i)
		fprintf(out, " (grouped with %s)", l->items[e->leader]->name);
	fputc('\n', out);
}

static int tools_check_events(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(event_env_freep) struct event_env *env = event_env_new(NULL, NULL);
	_cleanup_(event_list_done) struct event_list l = { 0 };

	for (char **text = inv->argv + 1; *text; text++) {
		_cleanup_(diag_done) struct diag d = { 0 };
		int r = event_list_parse(&l, *text, env, EVENT_USE_SAMPLING, &d);

		if (r < 0)
			return o->quiet ? EXIT_FAILED : command_fail(inv, r, &d);
	}
	for (size_t i = 0; i < l.n && !o->quiet; i++)
		check_print_event(&l, i, inv->out);
	return EXIT_OK;
}

static const struct {
	const char *name;
	int (*check)(struct invocation *inv);
} kinds[] = {
	{ "feature", check_features },
	{ "event", tools_check_events },
};

static int check_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	for (size_t i = 0; inv->argc && i < ARRAY_SIZE(kinds); i++) {
		if (strcmp(inv->argv[0], kinds[i].name))
			continue;
		if (inv->argc > 1)
			return kinds[i].check(inv);
		diag_set(&d, -EINVAL, "which %s?", kinds[i].name);
		return command_usage(inv, &d);
	}
	diag_set(&d, -EINVAL, "what is to be checked, a `feature' or an `event'?");
	return command_usage(inv, &d);
}

const struct command cmd_check = {
	.name = "check",
	.summary = "tell whether a feature is built in, or what an event text means",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = check_run,
};
