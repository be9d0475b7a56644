/* SPDX-License-Identifier: MIT */
#include "profile/filter-request.h"

void filter_request_done(struct filter_request *f)
{
	time_window_done(&f->time);
	cpu_list_done(&f->cpus);
	id_list_done(&f->pids);
	id_list_done(&f->tids);
}

struct sample_filter_request filter_request_of_samples(const struct filter_request *f,
						       const struct time_span *spans)
{
	return (struct sample_filter_request){
		.spans = spans,
		.n_spans = f->time.n,
		.cpus = &f->cpus,
		.pids = f->pids.items,
		.n_pids = f->pids.n,
		.tids = f->tids.items,
		.n_tids = f->tids.n,
		.without_host = f->without_host,
		.without_guests = f->without_guests,
		.comms = f->comms,
		.symbols = f->symbols,
		.dsos = f->dsos,
	};
}
