/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Code that is put before a BPF program at a probe, so that its function gets the values that the
 * probe fetches: SEC("func=vfs_read count") int f(void *ctx, int err, unsigned long count). If
 * memory could not be read, `err` is not 0, and all values are 0.
 *
 * Pure: it makes instructions. Arguments are in the notation of the kernel's probes
 * (probe/trace-probe.h): "+8(%x0)", with the type "u32".
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

struct arch;
struct bpf_insn;
struct diag;

/* A function of a program has five parameters, of which two are used. */
#define BPF_PROLOGUE_ARGS_MAX 3

struct bpf_prologue_arg {
	const char *value;
	const char *type; /* NULL: 64 bits */
};

struct bpf_prologue {
	struct bpf_insn *insns;
	size_t n, room;
};

void bpf_prologue_done(struct bpf_prologue *p);

/*
 * Makes the code that fetches @args, at most BPF_PROLOGUE_ARGS_MAX of them; @is_user: from memory
 * of user mode. -EOPNOTSUPP with @diag: one of them cannot be fetched in this way.
 */
int bpf_prologue_make(const struct arch *arch, bool is_user, const struct bpf_prologue_arg *args,
		      size_t n, struct bpf_prologue *ret, struct diag *diag);
