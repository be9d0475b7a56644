/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Asking for less, where the kernel refuses an event as it is.
 */
#include <stdbool.h>

struct event;

/*
 * Drops from @e's attr what may be the reason for @error, and says in its name what no longer
 * counts
 * (":u"). false: there is nothing left to give in.
 */
bool fallback_attr(struct event *e, int error);

/* Does @error mean that this machine cannot count the event, whoever asks? */
bool fallback_is_unsupported(int error);
