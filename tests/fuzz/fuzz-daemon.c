/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the input of a perf daemon: requests and answers of its socket, and the values of its
 * configuration. An answer that was decoded is the same after it is encoded and decoded again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "tools/daemon/plan-work.h"
#include "tools/daemon/protocol-work.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_command(const char *bytes, size_t n)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct daemon_command c, again;

	if (daemon_command_decode(bytes, n, &c, &diag) < 0)
		return;
	daemon_command_encode(&c, &t);
	if (daemon_command_decode(t.chars, t.length, &again, &diag) < 0 || again.verb != c.verb ||
	    strcmp(again.session, c.session))
		abort();
}

static void try_reply(const char *bytes, size_t n)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY, u = TEXT_EMPTY;
	_cleanup_(daemon_reply_done) struct daemon_reply r = { 0 }, again = { 0 };

	if (daemon_reply_decode(bytes, n, &r, &diag) < 0)
		return;
	daemon_reply_encode(&r, &t);
	if (daemon_reply_decode(t.chars, t.length, &again, &diag) < 0)
		abort();
	daemon_reply_encode(&again, &u);
	if (strcmp(t.chars, u.chars))
		abort();
}

/* Lines of SECTION<TAB>NAME<TAB>VALUE. */
static void try_plan(char *text)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(daemon_plan_done) struct daemon_plan p = { 0 };

	for (char *rest = NULL, *line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		struct daemon_setting s = { .origin = "f", .line = 1, .column = 1 };

		s.section = strsep(&line, "\t");
		s.name = strsep(&line, "\t");
		s.value = line;
		if (s.name && s.value && daemon_plan_add(&p, &s, &diag) < 0 && !diag.message)
			abort();
	}
	if (daemon_plan_check(&p, &diag) < 0 && !diag.message)
		abort();
	for (size_t i = 0; i < p.n; i++)
		if (!daemon_name_is_valid(p.items[i].name))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = xstrndup((const char *)data, size);

	try_command((const char *)data, size);
	try_reply((const char *)data, size);
	try_plan(text);
	return 0;
}
