/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The order of a page's nodes.
 */
struct page;

/*
 * Numbers nodes depth first, the one with the most cells above it first: that is how they pack
 * best. Texts are numbered in the order of nodes. So pages of equal samples are equal, in whichever
 * order these came. Texts that nothing uses go.
 */
void page_order_nodes(struct page *p);
