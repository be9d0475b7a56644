/* SPDX-License-Identifier: MIT */
#pragma once
/* Describes branches in words. */
struct branch_note;
struct text;

/* Returns "COND", "IND_CALL", "RET", or "" if the kind (enum branch_kind) is unknown. */
const char *branch_kind_text(unsigned kind);

/*
 * Appends the data about the branches at a place of stacks, if there is any: " (CALL
 * predicted:66.7%)", " (cycles:12 iter:3 avg_cycles:36)", " (calltrace)".
 */
void branch_note_text(const struct branch_note *n, struct text *out);
