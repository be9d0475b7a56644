/* SPDX-License-Identifier: MIT */
#include "session/reading.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "datafile/reader.h"
#include "kernel/explain.h"
#include "session/call-sites.h"
#include "session/chain-depths.h"
#include "session/consumer.h"
#include "session/sample-filter.h"
#include "session/stack-unwind.h"
#include "session/time-window.h"
#include "symbol/kernel-file.h"
#include "symbol/symbol-request.h"
#include "symbol/symbolizer.h"

const char *reading_other_root(const struct symbol_request *rq)
{
	return rq->symfs && strcmp(rq->symfs, "/") ? rq->symfs : NULL;
}

struct symbolizer *reading_symbolizer(const struct reading_symbols *how)
{
	const struct symbol_request *rq = how->request;

	return symbolizer_new(&(struct symbolizer_options){
		.symfs = reading_other_root(rq),
		.vmlinux = rq->vmlinux,
		.kallsyms = rq->kallsyms,
		.guest_vmlinux = rq->guest_vmlinux,
		.guest_kallsyms = rq->guest_kallsyms,
		.guest_mount = rq->guest_mount,
		.buildid_dir = how->buildid_dir,
		.symfs_cache = reading_other_root(rq),
		.ignore_vmlinux = how->ignore_vmlinux,
		.raw_names = rq->demangle == CHOICE_NO,
		.with_parameters = how->with_parameters,
		.demangle_kernel = rq->demangle_kernel == CHOICE_YES,
		.kernel_paths = how->kernel_paths,
		.short_kernel = how->short_kernel,
		.any_owner = how->any_owner,
		.progress = how->progress,
	});
}

enum inlines reading_inlines(const struct symbol_request *o)
{
	return o->inlines == CHOICE_NO    ? INLINES_NONE
	       : o->inlines == CHOICE_YES ? INLINES_ALL
					  : INLINES_UNWOUND;
}

int reading_check_files(const struct reading_symbols *how, struct diag *diag)
{
	const struct symbol_request *rq = how->request;
	int r = kernel_vmlinux_check("vmlinux", rq->vmlinux, diag);

	if (r >= 0)
		r = kernel_list_check("kallsyms", rq->kallsyms, diag);
	if (r >= 0)
		r = kernel_vmlinux_check("guestvmlinux", rq->guest_vmlinux, diag);
	if (r >= 0)
		r = kernel_list_check("guestkallsyms", rq->guest_kallsyms, diag);
	return r;
}

struct time_span *reading_spans_between(const struct time_window *w, uint64_t first, uint64_t last)
{
	struct time_span *spans = xcalloc(w->n + !w->n, sizeof(*spans));
	double total = (double)(last - first) / 100;

	for (size_t i = 0; i < w->n; i++) {
		const struct time_range *t = &w->items[i];

		spans[i].from_ns = w->relative ? first + (uint64_t)(t->from_percent * total)
					       : t->from_ns;
		spans[i].to_ns = !w->relative           ? t->to_ns
				 : t->to_percent >= 100 ? last
							: first + (uint64_t)(t->to_percent * total);
	}
	return spans;
}

int reading_spans(const struct time_window *w, struct session *s, struct time_span **ret,
		  struct diag *diag)
{
	const struct features *f = session_features(s);
	uint64_t first = f->sample_time.first, last = f->sample_time.last;

	*ret = NULL;
	/* Some recorders reserve space for the times but leave it empty. */
	if (w->relative && !last) {
		int r = session_scan(s, diag);

		if (r == -ESPIPE)
			return diag_set(diag, r, "parts of a stream are not known beforehand");
		if (r < 0)
			return r;
		first = session_counts(s)->first_time;
		last = session_counts(s)->last_time;
	}
	*ret = reading_spans_between(w, first, last);
	return 0;
}

/* The most that the kernel copies of a stack: a u16, in words. */
#define STACK_MAX 65528

