/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * One BPF source or object among the events, with its programs, maps and probes. Private to
 * measure/bpf-*.c.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "bpf/map-term.h"
#include "bpf/section.h"
#include "measure/bpf-events.h"
#include "probe/probe-add.h"

struct bpf_module;
struct event_node;

/* A program and the place at which it runs. */
struct bpf_run {
	char *name; /* name of the function */
	struct bpf_section section;
	size_t addition; /* for a probe: its number among the additions */
};

struct bpf_object_event {
	const struct bpf_events_options *options;
	char *text;          /* path and terms, which identify it */
	char *path;          /* path of the source or object */
	char *source;        /* text of the source; NULL: it is an object */
	struct bytes object; /* the bytes that the module reads */
	struct bpf_module *module;
	struct {
		struct bpf_run *items;
		size_t n, room;
	} runs;
	struct {
		struct bpf_map_term *items;
		size_t n, room;
	} terms;
	size_t first_program; /* number of its first program among those of all objects */
	struct probe_request probe_request;
	struct probe_texts probe_texts;
	struct probe_additions probes;
	bool probes_set; /* the probes are in the kernel */
};

/*
 * Compiles or reads the file that @node, a part of @source, names, and checks it. Errors with @diag
 * set.
 */
int bpf_object_event_open(struct bpf_object_event *o, const struct event_node *node,
			  const char *source, struct diag *diag);
void bpf_object_event_done(struct bpf_object_event *o);

/*
 * Finds the probes at which its programs run, and the values that these fetch. Errors with @diag
 * set.
 */
int bpf_object_event_find_probes(struct bpf_object_event *o, struct diag *diag);

/* Loads its programs, and gives entries of arrays their values. Errors with @diag set. */
int bpf_object_event_load(struct bpf_object_event *o, struct diag *diag);

/* Sets the probes at which its programs run. Errors with @diag set. */
int bpf_object_event_probe(struct bpf_object_event *o, struct diag *diag);
