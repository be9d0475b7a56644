/* SPDX-License-Identifier: MIT */
#include "options/explain-missing.h"

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "profile/missing-symbols.h"
#include "profile/profile.h"
#include "profile/runtime-share.h"
#include "profile/shown-nodes.h"
#include "session/session.h"
#include "view/missing-symbols.h"

static void explain_runtime(const struct invocation *inv, const struct runtime_share *share)
{
	_cleanup_(text_done) struct text advice = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag d = { 0 };
	enum runtime_kind r = runtime_share_silent(share);

	if (r == RUNTIME_KIND_NONE)
		return;
	language_runtime_advise(r, &advice);
	diag_set(&d, 0, "%s", advice.chars);
	command_warn(inv, &d);
}

/*
 * Explains on a terminal why the table is empty. Linux's perf shows only the empty table, and so do
 * we otherwise.
 */
static void options_explain_missing_explain_none(const struct invocation *inv)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	diag_set(&d, 0, "no samples pass the filters");
	diag_hint(&d, "'perf report -s comm,dso' lists the programs and files that have samples.");
	command_warn(inv, &d);
}

void command_explain_missing(const struct invocation *inv, const struct profile *p)
{
	_cleanup_(missing_symbols_done) struct missing_symbols m = { 0 };
	struct runtime_share runtimes = { 0 };
	unsigned columns = command_columns(inv, inv->err);

	for (size_t i = 0; i < session_event_count(p->session); i++) {
		const struct tally *t = collector_tally(p->collector, i);
		_cleanup_(freep) bool *shown = shown_nodes(t, p->plan.keys.n, p->env.frames,
							   p->filter);

		missing_symbols_count(&m, p->env.frames, &t->stacks, shown);
		/* This advice is only for people: scripts rely on which lines stderr may have. */
		if (columns)
			runtime_share_count(&runtimes, p->env.frames, &t->stacks, shown);
	}
	if (columns && !m.total && profile_has_samples(p))
		options_explain_missing_explain_none(inv);
	missing_symbols_print(command_err(inv), &m, columns);
	symbol_remarks_print(command_err(inv), p->symbolizer);
	explain_runtime(inv, &runtimes);
}
