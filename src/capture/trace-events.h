/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Events of PMUs that write a trace of their own (an AUX area) instead of samples: Intel PT, Arm
 * SPE and their like. The kernel opens them like any other, so that without a reader of that trace
 * a recording would succeed and be empty.
 */
struct diag;
struct event_list;

/* -EOPNOTSUPP with @diag, if one of @events is of such a PMU. */
int trace_events_refuse(const struct event_list *events, struct diag *diag);
