/* SPDX-License-Identifier: MIT */
#include "options/raw-dump.h"

#include "base/cleanup.h"
#include "cli/command.h"
#include "foreign/any-session.h"
#include "options/input.h"
#include "session/session.h"
#include "view/report/dump.h"

int command_dump_raw(const struct invocation *inv, const char *path, bool force, struct diag *diag)
{
	const struct session_options how = { .path = input_path(path), .force = force };
	_cleanup_(session_freep) struct session *s = NULL;
	int r = any_session_open(&how, &s, diag);

	if (r >= 0)
		r = report_dump_print(s, &(struct report_dump_options){ .out = inv->out }, diag);
	return r < 0 ? r : session_is_stream(s);
}
