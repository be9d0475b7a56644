/* SPDX-License-Identifier: MIT */
#include "wire/data-source.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/text.h"

/* Returns a field of the word: union perf_mem_data_src of the kernel's uapi/linux/perf_event.h. */
static unsigned data_source_bits(uint64_t v, unsigned first, unsigned n)
{
	return (unsigned)(v >> first & ((1ULL << n) - 1));
}

/* Appends the names of the set bits, separated by " or ". Returns their number. */
static size_t data_source_alternatives(struct text *t, unsigned set, const char *const *names,
				       size_t n)
{
	size_t before = 0;

	for (size_t i = 0; i < n; i++)
		if ((set >> i & 1) && names[i])
			text_addf(t, "%s%s", before++ ? " or " : "", names[i]);
	return before;
}

static void hit_or_miss(struct text *t, unsigned set)
{
	text_addf(t, "%s%s", set & 2 ? " hit" : "", set & 4 ? " miss" : "");
}

static void data_source_operation(struct text *t, unsigned op)
{
	static const char *const names[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };

	text_addf(t, "|OP %s", op ? names[__builtin_ctz(op)] : "No");
}

/* Appends the name of lvl_num @number, which is not 0. */
static void level_number(struct text *t, unsigned number)
{
	static const char *const names[16] = {
		[9] = "CXL",  [10] = "I/O",  [11] = "Any cache", [12] = "LFB/MAB",
		[13] = "RAM", [14] = "PMEM", [15] = "N/A",
	};

	if (names[number])
		text_add(t, names[number]);
	else
		text_addf(t, "L%u", number);
}

void data_source_level(struct text *t, uint64_t v)
{
	static const char *const names[14] = {
		"N/A",
		NULL, /* hit */
		NULL, /* miss */
		"L1",
		"LFB/MAB",
		"L2",
		"L3",
		"Local RAM",
		"Remote RAM (1 hop)",
		"Remote RAM (2 hops)",
		"Remote Cache (1 hop)",
		"Remote Cache (2 hops)",
		"I/O",
		"Uncached",
	};
	static const char *const hops[8] = {
		NULL,
		"core, same node",
		"node, same socket",
		"socket, same board",
		"board",
		"hops 5",
		"hops 6",
		"hops 7",
	};
	unsigned set = data_source_bits(v, 5, 14), number = data_source_bits(v, 33, 4),
		 far = data_source_bits(v, 43, 3);
	bool remote = data_source_bits(v, 37, 1);
	size_t n = 0;

	text_add(t, remote ? "Remote " : "");
	if (far)
		text_addf(t, "%s ", hops[far]);
	else
		n = data_source_alternatives(t, set, names, ARRAY_SIZE(names));
	if (number) {
		text_add(t, n ? " or " : "");
		level_number(t, number);
	} else if (!n && !far && !remote) {
		text_add(t, "N/A");
	}
	hit_or_miss(t, set);
}

void data_source_snoop(struct text *t, uint64_t v)
{
	static const char *const names[] = { "N/A", "None", "Hit", "Miss", "HitM", "Fwd", "Peer" };
	unsigned set = data_source_bits(v, 19, 5) | data_source_bits(v, 38, 2) << 5;

	if (!data_source_alternatives(t, set, names, ARRAY_SIZE(names)))
		text_add(t, "N/A");
}

void data_source_tlb(struct text *t, uint64_t v)
{
	static const char *const names[] = { "N/A", NULL, NULL, "L1", "L2", "Walker", "Fault" };
	unsigned set = data_source_bits(v, 26, 7);

	if (!data_source_alternatives(t, set, names, ARRAY_SIZE(names)))
		text_add(t, "N/A");
	hit_or_miss(t, set);
}

void data_source_lock(struct text *t, uint64_t v)
{
	unsigned set = data_source_bits(v, 24, 2);

	text_add(t, set & 1 ? "N/A" : set & 2 ? "Yes" : "No");
}

void data_source_blocked(struct text *t, uint64_t v)
{
	unsigned set = data_source_bits(v, 40, 3);

	if (!set || (set & 1))
		text_add(t, " N/A");
	else
		text_addf(t, "%s%s", set & 2 ? " Data" : "", set & 4 ? " Addr" : "");
}

void data_source_text(struct text *t, uint64_t v)
{
	data_source_operation(t, data_source_bits(v, 0, 5));
	text_add(t, "|LVL ");
	data_source_level(t, v);
	text_add(t, "|SNP ");
	data_source_snoop(t, v);
	text_add(t, "|TLB ");
	data_source_tlb(t, v);
	text_add(t, "|LCK ");
	data_source_lock(t, v);
	text_add(t, "|BLK ");
	data_source_blocked(t, v);
}
