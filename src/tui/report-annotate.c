/* SPDX-License-Identifier: MIT */
/* Goes from rows to the code of a function. */
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "profile/code-functions.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"
#include "tui/annotate-panel.h"
#include "tui/menu.h"
#include "tui/report-parts.h"

static void tui_report_annotate_tell(struct report_panel *p, const struct diag *diag)
{
	message_push(p->panel.panels, "Error",
		     diag->message ? diag->message : "the function cannot be shown");
}

void report_show_code(struct report_panel *p, const char *image, const char *symbol, uint64_t start)
{
	const struct report_table *t = report_page_table(p->page);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct code_functions *functions = NULL;

	if (browse_code(p->rb->browse, p->snapshot, p->rb->o->annotate, t->first, t->n_events,
			&functions, &diag) < 0) {
		tui_report_annotate_tell(p, &diag);
		return;
	}
	annotate_panel_push(p->panel.panels, &(struct annotate_panel_options){
						     .functions = functions,
						     .image = image,
						     .symbol = symbol,
						     .start = start,
						     .view = &p->rb->code,
						     .save = report_export_above,
						     .arg = p,
					     });
}

enum panel_next report_annotate(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);
	_cleanup_(report_subject_done) struct report_subject s = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	report_subject_find(p, &s);
	if (!s.frame || !s.frame->sym || !s.frame->image) {
		panels_answer(panel->panels, "There is no function here that could be annotated");
		return PANEL_STAY;
	}
	if (!s.has_self) {
		text_addf(&t,
			  "No samples for the \"%s\" symbol.\n\n"
			  "Probably appeared just in a callchain",
			  s.frame->sym->name);
		message_push(panel->panels, "Warning!", t.chars);
		return PANEL_STAY;
	}
	report_show_code(p, image_long_name(s.frame->image), s.frame->sym->name,
			 s.frame->sym->start);
	return PANEL_STAY;
}
