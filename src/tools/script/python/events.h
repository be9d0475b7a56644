/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The script's handler for each event of the recording, and its arguments. Private to tools/script.
 *
 *	SYSTEM__EVENT(event_name, context, common_cpu, common_secs, common_nsecs, common_pid,
 *		      common_comm, common_callchain, FIELDS..., [perf_sample_dict])
 *	trace_unhandled(event_name, context, event_fields_dict, [perf_sample_dict])
 *	process_event(param_dict)
 */
struct python_events;
struct python_script;
struct session_sample;

/* Binds the handlers of all known events. Never returns NULL. */
struct python_events *python_events_new(struct python_script *s);
void python_events_free(struct python_events *e);

/* Calls the handler for @ss. Returns 0 or -ECANCELED. */
int python_events_sample(struct python_events *e, const struct session_sample *ss);

/* Returns the bound fields of the event of @ss. */
struct python_fields;
const struct python_fields *python_events_fields(struct python_events *e,
						 const struct session_sample *ss);