/* Returns the most that was copied of stacks; 0: not known any more. */
static uint32_t copied_size(const struct session *s)
{
	uint32_t size = 0;

	for (size_t i = 0; i < session_event_count(s); i++) {
		const struct attr *a = &session_event(s, i)->attr;

		if (a->sample_type & PERF_SAMPLE_STACK_USER && a->sample_stack_user > size)
			size = a->sample_stack_user;
	}
	return size;
}

/* The hint for recordings by --call-graph bpf, for which advice to use that would be of no help. */
#define RULES_CAME_LATER                                                                           \
	"The kernel unwinds the stacks of a program once it has the rules; the first ones are "    \
	"copied."

/*
 * The reasons why stacks are incomplete, and what helps. The second hint, if there is one, is for
 * stacks that --call-graph bpf left to be copied.
 */
static const struct {
	enum unwind_end end;
	const char *what, *hints[2];
} reasons[] = {
	{ UNWIND_CUT,
	  "are cut off: the program used more of its stack than was copied",
	  { "perf record --call-graph dwarf,65528 copies more of it." } },
	{ UNWIND_MAX,
	  "have more frames than were looked for",
	  { "--max-stack looks for more; perf record --unwind=later leaves that to those who "
	    "read." } },
	{ UNWIND_NO_FILE,
	  "end early: the file of the last function is not here, or is not the one that ran",
	  { "--symfs names a directory that has it; perf buildid-cache --add keeps it." } },
	{ UNWIND_NO_CFI,
	  "end early: nothing tells how to unwind the last function (it has no CFI)",
	  { "A debug file may tell; perf record -g needs none, if the program keeps frame "
	    "pointers." } },
	{ UNWIND_OTHER_STACK,
	  "end with a signal handler that has a stack of its own (sigaltstack): the other stack "
	  "was not copied",
	  { "perf record --call-graph bpf has both, and perf record -g, which follows frame "
	    "pointers.",
	    RULES_CAME_LATER } },
	{ UNWIND_UNTOUCHED,
	  "end with a large frame: the kernel copies a stack only up to a page that the program "
	  "has not written to yet",
	  { "perf record --call-graph bpf reads what is behind it.", RULES_CAME_LATER } },
	{ UNWIND_LOST,
	  "end early: the unwind rules of the last function lead to no caller",
	  { "perf record --call-graph bpf reads memory that is not copied, as below the stack "
	    "pointer; perf record -g needs no rules, if the program keeps frame pointers.",
	    "perf record -g needs no rules, if the program keeps frame pointers." } },
};

static const char *reading_hint_of(size_t i, const struct session *s, bool is_rest)
{
	if (is_rest && reasons[i].hints[1])
		return reasons[i].hints[1];
	if (reasons[i].end == UNWIND_CUT && copied_size(s) >= STACK_MAX)
		return "The kernel copies no more of a stack. perf record --unwind=now reads the "
		       "rest "
		       "of it from the process, where that waits.";
	return reasons[i].hints[0];
}

/* Chains that the kernel may have cut, all at the same depth. */
struct cut_chains {
	size_t frames;
	uint64_t n;
	const char *limit; /* the limit that ended them */
	bool was_asked;    /* the limit was set by the user, for these events */
};

/*
 * True if the kernel itself writes the whole chains of @a. Those of BPF programs have other limits.
 */
static bool has_kernel_chains(const struct attr *a)
{
	return a->sample_type & PERF_SAMPLE_CALLCHAIN &&
	       !(a->sample_type & PERF_SAMPLE_STACK_USER) &&
	       !(a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_BPF_OUTPUT);
}

/*
 * Returns why the kernel ends chains of @a after @frames frames, as far as that can be known;
 * otherwise NULL. A recording has the limit only if the event has one of its own.
 */
static const char *chain_limit(const struct session *s, const struct attr *a, size_t frames)
{
	if (a->sample_max_stack)
		return frames == a->sample_max_stack ? "the limit that was asked for" : NULL;
	if (frames == CHAIN_DEPTH_DEFAULT)
		return "the kernel's default limit";
	return session_is_of_this_machine(s) && frames == perf_event_max_stack()
		       ? "the limit of this machine's kernel"
		       : NULL;
}

