/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the language of probes: definitions, ranges of lines, filters. Parsing ends and never
 * reads beyond the text, an error always has a message and marks a place within the text, and an
 * accepted definition has names that the kernel accepts.
 */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "probe/event-name.h"
#include "probe/line-pattern.h"
#include "tools/probe/source-work.h"
#include "probe/name-filter.h"
#include "probe/probe-def.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_refusal(const char *text, int r, const struct diag *diag)
{
	if (r != -EINVAL || !diag->message || !*diag->message)
		abort();
	if (!diag->excerpt || strcmp(diag->excerpt, text) != 0)
		abort();
	if (diag->offset + diag->length > strlen(text))
		abort();
}

static void check_name(const char *name, size_t max)
{
	size_t length = strlen(name);

	if (!length || length > max || isdigit((unsigned char)*name))
		abort();
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_')
			abort();
}

static void check_words(struct probe_words w, const char *text)
{
	if (w.at > strlen(text) || w.length > strlen(text) - w.at)
		abort();
}

static void check_args(const struct probe_def *d)
{
	for (size_t i = 0; i < d->n_args; i++) {
		const struct probe_arg *a = &d->args[i];
		_cleanup_(freep) char *name = probe_arg_name(a);
		_cleanup_(freep) char *text = probe_arg_text(a);

		if (name)
			check_name(name, SIZE_MAX);
		check_words(a->where, d->text);
		for (size_t j = 0; j < a->n_fields; j++)
			check_words(a->fields[j].where, d->text);
		if (!*a->what || strpbrk(text, " \t\n"))
			abort();
	}
}

static void check_event(const struct probe_def *d)
{
	_cleanup_(freep) char *event = event_base_name(d, d->point.function);
	_cleanup_(freep) char *group = event_group_of(d->text);

	check_name(event, 63);
	check_name(group, 63);
	check_words(d->point.where, d->text);
}

static void try_definition(const char *text)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct probe_def d = { 0 };
	int r = probe_def_parse(text, &d, &diag);

	if (r < 0) {
		check_refusal(text, r, &diag);
		return;
	}
	if (!d.marker && !d.point.function && !d.point.file && !d.point.has_address)
		abort();

	_cleanup_(freep) char *point = probe_point_text(&d.point);

	if (!d.marker && !*point)
		abort();
	check_event(&d);
	check_args(&d);
	if (d.point.pattern)
		(void)line_pattern_matches(d.point.pattern, text);
	probe_def_done(&d);
}

static void try_range(const char *text)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct line_range l = { 0 };
	int r = line_range_parse(text, &l, &diag);

	if (r < 0) {
		check_refusal(text, r, &diag);
		return;
	}
	if (l.to < l.from || (!l.function && !l.file))
		abort();
	line_range_done(&l);
}

static void try_filter(const char *text)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(name_filter_freep) struct name_filter *f = NULL;
	int r = name_filter_parse(text, &f, &diag);

	if (r < 0)
		check_refusal(text, r, &diag);
	else
		(void)name_filter_has(f, "tcp_sendmsg");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = xstrndup((const char *)data, size);

	try_definition(text);
	try_range(text);
	try_filter(text);
	return 0;
}
