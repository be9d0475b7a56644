/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The AUXTRACE_INFO record of a CoreSight recording: the registers of the trace unit of each CPU,
 * which a decoder of their packets needs.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct words;

#define CS_ETM_3_MAGIC 0x3030303030303030ULL
#define CS_ETM_4_MAGIC 0x4040404040404040ULL
#define CS_ETE_MAGIC   0x5050505050505050ULL

/* Registers, by their position in the words of a unit. */
enum {
	CS_ETM_3_CONTROL,
	CS_ETM_3_ID,
	CS_ETM_3_CCER,
	CS_ETM_3_IDR,
	CS_ETM_4_CONFIG = 0,
	CS_ETM_4_ID,
	CS_ETM_4_IDR0,
	CS_ETM_4_IDR1,
	CS_ETM_4_IDR2,
	CS_ETM_4_IDR8,
	CS_ETM_4_AUTHSTATUS,
	CS_ETE_DEVARCH,
	CS_REGISTERS
};

/* The bits of TRCCONFIGR that determine where thread ids are. */
#define CS_CONFIG_CONTEXT_ID (1u << 6)
#define CS_CONFIG_VMID       (1u << 7 | 1u << 15)

/* The trace unit of one CPU. */
struct cs_unit {
	uint64_t magic;
	uint32_t cpu;
	uint8_t id;                       /* id of its packets in a formatted trace */
	uint64_t registers[CS_REGISTERS]; /* 0: not told */
};

struct cs_info {
	uint32_t pmu_type;
	struct cs_unit *units;
	size_t n_units;
};

/* True if a unit of CS_ETM_3_MAGIC is a PTM, whose packets have another format. */
bool cs_unit_is_ptm(const struct cs_unit *u);

/* Reads the record. -EBADMSG: words are missing, or of an unknown kind; *@ret is then untouched. */
int cs_info_read(const struct words *priv, struct cs_info *ret);
void cs_info_done(struct cs_info *i);
