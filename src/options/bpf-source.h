/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How BPF sources among the events are compiled: options, and variables of perfconfig.
 */
#include "cli/option.h"
#include "measure/bpf-events.h"

/* Rows over a struct bpf_source_request, without a heading. */
extern const struct option bpf_source_options[];

/* The same by perfconfig alone. */
extern const struct option bpf_source_variables[];
