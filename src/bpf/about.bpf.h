/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The metadata of each of our BPF programs: its license, and the version of perf to which it
 * belongs, shown by `bpftool prog` and in recordings (BPF_METADATA). The version is in a section of
 * its own, so that another section contains only the program's constants; bpf_module_open() fills
 * it in.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

char program_license[] SEC("license") = "Dual MIT/GPL";

const volatile char bpf_metadata_perf_version[64] SEC(".rodata.version") = "";
