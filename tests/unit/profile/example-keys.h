/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sort keys over things made by hand: a recording, images, functions, places in them.
 */
#include "session/recording.h"

#include "base/text.h"
#include "profile/keys.h"
#include "profile/shared-values.h"
#include "symbol/symbolizer.h"

struct example_keys {
	struct recording recording;
	struct session *session;
	struct symbolizer *symbolizer;
	struct key_env env;
	struct keys keys;
	struct diag diag;
	struct text text;
};

__attribute__((unused)) static void example_keys_init(struct example_keys *m, bool by_address)
{
	*m = (struct example_keys){ .recording = recording_new(), .text = TEXT_EMPTY };
	comm(&m->recording, 7, 8, "worker", 1);
	m->session = opened(&m->recording, false);
	assert_int_equal(session_scan(m->session, &m->diag), 0);
	m->symbolizer = symbolizer_new(&(struct symbolizer_options){ 0 });
	m->env = (struct key_env){
		.session = m->session,
		.frames = frames_new(by_address),
		.values = shared_values_new(),
	};
}

__attribute__((unused)) static void example_keys_done(struct example_keys *m)
{
	keys_done(&m->keys);
	frames_free(m->env.frames);
	shared_values_free(m->env.values);
	session_free(m->session);
	symbolizer_free(m->symbolizer);
	recording_done(&m->recording);
	diag_done(&m->diag);
	text_done(&m->text);
}

/* Returns the key called @name, which must exist: the last of those requested. */
__attribute__((unused)) static const struct key *
example_key(struct example_keys *m, enum report_mode mode, const char *name)
{
	assert_int_equal(keys_add(&m->keys, &m->env, mode, name, &m->diag), 0);
	assert_true(m->keys.n > 0);
	return &m->keys.items[m->keys.n - 1];
}

__attribute__((unused)) static struct map example_map(struct example_keys *m, const char *path,
						      uint64_t start)
{
	return (struct map){
		.start = start,
		.end = start + 0x10000,
		.prot = 5,
		.name = path,
		.image = symbolizer_image(m->symbolizer,
					  &(struct image_key){ .kind = IMAGE_USER, .name = path }),
	};
}

/* Returns the frame at @offset of @map; @sym and @map may be NULL. */
__attribute__((unused)) static uint32_t example_frame(struct example_keys *m, const struct map *map,
						      const struct symbol *sym, uint64_t offset)
{
	struct location loc = {
		.addr = map ? map->start + offset : offset,
		.map = map,
		.image_addr = offset,
		.sym = sym,
	};

	return frames_add(m->env.frames, &loc, ADDRESS_USER, FRAME_SAMPLED);
}

__attribute__((unused)) static uint64_t example_value(struct example_keys *m, const struct key *k,
						      const struct key_sample *s)
{
	return k->type->of_sample ? k->type->of_sample(k, &m->env, s)
				  : k->type->of_frame(k, &m->env, s->frame);
}

/* Returns the plain text of @value in a row of @samples; it is valid until the next call. */
__attribute__((unused)) static const char *example_text(struct example_keys *m, const struct key *k,
							uint64_t value, uint64_t samples)
{
	struct key_cell cell = { .value = value,
				 .frame = FRAME_NONE,
				 .weight = { .samples = samples } };

	text_clear(&m->text);
	key_value_add(k, &m->env, &cell, &m->text);
	return m->text.chars;
}

__attribute__((unused)) static int example_order(struct example_keys *m, const struct key *k,
						 uint64_t a, uint64_t b)
{
	return k->type->compare ? k->type->compare(k, &m->env, a, b) : a < b ? -1 : a > b;
}

#define assert_above(m, k, a, b)                                                                   \
	do {                                                                                       \
		assert_true(example_order(m, k, a, b) < 0);                                        \
		assert_true(example_order(m, k, b, a) > 0);                                        \
	} while (0)
