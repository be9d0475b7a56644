/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A report as one JSON document: docs/format/report.json.md says what is in it.
 */
#include <stdint.h>
#include <stdio.h>

struct report_view;
struct string_list;

/* What the recording says about itself; NULL: nothing. */
struct report_facts {
	const char *file;
	const struct string_list *command; /* words */
	const char *hostname, *os_release, *arch, *perf_version;
	uint64_t lost_samples;
};

/* Prints all blocks of @v. A negative errno if @out fails. */
int report_json_print(FILE *out, const struct report_view *v, const struct report_facts *facts);
