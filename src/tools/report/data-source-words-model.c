/* SPDX-License-Identifier: MIT */
#include "tools/report/data-source-words-model.h"

#include "base/cleanup.h"

/* BIT is a bit of a set, and the other macro a value of a number, at bit @first of the word. */
#define BIT(part, first, bit, word, means)                                                         \
	{                                                                                          \
		DATA_SOURCE_PART_##part, (word), (means), (first) + (bit), 1, 1                    \
	}
#define NUMBER(part, first, bits, n, word, means)                                                  \
	{                                                                                          \
		DATA_SOURCE_PART_##part, (word), (means), (first), (bits), (n)                     \
	}
#define LVL(bit, word, means)  BIT(LEVEL, 5, bit, word, means)
#define NUM(n, word, means)    NUMBER(LEVEL, 33, 4, n, word, means)
#define HOPS(n, word, means)   NUMBER(LEVEL, 43, 3, n, word, means)
#define SNOOP(bit, word, mean) BIT(SNOOP, 19, bit, word, mean)
#define TLB(bit, word, means)  BIT(TLB, 26, bit, word, means)

/* Words that both the old and the new fields have are listed twice, with the same meaning. */
#define M_L1  "the first-level cache, private to the core"
#define M_L2  "the second cache, mostly of the core alone"
#define M_L3  "the last cache, which cores share"
#define M_L4  "a cache beyond the third"
#define M_LFB "a fill buffer: the line was already on its way to the first cache"
#define M_IO  "memory of a device"
#define M_NA  "the hardware does not say"

static const struct data_source_word words[] = {
	LVL(0, "N/A", M_NA),
	LVL(3, "L1", M_L1),
	LVL(4, "LFB/MAB", M_LFB),
	LVL(5, "L2", M_L2),
	LVL(6, "L3", M_L3),
	LVL(7, "Local RAM", "memory of the CPU's own node"),
	LVL(8, "Remote RAM (1 hop)", "memory of another node"),
	LVL(9, "Remote RAM (2 hops)", "memory of a node two links away"),
	LVL(10, "Remote Cache (1 hop)", "a cache of another node"),
	LVL(11, "Remote Cache (2 hops)", "a cache of a node two links away"),
	LVL(12, "I/O", M_IO),
	LVL(13, "Uncached", "memory that caches leave alone"),
	NUM(1, "L1", M_L1),
	NUM(2, "L2", M_L2),
	NUM(3, "L3", M_L3),
	NUM(4, "L4", M_L4),
	NUM(5, "L5", "a cache beyond the fourth (L2 MHB of newer kernels)"),
	NUM(6, "L6", "memory on the side of the processor (MSC of newer kernels)"),
	NUM(9, "CXL", "memory behind Compute Express Link"),
	NUM(10, "I/O", M_IO),
	NUM(11, "Any cache", "a cache, of whatever level"),
	NUM(12, "LFB/MAB", M_LFB),
	NUM(13, "RAM", "memory"),
	NUM(14, "PMEM", "persistent memory"),
	NUM(15, "N/A", M_NA),
	NUMBER(LEVEL, 37, 1, 1, "Remote", "of another node, core or socket"),
	HOPS(1, "core, same node", "of another core of the same node"),
	HOPS(2, "node, same socket", "of another node of the same socket"),
	HOPS(3, "socket, same board", "of another socket of the same board"),
	HOPS(4, "board", "of another board"),
	LVL(1, "hit", "the data was there"),
	LVL(2, "miss", "the data was not there, but further away"),
	SNOOP(0, "N/A", M_NA),
	SNOOP(1, "None", "no other cache was asked"),
	SNOOP(2, "Hit", "another cache had the line, unchanged"),
	SNOOP(3, "Miss", "other caches were asked and did not have the line"),
	SNOOP(4, "HitM",
	      "another cache had the line, modified: it was written there shortly before"),
	BIT(SNOOP, 38, 0, "Fwd", "another cache, which had the line, handed it over"),
	BIT(SNOOP, 38, 1, "Peer", "the line came from the cache of another core or cluster"),
	TLB(0, "N/A", M_NA),
	TLB(3, "L1", "the first table of translated addresses"),
	TLB(4, "L2", "the second table of translated addresses"),
	TLB(5, "Walker", "hardware walked the page tables"),
	TLB(6, "Fault", "the kernel handled a page fault"),
	TLB(1, "hit", "the translation was there"),
	TLB(2, "miss", "the translation was not there"),
	BIT(LOCK, 24, 0, "N/A", M_NA),
	NUMBER(LOCK, 24, 2, 2, "Yes", "an atomic instruction: the line was locked during it"),
	NUMBER(LOCK, 24, 2, 0, "No", "a plain access"),
	BIT(BLOCKED, 40, 0, "N/A", M_NA),
	BIT(BLOCKED, 40, 1, "Data", "the load waited for data of an earlier store"),
	BIT(BLOCKED, 40, 2, "Addr", "the load waited for the address of an earlier store"),
};

const struct data_source_word *data_source_words(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(words);
	return words;
}

bool data_source_has_word(const struct data_source_word *w, uint64_t v)
{
	return (v >> w->shift & ((1U << w->width) - 1)) == w->value;
}
