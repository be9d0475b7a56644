/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Why the verifier refuses a program that a user wrote: its complaint, and the line of the source
 * that it looked at last. Pure text.
 */
#include <stddef.h>

struct diag;

/* What a verifier's log says in the end. Borrowed from the log; not terminated. */
struct bpf_refusal {
	const char *complaint;
	size_t complaint_length;
	const char *line; /* of the source, or NULL: the object has no lines */
	size_t line_length;
};

struct bpf_refusal bpf_refusal_read(const char *log);

/*
 * Says in @diag why @source was refused with @error. @text is the source's, or NULL: it is an
 * object. @log is that of the verifier; "": the kernel refuses without one (bpf/explain.h).
 * Returns @error.
 */
int bpf_refusal_explain(int error, const char *log, const char *source, const char *text,
			struct diag *diag);
