/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Closes events without waiting.
 *
 * When the last descriptor of a tracepoint is closed, the kernel waits for every CPU to pass
 * through a quiet state (tracepoint_synchronize_unregister(), some 36 ms), once for each
 * tracepoint: a glob over all system calls takes ten seconds to close. A detached child that shares
 * the descriptors waits instead, after the results are on the screen.
 *
 * Probes are waited for: their user may want to remove them next, which the kernel refuses while
 * one is open.
 */
#include <stddef.h>

struct opened_events;

/*
 * Closes @es, whose ring buffers are unmapped already. A child does it if more than @slow_max of
 * the events are slow to close.
 */
void release_events(struct opened_events *es, size_t slow_max);
