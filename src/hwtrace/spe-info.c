/* SPDX-License-Identifier: MIT */
#include "hwtrace/spe-info.h"

#include <errno.h>
#include <string.h>

#define VERSION 2

/* The head of version 2. */
enum {
	HEAD_VERSION,
	HEAD_SIZE,
	HEAD_PMU_TYPE,
	HEAD_N_CPUS,
	HEAD_WORDS,
};

/* The words of older versions. */
enum {
	OLD_PMU_TYPE,
	OLD_PER_CPU_RINGS,
	OLD_WORDS,
};

int spe_info_read(const struct words *words, struct spe_info *ret)
{
	if (words->n < OLD_WORDS)
		return -EBADMSG;
	if (words_get(words, HEAD_VERSION) != VERSION) {
		*ret = (struct spe_info){ .pmu_type = words_get(words, OLD_PMU_TYPE) };
		return 0;
	}
	if (words->n < HEAD_WORDS || words_get(words, HEAD_SIZE) < HEAD_WORDS ||
	    words_get(words, HEAD_SIZE) > words->n)
		return -EBADMSG;
	*ret = (struct spe_info){ .has_cpus = true,
				  .pmu_type = words_get(words, HEAD_PMU_TYPE),
				  .first_cpu = words_get(words, HEAD_SIZE) };
	return 0;
}

bool spe_info_next_cpu(const struct words *words, size_t *at, uint64_t ret[SPE_CPU_WORDS],
		       size_t *ret_n)
{
	uint64_t left = *at < words->n ? words->n - *at : 0, parameters;

	if (left < SPE_CPU_MIDR)
		return false;
	parameters = words_get(words, *at + SPE_CPU_N_PARAMETERS);
	if (parameters > left - SPE_CPU_MIDR)
		return false;
	*ret_n = SPE_CPU_MIDR + parameters;
	memset(ret, 0, SPE_CPU_WORDS * sizeof(ret[0]));
	for (size_t i = 0; i < SPE_CPU_WORDS && i < *ret_n; i++)
		ret[i] = words_get(words, *at + i);
	*at += *ret_n;
	return true;
}
