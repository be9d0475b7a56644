/* SPDX-License-Identifier: MIT */
#include "hwtrace/cs-info.h"

#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "wire/record.h"

/*
 * The number of words at the beginning: version, PMU type and number of units, snapshot or not;
 * then the units follow.
 */
#define HEAD_WORDS 3

/* The magic number, the CPU and, from version 1 on, the number of registers that follow. */
#define UNIT_WORDS 3

static size_t registers_of_version_0(uint64_t magic)
{
	return magic == CS_ETM_3_MAGIC ? CS_ETM_3_IDR + 1 : CS_ETM_4_AUTHSTATUS + 1;
}

static bool cs_info_is_known(uint64_t magic)
{
	return magic == CS_ETM_3_MAGIC || magic == CS_ETM_4_MAGIC || magic == CS_ETE_MAGIC;
}

/*
 * Reads the unit at word @at; returns the position of the next one, 0 if this one is not complete.
 */
static size_t cs_info_read_unit(const struct words *w, size_t at, bool counted, struct cs_unit *ret)
{
	size_t head = counted ? UNIT_WORDS : UNIT_WORDS - 1;
	uint64_t n;

	if (w->n - at < head || !cs_info_is_known(words_get(w, at)))
		return 0;
	*ret = (struct cs_unit){ .magic = words_get(w, at), .cpu = (uint32_t)words_get(w, at + 1) };
	n = counted ? words_get(w, at + 2) : registers_of_version_0(ret->magic);
	at += head;
	if (n > w->n - at)
		return 0;
	for (size_t i = 0; i < n && i < CS_REGISTERS; i++)
		ret->registers[i] = words_get(w, at + i);
	ret->id = ret->registers[CS_ETM_4_ID] & 0x7f;
	return at + n;
}

/* ETMIDR: the major version of the architecture. */
#define IDR_MAJOR(idr) ((idr) >> 8 & 0xf)
#define MAJOR_PTM      3

bool cs_unit_is_ptm(const struct cs_unit *u)
{
	return IDR_MAJOR(u->registers[CS_ETM_3_IDR]) == MAJOR_PTM;
}

int cs_info_read(const struct words *priv, struct cs_info *ret)
{
	struct cs_info info = { 0 };
	size_t at = HEAD_WORDS, n;

	if (priv->n < HEAD_WORDS || words_get(priv, 0) > 1)
		return -EBADMSG;
	info.pmu_type = (uint32_t)(words_get(priv, 1) >> 32);
	n = words_get(priv, 1) & UINT32_MAX;
	if (n > priv->n)
		return -EBADMSG;
	info.units = xcalloc(n ? n : 1, sizeof(info.units[0]));
	for (; info.n_units < n; info.n_units++) {
		at = cs_info_read_unit(priv, at, words_get(priv, 0), &info.units[info.n_units]);
		if (!at) {
			cs_info_done(&info);
			return -EBADMSG;
		}
	}
	*ret = info;
	return 0;
}

void cs_info_done(struct cs_info *i)
{
	free(i->units);
	*i = (struct cs_info){ 0 };
}
