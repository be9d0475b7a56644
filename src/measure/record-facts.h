/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The facts that the file states about a recording: its events with their ids, the machine, and the
 * records that are synthesised before and after the kernel's.
 */
#include <stddef.h>

#include "base/bytes.h"
#include "capture/recorded-event.h"
#include "capture/synth.h"
#include "datafile/features.h"
#include "datafile/reader.h"

struct diag;
struct record_job;

struct record_facts {
	struct recorded_event *recorded;
	struct file_event *events; /* the events as the file has them, */
	struct file_event *opened; /* and as the kernel has them; the ids are the same */
	size_t n;
	struct {
		struct synth_id *items;
		size_t n, room;
	} ids;
	struct record_time_conv time_conv;
	struct bytes aux_info; /* the AUXTRACE_INFO record; empty without a hardware trace */
	struct features early;
	struct synth_plan synth;
};

/*
 * Gathers all facts, once events are open and rings are mapped. Returns errors of reading tracefs.
 */
int record_facts_gather(struct record_facts *f, const struct record_job *j, struct diag *diag);
void record_facts_done(struct record_facts *f);
