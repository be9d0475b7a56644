/* SPDX-License-Identifier: MIT */
#include "cmd/stat-output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "base/text.h"
#include "cli/colour.h"
#include "cli/command.h"
#include "cmd/stat-opts.h"
#include "view/stat/csv.h"
#include "view/stat/json.h"
#include "view/stat/text.h"

static char *join_words(char *const *words)
{
	struct text t = TEXT_EMPTY;

	for (size_t i = 0; words[i]; i++)
		text_addf(&t, "%s%s", i ? " " : "", words[i]);
	return text_take(&t);
}

static char *join_ids(const struct id_list *l)
{
	struct text t = TEXT_EMPTY;

	for (size_t i = 0; i < l->n; i++)
		text_addf(&t, "%s%d", i ? "," : "", l->items[i]);
	return text_take(&t);
}

static void make_title(struct stat_output *out, const struct stat_opts *o,
		       const struct invocation *inv, bool has_cpus)
{
	struct stat_title *title = &out->view.title;

	if (o->target.pids.n) {
		title->target = STAT_TARGET_PROCESSES;
		out->title = join_ids(&o->target.pids);
	} else if (o->target.tids.n) {
		title->target = STAT_TARGET_THREADS;
		out->title = join_ids(&o->target.tids);
	} else if (o->target.user.given) {
		title->target = STAT_TARGET_USER;
		out->title = xasprintf("%u", (unsigned)o->target.user.uid);
	} else if (has_cpus && o->target.cpus.n && !o->target.all_cpus) {
		title->target = STAT_TARGET_CPUS;
		out->title = o->target.cpus_text ? xstrdup(o->target.cpus_text)
						 : cpu_list_format(&o->target.cpus);
	} else if (has_cpus) {
		title->target = STAT_TARGET_SYSTEM;
	} else {
		title->target = STAT_TARGET_COMMAND;
		out->title = join_words(inv->argv);
	}
	title->text = out->title;
}

static void print_start_time(FILE *file)
{
	time_t now = time(NULL);
	char when[64];

	fprintf(file, "# started on %s\n", ctime_r(&now, when));
}

/* JSON has no comments, so a file of JSON lines does not begin with the time it was started. */
static int open_file(struct stat_output *out, const struct stat_opts *o, struct diag *diag)
{
	int fd = output_file_open(o->output, o->append ? OUTPUT_APPEND : OUTPUT_TRUNCATE, 0666,
				  diag);

	if (fd < 0)
		return fd;
	out->file = fdopen(fd, o->append ? "a" : "w");
	if (!out->file)
		return diag_set(diag, -errno, "cannot write '%s': %s", o->output, strerror(errno));
	out->owned = true;
	if (!o->json)
		print_start_time(out->file);
	return 0;
}

static int open_descriptor(struct stat_output *out, const struct stat_opts *o, struct diag *diag)
{
	int fd = dup((int)o->log_fd);

	out->file = fd < 0 ? NULL : fdopen(fd, o->append ? "a" : "w");
	if (!out->file)
		return diag_set(diag, -errno, "Failed opening logfd %d: %s", (int)o->log_fd,
				strerror(errno));
	out->owned = true;
	return 0;
}

static const char *separator_of(const struct stat_opts *o)
{
	return o->separator && !strcmp(o->separator, "\\t") ? "\t" : o->separator;
}

int stat_output_open(struct stat_output *out, const struct stat_opts *o,
		     const struct invocation *inv, bool has_cpus, struct diag *diag)
{
	bool is_file = o->output && strcmp(o->output, "-") != 0;
	int r = 0;

	*out = (struct stat_output){ .file = inv->err };
	out->print = o->json ? stat_json_print : o->separator ? stat_csv_print : stat_text_print;
	make_title(out, o, inv, has_cpus);
	if (o->verbosity.quiet)
		out->file = NULL;
	else if (is_file)
		r = open_file(out, o, diag);
	else if (o->log_fd)
		r = open_descriptor(out, o, diag);
	out->notes = out->file && !out->owned && out->print == stat_text_print &&
		     isatty(fileno(out->file)) && !o->interval_ms;
	out->view.style = (struct stat_style){
		.big_num = o->big_num != CHOICE_NO,
		.colour = out->file && colour_wanted(inv->colour_when, out->file),
		.metric_only = o->metric_only == CHOICE_YES ||
			       ((o->topdown || o->smi_cost) && o->metric_only == CHOICE_UNSAID),
		.clear = o->interval_clear,
		.null_run = o->null_run,
		.list_runs = o->table,
		.csv_summary = !o->no_csv_summary,
		.separator = separator_of(o),
	};
	return r;
}

bool stat_output_done(struct stat_output *out)
{
	bool good = !out->file || (fflush(out->file) == 0 && !ferror(out->file));

	if (out->owned && fclose(out->file) != 0)
		good = false;
	free(out->title);
	*out = (struct stat_output){ 0 };
	return good;
}
