/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints a report as one JSON document, which is described in docs/format/report.json.md. */
#include <stdint.h>
#include <stdio.h>

struct report_view;
struct string_list;

/* Facts about the recording; NULL: unknown. */
struct report_facts {
	const char *file;
	const struct string_list *command; /* the words of the command line */
	const char *hostname, *os_release, *arch, *perf_version;
	uint64_t lost_samples;
};

/* Prints all blocks of @v. Returns a negative errno if @out fails. */
int report_json_print(FILE *out, const struct report_view *v, const struct report_facts *facts);
