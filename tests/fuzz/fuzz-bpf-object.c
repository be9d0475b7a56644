/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the reader of BPF objects, with any names of sections and any terms of -e: reading ends,
 * and a converted object is not converted again.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "bpf/map-term.h"
#include "bpf/old-maps.h"
#include "bpf/refusal.h"
#include "bpf/section.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_texts(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct diag diag = { 0 };
	struct bpf_section s;
	struct bpf_map_term t;

	memcpy(text, data, size);
	text[size] = '\0';
	if (bpf_section_parse(text, &s, &diag) == 0)
		bpf_section_done(&s);
	if (bpf_map_term_parse(text, "1", text, 0, &t, &diag) == 0)
		bpf_map_term_done(&t);
	bpf_refusal_read(text);
	diag_done(&diag);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes new = { 0 }, again = { 0 };
	struct diag diag = { 0 };
	uint8_t *copy = malloc(size + 1);

	/* The copy has exactly this size, so that the sanitizer notices a read past the end. */
	memcpy(copy, size ? data : (const uint8_t *)"", size);
	if (bpf_old_maps_convert(copy, size, &new, &diag) == 1 &&
	    bpf_old_maps_convert(new.data, new.n, &again, &diag) == 1 && again.n < new.n)
		abort();
	bytes_done(&new);
	bytes_done(&again);
	diag_done(&diag);
	free(copy);
	check_texts(data, size);
	return 0;
}
