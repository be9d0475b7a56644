/* SPDX-License-Identifier: MIT */
/* The registers of a probe, for machines where libbpf's header of this name is not installed. */
#pragma once
#include <uapi/linux/ptrace.h>
