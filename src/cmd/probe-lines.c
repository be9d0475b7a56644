/* SPDX-License-Identifier: MIT */
/* perf probe --line: the source, and which of its lines can be probed. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/command.h"
#include "cmd/probe-job.h"
#include "dwarf/debug-info.h"
#include "dwarf/debug-places.h"
#include "probe/debug-alias.h"
#include "probe/explain-function.h"
#include "probe/explain-place.h"
#include "probe/line-range.h"
#include "probe/probe-target.h"
#include "probe/source-path.h"
#include "symbol/text-files.h"
#include "view/probe-lines.h"

/* One question. */
struct asked {
	const struct probe_opts *opts;
	struct line_range range;
	struct probe_target *target;
	struct debug_lines lines;
};

static void asked_done(struct asked *a)
{
	debug_lines_done(&a->lines);
	probe_target_free(a->target);
	line_range_done(&a->range);
}

/* The function may be called otherwise in there: malloc is __libc_malloc. */
static int find_by_alias(struct asked *a, struct debug_info *info)
{
	const struct line_range *range = &a->range;
	_cleanup_(name_list_done) struct name_list names = { 0 };
	int r = -ENOENT;

	debug_alias_find(a->target, info, range->function, &names);
	for (size_t i = 0; r < 0 && i < names.n; i++)
		r = debug_lines_find(info, names.items[i], range->file, range->from, range->to,
				     &a->lines);
	return r;
}

static int find_lines(struct asked *a, struct diag *d)
{
	const struct line_range *range = &a->range;
	struct probe_target_options options = probe_target_options_of(a->opts, a->opts->program,
								      a->opts->module);
	struct debug_info *info;
	int r = probe_target_open(&options, &a->target, d);

	if (r >= 0)
		r = probe_target_debug(a->target, &info, d);
	if (r < 0)
		return r;
	r = debug_lines_find(info, range->function, range->file, range->from, range->to, &a->lines);
	if (r < 0)
		r = explain_lines(info, range->function, range->file, r, d);
	if (r == -ENOENT && range->function && find_by_alias(a, info) >= 0)
		return 0;
	if (r == -ENOENT && range->function && !d->hint)
		explain_function(a->target, range->function, d);
	return r;
}

static int no_source(const struct asked *a, struct diag *d)
{
	const char *program = probe_target_name(a->target);

	diag_set(d, -ENOENT, "the source file '%s' is not here", a->lines.file);
	if (a->opts->source)
		diag_hint(d, "nor is any file with the end of that path in '%s'", a->opts->source);
	else if (a->lines.directory)
		diag_hint(d, "it was compiled in '%s'", a->lines.directory);
	if (probe_target_kind(a->target) != PROBE_PROGRAM)
		diag_hint(d, "unpack the source of this kernel (Debian: package linux-source), and "
			     "name its directory with -s DIR");
	else
		diag_hint(d,
			  "-s DIR says where the sources are; 'debuginfod-find source %s PATH' may "
			  "bring them",
			  program);
	return -ENOENT;
}

static int show(struct invocation *inv, struct asked *a, struct diag *d)
{
	_cleanup_(text_files_freep) struct text_files *files =
		text_files_new(&(struct text_files_options){ 0 });
	const struct text_file *source = NULL;
	int r = find_lines(a, d);

	if (r < 0)
		return r;

	_cleanup_(freep) char *path = source_path_find(a->lines.file, a->lines.directory,
						       a->opts->source);

	if (path)
		source = text_files_find(files, path);
	if (!source)
		return no_source(a, d);
	probe_lines_print(&a->lines, path, source, inv->colour, inv->out);
	return 0;
}

int probe_show_lines(struct invocation *inv, const struct probe_opts *o)
{
	_cleanup_(asked_done) struct asked a = { .opts = o };
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = line_range_parse(o->line, &a.range, &d);

	if (r >= 0)
		r = show(inv, &a, &d);
	return r < 0 ? command_fail(inv, r, &d) : EXIT_OK;
}
