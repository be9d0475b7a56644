/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * perf top of a fleet's store, in place of this machine.
 */
struct invocation;

/* Shows what the store at @url has, again and again until a signal comes. The exit status. */
int top_show_store(struct invocation *inv, const char *url);
