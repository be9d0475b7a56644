/* SPDX-License-Identifier: MIT */
#pragma once
/* See bpf_helpers.h. The members that are read are those of the test's structs. */
#define CORE_READ_1(s, a)              ((s)->a)
#define CORE_READ_2(s, a, b)           ((s)->a->b)
#define CORE_READ_NTH(x, y, name, ...) name
#define BPF_CORE_READ(s, ...)          CORE_READ_NTH(__VA_ARGS__, CORE_READ_2, CORE_READ_1, )(s, __VA_ARGS__)
