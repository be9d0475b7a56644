/* SPDX-License-Identifier: MIT */
#include "tools/kwork/timehist-view.h"

#include <inttypes.h>

#include "base/digits.h"
#include "base/text.h"
#include "tools/kwork/kwork-model.h"
#include "tools/kwork/table-view.h"

#define WIDTH             102
#define NARROW_NAME_WIDTH 22

bool kwork_timehist_is_narrow(unsigned columns)
{
	return columns && columns < WIDTH;
}

static void print_narrow_heads(FILE *out)
{
	fputs("Runtime start  Runtime end  Cpu   Kwork name               Runtime Delaytime\n"
	      "                                  (TYPE)NAME:NUM            (msec)    (msec)\n"
	      "------------- ------------- ------ ---------------------- --------- ---------\n",
	      out);
}

void kwork_timehist_heads(bool narrow, FILE *out)
{
	if (narrow) {
		print_narrow_heads(out);
		return;
	}
	fputs(" Runtime start      Runtime end        Cpu     Kwork name                      "
	      "Runtime     Delaytime \n"
	      "                                               (TYPE)NAME:NUM                  "
	      "(msec)      (msec)    \n"
	      " -----------------  -----------------  ------  ------------------------------  "
	      "----------  ----------\n",
	      out);
}

/*
 * Appends " %10lu.%06lu ". It is formatted by hand, because printf() would take most of the time of
 * this command.
 */
static void kwork_timehist_add_time(struct text *t, uint64_t ns)
{
	char *at = text_room(t, 2 * DIGITS_MAX + 3);

	*at++ = ' ';
	at = digits_decimal_right(at, ns / 1000000000, 10, ' ');
	*at++ = '.';
	at = digits_decimal_right(at, ns / 1000 % 1000000, 6, '0');
	*at++ = ' ';
	text_filled(t, at);
}

/* Appends " %10.3f ". printf() rounds a half, as far as a double represents it. */
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

static double kwork_timehist_msec(uint64_t from, uint64_t to)
{
	return to > from ? (double)(to - from) / 1e6 : 0;
}

static void add_narrow(struct text *t, const struct kwork_run *run)
{
	text_addf(t, "%6" PRIu64 ".%06" PRIu64 " %6" PRIu64 ".%06" PRIu64 " [%04d] ",
		  run->begin / 1000000000, run->begin / 1000 % 1000000, run->end / 1000000000,
		  run->end / 1000 % 1000000, (int)run->item->cpu);
	kwork_name_add(t, run->item, NARROW_NAME_WIDTH);
	text_addf(t, " %9.3f", kwork_timehist_msec(run->begin, run->end));
	if (run->raised)
		text_addf(t, " %9.3f", kwork_timehist_msec(run->raised, run->begin));
	else if (run->stack)
		text_addf(t, "%10s", "");
	if (run->stack)
		text_add(t, run->stack);
	text_add_char(t, '\n');
}

void kwork_timehist_add(struct text *t, bool narrow, const struct kwork_run *run)
{
	if (narrow) {
		add_narrow(t, run);
		return;
	}
	kwork_timehist_add_time(t, run->begin);
	kwork_timehist_add_time(t, run->end);
	text_addf(t, " [%04d]  ", (int)run->item->cpu);
	kwork_name_add(t, run->item, KWORK_NAME_WIDTH);
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
