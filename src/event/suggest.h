/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Hints for unknown names: the nearest existing ones, and the way to list them. Runs only after
 * errors, so it may search everything.
 */
struct diag;
struct event_env;

/* Adds the nearest event names to @typed, and the way to list them, to the hint of @diag. */
void suggest_event(struct event_env *env, const char *typed, struct diag *diag);

/* Does the same for a tracepoint: other events of its system, or other systems. */
void suggest_tracepoint(struct event_env *env, const char *system, const char *name,
			struct diag *diag);

/* Does the same for the name of a PMU. */
void suggest_pmu(struct event_env *env, const char *typed, struct diag *diag);

/* The message and its hint if no event of a DRM driver is found. */
#define SUGGEST_NO_DRM "no process has a DRM device (GPU) open whose driver tells what it uses"
void suggest_drm(struct diag *diag);