static struct cut_chains find_cut_chains(const struct session *s, const struct chain_depths *d)
{
	struct cut_chains found = { 0 };

	for (size_t i = 0; i < session_event_count(s); i++) {
		const struct attr *a = &session_event(s, i)->attr;
		struct chain_depth e = chain_depths_of(d, i);
		const char *limit = e.n && has_kernel_chains(a) ? chain_limit(s, a, e.frames)
								: NULL;

		if (!limit || (found.n && e.frames != found.frames))
			continue;
		found.frames = e.frames;
		found.n += e.n;
		found.limit = limit;
		found.was_asked = a->sample_max_stack;
	}
	return found;
}

/*
 * Notes the chains that may be cut. Chains that were unwound while recording were counted then, and
 * have other limits.
 */
static void note_cut_chains(const struct session *s, struct notes *notes)
{
	const struct chain_depths *depths = session_chain_depths(s);
	struct cut_chains c = { 0 };
	struct diag d = { 0 };

	if (depths && !session_is_foreign(s) && !session_unwind_counts(s).stacks)
		c = find_cut_chains(s, depths);
	if (!c.n)
		return;
	diag_set(&d, 0,
		 "%" PRIu64 " of %" PRIu64 " stacks have %zu frames, %s: they may lack their "
		 "outermost callers",
		 c.n, chain_depths_stacks(depths), c.frames, c.limit);
	if (c.was_asked)
		diag_hint(&d,
			  "perf record -e EVENT/max-stack=%zu/ takes more, as far as "
			  "kernel.perf_event_max_stack allows it; --max-stack %zu shows them.",
			  4 * c.frames, 4 * c.frames);
	else
		diag_hint(&d,
			  "perf record takes more after sudo sysctl "
			  "kernel.perf_event_max_stack=%zu, when "
			  "no event is open; --max-stack %zu shows them.",
			  4 * c.frames, 4 * c.frames);
	notes_take(notes, NOTE_WARNING, &d);
}

void reading_note_stacks(const struct session *s, struct notes *notes)
{
	struct unwind_counts c = session_unwind_counts(s);

	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		struct diag d = { 0 };
		uint64_t n = c.ended[reasons[i].end];

		if (!n)
			continue;
		diag_set(&d, 0, "%" PRIu64 " of %" PRIu64 " stacks%s %s", n, c.stacks,
			 c.is_rest ? " that the kernel did not unwind" : "", reasons[i].what);
		diag_hint(&d, "%s", reading_hint_of(i, s, c.is_rest));
		notes_take(notes, NOTE_WARNING, &d);
	}
	note_cut_chains(s, notes);
}

static void note_aux(struct notes *notes, const char *what, uint64_t times, uint64_t of,
		     const char *hint)
{
	struct diag d = { 0 };

	if (!times)
		return;
	diag_set(&d, 0, "AUX data %s %" PRIu64 " times out of %" PRIu64 "!", what, times, of);
	diag_hint(&d, "%s", hint);
	notes_take(notes, NOTE_WARNING, &d);
}

void reading_note_traces(const struct session *s, struct notes *notes)
{
	const struct session_counts *c = session_counts(s);
	uint64_t n = c->records[PERF_RECORD_AUX], errors = c->records[PERF_RECORD_AUXTRACE_ERROR];

	note_aux(notes, "lost", c->aux_lost, n, "Larger areas (record -m ,SIZE) avoid that.");
	note_aux(notes, "had gaps in it", c->aux_gaps, n,
		 "The trace was off for a while: a guest ran, or a debugger.");
	note_aux(notes, "detected collision", c->aux_collisions, n,
		 "Samples came faster than they could be taken: a larger period (record -c) avoids "
		 "that.");
	if (errors)
		notes_add(notes, NOTE_WARNING, "%" PRIu64 " instruction trace errors", errors);
	if (session_trace_remark(s))
		notes_add(notes, NOTE_WARNING, "%s", session_trace_remark(s));
}

