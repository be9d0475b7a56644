/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The order of a page's nodes.
 */
struct page;

/*
 * Numbers nodes depth first, the one with the most cells above it first, because this order packs
 * best. Texts are numbered in the order of nodes. So pages of equal samples are equal, whatever the
 * order of the samples. Unused texts are removed.
 */
void page_order_nodes(struct page *p);
