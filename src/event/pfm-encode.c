/* SPDX-License-Identifier: MIT */
#include "event/pfm-encode.h"

#include <errno.h>

#if HAVE_LIBPFM
#include <dlfcn.h>
#include <pthread.h>

#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

#include "base/library.h"
#include "base/cleanup.h"

/* It is loaded on first use: its tables have 41,000 addresses, which would cost each start of perf
 * a millisecond. */
#define LIBRARY "libpfm.so.4"

static const char missing[] = LIBRARY " is not installed (package libpfm4)";

/* The functions of the library that are called; all have the types of its header. */
static struct pfm_functions {
	__typeof__(pfm_initialize) *initialize;
	__typeof__(pfm_get_os_event_encoding) *encode;
	__typeof__(pfm_strerror) *explain;
	__typeof__(pfm_get_pmu_info) *pmu_info;
	__typeof__(pfm_get_event_next) *event_next;
	__typeof__(pfm_get_event_info) *event_info;
	__typeof__(pfm_get_event_attr_info) *attr_info;
} call;

static const struct library_function functions[] = {
	{ "pfm_initialize", offsetof(struct pfm_functions, initialize) },
	{ "pfm_get_os_event_encoding", offsetof(struct pfm_functions, encode) },
	{ "pfm_strerror", offsetof(struct pfm_functions, explain) },
	{ "pfm_get_pmu_info", offsetof(struct pfm_functions, pmu_info) },
	{ "pfm_get_event_next", offsetof(struct pfm_functions, event_next) },
	{ "pfm_get_event_info", offsetof(struct pfm_functions, event_info) },
	{ "pfm_get_event_attr_info", offsetof(struct pfm_functions, attr_info) },
};

static const char *why_not; /* NULL: the library is loaded and has started */

static void pfm_load(void)
{
	void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);

	why_not = missing;
	if (library && !library_find(library, functions, ARRAY_SIZE(functions), &call)) {
		int r = call.initialize();

		why_not = r == PFM_SUCCESS ? NULL : call.explain(r);
	}
}

/* Returns false with *@ret_why if the library cannot be used. */
static bool pfm_is_there(const char **ret_why)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, pfm_load);
	if (why_not)
		*ret_why = why_not;
	return !why_not;
}

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

	if (!pfm_is_there(ret_why))
		return -EOPNOTSUPP;
	int r = call.encode(event, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg);

	if (r != PFM_SUCCESS) {
		*ret_why = call.explain(r);
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

		if (call.attr_info(event->idx, i, PFM_OS_PERF_EVENT, &attr) != PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		name.unit_mask = attr.name;
		name.unit_mask_description = attr.desc;
		fn(arg, &name);
	}
}

static void give_events(const pfm_pmu_info_t *pmu, pfm_name_fn *fn, void *arg)
{
	for (int i = pmu->first_event; i != -1; i = call.event_next(i)) {
		pfm_event_info_t event = { .size = sizeof(event) };

		if (call.event_info(i, PFM_OS_PERF_EVENT, &event) != PFM_SUCCESS)
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
	if (!pfm_is_there(ret_why))
		return -EOPNOTSUPP;
	for (int i = PFM_PMU_NONE; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t pmu = { .size = sizeof(pmu) };

		/* Raw events are written as numbers; libpfm4 lists a single example of them. */
		if (i != PFM_PMU_PERF_EVENT_RAW &&
		    call.pmu_info((pfm_pmu_t)i, &pmu) == PFM_SUCCESS && pmu.is_present)
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
