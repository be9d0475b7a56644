/* SPDX-License-Identifier: MIT */
#pragma once
/* Options and perfconfig variables that say how BPF sources among the events are compiled. */
#include "cli/option.h"
#include "measure/bpf-events.h"

/* Options over a struct bpf_source_request, without a heading. */
extern const struct option bpf_source_options[];

/* The same settings as perfconfig variables only. */
extern const struct option bpf_source_variables[];
