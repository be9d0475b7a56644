/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes filter texts: checking ends and never reads beyond the text, and an error always has a
 * message and marks a place within the text.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "event/filter.h"
#include "tracepoint/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char format_text[] =
	"name: thing\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:int pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:const char * file;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:void * site;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc cpumask_t mask;\toffset:48;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned int n;\toffset:56;\tsize:4;\tsigned:0;\n";

static void check(const char *text, const struct tracepoint_format *format)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r = filter_check(text, format, &diag);

	if (r == 0 ? diag.message != NULL : r != -EINVAL || !diag.message)
		abort();
	if (diag.excerpt && diag.offset + diag.length > strlen(text))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = xstrndup((const char *)data, size);
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *format = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (tracepoint_format_parse(format_text, &format, &diag) < 0)
		abort();
	check(text, format);
	check(text, NULL);
	return 0;
}
