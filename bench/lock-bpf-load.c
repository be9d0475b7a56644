/* SPDX-License-Identifier: MIT */
/* Eight threads that write to and read from one pipe, a byte at a time, and contend for its mutex.
 */
#include <pthread.h>
#include <unistd.h>

#define PAIRS 4
#define BYTES 200000

static int ends[2];

static void *write_bytes(void *arg)
{
	for (int i = 0; i < BYTES; i++)
		if (write(ends[1], "x", 1) != 1)
			break;
	return arg;
}

static void *read_bytes(void *arg)
{
	char byte;

	for (int i = 0; i < BYTES; i++)
		if (read(ends[0], &byte, 1) != 1)
			break;
	return arg;
}

int main(void)
{
	pthread_t threads[2 * PAIRS];

	if (pipe(ends) < 0)
		return 1;
	for (int i = 0; i < PAIRS; i++) {
		pthread_create(&threads[2 * i], NULL, write_bytes, NULL);
		pthread_create(&threads[2 * i + 1], NULL, read_bytes, NULL);
	}
	for (int i = 0; i < 2 * PAIRS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
