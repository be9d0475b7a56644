/* SPDX-License-Identifier: MIT */
#include "view/kwork/timehist.h"

#include <inttypes.h>

#include "analysis/kwork/model.h"
#include "base/text.h"
#include "view/kwork/name.h"

void kwork_timehist_heads(FILE *out)
{
	fputs(" Runtime start      Runtime end        Cpu     Kwork name                      "
	      "Runtime     Delaytime \n"
	      "                                               (TYPE)NAME:NUM                  "
	      "(msec)      (msec)    \n"
	      " -----------------  -----------------  ------  ------------------------------  "
	      "----------  ----------\n",
	      out);
}

static void add_time(struct text *t, uint64_t ns)
{
	text_addf(t, " %10" PRIu64 ".%06" PRIu64 " ", ns / 1000000000, ns / 1000 % 1000000);
}

static void add_msec(struct text *t, uint64_t from, uint64_t to)
{
	text_addf(t, " %10.3f ", to > from ? (double)(to - from) / 1e6 : 0.0);
}

void kwork_timehist_add(struct text *t, const struct kwork_run *run)
{
	add_time(t, run->begin);
	add_time(t, run->end);
	text_addf(t, " [%04d]  ", (int)run->item->cpu);
	kwork_name_add(t, run->item);
	text_add_char(t, ' ');
	add_msec(t, run->begin, run->end);
	if (run->raised)
		add_msec(t, run->raised, run->begin);
	else
		text_addf(t, "%12s", "");
	if (run->stack)
		text_add(t, run->stack);
	text_add_char(t, '\n');
}
