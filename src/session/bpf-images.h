/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The BPF programs that a recording describes (BPF_PROG_INFO, BPF_BTF): their code and lines go to
 * the symbolizer, so that they can be shown when the programs are gone.
 */
struct features;
struct symbolizer;

void bpf_images_learn(const struct features *f, struct symbolizer *s);
