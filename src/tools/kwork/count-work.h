/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts the kernel's work as it happens, with BPF programs: the rows of kwork-model without
 * events.
 */
#include <stdint.h>

#include "tools/kwork/event-model.h"
#include "tools/kwork/items-model.h"
#include "tools/kwork/kwork-model.h"

struct cpu_list;
struct diag;
struct notes;
struct record_result;

/* The counts so far. They are valid until the callback returns. */
struct kwork_counted {
	struct kwork_items items;
	struct kwork_skipped skipped;
	uint64_t events;
	uint64_t elapsed_ns;
};

struct kwork_count_request {
	enum kwork_mode mode; /* run times or delays */
	bool usage;           /* count the CPUs' use of time instead */
	struct kwork_classes classes;
	const char *name;            /* only of work with this name; NULL: any */
	const struct cpu_list *cpus; /* NULL or empty: all */
	char **argv;          /* a command to wait for; NULL or empty: until a signal comes */
	uint64_t interval_ms; /* call tell() at this interval; 0: only at the end */
	int (*tell)(void *arg, const struct kwork_counted *c, bool is_last);
	void *arg;
};

/*
 * Counts until the command has ended, or a signal arrives. @notes reports what is missing in the
 * counts. Returns a negative errno with @diag set, which includes advice on working without BPF; or
 * the error of a callback.
 */
int kwork_count(const struct kwork_count_request *rq, struct notes *notes,
		struct record_result *ret, struct diag *diag);
