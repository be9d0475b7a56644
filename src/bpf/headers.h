/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Headers for BPF sources that users write (data/bpf-include), as part of this program: they are
 * there wherever it runs. What the system has of the same name comes first.
 */
#include <stddef.h>

struct bpf_header {
	const char *path; /* "uapi/linux/ptrace.h" */
	const char *text;
	size_t size;
};

extern const struct bpf_header bpf_headers[];
extern const size_t bpf_n_headers;
