/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target on the files named on the command line, for machines without libFuzzer. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	size_t size = 0, room = 1 << 20;
	uint8_t *data = malloc(room);

	if (!file || !data) {
		perror(path);
		return 1;
	}
	size = fread(data, 1, room, file);
	fclose(file);
	/* An exact copy, so that the sanitizer sees a read past the end. */
	data = realloc(data, size ? size : 1);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++)
		failed |= replay(argv[i]);
	return failed;
}
