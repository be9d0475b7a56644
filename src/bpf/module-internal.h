/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The state of a BPF object. Private to module.c, which opens, loads and attaches it, and
 * module-maps.c, which reads and writes its maps.
 */
#include <bpf/libbpf.h>
#include <stddef.h>

#include "bpf/module.h"

struct bpf_module {
	const struct bpf_image *image;
	struct bpf_object *object;
	struct {
		struct bpf_link **items; /* each owns its event's descriptor */
		size_t n, room;
	} links;
	struct {
		struct memory_map {
			void *bytes;
			size_t size;
		} * items;
		size_t n, room;
	} memory;
	struct {
		int *items; /* programs to which ours are attached */
		size_t n, room;
	} targets;
	struct {
		struct bpf_module_prefix {
			struct bpf_program *program;
			struct bpf_insn *insns;
			size_t n;
			void *infos[2]; /* information on functions and lines, shifted */
		} * items;
		size_t n, room;
	} prefixes;
	int handler; /* for programs in sections unknown to libbpf; 0: none */
	struct ring_buffer *wakeups;
	char *log;
};
