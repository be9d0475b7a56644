/* SPDX-License-Identifier: MIT */
/* Fuzzes the texts of -e: parsing ends, and a mistake is marked within the text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "event/ast.h"
#include "event/env.h"
#include "event/event.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_mark(const struct diag *diag)
{
	if (!diag->message ||
	    (diag->excerpt && diag->offset + diag->length > strlen(diag->excerpt)))
		abort();
}

/* Names resolve against an empty machine: no sysfs, no tracefs, no files read. */
static void check_resolution(const char *text)
{
	struct event_env *env = event_env_new("/nonexistent", "/nonexistent");
	_cleanup_(event_list_done) struct event_list l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (event_list_parse(&l, text, env, EVENT_USE_SAMPLING, &diag) < 0)
		check_mark(&diag);
	for (size_t i = 0; i < l.n; i++)
		if (!l.items[i]->name || l.items[i]->leader > i)
			abort();
	event_env_free(env);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = xstrndup((const char *)data, size);
	_cleanup_(event_ast_done) struct event_ast ast = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (event_ast_parse(text, &ast, &diag) < 0)
		check_mark(&diag);
	check_resolution(text);
	return 0;
}
