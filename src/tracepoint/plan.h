/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A tracepoint's text: its print fmt, which is C, is compiled once and printed many times.
 *
 * The print fmt is parsed here, and evaluated as the kernel's compiler would have done.
 * libtraceevent is not used for it: it gives up on 20 of the 2,086 formats of a 6.18 kernel, does
 * not know signs (an int of -5 is not less than 0), and takes 3.6 us to print a
 * raw_syscalls:sys_enter, for which a plan takes 0.065. Compiling all of those formats takes 20 ms.
 * docs/differences/tracepoints.md lists the texts that differ.
 *
 * A plan is constant: any number of threads may print from it. It borrows its format. The record
 * and the format come from a file and are not trusted: whatever they contain, nothing outside of
 * the record is read. The text contains the record's strings unchanged, so it must be escaped for a
 * terminal.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct text;
struct tracepoint_field;
struct tracepoint_format;
struct tracepoint_plan;

/* The properties that the text needs of the machine that made the record. */
struct tracepoint_machine {
	bool swap;   /* its byte order is not ours */
	unsigned hz; /* ticks per second; 0: unknown, jiffies are printed unchanged */

	/* Returns the kernel function around @addr; NULL: unknown. May be NULL itself. */
	const char *(*symbol)(void *arg, uint64_t addr, uint64_t *ret_offset);

	/*
	 * Returns the constant string at @addr (printk-formats.h); NULL: unknown. May be NULL
	 * itself.
	 */
	const char *(*string)(void *arg, uint64_t addr);
	void *arg;
};

/*
 * Compiles the print fmt of @f for a machine whose long has @long_size bytes. Never fails: if the
 * print fmt cannot be parsed, the plan prints "[FAILED TO PARSE]" and the fields one by one. @f
 * must outlive the plan.
 */
struct tracepoint_plan *tracepoint_plan_new(const struct tracepoint_format *f, unsigned long_size);
void tracepoint_plan_free(struct tracepoint_plan *p);
DEFINE_FREEP(tracepoint_plan)

/*
 * Returns the reason why the print fmt could not be parsed; NULL: it was. The text belongs to the
 * plan.
 */
const char *tracepoint_plan_problem(const struct tracepoint_plan *p);

/*
 * Appends the text of a record, the @size bytes of PERF_SAMPLE_RAW at @raw. Data beyond them counts
 * as zero or empty, and " [TRUNCATED]" follows the text.
 */
void tracepoint_plan_print(const struct tracepoint_plan *p, const struct tracepoint_machine *m,
			   const void *raw, size_t size, struct text *out);

/* Does the same without the print fmt: " NAME=VALUE" of each field that is not common to all. */
void tracepoint_plan_print_fields(const struct tracepoint_plan *p,
				  const struct tracepoint_machine *m, const void *raw, size_t size,
				  struct text *out);

/*
 * Appends the value of @f, a field of @p's format: an array of characters as text, other arrays as
 * ARRAY[bytes], integers as digits. Addresses, and unsigned integers of the same width, are
 * hexadecimal.
 */
void tracepoint_plan_print_field(const struct tracepoint_plan *p,
				 const struct tracepoint_machine *m,
				 const struct tracepoint_field *f, const void *raw, size_t size,
				 struct text *out);
