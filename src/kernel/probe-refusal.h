/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Explains why the kernel rejected a probe, and what to do about it.
 *
 * The kernel returns an errno, and since 5.2 adds a line to tracefs' error_log. It rejects
 * addresses for many reasons with the same errno, so facts about the place distinguish them. They
 * are gathered first and judged afterwards, so that every case can be tested anywhere.
 */
#include <stdbool.h>
#include <stdint.h>

struct diag;
struct tracefs;

struct probe_refusal {
	int error;        /* a positive errno */
	const char *line; /* the line that was written */
	bool is_user;
	char *log; /* text of error_log, or NULL */
	/* Facts about a place in the kernel, as far as they are known. */
	char *function;      /* the function that contains it */
	uint64_t offset;     /* offset in that function */
	char *blacklisted;   /* code there that may not be probed, or NULL */
	bool is_code;        /* it lies in the kernel's text or a module's */
	bool is_untraced;    /* the function tracer does not know the function */
	bool is_misaligned;  /* for the machine's instructions */
	bool is_locked_down; /* the kernel is in lockdown mode */
};

/* The sources of the facts: long texts, which are read once. All zero at first. */
struct refusal_texts {
	char *kallsyms, *blacklist, *traced; /* NULL: there is none */
	bool were_read;
};

void refusal_texts_done(struct refusal_texts *x);

/*
 * Gathers the facts about the line @line from tracefs and procfs (below @root; "" for this
 * machine).
 */
void probe_refusal_gather(const struct tracefs *t, const char *root, struct refusal_texts *x,
			  struct probe_refusal *r);
void probe_refusal_done(struct probe_refusal *r);

/* Explains the rejection in @diag. Returns the negative errno. */
int probe_refusal_explain(const struct probe_refusal *r, struct diag *diag);
