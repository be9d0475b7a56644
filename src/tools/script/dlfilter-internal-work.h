/* SPDX-License-Identifier: MIT */
#pragma once
/* Definitions that the files of dlfilter.h share. */
#include <stdbool.h>
#include <stdint.h>

#include "session/machine.h"
#include "session/sample-hook.h"
#include "tools/script/dlfilter-work.h"
#include "wire/attr.h"

#define PERF_DLFILTER_WITHOUT_EVENTS
#include <perf/perf_dlfilter.h>

struct code_store;
struct session_event;
struct session_sample;

typedef int dlfilter_start_fn(void **data, void *ctx);
typedef int dlfilter_stop_fn(void *data, void *ctx);
typedef int dlfilter_event_fn(void *data, const struct perf_dlfilter_sample *sample, void *ctx);
typedef const char *dlfilter_describe_fn(const char **details);

/* The functions of a loaded file; NULL: the file lacks them. */
struct dlfilter_file {
	void *handle;
	dlfilter_start_fn *start;
	dlfilter_stop_fn *stop;
	dlfilter_event_fn *event, *event_early;
	dlfilter_describe_fn *describe;
	struct perf_dlfilter_fns *functions;
};

/* Words copied into memory of our own, aligned and in our byte order. */
struct dlfilter_words {
	uint64_t *items;
	size_t room;
};

/* A filter. Filter functions get it as their ctx. */
struct dlfilter {
	struct dlfilter_file file;
	const struct dlfilter_request *request;
	char **arguments; /* NULL-terminated; the texts are borrowed */
	void *data;       /* the filter's own data */
	bool is_started;
	struct session *session;
	const struct sample_filter *filter;
	struct diag *diag;
	struct sample_hook hook;
	struct code_store *code; /* NULL: no code was requested yet */

	/* Valid while a filter function runs: */
	const struct session_sample *sample; /* NULL: none runs */
	struct perf_dlfilter_sample shown;
	struct dlfilter_words branches, chain;
	struct attr attr;
	struct perf_dlfilter_al ip, addr;
	uint8_t instruction[16];
};

/* Loads @name in the same way as dlfilter_open(). */
int dlfilter_load(const char *name, const char *exec_path, struct dlfilter_file *ret,
		  struct diag *diag);
void dlfilter_unload(struct dlfilter_file *f);

/* The functions that filters may call. */
extern const struct perf_dlfilter_fns dlfilter_functions;
