/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What `perf kvm` in front of a command says of guests, put into the command's own request.
 */
#include "event/env.h"

struct filter_request;
struct invocation;
struct symbol_request;
struct synth_guests;

/* Whom events count. */
enum event_worlds command_worlds(const struct invocation *inv);

/* Where kernels of guests lie. */
struct synth_guests command_guests(const struct invocation *inv);

/* Where the names of guests come from, and which samples count; both stay without `perf kvm`. */
void command_guest_symbols(const struct invocation *inv, struct symbol_request *symbols);
void command_guest_filter(const struct invocation *inv, struct filter_request *filter);
