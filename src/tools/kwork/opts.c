/* SPDX-License-Identifier: MIT */
#include "tools/kwork/opts.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "cli/command.h"
#include "measure/record.h"
#include "options/buildid-dir.h"
#include "options/filter.h"
#include "options/input.h"
#include "options/raw-dump.h"
#include "options/value.h"
#include "session/reading.h"
#include "symbol/symbolizer.h"
#include "tools/kwork/kwork-work.h"

#define CLASSES "irq, softirq, workqueue, sched"

static void kwork_opts_add_class(struct kwork_classes *c, enum kwork_class class)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->items[i] == class)
			return;
	c->items[c->n++] = class;
}

static int kwork_opts_find_class(const char *word, size_t length)
{
	for (size_t i = 0; i < KWORK_CLASSES; i++)
		if (strlen(kwork_class_names[i].name) == length &&
		    !strncmp(kwork_class_names[i].name, word, length))
			return (int)i;
	return -1;
}

int kwork_classes_set(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	struct kwork_classes c = { .n = 0 };

	for (const char *word = negated ? NULL : value; word; word = value_next(word)) {
		size_t length = value_word(word);
		int class = kwork_opts_find_class(word, length);

		if (length && class < 0)
			return value_refuse(diag, o, value, (size_t)(word - value), length,
					    "'%.*s' is not one of " CLASSES, (int)length, word);
		if (length)
			kwork_opts_add_class(&c, (enum kwork_class) class);
	}
	*(struct kwork_classes *)field = c;
	return 0;
}

const struct option kwork_common_options[] = {
	OPT_FORCE(struct kwork_opts, force),
	OPT_DUMP_RAW(struct kwork_opts, dump_raw),
	OPT_COUNT('v', "verbose", struct kwork_opts, verbose, "say more"),
	OPT_END,
};

const struct option kwork_options[] = {
	OPT_CALL('k', "kwork", struct kwork_opts, classes, "class[,class...]",
		 "kinds of work: " CLASSES, .set = kwork_classes_set),
	OPT_INCLUDE(kwork_common_options),
	OPT_END,
};

const struct option kwork_filter_options[] = {
	OPT_INPUT(struct kwork_reading_opts, input),
	OPT_CPUS('C', struct kwork_reading_opts, filter.cpus),
	OPT_STRING('n', "name", struct kwork_reading_opts, name, "name",
		   "only work of this name: eth0, TIMER, vmstat_update"),
	OPT_CALL(0, "time", struct kwork_reading_opts, filter.time, "start,stop",
		 "only events in this span of time", .set = time_window_set),
	OPT_END,
};

const struct option kwork_reading_options[] = {
	OPT_SET(struct kwork_reading_opts, common, kwork_options),
	OPT_INCLUDE(kwork_filter_options),
	OPT_END,
};

const struct option kwork_bpf_options[] = {
	OPT_FLAG('b', "use-bpf", struct kwork_reading_opts, use_bpf,
		 "count now, by BPF programs, until the command behind it ends or Ctrl-C"),
	OPT_END,
};

int kwork_check_bpf(const struct invocation *inv, const struct kwork_reading_opts *o,
		    struct diag *diag)
{
	if (!o->use_bpf && inv->argc) {
		diag_set(diag, -EINVAL, "'%s' is too much: a recording is read", inv->argv[0]);
		diag_hint(diag, "With -b, it would be run, and what happens meanwhile counted.");
		return -EINVAL;
	}
	if (o->use_bpf && (o->input || o->filter.time.text || o->common.dump_raw))
		return diag_set(diag, -EINVAL, "-b counts now, and %s is about a recording",
				o->input             ? "-i"
				: o->common.dump_raw ? "-D"
						     : "--time");
	return 0;
}

void kwork_reading_done(struct kwork_reading_opts *o)
{
	filter_request_done(&o->filter);
}

struct kwork_classes kwork_classes_or_usual(const struct kwork_opts *o)
{
	static const struct kwork_classes usual = {
		.items = { KWORK_IRQ, KWORK_SOFTIRQ, KWORK_WORKQUEUE },
		.n = 3,
	};

	return o->classes.n ? o->classes : usual;
}

struct recorded_request kwork_recorded_request(const struct kwork_reading_opts *o,
					       const struct invocation *inv)
{
	return (struct recorded_request){ .path = input_path(o->input),
					  .force = o->common.force,
					  .filter = o->filter,
					  .progress = command_progress(inv, false, false) };
}

static int kwork_opts_read_recording(const struct invocation *inv,
				     const struct kwork_reading_opts *o, struct kwork_request *rq,
				     struct kwork_model *m, struct kwork_reading *ret,
				     struct diag *diag)
{
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	const struct reading_symbols how = { .request = &o->symbols,
					     .buildid_dir = dir,
					     .any_owner = o->common.force };
	_cleanup_(symbolizer_freep) struct symbolizer *symbols = reading_symbolizer(&how);
	struct notes notes = command_notes(inv);
	int r = reading_check_files(&how, diag);

	rq->recorded = kwork_recorded_request(o, inv);
	rq->recorded.symbolizer = symbols;
	if (rq->model.mode == KWORK_HISTORY)
		rq->recorded.progress = command_progress(inv, false, true);
	rq->model.classes = kwork_classes_or_usual(&o->common);
	rq->model.name = o->name;
	return r < 0 ? r : kwork_read(rq, m, ret, &notes, diag);
}

int kwork_read_for(const struct invocation *inv, const struct kwork_reading_opts *o,
		   struct kwork_request *rq, struct kwork_model *m, struct kwork_reading *ret)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r = 0;

	if (o->common.dump_raw)
		r = command_dump_raw(inv, o->input, o->common.force, &diag);
	if (r > 0)
		return EXIT_OK;
	if (r == 0)
		r = kwork_opts_read_recording(inv, o, rq, m, ret, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : -1;
}
