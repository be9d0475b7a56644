/* SPDX-License-Identifier: MIT */
#include "base/id-list.h"

#include <stdlib.h>

void id_list_done(struct id_list *l)
{
	free(l->items);
	*l = (struct id_list){ 0 };
}
