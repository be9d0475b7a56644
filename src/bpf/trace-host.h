/* SPDX-License-Identifier: MIT */
#pragma once
/* Finds out whether BPF programs can observe the system calls of this machine. */
#include <stdint.h>

struct diag;

/*
 * Finds the ABIs (enum syscall_abi) of 64-bit and of 32-bit programs here; the latter may be none.
 * -EOPNOTSUPP with @diag: the machine is not known, or the kernel has no BTF, which programs at raw
 * tracepoints need for its structs.
 */
int trace_host_abis(uint8_t ret[2], struct diag *diag);
