/* SPDX-License-Identifier: MIT */
#include "view/branch-text.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "profile/branch-note.h"
#include "wire/branch.h"

const char *branch_kind_text(unsigned kind)
{
	static const char *const names[BRANCH_KINDS] = {
		"",           "COND",       "UNCOND",   "IND",
		"CALL",       "IND_CALL",   "RET",      "SYSCALL",
		"SYSRET",     "COND_CALL",  "COND_RET", "ERET",
		"IRQ",        "SERROR",     "NO_TX",    [BRANCH_NEWER] = "FAULT_ALGN",
		"FAULT_DATA", "FAULT_INST", "ARCH_1",   "ARCH_2",
		"ARCH_3",     "ARCH_4",     "ARCH_5",
	};

	return kind < BRANCH_KINDS && names[kind] ? names[kind] : "";
}

static void branch_text_add_words(const struct branch_note *n, struct text *t)
{
	static const struct {
		uint32_t way;
		const char *text;
	} crossings[] = { { CROSSED_4K, " CROSS_4K" }, { CROSSED_2M, " CROSS_2M" } };

	text_add(t, n->ways & WENT_FORWARD ? " COND_FWD" : "");
	text_add(t, n->ways & WENT_BACKWARD ? " COND_BWD" : "");
	for (unsigned i = BRANCH_CONDITIONAL + 1; i < BRANCH_KINDS; i++)
		if (n->kinds & 1u << i)
			text_addf(t, " %s", branch_kind_text(i));
	for (size_t i = 0; i < ARRAY_SIZE(crossings); i++)
		if (n->ways & crossings[i].way)
			text_add(t, crossings[i].text);
}

static void add_arrivals(const struct branch_note *n, struct text *t)
{
	branch_text_add_words(n, t);
	if (n->predicted < n->to)
		text_addf(t, " predicted:%.1f%%", 100.0 * n->predicted / n->to);
	if (n->aborted)
		text_addf(t, " abort:%.1f%%", 100.0 * n->aborted / n->to);
}

static void add_departures(const struct branch_note *n, struct text *t)
{
	if (n->from && n->cycles >= n->from)
		text_addf(t, " cycles:%" PRIu64, n->cycles / n->from);
	if (n->loops)
		text_addf(t, " iter:%u avg_cycles:%" PRIu64, n->iterations / n->loops,
			  n->loop_cycles / n->iterations);
}

void branch_note_text(const struct branch_note *n, struct text *out)
{
	_cleanup_(text_done) struct text words = TEXT_EMPTY;

	add_arrivals(n, &words);
	add_departures(n, &words);
	if (!words.length && n->callers)
		text_add(&words, " calltrace");
	if (words.length)
		text_addf(out, " (%s)", words.chars + 1);
}
