/* SPDX-License-Identifier: MIT */
#include "tools/script/print.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "foreign/any-session.h"
#include "options/buildid-dir.h"
#include "session/reading.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "tools/script/dlfilter.h"
#include "tools/script/opts.h"
#include "tools/script/script-view.h"
#include "view/dump/dump.h"
#include "view/header/header.h"
#include "view/missing-symbols.h"

struct script_print_job {
	struct invocation *inv;
	struct session *session;
	struct script_filter *filter; /* the filter of --dlfilter */
	struct dump dump;
	struct diag *diag;
};

static unsigned script_print_shown(const struct script_opts *o)
{
	return (o->show_task ? SCRIPT_SHOW_TASK : 0) | (o->show_mmap ? SCRIPT_SHOW_MMAP : 0) |
	       (o->show_switch ? SCRIPT_SHOW_SWITCH : 0) |
	       (o->show_namespace ? SCRIPT_SHOW_NAMESPACE : 0) |
	       (o->show_cgroup ? SCRIPT_SHOW_CGROUP : 0) | (o->show_lost ? SCRIPT_SHOW_LOST : 0) |
	       (o->show_round ? SCRIPT_SHOW_ROUND : 0) | (o->show_bpf ? SCRIPT_SHOW_BPF : 0) |
	       (o->show_text_poke ? SCRIPT_SHOW_TEXT_POKE : 0) |
	       (o->merge_callchains == CHOICE_NO ? SCRIPT_SHOW_DEFERRED : 0);
}

/*
 * Adds the fields of -F, as changed by the options for hardware traces. True if there were such
 * options.
 */
static bool add_trace_fields(const struct script_opts *o, struct field_opts *ret)
{
	static const struct field_request instructions = {
		.types = FIELD_TYPE_ALL,
		.add = FIELD_BIT(INSN),
		.remove = FIELD_BIT(EVENT) | FIELD_BIT(PERIOD),
	};
	static const struct field_request calls = {
		.types = FIELD_TYPE_ALL,
		.add = FIELD_BIT(CALLINDENT),
		.remove = FIELD_BIT(IP) | FIELD_BIT(ADDR) | FIELD_BIT(EVENT) | FIELD_BIT(PERIOD),
	};

	for (size_t i = 0; i < o->fields.n; i++)
		*ARRAY_ADD(ret) = o->fields.items[i];
	if (o->insn_trace)
		*ARRAY_ADD(ret) = instructions;
	if (o->call_trace || o->call_ret_trace) {
		*ARRAY_ADD(ret) = calls;
		if (o->call_ret_trace)
			ret->items[ret->n - 1].add |= FIELD_BIT(FLAGS);
	}
	return o->insn_trace || o->call_trace || o->call_ret_trace;
}

static bool is_kernel_elsewhere(const struct image *im, enum image_missing why)
{
	return image_kind(im) == IMAGE_KERNEL && why == IMAGE_NO_FILE && image_build_id(im)->size;
}

static void tell_other_file(const struct image *im, FILE *err)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	escape_terminal(&name, image_wanted_path(im), strlen(image_wanted_path(im)));
	fprintf(err, "%s is not the file that ran: its functions have no names\n", name.chars);
}

/*
 * Reports an image without symbols: anonymous code without a file of names, the kernel of another
 * machine (not with --symfs, where it is expected), or a program that was replaced.
 */
static void script_print_tell_missing(struct image *im, void *arg)
{
	const struct invocation *inv = arg;
	enum image_missing why = image_missing_reason(im);
	_cleanup_(text_done) struct text path = TEXT_EMPTY;
	char hex[BUILD_ID_TEXT_MAX];

	escape_terminal(&path, image_wanted_path(im), strlen(image_wanted_path(im)));
	if (is_kernel_elsewhere(im, why) &&
	    !reading_other_root(&((const struct script_opts *)inv->opts)->symbols))
		fprintf(command_err(inv), "No kallsyms or vmlinux with build-id %s was found\n",
			build_id_format(image_build_id(im), hex));
	if (why == IMAGE_NO_MAP || why == IMAGE_BAD_MAP)
		fprintf(command_err(inv), "Failed to open %s, continuing without symbols\n",
			path.chars);
	if (image_kind(im) == IMAGE_USER && (why == IMAGE_REPLACED || why == IMAGE_OTHER_BUILD))
		tell_other_file(im, command_err(inv));
	if (why == IMAGE_FOREIGN_MAP)
		fprintf(command_err(inv), "%s is not read: %s. -f reads it anyway\n", path.chars,
			image_refusal(im));
}

