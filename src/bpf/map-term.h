/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The term of a BPF program as an event that describes one of its maps:
 * `map:NAME.value[0,3...5]=7`, `map:NAME.event=evt`. Pure text.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;

enum bpf_map_term_kind {
	BPF_MAP_VALUE, /* a number for entries of an array */
	BPF_MAP_EVENT, /* the event to which entries of a perf event array send */
};

struct bpf_index_range {
	uint32_t first, last;
};

struct bpf_map_term {
	enum bpf_map_term_kind kind;
	char *map;
	char *event;   /* the event of BPF_MAP_EVENT */
	int64_t value; /* the value of BPF_MAP_VALUE */
	struct {
		struct bpf_index_range *items;
		size_t n, room;
	} indices; /* empty: all entries */
};

/*
 * Parses @name and @value (NULL: none). -EINVAL with @diag marking the mistake in @source, where
 * @name begins at @at.
 */
int bpf_map_term_parse(const char *name, const char *value, const char *source, size_t at,
		       struct bpf_map_term *ret, struct diag *diag);
void bpf_map_term_done(struct bpf_map_term *t);

/* True if the term applies to the entry @index. */
bool bpf_map_term_covers(const struct bpf_map_term *t, uint32_t index);
