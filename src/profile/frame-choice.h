/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which frames of a stack are shown, where it has those of interpreted languages among others.
 *
 * Such stacks have the functions of the language, whose image is known by its path, and the native
 * ones around them: the interpreter, libraries, the kernel. A sample always counts: if its own
 * frame is left out, it counts for the innermost frame that stays. A stack of which no frame would
 * stay has one frame that stands for all of them.
 */
#include <stdbool.h>

#include "runtime/runtime-types.h"

struct frame;
struct symbol;

enum frame_choice {
	FRAME_CHOICE_ALL,
	FRAME_CHOICE_NATIVE,      /* without those of interpreted languages */
	FRAME_CHOICE_INTERPRETED, /* only those */
	N_FRAME_CHOICES,
};

/* Returns the word of @choice: "all". */
const char *frame_choice_name(enum frame_choice choice);

/* Returns the choice of that word, or a negative errno. */
int frame_choice_find(const char *word);

/* Returns the interpreted language of @f; RUNTIME_KIND_NONE: it is native. */
enum runtime_kind frame_language(const struct frame *f);

/* True if @choice leaves @f out. */
bool frame_choice_leaves_out(enum frame_choice choice, const struct frame *f);

/* Returns the function that stands for a stack of which @choice leaves nothing: "[native]". */
const struct symbol *frame_choice_rest(enum frame_choice choice);