void reading_note_losses(const struct session *s, struct notes *notes)
{
	const struct session_counts *c = session_counts(s);
	struct diag d = { 0 };

	reading_note_traces(s, notes);
	/* The kernel may count a lost sample in both numbers. */
	if (c->lost_events)
		diag_set(&d, 0,
			 "%" PRIu64 " records were lost while recording: they are missing here",
			 c->lost_events);
	else if (c->lost_samples)
		diag_set(&d, 0,
			 "%" PRIu64 " samples were lost while recording: they are missing here",
			 c->lost_samples);
	else
		return;
	diag_hint(&d, "Larger buffers (record -m) or fewer samples (record -F, -c) avoid that.");
	notes_take(notes, NOTE_WARNING, &d);
}

/*
 * Notes malformed maps. The first one is named as perf 7 names records: "at offset 0x1230: MMAP2
 * (10)".
 */
static void note_malformed_maps(const struct session_counts *c, struct notes *notes)
{
	const struct record_header *h = &c->malformed_map;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (!c->malformed_maps)
		return;
	text_addf(&t, "at offset 0x%" PRIx64 ": %s (%u) of %u bytes", c->malformed_map_offset,
		  record_type_name(h->type), h->type, h->size);
	if (c->malformed_maps > 1)
		text_addf(&t, " and %" PRIu64 " more records of mapped files",
			  c->malformed_maps - 1);
	notes_add(notes, NOTE_WARNING, "%s cannot be understood: addresses in %s have no names",
		  t.chars, c->malformed_maps > 1 ? "those files" : "that file");
}

static void note_unknown_types(const struct session_counts *c, struct notes *notes)
{
	if (c->unknown_types == 1)
		notes_add(notes, NOTE_WARNING, "1 record of the unknown type %u was passed over",
			  c->unknown_type);
	else if (c->unknown_types)
		notes_add(notes, NOTE_WARNING,
			  "%" PRIu64 " records of unknown types were passed over; the first is of "
			  "type %u",
			  c->unknown_types, c->unknown_type);
}

void reading_note_damage(struct session *s, struct notes *notes)
{
	note_unknown_types(session_counts(s), notes);
	for (size_t i = 0; i < session_damage_count(s); i++)
		notes_add(notes, NOTE_WARNING, "%s", session_damage(s, i));
	note_malformed_maps(session_counts(s), notes);
}

int reading_check_samples(const struct session *s, struct diag *diag)
{
	if (!session_is_cut(s) || session_counts(s)->samples)
		return 0;
	diag_set(diag, -ENODATA, "'%s' was cut before its first sample", session_path(s));
	diag_hint(diag, "Copy it again, or record anew.");
	return -ENODATA;
}

size_t reading_group_size(const struct session *s, enum choice group, size_t first)
{
	const struct session_event *e = session_event(s, first);
	size_t n = session_event_count(s);

	if (group == CHOICE_NO)
		return 1;
	if (group == CHOICE_YES && !session_has_groups(s))
		return n - first;
	return e->leader == first && first + e->n_members <= n ? e->n_members : 1;
}

/* Stops at the first samples. A stream reports its events before them. */
static int until_samples(void *arg, const struct record_batch *b)
{
	(void)arg, (void)b;
	return 1;
}

static int until_described(void *arg, const struct delivered *d)
{
	(void)arg;
	return d->raw.header.type == PERF_RECORD_FINISHED_INIT;
}

int reading_stream_header(struct session *s, struct diag *diag)
{
	static const struct consumer consumer = {
		.order = CONSUMER_IN_ORDER,
		.types = RECORD_TYPE_BIT(PERF_RECORD_SAMPLE),
		.records = until_samples,
		.user = until_described,
	};

	return session_is_stream(s) ? session_feed(s, NULL, &consumer, diag) : 0;
}

int reading_stream_rest(struct session *s, struct diag *diag)
{
	static const struct consumer nobody = { 0 };

	return session_is_stream(s) ? session_feed(s, NULL, &nobody, diag) : 0;
}
