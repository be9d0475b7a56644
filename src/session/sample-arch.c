/* SPDX-License-Identifier: MIT */
#include "session/sample-arch.h"

#include "arch/arch.h"
#include "datafile/features.h"
#include "session/internal.h"

const struct arch *sample_arch_find(struct sample_arch *m, const struct session *s, uint64_t mask)
{
	const char *name = session_features(s)->arch;

	if (m->mask != mask || m->name != name)
		*m = (struct sample_arch){
			.name = name,
			.mask = mask,
			.arch = name ? arch_find(name) : arch_of_registers(mask),
		};
	return m->arch;
}