static void tell_defects(const struct script_print_job *j)
{
	struct notes notes = command_notes(j->inv);

	reading_note_damage(j->session, &notes);
	reading_note_losses(j->session, &notes);
	reading_note_stacks(j->session, &notes);
}

static int tools_script_print(struct script_print_job *j, const struct script_options *so)
{
	const struct script_opts *o = j->inv->opts;
	_cleanup_(text_done) struct text notes = TEXT_EMPTY;
	struct script *script;
	int r = script_new(j->session, so, &script, &notes, j->diag);

	if (!o->quiet)
		fputs(notes.chars, command_err(j->inv));
	if (r < 0)
		return command_fail(j->inv, r, j->diag);
	r = script_print(script, j->diag);
	r = script_filter_stop(j->filter, r, j->diag);
	if (r >= 0 && !so->dump && !script_is_of_counts(j->session))
		r = reading_check_samples(j->session, j->diag);
	script_free(script);
	if (!o->quiet)
		tell_defects(j);
	/* The caller reports output that could not be written. */
	if (r < 0 && ferror(j->inv->out))
		return EXIT_FAILED;
	if (r < 0)
		return command_fail(j->inv, r, j->diag);
	return session_is_cut(j->session) && !so->dump ? EXIT_FAILED : EXIT_OK;
}

/* Prints the features of a stream for --header-only. They are records after the header. */
static int print_stream_features(const struct invocation *inv, struct session *s, struct diag *diag)
{
	const struct script_opts *o = inv->opts;
	int r = reading_stream_header(s, diag);

	if (r < 0)
		return command_fail(inv, r, diag);
	if (session_is_stream(s))
		header_print_features(session_features(s), o->input.show_info, inv->out);
	fflush(inv->out);
	r = reading_stream_rest(s, diag);
	return r < 0 ? command_fail(inv, r, diag) : EXIT_OK;
}

static struct sample_filter_request filter_of(const struct script_opts *o,
					      const struct time_span *spans)
{
	struct sample_filter_request rq = filter_request_of_samples(&o->filter, spans);

	rq.addr_range = o->addr_range;
	return rq;
}

/* Starts --dlfilter before the first sample. It may ask for the result of perf's own filters. */
static int start_filter(const struct script_print_job *j, const struct time_span *spans,
			struct sample_filter **ret)
{
	struct sample_filter_request rq = filter_of(j->inv->opts, spans);
	int r = sample_filter_new(&rq, ret, j->diag);

	return r < 0 ? r : script_filter_start(j->filter, j->session, *ret, j->diag);
}

/*
 * Reads ahead for CoreSight traces: AUX records, which may come later than the trace that they
 * divide, are needed first.
 */
static int read_ahead(struct session *s, bool dumps, struct diag *diag)
{
	struct words info;
	int r = 0;

	if (dumps && session_trace_info(s, &info) == AUXTRACE_CS_ETM)
		r = session_scan(s, diag);
	return r == -ESPIPE ? 0 : r;
}

