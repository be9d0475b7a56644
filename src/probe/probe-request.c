/* SPDX-License-Identifier: MIT */
#include "probe/probe-request.h"

#include "probe/probe-target.h"

struct probe_target_options probe_request_target(const struct probe_request *rq,
						 const char *program, const char *module)
{
	return (struct probe_target_options){
		.program = program,
		.module = module,
		.vmlinux = rq->vmlinux,
		.symfs = rq->symfs,
		.buildid_dir = rq->buildid_dir,
		.ns_pid = (int)rq->target_ns,
		.offline = rq->offline,
		.no_demangle = rq->no_demangle,
		.progress = rq->progress,
	};
}
