/* SPDX-License-Identifier: MIT */
#include "measure/record-request.h"

#include <stdlib.h>

void thread_layout_done(struct thread_layout *t)
{
	for (size_t i = 0; i < t->n; i++) {
		cpu_list_done(&t->items[i].cpus);
		cpu_list_done(&t->items[i].affinity);
	}
	free(t->items);
	*t = (struct thread_layout){ 0 };
}

void buffer_request_done(struct buffer_request *b)
{
	thread_layout_done(&b->threads);
}

void record_request_done(struct record_request *rq)
{
	target_done(&rq->target);
	event_words_done(&rq->events);
	control_request_done(&rq->control);
	buffer_request_done(&rq->buffer);
}

bool record_request_has_command(const struct record_request *rq)
{
	return rq->argv && rq->argv[0];
}
