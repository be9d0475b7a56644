/* SPDX-License-Identifier: MIT */
#include "bpf/section.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"

void bpf_section_done(struct bpf_section *s)
{
	free(s->event);
	free(s->definition);
	free(s->program);
	free(s->module);
	*s = (struct bpf_section){ 0 };
}

/* Returns the rest of @text after @prefix; NULL: it does not begin with @prefix. */
static const char *bpf_section_behind(const char *text, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(text, prefix, n) == 0 ? text + n : NULL;
}

static int bpf_section_refuse(const char *section, const char *at, const char *what,
			      struct diag *diag)
{
	return diag_mark(diag, -EINVAL, section, (size_t)(at - section), strlen(at), "%s", what);
}

/* Parses the section name tp/SYSTEM/NAME. */
static int bpf_section_take_tracepoint(const char *section, const char *rest, struct bpf_section *s,
				       struct diag *diag)
{
	const char *slash = strchr(rest, '/');

	if (!slash || slash == rest || !slash[1] || strchr(slash + 1, '/'))
		return bpf_section_refuse(section, rest,
					  "a tracepoint is SYSTEM/NAME, as tp/sched/sched_switch",
					  diag);
	s->place = BPF_PLACE_TRACEPOINT;
	s->event = xasprintf("%.*s:%s", (int)(slash - rest), rest, slash + 1);
	return 0;
}

/* Parses the section name kprobe/FUNCTION[+OFFSET] or uprobe/PATH:FUNCTION[+OFFSET]. */
static int take_probe(const char *section, const char *rest, bool user, bool returns,
		      struct bpf_section *s, struct diag *diag)
{
	const char *function = rest;

	if (user) {
		const char *colon = strrchr(rest, ':');

		if (!colon || colon == rest)
			return bpf_section_refuse(section, rest,
						  "a probe of a program is PATH:FUNCTION, as "
						  "uprobe//usr/bin/bash:readline",
						  diag);
		s->program = xstrndup(rest, (size_t)(colon - rest));
		function = colon + 1;
	}
	if (!*function)
		return bpf_section_refuse(section, section, "the function is missing", diag);
	s->place = BPF_PLACE_PROBE;
	s->definition = xasprintf("%s%s", function, returns ? "%return" : "");
	return 0;
}

/* The names that make events; libbpf attaches everything else that it knows. */
static const struct {
	const char *prefix;
	bool tracepoint, user, returns;
} of_libbpf[] = {
	{ "tp/", true, false, false },       { "tracepoint/", true, false, false },
	{ "kprobe/", false, false, false },  { "kretprobe/", false, false, true },
	{ "uprobe/", false, true, false },   { "uretprobe/", false, true, true },
	{ "uprobe.s/", false, true, false }, { "uretprobe.s/", false, true, true },
};

/* Parses `key=value` before a ';' or the end of a line, up to the definition. */
static const char *take_settings(const char *section, struct bpf_section *s)
{
	const char *at = section;

	for (const char *end; (end = strpbrk(at, ";\n")); at = end + 1) {
		const char *value;

		if ((value = bpf_section_behind(at, "exec=")) && !s->program)
			s->program = xstrndup(value, (size_t)(end - value));
		else if ((value = bpf_section_behind(at, "module=")) && !s->module)
			s->module = xstrndup(value, (size_t)(end - value));
		else if ((value = bpf_section_behind(at, "inlines=")))
			s->no_inlines = *value == 'n' || *value == '0' ||
					bpf_section_behind(value, "off");
		else if (!bpf_section_behind(at, "force="))
			break;
	}
	return at;
}

static int take_old(const char *section, struct bpf_section *s, struct diag *diag)
{
	const char *at = take_settings(section, s);
	const char *colon = strchr(at, ':');

	if (!*at)
		return bpf_section_refuse(section, section, "the probe is missing: name=function",
					  diag);
	if (strchr(at, '=')) {
		s->place = BPF_PLACE_PROBE;
		s->definition = xstrdup(at);
	} else if (colon && colon > at && colon[1] && !strchr(at, '/')) {
		s->place = BPF_PLACE_TRACEPOINT;
		s->event = xstrdup(at);
	} else {
		s->place = BPF_PLACE_OWN;
	}
	return 0;
}

static int bpf_section_take(const char *section, struct bpf_section *s, struct diag *diag)
{
	/* A '?' means that the program need not be loaded; here all are loaded. */
	const char *text = section + (*section == '?');

	for (size_t i = 0; i < ARRAY_SIZE(of_libbpf); i++) {
		const char *rest = bpf_section_behind(text, of_libbpf[i].prefix);

		if (rest && of_libbpf[i].tracepoint)
			return bpf_section_take_tracepoint(section, rest, s, diag);
		if (rest)
			return take_probe(section, rest, of_libbpf[i].user, of_libbpf[i].returns, s,
					  diag);
	}
	return take_old(text, s, diag);
}

int bpf_section_parse(const char *section, struct bpf_section *ret, struct diag *diag)
{
	_cleanup_(bpf_section_done) struct bpf_section s = { 0 };
	int r = bpf_section_take(section, &s, diag);

	if (r < 0)
		return r;
	*ret = s;
	s = (struct bpf_section){ 0 };
	return 0;
}
