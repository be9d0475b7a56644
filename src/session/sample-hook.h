/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An external decision about which samples count: a filter that a user wrote
 * (tools/script/dlfilter-work.h).
 *
 * It is called for samples in order of time, by one thread: before perf's own filters, and again
 * for those samples that have passed them.
 */
#include <stddef.h>

struct session_sample;

struct sample_hook {
	/*
	 * Return 0: the sample counts; 1: it does not; a negative errno: reading ends. Each may be
	 * NULL.
	 */
	int (*early)(void *arg, const struct session_sample *s);
	int (*late)(void *arg, const struct session_sample *s);
	void *arg;
};

/* Calls the early hook. @h may be NULL. */
static inline int sample_hook_early(const struct sample_hook *h, const struct session_sample *s)
{
	return h && h->early ? h->early(h->arg, s) : 0;
}

static inline int sample_hook_late(const struct sample_hook *h, const struct session_sample *s)
{
	return h && h->late ? h->late(h->arg, s) : 0;
}
