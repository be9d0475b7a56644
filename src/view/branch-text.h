/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Branches in words.
 */
struct branch_note;
struct text;

/* "COND", "IND_CALL", "RET"; "" if the kind (enum branch_kind) is not known. */
const char *branch_kind_text(unsigned kind);

/*
 * Appends what is known of the branches at a place of stacks, if anything is:
 * " (CALL predicted:66.7%)", " (cycles:12 iter:3 avg_cycles:36)", " (calltrace)".
 */
void branch_note_text(const struct branch_note *n, struct text *out);
