/* SPDX-License-Identifier: MIT */
#pragma once
/* perf top for a fleet's store, in place of this machine. */
struct invocation;

/*
 * Shows the contents of the store at @url repeatedly until a signal arrives. Returns the exit
 * status.
 */
int top_show_store(struct invocation *inv, const char *url);
