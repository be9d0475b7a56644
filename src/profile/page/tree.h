/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The stacks of a page while they are added: functions of one name and image below the same caller
 * are one node.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "profile/flame.h"

struct page;

struct page_tree {
	struct page *page;
	struct u64_map names, objects; /* texts of page_text(): index + 1 */
	uint32_t *slots;               /* nodes by parent, name and object: number + 1; 0: free */
	size_t n_slots;                /* a power of two */
	uint64_t seed;                 /* for base/hash.h */
};

/* Initialises a tree for a page that page_init() made; the page is borrowed. */
void page_tree_init(struct page_tree *t, struct page *p);
void page_tree_done(struct page_tree *t);

/*
 * Return the indexes of texts in the lists of names and objects; the texts are added if they are
 * new.
 */
uint32_t page_tree_name(struct page_tree *t, const char *name);
uint32_t page_tree_object(struct page_tree *t, const char *object);

/* Returns the node of a frame above @parent, which is made if there is none. */
uint32_t page_tree_node(struct page_tree *t, uint32_t parent, uint32_t name, uint32_t object,
			enum flame_kind kind);
