/* SPDX-License-Identifier: MIT */
/* Navigation from an instruction: along a jump, into a function, and back. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/annotation.h"
#include "symbol/symbolizer.h"
#include "tui/annotate-state.h"

#define PLT_SUFFIX "@plt"

static enum panel_next tui_annotate_follow_answer(struct annotate_panel *a, const char *text)
{
	panels_answer(a->panel.panels, "%s", text);
	return PANEL_STAY;
}

/*
 * Returns the function of another image that a stub of the PLT calls. It is known by its samples.
 */
static const struct annotated_function *behind_stub(const struct annotate_panel *a,
						    const struct symbol *stub)
{
	size_t length = strlen(stub->name), suffix = strlen(PLT_SUFFIX);
	_cleanup_(freep) char *name = NULL;

	if (length <= suffix || strcmp(stub->name + length - suffix, PLT_SUFFIX) != 0)
		return NULL;
	name = xstrndup(stub->name, length - suffix);
	return code_samples_find(a->samples, NULL, name, 0);
}

static enum panel_next go_into(struct annotate_panel *a, const struct listing_line *line)
{
	struct image *image = a->code->image;
	const struct annotated_function *other;
	const struct symbol *sym;
	uint64_t place;

	if (!line->flow.has_target)
		return tui_annotate_follow_answer(a,
						  "Where this leads is known only when it runs.");
	if (!code_place(&a->code->listing.code, line->flow.target, &place))
		return tui_annotate_follow_answer(a, "The called function was not found.");
	sym = image_symbol_called(image, place);
	if (!sym)
		return tui_annotate_follow_answer(a, "The called function was not found.");
	other = behind_stub(a, sym);
	if (other) {
		image = other->image;
		sym = other->sym;
	}
	annotate_ask(a, image, sym, true);
	return PANEL_STAY;
}

enum panel_next annotate_follow(struct annotate_panel *a)
{
	const struct listing_line *line = annotate_current(a);
	size_t to;

	if (line && line->jumps_within) {
		to = annotate_line_at(&a->code->listing, line->flow.target);
		if (to == a->code->listing.n)
			return tui_annotate_follow_answer(
				a, "The jump leads into the middle of an instruction.");
		annotate_go_to(a, to);
		return PANEL_STAY;
	}
	if (line && (line->flow.kind == FLOW_CALL || line->flow.kind == FLOW_JUMP))
		return go_into(a, line);
	if (line && line->flow.kind == FLOW_RETURN)
		return annotate_go_back(a) ? PANEL_STAY : PANEL_CLOSE;
	return tui_annotate_follow_answer(
		a, "Actions are only available for function call/return & jump/branch "
		   "instructions.");
}
