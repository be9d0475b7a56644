/* SPDX-License-Identifier: MIT */
#include "cmd/explain-missing.h"

#include "base/cleanup.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "job/profile.h"
#include "profile/missing-symbols.h"
#include "session/session.h"
#include "view/missing-symbols.h"

void command_explain_missing(const struct invocation *inv, const struct profile *p)
{
	_cleanup_(missing_symbols_done) struct missing_symbols m = { 0 };

	for (size_t i = 0; i < session_event_count(p->session); i++)
		missing_symbols_count(&m, p->env.frames, &collector_tally(p->collector, i)->stacks);
	missing_symbols_print(inv->err, &m, terminal_is(inv->err));
	symbol_remarks_print(inv->err, p->symbolizer);
}
