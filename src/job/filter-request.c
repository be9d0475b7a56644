/* SPDX-License-Identifier: MIT */
#include "job/filter-request.h"

void filter_request_done(struct filter_request *f)
{
	time_window_done(&f->time);
	cpu_list_done(&f->cpus);
	id_list_done(&f->pids);
	id_list_done(&f->tids);
}
