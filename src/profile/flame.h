/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The boxes of a flame graph: stacks merged by their outer frames, by name.
 *
 * This is a model: boxes with their weights in the order in which they are drawn, without colours
 * and positions. It is made of stacks of any origin (a profile's trie, folded lines, waiting
 * times), which are added box by box with a struct flame_builder.
 *
 * Functions of one name below the same caller are one box, whichever file they are in. FlameGraph's
 * scripts do the same, so pictures can be compared with theirs.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/intern.h"

/* The kind of a box. If boxes are merged, the smallest kind counts. */
enum flame_kind {
	FLAME_ALL,     /* the box that all others stand on */
	FLAME_TASK,    /* a command, a thread, a CPU, a cgroup; or that a thread ran */
	FLAME_USER,    /* a function of a program or library */
	FLAME_KERNEL,  /* a function of the kernel or a module */
	FLAME_JIT,     /* code made by a compiler at run time, or of another interpreter */
	FLAME_INLINED, /* a function inlined into the one below */
	FLAME_UNKNOWN, /* an address without a name */
	FLAME_WAIT,    /* the reason of a wait: sleep, I/O, lock, a CPU (runnable) */
	FLAME_WAKER,   /* a function of the thread that ended the wait */
	/* functions of interpreted languages, in the order of enum runtime_kind */
	FLAME_PYTHON,
	FLAME_JAVA,
	FLAME_JAVASCRIPT,
	FLAME_RUBY,
	FLAME_PHP,
	N_FLAME_KINDS,
};

/* The first of the languages, and the number of the kinds that are none. */
#define FLAME_LANGUAGES FLAME_PYTHON

/* A comparison has two sides; a single profile has only FLAME_AFTER. */
enum flame_side {
	FLAME_AFTER,
	FLAME_BEFORE,
	N_FLAME_SIDES,
};

/* The result of a comparison for the share of a box. */
enum flame_change {
	FLAME_NOISE, /* no more than chance can explain */
	FLAME_MORE,  /* larger after than before */
	FLAME_LESS,
};

struct flame_value {
	uint64_t total; /* the weight of the box and all above it */
	uint64_t self;  /* the weight of stacks in which it is the innermost */
};

struct flame_box {
	const char *name;
	const char *object; /* the box's image; "": none */
	uint32_t parent;    /* FLAME_NONE: it is the first box */
	uint32_t end;       /* the number after the last box above this one */
	uint32_t depth;     /* 0 for the first box */
	enum flame_kind kind;
	enum flame_change change; /* the result of a comparison */
	struct flame_value value[N_FLAME_SIDES];
};

#define FLAME_NONE UINT32_MAX

/*
 * Boxes in depth-first order, each before those above it; siblings by name. boxes[0] is the box
 * that all stand on.
 */
struct flame {
	struct flame_box *boxes;
	size_t n;
	uint32_t depth;     /* the largest depth of all boxes */
	bool is_comparison; /* it has FLAME_BEFORE and the changes */
	struct intern texts;
};

void flame_free(struct flame *f);
DEFINE_FREEP(flame)

struct flame_builder;

/* Makes a builder with one box, number 0, of the name @all and the kind FLAME_ALL. */
struct flame_builder *flame_builder_new(const char *all);
void flame_builder_free(struct flame_builder *b);
DEFINE_FREEP(flame_builder)

/* Returns the only copy of a name or object, as flame_builder_box() needs it. */
const char *flame_builder_text(struct flame_builder *b, const char *s);

/*
 * Returns the number of the box @name above @parent, which is made if there is none. Both texts
 * must come from flame_builder_text().
 */
uint32_t flame_builder_box(struct flame_builder *b, uint32_t parent, const char *name,
			   const char *object, enum flame_kind kind);

/* Adds @weight to the own weight of @box. Sums end at UINT64_MAX. */
void flame_builder_weigh(struct flame_builder *b, uint32_t box, enum flame_side side,
			 uint64_t weight);

/*
 * Sums up the weights and sorts the boxes. Boxes without any weight are left out, except for the
 * first. Only flame_builder_free() may be called on the builder afterwards.
 */
struct flame *flame_builder_finish(struct flame_builder *b, bool is_comparison);

/* Returns the share of @box on @side, in percent; 0 if the side has no weight. */
double flame_share(const struct flame *f, const struct flame_box *box, enum flame_side side);
