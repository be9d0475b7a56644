/* SPDX-License-Identifier: MIT */
#pragma once
/* Process or thread ids in the order given to `-p 1,2,3`. */
#include <stddef.h>

struct id_list {
	int *items;
	size_t n, room;
};

void id_list_done(struct id_list *l);
