/* SPDX-License-Identifier: MIT */
/* The table of decoders, by the type of AUXTRACE_INFO. */
#include <errno.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "hwtrace/bts-decoder.h"
#include "hwtrace/cs-decoder.h"
#include "hwtrace/decoder.h"
#include "hwtrace/pt-decoder.h"
#include "hwtrace/spe-decoder.h"

static const struct {
	uint32_t type;
	const char *name;
	const struct aux_class *class; /* NULL: only the name is known */
} types[] = {
	{ AUXTRACE_INTEL_PT, "Intel PT", &pt_class },
	{ AUXTRACE_INTEL_BTS, "Intel BTS", &bts_class },
	{ AUXTRACE_CS_ETM, "CoreSight ETM", &cs_class },
	{ AUXTRACE_ARM_SPE, "Arm SPE", &spe_class },
	{ AUXTRACE_S390_CPUMSF, "s390 CPUMSF", NULL },
	{ AUXTRACE_HISI_PTT, "HiSilicon PTT", NULL },
};

const struct aux_class *aux_class_find(uint32_t type)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].type == type)
			return types[i].class;
	return NULL;
}

const char *aux_type_name(uint32_t type)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].type == type)
			return types[i].name;
	return NULL;
}

int aux_decoder_open(const struct aux_setup *setup, struct aux_decoder **ret, struct diag *diag)
{
	const struct aux_class *c = aux_class_find(setup->type);
	const char *name = aux_type_name(setup->type);

	if (c)
		return c->open(setup, ret, diag);
	if (name)
		return diag_set(diag, -EOPNOTSUPP, "traces of %s are not decoded in this version",
				name);
	return diag_set(diag, -EOPNOTSUPP, "hardware traces of the unknown type %u", setup->type);
}

void aux_decoder_free(struct aux_decoder *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->events.n; i++)
		free(d->events.items[i].name);
	free(d->events.items);
	d->class->free(d);
}

size_t aux_decoder_add_event(struct aux_decoder *d, const char *name, const struct attr *attr,
			     uint64_t id)
{
	struct aux_event *e = ARRAY_ADD(&d->events);

	*e = (struct aux_event){ .attr = *attr, .name = name ? xstrdup(name) : NULL, .id = id };
	return d->events.n - 1;
}

char *aux_event_name(const char *name, const struct attr *a)
{
	struct text t = TEXT_EMPTY;

	text_add(&t, name);
	if (a->exclude_user || a->exclude_kernel || a->exclude_hv)
		text_addf(&t, ":%s%s%s", a->exclude_kernel ? "" : "k", a->exclude_user ? "" : "u",
			  a->exclude_hv ? "" : "h");
	return text_take(&t);
}

const struct aux_event *aux_setup_recorded(const struct aux_setup *setup, uint64_t type)
{
	for (size_t i = 0; i < setup->n_recorded; i++)
		if (setup->recorded[i].attr.type == type)
			return &setup->recorded[i];
	return NULL;
}

struct attr aux_attr_like(const struct attr *recorded, uint64_t sample_type, bool timeless)
{
	uint64_t time = timeless ? 0 : PERF_SAMPLE_TIME;

	return (struct attr){
		.type = PERF_TYPE_HARDWARE,
		.size = recorded->size,
		.sample_type = (sample_type & ~(uint64_t)PERF_SAMPLE_TIME) | time,
		.exclude_user = recorded->exclude_user,
		.exclude_kernel = recorded->exclude_kernel,
		.exclude_hv = recorded->exclude_hv,
		.exclude_host = recorded->exclude_host,
		.exclude_guest = recorded->exclude_guest,
		.sample_id_all = recorded->sample_id_all,
		.read_format = recorded->read_format,
	};
}
