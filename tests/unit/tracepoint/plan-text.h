/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The text of one record under any print fmt: every kind of field, with known values.
 *
 * Include cmocka first. Backticks in a print fmt stand for its quotes. Expected texts are those
 * that the kernel would print; Linux's perf 6.1 printed nearly all of them, too, when it read a
 * file with this format and this record.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "tracepoint/format.h"
#include "tracepoint/plan.h"

static const char plan_fields[] =
	"name: test\nID: 7\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\tfield:int i;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned int u;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:long l;\toffset:16;\tsize:8;\tsigned:1;\n"
	"\tfield:unsigned long ul;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:short h;\toffset:32;\tsize:2;\tsigned:1;\n"
	"\tfield:u8 b;\toffset:34;\tsize:1;\tsigned:0;\n"
	"\tfield:bool yes;\toffset:35;\tsize:1;\tsigned:0;\n"
	"\tfield:char s[8];\toffset:36;\tsize:8;\tsigned:0;\n"
	"\tfield:void * p;\toffset:44;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] name;\toffset:52;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc u32[] words;\toffset:56;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 mac[6];\toffset:60;\tsize:6;\tsigned:0;\n"
	"\tfield:u16 shorts[4];\toffset:66;\tsize:8;\tsigned:0;\n"
	"\tfield:u8 ip6[16];\toffset:74;\tsize:16;\tsigned:0;\n"
	"\tfield:__rel_loc char[] near;\toffset:90;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc u16[] rel;\toffset:94;\tsize:4;\tsigned:0;\n"
	"\tfield:char full[4];\toffset:98;\tsize:4;\tsigned:0;\n"
	"\tfield:__u8 ip4[4];\toffset:102;\tsize:4;\tsigned:0;\n"
	"\tfield:dev_t dev;\toffset:106;\tsize:4;\tsigned:0;\n"
	"\tfield:struct sockaddr sa;\toffset:110;\tsize:28;\tsigned:0;\n"
	"\tfield:__data_loc char[] none;\toffset:138;\tsize:4;\tsigned:0;\n"
	"\tfield:char rest[];\toffset:142;\tsize:0;\tsigned:0;\n";

static const uint8_t plan_record[] = {
	7,    0,    0,    0,    77,   0,    0,    0,    /* common_type, common_pid */
	0xfb, 0xff, 0xff, 0xff,                         /* i = -5 */
	0xf0, 0xff, 0xff, 0xff,                         /* u = 0xfffffff0 */
	0xf9, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, /* l = -7 */
	0xfe, 0xca, 0xef, 0xbe, 0xad, 0xde, 0,    0,    /* ul = 0xdeadbeefcafe */
	0xfd, 0xff,                                     /* h = -3 */
	200,  1,                                        /* b, yes */
	'h',  'i',  0,    'x',  0,    0,    0,    0,    /* s */
	0x78, 0x56, 0x34, 0x12, 0,    0x80, 0xff, 0xff, /* p = 0xffff800012345678 */
	142,  0,    6,    0,                            /* name at 142 */
	148,  0,    12,   0,                            /* words at 148 */
	0x52, 0x54, 0,    0xab, 0xcd, 0xef,             /* mac */
	1,    0,    2,    0,    3,    0,    0xff, 0xff, /* shorts */
	0x20, 1,    0x0d, 0xb8, 0,    0,    0,    0,    /* ip6 = 2001:db8: */
	0,    0,    0,    0,    0,    0,    0,    1,    /* :1 */
	66,   0,    4,    0,                            /* near at 94 + 66 */
	66,   0,    6,    0,                            /* rel at 98 + 66 */
	'a',  'b',  'c',  'd',                          /* full, without a NUL */
	192,  0,    2,    1,                            /* ip4 */
	7,    0,    0xd0, 0x0f,                         /* dev = 253:7 */
	2,    0,    0x1f, 0x90, 1,    2,    3,    4,    /* sa: AF_INET, port 8080, 1.2.3.4 */
	0,    0,    0,    0,    0,    0,    0,    0,    0,    0, /* sa */
	0,    0,    0,    0,    0,    0,    0,    0,    0,    0, /* sa */
	142,  0,    0,    0,                                     /* none */
	'h',  'e',  'l',  'l',  'o',  0,                         /* 142, also where rest begins */
	1,    0,    0,    0,    2,    0,    0,    0,    0xff, 0xff, 0xff, 0xff, /* 148 */
	'r',  'e',  'l',  0,                                                    /* 160 */
	10,   0,    20,   0,    0xff, 0xff,                                     /* 164 */
};

static inline const char *known_symbol(void *arg, uint64_t addr, uint64_t *ret_offset)
{
	(void)arg;
	if (addr < 0xffff800012345600 || addr >= 0xffff800012345700)
		return NULL;
	*ret_offset = addr - 0xffff800012345600;
	return "my_function";
}

static inline const char *known_string(void *arg, uint64_t addr)
{
	(void)arg;
	return addr == 0xffff800012345678 ? "a constant" : NULL;
}

static inline struct tracepoint_format *format_of(const char *print_fmt)
{
	_cleanup_(freep) char *text = xasprintf("%s\nprint fmt: %s\n", plan_fields, print_fmt);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct tracepoint_format *f = NULL;

	for (char *quote = text; (quote = strchr(quote, '`'));)
		*quote = '"';
	assert_int_equal(tracepoint_format_parse(text, &f, &diag), 0);
	return f;
}

/*
 * Returns the text that @print_fmt gives for the first @size bytes of @record. The caller frees it.
 */
static inline char *text_of_bytes(const char *print_fmt, const struct tracepoint_machine *m,
				  const uint8_t *record, size_t size)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = format_of(print_fmt);
	_cleanup_(tracepoint_plan_freep) struct tracepoint_plan *p = tracepoint_plan_new(f, 8);
	_cleanup_(freep) uint8_t *exact = malloc(size ? size : 1);
	struct text out = TEXT_EMPTY;

	memcpy(exact, record, size);
	tracepoint_plan_print(p, m, exact, size, &out);
	return text_take(&out);
}

static inline char *text_of(const char *print_fmt)
{
	const struct tracepoint_machine m = { .hz = 250 };

	return text_of_bytes(print_fmt, &m, plan_record, sizeof(plan_record));
}

#define assert_text(print_fmt, expected)                                                           \
	do {                                                                                       \
		_cleanup_(freep) char *text_ = text_of(print_fmt);                                 \
		assert_string_equal(text_, expected);                                              \
	} while (0)

/* Checks that @print_fmt is not understood, and that the reason contains @why. */
static inline void assert_refused(const char *print_fmt, const char *why)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = format_of(print_fmt);
	_cleanup_(tracepoint_plan_freep) struct tracepoint_plan *p = tracepoint_plan_new(f, 8);

	if (!tracepoint_plan_problem(p))
		fail_msg("understood: %s", print_fmt);
	if (!strstr(tracepoint_plan_problem(p), why))
		fail_msg("%s: %s", print_fmt, tracepoint_plan_problem(p));
}
