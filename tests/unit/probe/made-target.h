/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A kernel made by hand with a table of symbols, and the state in which a definition is resolved
 * (probe/resolve-internal.h).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "probe/probe-def.h"
#include "probe/resolve-internal.h"
#include "probe/target-internal.h"
#include "probe/trace-probe.h"

/*
 * Makes a kernel whose text begins at _text, 0x1000. It has no debug information and forbids
 * nothing.
 */
static inline struct probe_target *made_kernel(const struct probe_symbol *symbols, size_t n)
{
	struct probe_target *t = xcalloc(1, sizeof(*t));

	t->kind = PROBE_KERNEL;
	t->arch = &arch_aarch64;
	t->debug_state = t->places_state = -ENODATA;
	t->text.reference = "_text";
	t->text.start = 0x1000;
	t->forbidden.is_read = true;
	t->functions.items = xcalloc(n, sizeof(*symbols));
	memcpy(t->functions.items, symbols, n * sizeof(*symbols));
	t->functions.n = t->functions.room = n;
	return t;
}

struct made_resolving {
	struct probe_target *target;
	struct resolve_options options;
	struct probe_def def;
	struct trace_probes probes;
	struct text notes;
	struct diag diag;
	struct resolving r;
};

static inline void resolving_clear(struct made_resolving *m)
{
	resolving_done(&m->r);
	probe_def_done(&m->def);
	trace_probes_done(&m->probes);
	text_done(&m->notes);
	diag_done(&m->diag);
}

static inline void resolving_begin(struct made_resolving *m, struct probe_target *t)
{
	*m = (struct made_resolving){ .target = t, .notes = TEXT_EMPTY };
}

static inline void resolving_end(struct made_resolving *m)
{
	resolving_clear(m);
	probe_target_free(m->target);
}

/* Prepares resolving the definition @text. */
static inline struct resolving *resolving_of(struct made_resolving *m, const char *text)
{
	struct probe_target *t = m->target;
	struct resolve_options o = m->options;

	resolving_clear(m);
	resolving_begin(m, t);
	m->options = o;
	assert_int_equal(probe_def_parse(text, &m->def, &m->diag), 0);
	m->r = (struct resolving){
		.def = &m->def,
		.target = t,
		.options = &m->options,
		.out = &m->probes,
		.notes = &m->notes,
	};
	return &m->r;
}

/* Checks the probes, "EVENT SYMBOL+OFFSET WHERE, ..."; offsets in a file are relative to @text. */
static inline void assert_probes(const struct made_resolving *m, uint64_t text,
				 const char *expected)
{
	char got[1000] = "";

	for (size_t i = 0; i < m->probes.n; i++) {
		const struct trace_probe *p = &m->probes.items[i];
		size_t n = strlen(got);

		snprintf(got + n, sizeof(got) - n, "%s%s %s+0x%llx %s", i ? ", " : "", p->event,
			 p->symbol ? p->symbol : "", (unsigned long long)(p->offset - text),
			 p->where);
	}
	assert_string_equal(got, expected);
}

/* Checks that message and hint contain these texts; @hint NULL: there is no hint. */
static inline void assert_said(const struct made_resolving *m, const char *message,
			       const char *hint)
{
	assert_non_null(m->diag.message);
	if (!strstr(m->diag.message, message))
		fail_msg("says '%s', not '%s'", m->diag.message, message);
	if (!hint)
		assert_null(m->diag.hint);
	else if (!m->diag.hint || !strstr(m->diag.hint, hint))
		fail_msg("hints '%s', not '%s'", m->diag.hint ? m->diag.hint : "", hint);
}

/* Checks the marked part of the definition. */
static inline void assert_marked(const struct made_resolving *m, size_t at, size_t length)
{
	assert_string_equal(m->diag.excerpt ? m->diag.excerpt : "", m->def.text);
	assert_int_equal(m->diag.offset, at);
	assert_int_equal(m->diag.length, length);
}
