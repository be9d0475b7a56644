/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The settings for guests that `perf kvm` puts before a command, copied into the command's own
 * request.
 */
#include "event/env.h"

struct filter_request;
struct invocation;
struct symbol_request;
struct synth_guests;

/* Returns the worlds in which events count: the host, guests, or both. */
enum event_worlds command_worlds(const struct invocation *inv);

/* Returns the locations of guest kernels. */
struct synth_guests command_guests(const struct invocation *inv);

/*
 * Sets the sources of the guests' names, and the filter on samples. Without `perf kvm`, both stay
 * as they are.
 */
void command_guest_symbols(const struct invocation *inv, struct symbol_request *symbols);
void command_guest_filter(const struct invocation *inv, struct filter_request *filter);
