/* SPDX-License-Identifier: MIT */
#pragma once
/* A tracepoint's field in the form in which BPF programs read it. */
struct field_ref;
struct program_field;

/*
 * Converts the number @f for a program. -EINVAL: it is not a number; -EOPNOTSUPP: it is one of the
 * first eight bytes (common_type to common_pid), over which the kernel writes a pointer before
 * programs run.
 */
int bpf_field_of(const struct field_ref *f, struct program_field *ret);
