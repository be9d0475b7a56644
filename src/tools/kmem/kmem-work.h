/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Makes models of the work of the kernel's memory allocators that are ready to be shown: from a
 * recording, or from counts of BPF programs in the kernel.
 *
 *	recording ─► session_feed() ─► tools/kmem/event-model ─► slab_model, page_model ─┐
 *	what happens now ─► tools/kmem/kmem-bpf ─────────────────────────────────────────────────┴─►
 * struct kmem
 */
#include <stdbool.h>
#include <stdint.h>

#include "measure/target.h"
#include "profile/recorded.h"
#include "tools/kmem/event-model.h"
#include "tools/kmem/gfp-model.h"
#include "tools/kmem/page-callers-model.h"
#include "tools/kmem/pages-model.h"
#include "tools/kmem/slab-model.h"

struct diag;
struct kallsyms;
struct notes;
struct record_result;
struct symbol;
struct text;

struct kmem_request {
	struct recorded_request input;
	bool slab, page; /* the allocators; at least one */
	bool live;       /* pages: only those that were not freed */
	bool pages;      /* also make rows of pages, not only of call sites */
	/* For a live count, in place of a recording: */
	char *const *argv; /* the command, NULL-terminated; empty: no command */
	struct target target;
};

struct kmem {
	struct recorded recorded;
	struct kmem_events events;
	struct slab_model slab;
	struct page_model page;
	struct page_callers callers;
	struct gfp_names gfp; /* names of the flags in page */
	bool old_types;       /* migrate types are numbered as before Linux 4.4 */
	/* Symbols of the running kernel, if it was counted: */
	struct kallsyms *running;
};

void kmem_done(struct kmem *k);

/*
 * Reads a recording. Returns -ENODATA with @diag if it has no events of one of the allocators.
 * Other errors are those of recorded_open() and recorded_feed(). Lost events are reported in
 * @notes. *@ret must be released in any case.
 */
int kmem_read(const struct kmem_request *rq, struct kmem *ret, struct notes *notes,
	      struct diag *diag);

/*
 * Counts in the kernel until the command ends, or a signal arrives. -EOPNOTSUPP and other errors:
 * BPF cannot do it here; @diag contains the reason. What is not counted is reported in @notes.
 * *@ret must be released in any case; *@ret_result is set in any case.
 */
int kmem_count(const struct kmem_request *rq, struct kmem *ret, struct notes *notes,
	       struct record_result *ret_result, struct diag *diag);

/* Returns the kernel's function at @addr, or NULL. */
const struct symbol *kmem_symbol(const struct kmem *k, uint64_t addr);

/*
 * Appends the name of the kernel's function at @addr, as "name+1f" if @with_offset. False: it has
 * no name.
 */
bool kmem_name(void *kmem, uint64_t addr, bool with_offset, struct text *out);
