/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Explains why the verifier rejects a user's program: its complaint, and the line of the source
 * that it checked last. Pure text.
 */
#include <stddef.h>

struct diag;

/* The end of a verifier's log. Borrowed from the log; not terminated. */
struct bpf_refusal {
	const char *complaint;
	size_t complaint_length;
	const char *line; /* line of the source, or NULL: the object has no lines */
	size_t line_length;
};

struct bpf_refusal bpf_refusal_read(const char *log);

/*
 * Explains in @diag why @source was rejected with @error. @text is the text of the source, or NULL:
 * it is an object. @log is the verifier's; "": the kernel rejects the program without one
 * (bpf/explain.h). Returns @error.
 */
int bpf_refusal_explain(int error, const char *log, const char *source, const char *text,
			struct diag *diag);
