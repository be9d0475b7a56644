/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The boxes of a flame graph: stacks merged by their outer frames, by name.
 *
 * A model: boxes with their weights in the order in which they are drawn. No colours, no positions.
 * It is made of stacks of any origin (a profile's trie, folded lines, waiting times), which are
 * added box by box with a struct flame_builder.
 *
 * Functions of one name below the same caller are one box, in whichever file they lie: so do
 * FlameGraph's scripts, and so can pictures be compared with theirs.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/intern.h"

/* What a box stands for. Of boxes that are merged, the smallest counts. */
enum flame_kind {
	FLAME_ALL,     /* the one that all others stand on */
	FLAME_TASK,    /* a command, a thread, a CPU, a cgroup; that a thread ran */
	FLAME_USER,    /* a function of a program or library */
	FLAME_KERNEL,  /* of the kernel or a module */
	FLAME_JIT,     /* made by a compiler at run time, or interpreted */
	FLAME_INLINED, /* inlined into the one below */
	FLAME_UNKNOWN, /* an address without a name */
	FLAME_WAIT,    /* what a thread waited for: sleep, I/O, lock, a CPU (runnable) */
	FLAME_WAKER,   /* a function of the thread that ended the waiting */
	N_FLAME_KINDS,
};

/* A comparison has two sides; a single profile has only FLAME_AFTER. */
enum flame_side {
	FLAME_AFTER,
	FLAME_BEFORE,
	N_FLAME_SIDES,
};

/* What a comparison says of the share of a box. */
enum flame_change {
	FLAME_NOISE, /* no more than chance explains */
	FLAME_MORE,  /* larger after than before */
	FLAME_LESS,
};

struct flame_value {
	uint64_t total; /* of the box and all above it */
	uint64_t self;  /* where it is the innermost */
};

struct flame_box {
	const char *name;
	const char *object; /* the image that it is from; "": none */
	uint32_t parent;    /* FLAME_NONE: it is the first box */
	uint32_t end;       /* the number behind the last box above this one */
	uint32_t depth;     /* of the first box: 0 */
	enum flame_kind kind;
	enum flame_change change; /* of a comparison */
	struct flame_value value[N_FLAME_SIDES];
};

#define FLAME_NONE UINT32_MAX

/*
 * Boxes in depth-first order, each before those above it; siblings by name. boxes[0] is the one
 * that all stand on.
 */
struct flame {
	struct flame_box *boxes;
	size_t n;
	uint32_t depth;     /* the largest of all boxes */
	bool is_comparison; /* FLAME_BEFORE and the changes are there */
	struct intern texts;
};

void flame_free(struct flame *f);
DEFINE_FREEP(flame)

struct flame_builder;

/* Has one box, number 0, which is called @all and of kind FLAME_ALL. */
struct flame_builder *flame_builder_new(const char *all);
void flame_builder_free(struct flame_builder *b);
DEFINE_FREEP(flame_builder)

/* The one copy of a name or object, which flame_builder_box() wants. */
const char *flame_builder_text(struct flame_builder *b, const char *s);

/*
 * The number of the box @name above @parent; made if there is none. Both texts are those of
 * flame_builder_text().
 */
uint32_t flame_builder_box(struct flame_builder *b, uint32_t parent, const char *name,
			   const char *object, enum flame_kind kind);

/* Adds @weight to what @box has by itself. Sums end at UINT64_MAX. */
void flame_builder_weigh(struct flame_builder *b, uint32_t box, enum flame_side side,
			 uint64_t weight);

/*
 * Sums up and puts into order. Boxes without any weight are left out, but for the first. The
 * builder is used up: flame_builder_free() is all that may follow.
 */
struct flame *flame_builder_finish(struct flame_builder *b, bool is_comparison);

/*
 * What @box is of all on @side, in percent; 0 of nothing.
 */
double flame_share(const struct flame *f, const struct flame_box *box, enum flame_side side);