static int script_print_open_and(struct invocation *inv, struct symbolizer *symbols,
				 struct diag *diag)
{
	const struct script_opts *o = inv->opts;
	_cleanup_(session_freep) struct session *session = NULL;
	_cleanup_(freep) struct time_span *spans = NULL;
	/* A dump shows the traces themselves. */
	const bool dumps = o->input.dump_raw || o->dump_unsorted;
	const struct itrace traces = dumps ? (struct itrace){ .off = true }
					   : itrace_wanted(&o->filter.itrace, true);
	struct session_options how = {
		.path = input_path(o->input.path),
		.force = o->input.force,
		.symbolizer = symbols,
		/* A round is a position in the file. */
		.in_file_order = o->dump_unsorted || o->show_round,
		.guest_code = o->symbols.guest_code,
		.keeps_cookies = o->merge_callchains == CHOICE_NO,
		.progress = command_progress(inv, o->quiet, true),
		.traces = &traces,
	};
	_cleanup_(field_opts_done) struct field_opts fields = { 0 };
	bool trace_fields = add_trace_fields(o, &fields);
	_cleanup_(sample_filter_freep) struct sample_filter *own = NULL;
	_cleanup_(script_filter_done) struct script_filter filter = SCRIPT_FILTER_NONE;
	struct script_print_job j = { .inv = inv, .diag = diag, .filter = &filter };
	int r = script_filter_open(&filter, inv, diag);

	if (r >= 0)
		r = any_session_open(&how, &session, diag);
	if (r >= 0)
		r = read_ahead(session, dumps, diag);
	if (r >= 0)
		r = reading_spans(&o->filter.time, session, &spans, diag);
	if (r < 0)
		return command_fail(inv, r, diag);
	if (o->input.header || o->input.header_only)
		header_print(session_datafile(session), o->input.show_info, inv->out);
	if (o->input.header_only)
		return print_stream_features(inv, session, diag);
	j.session = session;
	r = start_filter(&j, spans, &own);
	if (r < 0)
		return command_fail(inv, r, diag);
	dump_init(&j.dump, session);
	j.dump.unsorted = o->dump_unsorted && !o->show_round;
	r = tools_script_print(
		&j, &(struct script_options){
			    .out = filter.out,
			    .hook = filter.hook,
			    .fields = fields.items,
			    .n_fields = fields.n,
			    .filter = filter_of(o, spans),
			    .show = script_print_shown(o),
			    .max_stack = o->max_stack,
			    .max_blocks = o->max_blocks,
			    .counter_names = o->verbose,
			    .stitch_lbr = o->symbols.stitch_lbr,
			    .stop_symbols = o->stop_bt,
			    .dump_prefix = o->per_event_dump ? how.path : NULL,
			    .dump = o->input.dump_raw || o->dump_unsorted ? &j.dump : NULL,
			    .switch_on = o->filter.switch_on,
			    .switch_off = o->filter.switch_off,
			    .show_switches = o->filter.show_on_off_events,
			    .check_only = o->debug_mode,
			    .header = o->input.header,
			    .full_header = o->input.show_info,
			    .hide_call_graph = o->hide_call_graph,
			    .inlines = reading_inlines(&o->symbols),
			    .full_source_paths = o->symbols.full_source_path,
			    .latency = o->latency,
			    .ns = o->ns || trace_fields,
			    .reltime = o->reltime,
			    .deltatime = o->deltatime,
			    .escape = terminal_is(inv->settings->out),
		    });
	dump_done(&j.dump);
	if (!o->quiet) {
		symbolizer_for_each(symbols, script_print_tell_missing, inv);
		symbol_remarks_print(command_err(inv), symbols);
	}
	if (o->debug_mode)
		fprintf(command_err(inv), "Misordered timestamps: %" PRIu64 "\n",
			session_counts(session)->out_of_order);
	return r;
}

struct reading_symbols script_symbols_wanted(const struct script_opts *o, const char *buildid_dir)
{
	return (struct reading_symbols){
		.request = &o->symbols,
		.buildid_dir = buildid_dir,
		.kernel_paths = o->show_kernel_path,
		.any_owner = o->input.force,
	};
}

int script_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct script_opts *o = inv->opts;
	_cleanup_(freep) char *buildid_dir = command_buildid_dir(inv);
	struct reading_symbols how = script_symbols_wanted(o, buildid_dir);
	_cleanup_(symbolizer_freep) struct symbolizer *symbols = NULL;
	int r = reading_check_files(&how, &diag);

	how.progress = command_progress(inv, o->quiet, true);
	symbols = reading_symbolizer(&how);
	return r < 0 ? command_fail(inv, r, &diag) : script_print_open_and(inv, symbols, &diag);
}
