/* SPDX-License-Identifier: MIT */
#include "measure/control-request.h"

#include <stdlib.h>

#include "capture/control.h"

void control_channel_done(struct control_channel *c)
{
	free(c->fifo);
	free(c->ack_fifo);
	*c = (struct control_channel){ 0 };
}

void delay_done(struct delay *d)
{
	free(d->items);
	*d = (struct delay){ 0 };
}

void control_request_done(struct control_request *c)
{
	control_channel_done(&c->channel);
	delay_done(&c->delay);
}

int control_request_open(const struct control_request *c, struct control **ret, struct diag *diag)
{
	const struct control_channel *channel = &c->channel;

	*ret = NULL;
	if (channel->kind == CONTROL_FD)
		return control_open_fds(channel->fd, channel->ack_fd, ret, diag);
	if (channel->kind == CONTROL_FIFO)
		return control_open_fifos(channel->fifo, channel->ack_fifo, ret, diag);
	return 0;
}
