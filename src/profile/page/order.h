/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The order of a page's nodes.
 */
struct page;

/*
 * Numbers nodes depth first, the one with the most cells above it first: that is how they pack
 * best.
 */
void page_order_nodes(struct page *p);
