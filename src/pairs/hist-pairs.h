/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rules of pairs (pairs/pair-rule.h) for live events and for the BPF program that counts
 * them.
 */
struct bpf_hist_pairs;
struct diag;
struct event_env;
struct event_list;
struct event_words;
struct hist_request;
struct pair_spec;

/* Returns the pairs of a live request: those given, or the first of the preset. */
const struct pair_spec *hist_pair_spec(const struct hist_request *rq);

/*
 * Adds the events of @spec to @words, each once, and after each of them @filter, if there is one.
 */
void hist_pair_words(const struct pair_spec *spec, const char *filter, struct event_words *words);

/*
 * Translates @spec for the program: @events are those of hist_pair_words(), resolved. -EOPNOTSUPP:
 * the program cannot match such pairs; -EINVAL: an event lacks a field; or an error of tracefs; all
 * with @diag.
 */
int hist_pair_rules(const struct pair_spec *spec, const struct event_list *events,
		    struct event_env *env, struct bpf_hist_pairs *ret, struct diag *diag);
