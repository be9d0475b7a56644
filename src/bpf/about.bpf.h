/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What each of our programs says of itself: its license, and the version of perf that it belongs
 * to, which `bpftool prog` and recordings (BPF_METADATA) show. The version is in a section of its
 * own, so that another has nothing but the program's constants; bpf_module_open() fills it in.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

char program_license[] SEC("license") = "Dual MIT/GPL";

const volatile char bpf_metadata_perf_version[64] SEC(".rodata.version") = "";
