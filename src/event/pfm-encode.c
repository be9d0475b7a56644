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
	int r = pfm_initialize(); /* does its work once, and then only says that it is done */

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
#else
int pfm_encode(const char *event, struct pfm_encoding *ret, const char **ret_why)
{
	(void)event, (void)ret;
	*ret_why = "this perf was built without libpfm4";
	return -EOPNOTSUPP;
}
#endif
