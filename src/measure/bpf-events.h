/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * BPF programs of users as events: `-e ./x.c`, `-e x.o/map:channel.event=evt/`.
 *
 *	bpf_events_new() ─► bpf_events_listen(): sources among the words of -e are compiled and
 *loaded when events are resolved, and become the tracepoints and probes that their programs run at
 *	─► bpf_events_complete() ─► events are opened ─► bpf_events_attach() ─► bpf_events_free()
 *
 * Programs and maps are held by descriptors alone. Probes of functions are events of tracefs, in
 * the group perf_bpf_probe: bpf_events_free() removes them, and what a killed perf left behind is
 * removed by the next one that sets a probe.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "bpf/clang.h"

struct bpf_events;
struct diag;
struct event_env;
struct event_list;
struct event_node;
struct notes;
struct opened_events;

/* How sources become objects. All zero: by the clang of $PATH. Texts are borrowed. */
struct bpf_source_request {
	struct bpf_compiler compiler;
	const char
		*vmlinux; /* where functions and their arguments are found; NULL: as perf probe */
	bool dump_object; /* the compiled object is kept beside the source */
};

/* What else has to be known. Borrowed. */
struct bpf_events_options {
	const struct bpf_source_request *sources;
	const char *buildid_dir;
	bool dry_run; /* compile and check, but ask the kernel nothing: there are no events then */
	bool counts;  /* nothing is recorded, so maps need no events to send to */
	bool verbose; /* notes have the verifier's log */
	struct notes *notes;
};

struct bpf_events *bpf_events_new(const struct bpf_events_options *o);

/* Closes programs and maps, and removes probes. Close the events first. */
void bpf_events_free(struct bpf_events *b);
DEFINE_FREEP(bpf_events)

/*
 * An event_programs_fn (event/env.h) that takes BPF programs without looking at them: for who asks
 * what events there are before any is opened. @arg: a bool that becomes true, or NULL.
 */
int bpf_events_pass(void *arg, const struct event_node *node, const char *source,
		    struct event_env *env, struct event_list *list, struct diag *diag);

/* From now on, BPF sources and objects are events of @env. @b outlives it. */
void bpf_events_listen(struct bpf_events *b, struct event_env *env);

/*
 * Once all words are resolved into @l: finds the events that maps send to, and adds one
 * (bpf-output, with the name of the map) for each perf event array that no term mentions. Errors
 * with @diag set.
 */
int bpf_events_complete(struct bpf_events *b, struct event_list *l, struct event_env *env,
			struct diag *diag);

/* Once they are open: fills the perf event arrays and attaches the programs. Errors with @diag. */
int bpf_events_attach(struct bpf_events *b, const struct opened_events *opened, struct diag *diag);
