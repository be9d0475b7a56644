/* SPDX-License-Identifier: MIT */
#include "view/kwork/timehist.h"

#include "analysis/kwork/model.h"
#include "base/digits.h"
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

/* " %10lu.%06lu ": by hand, as printf() would take most of the time of this command. */
static void add_time(struct text *t, uint64_t ns)
{
	char *at = text_room(t, 2 * DIGITS_MAX + 3);

	*at++ = ' ';
	at = digits_decimal_right(at, ns / 1000000000, 10, ' ');
	*at++ = '.';
	at = digits_decimal_right(at, ns / 1000 % 1000000, 6, '0');
	*at++ = ' ';
	text_filled(t, at);
}

/* " %10.3f "; a half is rounded by printf(), as far as a double has it. */
static void add_msec(struct text *t, uint64_t from, uint64_t to)
{
	uint64_t ns = to > from ? to - from : 0, us = ns / 1000 + (ns % 1000 > 500);
	char *at;

	if (ns % 1000 == 500 || ns >> 52) {
		text_addf(t, " %10.3f ", (double)ns / 1e6);
		return;
	}
	at = text_room(t, 2 * DIGITS_MAX + 3);
	*at++ = ' ';
	at = digits_decimal_right(at, us / 1000, 6, ' ');
	*at++ = '.';
	at = digits_decimal_right(at, us % 1000, 3, '0');
	*at++ = ' ';
	text_filled(t, at);
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
		text_add(t, "            ");
	if (run->stack)
		text_add(t, run->stack);
	text_add_char(t, '\n');
}
