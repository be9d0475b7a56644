/* SPDX-License-Identifier: MIT */
/* The annotate.* variables. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/config.h"
#include "cmd/annotate-job.h"
#include "cmd/annotate-opts.h"

static int apply_flag(const struct config *c, const char *key, bool *field, struct diag *diag)
{
	int r = config_get_bool(c, key, field, diag);

	return r < 0 ? r : 0;
}

static int apply_layout(const struct config *c, struct annotate_layout *l, struct diag *diag)
{
	int r = apply_flag(c, "annotate.hide_src_code", &l->hide_source, diag);

	if (r >= 0)
		r = apply_flag(c, "annotate.use_offset", &l->use_offset, diag);
	if (r >= 0)
		r = apply_flag(c, "annotate.show_linenr", &l->show_line_numbers, diag);
	if (r >= 0)
		r = apply_flag(c, "annotate.show_nr_jumps", &l->show_jumps, diag);
	if (r >= 0)
		r = config_get_uint(c, "annotate.offset_level", &l->offset_level, diag);
	return r < 0 ? r : 0;
}

/* Both choose the figure of a line, so one of them typed is a choice against the other. */
static int apply_figure(const struct config *c, struct annotate_opts *o, struct diag *diag)
{
	enum choice samples = CHOICE_UNSAID, period = CHOICE_UNSAID;
	int r = choice_configure(c, "annotate.show_nr_samples", &samples, diag);

	if (r >= 0)
		r = choice_configure(c, "annotate.show_total_period", &period, diag);
	if (r < 0 || o->show_nr_samples == CHOICE_YES || o->show_total_period == CHOICE_YES)
		return r;
	if (o->show_nr_samples == CHOICE_UNSAID)
		o->show_nr_samples = samples;
	if (o->show_total_period == CHOICE_UNSAID)
		o->show_total_period = period;
	return 0;
}

int annotate_config_apply(const struct config *c, struct annotate_opts *o, struct diag *diag)
{
	int r = apply_figure(c, o, diag);

	if (r >= 0)
		r = choice_configure(c, "annotate.demangle", &o->symbols.demangle, diag);
	if (r >= 0)
		r = choice_configure(c, "annotate.demangle_kernel", &o->symbols.demangle_kernel,
				     diag);
	if (r >= 0)
		r = apply_layout(c, &o->layout, diag);
	if (r < 0)
		return r;
	if (!o->style)
		o->style = config_get(c, "annotate.disassembler_style");
	return 0;
}
