/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * BPF programs of users as events: `-e ./x.c`, `-e x.o/map:channel.event=evt/`.
 *
 *	bpf_events_new() ─► bpf_events_listen(): sources among the words of -e are compiled and
 *	loaded when events are resolved, and become the tracepoints and probes of their programs
 *	─► bpf_events_complete() ─► events are opened ─► bpf_events_attach() ─► bpf_events_free()
 *
 * Programs and maps are held by descriptors alone. Probes of functions are events of tracefs, in
 * the group perf_bpf_probe: bpf_events_free() removes them. Probes that a killed perf left behind
 * are removed by the next perf that sets a probe.
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

/*
 * The way in which sources become objects. All zero: with the clang of $PATH. Texts are borrowed.
 */
struct bpf_source_request {
	struct bpf_compiler compiler;
	const char *vmlinux; /* file for functions and their arguments; NULL: as perf probe */
	bool dump_object;    /* keep the compiled object beside the source */
};

/* Further options. Borrowed. */
struct bpf_events_options {
	const struct bpf_source_request *sources;
	const char *buildid_dir;
	bool dry_run; /* compile and check without the kernel: there are no events then */
	bool counts;  /* nothing is recorded, so maps need no events as destinations */
	bool verbose; /* notes contain the verifier's log */
	struct notes *notes;
};

struct bpf_events *bpf_events_new(const struct bpf_events_options *o);

/* Closes programs and maps, and removes probes. The events have to be closed first. */
void bpf_events_free(struct bpf_events *b);
DEFINE_FREEP(bpf_events)

/*
 * An event_programs_fn (event/env.h) that accepts BPF programs without reading them, for callers
 * that only need the events before any is opened. @arg: a bool that becomes true, or NULL.
 */
int bpf_events_pass(void *arg, const struct event_node *node, const char *source,
		    struct event_env *env, struct event_list *list, struct diag *diag);

/* Makes BPF sources and objects events of @env, from now on. @b outlives @env. */
void bpf_events_listen(struct bpf_events *b, struct event_env *env);

/*
 * Finds the events to which maps send, once all words are resolved into @l, and adds one
 * (bpf-output, with the name of the map) for each perf event array that no term mentions. Errors
 * with @diag set.
 */
int bpf_events_complete(struct bpf_events *b, struct event_list *l, struct event_env *env,
			struct diag *diag);

/*
 * Fills the perf event arrays and attaches the programs, once the events are open. Errors with
 * @diag.
 */
int bpf_events_attach(struct bpf_events *b, const struct opened_events *opened, struct diag *diag);
