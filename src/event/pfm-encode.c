/* SPDX-License-Identifier: MIT */
#include "event/pfm-encode.h"

#include <errno.h>

#include <config.h>

#if HAVE_LIBPFM
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

static int error_from(int pfm)
{
	switch (pfm) {
	case PFM_ERR_NOTSUPP:
		return -EOPNOTSUPP;
	case PFM_ERR_NOTFOUND:
		return -ENOENT;
	default:
		return -EINVAL;
	}
}

int pfm_encode(const char *event, struct pfm_encoding *ret, const char **ret_why)
{
	struct perf_event_attr attr = { 0 };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	int r = pfm_initialize(); /* initializes once, and afterwards only returns success */

	if (r == PFM_SUCCESS)
		r = pfm_get_os_event_encoding(event, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
	if (r != PFM_SUCCESS) {
		*ret_why = pfm_strerror(r);
		return error_from(r);
	}
	*ret = (struct pfm_encoding){
		.type = attr.type,
		.config = attr.config,
		.config1 = attr.config1,
		.config2 = attr.config2,
		.precise = attr.precise_ip,
		.exclude_user = attr.exclude_user,
		.exclude_kernel = attr.exclude_kernel,
		.exclude_hv = attr.exclude_hv,
		.exclude_host = attr.exclude_host,
		.exclude_guest = attr.exclude_guest,
	};
	return 0;
}

static void give_unit_masks(struct pfm_name name, const pfm_event_info_t *event, pfm_name_fn *fn,
			    void *arg)
{
	for (int i = 0; i < event->nattrs; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm_get_event_attr_info(event->idx, i, PFM_OS_PERF_EVENT, &attr) !=
			    PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		name.unit_mask = attr.name;
		name.unit_mask_description = attr.desc;
		fn(arg, &name);
	}
}

static void give_events(const pfm_pmu_info_t *pmu, pfm_name_fn *fn, void *arg)
{
	for (int i = pmu->first_event; i != -1; i = pfm_get_event_next(i)) {
		pfm_event_info_t event = { .size = sizeof(event) };

		if (pfm_get_event_info(i, PFM_OS_PERF_EVENT, &event) != PFM_SUCCESS)
			continue;

		const struct pfm_name name = {
			.pmu = pmu->name,
			.pmu_description = pmu->desc,
			.event = event.name,
			.description = event.desc,
		};

		fn(arg, &name);
		give_unit_masks(name, &event, fn, arg);
	}
}

int pfm_for_each(pfm_name_fn *fn, void *arg, const char **ret_why)
{
	int r = pfm_initialize();

	if (r != PFM_SUCCESS) {
		*ret_why = pfm_strerror(r);
		return -EOPNOTSUPP;
	}
	for (int i = PFM_PMU_NONE; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t pmu = { .size = sizeof(pmu) };

		/* Raw events are written as numbers; libpfm4 lists a single example of them. */
		if (i != PFM_PMU_PERF_EVENT_RAW &&
		    pfm_get_pmu_info((pfm_pmu_t)i, &pmu) == PFM_SUCCESS && pmu.is_present)
			give_events(&pmu, fn, arg);
	}
	return 0;
}
#else
static const char missing[] = "this perf was built without libpfm4";

int pfm_encode(const char *event, struct pfm_encoding *ret, const char **ret_why)
{
	(void)event, (void)ret;
	*ret_why = missing;
	return -EOPNOTSUPP;
}

int pfm_for_each(pfm_name_fn *fn, void *arg, const char **ret_why)
{
	(void)fn, (void)arg;
	*ret_why = missing;
	return -EOPNOTSUPP;
}
#endif
